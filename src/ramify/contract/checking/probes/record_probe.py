"""Probes of games over records; ``PlainProbe`` runs them as plain Python, with buffers exactly as long as declared."""

from __future__ import annotations

import re
from abc import abstractmethod
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from ramify.contract.checking.call_timeout import CallTimeout, error_location, violation_from_error
from ramify.contract.checking.probes.probe import GameProbe, check_mover, check_moves, check_probabilities, check_scores
from ramify.contract.checking.result import ContractViolation
from ramify.contract.compiled_game import CompiledGame, Data, as_record
from ramify.core.numbers.rng import generator
from ramify.errors import RamifyError, suggestion

UNWRITTEN = -(2**62)  # marks entries of a buffer that were not written


class RecordProbe(GameProbe):
    """Base of the plain and the compiled probe: buffers, and checks of what is written to them."""

    def __init__(self, game: CompiledGame) -> None:
        self.game = game
        self.module = game.module
        self.players = game.players
        self.has_chance = hasattr(game.module, "chance_outcomes")
        self.has_joint = hasattr(game.module, "play_joint")
        self.max_moves, self.max_chance_outcomes = game.max_moves, game.max_chance_outcomes
        self.moves = self.buffer(np.dtype(np.int64), game.max_children)
        self.probabilities = self.buffer(np.dtype(np.float64), game.max_children)
        self.out = self.buffer(np.dtype(np.float64), game.players)
        self.rng = self.buffer(np.dtype(np.uint64), 1)
        self.joint = self.buffer(np.dtype(np.int64), game.players)

    @abstractmethod
    def buffer(self, dtype: np.dtype[Any], count: int) -> npt.NDArray[Any]:
        """Return a new array."""

    @abstractmethod
    def ask(self, name: str, data: Data, *arguments: Any) -> Any:
        """Call a function that must not change the state."""

    @abstractmethod
    def change(self, name: str, data: Data, *arguments: Any) -> tuple[Any, Data]:
        """Call a function on a copy of the state. Return its answer and the copy."""

    def start(self) -> Data:
        return self.change("start", np.zeros(1, self.module.State))[1]

    def over(self, data: Data) -> bool:
        answer = self.ask("over", data)
        if not isinstance(answer, bool | np.bool_ | int | np.integer):
            raise ContractViolation("over", f"over returned {answer!r}; it must return True or False")
        return bool(answer)

    def mover(self, data: Data) -> int:
        mover = check_integer("mover", self.ask("mover", data))
        if mover >= 0 and not hasattr(self.module, "legal"):
            raise ContractViolation("mover", f"mover returned player {mover}, but the game has no legal and play")
        return check_mover("mover", mover, self.players, chance=self.has_chance, simultaneous=self.has_joint)

    def legal(self, data: Data) -> tuple[int, ...]:
        self.moves.fill(UNWRITTEN)
        count = self.ask("legal", data, self.moves[: self.max_moves])
        return check_moves("legal", self.listed("legal", count, self.max_moves))

    def legal_of(self, data: Data, player: int) -> tuple[int, ...]:
        self.moves.fill(UNWRITTEN)
        count = self.ask("legal_of", data, player, self.moves[: self.max_moves])
        return check_moves("legal_of", self.listed("legal_of", count, self.max_moves))

    def chance_outcomes(self, data: Data) -> tuple[tuple[int, ...], tuple[float, ...]]:
        self.moves.fill(UNWRITTEN)
        self.probabilities.fill(np.nan)
        limit = self.max_chance_outcomes
        count = self.ask("chance_outcomes", data, self.moves[:limit], self.probabilities[:limit])
        outcomes = check_moves("chance_outcomes", self.listed("chance_outcomes", count, limit))
        return outcomes, check_probabilities(self.probabilities[: len(outcomes)].tolist())

    def listed(self, name: str, answer: Any, limit: int) -> list[int]:
        """Return the moves that a function has written."""
        count = check_integer(name, answer)
        if count > limit:
            bound = buffer_size_source(name, self.module)
            raise ContractViolation(
                "too-many-moves", f"{name} lists {count} moves, more than the {limit} that {bound} declares"
            )
        if count < 0:
            raise ContractViolation(
                "too-many-moves", f"{name} returned {count}; it must return the number of moves written"
            )
        moves: list[int] = self.moves[:count].tolist()
        if UNWRITTEN in moves:
            raise ContractViolation(
                "moves-unwritten", f"{name} returned {count}, but wrote nothing to moves[{moves.index(UNWRITTEN)}]"
            )
        return moves

    def play(self, data: Data, move: int) -> Data:
        return self.change("play", data, move)[1]

    def play_joint(self, data: Data, moves: Sequence[int]) -> Data:
        self.joint[:] = moves
        return self.change("play_joint", data, self.joint)[1]

    def scores(self, data: Data) -> tuple[float, ...]:
        self.out.fill(np.nan)
        self.ask("scores", data, self.out)
        return check_scores(self.out.tolist(), self.players)

    def values(self, data: Data) -> tuple[float, ...]:
        """Return the values that ``evaluate`` writes, checked."""
        self.out.fill(np.nan)
        self.ask("evaluate", data, self.out)
        for player, value in enumerate(self.out.tolist()):
            if not 0.0 <= value <= 1.0:
                raise ContractViolation(
                    "evaluate", f"evaluate wrote {value:g} for player {player}; it must write a number in [0, 1]"
                )
        return tuple(self.out.tolist())

    def draw_move(self, name: str, data: Data, seed: int, *player: int) -> tuple[int, int]:
        """Return a move that ``name`` draws with a new generator, and the generator's state afterwards."""
        self.rng[0] = generator(seed)[0]
        return check_integer(name, self.ask(name, data, *player, self.rng)), int(self.rng[0])

    def published_moves(self, data: Data, seed: int) -> tuple[tuple[tuple[int, float], ...], int]:
        """Return the moves and weights that ``published_moves`` lists, and the generator's state afterwards."""
        self.rng[0] = generator(seed)[0]
        self.moves.fill(UNWRITTEN)
        self.probabilities.fill(np.nan)
        buffers = self.moves[: self.max_moves], self.probabilities[: self.max_moves]
        count = self.ask("published_moves", data, self.rng, *buffers)
        moves = check_moves("published_moves", self.listed("published_moves", count, self.max_moves))
        weights = self.probabilities[: len(moves)].tolist()
        for move, weight in zip(moves, weights, strict=True):
            if not 0.0 < weight < np.inf:
                raise ContractViolation(
                    "published_moves", f"published_moves gives the move {move} the weight {weight:g}; use one above 0"
                )
        return tuple(zip(moves, weights, strict=True)), int(self.rng[0])

    def fingerprint(self, data: Data) -> bytes:
        return data.tobytes()

    def move_text(self, move: int) -> str:
        return str(move)

    def names(self, data: Data, moves: Sequence[int]) -> Sequence[object]:
        raise NotImplementedError

    def drawing(self, data: Data) -> object:
        raise NotImplementedError


