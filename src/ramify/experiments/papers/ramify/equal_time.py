"""What studies at equal time share: the pairs of several games together, and times in words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from ramify.statistics.pairs import PairedResults


def pooled(parts: Iterable[PairedResults]) -> PairedResults:
    """Pairs of several games together."""
    counts: Counter[float] = Counter()
    for part in parts:
        counts.update(part.histogram)
    scores = sorted(counts)
    return PairedResults(tuple(scores), tuple(counts[score] for score in scores))


def time_text(seconds: float) -> str:
    """A time as one says it; keys of points have it, so its words never change."""
    return f"{seconds:g} s" if seconds >= 1 else f"{1000 * seconds:g} ms"
