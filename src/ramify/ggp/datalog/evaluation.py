"""What follows from facts by clauses: always, in a position, or when moves are made.

Clauses are evaluated bottom up, in an order in which everything that a clause needs, also as a negation, is known
before it; clauses that need each other are evaluated until nothing new follows, each time only from what is new
(semi-naive evaluation). What depends on no position is worked out once, what depends on no move once for each position.

Some relations hold of far more than a game ever asks for ("a piece on this cell would be threatened from that one if a
third one were empty"). One whose clauses make too many rows is put *on demand*: from then on its rows are worked out
only for arguments that somebody asks for, as magic sets do (Bancilhon et al. 1986).
"""

from __future__ import annotations

import itertools
import math
import threading
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from ramify.errors import RamifyError
from ramify.ggp.datalog.dependencies import Dependencies, Relation, clause_components, may_match
from ramify.ggp.datalog.joins import EMPTY, Join, TooManyRowsError, planned
from ramify.ggp.datalog.tables import Row, Table
from ramify.ggp.relevant_rules import MATCH_RELATIONS, prepare
from ramify.ggp.rules import Clause, Literal, Rulesheet, arguments

TRUE, DOES = Relation("true", 1), Relation("does", 2)

ALWAYS, IN_POSITION, IN_MOVE = range(3)  # when it can be known what holds of a relation

MAX_ROWS = 5_000_000  # of one relation: more is taken for rules without an end
ON_DEMAND_ROWS = {ALWAYS: 100_000, IN_POSITION: 10_000, IN_MOVE: 10_000}  # if more in a join or table, it is on demand


@dataclass(frozen=True, slots=True)
class Query:
    """A relation that is asked for by arguments in some places."""

    relation: Relation
    places: tuple[int, ...]


class Program:
    """Rules, made ready for layers; they learn which relations must be on demand."""

    def __init__(self, rules: Rulesheet) -> None:
        self.lock = threading.RLock()  # threads of a search share what is worked out
        needed = prepare(rules)
        self.facts: defaultdict[Relation, list[Row]] = defaultdict(list)
        self.clauses: defaultdict[Relation, list[Clause]] = defaultdict(list)  # with a body
        for clause in needed.clauses:
            if clause.body:
                self.clauses[Relation.from_atom(clause.head)].append(clause)
            else:
                self.facts[Relation.from_atom(clause.head)].append(arguments(clause.head))
        clauses = [clause for clause in needed.clauses if clause.body]
        self.graph = Dependencies(needed)
        groups = [Group([clauses[place] for place in places]) for places in clause_components(clauses)]
        # All that a relation needs comes before all that needs the relation: one on demand is asked for by others.
        self.groups = sorted(groups, key=lambda group: self.graph.component_of[next(iter(group.heads))])
        for group in self.groups:
            group.may_wait = self._may_wait(group)
        self.when = {one: self._when(one) for one in (TRUE, DOES, *self.graph.edges)}
        self.many_rows = dict(ON_DEMAND_ROWS)
        self.on_demand: set[Relation] = set()
        self._wanted: dict[Relation, dict[int, list[Group]]] = {}
        self._answers: dict[Query, list[Join]] = {}

    def _when(self, one: Relation) -> int:
        if one == DOES or self.graph.way(one, [DOES]):
            return IN_MOVE
        return IN_POSITION if one == TRUE or self.graph.way(one, [TRUE]) else ALWAYS

    def groups_for(self, one: Relation, when: int) -> list[Group]:
        """What must be evaluated so that a relation is known, of what is known in a layer."""
        found = self._wanted.get(one)
        if found is None:
            below = self.graph.below([one])
            found = self._wanted[one] = {ALWAYS: [], IN_POSITION: [], IN_MOVE: []}
            for group in self.groups:
                if group.heads & below:
                    found[max(self.when[head] for head in group.heads)].append(group)
        return found[when]

    def _may_wait(self, group: Group) -> bool:
        together = self.together(group)
        return not any(
            head.name in MATCH_RELATIONS
            or any(not one.positive and Relation.from_atom(one.atom) in together for one in self._conditions(head))
            for head in together
        )

    def together(self, group: Group) -> set[Relation]:
        """The relations of a group and those with which they depend on each other."""
        number = self.graph.component_of
        return {one for one in number if number[one] == number[next(iter(group.heads))]}

    def _conditions(self, head: Relation) -> Iterator[Literal]:
        return itertools.chain.from_iterable(clause.body for clause in self.clauses[head])

    def answers(self, question: Query, layer: Layer) -> list[Join]:
        """The clauses of a relation on demand; their first condition is that somebody asked."""
        joins = self._answers.get(question)
        if joins is None:
            joins = self._answers[question] = []
            for clause in self.clauses[question.relation]:
                terms = arguments(clause.head)
                asked = Literal(("asked%", *(terms[place] for place in question.places)), True, clause.where)
                joins.append(planned(Clause(clause.head, (asked, *clause.body), clause.where), layer, asked))
        return joins


