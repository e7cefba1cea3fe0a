"""One tree of a search, moved along a game; several with different streams make a root-parallel search."""

from __future__ import annotations

from collections.abc import Callable
from time import perf_counter
from typing import Any
from weakref import WeakMethod

import numpy as np
import numpy.typing as npt

from ramify.agents.agent import Agent
from ramify.agents.budgets.budget import Budget
from ramify.agents.budgets.memory import MemoryAllowance
from ramify.agents.search.build import build_search
from ramify.agents.search.chunk_runner import ChunkRunner, always
from ramify.agents.search.error_context import with_position
from ramify.agents.search.live_root import LiveRoot
from ramify.agents.search.root_view import RootView
from ramify.agents.search.tree_memory import TreeMemory
from ramify.agents.shapes.tree_arrays import Tree
from ramify.contract.game import Code, State
from ramify.core.kernels.pointers import address
from ramify.core.numbers.rng import generator
from ramify.core.search.tree import CHANCE, ROOT


class Worker:
    """Builds a search, runs it, and moves its root."""

    running = False  # whether the allocation is at work
    epoch = 0  # goes up whenever the root moves, which gives every node another number

    def __init__(
        self,
        state: State,
        agent: Agent,
        seed: int,
        stream: int,
        allowance: MemoryAllowance | None = None,
        player: int | None = None,
    ) -> None:
        self.agent, self.seed = agent, seed
        self.player = player  # who searches; None: whoever is to move
        self.parts = build_search(state.game, agent, player)
        self.game, self.shape = self.parts.game, self.parts.shape
        self.start = self.game.adopt(state)
        self.memory = TreeMemory(self.parts, generator(seed, stream), allowance or MemoryAllowance(1))
        self.runner = ChunkRunner(self.parts, self.memory, WeakMethod(self._located))
        self.view = RootView(self.parts, self.memory)
        self._root: LiveRoot | None = None  # of the last run
        self.reset(state)
        self._load()

    def _located(self, error: Exception) -> Exception:
        """An error with the position and the seed."""
        return with_position(error, self)

    def _load(self) -> None:
        """Load or compile the engine, off the clock."""
        self.runner.load()
        if self.agent.allocation.inspects_root:
            self.runner.expand_root()
            self.tree.reorder_children(np.arange(self.tree.nodes["live"][ROOT]), int(self.tree.nodes["live"][ROOT]))
            self.memory.clear()

    @property
    def tree(self) -> Tree:
        """The arrays of the tree."""
        return self.shape.tree

    @property
    def counters(self) -> npt.NDArray[Any]:
        """One record of ``core.search.plan.COUNTERS``."""
        return self.memory.counters

    @property
    def rng(self) -> npt.NDArray[np.uint64]:
        """The generator's state."""
        return self.memory.rng

    @property
    def note(self) -> str:
        """What the allocation says about the last run."""
        return self._root.note if self._root else ""

    @property
    def reward_block(self) -> npt.NDArray[Any] | None:
        """What the reward has collected in this search, as it keeps it; None where it keeps nothing."""
        return self.parts.reward.block if self.parts.reward else None

    def position(self) -> str:
        """The position that the last simulation came to, on one line."""
        return self.game.one_line(self.game.from_address(address(self.memory.states[1:])))

    def reset(self, state: State, *, moved: bool = False) -> None:
        """Forget the tree and start at ``state``; ``moved``: the game went on there."""
        self._start(state)
        self.memory.clear(moved=moved)

    def _start(self, state: State) -> None:
        """Make ``state`` the root, whatever the tree is."""
        same_game = state.is_later_than(self.start)
        state = self.start = self.game.adopt(state)
        self.epoch += 1
        self.memory.put_root(state, self.player)
        if self.reward_block is not None:
            self.agent.reward.on_new_root(self.reward_block, state, same_game=same_game)
        if self.runner.warm_up:
            self.runner.warm_up.forget()

    def reseed(self, seed: int, stream: int) -> None:
        """Draw from the beginning of a stream, as a new worker does."""
        self.seed = seed
        self.rng[:] = generator(seed, stream)

    def advance(self, state: State, code: Code) -> None:
        """Make ``state``, reached from the root by ``code``, the root, and keep what is known below it."""
        first, *others = self.game.split_move(code)
        child = self.shape.below(self.start, first)
        for move in others:
            child = None if child is None else self.tree.child(child, move)
        if child is None or self.tree.nodes["first"][child] < 0 or not self.parts.choosers.reusable:
            self.reset(state, moved=True)
            return
        used = int(self.counters["nodes"][0])
        self._start(state)
        self.memory.keep(child, used)
        if not (state.over or state.to_move == CHANCE or self.runner.settle()):
            self.reset(state, moved=True)

    def start_counting(self) -> None:
        """Set to zero what counts one run: all but the size and depth of the tree."""
        for counter in ("simulations", "calls", "cut_playouts", "cut_calls"):
            self.counters[counter] = 0

    def run(self, budget: Budget, go_on: Callable[[], bool], clock: Callable[[], float] = perf_counter) -> str:
        """Search as the agent allocates its budget, until it is spent or ``go_on`` says no; what stopped it."""
        self._root = None
        if self.view.proven:
            return "proven"
        memory, expand_root = self.memory, self.runner.expand_root
        arrays = (self.tree, memory.counters, memory.rng)
        self._root = LiveRoot(*arrays, memory.growing, expand_root, self.shape.halved, clock)
        if self.agent.allocation.inspects_root or not self.parts.proofs:  # what proofs have hidden stays so
            self._root.restore()
        self.runner.begin(budget, go_on, clock)
        self.running = True
        try:
            return self.agent.allocation.spend(budget, self.runner.spend, self._root)
        finally:
            self.running = False
            self.runner.go_on = always  # it would keep the search alive, and so this tree
