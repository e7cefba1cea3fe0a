"""Outcomes of the papers' statements: each counts once, by its main reading, however many claims test it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping

from ramify.experiments.framework.claims import EFFECT, NOT_REPRODUCED, NULL, REPRODUCED, UNDECIDED, Claim, Source
from ramify.experiments.framework.statements import Statements

UNTESTED = "not tested"
OUTCOMES = (REPRODUCED, NOT_REPRODUCED, UNDECIDED, UNTESTED)
KINDS = {EFFECT: "effects", NULL: "nulls"}


def outcomes(statements: Statements, claims: Iterable[Claim]) -> dict[str, str]:
    """Return the outcome of every statement of a paper by id, given the claims of all experiments."""
    by_key = main_claims(claims)
    return {name: _outcome(source, by_key) for name, source in statements.sources.items()}


def main_claims(claims: Iterable[Claim]) -> dict[tuple[str, str], list[Claim]]:
    """Return the claims that decide each statement."""
    found: dict[tuple[str, str], list[Claim]] = {}
    for one in claims:
        if one.source is not None and not one.reading:
            found.setdefault(one.source.key, []).append(one)
    return found


def _outcome(source: Source, by_key: Mapping[tuple[str, str], list[Claim]]) -> str:
    """A statement that no claim has measured yet is undecided, unless it says why it is not tested."""
    statuses = [one.status for one in by_key.get(source.key, ())]
    if not statuses and source.untested:
        return UNTESTED
    if NOT_REPRODUCED in statuses:
        return NOT_REPRODUCED
    return REPRODUCED if statuses and UNDECIDED not in statuses else UNDECIDED


def count_outcomes(statements: Statements, found: Mapping[str, str]) -> list[list[str]]:
    """Return a row per kind of statement: how many there are, and how many have each outcome."""
    rows = []
    for kind, words in KINDS.items():
        names = [name for name, source in statements.sources.items() if source.kind == kind]
        counts = Counter(found[name] for name in names)
        rows.append([words, str(len(names)), *(str(counts[outcome]) for outcome in OUTCOMES)])
    return rows
