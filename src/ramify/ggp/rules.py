"""Rulesheets in normal form: clauses whose bodies are lists of literals.

Keywords are case-insensitive and become lower case; all other words are case-sensitive. Disjunctions are expanded: a
clause becomes several, or uses auxiliary relations if there would be more than MAX_ALTERNATIVES.
"""

from __future__ import annotations

import hashlib
import itertools
import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeAlias

from ramify.errors import RamifyError, os_error_text
from ramify.ggp.kif import Expression, KifError, Place, Term, is_variable, read, variables, write
from ramify.old_names import note, old_attributes
from ramify.paths import read_text

ARITIES = {  # of GDL's own relations
    "role": 1,
    "init": 1,
    "true": 1,
    "does": 2,
    "legal": 2,
    "next": 1,
    "terminal": 0,
    "goal": 2,
    "distinct": 2,
}
OPTIONAL_ARITIES = {"base": 1, "input": 2, "sees": 2}  # a rulesheet may define these words itself
CONNECTIVES = ("<=", "not", "or")
KEYWORDS = frozenset((*ARITIES, *OPTIONAL_ARITIES, *CONNECTIVES))
RANDOM = "random"  # the role of chance
MAX_ALTERNATIVES = 64  # clauses from one with disjunctions; at most 12 in 320 public rulesheets


@dataclass(frozen=True, slots=True)
class Literal:
    """An atom or its negation."""

    atom: Term
    positive: bool
    where: Place = field(compare=False)

    @property
    def binds(self) -> bool:
        """Whether it gives values to its variables instead of only testing them."""
        return self.positive and relation(self.atom) != "distinct"

    def __str__(self) -> str:
        return write(self.atom) if self.positive else f"(not {write(self.atom)})"


Alternatives: TypeAlias = list[tuple[Literal, ...]]  # a disjunction of conjunctions


@dataclass(frozen=True, slots=True)
class Clause:
    """A rule: the head holds if the whole body does. A fact has an empty body."""

    head: Term
    body: tuple[Literal, ...]
    where: Place = field(compare=False)

    def __str__(self) -> str:
        return " ".join(("(<=", write(self.head), *map(str, self.body))) + ")" if self.body else write(self.head)


@dataclass(frozen=True, slots=True)
class Rulesheet:
    """A rulesheet: its roles in order, and its clauses without duplicates."""

    name: str
    roles: tuple[Term, ...]
    clauses: tuple[Clause, ...]

    @classmethod
    def from_text(cls, text: str, name: str) -> Rulesheet:
        """Parse a text. ``name`` identifies it in errors."""
        return cls.from_expressions(read(text, name), name)

    @classmethod
    def from_file(cls, path: str | Path) -> Rulesheet:
        try:
            return cls.from_text(read_text(path), str(path))
        except (OSError, UnicodeDecodeError) as error:
            name = str(path) or "''"
            raise RamifyError(f"cannot read {name}: {os_error_text(error)}") from None

    @classmethod
    def from_expressions(cls, expressions: Sequence[Expression], name: str) -> Rulesheet:
        """Build a rulesheet from parsed expressions. One pair of parentheses around all of them is removed."""
        if len(expressions) == 1 and _wraps(expressions[0]):
            expressions = expressions[0].parts
        reader = _Reader(name, expressions)
        clauses = dict.fromkeys(itertools.chain.from_iterable(map(reader.clauses, expressions)))
        facts = (clause.head for clause in clauses if not clause.body and relation(clause.head) == "role")
        return cls(name, tuple(head[1] for head in facts if not is_variable(head[1])), tuple(clauses))

    @classmethod
    def of(cls, text: str, name: str) -> Rulesheet:
        """Old name of ``from_text``."""
        note("Rules.of", "Rulesheet.from_text")
        return cls.from_text(text, name)

    @classmethod
    def of_file(cls, path: str | Path) -> Rulesheet:
        """Old name of ``from_file``."""
        note("Rules.of_file", "Rulesheet.from_file")
        return cls.from_file(path)

    def text(self) -> str:
        """Return the clauses in normal form, one per line."""
        return "\n".join(map(str, self.clauses)) + "\n"

    def digest(self) -> str:
        """Return a digest of the clauses; layout and comments do not change it."""
        return hashlib.sha256(self.text().encode()).hexdigest()


def relation(atom: Term) -> str:
    """Return the name of an atom's relation, or of a term's function."""
    return atom if isinstance(atom, str) else str(atom[0])


def arguments(atom: Term) -> tuple[Term, ...]:
    return () if isinstance(atom, str) else atom[1:]


def _wraps(one: Expression) -> bool:
    """Return whether an expression is a whole rulesheet in parentheses."""
    if not one.parts or one.head == "<=":
        return False
    return bool(one.parts[0].parts) or any(part.head.lower() in ("<=", "role") for part in one.parts)


def _words(term: Term) -> Iterator[str]:
    if isinstance(term, str):
        yield term
    else:
        yield from itertools.chain.from_iterable(map(_words, term))


