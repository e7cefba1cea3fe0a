"""What an experiment found: tables of measured beside published, verdicts on claims, and figures."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from ramify.arena.reports.document import Block, Heading, Paragraph, Picture, Table
from ramify.experiments.claims import Claim


@dataclass(frozen=True)
class Numbers:
    """A table with a title; the first ``texts`` columns are words."""

    title: str
    headings: Sequence[str]
    rows: Sequence[Sequence[str]]
    texts: int = 1

    def lines(self) -> list[str]:
        """The table for the terminal."""
        cells = [list(self.headings), *(list(row) for row in self.rows)]
        widths = [max(len(row[k]) for row in cells) for k in range(len(self.headings))]
        return [
            "  ".join(
                cell.ljust(width) if k < self.texts else cell.rjust(width)
                for k, (cell, width) in enumerate(zip(row, widths, strict=True))
            ).rstrip()
            for row in cells
        ]

    def data(self) -> dict[str, Any]:
        """The table as plain data."""
        return {"title": self.title, "headings": list(self.headings), "rows": [list(row) for row in self.rows]}


@dataclass(frozen=True)
class Drawing:
    """A figure, drawn when somebody wants it."""

    name: str  # of its file, without .png
    words: str  # for those who cannot see it
    draw: Callable[[], bytes]


@dataclass(frozen=True)
class Findings:
    """Everything an experiment says in the end."""

    tables: Sequence[Numbers] = ()
    claims: Sequence[Claim] = ()
    figures: Sequence[Drawing] = ()
    notes: Sequence[str] = field(default=())

    def lines(self) -> Iterator[str]:
        """For the terminal."""
        for table in self.tables:
            yield table.title
            yield from (f"  {line}" for line in table.lines())
            yield ""
        for claim in self.claims:
            yield f"{claim.verdict.status}: {claim.sentence} ({claim.source})"
            yield f"  {claim.verdict.reason}"
        for note in self.notes:
            yield f"note: {note}"

    def blocks(self, prefix: str = "", level: int = 3) -> Iterator[Block]:
        """For a page; pictures are named with the prefix."""
        if self.claims:
            yield Heading("Claims", level)
            yield Table(
                ["claim", "source", "verdict", "because"],
                [[one.sentence, one.source, one.verdict.status, one.verdict.reason] for one in self.claims],
                texts=4,
            )
        for table in self.tables:
            yield Heading(table.title, level)
            yield Table(table.headings, table.rows, table.texts)
        for figure in self.figures:
            yield Picture(f"{prefix}{figure.name}.png", figure.draw(), figure.words)
        for note in self.notes:
            yield Paragraph(note)

    def data(self) -> dict[str, Any]:
        """As plain data, for JSON."""
        return {
            "claims": [claim.data() for claim in self.claims],
            "tables": [table.data() for table in self.tables],
            "notes": list(self.notes),
        }
