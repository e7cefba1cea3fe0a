"""Result of a Kilothon: payoffs with intervals, categories, forfeits."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from ramify.arena.kilothon.categories import CATEGORIES
from ramify.arena.kilothon.kilothon_plan import KilothonPlan
from ramify.arena.kilothon.rows import KilothonRow
from ramify.old_names import old_members, stored_text
from ramify.players.endings import FORFEIT
from ramify.statistics.bootstrap import bootstrap_mean
from ramify.statistics.format import json_safe, percent
from ramify.statistics.inference import Interval

EXTREMES = 5  # games listed as won most and lost most


@dataclass(frozen=True)
class KilothonStanding:
    """Results of one challenger."""

    agent: str
    rows: Sequence[KilothonRow]
    published_sign: bool = False

    def payoff_of(self, row: KilothonRow) -> float:
        """Payoff of a game; with ``published_sign``, negated if the players were swapped (a bug of the contest)."""
        return -row.payoff if self.published_sign and row.swapped else row.payoff

    @cached_property
    def by_game(self) -> dict[str, float]:
        """Mean payoff per game that was played."""
        found: dict[str, list[float]] = {}
        for row in self.rows:
            if row.counts:
                found.setdefault(row.game, []).append(self.payoff_of(row))
        return {game: sum(payoffs) / len(payoffs) for game, payoffs in found.items()}

    @cached_property
    def payoff(self) -> Interval:
        """Mean over games with a 95 % bootstrap interval, clipped to [-1, 1]."""
        found = bootstrap_mean(list(self.by_game.values()), grain=2 / max(1, len(self.by_game)))
        return found._replace(low=max(found.low, -1.0), high=min(found.high, 1.0))

    def outcomes(self, category: str | None = None) -> tuple[int, int, int]:
        """Numbers of games won, drawn and lost."""
        payoffs = [self.payoff_of(row) for row in self.rows if row.counts and category in (None, row.category)]
        return sum(one > 0 for one in payoffs), sum(one == 0 for one in payoffs), sum(one < 0 for one in payoffs)

    def winning(self, category: str) -> float:
        """Share of wins among decided games, or NaN without decided games."""
        won, _, lost = self.outcomes(category)
        return won / (won + lost) if won + lost else math.nan

    @property
    def seconds(self) -> list[float]:
        """Seconds it used in each game."""
        return [row.seconds[row.seat] for row in self.rows if row.counts]

    @property
    def overruns(self) -> int:
        """Number of games in which its minute ran out."""
        return sum(row.overruns[row.seat] for row in self.rows if row.counts)


@old_members(data="to_dict", troubles="problems")
@dataclass(frozen=True)
class KilothonResult:
    """Result of a run."""

    plan: KilothonPlan
    rows: Sequence[KilothonRow]
    run: str | None
    published_sign: bool = False

    @cached_property
    def standings(self) -> list[KilothonStanding]:
        """One per challenger, in the order of the command."""
        return [KilothonStanding(agent, self._rows_of(agent), self.published_sign) for agent in self.plan.agents]

    def _rows_of(self, agent: str) -> list[KilothonRow]:
        """Rows of a challenger; rows of an older run may have its text in old names."""
        stored = stored_text(agent)
        return [row for row in self.rows if stored_text(row.agent) == stored]

    @property
    def categories(self) -> list[str]:
        """Categories of the games, Parlett's five first."""
        found = dict.fromkeys(category for _, category, _ in self.plan.games)
        return [*(one for one in CATEGORIES if one in found), *(one for one in found if one not in CATEGORIES)]

    def problems(self) -> Iterator[tuple[KilothonRow, str, str]]:
        """Yield forfeits and failed games: the row, whose fault it was, and the cause."""
        for row in sorted(self.rows, key=lambda row: row.number):
            if not row.counts:
                yield row, "the game", row.faults[0]
            elif row.ended == FORFEIT:
                seat = next(seat for seat, reason in enumerate(row.faults) if reason)
                yield row, row.agent if seat == row.seat else row.opponent, row.faults[seat]

    def extremes(self) -> tuple[list[tuple[str, float]], list[tuple[str, float]]]:
        """Games won most and lost most, over all challengers."""
        payoffs: dict[str, list[float]] = {}
        for standing in self.standings:
            for game, payoff in standing.by_game.items():
                payoffs.setdefault(game, []).append(payoff)
        means = sorted(((game, sum(all_) / len(all_)) for game, all_ in payoffs.items()), key=lambda pair: -pair[1])
        won = [pair for pair in means if pair[1] > 0]
        lost = [pair for pair in reversed(means) if pair[1] < 0]
        return won[:EXTREMES], lost[:EXTREMES]

    def to_dict(self) -> dict[str, Any]:
        won, lost = self.extremes()
        data: dict[str, Any] = json_safe(
            {
                "games": len(self.plan.games),
                "played": len(self.rows),
                "wanted": self.plan.total,
                "minute": self.plan.minute,
                "opponent": self.plan.opponent,
                "both_seats": self.plan.both_seats,
                "published_sign": self.published_sign,
                "seed": self.plan.seed,
                "run": self.run,
                "agents": [
                    {
                        "agent": one.agent,
                        "payoff": list(one.payoff),
                        **dict(zip(("won", "neither", "lost"), one.outcomes(), strict=True)),
                        "categories": {name: one.winning(name) for name in self.categories},
                        "seconds": sum(one.seconds) / max(1, len(one.seconds)),
                        "most_seconds": max(one.seconds, default=0.0),
                        "overruns": one.overruns,
                        "by_game": one.by_game,
                    }
                    for one in self.standings
                ],
                "won_most": dict(won),
                "lost_most": dict(lost),
                "troubles": [
                    {"number": row.number, "game": row.game, "agent": row.agent, "whose": whose, "cause": cause}
                    for row, whose, cause in self.problems()
                ],
            }
        )
        return data

    def __str__(self) -> str:
        plan = self.plan
        seats = "both seats" if plan.both_seats else "the first seat"
        lines = [
            f"kilothon  {len(plan.games):,} games in {seats}, {plan.minute:g} s per player, against {plan.opponent}",
            f"games     {len(self.rows):,} of {plan.total:,} played",
            "",
            "payoff, 95 % over games        won drawn  lost   seconds    max  agent",
        ]
        for one in self.standings:
            won, drawn, lost = one.outcomes()
            seconds = one.seconds or [0.0]
            lines.append(
                f"{_payoff(one.payoff):29} {won:5,} {drawn:5,} {lost:5,}"
                f" {sum(seconds) / len(seconds):9.2f} {max(seconds):6.2f}  {one.agent}"
            )
        lines += [
            "",
            "share of wins among decided games",
            "  ".join(f"{name:>6}" for name in self.categories) + "  agent",
        ]
        lines += [
            "  ".join(f"{percent(one.winning(name)):>6}" for name in self.categories) + f"  {one.agent}"
            for one in self.standings
        ]
        lines.append("")
        for title, games in zip(("won most", "lost most"), self.extremes(), strict=True):
            lines.append(f"{title:9} " + (", ".join(f"{game} {payoff:+.2f}" for game, payoff in games) or "none"))
        lines += self._problem_lines()
        return "\n".join(lines)

    def _problem_lines(self) -> list[str]:
        found = [f"forfeit   {row.game}, game {row.number}: {whose}: {cause}" for row, whose, cause in self.problems()]
        overrun = [f"overrun   {one.overruns:,} games: {one.agent}" for one in self.standings if one.overruns]
        return [*found, *overrun] or ["forfeits  none; no clock ran out"]


def _payoff(interval: Interval) -> str:
    if not math.isfinite(interval.low):
        return "-" if math.isnan(interval.estimate) else f"{interval.estimate:+z.3f}"
    return f"{interval.estimate:+z.3f} [{interval.low:+z.3f}, {interval.high:+z.3f}]"
