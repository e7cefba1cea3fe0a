"""The papers' statements as data: ``statements.toml`` in the folder of each paper, in the order of the paper.

A statement has an id and says what the paper says, where, and whether that is an *effect* or a *null* (no clear
difference). It counts once, however many claims test it. The files are committed before the trials that test them.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from ramify.errors import RamifyError, suggestion
from ramify.experiments.framework.claims import EFFECT, NULL, Source

PAPERS = Path(__file__).parents[1] / "papers"
FILE = "statements.toml"


@dataclass(frozen=True)
class Statements:
    """A paper and its statements."""

    folder: str  # of the paper
    paper: str  # authors and year
    title: str
    findings: str  # what our results say about the paper, in plain English; one paragraph per line
    sources: Mapping[str, Source]  # by id

    def __getitem__(self, name: str) -> Source:
        if name not in self.sources:
            raise RamifyError(f"unknown statement '{name}' of {self.paper}: {suggestion(name, self.sources)}")
        return self.sources[name]


def papers() -> list[str]:
    """Return the folders of all papers with statements."""
    return sorted(path.parent.name for path in PAPERS.glob(f"*/{FILE}"))


@cache
def statements(folder: str) -> Statements:
    """Return the statements of a paper, given the name of its folder."""
    try:
        text = (PAPERS / folder / FILE).read_text(encoding="utf-8")
    except FileNotFoundError:
        raise RamifyError(f"no statements of '{folder}': {suggestion(folder, papers())}") from None
    data = tomllib.loads(text)
    paper, title, findings = data.pop("paper"), data.pop("title"), data.pop("findings", "")
    bounds = data.pop("bounds", "")  # of all statements that do not say otherwise
    sources = {
        name: Source(
            paper,
            one["section"],
            one["says"],
            one.get("figure", ""),
            _kind(folder, name, one["kind"]),
            name,
            one.get("untested", ""),
            one.get("bounds", bounds),
        )
        for name, one in data.items()
    }
    return Statements(folder, paper, title, findings, sources)


def _kind(folder: str, name: str, kind: str) -> str:
    if kind not in (EFFECT, NULL):
        raise RamifyError(f"statement '{name}' in {folder}/{FILE} has the kind '{kind}': use {EFFECT} or {NULL}")
    return kind
