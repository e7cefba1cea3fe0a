"""A solver with its hash table: questions to the compiled ``solver.alpha_beta`` until the bounds of a position meet."""

from __future__ import annotations

import math
from time import perf_counter
from typing import TYPE_CHECKING

import numpy as np

from ramify.contract.game import Game, State
from ramify.core.kernels.pointers import address
from ramify.core.search.tree import CHANCE, SIMULTANEOUS
from ramify.errors import RamifyError
from ramify.solver import memory as core
from ramify.solver.alpha_beta import solve as core_solve
from ramify.solver.search_line import SearchLine

if TYPE_CHECKING:
    from collections.abc import Callable

CHUNK_SECONDS = 0.03  # between two looks at the clock
FIRST_CHUNK = 1000
PROGRESS_SECONDS = 0.1
MEMORY = 128_000_000
INITIAL_NODES = 100_000  # nodes of the search to the end, before the two searches first take turns
DEEPENING = 3  # the deepening search gets a third of that

# How a question may end.
CLOSED, OPEN, SPENT, REPEATED = "closed", "open", "spent", "repeated"

STATUS_MESSAGES = {
    core.MET_CHANCE: "chance moves in {game}, and this solver is for games without chance",
    core.MET_SIMULTANEOUS: "in {game} everybody moves at once, and this solver is for games where players take turns",
    core.NOT_CONSTANT_SUM: "the scores of {game} do not add up to 1, so one player's gain is not the other's loss",
}


class OutOfNodesError(Exception):
    """The limit of nodes is reached."""


