"""Findings of an experiment. An exhibit has claims with verdicts, tables (measured and published) and pictures."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from ramify.arena.reports.document import Block, Heading, Paragraph, Picture, Table
from ramify.experiments.framework.claims import DOES_NOT_HOLD, NOT_REPRODUCED, UNDECIDED, Claim
from ramify.old_names import old_attributes, old_fields, old_members

MAX_FAILURES_LISTED = 2  # failed or open claims in the summary row of an exhibit


@old_members(data="to_dict")
@dataclass(frozen=True)
class DataTable:
    """A table with a title. The first ``texts`` columns are left-aligned text, the others numbers."""

    title: str
    headings: Sequence[str]
    rows: Sequence[Sequence[str]]
    texts: int = 1

    def lines(self) -> list[str]:
        """Format the table for the terminal."""
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
        return {"title": self.title, "headings": list(self.headings), "rows": [list(row) for row in self.rows]}


@dataclass(frozen=True)
class FigureSpec:
    """A figure that is drawn on demand."""

    name: str  # of its file, without .png
    words: str  # alternative text
    draw: Callable[[], bytes]  # returns PNG


@old_fields(guessed="assumed_settings")
@dataclass(frozen=True)
class Exhibit:
    """A table or figure of a paper, or one of our own studies: its claims and what was measured for it."""

    name: str  # as the paper calls it
    shows: str  # in a few words
    claims: Sequence[Claim] = ()
    tables: Sequence[DataTable] = ()
    figures: Sequence[FigureSpec] = ()
    assumed_settings: str = ""  # our choice where the paper does not say

    @property
    def title(self) -> str:
        return f"{self.name}: {self.shows}"

    @property
    def says(self) -> str:
        """The paper's statements about it, joined."""
        return "; ".join(dict.fromkeys(one.source.says for one in self.claims if one.source))

    def open_claims(self, ours: bool = False) -> str:
        """List claims that failed or are undecided; empty if all hold."""
        words = {NOT_REPRODUCED: "not", DOES_NOT_HOLD: "not", UNDECIDED: "open"}
        listed = [
            f"{words[status]}: {one.sentence}"
            for status in words
            for one in self.claims
            if one.status == status and one.ours == ours
        ]
        return "; ".join(listed[:MAX_FAILURES_LISTED]) + (
            f"; and {len(listed) - MAX_FAILURES_LISTED} more" if len(listed) > MAX_FAILURES_LISTED else ""
        )

    def blocks(self, prefix: str = "", level: int = 3, verdicts: bool = True) -> Iterator[Block]:
        """Yield the exhibit's part of a page. ``prefix`` precedes the file names of pictures."""
        for figure in self.figures:
            yield Picture(f"{prefix}{figure.name}.png", figure.draw(), figure.words)
        yield from claim_blocks(self.claims, level, verdicts)
        for table in self.tables:
            yield Paragraph(f"{table.title}:")
            yield Table(table.headings, table.rows, table.texts)
        if self.assumed_settings:
            yield Paragraph(f"Assumed, because the paper does not say: {self.assumed_settings}.")


@old_members(data="to_dict")
@dataclass(frozen=True)
class Findings:
    """All exhibits and notes of an experiment."""

    exhibits: Sequence[Exhibit] = ()
    notes: Sequence[str] = ()

    @property
    def claims(self) -> list[Claim]:
        return [claim for one in self.exhibits for claim in one.claims]

    @property
    def tables(self) -> list[DataTable]:
        return [table for one in self.exhibits for table in one.tables]

    @property
    def figures(self) -> list[FigureSpec]:
        return [figure for one in self.exhibits for figure in one.figures]

    def lines(self, verdicts: bool = True) -> Iterator[str]:
        """Yield lines for the terminal."""
        for one in self.exhibits:
            yield one.title
            for table in one.tables:
                yield f"  {table.title}"
                yield from (f"    {line}" for line in table.lines())
            for claim in one.claims:
                place = "ours" if claim.source is None else claim.source.place
                reading = f", {claim.reading}" if claim.reading else ""
                status = f"{claim.status}: " if verdicts else ""
                yield f"  {status}{claim.sentence} ({place}{reading})"
                if verdicts:
                    yield f"    {claim.reason}"
            if one.assumed_settings:
                yield f"  assumed: {one.assumed_settings}"
            yield ""
        for note in self.notes:
            yield f"note: {note}"

    def to_dict(self, verdicts: bool = True) -> dict[str, Any]:
        unjudged = {} if verdicts else {"verdict": None, "reason": None}
        return {
            "claims": [claim.to_dict() | unjudged for claim in self.claims],
            "tables": [table.to_dict() for table in self.tables],
            "notes": list(self.notes),
        }


def claim_blocks(claims: Sequence[Claim], level: int, verdicts: bool = True) -> Iterator[Block]:
    """Yield the paper's statements with their verdicts, then our own claims under a separate heading."""

    def judged(one: Claim) -> list[str]:
        return [one.status, one.reason] if verdicts else []

    headings = ["verdict", "because"] if verdicts else []
    theirs = [(one, one.source) for one in claims if one.source]
    if theirs:
        yield Table(
            ["the paper says", "where", "tested as", *headings],
            [
                [source.says, source.place, one.sentence + (f" ({one.reading})" if one.reading else ""), *judged(one)]
                for one, source in theirs
            ],
            texts=5,
        )
    ours = [one for one in claims if one.ours]
    if ours:
        yield Heading("Our own claims", level)
        yield Table(["claim", *headings], [[one.sentence, *judged(one)] for one in ours], texts=3)


def count_verdicts(claims: Sequence[Claim]) -> str:
    """Count claims that hold, fail and are undecided, e.g. ``3 / 1 / 0``."""
    if not claims:
        return ""
    found = Counter(one.verdict.holds for one in claims)
    return f"{found[True]} / {found[False]} / {found[None]}"


__getattr__ = old_attributes(__name__)
