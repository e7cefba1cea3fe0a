"""Splits clauses with many variables into clauses with fewer, which have fewer ground instances.

Variables that are not in the head are eliminated one after another, as in a join order: the literals with that variable
become the body of an auxiliary clause, whose head keeps the variables shared with the rest. In one chess-like
rulesheet "nothing moved here" has nine variables; the largest of its parts has six.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count

from ramify.ggp.clingo.clingo_input import RANGE_MARK
from ramify.ggp.kif import Term, variables
from ramify.ggp.rules import Clause, Literal

SPLIT_MARK = "(split)"  # prefix of auxiliary relations; no word of a rulesheet contains a parenthesis
MAX_WHOLE_VARIABLES = 4  # clauses with more variables are split


def split(clauses: tuple[Clause, ...]) -> list[Clause]:
    """Return the clauses with the large ones split."""
    numbers = count()
    return [part for clause in clauses for part in _split(clause, numbers)]


def _split(clause: Clause, numbers: Iterator[int]) -> list[Clause]:
    body = list(clause.body)
    head = set(variables(clause.head))
    made: list[Clause] = []
    while True:
        everything = head.union(*map(_variables, body))
        cut = None if len(everything) <= MAX_WHOLE_VARIABLES else _smallest_part(body, head, everything)
        if cut is None:
            return [*made, Clause(clause.head, tuple(body), clause.where)]
        bucket, shared = cut
        number = next(numbers)
        rest = [literal for literal in body if literal not in bucket]
        bounds = _bounds(bucket, shared, rest, numbers)
        made.extend(bounds)
        auxiliary = _atom(f"{SPLIT_MARK}{number}", shared)
        limits = [Literal(bound.head, True, clause.where) for bound in bounds]
        made.append(Clause(auxiliary, (*limits, *bucket), clause.where))
        body = [Literal(auxiliary, True, clause.where), *rest]


def _smallest_part(
    body: list[Literal], head: set[str], everything: set[str]
) -> tuple[list[Literal], tuple[str, ...]] | None:
    """Return the literals to split off and the variables they share with the rest, or None if nothing can be split."""
    best: tuple[int, int, list[Literal], tuple[str, ...]] | None = None
    for variable in sorted(everything - head):
        bucket = [literal for literal in body if variable in _variables(literal)]
        inside = set().union(*map(_variables, bucket))
        outside = head.union(*(_variables(literal) for literal in body if literal not in bucket))
        shared = tuple(sorted(inside & outside))
        if len(inside) < len(everything) and (best is None or (len(inside), len(shared)) < best[:2]):
            best = (len(inside), len(shared), bucket, shared)
    return None if best is None else (best[2], best[3])


def _bounds(
    bucket: list[Literal], shared: tuple[str, ...], rest: list[Literal], numbers: Iterator[int]
) -> list[Clause]:
    """Return clauses that list possible values of variables that the bucket does not bind."""
    unbound = set(shared).difference(*(_variables(literal) for literal in bucket if _binds(literal)))
    made = []
    for literal in rest:
        here = tuple(sorted(unbound & _variables(literal))) if _binds(literal) else ()
        if here:
            made.append(Clause(_atom(f"{RANGE_MARK}{next(numbers)}", here), (literal,), literal.where))
            unbound.difference_update(here)
    return made


def _binds(literal: Literal) -> bool:
    return literal.positive and not (isinstance(literal.atom, tuple) and literal.atom[0] == "distinct")


def _variables(literal: Literal) -> set[str]:
    return set(variables(literal.atom))


def _atom(name: str, arguments: tuple[str, ...]) -> Term:
    return (name, *arguments) if arguments else name
