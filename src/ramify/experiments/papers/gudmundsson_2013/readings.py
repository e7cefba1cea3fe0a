"""Other readings of section 4.1, measured beside ours.

The paper does not say whether both policies met the same random numbers (nothing suggests it), what a pull of an arm
with mean M pays, or whether the number of winners is fixed. Our reading: the same random numbers, rewards of 1 with
probability M and 0 otherwise, and a fixed number.
"""

from __future__ import annotations

from typing import Any

from ramify.experiments.framework.estimates import Estimate, format_interval, mean, mean_difference
from ramify.experiments.framework.experiment import Point, Results
from ramify.experiments.framework.findings import DataTable
from ramify.experiments.papers.gudmundsson_2013.gains import Gains
from ramify.experiments.papers.gudmundsson_2013.path_trials import PULLS, OtherReading, key

INDEPENDENT = "own luck"  # names of readings are in stored keys
READINGS: dict[str, dict[str, Any]] = {
    INDEPENDENT: {"independent": True},
    "normal rewards, sd 0.1": {"deviation": 0.1},
    "normal rewards, sd 1": {"deviation": 1.0},
    "binomial winners": {"binomial": True},
}


def reading_text(reading: str) -> str:
    """Return the name of a reading in reports."""
    return "independent" if reading == INDEPENDENT else reading


def reading_points(settings: list[tuple[int, float]], models: int, tasks: int, every: int) -> list[Point]:
    """Return a point per reading and setting. Readings that do not change the bandits share them."""
    return [
        Point(key(*setting, reading), OtherReading(*setting, tasks, every, **switches), models, stream=key(*setting))
        for setting in settings
        for reading, switches in READINGS.items()
    ]


def overall(one: Gains) -> Estimate:
    """Mean gain over all pulls."""
    return mean(one.between(0, PULLS), grain=one.grain)


def two_groups(one: Gains) -> Estimate:
    """Mean gain over all pulls, with the interval of two independent groups."""
    return mean_difference(one.st.mean(axis=1), one.uct.mean(axis=1))


def reading_table(results: Results, setting: tuple[int, float], at: int) -> DataTable:
    """Return the gains of ST by reading, after ``at`` pulls and over all pulls."""
    rows = [_row("ours", Gains.from_results(results, setting), at)]
    for reading in READINGS:
        one = Gains.from_results(results, setting, reading)
        rows.append(_row(f"{reading_text(reading)}, by bandit" if reading == INDEPENDENT else reading, one, at))
        if reading == INDEPENDENT:
            here = one.checkpoints == at
            rows.append(
                [
                    f"{reading_text(reading)}, two groups",
                    format_interval(
                        mean_difference(one.st[:, here].reshape(-1), one.uct[:, here].reshape(-1)), sign=True
                    ),
                    format_interval(two_groups(one), 4, sign=True),
                ]
            )
    return DataTable(f"ST minus UCT, {key(*setting)}", ["reading", f"after {at:,} pulls", "over all pulls"], rows)


def _row(name: str, one: Gains, at: int) -> list[str]:
    return [name, format_interval(one.at(at, one.gain), sign=True), format_interval(overall(one), 4, sign=True)]
