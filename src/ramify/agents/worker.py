"""One tree and the memory around it: runs the compiled loop in chunks and looks at the clock in between."""

from __future__ import annotations

from collections.abc import Callable
from threading import RLock
from time import perf_counter
from typing import Any

import numpy as np
import numpy.typing as npt

from ramify.agents.agent import Agent
from ramify.agents.all_moves import AllMoves
from ramify.agents.budget import NO_LIMIT, Budget
from ramify.contract.game import Game, State
from ramify.core.engine.search import COUNTERS, DONE, MAX_DEPTH, Memory, Plan, search
from ramify.core.engine.tree import CHANCE, EVERYBODY, NODE, ROOT, SPARE, UNEXPANDED, copy_subtree
from ramify.core.kernels.compiling import JIT
from ramify.core.numbers.rng import generator
from ramify.errors import RamifyError
from ramify.strategies.policy.choosers import CLASS_OF, COUNTS, TABLE_OF, TOTALS, Bound
from ramify.strategies.policy.layout import SCRATCH

FIRST_CAPACITY = 1 << 14
CHUNK_SECONDS = 0.02  # how long Python waits between two looks at the clock
FIRST_CHUNK = 16


def address(array: npt.NDArray[Any]) -> int:
    """Where an array's first byte is."""
    return int(array.ctypes.data)


