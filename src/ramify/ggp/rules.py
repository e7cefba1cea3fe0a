"""Rules of a game in GDL, brought to one form: clauses whose bodies are lists of literals.

Keywords are read in any case and come out in lower case; other words mean what they are. Of disjunctions nothing is
left: a clause becomes several, or, where those would be too many, goes through auxiliary relations.
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
from ramify.old_names import old_attributes

ARITIES = {  # of the relations that have a meaning in every game
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
OPTIONAL_ARITIES = {"base": 1, "input": 2, "sees": 2}  # a game may use these words for something of its own
CONNECTIVES = ("<=", "not", "or")
KEYWORDS = frozenset((*ARITIES, *OPTIONAL_ARITIES, *CONNECTIVES))
RANDOM = "random"  # the role that moves by chance
MAX_ALTERNATIVES = 64  # clauses that one with disjunctions becomes; in 320 public rulesheets at most 12


@dataclass(frozen=True, slots=True)
class Literal:
    """An atom that must hold, or must not."""

    atom: Term
    positive: bool
    where: Place = field(compare=False)

    @property
    def binds(self) -> bool:
        """Whether it gives values to its variables, rather than tests them."""
        return self.positive and relation(self.atom) != "distinct"

    def __str__(self) -> str:
        return write(self.atom) if self.positive else f"(not {write(self.atom)})"


Alternatives: TypeAlias = list[tuple[Literal, ...]]  # conjunctions of which one must hold


@dataclass(frozen=True, slots=True)
class Clause:
    """The head holds where all of the body does; a fact has no body."""

    head: Term
    body: tuple[Literal, ...]
    where: Place = field(compare=False)

    def __str__(self) -> str:
        return " ".join(("(<=", write(self.head), *map(str, self.body))) + ")" if self.body else write(self.head)


@dataclass(frozen=True, slots=True)
class Rulesheet:
    """A rulesheet: its roles, in order, and its clauses, each once."""

    name: str
    roles: tuple[Term, ...]
    clauses: tuple[Clause, ...]

    @classmethod
    def from_text(cls, text: str, name: str) -> Rulesheet:
        """The rules in a text; ``name`` is what errors call it."""
        return cls.from_expressions(read(text, name), name)

    @classmethod
    def from_file(cls, path: str | Path) -> Rulesheet:
        """The rules in a file."""
        try:
            return cls.from_text(Path(path).read_text(encoding="utf-8"), str(path))
        except (OSError, UnicodeDecodeError) as error:
            raise RamifyError(f"{path} cannot be read: {os_error_text(error)}") from None

    @classmethod
    def from_expressions(cls, expressions: Sequence[Expression], name: str) -> Rulesheet:
        """The rules in expressions that are read already; one pair of parentheses around all is taken off."""
        if len(expressions) == 1 and _wraps(expressions[0]):
            expressions = expressions[0].parts
        reader = _Reader(name, expressions)
        clauses = dict.fromkeys(itertools.chain.from_iterable(map(reader.clauses, expressions)))
        facts = (clause.head for clause in clauses if not clause.body and relation(clause.head) == "role")
        return cls(name, tuple(head[1] for head in facts if not is_variable(head[1])), tuple(clauses))

    def text(self) -> str:
        """The rules as they were understood, a clause a line."""
        return "\n".join(map(str, self.clauses)) + "\n"

    def digest(self) -> str:
        """The same for two rulesheets that differ only in layout and comments."""
        return hashlib.sha256(self.text().encode()).hexdigest()


def relation(atom: Term) -> str:
    """The name of an atom's relation, or of a term's function."""
    return atom if isinstance(atom, str) else str(atom[0])


def arguments(atom: Term) -> tuple[Term, ...]:
    """What stands behind the name."""
    return () if isinstance(atom, str) else atom[1:]


def _wraps(one: Expression) -> bool:
    """Whether an expression is a whole rulesheet in parentheses."""
    if not one.parts or one.head == "<=":
        return False
    return bool(one.parts[0].parts) or any(part.head.lower() in ("<=", "role") for part in one.parts)


def _words(term: Term) -> Iterator[str]:
    if isinstance(term, str):
        yield term
    else:
        yield from itertools.chain.from_iterable(map(_words, term))


class _Reader:
    """From expressions to clauses."""

    def __init__(self, name: str, expressions: Sequence[Expression]) -> None:
        self.name = name
        self.words = set(itertools.chain.from_iterable(_words(one.term) for one in expressions))
        self.auxiliaries = 0
        self.chance = {  # how this rulesheet spells the role that moves by chance
            one.parts[1].word
            for one in expressions
            if len(one.parts) == 2 and one.head.lower() == "role" and one.parts[1].word.lower() == RANDOM
        }

    def wrong(self, where: Place, what: str) -> KifError:
        return KifError(self.name, where, what)

    def clauses(self, one: Expression) -> Iterator[Clause]:
        """The clauses that an expression of the rulesheet stands for."""
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
        """The same rule with a relation for what holds after each disjunction: as many clauses as alternatives.

        What only tests values comes after what finds them.
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
                what = f"{min(lost)} stands in some alternatives of an 'or' and again outside, and there are too many"
                raise self.wrong(where, f"{what} combinations of alternatives; give the 'or' a relation of its own")
            step = self.auxiliary(sorted(known & wanted))
            for branch in part:
                yield Clause(step, _each_once((*body, *branch)), where)
            body = (Literal(step, True, where),)
        yield Clause(head, (*body, *tests), where)

    def auxiliary(self, arguments: Sequence[str]) -> Term:
        """An atom of a relation that nobody else has named."""
        while True:
            self.auxiliaries += 1
            name = f"or%{self.auxiliaries}"
            if name not in self.words:
                return (name, *arguments) if arguments else name

    def alternatives(self, one: Expression, positive: bool) -> Alternatives:
        """The conjunctions of which one must hold so that the expression does (or does not)."""
        word = one.head.lower()
        if word == "not":
            if len(one.parts) != 2:
                raise self.wrong(one.where, f"'not' is of one condition, not of {len(one.parts) - 1}")
            return self.alternatives(one.parts[1], not positive)
        if word == "or":
            if len(one.parts) < 2:
                raise self.wrong(one.where, "'or' needs conditions of which one must hold")
            branches = [self.alternatives(part, positive) for part in one.parts[1:]]
            if positive:
                return list(itertools.chain.from_iterable(branches))
            if math.prod(map(len, branches)) > MAX_ALTERNATIVES:
                raise self.wrong(one.where, "'or' within 'not' within 'or' goes too deep; give a part its own relation")
            return [tuple(itertools.chain.from_iterable(chosen)) for chosen in itertools.product(*branches)]
        return [(Literal(self.atom(one), positive, one.where),)]

    def head(self, one: Expression) -> Term:
        atom = self.atom(one)
        if relation(atom) == "distinct":
            raise self.wrong(one.where, "'distinct' has a meaning in every game: no rule can define it")
        return atom

    def atom(self, one: Expression) -> Term:
        """A relation with its arguments."""
        word = one.head or one.word
        if not word:
            raise self.wrong(one.where, "here must stand a relation, as in (cell 1 1 b), and it begins with a word")
        if word.startswith("?"):
            raise self.wrong(one.where, f"here must stand a relation, not the variable {word}")
        if word.lower() in CONNECTIVES:
            raise self.wrong(one.where, f"'{word}' cannot stand here: a relation must")
        if word.lower() in KEYWORDS:
            word = word.lower()
        terms = tuple(map(self.term, one.parts[1:]))
        wanted = ARITIES.get(word, len(terms))
        if len(terms) != wanted:
            has = f"{wanted} argument{'s' * (wanted != 1)}" if wanted else "no arguments"
            raise self.wrong(one.where, f"'{word}' has {has}, not {len(terms)}")
        return (word, *terms) if terms else word

    def term(self, one: Expression) -> Term:
        """An argument: a function of no arguments is its name."""
        if one.word:
            return RANDOM if one.word in self.chance else one.word
        if not one.head or one.head.startswith("?"):
            raise self.wrong(one.where, "here must stand a term, as in a or (f a ?x), and it begins with a word")
        return (one.head, *map(self.term, one.parts[1:])) if len(one.parts) > 1 else one.head


def _each_once(literals: Iterable[Literal]) -> tuple[Literal, ...]:
    return tuple(dict.fromkeys(literals))


def _variables_of(literals: Iterable[Literal]) -> set[str]:
    return set(itertools.chain.from_iterable(variables(literal.atom) for literal in literals))


__getattr__ = old_attributes(__name__)
