"""Dependency graphs of relations and clauses."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Iterable, Mapping, Sequence
from functools import cached_property
from typing import NamedTuple, TypeVar

from ramify.ggp.kif import Term, is_variable
from ramify.ggp.rules import Clause, Rulesheet, arguments, relation

Node = TypeVar("Node", bound=Hashable)


class Relation(NamedTuple):
    """A relation, identified by name and arity."""

    name: str
    arity: int

    @classmethod
    def from_atom(cls, atom: Term) -> Relation:
        return cls(relation(atom), len(arguments(atom)))

    def __str__(self) -> str:
        return self.name


class Dependencies:
    """The dependency graph: edges from each clause's head relation to the relations of its body."""

    def __init__(self, rules: Rulesheet) -> None:
        self.edges: dict[Relation, dict[Relation, None]] = {}  # ordered as in the text, so results are deterministic
        for clause in rules.clauses:
            into = self.edges.setdefault(Relation.from_atom(clause.head), {})
            into.update(dict.fromkeys(Relation.from_atom(literal.atom) for literal in clause.body))

    @cached_property
    def component_of(self) -> dict[Relation, int]:
        """Number of each relation's strongly connected component."""
        return {one: number for number, some in enumerate(components(self.edges)) for one in some}

    def recursive(self, one: Relation, other: Relation) -> bool:
        """Return whether both relations are on one cycle."""
        if one == other:
            return any(
                self.component_of.get(into) == self.component_of[one] and (into != one or one in self.edges[one])
                for into in self.edges.get(one, {})
            )
        return self.component_of.get(one, -1) == self.component_of.get(other, -2)

    def path(self, start: Relation, goals: Iterable[Relation]) -> list[Relation]:
        """Return a shortest dependency path from a relation to one of ``goals``, or an empty list."""
        wanted, before, queue = set(goals), {start: start}, [start]
        for one in queue:
            for other in self.edges.get(one, {}):
                if other in wanted:
                    path = [other, one]
                    while path[-1] != start:
                        path.append(before[path[-1]])
                    return path[::-1]
                if other not in before:
                    before[other] = one
                    queue.append(other)
        return []

    def below(self, starts: Iterable[Relation]) -> set[Relation]:
        """Return some relations and all that they depend on."""
        found = dict.fromkeys(starts)
        queue = list(found)
        for one in queue:
            for other in self.edges.get(one, {}):
                if other not in found:
                    found[other] = None
                    queue.append(other)
        return set(found)


def clause_components(clauses: Sequence[Clause]) -> list[list[int]]:
    """Return the strongly connected components of clauses, as indices; each component after those it needs.

    A clause needs those whose heads unify with its conditions. This is finer than a graph of relations:
    ``(goal x 100)`` may need that ``(goal x 0)`` does not hold.
    """
    heads: defaultdict[Relation, list[int]] = defaultdict(list)
    for place, clause in enumerate(clauses):
        heads[Relation.from_atom(clause.head)].append(place)
    return components(
        {
            place: [
                other
                for literal in clause.body
                for other in heads.get(Relation.from_atom(literal.atom), ())
                if may_match(literal.atom, clauses[other].head)
            ]
            for place, clause in enumerate(clauses)
        }
    )


def may_match(one: Term, other: Term) -> bool:
    """Return whether two terms may have a common instance. Repeated variables count as different."""
    if is_variable(one) or is_variable(other):
        return True
    if isinstance(one, str) or isinstance(other, str):
        return one == other
    return len(one) == len(other) and all(map(may_match, one, other))


def components(edges: Mapping[Node, Iterable[Node]]) -> list[list[Node]]:
    """Return the strongly connected components (Tarjan 1972), each after those to which it has edges."""
    found: list[list[Node]] = []
    number: dict[Node, int] = {}
    low: dict[Node, int] = {}
    waiting: list[Node] = []
    place: dict[Node, int] = {}  # index in `waiting`
    for root in edges:
        path = [(root, iter(edges[root]))] if root not in number else []
        while path:
            one, rest = path[-1]
            if one not in number:
                number[one] = low[one] = len(number)
                place[one] = len(waiting)
                waiting.append(one)
            for other in rest:
                if other not in number:
                    path.append((other, iter(edges.get(other, ()))))
                    break
                if other in place:
                    low[one] = min(low[one], number[other])
            else:
                path.pop()
                if path:
                    low[path[-1][0]] = min(low[path[-1][0]], low[one])
                if low[one] == number[one]:
                    found.append(waiting[place[one] :])
                    del waiting[place[one] :]
                    for done in found[-1]:
                        del place[done]
    return found
