"""The tests of counts against SciPy's."""

import numpy as np
import pytest
from scipy.stats import chi2, chi2_contingency, chisquare

from ramify.statistics.chi_square import BINS, chi_square_tail, homogeneity_p, uniformity_p


@pytest.mark.parametrize(("square", "degrees"), [(0.0, 1), (3.2, 1), (14.0, 2), (30.0, 7), (120.0, 60), (900.0, 5)])
def test_the_tail_is_that_of_the_distribution(square, degrees):
    assert chi_square_tail(square, degrees) == pytest.approx(chi2.sf(square, degrees))


@pytest.mark.parametrize("counts", [[100, 103, 98], [100, 200], [50, 50], [9, 12, 30, 11, 8]])
def test_even_counts(counts):
    assert uniformity_p(counts) == pytest.approx(chisquare(counts).pvalue)


def test_two_samples_of_few_results():
    one = [(1.0, 0.0)] * 60 + [(0.0, 1.0)] * 30 + [(0.5, 0.5)] * 10
    two = [(1.0, 0.0)] * 45 + [(0.0, 1.0)] * 52 + [(0.5, 0.5)] * 3
    expected = chi2_contingency([[60, 30, 10], [45, 52, 3]], correction=False).pvalue
    assert homogeneity_p(one, two) == pytest.approx(expected)
    assert homogeneity_p(one[:50], one[:50]) == 1.0


def test_many_results_are_compared_in_classes():
    rng = np.random.default_rng(1)
    one, two = ([(value,) for value in rng.random(2000)] for _ in range(2))
    assert len({*one, *two}) > BINS
    assert homogeneity_p(one, two) > 1e-3
    assert homogeneity_p(one, [(value**2,) for (value,) in two]) < 1e-9
