"""Limits on the size of terms. Rules with functions can build terms that grow, within a position or move by move."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence

from ramify.errors import RamifyError
from ramify.ggp.datalog.dependencies import Relation
from ramify.ggp.datalog.tables import Row
from ramify.ggp.kif import MAX_NESTING, Term, is_variable
from ramify.ggp.rules import Clause, arguments

MAX_SYMBOLS = 10_000  # per term; public rulesheets reach 10
SAME_ARGUMENTS = {  # relations of a match, and the relations whose arguments they take over
    Relation("true", 1): (Relation("init", 1), Relation("next", 1)),
    Relation("does", 2): (Relation("legal", 2),),
}

Place = tuple[Relation, int]  # an argument of a relation


def may_grow(clauses: Sequence[Clause]) -> bool:
    """Return whether the rules may build terms of more than MAX_SYMBOLS symbols. If not, none needs to be checked."""
    widest = max((len(term) for clause in clauses for term in _compounds(clause)), default=1)
    depths: defaultdict[Place, int] = defaultdict(int)
    for (one, place), depth in _depths([clause for clause in clauses if not clause.body], depths):
        depths[one, place] = depth
    rules = [clause for clause in clauses if clause.body]
    changed = True
    while changed:
        changed = False
        for (one, place), depth in _depths(rules, depths):
            if depth > depths[one, place]:
                if widest**depth > MAX_SYMBOLS:
                    return True
                depths[one, place] = depth
                changed = True
    return False


def _depths(clauses: Sequence[Clause], depths: defaultdict[Place, int]) -> Iterator[tuple[Place, int]]:
    """Yield the greatest nesting depth that each clause can give to the arguments of its head."""
    for clause in clauses:
        head = Relation.from_atom(clause.head)
        known: dict[str, int] = {}
        for literal in clause.body:
            if literal.binds:
                one = Relation.from_atom(literal.atom)
                for place, term in enumerate(arguments(literal.atom)):
                    most = max(depths[source, place] for source in SAME_ARGUMENTS.get(one, (one,)))
                    for leaf, level in _leaves(term):
                        known[leaf] = min(known.get(leaf, most), max(most - level, 0))
        for place, term in enumerate(arguments(clause.head)):
            leaves = ((known.get(leaf, 0) if is_variable(leaf) else 0, level) for leaf, level in _leaves(term))
            yield (head, place), max(map(sum, leaves))


def _leaves(term: Term, level: int = 0) -> Iterator[tuple[str, int]]:
    """Yield the words of a term with their nesting depth."""
    if isinstance(term, str):
        yield term, level
    else:
        for part in term:
            yield from _leaves(part, level + 1)


def _compounds(clause: Clause) -> Iterator[tuple[Term, ...]]:
    """Yield the compound terms in the head of a clause."""
    terms = list(arguments(clause.head))
    while terms:
        term = terms.pop()
        if not isinstance(term, str):
            yield term
            terms.extend(term)


def checked(build: Callable[[Row], Row]) -> Callable[[Row], Row]:
    """Return the builder of a clause's head with a limit on the size of its terms."""

    def build_checked(row: Row) -> Row:
        made = build(row)
        for term in made:
            if not isinstance(term, str):
                _check_size(term)
        return made

    return build_checked


def _check_size(term: tuple[Term, ...]) -> None:
    symbols, depth, level = 0, 0, [term]
    while level:
        depth += 1
        below: list[tuple[Term, ...]] = []
        for part in level:
            symbols += len(part)
            if symbols > MAX_SYMBOLS or depth > MAX_NESTING:
                raise RamifyError(
                    f"the rules build a term ({term[0]} ...) with more than {MAX_SYMBOLS:,} symbols or {MAX_NESTING}"
                    " nested functions: use rules whose terms do not grow"
                )
            below += [inner for inner in part if not isinstance(inner, str)]
        level = below
