"""Result of matches between GGP players."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from ramify.arena.managed.managed_plan import ManagedPlan
from ramify.arena.managed.rows import MatchRow
from ramify.old_names import old_members
from ramify.statistics.format import json_safe, percent_interval
from ramify.statistics.inference import Interval, score_interval
from ramify.statistics.pairs import PairedResults


@dataclass(frozen=True)
class ManagedStanding:
    """Results of one player."""

    player: str
    games: int
    goal: float  # mean
    best: int  # matches it won or shared first place in, unless all goals were equal
    seconds: float  # total time to reply
    faults: dict[str, int]


@old_members(data="to_dict")
@dataclass(frozen=True)
class ManagedResult:
    """Result of a run."""

    plan: ManagedPlan
    rows: Sequence[MatchRow]
    run: str | None

    def standings(self) -> list[ManagedStanding]:
        """One per player, in the order of the command."""
        return [self._standing(str(address)) for address in self.plan.addresses]

    def _standing(self, player: str) -> ManagedStanding:
        goals: list[int] = []
        best, seconds, faults = 0, 0.0, Counter[str]()
        for row in self.rows:
            place = row.players.index(player)
            goals.append(row.goals[place])
            best += row.goals[place] == max(row.goals) > min(row.goals)
            seconds += row.seconds[place]
            faults.update(row.faults[place])
        mean = sum(goals) / len(goals) if goals else math.nan
        return ManagedStanding(player, len(goals), mean, best, seconds, dict(faults))

    @property
    def interval(self) -> Interval | None:
        """95 % interval of the first player's score, 1/2 plus half its lead, or None unless there are two players."""
        if len(self.plan.addresses) != 2:
            return None
        first = str(self.plan.addresses[0])
        pairs: dict[int, list[float]] = {}
        for row in sorted(self.rows, key=lambda row: row.number):
            place = row.players.index(first)
            score = 0.5 + (row.goals[place] - row.goals[1 - place]) / 200
            pairs.setdefault((row.number - 1) // 2, []).append(score)
        return score_interval(PairedResults.from_games(pairs.values()))

    def to_dict(self) -> dict[str, Any]:
        data: dict[str, Any] = json_safe(
            {
                "rules": self.plan.rules,
                "start_clock": self.plan.clocks[0],
                "play_clock": self.plan.clocks[1],
                "games": len(self.rows),
                "wanted": self.plan.games,
                "seed": self.plan.seed,
                "run": self.run,
                "interval": list(self.interval) if self.interval else None,
                "players": [vars(standing) for standing in self.standings()],
            }
        )
        return data

    def __str__(self) -> str:
        start, play = self.plan.clocks
        turns = sum(row.turns for row in self.rows)
        lines = [
            f"rules     {self.plan.rules}, start clock {start:g} s, play clock {play:g} s",
            f"games     {len(self.rows):,}, {turns:,} turns",
        ]
        standings = self.standings()
        width = max(len(standing.player) for standing in standings)
        lines.append(f"{'player':{width}}   goal   won  seconds  faults")
        for one in standings:
            goal = "-" if math.isnan(one.goal) else f"{one.goal:.1f}"
            faults = sum(one.faults.values())
            lines.append(f"{one.player:{width}}  {goal:>5} {one.best:5,} {one.seconds:8.1f} {faults:7,}")
        if self.interval is not None and not math.isnan(self.interval.low):
            lines.append(f"score     of the first, 95%: {percent_interval(self.interval)}")
        lines += [
            f"faults    {one.player} {reason}: {count:,}" for one in standings for reason, count in one.faults.items()
        ]
        return "\n".join(lines)
