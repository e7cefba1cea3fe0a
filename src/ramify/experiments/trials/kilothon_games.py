"""Kilothon games as the work of a point."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass

from ramify.arena.kilothon.contest_game import load_all, play
from ramify.arena.kilothon.kilothon_plan import STOCK
from ramify.arena.kilothon.rows import KilothonRow, KilothonSpec
from ramify.experiments.framework.work import Sums, Work
from ramify.runs.seeds import derive


@dataclass(frozen=True)
class KilothonGames(Work):
    """An agent at one game of the contest; a trial is one game.

    Sums: payoff; games won, even, lost and failed; seconds of the agent; overruns of the agent and of both players;
    causes of forfeits.
    """

    stored_form = "KilothonGames(game, category, agent, minute)"

    game: str
    category: str
    agent: str
    minute: float

    def texts(self) -> Sequence[str]:
        return (self.game, self.agent)

    def spec(self, seed: int, trial: int) -> KilothonSpec:
        return KilothonSpec(trial + 1, self.game, self.category, self.agent, STOCK, 0, self.minute, derive(seed, trial))

    def prepare(self) -> None:
        """Do nothing: a game that cannot be loaded must not stop the others."""

    def run(self, seed: int, first: int, count: int) -> Sums:
        """Play ``count`` games."""
        rows: list[KilothonRow] = []
        for trial in range(first, first + count):
            spec = self.spec(seed, trial)
            if not rows:
                with suppress(Exception):  # load before any clock runs; playing reports what cannot be loaded
                    load_all(spec)
            rows.append(play(spec))
        counted = [row for row in rows if row.counts]
        causes: dict[str, int] = {}
        for row in rows:
            for seat, reason in enumerate(row.faults):
                if reason:
                    whose = "" if not row.counts else "challenger: " if seat == row.seat else "opponent: "
                    causes[whose + reason] = causes.get(whose + reason, 0) + 1
        return {
            "payoff": sum(row.payoff for row in counted),
            "won": sum(row.payoff > 0 for row in counted),
            "even": sum(row.payoff == 0 for row in counted),
            "lost": sum(row.payoff < 0 for row in counted),
            "failed": len(rows) - len(counted),
            "seconds": sum(row.seconds[row.seat] for row in counted),
            "overruns": [sum(row.overruns[row.seat] for row in counted), sum(sum(row.overruns) for row in counted)],
            "causes": causes,
        }
