"""A tournament: every agent against every other (round robin), or the first against all others (gauntlet)."""

from __future__ import annotations

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
from ramify.runs.jobs import Record
from ramify.statistics.format import elo_text, json_safe, percent, percent_interval
from ramify.statistics.inference import holm, paired_p_value
from ramify.statistics.ratings import Ratings

ROUND_ROBIN, GAUNTLET = "round-robin", "gauntlet"
DEFAULT_GAMES = 100

Agents = Sequence[AgentLike] | Mapping[str, AgentLike]


@dataclass(frozen=True)
class TournamentResult:
    """The outcome of a tournament: a standing for each pairing, ratings for each game."""

    standings: list[Standing]
    records: list[Record]
    seed: int
    stopped: str  # "games" or "interrupted"
    run: str | None

    @cached_property
    def rows(self) -> list[GameRow]:
        """Every stored game."""
        return [GameRow.from_record(record) for record in self.records]

    @property
    def games(self) -> int:
        """Games that count."""
        return sum(standing.games for standing in self.standings)

    @cached_property
    def p_values(self) -> tuple[float, ...]:
        """For each standing, that the two are equally strong; adjusted for the number of pairings (Holm)."""
        return holm([paired_p_value(standing.results) for standing in self.standings])

    @property
    def budgets(self) -> dict[str, PlayerLimits]:
        """What each agent may spend, by its label."""
        everybody = (e for standing in self.standings for e in (standing.pairing.first, standing.pairing.second))
        return {entrant.label: entrant.limits for entrant in everybody}

    @cached_property
    def ratings(self) -> dict[str, Ratings]:
        """Elo ratings of the pool at each game where a pair was finished."""
        return ratings_by_game(self.standings)

    @classmethod
    def from_session(cls, sitting: MatchSession) -> TournamentResult:
        """The result so far."""
        return cls(
            standings=sitting.driver.aggregator.standings(),
            records=list(sitting.store.records()),
            seed=sitting.plan.schedule().seed,
            stopped=stop_reason(sitting),
            run=sitting.store.name,
        )

    def to_dict(self) -> dict[str, Any]:
        """The result as plain data, for JSON."""
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
        lines.append("pairings: score of the first with its 95% interval; p is adjusted for all pairings (Holm)")
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
    """Refuse a tournament without a game or without opponents."""
    if isinstance(agents, str) or not isinstance(agents, Sequence | Mapping):
        raise RamifyError(f"the agents of a tournament are a list or a table, not {agents!r}")
    if not games:
        raise RamifyError("a tournament needs a game: give one or more")
    if len(agents) < 2:
        raise RamifyError(f"a tournament needs two or more agents, not {len(agents)}")


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
    """The plan of a tournament with ``count`` games for each pairing."""
    labelled: list[tuple[str | None, AgentLike]] = (
        list(agents.items()) if isinstance(agents, Mapping) else [(None, agent) for agent in agents]
    )
    check_participants(games, agents)
    if form not in (ROUND_ROBIN, GAUNTLET):
        raise RamifyError(f"there is no form of tournament '{form}'; {suggestion(form, (ROUND_ROBIN, GAUNTLET))}")
    everybody = range(len(labelled))
    return make_plan(
        form,
        games,
        make_players(labelled, limits, on_time),
        [(0, k) for k in everybody[1:]] if form == GAUNTLET else list(combinations(everybody, 2)),
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
    """Play ``games_each`` games between the agents of each pairing, at every game; otherwise like ``match``.

    ``agents`` is a list, or a mapping from the labels that tables show. In a gauntlet the first agent meets all others.
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
