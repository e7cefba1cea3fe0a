"""Pearson's chi-square tests of counts (K. Pearson, Philosophical Magazine 50, 1900), as p values."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np

BINS = 12  # classes, if there are more distinct results


def uniformity_p(counts: Sequence[int]) -> float:
    """Return the p value of the hypothesis that all classes are equally likely."""
    expected = sum(counts) / len(counts)
    square = sum((count - expected) ** 2 for count in counts) / expected
    return chi_square_tail(square, len(counts) - 1)


def homogeneity_p(one: Sequence[tuple[float, ...]], two: Sequence[tuple[float, ...]]) -> float:
    """Return the p value of the hypothesis that two samples of equal size have the same distribution.

    More than `BINS` distinct results are binned by their first number into classes of equal size.
    """
    if len({*one, *two}) > BINS:
        edges = np.unique(np.quantile([scores[0] for scores in (*one, *two)], np.linspace(0, 1, BINS + 1)[1:-1]))
        one, two = ([(float(np.searchsorted(edges, scores[0])),) for scores in sample] for sample in (one, two))
    first, second = Counter(one), Counter(two)
    classes = first.keys() | second.keys()
    if len(classes) < 2:
        return 1.0
    square = sum((first[k] - second[k]) ** 2 / (first[k] + second[k]) for k in classes)
    return chi_square_tail(square, len(classes) - 1)


def chi_square_tail(square: float, degrees: int) -> float:
    """Return the probability that chi-square with ``degrees`` degrees of freedom is at least ``square``."""
    from scipy.special import chdtrc  # noqa: PLC0415  (0.1 s to import, too slow for loading a game)

    return float(chdtrc(degrees, square))
