"""Players in one seat of one game: they choose moves, and own a clock and counters of work."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from time import perf_counter

from ramify.agents.agent import Agent
from ramify.agents.budgets.budget import Budget
from ramify.agents.budgets.clock import Clock
from ramify.agents.budgets.move_time import MoveTime
from ramify.agents.budgets.player_limits import PlayerLimits
from ramify.agents.budgets.time_control import RANDOM
from ramify.agents.search.search import Search
from ramify.contract.game import Code, State
from ramify.contract.python_rules import PythonGenerator
from ramify.core.search.tree import SIMULTANEOUS
from ramify.players.engine import Engine
from ramify.players.engine_process import EngineProcess
from ramify.players.engine_protocol import EngineProtocol, Seat
from ramify.players.faults import Fault
from ramify.players.scripted import Scripted
from ramify.runs.seeds import derive


class SeatedPlayer(ABC):
    """Chooses the moves of one seat of one game and counts the work."""

    def __init__(self, seed: int = 0) -> None:
        self.seed = seed
        self.number = 0  # seat, from 0
        self.clock: Clock | None = None
        self.simulations = self.calls = 0
        self.seconds = 0.0

    @property
    def out_of_time(self) -> bool:
        """Whether the clock has run out."""
        return self.clock is not None and self.clock.expired

    @property
    def loses_on_time(self) -> bool:
        """Whether the clock has run out and the game is lost."""
        return False

    def begin(self, seat: Seat) -> None:
        """Prepare for the game before any clock runs."""
        self.number = seat.number

    @abstractmethod
    def choose(self, state: State, ply: int) -> tuple[int, int]:
        """Return the code of a move and its number of simulations."""

    def random_move(self, state: State, ply: int) -> tuple[int, int]:
        """Return a uniformly random move and 0 simulations."""
        codes = state.codes(self.number if state.to_move == SIMULTANEOUS else None)
        return codes[PythonGenerator(self.seed_of(state, ply)).below(len(codes))], 0

    def seed_of(self, state: State, ply: int) -> int:
        """Return the seed of a move. With simultaneous moves each seat has its own."""
        return derive(self.seed, ply, self.number) if state.to_move == SIMULTANEOUS else derive(self.seed, ply)

    def on_move(self, after: State, code: Code) -> None:
        """Called after each move or joint move."""
        del after, code

    def close(self, scores: Sequence[float] | None = None) -> None:
        """Called when the game ends. ``scores`` is None if it did not finish."""
        del scores


class ClockedPlayer(SeatedPlayer):
    """A player with limits, whose clock runs while it chooses."""

    def __init__(self, limits: PlayerLimits, seed: int, now: Callable[[], float] = perf_counter) -> None:
        super().__init__(seed)
        self.limits = limits
        self.now = now
        self.clock = limits.new_clock(now)

    @property
    def loses_on_time(self) -> bool:
        """Whether the clock has run out and the game is lost."""
        return self.out_of_time and not self.plays_on

    @property
    def plays_on(self) -> bool:
        """Whether it continues with random moves after its clock has run out."""
        return self.limits.per_game is not None and self.limits.per_game.on_time == RANDOM

    def choose(self, state: State, ply: int) -> tuple[int, int]:
        """Choose with the clock running. After the clock has run out, return a random move."""
        began = self.now()
        if self.clock is not None:
            self.clock.start()
        try:
            return self.random_move(state, ply) if self.out_of_time else self._choose_timed(state, ply)
        finally:
            if self.clock is not None:
                self.clock.stop()
            self.seconds += self.now() - began

    @abstractmethod
    def _choose_timed(self, state: State, ply: int) -> tuple[int, int]:
        """Like ``choose``; called while the clock runs."""


class SeatedAgent(ClockedPlayer):
    """An agent. With ``reuse=true`` its tree is kept between moves."""

    def __init__(self, agent: Agent, limits: PlayerLimits, seed: int, now: Callable[[], float] = perf_counter) -> None:
        super().__init__(limits, seed, now)
        self.agent = agent
        self.search: Search | None = None

    def _choose_timed(self, state: State, ply: int) -> tuple[int, int]:
        """Search; return a random move if there is no time for a search."""
        rate = 0.0 if self.search is None else self.search.workers[0].runner.chunk_sizer.fastest
        time = self.limits.move_time(self.agent.timing, self.clock, rate)
        if time is not None and time.seconds <= 0:
            return self.random_move(state, ply)
        return self.search_move(state, ply, self.limits.move_budget(time), time)

    def search_move(self, state: State, ply: int, budget: Budget, time: MoveTime | None = None) -> tuple[int, int]:
        """Search within a budget. Return the recommended move and the number of simulations."""
        seed = self.seed_of(state, ply)
        if self.search is None:
            self.search = Search(state, self.agent, seed=seed, player=self.number, now=self.now)
        elif self.agent.reuse:
            self.search.reseed(seed)
        else:
            self.search.restart(state, seed)
        code = self.search.choose(budget, time)
        self.simulations += self.search.simulations()
        self.calls += self.search.calls()
        return code, self.search.simulations()

    def on_move(self, after: State, code: Code) -> None:
        """Advance the tree if the agent reuses it."""
        if self.search is not None and self.agent.reuse:
            self.search.advance_to(after, code)


class SeatedEngine(ClockedPlayer):
    """An engine. It is started for each game, so nothing carries over between games."""

    def __init__(
        self, engine: Engine, limits: PlayerLimits, seed: int, now: Callable[[], float] = perf_counter
    ) -> None:
        super().__init__(limits, seed, now)
        self.engine = engine
        self._process: EngineProcess | None = None
        self._protocol: EngineProtocol | None = None

    def begin(self, seat: Seat) -> None:
        """Start the engine and wait until it is ready."""
        super().begin(seat)
        self._process = EngineProcess(self.engine.argv())
        self._protocol = self.engine.protocol(self._process, seat)
        deadline = perf_counter() + self.engine.startup
        try:
            self._protocol.begin(lambda: deadline - perf_counter())
        except Fault as fault:
            if not fault.late:
                raise
            raise Fault(f"was not ready after {self.engine.startup:g} s", late=True) from None

    def _choose_timed(self, state: State, ply: int) -> tuple[int, int]:
        """Ask the engine. If its clock runs out it loses, or it is ended and random moves are played for it."""
        if self._protocol is None:
            raise Fault("was not started")
        limit = self.engine.timeout if self.clock is None else None
        if self.limits.seconds is not None:
            limit = self.limits.seconds + self.engine.grace
        began = perf_counter()

        def left() -> float:
            of_clock = float("inf") if self.clock is None else self.clock.remaining
            return of_clock if limit is None else min(of_clock, limit - (perf_counter() - began))

        try:
            return self._protocol.request_move(state, self.clock, left), 0
        except Fault as fault:
            if not fault.late:
                raise
            if self.clock is None or self.clock.remaining >= 0:
                raise Fault(f"did not move within {limit:g} s", late=True) from None
            if not self.plays_on:
                raise Fault("did not move before its clock ran out", late=True) from None
        self.close()
        return self.random_move(state, ply)

    def close(self, scores: Sequence[float] | None = None) -> None:
        """End the engine's process."""
        process, protocol = self._process, self._protocol
        self._process = self._protocol = None
        if process is not None:
            process.end(protocol.closing_message(scores) if protocol is not None and scores is not None else "")


class SeatedScript(ClockedPlayer):
    """The game's script. It needs no simulations."""

    def _choose_timed(self, state: State, ply: int) -> tuple[int, int]:
        """Return the script's move."""
        return state.game.scripted(state.data, self.number, self.seed_of(state, ply)), 0


def seat_player(
    player: Agent | Engine | Scripted, limits: PlayerLimits, seed: int, now: Callable[[], float] = perf_counter
) -> ClockedPlayer:
    """Create the seated form of a player."""
    if isinstance(player, Scripted):
        return SeatedScript(limits, seed, now)
    if isinstance(player, Engine):
        return SeatedEngine(player, limits, seed, now)
    return SeatedAgent(player, limits, seed, now)
