"""Formulas of the papers, written down again in NumPy: arrays over arms in, indices or chances out."""

import numpy as np
from scipy import special


def ucb1(N, K, n, m, s, c=0.7):
    return m + c * np.sqrt(np.log(N) / n)


def ucb1_tuned(N, K, n, m, s):
    variance = s**2 + np.sqrt(2 * np.log(N) / n)
    return m + np.sqrt(np.minimum(1 / 4, variance) * np.log(N) / n)


def ucb_v(N, K, n, m, s, c=1.0, z=1.0):
    return m + np.sqrt(2 * s**2 * z * np.log(N) / n) + c * 3 * z * np.log(N) / n


def ucb_minimal(N, K, n, m, s, c1=2.5, c2=1.0):
    return m + c1 / n**c2


def ucb_sqrt(N, K, n, m, s, c=2**-0.5):
    return m + c * np.sqrt(2 * np.sqrt(N) / n)


def moss(N, K, n, m, s, as_printed=False):
    if as_printed:  # Perick et al. 2012
        return m + np.sqrt(np.maximum(np.log(n / (K * N)), 0) / N)
    return m + np.sqrt(np.maximum(np.log(N / (K * n)), 0) / n)


def sufficiency(N, K, n, m, s, c=0.4, alpha=0.6):
    if (m > alpha).any():
        c = 0.0
    return m + c * np.sqrt(np.log(N) / n)


def urgency(v, s):
    """U = erfc((v0 - v) / (sqrt 2 s)); where s is 0, 1 for the best and 0 for others."""
    short = v.max() - v
    with np.errstate(divide="ignore", invalid="ignore"):
        u = special.erfc(short / (np.sqrt(2) * s))
    return np.where(s > 0, u, np.where(short > 0, 0.0, 1.0))


def floored(s, n, floor):
    """Coulom 2006: the deviation of n rewards and of one more, which is 1 away from their mean."""
    return np.sqrt((n * s**2 + 1.0) / (n + 1)) if floor else s


def omc(N, K, n, m, s, value="mean", floor=False):
    u = urgency(m * n if value == "total" else m, floored(s, n, floor))
    return N * u / (n * u.sum())


def omc_stochastic(N, K, n, m, s, value="mean", floor=False):
    u = urgency(m * n if value == "total" else m, floored(s, n, floor))
    return u / u.sum()


def pbbm(N, K, n, m, s, value="mean", floor=False):
    s = floored(s, n, floor)
    v = m * n if value == "total" else m
    first = np.argmax(v)
    short = v[first] - v
    width = np.sqrt(2 * (s[first] ** 2 + s**2))
    with np.errstate(divide="ignore", invalid="ignore"):
        weights = np.exp(-2.4 * short / width)
    weights = np.where(width > 0, weights, np.where(short > 0, 0.0, 1.0))
    return weights / weights.sum()


def exp3(weights, g=0.5, eta=None):
    eta = g / len(weights) if eta is None else eta
    return (1 - g) * special.softmax(eta * weights) + g / len(weights)


def regret_matching(regrets, g=0.1):
    positive = np.maximum(regrets, 0)
    even = np.full(len(regrets), 1 / len(regrets))
    return (1 - g) * (positive / positive.sum() if positive.sum() > 0 else even) + g / len(regrets)


def kl(p, q):
    return special.rel_entr(p, q) + special.rel_entr(1 - p, 1 - q)


def kl_ucb(N, K, n, m, s, c=0.0):
    """By bisection, to the last bits."""
    allowed = (np.log(N) + c * np.log(max(np.log(N), 1.0))) / n
    low, high = m.copy(), np.ones_like(m)
    for _ in range(80):
        middle = (low + high) / 2
        inside = kl(m, middle) <= allowed
        low, high = np.where(inside, middle, low), np.where(inside, high, middle)
    return low


def ucb1_parent(N, K, n, m, s, c=0.5**0.5):
    parent = (n * np.where(n > 0, m, 0.0)).sum() / n.sum() if n.sum() else 0.5
    return np.where(n > 0, m, parent) + c * np.sqrt(np.log(N) / np.maximum(n, 1))


