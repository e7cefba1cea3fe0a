"""GDL without any cleverness: try all facts for all conditions, again and again, until nothing new follows.

A negation is believed only when everything that it may concern is known: clauses are taken level by level, a level
being above all that it negates.
"""

from ramify.ggp.datalog.dependencies import may_match
from ramify.ggp.rules import arguments, relation


def substitute(term, values):
    if isinstance(term, str):
        return values.get(term, term)
    return tuple(substitute(part, values) for part in term)


def match(pattern, term, values):
    """The values of variables that make a pattern the term, or None."""
    if isinstance(pattern, str):
        if not pattern.startswith("?"):
            return values if pattern == term else None
        known = values.get(pattern)
        if known is not None:
            return values if known == term else None
        return {**values, pattern: term}
    if isinstance(term, str) or len(pattern) != len(term):
        return None
    for one, other in zip(pattern, term, strict=True):
        values = match(one, other, values)
        if values is None:
            return None
    return values


def solutions(body, facts, values):
    """All values for which all conditions hold; those that find values first."""
    if not body:
        yield values
        return
    one, rest = body[0], body[1:]
    if one.binds:
        for fact in facts:
            found = match(one.atom, fact, values)
            if found is not None:
                yield from solutions(rest, facts, found)
        return
    if relation(one.atom) == "distinct":
        a, b = (substitute(part, values) for part in arguments(one.atom))
        holds = (a != b) == one.positive
    else:
        holds = all(match(one.atom, fact, values) is None for fact in facts)
    if holds:
        yield from solutions(rest, facts, values)


def levels(clauses):
    """A level for each clause: not below what it needs, above what it negates."""
    level = dict.fromkeys(clauses, 0)
    changed = True
    while changed:
        changed = False
        for clause in clauses:
            for one in clause.body:
                for other in clauses:
                    if may_match(one.atom, other.head) and level[clause] < level[other] + (not one.positive):
                        level[clause] = level[other] + (not one.positive)
                        changed = True
    return level


class NaiveGdl:
    def __init__(self, rules):
        self.level = levels(rules.clauses)

    def all_facts(self, given):
        facts = set(given)
        for wanted in sorted(set(self.level.values())):
            size = -1
            while size != len(facts):
                size = len(facts)
                for clause, level in self.level.items():
                    if level == wanted:
                        body = sorted(clause.body, key=lambda one: not one.binds)
                        facts |= {substitute(clause.head, values) for values in list(solutions(body, facts, {}))}
        return facts

    def of(self, state, moves=()):
        """Everything that holds in a position where those moves are made."""
        return self.all_facts([*(("true", one) for one in state), *(("does", role, move) for role, move in moves)])
