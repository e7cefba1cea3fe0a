"""A worker: one search tree and everything that runs it."""

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
from ramify.agents.strategy_answers import checked_stop
from ramify.contract.game import Code, State
from ramify.core.kernels.pointers import address
from ramify.core.numbers.rng import generator
from ramify.core.search.tree import CHANCE, ROOT


class Worker:
    """A tree rooted at one position. A root-parallel search has one worker per thread, with its own random stream."""

    running = False  # whether the allocation is running
    epoch = 0  # incremented whenever the root moves, which renumbers all nodes

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
        self.player = player  # the searching player; None: the player to move
        self.parts = build_search(state.game, agent, player)
        self.game, self.shape = self.parts.game, self.parts.shape
        self.start = self.game.adopt(state)
        self.memory = TreeMemory(self.parts, generator(seed, stream), allowance or MemoryAllowance(1))
        self.runner = ChunkRunner(self.parts, self.memory, WeakMethod(self._with_position))
        self.view = RootView(self.parts, self.memory)
        self._root: LiveRoot | None = None  # in the last run
        self.reset(state)
        self._load()

    def _with_position(self, error: Exception) -> Exception:
        return with_position(error, self)

    def _load(self) -> None:
        """Compile or load everything before any clock runs."""
        self.runner.load()
        if self.agent.allocation.inspects_root:
            self.runner.expand_root()
            self.tree.reorder_children(np.arange(self.tree.nodes["live"][ROOT]), int(self.tree.nodes["live"][ROOT]))
            self.memory.clear()

    @property
    def tree(self) -> Tree:
        return self.shape.tree

    @property
    def counters(self) -> npt.NDArray[Any]:
        """One record of ``core.search.plan.COUNTERS``."""
        return self.memory.counters

    @property
    def rng(self) -> npt.NDArray[np.uint64]:
        """State of the random generator."""
        return self.memory.rng

    @property
    def note(self) -> str:
        """The allocation's note on the last run."""
        return self._root.note if self._root else ""

    @property
    def reward_block(self) -> npt.NDArray[Any] | None:
        """Block of the reward with the statistics that it collected, or None if it has none."""
        return self.parts.reward.block if self.parts.reward else None

    def last_position(self) -> Any:
        """Return the data of the last position of the last simulation."""
        return self.game.from_address(address(self.memory.states[1:]))

    def position(self) -> str:
        """Return the last position of the last simulation, on one line."""
        return self.game.one_line(self.last_position())

    def reset(self, state: State, *, moved: bool = False) -> None:
        """Clear the tree and make ``state`` the root.

        ``moved``: the game has advanced to it, so playout tables decay instead of being cleared.
        """
        self._start(state)
        self.memory.clear(moved=moved)

    def _start(self, state: State) -> None:
        """Make ``state`` the root. Does not touch the tree."""
        same_game = state.is_later_than(self.start)
        state = self.start = self.game.adopt(state)
        self.epoch += 1
        self.memory.set_root(state, self.player, same_game=same_game)
        if self.reward_block is not None:
            self.agent.reward.on_new_root(self.reward_block, state, same_game=same_game)
        if self.runner.warm_up:
            self.runner.warm_up.clear()

    def reseed(self, seed: int, stream: int) -> None:
        """Restart the random stream, as in a new worker."""
        self.seed = seed
        self.rng[:] = generator(seed, stream)

    def advance(self, state: State, code: Code) -> None:
        """Make ``state``, which ``code`` leads to, the root and keep its subtree."""
        first, *others = self.game.split_move(code)
        child = self.shape.child_of_root(self.start, first)
        for move in others:
            child = None if child is None else self.tree.child(child, move)
        if child is None or self.tree.nodes["first"][child] < 0 or not self.parts.selectors.reusable:
            self.reset(state, moved=True)
            return
        used = int(self.counters["nodes"][0])
        self._start(state)
        self.memory.keep_subtree(child, used)
        if not (state.over or state.to_move == CHANCE or self.runner.fix_root()):
            self.reset(state, moved=True)

    def start_counting(self) -> None:
        """Reset the counters of a run; not those of the tree's size and depth."""
        for counter in ("simulations", "calls", "cut_playouts", "cut_calls"):
            self.counters[counter] = 0

    def run(self, budget: Budget, go_on: Callable[[], bool], clock: Callable[[], float] = perf_counter) -> str:
        """Spend the budget as the agent's allocation decides, until it is used up or ``go_on()`` returns False.

        Return the stop reason, e.g. "simulations" or "cancelled".
        """
        self._root = None
        if self.view.proven:
            return "proven"
        memory, expand_root = self.memory, self.runner.expand_root
        arrays = (self.tree, memory.counters, memory.rng)
        shape = self.shape
        of_shape = (shape.halving_progress, clock, shape.discover_next)
        self._root = LiveRoot(*arrays, memory.relocation_lock, expand_root, *of_shape)
        if self.agent.allocation.inspects_root or not self.parts.proofs:  # children pruned by proofs stay pruned
            self._root.restore()
        self.runner.begin(budget, go_on, clock)
        self.running = True
        try:
            allocation = self.agent.allocation
            reason = allocation.spend(budget, self.runner.spend, self._root)
            return checked_stop(allocation, reason, self._root.spent.simulations, budget.simulations)
        finally:
            self.running = False
            self.runner.go_on = always  # a reference to `go_on` would keep the search, and so this tree, alive
