"""Static checks of a rulesheet against the definition of GDL (Love, Hinrichs, Haley, Schkufza and Genesereth 2008).

With an *error* the rules have no meaning, or evaluating them may not end; such rules are not played. With a *warning*
they violate the definition but can be played, as many public rulesheets do.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from ramify.errors import RamifyError
from ramify.ggp.datalog.dependencies import Dependencies, Relation, clause_components, may_match
from ramify.ggp.kif import Place, Term, is_variable, variables, write
from ramify.ggp.relevant_rules import relevant_clauses
from ramify.ggp.rules import ARITIES, OPTIONAL_ARITIES, RANDOM, Clause, Rulesheet, arguments, relation

GIVEN = ("true", "does", "distinct")  # relations that a rule cannot define
MUST_HAVE = {
    "role": "the game would have no players",
    "legal": "no move would be legal",
    "terminal": "the game would never end",
    "goal": "no game would have a result",
}
START = Place(1, 1)
GOAL_VALUES = {str(value): value for value in range(101)}


@dataclass(frozen=True, slots=True)
class RulesheetFinding:
    """A violation of the definition of GDL."""

    where: Place
    error: bool  # False: a warning
    message: str

    def __str__(self) -> str:
        return f"{self.where}: {'error' if self.error else 'warning'}: {self.message}"


def check(rules: Rulesheet) -> list[RulesheetFinding]:
    """Return all findings in the order of the text."""
    sheet = _Rulesheet(rules)
    return sorted(
        dict.fromkeys(finding for one in CHECKS for finding in one(sheet)),
        key=lambda finding: (finding.where, not finding.error, finding.message),
    )


def raise_on_errors(rules: Rulesheet) -> list[RulesheetFinding]:
    """Return the warnings. Raise RamifyError for the first error."""
    found = check(rules)
    errors = [finding for finding in found if finding.error]
    if errors:
        more = f" (and {len(errors) - 1} more; `ramify gdl check` lists them)" if len(errors) > 1 else ""
        raise RamifyError(f"{rules.name}, {errors[0].where}: {errors[0].message}{more}")
    return found


class _Rulesheet:
    """The rules, with what several checks need."""

    def __init__(self, rules: Rulesheet) -> None:
        self.rules = rules
        self.graph = Dependencies(rules)
        self.needed = {Relation.from_atom(clause.head) for clause in relevant_clauses(rules).clauses}

    def matters(self, clause: Clause) -> bool:
        """Return whether playing the game depends on the clause."""
        return Relation.from_atom(clause.head) in self.needed

    def broken(self, clause: Clause, where: Place, message: str) -> RulesheetFinding:
        """Return an error if the clause matters, else a warning."""
        if self.matters(clause):
            return RulesheetFinding(where, True, message)
        return RulesheetFinding(where, False, f"{message} (nothing depends on this rule, so it is ignored)")


def _count(arguments: int) -> str:
    return f"{arguments} argument{'s' * (arguments != 1)}"


def _names(terms: Iterable[str]) -> str:
    *most, last = sorted(set(terms))
    return f"{', '.join(most)} and {last}" if most else last


def _arities(sheet: _Rulesheet) -> Iterator[RulesheetFinding]:
    """Check that each relation and each function has one arity."""
    relations: dict[str, int] = {}
    functions: dict[str, int] = {}

    def functions_of(term: Term, where: Place) -> Iterator[RulesheetFinding]:
        if isinstance(term, str):
            return
        name, count = relation(term), len(arguments(term))
        known = functions.setdefault(name, count)
        if known != count:
            what = f"the function '{name}' has {_count(count)} here and {known} before: they are different functions"
            yield RulesheetFinding(where, False, what)
        for part in arguments(term):
            yield from functions_of(part, where)

    for clause in sheet.rules.clauses:
        for atom, where in ((clause.head, clause.where), *((one.atom, one.where) for one in clause.body)):
            name, count = relation(atom), len(arguments(atom))
            known = relations.setdefault(name, OPTIONAL_ARITIES.get(name, count))
            if known != count and name in OPTIONAL_ARITIES:
                yield RulesheetFinding(
                    where, False, f"GDL's '{name}' takes {_count(known)}, not {count}: this is an ordinary relation"
                )
            elif known != count:
                yield RulesheetFinding(
                    where, True, f"the relation '{name}' has {_count(count)} here and {known} before"
                )
            for part in arguments(atom):
                yield from functions_of(part, where)


def _safety(sheet: _Rulesheet) -> Iterator[RulesheetFinding]:
    """Check that every variable of a rule occurs in a positive condition."""
    for clause in sheet.rules.clauses:
        bound = {name for one in clause.body if one.binds for name in variables(one.atom)}
        if free := set(variables(clause.head)) - bound:
            rule = "no positive condition gives a value to" if clause.body else "a fact cannot have a variable:"
            yield sheet.broken(clause, clause.where, f"{rule} {_names(free)} of the head {write(clause.head)}")
        for one in clause.body:
            free = set(variables(one.atom)) - bound
            if not free:
                continue
            if relation(one.atom) == "distinct":
                what = f"no positive condition gives a value to {_names(free)} of {one}"
                yield sheet.broken(clause, one.where, what)
            else:
                what = f"no positive condition gives a value to {_names(free)} of {one}: it means that none exists"
                yield RulesheetFinding(one.where, False, what)


def _stratification(sheet: _Rulesheet) -> Iterator[RulesheetFinding]:
    """Check that no relation depends on its own negation."""
    clauses = sheet.rules.clauses
    suspects = [
        (clause, one)
        for clause in clauses
        for one in clause.body
        if not one.positive and sheet.graph.recursive(Relation.from_atom(clause.head), Relation.from_atom(one.atom))
    ]
    if not suspects:
        return
    component = {place: number for number, some in enumerate(clause_components(clauses)) for place in some}
    place_of = {id(clause): place for place, clause in enumerate(clauses)}
    for clause, one in suspects:
        name = relation(clause.head)
        here = component[place_of[id(clause)]]
        inner = [other for place, other in enumerate(clauses) if component[place] == here]
        if any(may_match(one.atom, other.head) for other in inner):
            yield sheet.broken(clause, one.where, f"'{name}' depends on its own negation, here by {one}")
        else:
            what = f"'{name}' depends on its own negation, by {one}, though not for the same arguments"
            yield RulesheetFinding(one.where, False, what)


def _recursion(sheet: _Rulesheet) -> Iterator[RulesheetFinding]:
    """Check that arguments of recursive conditions come from the head or from conditions outside the recursion.

    Otherwise terms could grow without limit.
    """
    graph = sheet.graph
    growing = {
        graph.component_of[Relation.from_atom(clause.head)]
        for clause in sheet.rules.clauses
        if any(not isinstance(part, str) and any(variables(part)) for part in arguments(clause.head))
    }
    for clause in sheet.rules.clauses:
        head = Relation.from_atom(clause.head)
        outside = {
            part
            for one in clause.body
            if not graph.recursive(head, Relation.from_atom(one.atom))
            for part in arguments(one.atom)
        }
        for one in clause.body:
            if not graph.recursive(head, Relation.from_atom(one.atom)):
                continue
            for part in arguments(one.atom):
                if any(variables(part)) and part not in arguments(clause.head) and part not in outside:
                    what = f"the recursion by {one} takes {write(part)} neither from the head nor from a condition"
                    what += " outside the recursion"
                    if graph.component_of[head] in growing:
                        yield sheet.broken(clause, one.where, f"{what}: its terms may grow without limit")
                    else:
                        yield RulesheetFinding(
                            one.where, False, f"{what}; it still ends, because no function makes terms grow"
                        )


def _keywords(sheet: _Rulesheet) -> Iterator[RulesheetFinding]:
    """Check that GDL's relations are used only where they may be."""
    for clause in sheet.rules.clauses:
        name = relation(clause.head)
        if name in GIVEN:
            yield RulesheetFinding(
                clause.where, True, f"'{name}' cannot be the head of a rule: its facts come from the match"
            )
        if name == "role" and (clause.body or any(variables(clause.head))):
            yield RulesheetFinding(clause.where, True, "roles must be facts such as (role white), not rules")
        for one in clause.body:
            if relation(one.atom) in ("init", "next"):
                what = f"'{relation(one.atom)}' may only be the head of a rule"
                yield RulesheetFinding(one.where, False, what)


