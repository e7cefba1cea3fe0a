"""``Game``, ``State`` and ``Move``: the Python interface of every game.

A ``Game`` works on ``data``: a record's bytes if it is compiled, a Python object if not. ``State`` is an immutable
position; ``play`` returns a new one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from ramify.contract.interfaces.game_kernels import GameKernels
from ramify.contract.interfaces.game_rules import GameRules
from ramify.core.search.tree import CHANCE, SIMULTANEOUS
from ramify.errors import RamifyError, suggestion
from ramify.numpy_scalars import plain
from ramify.old_names import old_members

JOINT_SEPARATOR = "+"  # between the names of a joint move
MOVE_BUFFER_SLACK = 1024  # a game that writes too many moves is caught before it corrupts memory


@dataclass(frozen=True)
class Move:
    """A move; ``str(move)`` is its name."""

    code: int
    name: str

    def __str__(self) -> str:
        return self.name


class JointMove(tuple[Move, ...]):
    """A joint move, one move per player; ``str(move)`` is its name."""

    @property
    def name(self) -> str:
        return JOINT_SEPARATOR.join(move.name for move in self)

    @property
    def code(self) -> tuple[int, ...]:
        return tuple(move.code for move in self)

    def __str__(self) -> str:
        return self.name


Code = int | tuple[int, ...]  # of a move or a joint move


@old_members(
    chances="chance_outcomes",
    lanes="batch",
    listed_playout="policy_playout",
    one_by_one="split_move",
    plain_bytes="state_is_bytes",
    play_all="play_joint",
    put="to_address",
    running="explaining_errors",
    session="for_search",
    take="from_address",
    told="one_line",
    win="winning_move_kernel",
)
class Game(GameRules, GameKernels):
    """A game with its parameters, as ``load`` returns it."""

    def initial(self) -> State:
        return State(self, self.start())

    def position(self, text: str) -> State:
        """Parse a text of ``state.text()``: the game's own format, or the moves from the start."""
        text = plain(text)
        if not isinstance(text, str):
            raise RamifyError(f"position() takes a text (str), not {text!r}")
        words = text.split()
        if words[:1] != ["moves"]:
            try:
                data = self.read(text)
            except RamifyError as error:
                raise RamifyError(f"'{text}' is not a position of {self.name}: {error}") from None
            if data is not None:
                return State(self, data)
        state = self.initial()
        for word in words[1:] if words[:1] == ["moves"] else words:
            state = state.play(word)
        return state

    def after(self, data: Any, code: Code) -> Any:
        """Return the position after a move or a joint move."""
        return self.play_joint(data, code) if isinstance(code, tuple) else self.play(data, code)

    # A search may play another version of the game (``contract.turn_based``).

    def adopt(self, state: State) -> State:
        """Convert a position of another version of the game to this one."""
        return state

    def split_move(self, code: Code) -> list[Code]:
        """Split a move into the plies that a search of this game makes."""
        return [code]

    def __repr__(self) -> str:
        return f"<Game {self.name}>"


@old_members(chances="chance_outcomes", continues="is_later_than", find_of="find_for", named="move_of")
class State:
    """An immutable position of a game."""

    def __init__(self, game: Game, data: Any, history: tuple[str, ...] = ()) -> None:
        self.game = game
        self.data = data
        self.history = history  # names of the moves since the start, or since the position that was parsed

    @property
    def over(self) -> bool:
        return self.game.over(self.data)

    @property
    def to_move(self) -> int:
        """The player to move, from 0; CHANCE or SIMULTANEOUS."""
        return self.game.mover(self.data)

    def moves(self, player: int | None = None) -> list[Move]:
        """Return the legal moves; with simultaneous moves, those of ``player``. Empty if the game is over."""
        return [self._move(code) for code in self.codes(player)]

    def codes(self, player: int | None = None) -> list[int]:
        """Return the codes of ``moves(player)``, without computing their names."""
        if self.over:
            return []
        mover = self.to_move
        if mover == CHANCE and player in (None, CHANCE):
            return [code for code, _ in self.game.chance_outcomes(self.data)]
        if mover == SIMULTANEOUS:
            if player is None or not 0 <= player < self.game.players:
                raise RamifyError(
                    f"simultaneous moves: call moves(player) with a player from 0 to {self.game.players - 1}"
                )
            return self.game.legal_of(self.data, player)
        return self.game.legal(self.data) if player is None or player == mover else []

    def chance_outcomes(self) -> list[tuple[Move, float]]:
        """Return the chance outcomes with their probabilities; empty unless chance moves."""
        if self.over or self.to_move != CHANCE:
            return []
        return [(self._move(code), probability) for code, probability in self.game.chance_outcomes(self.data)]

    def play(self, move: Move | str | Sequence[Move | str]) -> State:
        """Return the position after a move or a chance outcome, given as a Move or by name.

        With simultaneous moves, pass one move per player.
        """
        found = self.find(move)
        return State(self.game, self.game.after(self.data, found.code), (*self.history, found.name))

    def find(self, move: Move | str | Sequence[Move | str]) -> Move | JointMove:
        """Return the legal move, or the joint move, that ``move`` names."""
        if self.over:
            raise RamifyError(f"the game is over, so '{move}' cannot be played")
        move = plain(move)
        if self.to_move == SIMULTANEOUS:
            parts = (
                move.split(JOINT_SEPARATOR)
                if isinstance(move, str)
                else [move]
                if isinstance(move, Move)
                else list(move)
            )
            if len(parts) != self.game.players:
                raise RamifyError(f"simultaneous moves: pass one move per player ({self.game.players})")
            return JointMove(self._find(part, self.codes(player)) for player, part in enumerate(parts))
        if not isinstance(move, Move | str):
            raise RamifyError(f"give one move, not {move!r}")
        return self._find(move, self.codes())

    def find_for(self, player: int, move: Move | str) -> Move:
        """Return the legal move of one player that ``move`` names."""
        return self._find(move, self.codes(player))

    def move_of(self, code: Code) -> Move | JointMove:
        """Return the move, or the joint move, of a code that is legal here."""
        return JointMove(map(self._move, code)) if isinstance(code, tuple) else self._move(code)

    def is_later_than(self, earlier: State) -> bool:
        """Return whether this position follows ``earlier``, judged by the moves since the start."""
        known = len(earlier.history)
        return len(self.history) > known and self.history[:known] == earlier.history

    def scores(self) -> list[float]:
        """Return each player's score in [0, 1]. Raise RamifyError if the game is not over."""
        if not self.over:
            raise RamifyError("the game is not over, so there are no scores yet")
        return self.game.scores(self.data)

    def text(self) -> str:
        """Return the position as text that ``game.position`` parses."""
        written = self.game.write(self.data)
        return " ".join(("moves", *self.history)) if written is None else written

    def __str__(self) -> str:
        return self.game.draw(self.data)

    def __repr__(self) -> str:
        return f"<State {self.game.name}: {self.text()}>"

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, State)
            and self.game.name == other.game.name
            and self.game.key(self.data) == other.game.key(other.data)
        )

    def __hash__(self) -> int:
        return hash((self.game.name, self.game.key(self.data)))

    def _move(self, code: int) -> Move:
        return Move(code, self.game.move_name(self.data, code))

    def _find(self, wanted: Move | str, legal: list[int]) -> Move:
        if isinstance(wanted, Move) and wanted.code in legal and self._move(wanted.code) == wanted:
            return wanted
        names = []
        for code in legal:
            move = self._move(code)
            if move.name == wanted:
                return move
            names.append(move.name)
        raise RamifyError(f"'{wanted}' is not a legal move here; {suggestion(str(wanted), names)}")
