"""Result of a tuning: trials, the best of them, and its confirmation by fresh games."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from ramify.arena.matches.schedule import Pairing
from ramify.arena.matches.standing import Standing, standing_data
from ramify.arena.tuning.response_surface import ResponseSurface
from ramify.arena.tuning.space import Space, Value
from ramify.grammar import Call
from ramify.old_names import old_members
from ramify.statistics.format import elo_line, json_safe, percent, percent_interval
from ramify.statistics.inference import Interval, normal_quantile


@dataclass(frozen=True)
class Trial:
    """One candidate, evaluated by its own games."""

    number: int  # from 1
    agent: str
    values: dict[str, Value]
    standing: Standing


def best_trial(space: Space, trials: Sequence[Trial]) -> tuple[Trial, Interval]:
    """Return the trial where the response surface is highest, and its value there.

    The highest raw score would mostly be the luckiest one.
    """
    points = [space.coordinates(trial.values) for trial in trials]
    means, deviations = ResponseSurface(points, [trial.standing.results for trial in trials])(points)
    at = int(means.argmax())
    half = normal_quantile(0.95) * float(deviations[at])
    mean = float(means[at])
    return trials[at], Interval(mean, max(0.0, mean - half), min(1.0, mean + half))


@old_members(data="to_dict")
@dataclass(frozen=True)
class TuneResult:
    """Result of a tuning; scores are the candidates', in [0, 1]."""

    pairing: Pairing  # its first agent has the ranges
    space: Space
    trials: tuple[Trial, ...]
    confirmation: Standing | None  # fresh games of the best trial
    wanted: int
    confirmed: bool  # whether all requested fresh games were played
    seed: int
    run: str | None

    @property
    def best(self) -> Trial:
        """Trial where the response surface is highest."""
        return best_trial(self.space, self.trials)[0]

    @property
    def stopped(self) -> str:
        """ "trials", or "interrupted" if trials or fresh games are missing."""
        return "trials" if len(self.trials) == self.wanted and self.confirmed else "interrupted"

    def to_dict(self) -> dict[str, Any]:
        found: dict[str, Any] = {"best": None}
        if self.trials:
            best, smooth = best_trial(self.space, self.trials)
            found["best"] = {"trial": best.number, "agent": best.agent, "smooth": list(smooth)}
        data: dict[str, Any] = json_safe(
            {
                "game": self.pairing.game,
                "tuned": str(self.space),
                "against": self.pairing.second.agent,
                "budget": self.pairing.first.limits.to_dict(),
                "budget_against": self.pairing.second.limits.to_dict(),
                "trials": [
                    {"trial": trial.number, "values": _plain_values(trial.values), **standing_data(trial.standing)}
                    for trial in self.trials
                ],
                **found,
                "confirmation": None if self.confirmation is None else standing_data(self.confirmation),
                "seed": self.seed,
                "stopped": self.stopped,
                "run": self.run,
            }
        )
        return data

    def __str__(self) -> str:
        lines = [
            f"game      {self.pairing.game}{'' if self.pairing.handicap else f', {self.pairing.second.limits}'}",
            f"tuned     {self.pairing.label_of(self.pairing.first)}",
            f"against   {self.pairing.label_of(self.pairing.second)}",
            f"trials    {len(self.trials)} of {self.wanted}",
        ]
        if self.trials:
            best, smooth = best_trial(self.space, self.trials)
            own = best.standing
            lines += [
                f"best      {best.agent}, trial {best.number}",
                f"smooth    {_score(smooth)} by the response surface of all trials",
                f"own       {_score(own.interval)} in its own {own.games:,} games, biased upwards by the selection",
            ]
        if self.confirmation is not None:
            fresh = self.confirmation
            lines += [
                f"fresh     {_score(fresh.interval)} in {fresh.games:,} fresh games: report this figure",
                f"elo       {elo_line(fresh.elo)}, from the fresh games",
            ]
        return "\n".join(lines)


def _score(interval: Interval) -> str:
    return f"{percent(interval.estimate)}  95% {percent_interval(interval)}"


def _plain_values(values: dict[str, Value]) -> dict[str, Any]:
    return {name: str(value) if isinstance(value, Call) else value for name, value in values.items()}
