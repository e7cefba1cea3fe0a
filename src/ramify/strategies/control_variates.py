"""Bonuses for how a game was won, by control variates: Pepels, Tak, Lanctot and Winands 2014, algorithm 1.

A measure Y of a simulation, its length or the quality of its final position, is compared with its mean among
simulations with the same winner. The difference in standard deviations determines the winner's bonus, which all other
players pay.
"""

from functools import cache
from math import exp, sqrt

import numpy as np

from ramify.core.kernels.compiling import jit, kernel
from ramify.core.kernels.pointers import array, call, record
from ramify.core.search.episode import EPISODE
from ramify.core.search.tree import MAX_PLAYERS
from ramify.core.search.winner import winner_of

MAX_EXPONENT = 40.0  # beyond this the sigmoid is 1 or -1 in double precision, and exp() could overflow
SIGN_ERROR_FROM = 10.0  # |k x| beyond which the table of the paper's program has the wrong sign

# Y among simulations with one winner, in Welford's form: no cancellation, however long the search.
SPREAD = np.dtype([("count", np.float64), ("mean", np.float64), ("squares", np.float64)])

# One bonus. A block is an array of them, applied in order.
BONUS = np.dtype(
    [
        # Settings.
        ("k", np.float64),
        ("a", np.float64),
        ("online", np.int64),
        ("signed", np.int64),
        ("sign_error", np.int64),
        ("quality", np.int64),  # the game's kernel (rules, state, out); 0: the measure is the length
        ("scale", np.float64),  # of the quality: Y = scale * quality + offset
        ("offset", np.float64),
        ("players", np.int64),
        ("links", np.int64),  # number of bonuses in the block
        ("min_samples", np.float64),  # samples of a winner before bonuses apply
        # State of the search.
        ("applies", np.int64),  # whether bonuses apply yet, or samples are only collected
        ("player", np.int64),  # player to move at the root
        ("earlier", np.int64),  # plies of the game before the root, if they count
        ("measured", np.float64),  # output of the game's kernel
        # Centred sums of Y over all winners, of Y_w for the player at the root, and of their products.
        ("count", np.float64),
        ("mean", np.float64),
        ("squares", np.float64),
        ("mean_won", np.float64),
        ("products", np.float64),
        ("winners", SPREAD, (MAX_PLAYERS,)),
    ]
)
BONUS_BYTES = BONUS.itemsize
SPREAD_BYTES = SPREAD.itemsize
MEASURED_AT = BONUS.fields["measured"][1]  # bytes into a bonus
WINNERS_AT = BONUS.fields["winners"][1]
SUMS = ("count", "mean", "squares", "mean_won", "products")  # for a'


@jit
def sigmoid(x, sign_error):
    """Return -1 + 2 / (1 + exp(-x)); with ``sign_error`` the wrong sign for |x| > 10, as in the paper's program."""
    if sign_error and abs(x) > SIGN_ERROR_FROM:
        return -1.0 if x > 0.0 else 1.0
    return -1.0 + 2.0 / (1.0 + exp(-min(max(x, -MAX_EXPONENT), MAX_EXPONENT)))


@jit
def sample(known, y):
    """Add a sample to a SPREAD."""
    known.count += 1.0
    step = y - known.mean
    known.mean += step / known.count
    known.squares += step * (y - known.mean)


@jit
def sample_both(bonus, y, won):
    """Add Y and Y_w to the sums for a'. Y_w is Y if the player at the root won, else 0."""
    bonus.count += 1.0
    step = y - bonus.mean
    step_won = (y if won else 0.0) - bonus.mean_won
    bonus.mean += step / bonus.count
    bonus.mean_won += step_won / bonus.count
    bonus.squares += step * (y - bonus.mean)
    bonus.products += step_won * (y - bonus.mean)


@jit
def weight(bonus):
    """Return ``a``, or half of a' = Cov(Y_w, Y) / Var(Y), because a' is defined for rewards in [-1, 1]."""
    if not bonus.online:
        return bonus.a
    if bonus.squares <= 0.0:
        return 0.0
    slope = 0.5 * bonus.products / bonus.squares
    return slope if bonus.signed else abs(slope)


@jit
def winner_bonus(bonus_, episode, winner):
    """Return the winner's bonus, computed from earlier simulations only; then add this one to the samples."""
    bonus = record(bonus_, BONUS)
    if bonus.quality:
        call(bonus.quality, (episode.rules, episode.state, bonus_ + MEASURED_AT))
        y = bonus.scale * bonus.measured + bonus.offset
    else:
        y = np.float64(episode.depth + episode.plies)
    known = record(bonus_ + WINNERS_AT + winner * SPREAD_BYTES, SPREAD)
    found = 0.0
    if bonus.applies and known.squares > 0.0 and known.count >= bonus.min_samples:
        better = y - known.mean if bonus.quality else known.mean - y
        found = weight(bonus) * sigmoid(bonus.k * (better / sqrt(known.squares / known.count)), bonus.sign_error)
    sample(known, y)
    if bonus.online:
        sample_both(bonus, y + bonus.earlier, winner == bonus.player)
    return found


def reward_by_bonuses(block_, episode_):
    """Add the bonuses to the winner's score and subtract them from all others. Without a winner nothing changes."""
    first = record(block_, BONUS)
    episode = record(episode_, EPISODE)
    scores = array(episode.scores, first.players, np.float64)
    winner = -1 if episode.cut else winner_of(scores, first.players)
    if winner < 0:
        return 0
    for k in range(first.links):
        found = winner_bonus(block_ + k * BONUS_BYTES, episode, winner)
        for player in range(first.players):
            scores[player] += found if player == winner else -found
    return 0


@cache
def bonuses_kernel():
    return kernel(reward_by_bonuses)
