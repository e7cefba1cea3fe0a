"""A match: two agents at one game, in pairs of games with swapped seats."""

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
from ramify.runs.jobs import Record
from ramify.statistics.format import json_safe
from ramify.statistics.inference import Interval
from ramify.statistics.sprt import Model, Sprt

DEFAULT_GAMES = 100
MAX_SPRT_GAMES = 20_000  # where a sequential test is expected to end the match


@dataclass(frozen=True)
class MatchResult:
    """The outcome of a match; ``score`` and ``interval`` are the first agent's, from 0 to 1."""

    standing: Standing
    records: list[Record]  # of all stored games, also of those played beyond the end of a test
    seed: int
    stopped: str  # "games", "test" or "interrupted"
    run: str | None

    @property
    def score(self) -> float:
        """Of the first agent, over all games that count."""
        return self.standing.score

    @property
    def interval(self) -> Interval:
        """95 % for the expected score, from the spread between pairs."""
        return self.standing.interval

    @property
    def games(self) -> int:
        """Games that count."""
        return self.standing.games

    @cached_property
    def rows(self) -> list[GameRow]:
        """Every stored game."""
        return [GameRow.from_record(record) for record in self.records]

    @classmethod
    def from_session(cls, sitting: MatchSession) -> MatchResult:
        """The result so far."""
        return cls(
            standing=sitting.driver.aggregator.standings()[0],
            records=list(sitting.store.records()),
            seed=sitting.plan.schedule().seed,
            stopped=stop_reason(sitting),
            run=sitting.store.name,
        )

    def to_dict(self) -> dict[str, Any]:
        """The result as plain data, for JSON."""
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
        if beyond := len(self.records) - self.games:
            lines.append(
                f"beyond    {beyond:,} more games are stored; their pairs are beyond those that the test looked at"
            )
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
    """The plan of a match."""
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
    """Play ``a`` against ``b``; with ``run=FILE`` games are kept there, and the same call goes on where it stopped.

    Both get the same budget a move (``simulations``, ``seconds``, ``calls``) or a game (``clock``), unless an agent has
    one of its own (``uct(simulations=500)``), which replaces it. ``games`` is rounded up to whole pairs.
    A side whose clock runs out loses, or with ``on_time="random"`` moves at random from then on.
    ``sprt=(elo0, elo1)`` stops as soon as one of the two is accepted.
    ``cluster`` is the address of a Dask scheduler whose workers play the games, or a Dask cluster object.
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
