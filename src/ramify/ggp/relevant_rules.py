"""Rules as an evaluator wants them: only what the play of the game needs, and every clause safe."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from ramify.ggp.datalog.dependencies import Dependencies, Relation
from ramify.ggp.kif import variables
from ramify.ggp.rules import ARITIES, OPTIONAL_ARITIES, Clause, Literal, Rulesheet, relation

MATCH_RELATIONS = ("role", "init", "legal", "next", "terminal", "goal", "sees")  # in a match


def relevant_clauses(rules: Rulesheet) -> Rulesheet:
    """The rules without the clauses on which nothing that is asked in a match depends."""
    arities = ARITIES | OPTIONAL_ARITIES
    kept = Dependencies(rules).below(Relation(name, arities[name]) for name in MATCH_RELATIONS)
    return replace(rules, clauses=tuple(clause for clause in rules.clauses if Relation.from_atom(clause.head) in kept))


def prepare(rules: Rulesheet) -> Rulesheet:
    """The needed rules, where ``(not (p ?x))`` with an ``?x`` that has no value elsewhere has a relation of its own."""
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
