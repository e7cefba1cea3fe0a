"""Root finding by Brent's method."""

from collections.abc import Callable

ABSOLUTE_TOLERANCE = 2e-12
RELATIVE_TOLERANCE = 9e-16


def root(
    function: Callable[[float], float],
    low: float,
    high: float,
    absolute: float = ABSOLUTE_TOLERANCE,
    relative: float = RELATIVE_TOLERANCE,
) -> float:
    """Return the zero of a function that changes sign between ``low`` and ``high``, by Brent's method (1973)."""
    from scipy.optimize import brentq  # noqa: PLC0415  (0.3 s to import, and short matches do not need it)

    return float(brentq(function, low, high, xtol=absolute, rtol=relative))
