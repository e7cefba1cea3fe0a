"""Formats scores, intervals and Elo as text, and makes data safe for JSON."""

from __future__ import annotations

import math
from typing import Any

from ramify.statistics.inference import Interval


def percent(value: float) -> str:
    return "-" if math.isnan(value) else f"{value:.1%}"


def percent_interval(interval: Interval) -> str:
    return f"[{percent(interval.low)}, {percent(interval.high)}]"


def signed(value: float) -> str:
    """Format an Elo difference with its sign, rounded to an integer."""
    if math.isfinite(value):
        return f"{value:+z.0f}"  # z: no negative zero
    return "-" if math.isnan(value) else f"{'+' if value > 0 else '-'}inf"


def elo_text(interval: Interval) -> str:
    return f"{signed(interval.estimate)} [{signed(interval.low)}, {signed(interval.high)}]"


def is_finite(interval: Interval) -> bool:
    """Return whether the estimate and both ends are finite."""
    return all(math.isfinite(end) for end in interval)


def elo_line(interval: Interval) -> str:
    """Format an Elo difference with its interval, adding "too few games" if it is not finite."""
    return elo_text(interval) if is_finite(interval) else f"{elo_text(interval)}, too few games"


def json_safe(value: Any) -> Any:
    """Replace NaN and infinities, which JSON cannot represent, by None."""
    if isinstance(value, dict):
        return {key: json_safe(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [json_safe(item) for item in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value
