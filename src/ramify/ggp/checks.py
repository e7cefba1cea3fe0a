"""What can be said of a rulesheet without playing: where it breaks the definition of GDL.

After the specification by Love, Hinrichs, Haley, Schkufza and Genesereth (2008). An *error* leaves rules without a
meaning, or without an end; they are refused. A *warning* is where rules break the letter of the definition and work
nevertheless, as many public ones do.
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

GIVEN = ("true", "does", "distinct")  # relations that no rule defines
MUST_HAVE = {
    "role": "nobody would play",
    "legal": "nobody could move",
    "terminal": "the game would never end",
    "goal": "nobody would know who has won",
}
START = Place(1, 1)


@dataclass(frozen=True, slots=True)
class RulesheetFinding:
    """Something wrong with a rulesheet."""

    where: Place
    error: bool  # rather than a warning
    sentence: str

    def __str__(self) -> str:
        return f"{self.where}: {'error' if self.error else 'warning'}: {self.sentence}"


def check(rules: Rulesheet) -> list[RulesheetFinding]:
    """All findings, in the order of the text."""
    sheet = _Rulesheet(rules)
    return sorted(
        dict.fromkeys(finding for one in CHECKS for finding in one(sheet)),
        key=lambda finding: (finding.where, not finding.error, finding.sentence),
    )


def raise_on_errors(rules: Rulesheet) -> list[RulesheetFinding]:
    """The warnings; RamifyError with the first error where there is one."""
    found = check(rules)
    errors = [finding for finding in found if finding.error]
    if errors:
        more = f" (and {len(errors) - 1} more; `ramify gdl check` lists them)" if len(errors) > 1 else ""
        raise RamifyError(f"{rules.name}, {errors[0].where}: {errors[0].sentence}{more}")
    return found


class _Rulesheet:
    """The rules and what several checks ask of them."""

    def __init__(self, rules: Rulesheet) -> None:
        self.rules = rules
        self.graph = Dependencies(rules)
        self.needed = {Relation.from_atom(clause.head) for clause in relevant_clauses(rules).clauses}

    def matters(self, clause: Clause) -> bool:
        """Whether the play of the game depends on a clause."""
        return Relation.from_atom(clause.head) in self.needed

    def broken(self, clause: Clause, where: Place, sentence: str) -> RulesheetFinding:
        """An error where the clause matters, else a warning."""
        if self.matters(clause):
            return RulesheetFinding(where, True, sentence)
        return RulesheetFinding(where, False, f"{sentence} (nothing depends on this rule, so it is left out)")


def _count(arguments: int) -> str:
    return f"{arguments} argument{'s' * (arguments != 1)}"


def _names(terms: Iterable[str]) -> str:
    *most, last = sorted(set(terms))
    return f"{', '.join(most)} and {last}" if most else last


def _arities(sheet: _Rulesheet) -> Iterator[RulesheetFinding]:
    """A name has one number of arguments, as a relation and as a function."""
    relations: dict[str, int] = {}
    functions: dict[str, int] = {}

    def functions_of(term: Term, where: Place) -> Iterator[RulesheetFinding]:
        if isinstance(term, str):
            return
        name, count = relation(term), len(arguments(term))
        known = functions.setdefault(name, count)
        if known != count:
            what = f"the function '{name}' has {_count(count)} here and {known} before; they count as two functions"
            yield RulesheetFinding(where, False, what)
        for part in arguments(term):
            yield from functions_of(part, where)

    for clause in sheet.rules.clauses:
        for atom, where in ((clause.head, clause.where), *((one.atom, one.where) for one in clause.body)):
            name, count = relation(atom), len(arguments(atom))
            known = relations.setdefault(name, OPTIONAL_ARITIES.get(name, count))
            if known != count and name in OPTIONAL_ARITIES:
                yield RulesheetFinding(
                    where, False, f"'{name}' has {known} arguments in GDL, not {count}; here it has no meaning"
                )
            elif known != count:
                yield RulesheetFinding(
                    where, True, f"the relation '{name}' has {_count(count)} here and {known} before"
                )
            for part in arguments(atom):
                yield from functions_of(part, where)


def _safety(sheet: _Rulesheet) -> Iterator[RulesheetFinding]:
    """Every variable of a rule stands in a condition that holds for known values only."""
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
    """No relation depends on its own negation."""
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
    """What a recursive condition speaks of is known from the head or from conditions outside of the recursion.

    Without that, terms may grow without end.
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
                    what += " outside of the recursion"
                    if graph.component_of[head] in growing:
                        yield sheet.broken(clause, one.where, f"{what}: its terms may grow without end")
                    else:
                        yield RulesheetFinding(
                            one.where, False, f"{what}; no function makes terms grow here, so it ends"
                        )