FORBIDDEN_DEPENDENCIES = (  # relation, what it must not depend on, whether that is an error, reason
    ("init", ("true", "does", "next", "legal", "goal", "terminal"), True, "it describes the first position"),
    ("role", ("true", "does"), True, "roles are the same in all positions"),
    ("legal", ("does",), True, "legal moves must be known before moves are chosen"),
    ("base", ("true", "does"), True, "it lists what may ever be true"),
    ("input", ("true", "does"), True, "it lists what may ever be legal"),
    ("goal", ("does",), False, "it is evaluated while no move is made, so no 'does' holds"),
    ("terminal", ("does",), False, "it is evaluated while no move is made, so no 'does' holds"),
)


def _paths(sheet: _Rulesheet) -> Iterator[RulesheetFinding]:
    """Check that GDL's relations depend only on what they may."""
    for name, targets, error, why in FORBIDDEN_DEPENDENCIES:
        start = Relation(name, (ARITIES | OPTIONAL_ARITIES)[name])
        path = sheet.graph.path(start, [Relation(target, ARITIES[target]) for target in targets])
        if path:
            first = next(
                clause
                for clause in sheet.rules.clauses
                if Relation.from_atom(clause.head) == start
                and any(Relation.from_atom(one.atom) == path[1] for one in clause.body)
            )
            by = f" through {', '.join(map(str, path[1:-1]))}" if len(path) > 2 else ""
            yield RulesheetFinding(first.where, error, f"'{name}' depends on '{path[-1]}'{by}: {why}")


