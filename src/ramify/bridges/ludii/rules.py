"""The rules of a Ludii game. Positions stay in Java, and a simulation is one call.

A search descends its tree without calling Java: the position behind every visited node is known by its handle
(``JavaPosition``), and the move to a new node is only recorded as pending. The playout is the call: Java makes the
pending move, lists the moves of the new position for its later expansion, and plays to the end.
"""

from __future__ import annotations

from array import array
from collections import deque
from typing import Any

from ramify.bridges.ludii.jvm import java_class, start_jvm
from ramify.contract.python_rules import PythonGenerator, PythonRules
from ramify.core.search.episode import MAX_TRACE
from ramify.core.search.tree import CHANCE
from ramify.errors import GameFaultError

MAX_MOVES = 1 << 14  # per position
HEAD = 4  # words before the scores in the buffer: handle, mover, number of moves, number of traced moves
NO_MOVE = -1  # no move is pending
NO_LIMIT = -1  # passed to Java for unlimited playouts
RELEASE_BATCH = 512  # handles of unused positions released per call
WORD = 1 << 64

_released: deque[int] = deque()


class JavaPosition:
    """Handle of a position in Java, where it is released when this object is deleted."""

    __slots__ = ("children", "codes", "handle", "mover", "original", "previous", "scores")

    def __init__(self, handle: int, mover: int, codes: bytes, scores: list[float] | None) -> None:
        self.handle = handle
        self.mover = mover
        self.codes = codes  # of the legal moves, 8 bytes each
        self.scores = scores  # None before the end of the game
        self.children: dict[int, JavaPosition] = {}  # visited by a search
        self.previous: tuple[JavaPosition, int] | None = None  # previous position of the game, and the move
        self.original: JavaPosition | None = None  # the owner of the handle; None: this object

    def copy(self) -> JavaPosition:
        """Return the same position as the root of another search."""
        copied = JavaPosition(self.handle, self.mover, self.codes, self.scores)
        copied.original = self.original or self
        return copied

    def __del__(self) -> None:
        if self.original is None:
            _released.append(self.handle)


class LudiiPosition:
    """State of a game: a Java position, plus a pending move or the result of a playout."""

    __slots__ = ("ended", "node", "pending_move")

    def __init__(self, node: JavaPosition, pending_move: int = NO_MOVE, ended: list[float] | None = None) -> None:
        self.node = node
        self.pending_move = pending_move
        self.ended = ended  # scores of a finished playout


