"""Draws against the distributions of SciPy, and the same numbers compiled or not."""

import numba
import numpy as np
import pytest
from scipy import stats

from ramify.core.numbers.draws import argmax, beta, betas, gamma, normal, proportional
from ramify.core.numbers.rng import generator

COUNT = 100_000 if not numba.config.DISABLE_JIT else 500


@numba.njit
def many(which, rng, a, b, out):
    for k in range(len(out)):
        if which == 0:
            out[k] = normal(rng)
        elif which == 1:
            out[k] = gamma(rng, a)
        else:
            out[k] = beta(rng, a, b)


def sample(which, a=0.0, b=0.0, count=COUNT):
    out = np.empty(count)
    many(which, generator(11), a, b, out)
    return out


def plainly(function, *arguments, count=200):
    rng = generator(11)
    with np.errstate(over="ignore"):
        return [function(rng, *arguments) for _ in range(count)]


def test_normal():
    drawn = sample(0)
    assert stats.kstest(drawn, stats.norm.cdf).pvalue > 1e-3
    assert drawn[:200].tolist() == plainly(normal)


def test_the_tail_of_the_normal():
    """Beyond the lowest layer of the ziggurat, where one draw of 1700 lies."""
    far = np.abs(sample(0, count=20 * COUNT))
    far = far[far > 3.442619855899]
    if len(far) > 100:
        assert stats.kstest(far, stats.truncnorm(3.442619855899, np.inf).cdf).pvalue > 1e-3
        assert len(far) / (20 * COUNT) == pytest.approx(2 * stats.norm.sf(3.442619855899), rel=0.15)


@pytest.mark.parametrize("shape", [0.05, 0.7, 1.0, 3.5, 1e6])
def test_gamma(shape):
    drawn = sample(1, shape)
    assert stats.kstest(drawn, stats.gamma(shape).cdf).pvalue > 1e-3
    assert drawn[:200].tolist() == plainly(gamma, shape)


@pytest.mark.parametrize(("a", "b"), [(1.0, 1.0), (0.5, 2.0), (9.6, 1.32), (1.0, 1e6 + 1.0), (4e5, 6e5), (30.0, 0.3)])
def test_beta(a, b):
    drawn = sample(2, a, b)
    assert stats.kstest(drawn, stats.beta(a, b).cdf).pvalue > 1e-3
    assert drawn[:200].tolist() == plainly(beta, a, b)


@numba.njit
def many_at_once(rng, a, b, out):
    betas(rng, a, b, out, len(out))


def test_betas_at_once():
    """Each of several distributions is drawn as by itself, and the same compiled or not."""
    a, b = np.array([1.0, 2.0, 3.0, 9.6, 0.5, 400.0]), np.array([1.0, 1.0, 5.0, 1.32, 2.0, 600.0])
    out = np.empty((COUNT // 4, len(a)))
    rng = generator(12)
    for row in out:
        many_at_once(rng, a, b, row)
    for k in range(len(a)):
        assert stats.kstest(out[:, k], stats.beta(a[k], b[k]).cdf).pvalue > 1e-3
    assert np.abs(np.corrcoef(out.T) - np.eye(len(a))).max() < 5 / np.sqrt(len(out))
    rng, plain = generator(12), np.empty(len(a))
    with np.errstate(over="ignore"):
        for row in out[:100]:
            betas(rng, a, b, plain, len(a))
            assert row.tolist() == plain.tolist()


@pytest.mark.filterwarnings("ignore:invalid value")  # 0 / 0, of which compiled code says nothing
def test_beta_of_tiny_parameters_is_a_coin():
    drawn = sample(2, 1e-4, 3e-4)
    assert np.isfinite(drawn).all()
    assert (drawn > 0.5).mean() == pytest.approx(0.25, abs=5 * np.sqrt(0.19 / COUNT))


def test_argmax_draws_only_among_equals():
    rng = generator(1)
    before = rng.copy()
    with np.errstate(over="ignore"):
        assert argmax(rng, np.array([0.1, 0.7, 0.3]), 3) == 1
        assert rng == before
        found = {argmax(rng, np.array([0.7, 0.1, 0.7]), 3) for _ in range(50)}
    assert found == {0, 2}


def test_proportional():
    rng = generator(1)
    weights = np.array([0.0, 3.0, 1.0, 0.0])
    with np.errstate(over="ignore"):
        counts = np.bincount([proportional(rng, weights, 4) for _ in range(4000)], minlength=4)
    assert counts[0] == counts[3] == 0
    assert counts[1] == pytest.approx(3000, abs=140)