def _missing(sheet: _Rulesheet) -> Iterator[RulesheetFinding]:
    """Check that the rulesheet defines what every game needs."""
    rules = sheet.rules
    heads: defaultdict[str, list[Term]] = defaultdict(list)
    for clause in rules.clauses:
        heads[relation(clause.head)].append(clause.head)
    for name, why in MUST_HAVE.items():
        if name not in heads:
            yield RulesheetFinding(START, True, f"no rule defines '{name}': {why}")
    if "next" not in heads:
        yield RulesheetFinding(START, False, "no rule defines 'next': nothing is true after the first move")
    for name, error in (("legal", True), ("goal", False)):
        for role in rules.roles if name in heads else ():
            of_role = any(is_variable(arguments(head)[0]) or arguments(head)[0] == role for head in heads[name])
            if not of_role and not (role == RANDOM and name == "goal"):
                yield RulesheetFinding(START, error, f"no rule defines '{name}' for the role {write(role)}")
    reported = set()
    for clause in rules.clauses:
        for one in clause.body:
            name = relation(one.atom)
            if name not in heads and name not in GIVEN and name not in reported:
                reported.add(name)
                yield RulesheetFinding(one.where, False, f"no rule or fact defines '{name}': it never holds")


def _goals(sheet: _Rulesheet) -> Iterator[RulesheetFinding]:
    """Check that goals are integers from 0 to 100."""
    for clause in sheet.rules.clauses:
        if relation(clause.head) == "goal":
            value = arguments(clause.head)[1]
            if not is_variable(value) and goal_value(value) is None:
                yield RulesheetFinding(clause.where, True, f"invalid goal {write(value)}: use an integer from 0 to 100")


def goal_value(term: Term) -> int | None:
    """Parse a goal value, or None unless it is an integer from 0 to 100."""
    return GOAL_VALUES.get(term.lstrip("0") or term[:1]) if isinstance(term, str) else None


CHECKS: tuple[Callable[[_Rulesheet], Iterator[RulesheetFinding]], ...] = (
    _arities,
    _safety,
    _stratification,
    _recursion,
    _keywords,
    _paths,
    _missing,
    _goals,
)