def puct(N, K, n, m, s, c=1.25, fpu=0.5, priors=None):
    priors = np.full(len(n), 1 / len(n)) if priors is None else priors
    return np.where(n > 0, m, fpu) + c * priors * np.sqrt(N) / (1 + n)


def progressive_bias(N, K, n, m, s, c=0.7, weight=1.0, fpu=10_000.0, priors=None):
    """Chaslot et al. 2008: UCB1 and H / (n + 1)."""
    priors = np.full(len(n), 1 / len(n)) if priors is None else priors
    with np.errstate(divide="ignore"):
        bound = np.where(n > 0, m, 0.0) + c * np.sqrt(np.log(N) / np.maximum(n, 1))
    return np.where(n > 0, bound, fpu) + weight * priors / (n + 1)


def discounted(pulls, rewards, count, decay):
    """Visits and rewards of each arm, where a pull t visits ago counts decay^t."""
    fade = decay ** np.arange(len(pulls))[::-1]
    return (
        np.array([fade[pulls == k].sum() for k in range(count)]),
        np.array([(fade * rewards)[pulls == k].sum() for k in range(count)]),
    )


def mixed(n, x, S, y, initial, final):
    """Mean and RAVE mean, weighted; what is unknown weighs nothing. SPEC: (n X + W Y) / (n + W)."""
    W = S * final * initial / (final + initial * S)
    return (n * x + W * y) / (n + W)


def parted(n, t, S, R):
    """X = t / n and Y = R / S; where a count is 0 the number does not matter, and is 0."""
    return t / np.where(n > 0, n, 1), R / np.where(S > 0, S, 1)


def bonus(N, n, c):
    return c * np.sqrt(np.log(N) / (n + 1))


def rave(N, n, t, S, R, initial=1.0, final=32768.0, c=0.7):
    x, y = parted(n, t, S, R)
    return mixed(n, x, S, y, initial, final) + bonus(N, n, c)


def rave_max(N, n, t, S, R, initial=1.0, final=32768.0, c=0.7):
    x, y = parted(n, t, S, R)
    return mixed(n, x, S, np.maximum(y, x), initial, final) + bonus(N, n, c)


def rave_only(N, n, t, S, R, c=0.7):
    return parted(n, t, S, R)[1] + bonus(N, n, c)


def rave_doubt(N, n, t, S, R, initial=1.0, final=32768.0, c=0.7, z=1.0):
    x, y = parted(n, t, S, R)
    known = (n > 0) & (S > 0)  # else there is nothing to doubt
    apart = np.maximum((y - x) ** 2 - z / n - z / S, 0.0)
    W = S / (1 / initial + S / final + 4 * S * np.where(known, apart, 0.0))
    return (n * x + W * y) / (n + W) + bonus(N, n, c)


def grave(N, n, t, S, R, ref=50.0, initial=1.0, final=32768.0, c=0.0):
    x, y = parted(n, t, S, R)
    return mixed(n, x, S, y, initial, final) + bonus(N, n, c)


def mc_grave(N, n, t, S, R, ref=100.0, bias=1e-5):
    """Cazenave 2015: (1 - beta) mean + beta AMAF."""
    x, y = parted(n, t, S, R)
    beta = S / (S + n + bias * S * n)
    return (1 - beta) * x + beta * y


def uct_fuego(N, n, t, S, R, c=0.7):
    return t / n + bonus(N, n, c)


def round_robin(N, K, n, m, s):
    return -np.asarray(n, float)


def gumbel(n, m, priors, c_visit=50.0, c_scale=1.0):
    """Danihelka et al. 2022, equations 7, 8, 10, 11 and 33: improved policy less the share of visits.

    The value of the network is the mean of all visits here; it is of no consequence before there are any.
    """
    logits = np.log(np.maximum(priors, 2.0**-126))
    tried = n > 0
    completed = np.zeros(len(n))
    if tried.any():
        network = (n * m)[tried].sum() / n.sum()
        average = (priors * m)[tried].sum() / priors[tried].sum()
        mixed = (network + n.sum() * average) / (1 + n.sum())
        completed = np.where(tried, np.where(tried, m, 0), mixed)
    policy = special.softmax(logits + (c_visit + n.max()) * c_scale * completed)
    return policy - n / (1 + n.sum())