def _keywords(sheet: _Rulesheet) -> Iterator[RulesheetFinding]:
    """Relations with a meaning in every game stand only where they may."""
    for clause in sheet.rules.clauses:
        name = relation(clause.head)
        if name in GIVEN:
            yield RulesheetFinding(
                clause.where, True, f"'{name}' cannot be the head of a rule: the match says what holds of it"
            )
        if name == "role" and (clause.body or any(variables(clause.head))):
            yield RulesheetFinding(clause.where, True, "roles must be facts, as (role white), not come from a rule")
        for one in clause.body:
            if relation(one.atom) in ("init", "next"):
                what = f"'{relation(one.atom)}' belongs in the heads of rules only"
                yield RulesheetFinding(one.where, False, what)


FORBIDDEN_WAYS = (  # a relation, what it must not depend on, whether that is an error, why
    ("init", ("true", "does", "next", "legal", "goal", "terminal"), True, "there is no position yet"),
    ("role", ("true", "does"), True, "roles are the same in all positions"),
    ("legal", ("does",), True, "moves are chosen after it is known which are legal"),
    ("base", ("true", "does"), True, "it says what may ever be true"),
    ("input", ("true", "does"), True, "it says what may ever be legal"),
    ("goal", ("does",), False, "nobody moves when it is asked, so no 'does' holds"),
    ("terminal", ("does",), False, "nobody moves when it is asked, so no 'does' holds"),
)


def _ways(sheet: _Rulesheet) -> Iterator[RulesheetFinding]:
    """Relations with a meaning in every game depend only on what they may."""
    for name, targets, error, why in FORBIDDEN_WAYS:
        start = Relation(name, (ARITIES | OPTIONAL_ARITIES)[name])
        way = sheet.graph.way(start, [Relation(target, ARITIES[target]) for target in targets])
        if way:
            first = next(
                clause
                for clause in sheet.rules.clauses
                if Relation.from_atom(clause.head) == start
                and any(Relation.from_atom(one.atom) == way[1] for one in clause.body)
            )
            by = f" by way of {', '.join(map(str, way[1:-1]))}" if len(way) > 2 else ""
            yield RulesheetFinding(first.where, error, f"'{name}' depends on '{way[-1]}'{by}: {why}")


def _missing(sheet: _Rulesheet) -> Iterator[RulesheetFinding]:
    """What every game must say."""
    rules = sheet.rules
    heads: defaultdict[str, list[Term]] = defaultdict(list)
    for clause in rules.clauses:
        heads[relation(clause.head)].append(clause.head)
    for name, why in MUST_HAVE.items():
        if name not in heads:
            yield RulesheetFinding(START, True, f"no rule says what '{name}' is: {why}")
    if "next" not in heads:
        yield RulesheetFinding(START, False, "no rule says what is true next: nothing is after the first move")
    for name, error in (("legal", True), ("goal", False)):
        for role in rules.roles if name in heads else ():
            of_role = any(is_variable(arguments(head)[0]) or arguments(head)[0] == role for head in heads[name])
            if not of_role and not (role == RANDOM and name == "goal"):
                yield RulesheetFinding(START, error, f"no rule says what is {name} for the role {write(role)}")
    reported = set()
    for clause in rules.clauses:
        for one in clause.body:
            name = relation(one.atom)
            if name not in heads and name not in GIVEN and name not in reported:
                reported.add(name)
                yield RulesheetFinding(one.where, False, f"no rule or fact says what '{name}' is: it never holds")


def _goals(sheet: _Rulesheet) -> Iterator[RulesheetFinding]:
    """Goals are whole numbers from 0 to 100."""
    for clause in sheet.rules.clauses:
        if relation(clause.head) == "goal":
            value = arguments(clause.head)[1]
            if not is_variable(value) and goal_value(value) is None:
                yield RulesheetFinding(
                    clause.where, True, f"a goal is a whole number from 0 to 100, not {write(value)}"
                )


def goal_value(term: Term) -> int | None:
    """The number that a goal is; None if it is none from 0 to 100."""
    if isinstance(term, str) and term.isascii() and term.isdigit() and int(term[:4]) <= 100:
        return int(term)
    return None


CHECKS: tuple[Callable[[_Rulesheet], Iterator[RulesheetFinding]], ...] = (
    _arities,
    _safety,
    _stratification,
    _recursion,
    _keywords,
    _ways,
    _missing,
    _goals,
)
