"""Where a function is zero."""

from collections.abc import Callable

ABSOLUTE_TOLERANCE = 2e-12
RELATIVE_TOLERANCE = 9e-16


def root(
    function: Callable[[float], float],
    low: float,
    high: float,
    close: float = ABSOLUTE_TOLERANCE,
    relative: float = RELATIVE_TOLERANCE,
) -> float:
    """The place between ``low`` and ``high`` where the function changes its sign, by Brent's method (1973)."""
    from scipy.optimize import brentq  # noqa: PLC0415  (0.3 s to import, and short matches need no root)

    return float(brentq(function, low, high, xtol=close, rtol=relative))