def check_integer(name: str, answer: Any) -> int:
    """Return ``answer`` as an int, or raise if it is not an integer."""
    if isinstance(answer, bool | np.bool_) or not isinstance(answer, int | np.integer):
        raise ContractViolation("not-whole", f"{name} returned {answer!r}; it must return an integer")
    return int(answer)


class PlainProbe(RecordProbe):
    """The author's functions as plain Python."""

    def __init__(self, game: CompiledGame, watchdog: CallTimeout) -> None:
        super().__init__(game)
        self.watchdog = watchdog
        self.configured = game.rules_array.copy()

    def buffer(self, dtype: np.dtype[Any], count: int) -> npt.NDArray[Any]:
        return np.zeros(count, dtype)

    def ask(self, name: str, data: Data, *arguments: Any) -> Any:
        before = data.tobytes()
        answer = self.call(name, data, *arguments)
        if data.tobytes() != before:
            data[:] = np.frombuffer(before, data.dtype)
            raise ContractViolation(
                "changes-state", f"{name} changed the state; only start, play, play_joint, playout and read may"
            )
        return answer

    def change(self, name: str, data: Data, *arguments: Any) -> tuple[Any, Data]:
        after = data.copy()
        return self.call(name, after, *arguments), after

    def call(self, name: str, data: Data, *arguments: Any) -> Any:
        """Call an author's function. Its exceptions become ContractViolations, except RamifyError from ``read``."""
        file = str(self.module.__file__)
        state = as_record(data)
        try:
            with np.errstate(all="ignore", divide="raise"):  # compiled code raises an error, too
                answer = self.watchdog(name, file, getattr(self.module, name), self.game.rules, state, *arguments)
        except ContractViolation:
            raise
        except Exception as error:
            if isinstance(error, RamifyError) and name == "read":
                raise
            buffers = [value for value in arguments if isinstance(value, np.ndarray)]
            raise describe_error(error, name, self.module, buffers) from None
        if self.game.author_rules(self.game.rules_array) != self.game.author_rules(self.configured):
            self.game.rules_array[:] = self.configured
            raise ContractViolation(
                "changes-rules", f"{name} changed the rules; only configure may: keep what changes in the state"
            )
        return answer

    def names(self, data: Data, moves: Sequence[int]) -> Sequence[object]:
        if not hasattr(self.module, "move_name"):
            return [str(move) for move in moves]
        return [self.ask("move_name", data, move) for move in moves]

    def drawing(self, data: Data) -> object:
        return self.ask("draw", data) if hasattr(self.module, "draw") else str(data[0])


