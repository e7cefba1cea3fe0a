"""Figures as the papers print them; ``published/README.md`` cites them and lists the slips."""

from __future__ import annotations

import csv
import re
from importlib import resources
from importlib.resources.abc import Traversable

from ramify.errors import RamifyError, nearest
from ramify.experiments.estimates import CONFIDENCE, Estimate
from ramify.statistics.inference import Interval, normal_quantile

FIGURE = re.compile(r"^\s*(-?[\d.]+)\s*(?:±\s*([\d.]+))?\s*$")


def tables() -> list[str]:
    """Names of the tables."""
    return sorted(path.name.removesuffix(".csv") for path in _folder().iterdir() if path.name.endswith(".csv"))


def table(name: str) -> list[dict[str, str]]:
    """A table as rows by heading."""
    if name not in tables():
        raise RamifyError(f"there is no published table '{name}'; {nearest(name, tables())}")
    text = (_folder() / f"{name}.csv").read_text(encoding="utf-8")
    return list(csv.DictReader(text.splitlines()))


def percentage(cell: str) -> Estimate | None:
    """A cell such as ``57.3±4.9``, in percent, as a share with its interval; None where nothing was printed."""
    found = FIGURE.match(cell)
    if found is None:
        return None
    centre, half = float(found[1]) / 100, float(found[2] or 0) / 100
    unit = half / normal_quantile(CONFIDENCE)

    def at(confidence: float) -> Interval:
        wide = unit * normal_quantile(confidence)
        return Interval(centre, centre - wide, centre + wide)

    return Estimate.of(at)


def _folder() -> Traversable:
    return resources.files("ramify.experiments") / "published"
