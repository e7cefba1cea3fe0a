"""Positions of GDL games as text: the true fluents in sorted order."""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import groupby

from ramify.ggp.kif import Term, write
from ramify.ggp.rules import relation

WIDTH = 78


def fluents_text(fluents: Iterable[Term]) -> str:
    """Return the fluents as lines of at most WIDTH columns, one relation per block. Numbers sort numerically."""
    lines = []
    for _, kind in groupby(sorted(fluents, key=_order), key=relation):
        line = ""
        for fluent in map(write, kind):
            if line and len(line) + 1 + len(fluent) > WIDTH:
                lines.append(line)
                line = ""
            line += (" " if line else "") + fluent
        lines.append(line)
    return "\n".join(lines)


def _order(fluent: Term) -> tuple[str, list[tuple[int, str]]]:
    """Return a key that sorts numbers by value, however long they are."""
    parts = re.findall(r"0*([0-9]+)|([^0-9]+)", write(fluent))
    return relation(fluent), [(len(number), number) if number else (-1, text) for number, text in parts]
