"""How a pairing stands: as numbers, as text, as plain data."""

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
    """How one pairing stands."""

    pairing: Pairing
    results: PairedResults
    wins: int  # games of the first agent with a score above 1/2
    draws: int
    losses: int
    test: SprtState | None = None

    @property
    def games(self) -> int:
        """Games counted."""
        return self.results.games

    @property
    def score(self) -> float:
        """Of the first agent, 0 to 1; not a number before the first game."""
        return self.results.score

    @property
    def interval(self) -> Interval:
        """95 % for the expected score; with a sequential test, one that holds although the test chose when to stop."""
        return score_interval(self.results) if self.test is None else anytime_interval(self.results)

    @property
    def elo(self) -> Interval:
        """The lead in Elo, by the same interval."""
        return Interval(*(elo(score) for score in self.interval))

    @property
    def los(self) -> float:
        """The likelihood that the first agent is the stronger one, in a match whose length was fixed beforehand."""
        return los(self.results)


def ratings_by_game(standings: Sequence[Standing]) -> dict[str, Ratings]:
    """Ratings of the pool at each game where a pair was finished."""
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
    """Where the sequential test stands; empty without one."""
    test = standing.test
    if test is None:
        return ""
    decision = {"continue": "goes on", "H0": "accepts H0", "H1": "accepts H1"}[test.decision]
    return f"LLR {test.llr:+z.2f} [{test.lower:.2f}, {test.upper:.2f}] {decision}"


def standing_lines(standing: Standing) -> list[str]:
    """A match for the terminal."""
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
    """A pairing as plain data."""
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
