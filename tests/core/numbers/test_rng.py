"""SplitMix64 against published numbers, and the draws made from it against what they promise."""

import numba
import numpy as np
import pytest
from scipy import stats

from ramify.core.numbers import rng
from tests.oracle import naive

# The first five words of SplitMix64 from the raw state 1234567 (Rosetta Code, "Pseudo-random numbers/Splitmix64").
PUBLISHED = [
    6457827717110365317,
    3203168211198807973,
    9817491932198370423,
    4593380528125082431,
    16408922859458223821,
]

LUCKY = 1e-4  # the seeds are fixed, so a test passes always or never; this is how lucky a good generator may be


@numba.njit
def words(state, out):
    for k in range(len(out)):
        out[k] = rng.word(state)


@numba.njit
def numbers_below(state, n, out):
    for k in range(len(out)):
        out[k] = rng.below(state, n)


@numba.njit
def uniforms(state, out):
    for k in range(len(out)):
        out[k] = rng.uniform(state)


@numba.njit
def outcomes(state, weights, out):
    for k in range(len(out)):
        out[k] = rng.weighted(state, weights, len(weights))


def drawn(function, state, *arguments, count, kind=np.int64):
    """``count`` draws by the compiled function, or by the very same function run as Python."""
    out = np.empty(count, kind)
    with np.errstate(over="ignore"):
        function(state, *arguments, out)
    return out


def interpreted(function):
    return getattr(function, "py_func", function)  # the function itself where nothing is compiled


both = pytest.mark.parametrize("mode", [lambda f: f, interpreted], ids=["compiled", "interpreted"])


@both
def test_published_words(mode):
    state = np.array([1234567], np.uint64)
    assert drawn(mode(words), state, count=5, kind=np.uint64).tolist() == PUBLISHED


@pytest.mark.parametrize("seed", [0, 1, 42, -1, 2**63, 2**64 - 1, 2**64, 10**30])
@pytest.mark.parametrize("stream", [0, 1, 2, 1000])
def test_a_generator_starts_where_the_oracle_starts(seed, stream):
    state, slow = rng.generator(seed, stream), naive.Generator(seed, stream)
    assert int(state[0]) == slow.state
    assert drawn(words, state, count=20, kind=np.uint64).tolist() == [slow.word() for _ in range(20)]
    assert int(state[0]) == slow.state


@both
def test_every_draw_is_the_oracles(mode):
    state, slow = rng.generator(3), naive.Generator(3)
    weights = np.array([0.1, 0.2, 0.3, 0.25, 0.15])
    assert drawn(mode(numbers_below), state, 7, count=50).tolist() == [slow.below(7) for _ in range(50)]
    assert drawn(mode(uniforms), state, count=50, kind=float).tolist() == [slow.uniform() for _ in range(50)]
    expected = [slow.weighted(weights.tolist()) for _ in range(50)]
    assert drawn(mode(outcomes), state, weights, count=50).tolist() == expected
    assert int(state[0]) == slow.state


@pytest.mark.parametrize("n", [1, 2, 3, 7, 10, 64, 1000])
def test_below_is_even(n):
    counts = np.bincount(drawn(numbers_below, rng.generator(11), n, count=200_000), minlength=n)
    assert len(counts) == n
    assert stats.chisquare(counts).pvalue > LUCKY if n > 1 else counts[0] == 200_000


@pytest.mark.parametrize("n", [2**31 - 1, 2**30 + 12345])
def test_below_stays_below_large_numbers(n):
    values = drawn(numbers_below, rng.generator(12), n, count=100_000)
    assert values.min() >= 0
    assert values.max() < n
    assert stats.chisquare(np.histogram(values, bins=50, range=(0, n))[0]).pvalue > LUCKY


def test_uniform_is_uniform_and_below_one():
    values = drawn(uniforms, rng.generator(13), count=200_000, kind=float)
    assert values.min() >= 0.0
    assert values.max() < 1.0
    assert stats.kstest(values, "uniform").pvalue > LUCKY


def state_before(word):
    """The state whose next word is ``word``: SplitMix64 backwards."""
    z = word
    for shift, factor in ((31, 0x94D049BB133111EB), (27, 0xBF58476D1CE4E5B9), (30, 1)):
        z ^= (z >> shift) ^ (z >> 2 * shift)
        z = z * pow(factor, -1, 2**64) % 2**64
    return np.array([(z - naive.GOLDEN) % 2**64], np.uint64)


@both
def test_the_largest_word_stays_inside_every_range(mode):
    largest = 2**64 - 1
    assert drawn(mode(words), state_before(largest), count=1, kind=np.uint64).tolist() == [largest]
    assert drawn(mode(uniforms), state_before(largest), count=1, kind=float)[0] == 1.0 - 2.0**-53
    assert drawn(mode(numbers_below), state_before(largest), 10, count=1)[0] == 9
    assert drawn(mode(numbers_below), state_before(largest), 2**31 - 1, count=1)[0] == 2**31 - 2
    assert drawn(mode(outcomes), state_before(largest), np.array([0.1] * 10), count=1)[0] == 9


@pytest.mark.parametrize("weights", [[0.5, 0.5], [0.01, 0.98, 0.01], [0.1] * 10, [1.0]])
def test_outcomes_come_by_their_weights(weights):
    counts = np.bincount(drawn(outcomes, rng.generator(14), np.array(weights), count=200_000), minlength=len(weights))
    assert len(weights) == 1 or stats.chisquare(counts, 200_000 * np.array(weights)).pvalue > LUCKY
    assert counts.sum() == 200_000


def test_an_outcome_of_no_weight_never_comes():
    counts = np.bincount(drawn(outcomes, rng.generator(15), np.array([0.0, 0.4, 0.0, 0.6]), count=50_000))
    assert counts[0] == counts[2] == 0


def test_streams_and_seeds_are_unrelated():
    """No common words, and bits that differ half of the time, between streams of one seed and neighbouring seeds."""
    count = 2000
    sequences = [
        drawn(words, rng.generator(seed, stream), count=count, kind=np.uint64)
        for seed in (0, 1, 2)
        for stream in range(8)
    ]
    assert len(set(np.concatenate(sequences).tolist())) == count * len(sequences)
    for k, one in enumerate(sequences):
        for other in sequences[k + 1 :]:
            differing = np.bitwise_count(one ^ other).sum()
            assert stats.binomtest(int(differing), 64 * count).pvalue > LUCKY / 100  # 276 pairs


def test_a_generator_has_no_hidden_state():
    first, second = rng.generator(5), rng.generator(5)
    drawn(words, rng.generator(6), count=10, kind=np.uint64)
    one = drawn(words, first, count=10, kind=np.uint64)
    assert one.tolist() == drawn(words, second, count=10, kind=np.uint64).tolist()