def describe_error(
    error: Exception, name: str, module: Any, buffers: Sequence[npt.NDArray[Any]] = ()
) -> ContractViolation:
    """Convert an exception in an author's function to a ContractViolation, with a hint."""
    file = str(module.__file__)
    line, at = error_location(error, file)
    overrun = isinstance(error, IndexError) and re.search(
        r"index (\d+) is out of bounds .* with size (\d+)", str(error)
    )
    full = [len(buffer) for buffer in buffers if UNWRITTEN not in buffer and not np.isnan(buffer).any()]
    if overrun and int(overrun[1]) == int(overrun[2]) in full:
        message = f"{name} writes beyond its buffer{at}: it writes more than the {overrun[2]} that"
        rule = name if name in ("scores", "owners", "evaluate") else "too-many-moves"
        return ContractViolation(rule, f"{message} {buffer_size_source(name, module)} declares", line=line)
    return violation_from_error(name, error, file, hint(error, module))


def buffer_size_source(name: str, module: Any) -> str:
    """Return the constant or function that declares the length of a function's buffers."""
    constant = {
        "scores": "PLAYERS",
        "evaluate": "PLAYERS",
        "chance_outcomes": "MAX_CHANCE_OUTCOMES",
        "owners": "MOVE_CLASSES",
    }.get(name, "MAX_MOVES")
    return constant.lower() if hasattr(module, constant.lower()) else constant


def hint(error: Exception, module: Any) -> str:
    """Return advice for some common errors."""
    text = str(error)
    field = re.search(r"record' object has no attribute '(\w+)'", text)
    if field:
        fields = [*(module.State.names or ()), *(getattr(getattr(module, "Rules", None), "names", None) or ())]
        return f"; no record has the field '{field[1]}': {suggestion(field[1], fields)}"
    if isinstance(error, IndexError):
        return "; keep the index within the array's bounds"
    if isinstance(error, OverflowError):
        return "; use a wider type for the field or keep the number in range"
    if isinstance(error, TypeError) and ("ufunc" in text or "operand" in text or "cannot be interpreted" in text):
        return "; for bitboards, make both sides np.uint64 (ramify.core.numbers.bits helps)"
    return ""
