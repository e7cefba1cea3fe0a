"""Helpers of the studies at equal time: pooled pairs of several games, and texts of times."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from ramify.statistics.pairs import PairedResults


def pooled(parts: Iterable[PairedResults]) -> PairedResults:
    """Pool the pairs of several games."""
    counts: Counter[float] = Counter()
    for part in parts:
        counts.update(part.histogram)
    scores = sorted(counts)
    return PairedResults(tuple(scores), tuple(counts[score] for score in scores))


def time_text(seconds: float) -> str:
    """Format a time. Keys of points contain it, so the text never changes."""
    return f"{seconds:g} s" if seconds >= 1 else f"{1000 * seconds:g} ms"
