"""Tournaments: round robin (all pairs) or gauntlet (the first agent against all others)."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
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
from ramify.arena.matches.standing import Standing, ratings_by_game, standing_data
from ramify.errors import RamifyError, suggestion
from ramify.old_names import old_members
from ramify.runs.jobs import Record
from ramify.statistics.format import elo_text, json_safe, percent, percent_interval
from ramify.statistics.inference import holm, paired_p_value
from ramify.statistics.ratings import Ratings

ROUND_ROBIN, GAUNTLET = "round-robin", "gauntlet"
DEFAULT_GAMES = 100
MAX_PAIRINGS = 100_000

Agents = Sequence[AgentLike] | Mapping[str, AgentLike]


@old_members(data="to_dict")
@dataclass(frozen=True)
class TournamentResult:
    """Result of a tournament: one standing per pairing, ratings per game."""

    standings: list[Standing]
    records: list[Record]
    seed: int
    stopped: str  # "games" or "interrupted"
    run: str | None

    @cached_property
    def rows(self) -> list[GameRow]:
        return [GameRow.from_record(record) for record in self.records]

    @property
    def games(self) -> int:
        """Number of counted games."""
        return sum(standing.games for standing in self.standings)

    @cached_property
    def p_values(self) -> tuple[float, ...]:
        """P value per standing of equal strength, adjusted for the number of pairings (Holm)."""
        return holm([paired_p_value(standing.results) for standing in self.standings])

    @property
    def budgets(self) -> dict[str, PlayerLimits]:
        """Limits per label."""
        players = (p for standing in self.standings for p in (standing.pairing.first, standing.pairing.second))
        return {player.label: player.limits for player in players}

    @cached_property
    def ratings(self) -> dict[str, Ratings]:
        """Elo ratings per game with at least one finished pair."""
        return ratings_by_game(self.standings)

    @classmethod
    def from_session(cls, session: MatchSession) -> TournamentResult:
        return cls(
            standings=session.driver.aggregator.standings(),
            records=list(session.store.records()),
            seed=session.plan.schedule().seed,
            stopped=stop_reason(session),
            run=session.store.name,
        )

    def to_dict(self) -> dict[str, Any]:
        data: dict[str, Any] = json_safe(
            {
                "pairings": [
                    standing_data(standing) | {"p_value": p}
                    for standing, p in zip(self.standings, self.p_values, strict=True)
                ],
                "ratings": {
                    game: [{"label": label, "elo": list(pool.interval(label))} for label in pool.players]
                    for game, pool in self.ratings.items()
                },
                "games": self.games,
                "seed": self.seed,
                "stopped": self.stopped,
                "run": self.run,
            }
        )
        return data

    def __str__(self) -> str:
        lines: list[str] = []
        budgets = self.budgets
        for game, pool in self.ratings.items():
            width = max(5, *(len(label) for label in pool.players))
            lines += [f"ratings at {game}", f"  {'agent':{width}}  elo"]
            lines += [f"  {label:{width}}  {elo_text(pool.interval(label))}" for label in pool.players]
            lines.append("")
        if len(set(budgets.values())) > 1:
            width = max(len(label) for label in budgets)
            lines += ["budgets", *(f"  {label:{width}}  {limits}" for label, limits in budgets.items()), ""]
        lines.append("pairings: score of the first, 95% interval, p adjusted for all pairings (Holm)")
        for standing, p in zip(self.standings, self.p_values, strict=True):
            pairing = standing.pairing
            score = f"{percent(standing.score):>6} {percent_interval(standing.interval):16} p {p:.3f}"
            lines.append(
                f"  {score} {standing.games:>7,} games  {pairing.first.label} - {pairing.second.label}, {pairing.game}"
            )
        if lost := irregular_loss_lines(self.records):
            lines += ["", *lost]
        return "\n".join(lines)


def check_participants(games: Sequence[GameLike], agents: Agents) -> None:
    """Raise unless there is a game and there are at least two agents."""
    if isinstance(agents, str) or not isinstance(agents, Sequence | Mapping):
        raise RamifyError(f"the agents of a tournament must be a list or a mapping, not {agents!r}")
    if not games:
        raise RamifyError("a tournament needs at least one game")
    if len(agents) < 2:
        raise RamifyError(f"a tournament needs at least two agents, not {len(agents)}")


def plan_tournament(
    games: Sequence[GameLike],
    agents: Agents,
    *,
    limits: PlayerLimits | None = None,
    on_time: str | None = None,
    form: str = ROUND_ROBIN,
    count: int | None = None,
    **schedule: Unpack[ScheduleOptions],
) -> MatchPlan:
    """Plan a tournament with ``count`` games per pairing."""
    labelled: list[tuple[str | None, AgentLike]] = (
        list(agents.items()) if isinstance(agents, Mapping) else [(None, agent) for agent in agents]
    )
    check_participants(games, agents)
    if form not in (ROUND_ROBIN, GAUNTLET):
        raise RamifyError(f"unknown form of tournament '{form}': {suggestion(form, (ROUND_ROBIN, GAUNTLET))}")
    numbers = range(len(labelled))
    pairings = len(games) * (len(numbers) - 1 if form == GAUNTLET else math.comb(len(numbers), 2))
    if pairings > MAX_PAIRINGS:
        raise RamifyError(f"a tournament has at most {MAX_PAIRINGS:,} pairings, not {pairings:,}: use fewer agents")
    return make_plan(
        form,
        games,
        make_players(labelled, limits, on_time),
        [(0, k) for k in numbers[1:]] if form == GAUNTLET else list(combinations(numbers, 2)),
        count=DEFAULT_GAMES if count is None else count,
        **schedule,
    )


@with_options
def tournament(
    games: GameLike | Sequence[GameLike],
    agents: Agents,
    *,
    form: str = ROUND_ROBIN,
    games_each: int | None = None,
    on_time: str | None = None,
    **options: Unpack[MatchOptions],
) -> TournamentResult:
    """Play ``games_each`` games per pairing of agents at every game. Other keywords are those of ``match``.

    ``agents`` is a list, or a mapping from labels to agents. In a gauntlet the first agent plays all others.
    """
    played = list(games) if isinstance(games, Sequence) and not isinstance(games, str) else [games]
    check_participants(played, agents)
    plan = plan_tournament(
        played,
        agents,
        limits=parse_limits(**only(BudgetOptions, options)),
        on_time=on_time,
        form=form,
        count=games_each,
        **only(ScheduleOptions, options),
    )
    return play_run(MatchSession, plan, options, TournamentResult.from_session)
