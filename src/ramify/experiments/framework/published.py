"""Published figures: the papers' tables, in the papers' folders. ``papers/README.md`` cites them and lists slips."""

from __future__ import annotations

import csv
import re
from functools import cache
from importlib import resources
from importlib.resources.abc import Traversable

from ramify.errors import RamifyError, suggestion
from ramify.experiments.framework.estimates import CONFIDENCE, Estimate
from ramify.statistics.inference import Interval, normal_quantile

FIGURE = re.compile(r"^\s*(-?[\d.]+)\s*(?:±\s*([\d.]+))?\s*$")


def tables() -> list[str]:
    """Return the names of all tables."""
    return sorted(_files())


def table(name: str) -> list[dict[str, str]]:
    """Return the rows of a table as dictionaries."""
    if name not in _files():
        raise RamifyError(f"unknown published table '{name}': {suggestion(name, tables())}")
    text = _files()[name].read_text(encoding="utf-8")
    return list(csv.DictReader(text.splitlines()))


def percentage(cell: str) -> Estimate | None:
    """Parse a cell such as ``57.3±4.9`` (percent) into a share with its interval, or None if the cell has no figure."""
    found = FIGURE.match(cell)
    if found is None:
        return None
    centre, half = float(found[1]) / 100, float(found[2] or 0) / 100
    unit = half / normal_quantile(CONFIDENCE)

    def at(confidence: float) -> Interval:
        wide = unit * normal_quantile(confidence)
        return Interval(centre, centre - wide, centre + wide)

    return Estimate.from_function(at)


@cache
def _files() -> dict[str, Traversable]:
    folders = (one for one in resources.files("ramify.experiments.papers").iterdir() if one.is_dir())
    paths = (path for folder in folders for path in folder.iterdir() if path.name.endswith(".csv"))
    return {path.name.removesuffix(".csv"): path for path in paths}
