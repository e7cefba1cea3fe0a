"""Standings as text and as plain data."""

from __future__ import annotations

import math
from typing import Any

from ramify.arena.matches.tally import Standing
from ramify.arena.statistics.inference import Interval


def percent(value: float) -> str:
    """A score."""
    return "-" if math.isnan(value) else f"{value:.1%}"


def percent_interval(interval: Interval) -> str:
    """An interval of scores."""
    return f"[{percent(interval.low)}, {percent(interval.high)}]"


def signed(value: float) -> str:
    """An Elo difference."""
    return f"{value:+.0f}" if math.isfinite(value) else "-" if math.isnan(value) else f"{'+' if value > 0 else '-'}inf"


def elo_text(interval: Interval) -> str:
    """An Elo difference with its interval."""
    return f"{signed(interval.estimate)} [{signed(interval.low)}, {signed(interval.high)}]"


def duration(seconds: float | None) -> str:
    """A time span for people."""
    if seconds is None or not math.isfinite(seconds):
        return "-"
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"


def test_text(standing: Standing) -> str:
    """Where the sequential test stands; empty without one."""
    test = standing.test
    if test is None:
        return ""
    decision = {"continue": "goes on", "H0": "accepts H0", "H1": "accepts H1"}[test.decision]
    return f"LLR {test.llr:+.2f} [{test.lower:.2f}, {test.upper:.2f}] {decision}"


def standing_lines(standing: Standing) -> list[str]:
    """A match for the terminal."""
    pairing, results = standing.pairing, standing.results
    outcomes = f"{standing.wins:,} won, {standing.draws:,} drawn, {standing.losses:,} lost"
    lines = [
        f"game      {pairing.game}, {pairing.first.limits}",
        f"first     {pairing.first.label}",
        f"second    {pairing.second.label}",
        f"games     {standing.games:,} in {results.pairs:,} pairs: {outcomes}",
        f"score     {percent(standing.score)}  95% {percent_interval(standing.interval)}",
    ]
    if results.pairs:
        superiority = "" if standing.test else f", likelihood of superiority {standing.los:.1%}"
        lines.append(f"elo       {elo_text(standing.elo)}{superiority}")
    if standing.test is not None:
        lines.append(f"test      {test_text(standing)}")
    return lines


def standing_data(standing: Standing) -> dict[str, Any]:
    """A pairing as plain data."""
    pairing, results, test = standing.pairing, standing.results, standing.test
    return {
        "game": pairing.game,
        "first": {"label": pairing.first.label, "agent": pairing.first.agent, "budget": pairing.first.limits.data()},
        "second": {
            "label": pairing.second.label,
            "agent": pairing.second.agent,
            "budget": pairing.second.limits.data(),
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


def plain(value: Any) -> Any:
    """The same data with None for numbers that JSON cannot write."""
    if isinstance(value, dict):
        return {key: plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [plain(item) for item in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value
