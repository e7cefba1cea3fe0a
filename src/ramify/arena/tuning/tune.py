"""Tune an agent's parameters: Optuna proposes values, paired games against a reference agent evaluate them.

Trials are sequential and each is evaluated by its own games, so a proposal depends only on earlier trials. Only games
are stored; everything else is recomputed from the file and the seed, and the same command resumes.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, fields, replace
from functools import cached_property
from pathlib import Path
from typing import Any, Unpack

from ramify.agents.agent import agent as make_agent
from ramify.agents.budgets.agent_budget import BUDGET_KEYS, without_budget
from ramify.agents.budgets.player_limits import BUDGET_HINT, PlayerLimits, parse_limits
from ramify.arena.matches.match_options import (
    BudgetOptions,
    MatchOptions,
    OnProgress,
    ScheduleOptions,
    only,
    play_run,
    with_options,
)
from ramify.arena.matches.match_plan import AgentLike, GameLike, MatchPlan, make_plan, make_players
from ramify.arena.matches.planned_games import TRIAL_NUMBERS, PlannedTrials
from ramify.arena.matches.playing.play_game import GameJob
from ramify.arena.matches.rows import COLUMNS, GameSpec
from ramify.arena.matches.schedule import MatchPlayer, Pairing, Schedule
from ramify.arena.matches.standing import Standing
from ramify.arena.matches.tally import ScoreAggregator, Tally
from ramify.arena.tuning.result import Trial, TuneResult, best_trial
from ramify.arena.tuning.space import Space, Value
from ramify.errors import RamifyError
from ramify.grammar import parse
from ramify.old_names import stored_text
from ramify.runs.jobs import Job, Record
from ramify.runs.pools.pool import Pool, PoolMaker
from ramify.runs.seeds import derive
from ramify.runs.session import Session

TRIALS, DEFAULT_GAMES = 30, 40
CONFIRM_FACTOR = 4  # games that confirm the best trial, as a multiple of a trial's games
AGENTS = COLUMNS.index("agents")


@dataclass(frozen=True)
class TunePlan(MatchPlan):
    """One pairing whose first agent has ranges; ``pairs`` is per trial."""

    trials: int = TRIALS
    confirm: int = 0  # pairs of fresh games that confirm the best trial

    @property
    def space(self) -> Space:
        return Space(self.pairings[0].first.agent)

    @property
    def games(self) -> int:
        return (self.trials * self.pairs + self.confirm) * len(self.pairings[0].seatings)

    def aggregator(self) -> ScoreAggregator:
        """Return an aggregator without tallies; each trial adds its own."""
        return ScoreAggregator([])

    def pairing(self, agent: str) -> Pairing:
        return replace(self.pairings[0], first=MatchPlayer(agent, agent, self.pairings[0].first.limits))

    def games_of(self, number: int, agent: str, pairs: int) -> Iterator[GameSpec]:
        """Yield the games of a trial or of the confirmation."""
        return (_of_trial(number, game) for game in self._schedule_of(number, agent).games(pairs))

    def _schedule_of(self, number: int, agent: str) -> Schedule:
        return Schedule((self.pairing(agent),), derive(self.seed or 0, number), self.opening_plies, self.starts)

    @cached_property
    def _planned(self) -> PlannedTrials:
        """The games of all trials. Their candidates are checked when the trials are replayed."""
        return PlannedTrials(self.pairings, self.seed or 0, self.opening_plies, self.starts)

    def prepare(self) -> None:
        """Compile what any candidate needs. Raise now if an end of a range is invalid."""
        plain = {field.name: getattr(self, field.name) for field in fields(MatchPlan)}
        for parameter, agent in self.space.extreme_agents():
            try:
                MatchPlan(**plain | {"pairings": (self.pairing(agent),)}).prepare()
            except RamifyError as error:
                raise RamifyError(f"invalid range of {parameter.name}: {error}") from None


def _of_trial(number: int, game: GameSpec) -> GameSpec:
    """Convert a game of a trial's schedule to a game of the run."""
    return replace(game, number=number * TRIAL_NUMBERS + game.number, pairing=number)


