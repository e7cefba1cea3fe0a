"""One seat of one game: who chooses its moves, its clock, and what it has spent."""

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
    """Whoever chooses the moves of one seat of one game, and what that has cost."""

    def __init__(self, seed: int = 0) -> None:
        self.seed = seed
        self.number = 0  # of its seat
        self.clock: Clock | None = None
        self.simulations = self.calls = 0
        self.seconds = 0.0

    @property
    def out_of_time(self) -> bool:
        """Whether its time has run out."""
        return self.clock is not None and self.clock.expired

    @property
    def loses_on_time(self) -> bool:
        """Whether its time has run out, and with it the game."""
        return False

    def begin(self, seat: Seat) -> None:
        """Get ready for the game, before any clock runs."""
        self.number = seat.number

    @abstractmethod
    def choose(self, state: State, ply: int) -> tuple[int, int]:
        """The code of a move and the simulations it took."""

    def random_move(self, state: State, ply: int) -> tuple[int, int]:
        """A move drawn evenly."""
        codes = state.codes(self.number if state.to_move == SIMULTANEOUS else None)
        return codes[PythonGenerator(self.seed_of(state, ply)).below(len(codes))], 0

    def seed_of(self, state: State, ply: int) -> int:
        """The seed of a move; where everybody moves at once, each seat has its own."""
        return derive(self.seed, ply, self.number) if state.to_move == SIMULTANEOUS else derive(self.seed, ply)

    def on_move(self, after: State, code: Code) -> None:
        """Take note of a move that was played, or of everybody's."""
        del after, code

    def close(self, scores: Sequence[float] | None = None) -> None:
        """The game is over, with these scores if it came to any."""
        del scores


class ClockedSide(SeatedPlayer):
    """A side with limits, whose clock runs while it chooses."""

    def __init__(self, limits: PlayerLimits, seed: int, now: Callable[[], float] = perf_counter) -> None:
        super().__init__(seed)
        self.limits = limits
        self.now = now
        self.clock = limits.new_clock(now)

    @property
    def loses_on_time(self) -> bool:
        """Whether its time has run out, and with it the game."""
        return self.out_of_time and not self.plays_on

    @property
    def plays_on(self) -> bool:
        """Whether it goes on with random moves when its time has run out."""
        return self.limits.per_game is not None and self.limits.per_game.on_time == RANDOM

    def choose(self, state: State, ply: int) -> tuple[int, int]:
        """Without any time, and after a time that ran out, a move is drawn evenly."""
        began = self.now()
        if self.clock is not None:
            self.clock.start()
        try:
            return self.random_move(state, ply) if self.out_of_time else self.chosen(state, ply)
        finally:
            if self.clock is not None:
                self.clock.stop()
            self.seconds += self.now() - began

    @abstractmethod
    def chosen(self, state: State, ply: int) -> tuple[int, int]:
        """The same, while the clock runs."""


class SeatedAgent(ClockedSide):
    """An agent's search, whose trees are kept from move to move where the agent wants that."""

    def __init__(self, agent: Agent, limits: PlayerLimits, seed: int, now: Callable[[], float] = perf_counter) -> None:
        super().__init__(limits, seed, now)
        self.agent = agent
        self.search: Search | None = None

    def chosen(self, state: State, ply: int) -> tuple[int, int]:
        """Search, if there is time to."""
        rate = 0.0 if self.search is None else self.search.workers[0].runner.pace.fastest
        time = self.limits.move_time(self.agent.timing, self.clock, rate)
        if time is not None and time.seconds <= 0:
            return self.random_move(state, ply)
        return self.searched(state, ply, self.limits.move_budget(time), time)

    def searched(self, state: State, ply: int, budget: Budget, time: MoveTime | None = None) -> tuple[int, int]:
        """What a search within a budget recommends."""
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
        """Keep the tree below a move that was played, where the agent wants that."""
        if self.search is not None and self.agent.reuse:
            self.search.advance_to(after, code)


class SeatedEngine(ClockedSide):
    """Another program, started for this game alone: nothing is carried over from game to game."""

    def __init__(
        self, program: Engine, limits: PlayerLimits, seed: int, now: Callable[[], float] = perf_counter
    ) -> None:
        super().__init__(limits, seed, now)
        self.program = program
        self._child: EngineProcess | None = None
        self._talk: EngineProtocol | None = None

    def begin(self, seat: Seat) -> None:
        """Start the program, and wait until it is ready."""
        super().begin(seat)
        self._child = EngineProcess(self.program.argv())
        self._talk = self.program.conversation(self._child, seat)
        until = perf_counter() + self.program.startup
        try:
            self._talk.begin(lambda: until - perf_counter())
        except Fault as fault:
            if not fault.late:
                raise
            raise Fault(f"was not ready after {self.program.startup:g} s", late=True) from None

    def chosen(self, state: State, ply: int) -> tuple[int, int]:
        """Ask the program. By a clock that has run out it loses, or moves are drawn for it: then it is ended."""
        if self._talk is None:
            raise Fault("was not started")
        limit = self.program.timeout if self.clock is None else None
        if self.limits.seconds is not None:
            limit = self.limits.seconds + self.program.grace
        began = perf_counter()

        def left() -> float:
            of_clock = float("inf") if self.clock is None else self.clock.remaining
            return of_clock if limit is None else min(of_clock, limit - (perf_counter() - began))

        try:
            return self._talk.request_move(state, self.clock, left), 0
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
        """End the program."""
        child, talk = self._child, self._talk
        self._child = self._talk = None
        if child is not None:
            child.end(talk.closing_message(scores) if talk is not None and scores is not None else "")


class SeatedScript(ClockedSide):
    """A seat of the game's script, which needs no simulations."""

    def chosen(self, state: State, ply: int) -> tuple[int, int]:
        """As the script says."""
        return state.game.scripted(state.data, self.number, self.seed_of(state, ply)), 0


def seat_player(
    player: Agent | Engine | Scripted, limits: PlayerLimits, seed: int, now: Callable[[], float] = perf_counter
) -> ClockedSide:
    """A seat for a player."""
    if isinstance(player, Scripted):
        return SeatedScript(limits, seed, now)
    if isinstance(player, Engine):
        return SeatedEngine(player, limits, seed, now)
    return SeatedAgent(player, limits, seed, now)
