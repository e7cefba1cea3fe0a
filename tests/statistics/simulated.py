"""Simulated matches: pairs of games with known expected score and known dependence between the two games."""

from functools import cache

import numpy as np
from hypothesis import settings

from ramify.statistics.pairs import PairedResults

SCORES = np.linspace(0, 1, 5)
KINDS = ("independent", "repeated", "cancelling", "drawn")

seeded = settings(derandomize=True, deadline=None)
seeded_few = settings(seeded, max_examples=15)


def pentanomial(kind, score):
    """The probabilities of the five pair scores; `score`, at least 1/2, is their exact mean.

    independent: decisive games that know nothing of each other; repeated: the second game repeats the first's result
    half the time; cancelling: half the time an opening decides one game for either side; drawn: most games are draws.
    """
    win, loss = score, 1 - score
    independent = np.array([loss * loss, 0, 2 * win * loss, 0, win * win])
    if kind == "repeated":
        return (independent + np.array([loss, 0, 0, 0, win])) / 2
    if kind == "cancelling":
        return (independent + np.array([0, 0, 2 * loss, 0, win - loss])) / 2
    if kind == "drawn":
        draw = 1.6 * loss
        win, loss = score - draw / 2, loss - draw / 2
        return np.array([loss**2, 2 * loss * draw, 2 * win * loss + draw**2, 2 * win * draw, win**2])
    return independent


def of(*counts):
    """Results with these five counts."""
    return PairedResults.from_counts(counts)


def covered(interval, n, kind, score, truth, samples, seed):
    """How often the interval of n pairs holds the truth; equal samples are computed once."""
    drawn = np.random.default_rng(seed).multinomial(n, pentanomial(kind, score), size=samples)
    distinct, weights = np.unique(drawn, axis=0, return_counts=True)
    ends = np.array([interval(of(*counts.tolist()))[1:] for counts in distinct])
    return float(weights @ ((ends[:, 0] <= truth + 1e-9) & (truth - 1e-9 <= ends[:, 1])) / samples)


def played(test, probabilities, runs, seed, longest=3000):
    """How often a test accepts H1, how often H0, and after how many pairs on average."""
    decide = cache(lambda counts: test.decide(of(*counts)))
    accepted, length = {"H0": 0, "H1": 0}, 0
    for draws in np.random.default_rng(seed).choice(5, size=(runs, longest), p=probabilities):
        counts = [0] * 5
        for category in draws.tolist():
            counts[category] += 1
            length += 1
            decision = decide(tuple(counts))
            if decision != "continue":
                accepted[decision] += 1
                break
    return accepted["H1"] / runs, accepted["H0"] / runs, length / runs