def plan_tune(
    game: GameLike,
    agent: str,
    against: AgentLike,
    *,
    limits: PlayerLimits | None = None,
    trials: int | None = None,
    games: int | None = None,
    confirm: int | None = None,
    **schedule: Unpack[ScheduleOptions],
) -> TunePlan:
    trials, games = TRIALS if trials is None else trials, DEFAULT_GAMES if games is None else games
    confirm = CONFIRM_FACTOR * games if confirm is None else confirm
    for what, count, least in (("trials", trials, 1), ("games to confirm", confirm, 0)):
        if isinstance(count, bool) or not isinstance(count, int) or not least <= count < TRIAL_NUMBERS:
            raise RamifyError(
                f"invalid number of {what} {count}: use a whole number from {least} to {TRIAL_NUMBERS - 1:,}"
            )
    if not isinstance(agent, str):
        raise RamifyError(f"an agent with ranges must be a string such as 'uct(c=0.1..2.0)', not {agent!r}")
    players = [_candidates(Space(agent), limits), *make_players([(None, against)], limits)]
    plan = make_plan("tune", [game], players, [(0, 1)], count=games, **schedule)
    size = len(plan.pairings[0].seatings)
    kind = f"tune with {plan.pairs * size} games a trial"  # stored: must not change
    plain = {field.name: getattr(plan, field.name) for field in fields(MatchPlan)}
    return TunePlan(**plain | {"kind": kind}, trials=trials, confirm=-(-confirm // size))


def _candidates(space: Space, limits: PlayerLimits | None) -> MatchPlayer:
    """Make one player for all candidates. They share a budget, which cannot have a range."""
    tuned = next((one.name for one in space.parameters if one.name in BUDGET_KEYS), None)
    if tuned is not None:
        raise RamifyError(f"cannot tune the budget '{tuned}': more is never worse; see ramify scale")
    _, own = without_budget(parse(str(space)))
    chosen = own or limits
    if chosen is None:
        raise RamifyError(f"the agents need a budget: {BUDGET_HINT}")
    return MatchPlayer(str(space), str(space), chosen)


class _PersistentPool:
    """A pool that is made when first needed and reused by all trials."""

    def __init__(self, make: Callable[[], Pool]) -> None:
        self._make = make
        self._pool: Pool | None = None

    def capacity(self) -> int:
        if self._pool is None:
            self._pool = self._make()
        return self._pool.capacity()

    def submit(self, jobs: Sequence[Job]) -> None:
        assert self._pool is not None
        self._pool.submit(jobs)

    def collect(self, seconds: float) -> list[Record]:
        assert self._pool is not None
        return self._pool.collect(seconds)

    def close(self) -> None:
        """Keep the pool: another trial may follow. ``end`` closes it."""

    def end(self) -> None:
        if self._pool is not None:
            self._pool.close()


class TuningSession(Session[TunePlan, ScoreAggregator]):
    """One session of a tuning."""

    def __init__(self, plan: TunePlan, run: str | Path | None = None, *, accept_change: bool = False) -> None:
        self._optuna = _optuna()
        super().__init__(plan, run, accept_change=accept_change)
        self.space = plan.space
        self.trials: list[Trial] = []
        self.confirmation: Standing | None = None
        self._stored: dict[int, list[Record]] = {}
        for record in self.store.records():
            self._stored.setdefault(record[COLUMNS.index("pairing")], []).append(record)

    def run(self, make_pool: PoolMaker, on_progress: OnProgress = lambda _: None) -> None:
        """Play the missing trials, then fresh games of the best."""
        sampler = self._optuna.samplers.TPESampler(seed=derive(self.plan.seed or 0, "optuna") % 2**32)
        study = self._optuna.create_study(direction="maximize", sampler=sampler)
        size = len(self.plan.pairings[0].seatings)
        pool = _PersistentPool(lambda: make_pool(max(self.plan.pairs, self.plan.confirm) * size))
        try:
            for number in range(1, self.plan.trials + 1):
                asked = study.ask()
                values = self.space.ask(asked)
                self.trials.append(self._trial(number, values, pool, on_progress))
                study.tell(asked, self.trials[-1].standing.results.pair_score)
            if self.plan.confirm:
                best, _ = best_trial(self.space, self.trials)
                self.confirmation = self._play(
                    TRIAL_NUMBERS + best.number, best.agent, self.plan.confirm, pool, on_progress
                )
        finally:
            pool.end()

    def _trial(self, number: int, values: dict[str, Value], pool: _PersistentPool, on_progress: OnProgress) -> Trial:
        agent = str(make_agent(self.space.agent(values)))
        return Trial(number, agent, values, self._play(number, agent, self.plan.pairs, pool, on_progress))

    def _play(self, number: int, agent: str, pairs: int, pool: _PersistentPool, on_progress: OnProgress) -> Standing:
        """Play the missing games of a trial or of the confirmation. Return its standing."""
        wanted = {game.number: game for game in self.plan.games_of(number, agent, pairs)}
        stored = {record[0]: record for record in self._stored.get(number, []) if record[0] in wanted}
        for at, record in stored.items():
            if [*map(stored_text, json.loads(record[AGENTS]))] != [*map(stored_text, wanted[at].agents)]:
                raise RamifyError(
                    f"trial {number % TRIAL_NUMBERS} of {self.store.path} was played by other agents than this Optuna"
                    f" ({self._optuna.__version__}) proposes: use the Optuna that began the run, or another file"
                )
        tally = self.driver.aggregator.add_pairing(number, Tally(self.plan.pairing(agent)), stored.values())
        missing = [GameJob(game) for at, game in wanted.items() if at not in stored]
        if missing:
            self.driver.run(missing, pool, on_progress)
        return tally.standing()

    def result(self) -> TuneResult:
        """Return the result so far, without unfinished trials."""
        return TuneResult(
            pairing=self.plan.pairings[0],
            space=self.space,
            trials=tuple(self.trials),
            confirmation=self.confirmation,
            wanted=self.plan.trials,
            confirmed=self.confirmation is not None or not self.plan.confirm,
            seed=self.plan.seed or 0,
            run=self.store.name,
        )


def _optuna() -> Any:
    try:
        import optuna  # noqa: PLC0415  (an extra)
    except ImportError:
        raise RamifyError('tuning needs Optuna: pip install "ramify[tune]"') from None
    optuna.logging.set_verbosity(optuna.logging.WARNING)
    return optuna


@with_options
def tune(
    game: GameLike,
    agent: str,
    against: AgentLike,
    *,
    trials: int | None = None,
    games: int | None = None,
    confirm: int | None = None,
    **options: Unpack[MatchOptions],
) -> TuneResult:
    """Tune the ranges in ``agent``: each trial plays ``games`` games against ``against``.

    A range is ``0.1..2.0``, ``1..8`` (integers), ``log(0.01..10)`` or ``{a|b}``. At the end the best of ``trials``
    plays ``confirm`` fresh games (default: 4 * ``games``), because its own score is biased by the selection.
    Other keywords are those of ``match``.
    """
    plan = plan_tune(
        game,
        agent,
        against,
        limits=parse_limits(**only(BudgetOptions, options)),
        trials=trials,
        games=games,
        confirm=confirm,
        **only(ScheduleOptions, options),
    )
    return play_run(TuningSession, plan, options, TuningSession.result)
