"""One game from its specification, and the job that every worker does with it."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from time import perf_counter
from typing import Any, ClassVar

from ramify.agents.agent import Agent
from ramify.agents.agent import agent as make_agent
from ramify.agents.budget import Budget
from ramify.agents.own_budget import control_of
from ramify.agents.searcher import Search
from ramify.agents.side_limits import RANDOM, SideLimits
from ramify.arena.matches.openings import first_decision, open_game
from ramify.arena.matches.rows import TIME, GameRow, GameSpec
from ramify.contract.game import Game, State
from ramify.contract.load import load
from ramify.contract.rules import PythonGenerator
from ramify.core.engine.tree import CHANCE
from ramify.runs.caches import forget_between_sittings
from ramify.runs.jobs import Record
from ramify.runs.seeds import derive
from ramify.runs.versions import versions
from ramify.strategies.recommend.robust import Robust

LOOK = 0.05  # seconds of a search by which the time of a whole game is guessed
MAX_PLIES = 10_000  # a game that is not over by then is a draw


@lru_cache(maxsize=16)
def _game(name: str) -> Game:
    return load(name)


@lru_cache(maxsize=256)
def _agent(text: str) -> Agent:
    return replace(make_agent(text), limits=None)  # its budget is in the specification


@lru_cache(maxsize=256)
def _warm(game: str, agent: str) -> None:
    """Load what a search of this agent needs: 0.1 s that the clock of a process's first game must not show."""
    Search(first_decision(_game(game), "", 0), _agent(agent), seed=0)


@lru_cache(maxsize=16)
def _compile(game: str) -> None:
    _game(game).warm()


forget_between_sittings(_game, _agent, _warm, _compile)


class Side:
    """One seat of one game: its search, its clock, and what it has spent."""

    def __init__(self, agent: Agent, limits: SideLimits, seed: int, now: Callable[[], float]) -> None:
        self.agent = agent
        self.limits = limits
        self.seed = seed
        self.now = now
        self.clock = limits.new_clock(now)
        self.search: Search | None = None
        self.simulations = self.calls = 0
        self.seconds = 0.0

    @property
    def fallen(self) -> bool:
        """Whether its time has run out."""
        return self.clock is not None and self.clock.fallen

    def choose(self, state: State, ply: int, simulations: int | None) -> tuple[int, int]:
        """The code of a move and the simulations it took; ``simulations`` overrides the budget.

        Without any time, and after a time that ran out, a move is drawn evenly.
        """
        began = self.now()
        if self.clock is not None:
            self.clock.start()
        code, spent = (
            self._drawn(state, ply) if simulations == 0 or self.fallen else self._searched(state, ply, simulations)
        )
        if self.clock is not None:
            self.clock.stop()
        self.seconds += self.now() - began
        return code, spent

    def _searched(self, state: State, ply: int, simulations: int | None) -> tuple[int, int]:
        rate = 0.0 if self.search is None else self.search.workers[0].pace.fastest
        control = control_of(self.agent, self.limits, self.clock, rate) if simulations is None else None
        if control is not None and control.seconds <= 0:
            return self._drawn(state, ply)
        seed = derive(self.seed, ply)
        if self.search is None:
            self.search = Search(state, self.agent, seed=seed, now=self.now)
        elif self.agent.reuse:
            self.search.reseed(seed)
        else:
            self.search.restart(state, seed)
        budget = self.limits.of_a_move(control) if simulations is None else Budget(simulations=simulations)
        code = self.search.think(budget, control)
        self.simulations += self.search.simulations()
        self.calls += self.search.calls()
        return code, self.search.simulations()

    def _drawn(self, state: State, ply: int) -> tuple[int, int]:
        codes = state.game.legal(state.data)
        return codes[PythonGenerator(derive(self.seed, ply)).below(len(codes))], 0

    def follow(self, after: State, code: int) -> None:
        """Keep the tree below a move that was played, where the agent wants that."""
        if self.search is not None and self.agent.reuse:
            self.search.follow(after, code)


