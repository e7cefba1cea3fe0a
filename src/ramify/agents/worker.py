"""One tree and the memory around it: runs the compiled loop in chunks and looks at the clock in between."""

from __future__ import annotations

from collections.abc import Callable
from threading import RLock
from time import perf_counter
from typing import Any

import numpy as np
import numpy.typing as npt

from ramify.agents.agent import Agent
from ramify.agents.budget import NO_LIMIT, Budget
from ramify.agents.located import located
from ramify.agents.loops.which import loop_for
from ramify.agents.memory import Allowance
from ramify.agents.observers.needed import joint_for, learner_for, observers_for, proofs_for
from ramify.agents.observers.open_loop import open_loop_for
from ramify.agents.observers.positions import positions_for
from ramify.agents.pace import Chunk, Pace
from ramify.agents.plan import plan_of, told_of
from ramify.agents.playout import playout_for
from ramify.agents.proven import Bounds
from ramify.agents.raw_scores import raw_scores_for
from ramify.agents.root import LiveRoot
from ramify.agents.searchable import game_for, guard_policies
from ramify.agents.warm_up import WarmUp
from ramify.contract.game import MOVES_TO_SPARE, Code, Game, State
from ramify.core.engine.episode import EPISODE, MAX_DEPTH, MOST_TRACED
from ramify.core.engine.plan import COUNTERS, FULL, Memory
from ramify.core.engine.tree import CHANCE, EVERYBODY, MOST_PLAYERS, ROOT, SPARE
from ramify.core.kernels.compiling import JIT
from ramify.core.kernels.pointers import address
from ramify.core.numbers.rng import generator
from ramify.errors import RamifyError
from ramify.strategies.policy.choosers import Choosers
from ramify.strategies.policy.layout import SCRATCH

ALIGNED = 16  # bytes; where a record begins

Floats = npt.NDArray[np.float64]


