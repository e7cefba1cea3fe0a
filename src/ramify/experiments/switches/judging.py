"""Tests of what the thesis says: each looks at what came out and gives a verdict, or several.

Most look at shares at one number of simulations, where settings differ most. Words without a number have their bounds
here: *about the same* is up to 0.1, *far* is from 0.2 on, *always* is above 0.98.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from ramify.experiments.claims import Verdict, above, below, holds, nothing, within
from ramify.experiments.estimates import share_difference
from ramify.experiments.switches.settings import Setting
from ramify.experiments.switches.view import View

SAME, FAR, ALWAYS = 0.1, 0.2, 0.98

Test = Callable[[View], list[Verdict]]


def each(*tests: Test) -> Test:
    """All of these."""
    return lambda view: [verdict for test in tests for verdict in test(view)]


def better(a: Setting, b: Setting, exponent: int, by: float = 0.0) -> Test:
    """The first returns the best move more often."""
    return lambda view: [above(view.gain(a, b, exponent), by, _gain(a, exponent))]


def worse(a: Setting, b: Setting, exponent: int, by: float = 0.0) -> Test:
    """The first returns the best move less often."""
    return lambda view: [below(view.gain(a, b, exponent), -by, _gain(a, exponent))]


def little_worse(a: Setting, b: Setting, exponent: int) -> Test:
    """The first returns the best move less often, if at all, by less than would be far."""
    return lambda view: [above(view.gain(a, b, exponent), -FAR, _gain(a, exponent))]


def same(a: Setting, b: Setting, exponent: int) -> Test:
    """They return it about as often."""
    return lambda view: [within(view.gain(a, b, exponent), -SAME, SAME, _gain(a, exponent))]


def no_better(a: Setting, b: Setting, exponent: int) -> Test:
    """The first has no noticeable gain."""
    return lambda view: [nothing(view.gain(a, b, exponent), SAME, _gain(a, exponent))]


def about(setting: Setting, exponent: int, share: float) -> Test:
    """The share is about so much."""
    return lambda view: [
        within(view.share(setting, exponent), share - SAME, share + SAME, f"at 2^{exponent} the share")
    ]


def converged(setting: Setting, exponent: int) -> Test:
    """The best move is returned always, or nearly."""
    return lambda view: [above(view.share(setting, exponent), ALWAYS, f"at 2^{exponent} the share{_mu(setting)}")]


def stays_below(setting: Setting, bound: float = ALWAYS) -> Test:
    """It is not returned so often even after the largest number of simulations."""
    return lambda view: [below(view.share(setting, view.last), bound, f"at 2^{view.last} the share{_mu(setting)}")]


def not_converged(setting: Setting, exponent: int) -> Test:
    """It is not yet returned always."""
    return lambda view: [below(view.share(setting, exponent), ALWAYS, f"at 2^{exponent} the share{_mu(setting)}")]


def recovers(setting: Setting, first: int, last: int, by: float) -> Test:
    """It is returned far more often at one number of simulations than at an earlier one."""

    def test(view: View) -> list[Verdict]:
        rise = share_difference(view.share(setting, last), view.share(setting, first))
        return [above(rise, by, f"the rise from 2^{first} to 2^{last}{_mu(setting)}")]

    return test


def rises(setting: Setting, exponent: int) -> Test:
    """It is returned more often at the end than at this number of simulations."""
    return lambda view: recovers(setting, exponent, view.last, 0.0)(view)


def leads(setting: Setting, move: int, others: Iterable[int], first: int, last: int) -> Test:
    """A move is estimated above these others, in the mean over trials, from one number of simulations to another."""

    def test(view: View) -> list[Verdict]:
        view.share(setting, last)  # says where that is too far
        own = view.estimates(setting, move)
        for other in others:
            theirs = view.estimates(setting, other)
            for k in range(first, last + 1):
                if not own[k - 1] > theirs[k - 1]:
                    reason = f"at 2^{k} move {move} is estimated at {own[k - 1]:.3f}, move {other} at"
                    return [holds(False, f"{reason} {theirs[k - 1]:.3f}")]
        return [holds(True, f"the estimate of move {move} is the highest of these from 2^{first} to 2^{last}")]

    return test


def overtakes(setting: Setting, move: int, other: int, first: int, last: int, what: str = "estimate") -> Test:
    """The estimate, or the visits, of a move are above another's for good from between these numbers of simulations."""

    def test(view: View) -> list[Verdict]:
        view.share(setting, last)
        read = view.estimates if what == "estimate" else view.visits
        behind = [
            k
            for k, a, b in zip(view.exponents, read(setting, move), read(setting, other), strict=True)
            if not a > b  # also where one of them is unknown
        ]
        turn = (behind[-1] if behind else 0) + 1
        if turn > view.last:
            return [holds(False, f"the {what} of move {move} is not above that of move {other} within 2^{view.last}")]
        return [
            holds(first <= turn <= last, f"the {what} of move {move} is above that of move {other} from 2^{turn} on")
        ]

    return test


def close(setting: Setting, move: int, other: int, exponent: int, most: float) -> Test:
    """The estimates of two moves differ by at most so much, in the mean over trials."""

    def test(view: View) -> list[Verdict]:
        view.share(setting, exponent)
        gap = view.estimates(setting, move)[exponent - 1] - view.estimates(setting, other)[exponent - 1]
        apart = f"{abs(gap):.3f} {'below' if gap < 0.0 else 'above'}"
        return [holds(abs(gap) <= most, f"at 2^{exponent} move {move} is estimated {apart} move {other}")]

    return test


def faster(speeds: dict[int, int]) -> Test:
    """SOS(n) has more games a second than these."""
    return lambda view: [
        holds(view.speed(n) > old, f"SOS({n}): {view.speed(n):,.0f} games/s, {old:,} in the thesis")
        for n, old in speeds.items()
    ]


def _gain(setting: Setting, exponent: int) -> str:
    return f"at 2^{exponent} the gain{_mu(setting)}"


def _mu(setting: Setting) -> str:
    return f" (μ = {setting.mu})" if setting.errors else f" (SOS({setting.n}))" if setting.n != 10 else ""