class _Reader:
    """Turns expressions into clauses."""

    def __init__(self, name: str, expressions: Sequence[Expression]) -> None:
        self.name = name
        self.words = set(itertools.chain.from_iterable(_words(one.term) for one in expressions))
        self.auxiliaries = 0
        self.chance = {  # how this rulesheet spells the role `random`
            one.parts[1].word
            for one in expressions
            if len(one.parts) == 2 and one.head.lower() == "role" and one.parts[1].word.lower() == RANDOM
        }

    def wrong(self, where: Place, what: str) -> KifError:
        return KifError(self.name, where, what)

    def clauses(self, one: Expression) -> Iterator[Clause]:
        """Yield the clauses of a top-level expression."""
        if one.head != "<=":
            yield Clause(self.head(one), (), one.where)
            return
        if len(one.parts) < 2:
            raise self.wrong(one.where, "a rule needs a head: (<= head condition ...)")
        head = self.head(one.parts[1])
        parts = [self.alternatives(part, positive=True) for part in one.parts[2:]]
        if math.prod(map(len, parts)) <= MAX_ALTERNATIVES:
            for chosen in itertools.product(*parts):
                yield Clause(head, _each_once(itertools.chain.from_iterable(chosen)), one.where)
        else:
            yield from self.chain(head, parts, one.where)

    def chain(self, head: Term, parts: list[Alternatives], where: Place) -> Iterator[Clause]:
        """Yield the rule with an auxiliary relation after each disjunction: one clause per alternative.

        Literals that only test values come after those that bind them.
        """
        plain = _each_once(itertools.chain.from_iterable(part[0] for part in parts if len(part) == 1))
        body = tuple(literal for literal in plain if literal.binds)
        tests = tuple(literal for literal in plain if not literal.binds)
        known = _variables_of(body)
        choices = sorted(
            (part for part in parts if len(part) > 1),
            key=lambda part: not all(one.binds for branch in part for one in branch),
        )
        for place, part in enumerate(choices):
            known |= set.intersection(*map(_variables_of, part))
            later = itertools.chain.from_iterable(itertools.chain.from_iterable(choices[place + 1 :]))
            wanted = {*variables(head), *_variables_of(tests), *_variables_of(later)}
            if lost := _variables_of(itertools.chain.from_iterable(part)) & wanted - known:
                what = f"{min(lost)} occurs in some alternatives of an 'or' and outside it, and there are too many"
                raise self.wrong(where, f"{what} combinations of alternatives: define a relation for the 'or'")
            step = self.auxiliary(sorted(known & wanted))
            for branch in part:
                yield Clause(step, _each_once((*body, *branch)), where)
            body = (Literal(step, True, where),)
        yield Clause(head, (*body, *tests), where)

    def auxiliary(self, arguments: Sequence[str]) -> Term:
        """Return an atom with a relation name that the rulesheet does not use."""
        while True:
            self.auxiliaries += 1
            name = f"or%{self.auxiliaries}"
            if name not in self.words:
                return (name, *arguments) if arguments else name

    def alternatives(self, one: Expression, positive: bool) -> Alternatives:
        """Return the disjunctive normal form of a condition, or of its negation."""
        word = one.head.lower()
        if word == "not":
            if len(one.parts) != 2:
                raise self.wrong(one.where, f"'not' takes one condition, not {len(one.parts) - 1}")
            return self.alternatives(one.parts[1], not positive)
        if word == "or":
            if len(one.parts) < 2:
                raise self.wrong(one.where, "'or' needs at least one condition")
            branches = [self.alternatives(part, positive) for part in one.parts[1:]]
            if positive:
                return list(itertools.chain.from_iterable(branches))
            if math.prod(map(len, branches)) > MAX_ALTERNATIVES:
                raise self.wrong(
                    one.where, "too many alternatives in nested 'or' and 'not': define a relation for a part"
                )
            return [tuple(itertools.chain.from_iterable(chosen)) for chosen in itertools.product(*branches)]
        return [(Literal(self.atom(one), positive, one.where),)]

    def head(self, one: Expression) -> Term:
        atom = self.atom(one)
        if relation(atom) == "distinct":
            raise self.wrong(one.where, "'distinct' is built in and cannot be defined")
        return atom

    def atom(self, one: Expression) -> Term:
        word = one.head or one.word
        if not word:
            raise self.wrong(one.where, "expected a relation such as (cell 1 1 b)")
        if word.startswith("?"):
            raise self.wrong(one.where, f"expected a relation, not the variable {word}")
        if word.lower() in CONNECTIVES:
            raise self.wrong(one.where, f"expected a relation, not '{word}'")
        if word.lower() in KEYWORDS:
            word = word.lower()
        terms = tuple(map(self.term, one.parts[1:]))
        wanted = ARITIES.get(word, len(terms))
        if len(terms) != wanted:
            has = f"{wanted} argument{'s' * (wanted != 1)}" if wanted else "no arguments"
            raise self.wrong(one.where, f"'{word}' takes {has}, not {len(terms)}")
        return (word, *terms) if terms else word

    def term(self, one: Expression) -> Term:
        """Return an argument. A function without arguments becomes its name."""
        if one.word:
            return RANDOM if one.word in self.chance else one.word
        if not one.head or one.head.startswith("?"):
            raise self.wrong(one.where, "expected a term such as a or (f a ?x)")
        return (one.head, *map(self.term, one.parts[1:])) if len(one.parts) > 1 else one.head


def _each_once(literals: Iterable[Literal]) -> tuple[Literal, ...]:
    return tuple(dict.fromkeys(literals))


def _variables_of(literals: Iterable[Literal]) -> set[str]:
    return set(itertools.chain.from_iterable(variables(literal.atom) for literal in literals))


__getattr__ = old_attributes(__name__)