class TableMemory:
    """The arrays of the hash table, and how positions are told apart in it."""

    def __init__(self, game: Game, stride: int, memory: int, *, exact: bool) -> None:
        if exact and not game.state_is_bytes:
            raise RamifyError(f"{game.name} is not compiled, so its positions have no bytes to compare exactly")
        self.key = None if exact else game.kernel("key")
        self.hashing = core.BY_KEY if self.key else core.BY_BYTES if game.state_is_bytes else core.NO_HASH
        entry = core.ENTRY_BYTES + (stride if exact else 0)
        self.buckets = 0 if self.hashing == core.NO_HASH else max(1, memory // (core.BUCKET * entry))
        try:
            self.entries = np.zeros(self.buckets * core.BUCKET, core.ENTRY)
            self.copies = np.zeros(self.buckets * core.BUCKET * stride if exact else 0, np.uint8)
        except (MemoryError, ValueError):
            raise RamifyError(f"there is no room for a table of {memory:,} bytes; give less memory") from None

    def addresses(self) -> dict[str, int]:
        """Fields of the solver's memory, for the compiled code."""
        return {
            "table": address(self.entries),
            "buckets": self.buckets,
            "copies": address(self.copies) if len(self.copies) else 0,
            "hashing": self.hashing,
            "key": 0 if self.key is None else self.key.address,
        }


class Solver:
    """The memory of a solver: the hash table outlives a position, so that related ones are solved faster.

    ``memory`` is the size of the table in bytes. Positions are told apart by 128 bits of hash (by the game's own
    ``key`` of 64 bits where it has one); with ``exact`` by all their bytes, so that no accident can spoil a proof.
    ``nodes`` limits the positions looked at, in all calls together.
    """

    def __init__(
        self,
        state: State,
        *,
        memory: int = MEMORY,
        exact: bool = False,
        nodes: int | None = None,
        progress: Callable[[Solver], object] | None = None,
    ) -> None:
        check_solvable(state)
        self.game = game = state.game.for_search()
        self.most = core.NO_LIMIT << 30 if nodes is None else nodes
        self.progress = progress
        self.plies: int | None = None  # after which lines are left open, while they are
        self.choice = -1  # the move with which the mover of the last position forced the best that is proven
        self._lo, self._hi = 0.0, 1.0
        self._mover = 0
        self._shown = perf_counter()
        self._rate = 0.0
        self._numbers: dict[float, int] = {}  # of the questions asked so far
        self._table = game.table()
        stride = -(-game.state_bytes // 8) * 8
        self._memory = TableMemory(game, stride, memory, exact=exact)
        self._deepening, self._straight = (SearchLine(game, stride, self._memory.addresses()) for _ in range(2))

    @property
    def nodes(self) -> int:
        """Positions looked at so far."""
        return self._deepening.count("nodes") + self._straight.count("nodes")

    @property
    def max_depth(self) -> int:
        """Plies of the longest line so far."""
        return 1 + max(self._deepening.count("deepest"), self._straight.count("deepest"))

    def bounds(self, state: State, depth: int | None = None) -> tuple[float, float]:
        """Proven bounds of player 0's score; equal where the value is known. ``depth``: in so many plies at most.

        Two searches share the table and take turns, for longer each time. One deepens: it leaves lines open
        after 1, 2, 3 ... plies, and finds what is near, also where positions can repeat. The other follows every
        line to its end, and finds what is far without doing the same work for each number of plies.
        """
        self._lo, self._hi, self._mover, self.choice = 0.0, 1.0, state.to_move, -1
        most = core.LEVELS - 1 if depth is None else min(depth, core.LEVELS - 1)
        to_the_end = depth is None
        share, plies = INITIAL_NODES, 1
        while True:
            until = self.nodes + share // DEEPENING if to_the_end else self.most
            answer = SPENT
            while self.nodes < until:
                self.plies = plies
                answer = self._narrow(state, plies, until)
                if answer == CLOSED or plies == most:
                    return self._lo, self._hi
                if answer == SPENT:
                    break
                plies += 1
            if to_the_end:
                self.plies = None
                answer = self._narrow(state, core.NO_LIMIT, self.nodes + share)
                if answer == CLOSED:
                    return self._lo, self._hi
                to_the_end = answer != REPEATED
            share *= 2

    def _narrow(self, state: State, limit: int, until: int) -> str:
        """Ask until the bounds meet.

        Whoever moves first asks for the most that is left; where that stays open, whether the least can be beaten.
        """
        high = self._mover == 0
        stuck = 0
        while self._lo < self._hi and stuck < 2:
            question = self._hi if high else math.nextafter(self._lo, 2.0)
            before = (self._lo, self._hi)
            answer = self._ask(state, question, limit, until)
            if answer in (REPEATED, SPENT):
                return answer
            if (self._lo, self._hi) == before:
                stuck += 1
                high = not high
        return CLOSED if self._lo == self._hi else OPEN

    def known(self) -> tuple[float, float]:
        """Bounds of player 0's score in the position last asked about, as far as they are proven."""
        return self._lo, self._hi

    def _ask(self, state: State, question: float, limit: int, until: int) -> str:
        """Run one question and take in its bounds, unless it takes too long or positions repeat."""
        stack = self._straight if limit == core.NO_LIMIT else self._deepening
        stack.begin(self.game, state, question, self._numbers.setdefault(question, len(self._numbers) + 1), limit)
        status = core.RUNNING
        while status == core.RUNNING:
            so_far, began = self.nodes, perf_counter()
            if so_far >= self.most:
                raise OutOfNodesError
            if so_far >= until:
                return SPENT
            chunk = max(FIRST_CHUNK, int(self._rate * CHUNK_SECONDS))
            more = min(chunk, self.most - so_far, until - so_far)
            try:
                with self.game.explaining_errors():
                    status = core_solve(self._table, stack.memory, stack.count("nodes") + more)
            except BaseException:
                stack.question = None  # it stands in the middle of a step, and must start again
                raise
            now = perf_counter()
            self._rate = min(
                (self.nodes - so_far) / max(now - began, 1e-6), 2 * self._rate + FIRST_CHUNK / CHUNK_SECONDS
            )
            if self.progress is not None and now - self._shown > PROGRESS_SECONDS:
                self._shown = now
                self.progress(self)
        stack.question = None
        if status in (core.REPEATED, core.TOO_DEEP):  # too deep only without a limit
            return REPEATED
        if status != core.DONE:
            raise RamifyError(STATUS_MESSAGES[status].format(game=self.game.name))
        lo, hi = (float(stack.control[name][0]) for name in ("lo", "hi"))
        if lo >= question if self._mover == 0 else hi < question:
            self.choice = stack.count("best")
        elif lo > self._lo if self._mover == 0 else hi < self._hi:
            self.choice = -1  # better than before, but the question was not which move does it
        self._lo, self._hi = max(self._lo, lo), min(self._hi, hi)
        return CLOSED if self._lo == self._hi else OPEN

    def value_preserving_move(self, state: State, value: float) -> int:
        """A move that keeps ``value``, player 0's score, which has been proven; -1 where lines get too long."""
        self._lo, self._hi, self._mover, self.choice = 0.0, 1.0, state.to_move, -1
        question = value if self._mover == 0 else math.nextafter(value, 2.0)
        if self.plies is None:
            self._ask(state, question, core.NO_LIMIT, self.most)
        else:
            for plies in range(1, core.LEVELS):
                self._ask(state, question, plies, self.most)
                if self.choice >= 0:
                    break
        return self.choice


def check_solvable(state: State) -> None:
    """Refuse what no solver of this kind can do."""
    if not isinstance(state, State):
        raise RamifyError(f"solving starts from a state, such as load('hex').initial(), not from {state!r}")
    game = state.game
    if game.players > 2:
        raise RamifyError(f"{game.name} has {game.players} players, and this solver is for one or two")
    if state.over:
        raise RamifyError("the game is over, so there is nothing to solve")
    if state.to_move == CHANCE:
        raise RamifyError(STATUS_MESSAGES[core.MET_CHANCE].format(game=game.name))
    if state.to_move == SIMULTANEOUS or game.table().legal == 0:
        raise RamifyError(STATUS_MESSAGES[core.MET_SIMULTANEOUS].format(game=game.name))