class Worker:
    """A search tree for one position; several workers with different streams make a root-parallel search."""

    def __init__(self, state: State, agent: Agent, seed: int, stream: int) -> None:
        self.game: Game = state.game.session()
        self.agent = agent
        self.table = self.game.table()
        self.selection = Bound(agent.select_root, agent.select, agent.fpu, self.game.players)
        self.all_moves = (
            AllMoves(self.game, self.table, self.selection, agent.playout, agent.updates)
            if self.selection.amaf
            else None
        )
        playout = self.all_moves.playout if self.all_moves else agent.playout.kernel(self.game)
        self._reward = agent.reward.bind(self.game)
        self.plan = Plan(
            **self.selection.plan(),
            playout=playout.address,
            playout_limit=agent.playout.limit,
            expand_threshold=agent.expand_threshold,
            reward=self._reward[0].address if self._reward else 0,
            reward_constants=address(self._reward[1]) if self._reward else 0,
            **(self.all_moves.plan() if self.all_moves else {}),
        )
        width = self.game.max_children
        self.growing = RLock()  # held while the arrays of nodes may move in memory
        self.epoch = 0  # goes up whenever the root moves, which gives every node another number
        self.rng = generator(seed, stream)
        self.counters = np.zeros(1, COUNTERS)
        self._root = np.zeros(self.game.state_bytes, np.uint8)
        self._state = np.zeros(self.game.state_bytes, np.uint8)
        self._path = np.zeros(MAX_DEPTH + 1, np.int64)
        self._moves = np.zeros(width, np.int64)
        self._probabilities = np.zeros(width)
        self._scores = np.zeros(self.game.players)
        self._scratch = np.zeros(SCRATCH * width)
        self.nodes = np.zeros(max(FIRST_CAPACITY, 2 * width), NODE)
        self.squares = np.zeros(len(self.nodes) if self.plan.squares else 0)
        self.kept = self.selection.table(len(self.nodes))
        self._memory = self._addresses()
        self._rate = 0.0  # simulations a second in the last chunk, also of earlier runs
        self.reset(state)
        search(self.table, self.plan, self._memory, 0, 0)  # loads or compiles the engine, off the clock

    def reset(self, state: State) -> None:
        """Forget the tree and start at ``state``."""
        self.game.put(state.data, address(self._root))
        if self.all_moves:
            self.all_moves.aim(state)
        self._forget()

    def _forget(self) -> None:
        self.epoch += 1
        self.counters[0] = 0
        self.counters["nodes"] = 1
        self.nodes[ROOT] = 0
        self.nodes["first"][ROOT] = UNEXPANDED
        self.squares[:] = 0.0  # the engine adds to them; all else of a node it sets when the node joins the tree
        self.kept[:, ROOT] = 0.0
        if self.all_moves:
            self.all_moves.forget()
        self.selection.reset()

    def reseed(self, seed: int, stream: int) -> None:
        """Draw from the beginning of a stream, as a new worker does."""
        self.rng[:] = generator(seed, stream)

    def advance(self, state: State, code: int) -> None:
        """Make ``state``, reached from the root by ``code``, the root, and keep what is known below it."""
        children = self.children()
        at = np.flatnonzero(self.nodes["move"][children] == code)
        child = children.start + int(at[0]) if len(at) else ROOT
        if child == ROOT or self.nodes["first"][child] < 0 or not self.selection.reusable:
            self.reset(state)
            return
        if self.all_moves:
            self.all_moves.aim(state)
        nodes, squares, kept = np.zeros_like(self.nodes), np.zeros_like(self.squares), np.zeros_like(self.kept)
        size, depth = copy_subtree(
            address(self.nodes),
            address(self.squares),
            address(self.kept),
            child,
            address(nodes),
            address(squares),
            address(kept),
            len(nodes),
            self.plan.squares,
            self.plan.kept,
        )
        self.nodes, self.squares, self.kept = nodes, squares, kept
        self.selection.reset()
        if self.all_moves:
            self.all_moves.keep(kept[self.selection.amaf_row + TABLE_OF, :size].view(np.int64))
        self.epoch += 1
        self._memory = self._addresses()
        self.game.put(state.data, address(self._root))
        self.counters[0] = 0
        self.counters["nodes"], self.counters["deepest"] = size, depth

    def start_counting(self) -> None:
        """Set to zero what counts one run: all but the size and depth of the tree."""
        for counter in ("simulations", "calls", "cut"):
            self.counters[counter] = 0

    def children(self, node: int = ROOT) -> slice:
        """Where the children of a node stand."""
        first = int(self.nodes["first"][node])
        return slice(first, first + int(self.nodes["count"][node])) if first >= 0 else slice(0, 0)

    def run(self, budget: Budget, go_on: Callable[[], bool], clock: Callable[[], float] = perf_counter) -> str:
        """Search until the budget is spent or ``go_on`` says no; which of them stopped it."""
        start = clock()
        already = int(self.counters["simulations"][0])
        simulations = already + budget.simulations if budget.simulations else NO_LIMIT
        calls = int(self.counters["calls"][0]) + budget.calls if budget.calls else NO_LIMIT
        most_nodes = self._most_nodes(budget)
        if self.children().stop == 0 and most_nodes < 1 + self.game.max_children:
            least = (1 + self.game.max_children + SPARE) * self._bytes_each() + self._bytes_of_tables()
            raise RamifyError(
                f"{budget.memory} bytes of memory are too few: the smallest tree of {self.game.name} takes {least}"
            )
        chunk = max(FIRST_CHUNK, self._planned(budget.seconds) // 2)
        while True:
            before = clock()
            so_far = int(self.counters["simulations"][0])
            memory = self._memory if most_nodes == NO_LIMIT else self._addresses(most_nodes)
            try:
                with self.game.running():
                    status = search(self.table, self.plan, memory, min(simulations, so_far + chunk), calls)
            except BaseException as error:
                if not JIT and not isinstance(error, Exception):
                    self._forget()  # Ctrl-C stops plain Python anywhere, all else fails before or after `back_up`
                raise
            if self.all_moves:
                self.all_moves.check()
            done = int(self.counters["simulations"][0]) - so_far  # less than a chunk where the tree had to grow
            if status != DONE and not self._grow(budget, most_nodes):
                return "memory"
            most_nodes = self._most_nodes(budget)
            if so_far + done >= simulations:
                return "simulations"
            if int(self.counters["calls"][0]) >= calls:
                return "calls"
            now = clock()
            if budget.seconds is not None and now - start >= budget.seconds:
                return "seconds"
            if not go_on():
                return "cancelled"
            if done:
                self._rate = done / max(now - before, 1e-7)
            left = None if budget.seconds is None else budget.seconds - (now - start)
            chunk = max(1, min(2 * chunk, self._planned(left)))

    def _planned(self, seconds: float | None) -> int:
        """Simulations for the next CHUNK_SECONDS, or for the time that is left if that is shorter."""
        wanted = CHUNK_SECONDS if seconds is None else min(CHUNK_SECONDS, seconds)
        return int(self._rate * wanted)

    def all_moves_at_root(self) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
        """S and R of the root's children (``core.engine.amaf``), as the policy would see them next."""
        where = self.children()
        if self.all_moves is None:
            return np.zeros(where.stop - where.start), np.zeros(where.stop - where.start)
        columns = self.kept[self.selection.amaf_row :]
        if not self.plan.inherit_root:
            return columns[COUNTS, where], columns[TOTALS, where]
        whole = columns.view(np.int64)
        return self.all_moves.sums(int(whole[TABLE_OF, ROOT]), int(self.nodes["mover"][ROOT]), whole[CLASS_OF, where])

    def _most_nodes(self, budget: Budget) -> int:
        if not budget.memory:
            return NO_LIMIT
        return (budget.memory - self._bytes_of_tables()) // self._bytes_each() - SPARE

    def _bytes_of_tables(self) -> int:
        return self.all_moves.tables.nbytes if self.all_moves else 0

    def _bytes_each(self) -> int:
        return NODE.itemsize + 8 * (self.plan.squares + self.plan.kept)

    def _grow(self, budget: Budget, most_nodes: int) -> bool:
        """Make room for more nodes, or for more tables beside them; whether the budget allows any."""
        if self.all_moves and self.all_moves.full:
            after = len(self.nodes) * self._bytes_each() + 2 * self.all_moves.tables.nbytes
            if budget.memory and after > budget.memory:
                return False
            with self.growing:
                self.all_moves.grow()
                self._memory = self._addresses()
            return True
        wanted = min(2 * len(self.nodes), most_nodes + SPARE)
        if wanted < int(self.counters["nodes"][0]) + self.game.max_children + SPARE:
            return False
        # realloc in place where the system can: no second copy of the tree exists at any time.
        with self.growing:
            self.nodes.resize(wanted, refcheck=False)
            if self.plan.squares:
                self.squares.resize(wanted, refcheck=False)
            self.kept = self.selection.table(wanted, self.kept)
            self._memory = self._addresses()
        return True

    def _addresses(self, most_nodes: int = NO_LIMIT) -> Memory:
        memory = Memory(
            nodes=address(self.nodes),
            squares=address(self.squares),
            capacity=min(len(self.nodes) - SPARE, most_nodes),
            counters=address(self.counters),
            rng=address(self.rng),
            root=address(self._root),
            state=address(self._state),
            path=address(self._path),
            moves=address(self._moves),
            probabilities=address(self._probabilities),
            scores=address(self._scores),
            scratch=address(self._scratch),
            kept=address(self.kept),
            stride=self.kept.shape[1],
        )
        self.selection.place(memory)
        if self.all_moves:
            self.all_moves.place(memory)
        return memory


def check_searchable(state: State) -> None:
    """Refuse positions that a sequential search cannot start from."""
    if not isinstance(state, State):
        raise RamifyError(f"a search starts from a state, such as load('hex').initial(), not from {state!r}")
    if state.over:
        raise RamifyError("the game is over, so there is nothing to search")
    if state.to_move == CHANCE:
        raise RamifyError("it is chance's turn: play one of state.chances() first")
    if state.to_move == EVERYBODY:
        raise RamifyError(f"in {state.game.name} everybody moves at once, which this search does not support")
