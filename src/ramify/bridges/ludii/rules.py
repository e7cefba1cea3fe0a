"""The rules of a game of Ludii: positions stay in Java, and a simulation is one call.

A search goes down its tree without asking Java anything: the position behind every node that was met before is known
here by a number (``Place``), and the one move that leads to a new node is only noted. The playout is the call: Java
makes the noted move, lists the moves of the new position, which are kept for its expansion, and plays on to the end.
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

MAX_MOVES = 1 << 14  # of one position
HEAD = 4  # words before the scores in the buffer: number, mover, count of moves, count of traced moves
NOTHING = -1  # instead of a move
NO_LIMIT = -1  # instead of a number of plies
RELEASE_BATCH = 512  # positions that nobody needs any more are forgotten together
WORD = 1 << 64

_forgotten: deque[int] = deque()


class JavaPosition:
    """A position in Java, by its number; it is forgotten there when this object goes."""

    __slots__ = ("before", "children", "codes", "mover", "number", "original", "scores")

    def __init__(self, number: int, mover: int, codes: bytes, scores: list[float] | None) -> None:
        self.number = number
        self.mover = mover
        self.codes = codes  # words of eight bytes
        self.scores = scores  # None while the game goes on
        self.children: dict[int, JavaPosition] = {}  # that a search has met
        self.before: tuple[JavaPosition, int] | None = (
            None  # of a position that was played: the one before, and the move
        )
        self.original: JavaPosition | None = None  # whose number this is, too

    def copy(self) -> JavaPosition:
        """The same position, from which a search of its own begins."""
        copied = JavaPosition(self.number, self.mover, self.codes, self.scores)
        copied.original = self.original or self
        return copied

    def __del__(self) -> None:
        if self.original is None:
            _forgotten.append(self.number)


class LudiiPosition:
    """Where a game is: a place, perhaps a move that was not made yet, perhaps the end of a playout."""

    __slots__ = ("ended", "pending_move", "place")

    def __init__(self, place: JavaPosition, noted: int = NOTHING, ended: list[float] | None = None) -> None:
        self.place = place
        self.pending_move = noted
        self.ended = ended  # the results of a playout


class LudiiRules(PythonRules):
    """The rules as a search asks for them; one object for one thread."""

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
        self._named: tuple[JavaPosition | None, dict[int, Any]] = (None, {})  # one call names all moves of a position

    def for_thread(self) -> LudiiRules:
        """The same rules for another thread."""
        return type(self)(self.game)

    # Crossings into Java.

    def _failed(self, error: Any) -> GameFaultError:
        return GameFaultError(f"Ludii fails in {self.game.game.name()}: {' '.join(str(error).split())}")

    def _query(self, question: str, *given: int) -> Any:
        """What Java answers to a question that is seldom asked."""
        try:
            return getattr(self._java, question)(*given)
        except self._exception as error:
            raise self._failed(error) from None

    def _read_buffer(self) -> JavaPosition:
        """The position that Java has told of in the buffer."""
        number, mover, count = self._integers[:3].tolist()
        first = 8 * self._first
        scores = None if count else self._scores()
        return JavaPosition(number, mover, bytes(self._bytes[first : first + 8 * count]), scores)

    def _scores(self) -> list[float]:
        scores: list[float] = self._floats[HEAD : self._first].tolist()
        return scores

    def _here(self, position: LudiiPosition) -> JavaPosition:
        """The place of a position, after the noted move."""
        code = position.pending_move
        if code != NOTHING:
            after = position.place.children[code] = self.step(position.place, code)
            position.place, position.pending_move = after, NOTHING
        return position.place

    def step(self, place: JavaPosition, code: int) -> JavaPosition:
        """The place that a move leads to."""
        if len(_forgotten) >= RELEASE_BATCH:
            self._forget()
        try:
            self._java.step(place.number, code)
        except self._exception as error:
            raise self._failed(error) from None
        return self._read_buffer()

    def _forget(self) -> None:
        count = min(len(_forgotten), RELEASE_BATCH)
        self._integers[:count] = array("q", [_forgotten.popleft() for _ in range(count)])
        self._java.free(count)

    # What the engine and Python ask.

    def start(self) -> LudiiPosition:
        """A new initial state."""
        try:
            self._java.start()
        except self._exception as error:
            raise self._failed(error) from None
        return LudiiPosition(self._read_buffer())

    def clone(self, state: LudiiPosition) -> LudiiPosition:
        """An independent copy."""
        return LudiiPosition(state.place, state.pending_move, state.ended)

    def over(self, state: LudiiPosition) -> bool:
        """Whether the game has ended."""
        return state.ended is not None or self._here(state).scores is not None

    def mover(self, state: LudiiPosition) -> int:
        """The player to move, or CHANCE."""
        return self._here(state).mover

    def legal(self, state: LudiiPosition) -> list[int]:
        """Numbers of the moves, in Ludii's order."""
        return array("q", self._here(state).codes).tolist()

    def chance_outcomes(self, state: LudiiPosition) -> list[tuple[int, float]]:
        """Samples of what chance does, each as likely."""
        codes = self.legal(state)
        return [(code, 1.0 / len(codes)) for code in codes]

    def play(self, state: LudiiPosition, code: int) -> None:
        """Make a move; one into the unknown is only noted."""
        place = state.place if state.pending_move == NOTHING else self._here(state)
        after = place.children.get(code)
        if after is None:
            state.pending_move = code
        else:
            state.place = after

    def scores(self, state: LudiiPosition) -> list[float]:
        """Ludii's utilities, brought to [0, 1]."""
        return state.ended or self._here(state).scores or [0.5] * self.players

    def playout(self, state: LudiiPosition, random: PythonGenerator, limit: int) -> int:
        """Make the noted move and play on by Ludii's own playout, in one call."""
        return self._simulate(state, random, limit, traced=False)

    def traced_playout(
        self, state: LudiiPosition, random: PythonGenerator, limit: int
    ) -> tuple[int, list[tuple[int, int]]]:
        """The same, and the moves made."""
        plies = self._simulate(state, random, limit, traced=True)
        made = self._integers[HEAD - 1]
        first = self._first + MAX_MOVES
        words = self._integers[first : first + 2 * made].tolist()
        return plies, list(zip(words[::2], words[1::2], strict=True))

    def _simulate(self, state: LudiiPosition, random: PythonGenerator, limit: int, *, traced: bool) -> int:
        place, code = state.place, state.pending_move
        word = random.word()  # whatever comes, so that what is known already changes nothing
        if code == NOTHING and place.scores is not None:
            self._integers[HEAD - 1] = 0
            return 0
        if len(_forgotten) >= RELEASE_BATCH:
            self._forget()
        seed = word - WORD if word >> 63 else word
        most = limit if limit < 1 << 31 else NO_LIMIT
        try:
            plies: int = self._java.simulate(place.number, code, seed, most, traced)
        except self._exception as error:
            raise self._failed(error) from None
        state.ended = self._scores() if plies >= 0 else None
        if code != NOTHING:
            after = place.children[code] = self._read_buffer()
            state.place, state.pending_move = after, NOTHING
            if after.scores is not None:
                state.ended = None
        return plies

    # Words.

    def name(self, state: LudiiPosition, code: int) -> str:
        """A move's name."""
        place = self._here(state)
        if place.mover == CHANCE:
            return f"sample{code + 1}"
        if self._named[0] is not place:
            self._named = place, dict(zip(self.legal(state), self._query("names", place.number), strict=True))
        return str(self._named[1][code])

    def disambiguators(self, codes: Any) -> Any:
        """Places in the list: numbers of moves depend on what was searched before."""
        return range(len(codes))

    def draw(self, state: LudiiPosition) -> str:
        """What stands where."""
        return str(self._query("draw", self._here(state).number))

    def swapped(self, state: LudiiPosition, seat: int) -> bool:
        """Whether a seat plays on with another's colour."""
        return bool(self._query("swapped", self._here(state).number, seat + 1))

    def key(self, state: LudiiPosition) -> object:
        """Ludii's own hash of the position, and who is to move."""
        return int(self._query("key", self._here(state).number))
