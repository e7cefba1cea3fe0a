"""What an experiment found, exhibit by exhibit: verdicts on claims, tables of measured beside published, figures."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from ramify.arena.reports.document import Block, Heading, Paragraph, Picture, Table
from ramify.experiments.framework.claims import DOES_NOT_HOLD, NOT_REPRODUCED, UNDECIDED, Claim
from ramify.old_names import old_attributes

MAX_FAILURES_LISTED = 2  # claims that did not come out, as the line of an exhibit names them


@dataclass(frozen=True)
class DataTable:
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

    def to_dict(self) -> dict[str, Any]:
        """The table as plain data."""
        return {"title": self.title, "headings": list(self.headings), "rows": [list(row) for row in self.rows]}


@dataclass(frozen=True)
class FigureSpec:
    """A figure, drawn when somebody wants it."""

    name: str  # of its file, without .png
    words: str  # for those who cannot see it
    draw: Callable[[], bytes]


@dataclass(frozen=True)
class Exhibit:
    """A table or figure of a paper, or a study of ours: what is claimed of it, and what was measured for it."""

    name: str  # as the paper calls it
    shows: str  # in a few words
    claims: Sequence[Claim] = ()
    tables: Sequence[DataTable] = ()
    figures: Sequence[FigureSpec] = ()
    assumed_settings: str = ""  # settings that the paper does not print

    @property
    def title(self) -> str:
        """Its name and what it shows."""
        return f"{self.name}: {self.shows}"

    @property
    def says(self) -> str:
        """What the paper says of it."""
        told = dict.fromkeys(one.source.says for one in self.claims if one.source)
        return "; ".join(told)

    def open_claims(self, ours: bool = False) -> str:
        """What did not come out, and what is open; empty where all did."""
        words = {NOT_REPRODUCED: "not", DOES_NOT_HOLD: "not", UNDECIDED: "open"}
        told = [
            f"{words[status]}: {one.sentence}"
            for status in words
            for one in self.claims
            if one.status == status and one.ours == ours
        ]
        return "; ".join(told[:MAX_FAILURES_LISTED]) + (
            f"; and {len(told) - MAX_FAILURES_LISTED} more" if len(told) > MAX_FAILURES_LISTED else ""
        )

    def blocks(self, prefix: str = "", level: int = 3) -> Iterator[Block]:
        """For a page; pictures are named with the prefix."""
        for figure in self.figures:
            yield Picture(f"{prefix}{figure.name}.png", figure.draw(), figure.words)
        yield from claim_blocks(self.claims, level)
        for table in self.tables:
            yield Paragraph(f"{table.title}:")
            yield Table(table.headings, table.rows, table.texts)
        if self.assumed_settings:
            yield Paragraph(f"Guessed, as the paper does not say: {self.assumed_settings}.")


@dataclass(frozen=True)
class Findings:
    """Everything an experiment says in the end."""

    exhibits: Sequence[Exhibit] = ()
    notes: Sequence[str] = ()

    @property
    def claims(self) -> list[Claim]:
        """Those of all exhibits."""
        return [claim for one in self.exhibits for claim in one.claims]

    @property
    def tables(self) -> list[DataTable]:
        """Those of all exhibits."""
        return [table for one in self.exhibits for table in one.tables]

    @property
    def figures(self) -> list[FigureSpec]:
        """Those of all exhibits."""
        return [figure for one in self.exhibits for figure in one.figures]

    def lines(self) -> Iterator[str]:
        """For the terminal."""
        for one in self.exhibits:
            yield one.title
            for table in one.tables:
                yield f"  {table.title}"
                yield from (f"    {line}" for line in table.lines())
            for claim in one.claims:
                place = "ours" if claim.source is None else claim.source.place
                yield f"  {claim.status}: {claim.sentence} ({place})"
                yield f"    {claim.reason}"
            if one.assumed_settings:
                yield f"  guessed: {one.assumed_settings}"
            yield ""
        for note in self.notes:
            yield f"note: {note}"

    def to_dict(self) -> dict[str, Any]:
        """As plain data, for JSON."""
        return {
            "claims": [claim.to_dict() for claim in self.claims],
            "tables": [table.to_dict() for table in self.tables],
            "notes": list(self.notes),
        }


def claim_blocks(claims: Sequence[Claim], level: int) -> Iterator[Block]:
    """The statements of a paper with their verdicts, and under a heading of their own those of ours."""
    theirs = [one for one in claims if not one.ours]
    if theirs:
        yield Table(
            ["the paper says", "where", "tested as", "verdict", "because"],
            [[one.source.says, one.source.place, one.sentence, one.status, one.reason] for one in theirs if one.source],
            texts=5,
        )
    ours = [one for one in claims if one.ours]
    if ours:
        yield Heading("Ours, in no paper", level)
        yield Table(["claim", "verdict", "because"], [[one.sentence, one.status, one.reason] for one in ours], texts=3)


def count_verdicts(claims: Sequence[Claim]) -> str:
    """How many came out, how many did not, and how many are undecided."""
    if not claims:
        return ""
    found = Counter(one.verdict.holds for one in claims)
    return f"{found[True]} / {found[False]} / {found[None]}"


__getattr__ = old_attributes(__name__)
