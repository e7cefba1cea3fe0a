"""The S-expressions in which rulesheets and the messages of game managers are written (KIF).

A *term* is a word, which begins with ``?`` if it is a variable, or a tuple of terms, the functor first.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple, TypeAlias

from ramify.errors import RamifyError

Term: TypeAlias = "str | tuple[Term, ...]"

MAX_NESTING = 200  # parentheses within parentheses; rulesheets have six
WORD_SIGNS = "!$%&*+-./<=>?@_~"  # what KIF allows in words beside letters and digits
TOKEN = re.compile(
    rf"(?P<token>[()]|[\w{re.escape(WORD_SIGNS)}]+)|;.*|[\s\ufeff]+|(?P<stray>.)", re.DOTALL
)  # some editors begin a file with the mark \ufeff


class Place(NamedTuple):
    """Where in a text, counted from 1."""

    line: int
    column: int

    def __str__(self) -> str:
        return f"line {self.line}, column {self.column}"


@dataclass(frozen=True, slots=True)
class Expression:
    """A word or a list in a text, and where it begins."""

    term: Term
    where: Place = field(compare=False)
    parts: tuple[Expression, ...] = ()

    @property
    def word(self) -> str:
        """The word; nothing for a list."""
        return self.term if isinstance(self.term, str) else ""

    @property
    def head(self) -> str:
        """The word with which a list begins; nothing if it begins with none."""
        return self.parts[0].word if self.parts else ""


class KifError(RamifyError):
    """What is wrong in a text, and where."""

    def __init__(self, name: str, where: Place, what: str) -> None:
        super().__init__(f"{name}, {where}: {what}")
        self.where = where
        self.what = what


def read(text: str, name: str) -> list[Expression]:
    """All expressions of a text; ``name`` is what errors call it."""
    found: list[Expression] = []
    open_lists: list[tuple[Place, list[Expression]]] = []
    for where, sign in _tokens(text, name):
        if sign == "(":
            if len(open_lists) == MAX_NESTING:
                raise KifError(name, where, f"parentheses are nested deeper than {MAX_NESTING}")
            open_lists.append((where, []))
            continue
        if sign == ")":
            if not open_lists:
                raise KifError(name, where, "this parenthesis closes nothing: there is one too many before or here")
            began, parts = open_lists.pop()
            made = Expression(tuple(part.term for part in parts), began, tuple(parts))
        else:
            made = Expression(sign, where)
        (open_lists[-1][1] if open_lists else found).append(made)
    if open_lists:
        raise KifError(name, open_lists[0][0], "this parenthesis is never closed")
    if not found:
        raise KifError(name, Place(1, 1), "there is nothing here but blanks and comments")
    return found


def _tokens(text: str, name: str) -> Iterator[tuple[Place, str]]:
    """Parentheses and words; comments run from a semicolon to the end of the line."""
    for number, line in enumerate(text.replace("\r\n", "\n").replace("\r", "\n").split("\n"), start=1):
        for found in TOKEN.finditer(line):
            where = Place(number, found.start() + 1)
            if found.lastgroup == "token":
                yield where, found.group()
            elif found.lastgroup == "stray":
                raise KifError(name, where, f"the character {found.group()!r} has no place in a rulesheet")


def write(term: Term) -> str:
    """The term as text: ``(f a (g b))``."""
    return term if isinstance(term, str) else f"({' '.join(map(write, term))})"


def is_variable(term: Term) -> bool:
    """Whether the term is a variable."""
    return isinstance(term, str) and term.startswith("?")


def variables(term: Term) -> Iterator[str]:
    """The variables of a term, from left to right, as often as they stand there."""
    if isinstance(term, str):
        if term.startswith("?"):
            yield term
    else:
        for part in term:
            yield from variables(part)
