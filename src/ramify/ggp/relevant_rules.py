"""Rules prepared for evaluation: only those that the game needs, every clause safe."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from ramify.ggp.datalog.dependencies import Dependencies, Relation
from ramify.ggp.kif import variables
from ramify.ggp.rules import ARITIES, OPTIONAL_ARITIES, Clause, Literal, Rulesheet, relation

MATCH_RELATIONS = ("role", "init", "legal", "next", "terminal", "goal", "sees")  # queried in a match


def relevant_clauses(rules: Rulesheet) -> Rulesheet:
    """Return the rules without clauses that none of MATCH_RELATIONS depends on."""
    arities = ARITIES | OPTIONAL_ARITIES
    kept = Dependencies(rules).below(Relation(name, arities[name]) for name in MATCH_RELATIONS)
    return replace(rules, clauses=tuple(clause for clause in rules.clauses if Relation.from_atom(clause.head) in kept))


def prepare(rules: Rulesheet) -> Rulesheet:
    """Return the relevant rules, every clause safe.

    A negation ``(not (p ?x))`` whose ``?x`` is bound nowhere else gets an auxiliary relation.
    """
    kept = relevant_clauses(rules)
    names = {relation(clause.head) for clause in kept.clauses}

    def safe() -> Iterator[Clause]:
        for clause in kept.clauses:
            body = []
            bound = {name for one in clause.body if one.binds for name in variables(one.atom)}
            for one in clause.body:
                inside = set(variables(one.atom))
                if one.positive or relation(one.atom) == "distinct" or inside <= bound:
                    body.append(one)
                    continue
                name = next(word for number in range(len(names) + 1) if (word := f"some%{number}") not in names)
                names.add(name)
                some = (name, *sorted(inside & bound)) if inside & bound else name
                yield Clause(some, (Literal(one.atom, True, one.where),), one.where)
                body.append(Literal(some, False, one.where))
            yield Clause(clause.head, tuple(body), clause.where)

    return replace(kept, clauses=tuple(dict.fromkeys(safe())))