def play(spec: GameSpec, again: GameRow | None = None, now: Callable[[], float] = perf_counter) -> GameRow:
    """Play a game. Every move's search has a stream of its own, derived from the game's seed and the ply.

    To repeat a game whose budget was time, ``again`` is the row of it: it says how many simulations each move had, and
    whose time ran out.
    """
    game = _game(spec.game)
    for text in spec.agents:
        _warm(spec.game, text)
    data, moves, dice = open_game(game, spec.start, spec.opening_plies, spec.pair_seed)
    sides = _sides(spec, again, now)
    spent = [0] * len(moves)
    late: int | None = None  # the seat that has lost on time
    while not game.over(data) and len(moves) < MAX_PLIES and late is None:
        mover = game.mover(data)
        if mover == CHANCE:
            code, simulations = dice.outcome(game.chances(data)), 0
        else:
            given = None if again is None else again.searched[len(moves)] if len(moves) < again.plies else 1
            code, simulations = sides[mover].choose(State(game, data), len(moves), given)
            if sides[mover].fallen and sides[mover].limits.on_time != RANDOM:
                late = mover
        moves.append(game.move_name(data, code))
        spent.append(simulations)
        data = game.play(data, code)
        if again is not None and again.ended == TIME and len(moves) == again.plies:
            late = mover
        for side in sides:
            side.follow(State(game, data), code)
    scores = _scores(game, data, late)
    return GameRow(
        **vars(spec),
        moves=tuple(moves),
        searched=tuple(spent),
        scores=scores,
        score=score_of_first(scores, spec.seats),
        ended=TIME if late is not None else "over" if game.over(data) else "limit",
        plies=len(moves),
        simulations=tuple(side.simulations for side in sides),
        calls=tuple(side.calls for side in sides),
        seconds=tuple(round(side.seconds, 6) for side in sides),
        finished=round(time.time(), 3),
        versions=versions(),
        overruns=tuple(int(side.fallen) for side in sides) if again is None else again.overruns,
    )


def _sides(spec: GameSpec, again: GameRow | None, now: Callable[[], float]) -> list[Side]:
    agents = [_agent(text) for text in spec.agents]
    limits = spec.limits
    if again is not None:  # nothing depends on time any more, and the searches were extended or stopped already
        agents = [replace(a, recommend=Robust()) if a.recommend.extension else a for a in agents]
        agents = [replace(a, stop_early=False) for a in agents]
        limits = tuple(SideLimits(simulations=1) for _ in limits)
    return [Side(agent, limit, spec.seed, now) for agent, limit in zip(agents, limits, strict=True)]


@dataclass(frozen=True)
class GameJob:
    """A game as a job for workers of any kind."""

    spec: GameSpec
    verb: ClassVar[str] = "played"

    @property
    def number(self) -> int:
        """Of the game in its run."""
        return self.spec.number

    @property
    def name(self) -> str:
        """By its number."""
        return f"game {self.spec.number}"

    def texts(self) -> tuple[str, ...]:
        """The game and its agents."""
        return (self.spec.game, *self.spec.agents)

    def prepare(self) -> None:
        """Compile or load all that the game needs."""
        _compile(self.spec.game)
        for text in self.spec.agents:
            _warm(self.spec.game, text)

    def seconds(self) -> float:
        """As many plies as a simulation has, each with a search as long as the first one."""
        game = _game(self.spec.game)
        state = first_decision(game, self.spec.start, self.spec.opening_plies)
        return sum(
            _expected_seconds(state, text, limits)
            for text, limits in zip(self.spec.agents, self.spec.limits, strict=True)
        ) / len(self.spec.agents)

    def record(self) -> Record:
        """Play it."""
        return play(self.spec).record()


def _expected_seconds(state: State, agent: str, limits: SideLimits) -> float:
    """About how long a game would take in which this agent had every move."""
    given = limits.of_a_move(control_of(_agent(agent), limits, limits.new_clock()))
    report = Search(state, _agent(agent), seed=0).run(replace(given, seconds=min(given.seconds or LOOK, LOOK)))
    parts = [
        (report.simulations, given.simulations),
        (report.seconds, given.seconds),
        (report.calls, given.calls),
    ]
    longer = min(whole / max(part, 1e-9) for part, whole in parts if whole is not None)
    return report.calls / max(report.simulations, 1) * report.seconds * longer


def _scores(game: Game, data: Any, late: int | None) -> tuple[float, ...]:
    """By seat; who loses on time has 0, and everybody else, of however many players, has won."""
    if late is not None:
        return tuple(0.0 if seat == late else 1.0 for seat in range(game.players))
    return tuple(game.scores(data)) if game.over(data) else (0.5,) * game.players


def score_of_first(scores: Sequence[float], seats: Sequence[int]) -> float:
    """The first agent's score: 1/2 plus half the mean lead of its seats over the other agent's.

    In a game of two whose scores add up to 1 that is its own score; with more players, or scores that do not add up,
    equal agents still get 1/2 on average.
    """
    means = [0.0, 0.0]
    for agent in (0, 1):
        own = [score for score, seat in zip(scores, seats, strict=True) if seat == agent]
        means[agent] = sum(own) / len(own)
    return (1 + means[0] - means[1]) / 2
