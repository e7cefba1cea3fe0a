"""Matches: two agents, one game, played in pairs with swapped seats."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any, Unpack

from ramify.agents.budgets.player_limits import PlayerLimits, parse_limits
from ramify.arena.matches.irregular_losses import irregular_loss_lines
from ramify.arena.matches.match_options import (
    BudgetOptions,
    MatchOptions,
    ScheduleOptions,
    only,
    play_run,
    with_options,
)
from ramify.arena.matches.match_plan import AgentLike, GameLike, MatchPlan, make_plan, make_players
from ramify.arena.matches.rows import GameRow
from ramify.arena.matches.session import MatchSession, stop_reason
from ramify.arena.matches.standing import Standing, standing_data, standing_lines
from ramify.old_names import old_members
from ramify.runs.jobs import Record
from ramify.statistics.format import json_safe
from ramify.statistics.inference import Interval
from ramify.statistics.sprt import Model, Sprt

DEFAULT_GAMES = 100
MAX_SPRT_GAMES = 20_000  # a sequential test usually ends the match earlier


@old_members(data="to_dict")
@dataclass(frozen=True)
class MatchResult:
    """Result of a match from the first agent's point of view; scores lie in [0, 1]."""

    standing: Standing
    records: list[Record]  # all stored games, including those played after the SPRT had stopped
    seed: int
    stopped: str  # "games", "test" or "interrupted"
    run: str | None

    @property
    def score(self) -> float:
        """Mean score over the counted games."""
        return self.standing.score

    @property
    def interval(self) -> Interval:
        """95 % interval of the expected score. Pairs, not games, are the independent observations."""
        return self.standing.interval

    @property
    def games(self) -> int:
        """Number of counted games."""
        return self.standing.games

    @cached_property
    def rows(self) -> list[GameRow]:
        return [GameRow.from_record(record) for record in self.records]

    @classmethod
    def from_session(cls, session: MatchSession) -> MatchResult:
        return cls(
            standing=session.driver.aggregator.standings()[0],
            records=list(session.store.records()),
            seed=session.plan.schedule().seed,
            stopped=stop_reason(session),
            run=session.store.name,
        )

    def to_dict(self) -> dict[str, Any]:
        data: dict[str, Any] = json_safe(
            {
                **standing_data(self.standing),
                "seed": self.seed,
                "stopped": self.stopped,
                "run": self.run,
                "stored": len(self.records),
            }
        )
        return data

    def __str__(self) -> str:
        lines = standing_lines(self.standing)
        lines += irregular_loss_lines(self.records)
        if extra := len(self.records) - self.games:
            lines.append(f"extra     {extra:,} games were played after the test had stopped and are not counted")
        return "\n".join(lines)


def plan_match(
    game: GameLike,
    a: AgentLike,
    b: AgentLike,
    *,
    limits: PlayerLimits | None = None,
    on_time: str | None = None,
    games: int | None = None,
    test: Sprt | None = None,
    **schedule: Unpack[ScheduleOptions],
) -> MatchPlan:
    return make_plan(
        "match",
        [game],
        make_players([(None, a), (None, b)], limits, on_time),
        [(0, 1)],
        count=games if games is not None else DEFAULT_GAMES if test is None else MAX_SPRT_GAMES,
        test=test,
        **schedule,
    )


@with_options
def match(
    game: GameLike,
    a: AgentLike,
    b: AgentLike,
    *,
    games: int | None = None,
    on_time: str | None = None,
    sprt: tuple[float, float] | None = None,
    alpha: float = 0.05,
    beta: float = 0.05,
    model: Model = "normalized",
    **options: Unpack[MatchOptions],
) -> MatchResult:
    """Play a match between ``a`` and ``b``. With ``run=FILE``, games are stored and the same call resumes the match.

    The budget is per move (``simulations``, ``seconds``, ``calls``) or per game (``clock``). It applies to agents that
    have none in their text, e.g. ``uct(simulations=500)``. ``games`` is rounded up to whole pairs.
    ``on_time="random"`` lets a player whose clock runs out continue with random moves; by default it loses.
    ``sprt=(elo0, elo1)`` stops the match as soon as the test accepts one hypothesis.
    ``cluster``: address of a Dask scheduler, or a Dask cluster object, whose workers play the games.
    """
    plan = plan_match(
        game,
        a,
        b,
        limits=parse_limits(**only(BudgetOptions, options)),
        on_time=on_time,
        games=games,
        test=None if sprt is None else Sprt.between(sprt, alpha=alpha, beta=beta, model=model),
        **only(ScheduleOptions, options),
    )
    return play_run(MatchSession, plan, options, MatchResult.from_session)
