"""Translates GDL to clingo's input language.

Choice rules state that every fluent of ``init`` or ``next`` may be true and every move of ``legal`` may be made. Words
become ``c0``, ``c1``, ..., functions ``f0``, ..., relations ``r0``, ..., so no word of a rulesheet has a meaning in
clingo.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from ramify.ggp.kif import Term, is_variable
from ramify.ggp.rules import Clause, Literal

# Relations that are read after grounding, with their arity. Their names in clingo have the prefix.
OUTPUT_RELATIONS = {"init": 1, "true": 1, "next": 1, "does": 2, "legal": 2, "goal": 2, "terminal": 0}
PREFIX = "gdl_"
RANGE = "range"  # prefix, in clingo, of relations that only list possible values
RANGE_MARK = "(range)"  # prefix before translation; no word of a rulesheet contains a parenthesis

CHOICES = f"""\
base(F) :- {PREFIX}init(F).
base(F) :- {PREFIX}next(F).
{{ {PREFIX}true(F) }} :- base(F).
{{ {PREFIX}does(R, M) }} :- {PREFIX}legal(R, M).
"""


@dataclass
class Vocabulary:
    """Clingo's names for words and relations."""

    words: dict[str, int] = field(default_factory=dict)
    relations: dict[tuple[str, int], int] = field(default_factory=dict)

    def word(self, word: str) -> str:
        return f"c{self.words.setdefault(word, len(self.words))}"

    def relation(self, name: str, arity: int) -> str:
        if OUTPUT_RELATIONS.get(name) == arity:
            return PREFIX + name
        if name.startswith(RANGE_MARK):
            return RANGE + name[len(RANGE_MARK) :]
        return f"r{self.relations.setdefault((name, arity), len(self.relations))}"

    def term(self, term: Term, variables: dict[str, str]) -> str:
        if isinstance(term, str):
            if is_variable(term):
                return variables.setdefault(term, f"V{len(variables)}")
            return self.word(term)
        name = f"f{self.words.setdefault(str(term[0]), len(self.words))}"
        inside = ",".join(self.term(part, variables) for part in term[1:])
        return f"{name}({inside})" if inside else name

    def atom(self, atom: Term, variables: dict[str, str]) -> str:
        name, arguments = (atom, ()) if isinstance(atom, str) else (str(atom[0]), atom[1:])
        inside = ",".join(self.term(part, variables) for part in arguments)
        return self.relation(name, len(arguments)) + (f"({inside})" if arguments else "")

    def literal(self, literal: Literal, variables: dict[str, str]) -> str:
        atom = literal.atom
        if isinstance(atom, tuple) and atom[0] == "distinct":
            sign = "!=" if literal.positive else "="
            return f"{self.term(atom[1], variables)}{sign}{self.term(atom[2], variables)}"
        return ("" if literal.positive else "not ") + self.atom(atom, variables)

    def clause(self, clause: Clause) -> str:
        variables: dict[str, str] = {}
        head = self.atom(clause.head, variables)
        if not clause.body:
            return f"{head}."
        return f"{head} :- {', '.join(self.literal(one, variables) for one in clause.body)}."

    def names(self) -> list[str]:
        """Return the words; word k is ``ck`` in clingo."""
        return list(self.words)


def program(clauses: Iterable[Clause], vocabulary: Vocabulary) -> str:
    """Return clingo's input for the clauses. Fills ``vocabulary``."""
    return "\n".join([*(vocabulary.clause(clause) for clause in clauses), CHOICES])


def read_symbol(text: str, words: list[str]) -> Term:
    """Parse a term as clingo writes it, e.g. ``f3(c1,c2)``."""
    stack: list[list[Term]] = [[]]
    for token in _tokens(text):
        match token:
            case "(":
                stack.append(list(stack[-1].pop()))
            case ")":
                whole = tuple(stack.pop())
                stack[-1].append(whole)
            case ",":
                continue
            case _:
                word = words[int(token[1:])]
                stack[-1].append(word if token[0] == "c" else (word,))
    return stack[0][0]


def _tokens(text: str) -> Iterator[str]:
    start = 0
    for at, sign in enumerate(text):
        if sign in "(),":
            if at > start:
                yield text[start:at]
            yield sign
            start = at + 1
    if start < len(text):
        yield text[start:]
