"""The solver: asks the compiled ``solver.alpha_beta`` questions until the bounds of a position coincide."""

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

CHUNK_SECONDS = 0.03  # between two clock checks
FIRST_CHUNK = 1000
PROGRESS_SECONDS = 0.1
MEMORY = 128_000_000
INITIAL_NODES = 100_000  # nodes of the unlimited search in its first turn
DEEPENING = 3  # the deepening search gets a third of the other's nodes

# Results of a question.
CLOSED, OPEN, SPENT, REPEATED = "closed", "open", "spent", "repeated"

STATUS_MESSAGES = {
    core.MET_CHANCE: "{game} has chance nodes, which solve() does not support",
    core.MET_SIMULTANEOUS: "{game} has simultaneous moves, which this solver does not support",
    core.NOT_CONSTANT_SUM: "the scores of {game} do not add up to 1, which solve() needs",
}


class OutOfNodesError(Exception):
    """The node limit is reached."""


class TableMemory:
    """Arrays of the hash table, and the way positions are identified in it."""

    def __init__(self, game: Game, stride: int, memory: int, *, exact: bool) -> None:
        if exact and not game.state_is_bytes:
            raise RamifyError(f"exact needs a compiled game, and {game.name} is not compiled")
        self.key = None if exact else game.kernel("key")
        self.hashing = core.BY_KEY if self.key else core.BY_BYTES if game.state_is_bytes else core.NO_HASH
        entry = core.ENTRY_BYTES + (stride if exact else 0)
        self.buckets = 0 if self.hashing == core.NO_HASH else max(1, memory // (core.BUCKET * entry))
        try:
            self.entries = np.zeros(self.buckets * core.BUCKET, core.ENTRY)
            self.copies = np.zeros(self.buckets * core.BUCKET * stride if exact else 0, np.uint8)
        except (MemoryError, ValueError):
            raise RamifyError(f"cannot allocate a hash table of {memory:,} bytes: use less memory") from None

    def addresses(self) -> dict[str, int]:
        """Return fields of ``SolverMemory``."""
        return {
            "table": address(self.entries),
            "buckets": self.buckets,
            "copies": address(self.copies) if len(self.copies) else 0,
            "hashing": self.hashing,
            "key": 0 if self.key is None else self.key.address,
        }


class Solver:
    """A solver whose hash table is reused, so that related positions are solved faster.

    ``memory``: size of the table in bytes. Positions are identified by 128-bit hashes, or by the game's own 64-bit
    ``key`` if it has one; with ``exact`` by all their bytes, which rules out collisions. ``nodes``: maximum number of
    positions, over all calls.
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
        self.max_nodes = core.NO_LIMIT << 30 if nodes is None else nodes
        self.progress = progress
        self.plies: int | None = None  # ply limit of the current search; None: no limit
        self.choice = -1  # the move with which the mover of the last position forces the best proven value
        self._lo, self._hi = 0.0, 1.0
        self._mover = 0
        self._shown = perf_counter()
        self._rate = 0.0
        self._numbers: dict[float, int] = {}  # number of each question asked so far
        self._table = game.table()
        stride = -(-game.state_bytes // 8) * 8
        self._memory = TableMemory(game, stride, memory, exact=exact)
        self._deepening, self._unlimited = (SearchLine(game, stride, self._memory.addresses()) for _ in range(2))

    @property
    def nodes(self) -> int:
        """Number of positions visited so far."""
        return self._deepening.count("nodes") + self._unlimited.count("nodes")

    @property
    def max_depth(self) -> int:
        """Plies of the longest line so far."""
        return 1 + max(self._deepening.count("max_depth"), self._unlimited.count("max_depth"))

    def bounds(self, state: State, depth: int | None = None) -> tuple[float, float]:
        """Return proven bounds on player 0's score; equal if the value is known. ``depth``: maximum number of plies.

        Two searches share the table and alternate, with growing budgets. One is iterative deepening with ply limits 1,
        2, 3 ...; it finds near results, even if positions can repeat. The other searches every line to its end, and
        finds distant results without repeating the work of every depth.
        """
        self._lo, self._hi, self._mover, self.choice = 0.0, 1.0, state.to_move, -1
        most = core.LEVELS - 1 if depth is None else min(depth, core.LEVELS - 1)
        to_the_end = depth is None
        share, plies = INITIAL_NODES, 1
        while True:
            until = self.nodes + share // DEEPENING if to_the_end else self.max_nodes
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
        """Ask questions until the bounds coincide.

        The first question is whether the mover reaches the best value left; if open, whether it beats the worst.
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
        """Return the proven bounds on player 0's score in the last position."""
        return self._lo, self._hi

    def _ask(self, state: State, question: float, limit: int, until: int) -> str:
        """Run one question and merge its bounds. Return CLOSED, OPEN, SPENT or REPEATED."""
        line = self._unlimited if limit == core.NO_LIMIT else self._deepening
        line.begin(self.game, state, question, self._numbers.setdefault(question, len(self._numbers) + 1), limit)
        status = core.RUNNING
        while status == core.RUNNING:
            so_far, began = self.nodes, perf_counter()
            if so_far >= self.max_nodes:
                raise OutOfNodesError
            if so_far >= until:
                return SPENT
            chunk = max(FIRST_CHUNK, int(self._rate * CHUNK_SECONDS))
            more = min(chunk, self.max_nodes - so_far, until - so_far)
            try:
                with self.game.explaining_errors():
                    status = core_solve(self._table, line.memory, line.count("nodes") + more)
            except BaseException:
                line.question = None  # interrupted within a step: it must start again
                raise
            now = perf_counter()
            self._rate = min(
                (self.nodes - so_far) / max(now - began, 1e-6), 2 * self._rate + FIRST_CHUNK / CHUNK_SECONDS
            )
            if self.progress is not None and now - self._shown > PROGRESS_SECONDS:
                self._shown = now
                self.progress(self)
        line.question = None
        if status in (core.REPEATED, core.TOO_DEEP):  # TOO_DEEP only happens without a limit
            return REPEATED
        if status != core.DONE:
            raise RamifyError(STATUS_MESSAGES[status].format(game=self.game.name))
        lo, hi = (float(line.control[name][0]) for name in ("lo", "hi"))
        if lo >= question if self._mover == 0 else hi < question:
            self.choice = line.count("best")
        elif lo > self._lo if self._mover == 0 else hi < self._hi:
            self.choice = -1  # the bound improved, but the question does not give the move
        self._lo, self._hi = max(self._lo, lo), min(self._hi, hi)
        return CLOSED if self._lo == self._hi else OPEN

    def value_preserving_move(self, state: State, value: float) -> int:
        """Return a move that keeps ``value``, player 0's proven score, or -1 if lines get too long."""
        self._lo, self._hi, self._mover, self.choice = 0.0, 1.0, state.to_move, -1
        question = value if self._mover == 0 else math.nextafter(value, 2.0)
        if self.plies is None:
            self._ask(state, question, core.NO_LIMIT, self.max_nodes)
        else:
            for plies in range(1, core.LEVELS):
                self._ask(state, question, plies, self.max_nodes)
                if self.choice >= 0:
                    break
        return self.choice


def check_solvable(state: State) -> None:
    """Raise RamifyError if this solver does not support the position."""
    if not isinstance(state, State):
        raise RamifyError(f"solve() takes a state such as load('hex').initial(), not {state!r}")
    game = state.game
    if game.players > 2:
        raise RamifyError(f"{game.name} has {game.players} players: solve() supports one or two")
    if state.over:
        raise RamifyError("the game is over, so there is nothing to solve")
    if state.to_move == CHANCE:
        raise RamifyError(STATUS_MESSAGES[core.MET_CHANCE].format(game=game.name))
    if state.to_move == SIMULTANEOUS or game.table().legal == 0:
        raise RamifyError(STATUS_MESSAGES[core.MET_SIMULTANEOUS].format(game=game.name))
