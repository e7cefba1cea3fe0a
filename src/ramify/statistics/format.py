"""Scores, intervals and Elo as text, and numbers that JSON can write."""

from __future__ import annotations

import math
from typing import Any

from ramify.statistics.inference import Interval


def percent(value: float) -> str:
    """A score."""
    return "-" if math.isnan(value) else f"{value:.1%}"


def percent_interval(interval: Interval) -> str:
    """An interval of scores."""
    return f"[{percent(interval.low)}, {percent(interval.high)}]"


def signed(value: float) -> str:
    """An Elo difference."""
    if math.isfinite(value):
        return f"{value:+z.0f}"  # z: never -0
    return "-" if math.isnan(value) else f"{'+' if value > 0 else '-'}inf"


def elo_text(interval: Interval) -> str:
    """An Elo difference with its interval."""
    return f"{signed(interval.estimate)} [{signed(interval.low)}, {signed(interval.high)}]"


def is_finite(interval: Interval) -> bool:
    """Whether there were enough games for a finite number at both ends and between."""
    return all(math.isfinite(end) for end in interval)


def elo_line(interval: Interval) -> str:
    """An Elo difference with its interval, and with a word of warning where it is infinite."""
    return elo_text(interval) if is_finite(interval) else f"{elo_text(interval)}, too few games"


def json_safe(value: Any) -> Any:
    """The same data with None for numbers that JSON cannot write."""
    if isinstance(value, dict):
        return {key: json_safe(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [json_safe(item) for item in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value
