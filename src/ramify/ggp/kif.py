"""S-expressions (KIF): the syntax of rulesheets and of game managers' messages.

A *term* is a word (a variable if it starts with ``?``) or a tuple of terms, functor first.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple, TypeAlias

from ramify.errors import RamifyError

Term: TypeAlias = "str | tuple[Term, ...]"

MAX_NESTING = 200  # depth of parentheses; public rulesheets reach seven
WORD_SIGNS = "!$%&*+-./<=>?@_~"  # characters of a word besides letters and digits
TOKEN = re.compile(
    rf"(?P<token>[()]|[\w{re.escape(WORD_SIGNS)}]+)|;.*|[\s\ufeff]+|(?P<stray>.)", re.DOTALL
)  # \ufeff: byte order mark, written by some editors


class Place(NamedTuple):
    """Line and column of a text, from 1."""

    line: int
    column: int

    def __str__(self) -> str:
        return f"line {self.line}, column {self.column}"


@dataclass(frozen=True, slots=True)
class Expression:
    """A word or a list of a text, with the place where it starts."""

    term: Term
    where: Place = field(compare=False)
    parts: tuple[Expression, ...] = ()

    @property
    def word(self) -> str:
        """The word itself; empty for a list."""
        return self.term if isinstance(self.term, str) else ""

    @property
    def head(self) -> str:
        """First word of a list; empty if it starts with a list."""
        return self.parts[0].word if self.parts else ""


class KifError(RamifyError):
    """A syntax error, with its place in the text."""

    def __init__(self, name: str, where: Place, what: str) -> None:
        super().__init__(f"{name}, {where}: {what}")
        self.where = where
        self.what = what


def read(text: str, name: str) -> list[Expression]:
    """Parse all expressions of a text. ``name`` identifies the text in errors."""
    found: list[Expression] = []
    open_lists: list[tuple[Place, list[Expression]]] = []
    for where, sign in _tokens(text, name):
        if sign == "(":
            if len(open_lists) == MAX_NESTING:
                raise KifError(name, where, f"parentheses are nested more than {MAX_NESTING} deep")
            open_lists.append((where, []))
            continue
        if sign == ")":
            if not open_lists:
                raise KifError(name, where, "unmatched closing parenthesis")
            began, parts = open_lists.pop()
            made = Expression(tuple(part.term for part in parts), began, tuple(parts))
        else:
            made = Expression(sign, where)
        (open_lists[-1][1] if open_lists else found).append(made)
    if open_lists:
        raise KifError(name, open_lists[0][0], "this parenthesis is never closed")
    if not found:
        raise KifError(name, Place(1, 1), "the text is empty, or has only comments")
    return found


def _tokens(text: str, name: str) -> Iterator[tuple[Place, str]]:
    """Yield parentheses and words. Comments run from a semicolon to the end of the line."""
    for number, line in enumerate(text.replace("\r\n", "\n").replace("\r", "\n").split("\n"), start=1):
        for found in TOKEN.finditer(line):
            where = Place(number, found.start() + 1)
            if found.lastgroup == "token":
                yield where, found.group()
            elif found.lastgroup == "stray":
                raise KifError(name, where, f"invalid character {found.group()!r}")


def write(term: Term) -> str:
    """Return a term as text, e.g. ``(f a (g b))``."""
    return term if isinstance(term, str) else f"({' '.join(map(write, term))})"


def is_variable(term: Term) -> bool:
    return isinstance(term, str) and term.startswith("?")


def variables(term: Term) -> Iterator[str]:
    """Yield the variables of a term from left to right, with repetitions."""
    if isinstance(term, str):
        if term.startswith("?"):
            yield term
    else:
        for part in term:
            yield from variables(part)
