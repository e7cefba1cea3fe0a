"""Standing of a pairing: numbers, text, plain data."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from ramify.arena.matches.schedule import Pairing
from ramify.statistics.format import elo_line, percent, percent_interval
from ramify.statistics.inference import Interval, anytime_interval, elo, los, score_interval
from ramify.statistics.pairs import PairedResults
from ramify.statistics.ratings import Ratings, bradley_terry
from ramify.statistics.sprt import SprtState


@dataclass(frozen=True)
class Standing:
    """Current result of one pairing."""

    pairing: Pairing
    results: PairedResults
    wins: int  # games of the first agent with a score above 1/2
    draws: int
    losses: int
    test: SprtState | None = None

    @property
    def games(self) -> int:
        return self.results.games

    @property
    def score(self) -> float:
        """Mean score of the first agent, in [0, 1]; NaN before the first game."""
        return self.results.score

    @property
    def interval(self) -> Interval:
        """95 % interval of the expected score. With a sequential test it is valid at any stopping time."""
        return score_interval(self.results) if self.test is None else anytime_interval(self.results)

    @property
    def elo(self) -> Interval:
        """Elo difference with the same interval."""
        return Interval(*(elo(score) for score in self.interval))

    @property
    def los(self) -> float:
        """Likelihood of superiority of the first agent; only valid if the number of games was fixed beforehand."""
        return los(self.results)


def ratings_by_game(standings: Sequence[Standing]) -> dict[str, Ratings]:
    """Ratings per game with at least one finished pair."""
    found: dict[str, Ratings] = {}
    for game in dict.fromkeys(standing.pairing.game for standing in standings):
        results = {
            (standing.pairing.first.label, standing.pairing.second.label): standing.results
            for standing in standings
            if standing.pairing.game == game
        }
        if any(result.pairs for result in results.values()):
            found[game] = bradley_terry(results)
    return found


def test_text(standing: Standing) -> str:
    """State of the sequential test; empty without one."""
    test = standing.test
    if test is None:
        return ""
    decision = {"continue": "continues", "H0": "accepts H0", "H1": "accepts H1"}[test.decision]
    return f"LLR {test.llr:+z.2f} [{test.lower:.2f}, {test.upper:.2f}] {decision}"


def standing_lines(standing: Standing) -> list[str]:
    pairing, results = standing.pairing, standing.results
    outcomes = f"{standing.wins:,} won, {standing.draws:,} drawn, {standing.losses:,} lost"
    lines = [
        f"game      {pairing.game}{'' if pairing.handicap else f', {pairing.first.limits}'}",
        f"first     {pairing.label_of(pairing.first)}",
        f"second    {pairing.label_of(pairing.second)}",
        f"games     {standing.games:,} in {results.pairs:,} pairs: {outcomes}",
        f"score     {percent(standing.score)}  95% {percent_interval(standing.interval)}",
    ]
    if results.pairs:
        superiority = "" if standing.test else f", likelihood of superiority {standing.los:.1%}"
        lines.append(f"elo       {elo_line(standing.elo)}{superiority}")
    if standing.test is not None:
        lines.append(f"test      {test_text(standing)}")
    return lines


def standing_data(standing: Standing) -> dict[str, Any]:
    pairing, results, test = standing.pairing, standing.results, standing.test
    return {
        "game": pairing.game,
        "first": {"label": pairing.first.label, "agent": pairing.first.agent, "budget": pairing.first.limits.to_dict()},
        "second": {
            "label": pairing.second.label,
            "agent": pairing.second.agent,
            "budget": pairing.second.limits.to_dict(),
        },
        "score": standing.score,
        "interval": [standing.interval.low, standing.interval.high],
        "games": standing.games,
        "pairs": results.pairs,
        "wins": standing.wins,
        "draws": standing.draws,
        "losses": standing.losses,
        "pair_scores": [[score, count] for score, count in results.histogram.items()],
        "elo": list(standing.elo) if results.pairs else None,
        "los": standing.los if results.pairs and test is None else None,
        "sprt": None
        if test is None
        else {"llr": test.llr, "lower": test.lower, "upper": test.upper, "decision": test.decision},
    }