class Group:
    """Clauses that need each other, or one that needs only others."""

    def __init__(self, clauses: list[Clause]) -> None:
        self.clauses = clauses
        self.heads = {Relation.from_atom(clause.head) for clause in clauses}
        self.may_wait = False  # and be on demand: not if a match asks for its relations, or if they negate each other
        self.joins: list[Join] = []
        self.again: list[tuple[Relation, Join]] = []  # by a condition of the group's own, which comes first

    def evaluate(self, layer: Layer, max_rows: float) -> None:
        """Enter all that follows into the tables of the heads; TooManyRowsError if joins have more rows than that."""
        if not self.joins:
            self.joins = [planned(clause, layer) for clause in self.clauses]
            self.again = [
                (Relation.from_atom(one.atom), planned(clause, layer, one))
                for clause in self.clauses
                for one in clause.body
                if any(may_match(one.atom, other.head) for other in self.clauses)
            ]
        new: defaultdict[Relation, list[Row]] = defaultdict(list)
        for join in self.joins:
            new[join.head] += layer.insert(join, None, max_rows)
        while self.again and any(new.values()):
            fresh = {one: Table(rows) for one, rows in new.items() if rows}
            new = defaultdict(list)
            for one, join in self.again:
                if one in fresh:
                    new[join.head] += layer.insert(join, fresh[one], max_rows)


@dataclass
class Layer:
    """What is known always, in a position, or when moves are made; each built upon the one before."""

    program: Program
    when: int
    tables: dict[Relation, Table]  # at first what is given
    below: Layer | None = None
    done: set[int] = field(default_factory=set)  # groups, by id
    asked: dict[Query, Table] = field(default_factory=dict)  # what was asked, and is known
    asking: dict[int, dict[Query, Table]] = field(default_factory=dict)  # by recursive clauses: is being worked out

    def __post_init__(self) -> None:
        self.on_demand = self.program.on_demand
        if self.below is None:
            self.tables |= {one: Table(rows) for one, rows in self.program.facts.items() if not self.program.when[one]}

    def table(self, one: Relation) -> Table:
        """All that holds of a relation; of one on demand, what was asked for."""
        with self.program.lock:
            if self.below is not None:
                self.below.table(one)
                self.tables = self.below.tables | self.tables
            for group in self.program.groups_for(one, self.when):
                if id(group) not in self.done:
                    self.done.add(id(group))
                    self._evaluate(group)
            return self.tables.get(one, EMPTY)

    def _evaluate(self, group: Group) -> None:
        for head in group.heads:
            if head not in self.tables:
                self.tables[head] = Table(self.program.facts.get(head, ()))
        if group.heads & self.on_demand:
            return
        try:
            group.evaluate(self, self.program.many_rows[self.when] if group.may_wait else math.inf)
        except TooManyRowsError:
            together = self.program.together(group)
            self.on_demand |= together
            for head in together & self.tables.keys():
                self.tables[head].begin(self.program.facts.get(head, ()))

    def insert(self, join: Join, given: Table | None, max_rows: float = math.inf) -> list[Row]:
        """Enter what follows into the table of the head; what was new."""
        table = self.tables[join.head]
        new = table.add(join.rows(self, given, max_rows))
        if len(table.rows) > max_rows:
            raise TooManyRowsError
        if len(table.rows) > MAX_ROWS:
            raise RamifyError(f"'{join.head}' holds of more than {MAX_ROWS} terms: the rules do not end")
        return new

    def ask(self, one: Relation, places: tuple[int, ...], keys: Iterable[Row]) -> None:
        """Work out all rows of a relation on demand with these arguments in these places."""
        if self.program.when[one] < self.when and self.below is not None:
            self.below.ask(one, places, keys)
            return
        question = Query(one, places)
        known = self.asked.setdefault(question, Table())
        if not self.program.graph.recursive(one, one):
            new = Table(known.add(keys))
            for join in self.program.answers(question, self) if new.rows else ():
                self.insert(join, new)
            return
        component = self.program.graph.component_of[one]
        begun = component in self.asking
        asking = self.asking.setdefault(component, {})
        asking.setdefault(question, Table()).add(key for key in keys if key not in known.rows)
        if not begun:
            self._settle(asking)
            del self.asking[component]

    def _settle(self, asking: dict[Query, Table]) -> None:
        """Work out what recursive clauses are asked for; they ask for more on the way."""
        before, now = -1, 0
        while before != now:
            before = now
            for question, keys in list(asking.items()):
                for join in self.program.answers(question, self):
                    self.insert(join, keys)
            now = sum(len(keys.rows) + len(self.tables[one.relation].rows) for one, keys in asking.items())
        for question, keys in asking.items():
            self.asked.setdefault(question, Table()).add(keys.rows)
