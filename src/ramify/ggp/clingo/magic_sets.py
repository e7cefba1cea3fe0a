"""Magic sets (Bancilhon et al. 1986): ground relations with many arguments only for arguments that are queried.

"A queen would reach this cell from there if that one were empty" holds for millions of arguments, of which a game
queries few; a count of stones passed from cell to cell starts at 0. Such a relation gets a *demand*: a relation of the
arguments that are bound wherever it is queried. The demand becomes the first condition of its clauses, and each query
adds a clause that derives the demand from the conditions before it. A demand only lists possible arguments, so it is
treated as true after grounding.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from ramify.ggp.clingo.clingo_input import RANGE_MARK
from ramify.ggp.datalog.dependencies import Relation
from ramify.ggp.kif import Term, variables
from ramify.ggp.rules import ARITIES, OPTIONAL_ARITIES, Clause, Literal, arguments, relation

MIN_ARITY = 4  # arguments of a relation on demand
MIN_STATIC_ARITY = 5  # of a relation on demand that does not depend on the position

TRUE, DOES = Relation("true", 1), Relation("does", 2)

Places = frozenset[int]


def on_demand(clauses: tuple[Clause, ...]) -> list[Clause]:
    """Return the clauses with relations of many arguments on demand."""
    return MagicSets(clauses).clauses()


class MagicSets:
    """The relations on demand, and which of their arguments are bound in every query."""

    def __init__(self, clauses: tuple[Clause, ...]) -> None:
        self.given = clauses
        fixed = {*ARITIES, *OPTIONAL_ARITIES}
        heads = {Relation.from_atom(clause.head) for clause in clauses if clause.body}
        dynamic = _dynamic_relations(clauses)
        chosen = [
            one
            for one in heads
            if one.arity >= (MIN_ARITY if one in dynamic else MIN_STATIC_ARITY) and one.name not in fixed
        ]
        self.places: dict[Relation, Places] = {one: frozenset(range(one.arity)) for one in sorted(chosen)}
        self.numbers = {one: number for number, one in enumerate(self.places)}
        self._narrow()

    def _narrow(self) -> None:
        """Reduce each demand to the arguments that are bound in every query."""
        changed = True
        while changed:
            changed = False
            known: dict[Relation, Places] = dict(self.places)
            for clause in self.given:
                for literal, _, bound in self._queries(clause):
                    which = Relation.from_atom(literal.atom)
                    here = {k for k, term in enumerate(arguments(literal.atom)) if bound.issuperset(variables(term))}
                    known[which] &= here
            for which, places in known.items():
                if places != self.places[which]:
                    changed = True
                    self.places[which] = places
            for which in [which for which, places in self.places.items() if not places]:
                del self.places[which]

    def _queries(self, clause: Clause) -> Iterator[tuple[Literal, list[Literal], set[str]]]:
        """Yield each condition on demand, the conditions evaluated before it, and the variables bound by them."""
        head = Relation.from_atom(clause.head)
        bound: set[str] = set()
        led: list[Literal] = []
        if head in self.places:
            led.append(self._demand(clause.head, clause))
            bound.update(variables(led[0].atom))
        waiting = list(clause.body)
        while waiting:
            literal = self._next(waiting, bound)
            waiting.remove(literal)
            if Relation.from_atom(literal.atom) in self.places:
                yield literal, list(led), set(bound)
            if _binds(literal):
                led.append(literal)
                bound.update(variables(literal.atom))

    def _next(self, waiting: list[Literal], bound: set[str]) -> Literal:
        """Return the next condition: an ordinary one that shares a variable, else one on demand, else any."""

        def rank(literal: Literal) -> tuple[int, int]:
            inside = set(variables(literal.atom))
            asked = Relation.from_atom(literal.atom) in self.places
            if not _binds(literal):
                return (5 if asked else 0 if inside <= bound else 5), 0
            if not asked:
                return (0 if inside <= bound else 1 if inside & bound else 4 if bound else 2), 0
            return 3, len(inside - bound)

        return min(waiting, key=rank)

    def _demand(self, atom: Term, clause: Clause) -> Literal:
        which = Relation.from_atom(atom)
        name = f"{RANGE_MARK}_{self.numbers[which]}"
        asked = tuple(term for k, term in enumerate(arguments(atom)) if k in self.places[which])
        return Literal((name, *asked), True, clause.where)

    def clauses(self) -> list[Clause]:
        """Return the clauses of the demands and all given clauses."""
        made: defaultdict[Term, dict[Clause, None]] = defaultdict(dict)
        for clause in self.given:
            for literal, led, _ in self._queries(clause):
                head = self._demand(literal.atom, clause).atom
                if head not in [one.atom for one in led]:
                    body = _leading(set(variables(head)), led)
                    made[relation(head)][Clause(head, tuple(body), clause.where)] = None
        asked = [clause for some in made.values() for clause in some]
        return [*asked, *map(self._guarded, self.given)]

    def _guarded(self, clause: Clause) -> Clause:
        if Relation.from_atom(clause.head) not in self.places:
            return clause
        return Clause(clause.head, (self._demand(clause.head, clause), *clause.body), clause.where)


def _leading(asked: set[str], led: list[Literal]) -> list[Literal]:
    """Return a small set of conditions that binds the queried variables, and those that restrict them further."""
    left, inside, chosen = set(asked), set[str](), set[Literal]()
    while left:
        best = max(led, key=lambda one: (len(left & set(variables(one.atom))), -len(set(variables(one.atom)) - asked)))
        chosen.add(best)
        left.difference_update(variables(best.atom))
        inside.update(variables(best.atom))
    return [
        one
        for one in led
        if one in chosen
        or inside.issuperset(variables(one.atom))
        or (relation(one.atom).startswith(RANGE_MARK) and inside & set(variables(one.atom)))
    ]


def _dynamic_relations(clauses: tuple[Clause, ...]) -> set[Relation]:
    """Return the relations that depend on the position or on moves."""
    graph: defaultdict[Relation, set[Relation]] = defaultdict(set)
    for clause in clauses:
        for literal in clause.body:
            graph[Relation.from_atom(literal.atom)].add(Relation.from_atom(clause.head))
    queue = [TRUE, DOES]
    found = set(queue)
    for one in queue:
        new = graph[one] - found
        found |= new
        queue.extend(new)
    return found


def _binds(literal: Literal) -> bool:
    return literal.positive and relation(literal.atom) != "distinct"