class LudiiRules(PythonRules):
    """Rules of a Ludii game; each thread needs its own object."""

    def __init__(self, game: Any) -> None:
        self.game = game  # ramify.Rules in Java
        self.players = int(game.players)
        self.has_chance = bool(game.stochastic)
        self.max_children = MAX_MOVES
        self._first = HEAD + self.players
        words = self._first + MAX_MOVES + 2 * MAX_TRACE
        self._bytes = bytearray(8 * words)
        view = memoryview(self._bytes)
        self._integers: Any = view.cast("q")
        self._floats: Any = view.cast("d")
        buffer = start_jvm().nio.convertToDirectBuffer(self._bytes)
        self._java = java_class("Session")(game, buffer, MAX_MOVES, MAX_TRACE)
        self._exception = start_jvm().JException
        self._named: tuple[JavaPosition | None, dict[int, Any]] = (None, {})  # names of all moves of the last position

    def for_thread(self) -> LudiiRules:
        """Return the same rules for another thread."""
        return type(self)(self.game)

    # Calls into Java.

    def _fault(self, error: Any) -> GameFaultError:
        return GameFaultError(f"Ludii failed in {self.game.game.name()}: {' '.join(str(error).split())}")

    def _query(self, method: str, *arguments: int) -> Any:
        """Call a method of the Java session; for rare calls."""
        try:
            return getattr(self._java, method)(*arguments)
        except self._exception as error:
            raise self._fault(error) from None

    def _read_buffer(self) -> JavaPosition:
        """Return the position that Java has written to the buffer."""
        handle, mover, count = self._integers[:3].tolist()
        first = 8 * self._first
        scores = None if count else self._scores()
        return JavaPosition(handle, mover, bytes(self._bytes[first : first + 8 * count]), scores)

    def _scores(self) -> list[float]:
        scores: list[float] = self._floats[HEAD : self._first].tolist()
        return scores

    def _resolve(self, position: LudiiPosition) -> JavaPosition:
        """Make the pending move, if any. Return the Java position."""
        code = position.pending_move
        if code != NO_MOVE:
            after = position.node.children[code] = self.step(position.node, code)
            position.node, position.pending_move = after, NO_MOVE
        return position.node

    def step(self, node: JavaPosition, code: int) -> JavaPosition:
        """Make a move in Java. Return the new position."""
        if len(_released) >= RELEASE_BATCH:
            self._release_handles()
        try:
            self._java.step(node.handle, code)
        except self._exception as error:
            raise self._fault(error) from None
        return self._read_buffer()

    def _release_handles(self) -> None:
        count = min(len(_released), RELEASE_BATCH)
        self._integers[:count] = array("q", [_released.popleft() for _ in range(count)])
        self._java.free(count)

    # Rules.

    def start(self) -> LudiiPosition:
        try:
            self._java.start()
        except self._exception as error:
            raise self._fault(error) from None
        return LudiiPosition(self._read_buffer())

    def clone(self, state: LudiiPosition) -> LudiiPosition:
        return LudiiPosition(state.node, state.pending_move, state.ended)

    def over(self, state: LudiiPosition) -> bool:
        return state.ended is not None or self._resolve(state).scores is not None

    def mover(self, state: LudiiPosition) -> int:
        """Return the player to move, or CHANCE."""
        return self._resolve(state).mover

    def legal(self, state: LudiiPosition) -> list[int]:
        """Return the codes of the legal moves, in Ludii's order."""
        return array("q", self._resolve(state).codes).tolist()

    def chance_outcomes(self, state: LudiiPosition) -> list[tuple[int, float]]:
        """Return equally likely samples of the chance outcome."""
        codes = self.legal(state)
        return [(code, 1.0 / len(codes)) for code in codes]

    def play(self, state: LudiiPosition, code: int) -> None:
        """Make a move; one to an unvisited position only becomes pending."""
        node = state.node if state.pending_move == NO_MOVE else self._resolve(state)
        after = node.children.get(code)
        if after is None:
            state.pending_move = code
        else:
            state.node = after

    def scores(self, state: LudiiPosition) -> list[float]:
        """Return Ludii's utilities, scaled to [0, 1]."""
        return state.ended or self._resolve(state).scores or [0.5] * self.players

    def playout(self, state: LudiiPosition, random: PythonGenerator, limit: int) -> int:
        """Make the pending move and run Ludii's own playout, in one call."""
        return self._simulate(state, random, limit, traced=False)

    def traced_playout(
        self, state: LudiiPosition, random: PythonGenerator, limit: int
    ) -> tuple[int, list[tuple[int, int]]]:
        """Like ``playout``; also return the moves as (player, code)."""
        plies = self._simulate(state, random, limit, traced=True)
        made = self._integers[HEAD - 1]
        first = self._first + MAX_MOVES
        words = self._integers[first : first + 2 * made].tolist()
        return plies, list(zip(words[::2], words[1::2], strict=True))

    def _simulate(self, state: LudiiPosition, random: PythonGenerator, limit: int, *, traced: bool) -> int:
        node, code = state.node, state.pending_move
        word = random.word()  # always drawn, so that cached positions do not change the random stream
        if code == NO_MOVE and node.scores is not None:
            self._integers[HEAD - 1] = 0
            return 0
        if len(_released) >= RELEASE_BATCH:
            self._release_handles()
        seed = word - WORD if word >> 63 else word
        max_plies = limit if limit < 1 << 31 else NO_LIMIT
        try:
            plies: int = self._java.simulate(node.handle, code, seed, max_plies, traced)
        except self._exception as error:
            raise self._fault(error) from None
        state.ended = self._scores() if plies >= 0 else None
        if code != NO_MOVE:
            after = node.children[code] = self._read_buffer()
            state.node, state.pending_move = after, NO_MOVE
            if after.scores is not None:
                state.ended = None
        return plies

    # Texts.

    def name(self, state: LudiiPosition, code: int) -> str:
        node = self._resolve(state)
        if node.mover == CHANCE:
            return f"sample{code + 1}"
        if self._named[0] is not node:
            self._named = node, dict(zip(self.legal(state), self._query("names", node.handle), strict=True))
        return str(self._named[1][code])

    def disambiguators(self, codes: Any) -> Any:
        """Return positions in the list: codes depend on earlier searches."""
        return range(len(codes))

    def draw(self, state: LudiiPosition) -> str:
        """Return the pieces and their sites."""
        return str(self._query("draw", self._resolve(state).handle))

    def swapped(self, state: LudiiPosition, seat: int) -> bool:
        """Whether a seat now plays another seat's colour."""
        return bool(self._query("swapped", self._resolve(state).handle, seat + 1))

    def key(self, state: LudiiPosition) -> object:
        """Return Ludii's hash of the position, combined with the mover."""
        return int(self._query("key", self._resolve(state).handle))