class Worker:
    """A search tree for one position; several workers with different streams make a root-parallel search."""

    note = ""  # what the allocation says about the last run
    running = False  # whether the allocation is at work
    epoch = 0  # goes up whenever the root moves, which gives every node another number

    def __init__(
        self,
        state: State,
        agent: Agent,
        seed: int,
        stream: int,
        allowance: Allowance | None = None,
        player: int | None = None,
    ) -> None:
        self.allowance = allowance or Allowance(1)
        self.game: Game = game_for(state.game, agent, player)
        if self.game.players > MOST_PLAYERS:
            raise RamifyError(
                f"{self.game.name} has {self.game.players} players; a search knows {MOST_PLAYERS} at most"
            )
        agent.check(self.game)
        guard_policies(agent)
        self.agent = agent
        self.start = self.game.adopt(state)
        self.player = player  # who searches; None: whoever is to move
        self.seed = seed
        self.table = self.game.table()
        mixes = agent.recommend.mixes
        self.choosers = Choosers(agent.select_root, agent.select, agent.fpu, self.game.players, mixes=mixes)
        self.choosers.priors |= agent.allocation.uses_priors
        self.observers, self.all_moves = observers_for(self.game, self.choosers, agent.updates)
        traced = any(one.traced for one in self.observers)
        self._playout = playout_for(agent, self.game, traced=traced)
        learned = learner_for(self.game, self._playout)
        self.proofs = proofs_for(self.game, agent)
        self.positions = positions_for(self.game, agent)
        self.joint = joint_for(self.game, self.choosers, agent.deviation)
        self.open_loop = open_loop_for(self.game, agent)
        others = (*self.observers, learned, self.proofs)
        self.observers = [one for one in (self.positions, self.joint, self.open_loop, *others) if one]
        self._reward = agent.reward.fit(self.game)
        block = self._reward.block if self._reward else None
        self._warm_up = WarmUp(agent.reward, block) if agent.reward.warm_up and block is not None else None
        self._raw = raw_scores_for(self.choosers, self._reward, self.game.players)
        self.growing = RLock()  # held while the arrays of nodes may move in memory
        self.rng = generator(seed, stream)
        self.counters = np.zeros(1, COUNTERS)
        width, room = self.game.max_children, -(-self.game.state_bytes // ALIGNED) * ALIGNED
        self._states = np.zeros((2, room), np.uint8)  # at the root, and where a simulation is
        self._path = np.empty(MAX_DEPTH + 1, np.int64)
        self._moves = np.empty(width + MOVES_TO_SPARE, np.int64)
        self._probabilities = np.empty(width + MOVES_TO_SPARE)
        self._scores = np.zeros(self.game.players)
        self._scratch = np.empty(SCRATCH * width)
        self._trace = np.empty(MOST_TRACED if traced or learned else 0, np.int64)
        self._episode = np.zeros(1, EPISODE)
        rows = self.choosers.squares + self.choosers.rows + sum(one.rows for one in self.observers)
        self.loop = loop_for(
            agent,
            self.game,
            rows,
            self._states,
            positions=self.positions,
            joint=self.joint,
            open_loop=self.open_loop,
            traced=learned is not None,
        )
        self.tree, self.frames = self.loop.tree, self.loop.frames
        reward = self._raw.fitted if self._raw else self._reward
        self._told = told_of(self.observers)
        self.plan = plan_of(agent, self.choosers, self.all_moves, self._playout, reward, self._told)
        self.memory = self._addresses()
        self.pace = Pace()
        self.reset(state)
        self._load()

    def _load(self) -> None:
        """Load or compile the engine, off the clock."""
        self.loop.load(self.table, self.plan, self.memory)
        if self.agent.allocation.looks:
            self.expand()
            self.tree.arrange(np.arange(self.tree.nodes["live"][ROOT]), int(self.tree.nodes["live"][ROOT]))
            self._forget()

    @property
    def reward_block(self) -> npt.NDArray[Any] | None:
        """What the reward has collected in this search, as it keeps it; None where it keeps nothing."""
        return self._reward.block if self._reward else None

    def position(self) -> str:
        """The position that the last simulation came to, on one line."""
        return self.game.told(self.game.take(address(self._states[1:])))

    def reset(self, state: State, *, moved: bool = False) -> None:
        """Forget the tree and start at ``state``; ``moved``: the game went on there."""
        self._start(state)
        self._forget(moved=moved)

    def _forget(self, *, moved: bool = False) -> None:
        self.counters[0] = 0
        self.counters["nodes"] = 1
        self.tree.forget()
        for one in self.observers:
            one.forget(moved=moved)

    def _start(self, state: State) -> None:
        """Make ``state`` the root, whatever the tree is."""
        same_game = state.continues(self.start)
        state = self.start = self.game.adopt(state)
        for one in self.observers:
            one.aim(state)
        self.epoch += 1
        self.counters[0] = 0
        if self.joint:
            self._episode["player"] = max(state.to_move, 0) if self.player is None else self.player
        self.game.put(state.data, address(self._states))
        self.choosers.reset()
        if self._reward and self._reward.block is not None:
            self.agent.reward.move_on(self._reward.block, state, same_game=same_game)
        if self._warm_up:
            self._warm_up.forget()

    def reseed(self, seed: int, stream: int) -> None:
        """Draw from the beginning of a stream, as a new worker does."""
        self.seed = seed
        self.rng[:] = generator(seed, stream)

    def advance(self, state: State, code: Code) -> None:
        """Make ``state``, reached from the root by ``code``, the root, and keep what is known below it."""
        first, *others = self.game.one_by_one(code)
        child = self.loop.below(self.start, first)
        for move in others:
            child = None if child is None else self.tree.child(child, move)
        if child is None or self.tree.nodes["first"][child] < 0 or not self.choosers.reusable:
            self.reset(state, moved=True)
            return
        used = int(self.counters["nodes"][0])
        self._start(state)
        size, depth = self.tree.keep(child, used)
        for one, columns in zip(self.observers, self._columns(), strict=True):
            one.keep(columns[:, :size])
        self.memory = self._addresses()
        self.counters["nodes"], self.counters["deepest"] = size, depth
        if not (state.over or state.to_move == CHANCE or self._settle()):
            self.reset(state, moved=True)

    def _settle(self) -> bool:
        """Let the root's children be those of its position; whether there is room for them."""
        with self.game.running():
            return self.loop.settle(self.table, self.plan, self.memory)

    def start_counting(self) -> None:
        """Set to zero what counts one run: all but the size and depth of the tree."""
        for counter in ("simulations", "calls", "cut", "cut_calls"):
            self.counters[counter] = 0

    def run(self, budget: Budget, go_on: Callable[[], bool], clock: Callable[[], float] = perf_counter) -> str:
        """Search as the agent allocates its budget, until it is spent or ``go_on`` says no; what stopped it."""
        self.note = ""
        if self.proven:
            return "proven"
        root = LiveRoot(self, clock)
        if self.agent.allocation.looks or not self.proofs:  # what proofs have hidden stays so
            root.restore()
        if self._warm_up:
            self._warm_up.begin(budget, self.counters, clock)
        self.running = True
        self.pace.begin()
        try:
            return self.agent.allocation.spend(budget, lambda part: self.spend(part, go_on, clock), root)
        finally:
            self.running = False

    def expand(self) -> None:
        """Give the root its children; a tree begins with room for them."""
        try:
            with self.game.running():
                self.loop.expand(self.table, self.plan, self.memory)
        except Exception as error:  # noqa: BLE001  (whatever an author's code may raise)
            raise located(error, self) from error.__cause__

    def spend(self, budget: Budget, go_on: Callable[[], bool], clock: Callable[[], float] = perf_counter) -> str:
        """Simulate until the budget is spent or ``go_on`` says no; which of them stopped it."""
        try:
            return self._spend(budget, go_on, clock)
        finally:
            self.loop.leave(self.memory)

    def _spend(self, budget: Budget, go_on: Callable[[], bool], clock: Callable[[], float]) -> str:
        start = clock()
        already = int(self.counters["simulations"][0])
        simulations = already + budget.simulations if budget.simulations else NO_LIMIT
        calls = int(self.counters["calls"][0]) + budget.calls if budget.calls else NO_LIMIT
        most_nodes = self._most_nodes(budget)
        if self.tree.children().stop == 0 and most_nodes < 1 + self.loop.family:
            least = (1 + self.loop.family + SPARE) * self.tree.bytes_each + self._bytes_of_observers()
            raise RamifyError(
                f"{budget.memory} bytes of memory are too few: the smallest tree of {self.game.name} takes {least}"
            )
        chunk = self.pace.first(self._until_a_look(budget.seconds))
        self.loop.begin(budget, self.memory)
        while True:
            before = clock()
            so_far = self._done()
            memory = self.memory._replace(capacity=min(self.memory.capacity, most_nodes))
            limit = min(calls, so_far.calls + chunk.calls) if self.loop.paced else calls
            status = self._chunk(memory, simulations, limit, so_far.work + chunk.work)
            done = self._done()  # less than was planned where the tree had to grow
            if status == FULL and not self._grow(budget):
                return "memory"
            most_nodes = self._most_nodes(budget)
            if end := self.loop.end(status, int(self.counters["simulations"][0]), already, simulations):
                return end
            if int(self.counters["calls"][0]) >= calls:
                return "calls"
            now = clock()
            self.pace.measure(Chunk(done.work - so_far.work, done.calls - so_far.calls), now - before)
            left = None if budget.seconds is None else budget.seconds - (now - start)
            if left is not None and self.loop.late(left, self.pace, self.memory):
                return "seconds"
            if not go_on():
                return "cancelled"
            chunk = self.pace.next(chunk, self._until_a_look(left))

    def _until_a_look(self, left: float | None) -> float | None:
        """The seconds left, or until the reward has to be told something."""
        return self._warm_up.until(left) if self._warm_up else left

    def _done(self) -> Chunk:
        """What was done so far."""
        return Chunk(self.loop.work(self.counters), int(self.counters["calls"][0]))

    def _chunk(self, memory: Memory, simulations: int, calls: int, work: int) -> int:
        """Run the loop once; what it ended with."""
        if self._warm_up:
            simulations, calls = self._warm_up.limits(simulations, calls)
            work = min(work, self._done().work + max(1, simulations - int(self.counters["simulations"][0])))
        try:
            with self.game.running():
                status = self.loop.run(self.table, self.plan, memory, (simulations, calls, work))
        except Exception as error:  # noqa: BLE001  (whatever an author's code may raise)
            raise located(error, self) from error.__cause__
        except BaseException:
            if not JIT:
                self._forget()  # Ctrl-C stops plain Python anywhere; all else fails before or after `backpropagate`
            raise
        if self._warm_up:
            self._warm_up.look(self.counters)
        for one in self.observers:
            one.check()
        return status

    def moves_at_root(self, player: int) -> slice:
        """Where the moves of the player to move stand, or those of ``player`` where everybody moves at once."""
        root = self.tree.nodes[ROOT]
        seat = int(root["first"]) + player if self.joint and root["mover"] == EVERYBODY else ROOT
        return self.tree.children(seat)

    def place_in_order(self, player: int) -> int:
        """How many others draw before a player where everybody moves at once; the one who searches draws first."""
        return (player - int(self._episode["player"][0])) % self.game.players if self.joint else 0

    def weights_at_root(self, where: slice) -> Floats:
        """The average strategy that the policy keeps for some moves at the root, times visits; else these."""
        row = self.choosers.average
        if row is None:
            return self.tree.nodes["visits"][where].astype(np.float64)
        weights: Floats = self.tree.columns[self.choosers.squares + row, where]
        return weights

    def all_moves_at_root(self, where: slice | None = None) -> tuple[Floats, Floats]:
        """S and R of the root's children (``core.engine.amaf``), as the policy would see them next."""
        where = self.tree.children() if where is None else where
        if self.all_moves is None:
            return np.zeros(where.stop - where.start), np.zeros(where.stop - where.start)
        columns = next(own for one, own in zip(self.observers, self._columns(), strict=True) if one is self.all_moves)
        return self.all_moves.at_root(columns, where, int(self.tree.nodes["mover"][ROOT]))

    def bounds(self, where: slice, player: int) -> Bounds | None:
        """What is proven of a player's score at some nodes; None where nobody proves."""
        if self.proofs is None:
            return None
        own = self._columns()[self.observers.index(self.proofs)]
        return self.proofs.bounds(own[:, where], player)

    @property
    def proven(self) -> bool:
        """Whether the score of the player to move is known."""
        known = self.bounds(slice(ROOT, ROOT + 1), int(self.tree.nodes["mover"][ROOT]))
        return known is not None and bool(known.lower[0] == known.upper[0])

    def _columns(self) -> list[Floats]:
        """The columns of each observer; those of squared rewards and of the policies come first."""
        row = self.choosers.squares + self.choosers.rows
        found = []
        for one in self.observers:
            found.append(self.tree.columns[row : row + one.rows])
            row += one.rows
        return found

    def _most_nodes(self, budget: Budget) -> int:
        limit = budget.memory or self.allowance.of_each
        return NO_LIMIT if limit is None else (limit - self._bytes_of_observers()) // self.tree.bytes_each - SPARE

    def _bytes_of_observers(self) -> int:
        return sum(one.nbytes for one in self.observers)

    def _grow(self, budget: Budget) -> bool:
        """Make room for more nodes, or for what an observer has beside them; whether there may be more of it."""
        if self.loop.grow():
            return True
        limit = budget.memory or self.allowance.measure()
        used = int(self.counters["nodes"][0])
        full = [one for one in self.observers if one.full]
        if full:
            after = (used + SPARE) * self.tree.bytes_each + sum(one.nbytes for one in full)
            if after + self._bytes_of_observers() > limit:
                return False
            with self.growing:
                for one in full:
                    one.grow()
                self.memory = self._addresses()
            return True
        least = used + self.loop.family + SPARE
        half = self.allowance.measure() // self.tree.bytes_each
        wanted = min(max(2 * len(self.tree.nodes), half), self._most_nodes(budget) + SPARE)
        if wanted < least:
            return False
        with self.growing:
            self.tree.grow(used, wanted)
            self.memory = self._addresses()
        return len(self.tree.nodes) >= least

    def _addresses(self) -> Memory:
        stride = len(self.tree.nodes)
        columns = address(self.tree.columns)
        memory = Memory(
            nodes=address(self.tree.nodes),
            capacity=stride - SPARE,
            columns=columns,
            rows=self.tree.rows,
            stride=stride,
            squares=columns if self.choosers.squares else 0,
            counters=address(self.counters),
            rng=address(self.rng),
            root=address(self._states),
            state=address(self._states[1:]),
            path=address(self._path),
            moves=address(self._moves),
            probabilities=address(self._probabilities),
            scores=address(self._scores),
            scratch=address(self._scratch),
            episode=address(self._episode),
        )
        for name in ("nodes", "state", "moves", "rng", "path", "scores"):
            self._episode[name] = getattr(memory, name)
        self._episode["rules"], self._episode["trace"] = self.table.rules, address(self._trace)
        self._episode["limit"] = self.agent.playout.limit
        self._episode["shared"] = self.positions is not None
        self._episode["classes"] = self.all_moves.classes if self.all_moves else 0
        sums = 0
        for one, own in zip(self.observers, self._columns(), strict=True):
            one.place(memory, address(own))
            if one is self.all_moves:
                sums = address(own) + 8 * stride * self.all_moves.first_of_sums
        raw = address(self._raw.kept) if self._raw else 0
        self.choosers.place(memory, columns + 8 * stride * self.choosers.squares, sums, raw)
        return memory
