"""Bottom-up evaluation in three layers: facts that always hold, those of a position, and those of a joint move.

Clauses are evaluated in dependency order, so everything a clause needs, including negations, is complete before it.
Mutually recursive clauses are iterated to a fixpoint, each time only from new rows (semi-naive evaluation). Relations
that do not depend on the position are evaluated once, those that do not depend on moves once per position.

Some relations hold for far more arguments than a game ever queries ("a piece on this cell would be threatened from that
one if a third one were empty"). A relation with too many rows is put *on demand*: from then on its rows are computed
only for queried arguments, as magic sets do (Bancilhon et al. 1986).
"""

from __future__ import annotations

import itertools
import math
import threading
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field

from ramify.errors import RamifyError
from ramify.ggp.datalog.dependencies import Dependencies, Relation, clause_components, may_match
from ramify.ggp.datalog.joins import EMPTY, MAX_FACTS, Join, TooManyRowsError, planned
from ramify.ggp.datalog.tables import Row, Table
from ramify.ggp.datalog.term_sizes import may_grow
from ramify.ggp.relevant_rules import MATCH_RELATIONS, prepare
from ramify.ggp.rules import Clause, Literal, Rulesheet, arguments

TRUE, DOES = Relation("true", 1), Relation("does", 2)

ALWAYS, IN_POSITION, IN_MOVE = range(3)  # the layer that a relation belongs to

ON_DEMAND_ROWS = {ALWAYS: 100_000, IN_POSITION: 10_000, IN_MOVE: 10_000}  # in a join or table; more: on demand


@dataclass(frozen=True, slots=True)
class Query:
    """A query to a relation on demand: the positions of its bound arguments."""

    relation: Relation
    places: tuple[int, ...]


class Program:
    """Rules prepared for evaluation. Remembers which relations are on demand."""

    def __init__(self, rules: Rulesheet) -> None:
        self.lock = threading.RLock()  # threads of a search share the tables
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
        # All groups that a relation needs come before those that need it, which may query it on demand.
        self.groups = sorted(groups, key=lambda group: self.graph.component_of[next(iter(group.heads))])
        for group in self.groups:
            group.may_wait = self._may_wait(group)
        self.when = {one: self._when(one) for one in (TRUE, DOES, *self.graph.edges)}
        self.terms_grow = may_grow(needed.clauses)
        self.many_rows = dict(ON_DEMAND_ROWS)
        self.on_demand: set[Relation] = set()
        self._wanted: dict[Relation, dict[int, list[Group]]] = {}
        self._answers: dict[Query, list[Join]] = {}

    def _when(self, one: Relation) -> int:
        if one == DOES or self.graph.path(one, [DOES]):
            return IN_MOVE
        return IN_POSITION if one == TRUE or self.graph.path(one, [TRUE]) else ALWAYS

    def groups_for(self, one: Relation, when: int) -> list[Group]:
        """Return the groups of a layer that must be evaluated to complete a relation."""
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
        """Return the relations in a group's strongly connected component."""
        number = self.graph.component_of
        return {one for one in number if number[one] == number[next(iter(group.heads))]}

    def _conditions(self, head: Relation) -> Iterator[Literal]:
        return itertools.chain.from_iterable(clause.body for clause in self.clauses[head])

    def answers(self, query: Query, layer: Layer) -> list[Join]:
        """Return the joins of a relation on demand. Their first condition is the query."""
        joins = self._answers.get(query)
        if joins is None:
            joins = self._answers[query] = []
            for clause in self.clauses[query.relation]:
                terms = arguments(clause.head)
                asked = Literal(("asked%", *(terms[place] for place in query.places)), True, clause.where)
                joins.append(planned(Clause(clause.head, (asked, *clause.body), clause.where), layer, asked))
        return joins


class Group:
    """Mutually recursive clauses, or a single clause."""

    def __init__(self, clauses: list[Clause]) -> None:
        self.clauses = clauses
        self.heads = {Relation.from_atom(clause.head) for clause in clauses}
        self.may_wait = False  # be on demand: not if a match queries its relations, or if they negate each other
        self.joins: list[Join] = []
        self.again: list[tuple[Relation, Join]] = []  # one per recursive condition, which comes first

    def evaluate(self, layer: Layer, max_rows: float) -> None:
        """Derive all rows of the heads. Raise TooManyRowsError if a join or table exceeds ``max_rows``."""
        if not self.joins:
            self.again = [
                (Relation.from_atom(one.atom), planned(clause, layer, one))
                for clause in self.clauses
                for one in clause.body
                if any(may_match(one.atom, other.head) for other in self.clauses)
            ]
            self.joins = [planned(clause, layer) for clause in self.clauses]
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
    """The tables of one layer, on top of the layer below."""

    program: Program
    when: int
    tables: dict[Relation, Table]  # initially the given facts
    below: Layer | None = None
    facts: int = 0  # derived so far
    incomplete: bool = False  # an evaluation ended with an error: neither this layer nor those on it can be used
    done: set[int] = field(default_factory=set)  # groups, by id
    asked: dict[Query, Table] = field(default_factory=dict)  # answered queries
    asking: dict[int, dict[Query, Table]] = field(
        default_factory=dict
    )  # queries of recursive clauses in progress, by component

    def __post_init__(self) -> None:
        self.on_demand = self.program.on_demand
        self.terms_grow = self.program.terms_grow
        if self.below is None:
            self.tables |= {one: Table(rows) for one, rows in self.program.facts.items() if not self.program.when[one]}

    def table(self, one: Relation, enough: Callable[[Table], bool] | None = None) -> Table:
        """Return a relation's table. On demand, it holds only the rows computed so far.

        If ``enough`` returns True for the rows derived by some of its clauses, the others are left for later.
        """
        with self.program.lock:
            if self.below is not None:
                self.below.table(one)
                self.tables = self.below.tables | self.tables
            if self.incomplete:
                raise RamifyError("an evaluation of the rules was interrupted: repeat it")
            try:
                for group in self.program.groups_for(one, self.when):
                    if id(group) not in self.done:
                        self.done.add(id(group))
                        self._evaluate(group)
                        if enough is not None and one in group.heads and enough(self.tables[one]):
                            break
            except BaseException:
                layer: Layer | None = self
                while layer is not None:
                    layer.incomplete, layer = True, layer.below
                raise
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
        """Add the rows of a join to its head's table. Return the new ones."""
        table = self.tables[join.head]
        try:
            new = table.add(join.rows(self, given, max_rows))
        except TooManyRowsError:
            if max_rows < math.inf:
                raise
            raise too_many_facts(join) from None
        self.facts += len(new) * join.weight
        if self.facts > MAX_FACTS:
            raise too_many_facts(join)
        if len(table.rows) > max_rows:
            raise TooManyRowsError
        return new

    def ask(self, one: Relation, places: tuple[int, ...], keys: Iterable[Row]) -> None:
        """Compute all rows of a relation on demand that have these arguments in these places."""
        if self.program.when[one] < self.when and self.below is not None:
            self.below.ask(one, places, keys)
            return
        query = Query(one, places)
        known = self.asked.setdefault(query, Table())
        if not self.program.graph.recursive(one, one):
            new = Table(known.add(keys))
            for join in self.program.answers(query, self) if new.rows else ():
                self.insert(join, new)
            return
        component = self.program.graph.component_of[one]
        in_progress = component in self.asking
        asking = self.asking.setdefault(component, {})
        asking.setdefault(query, Table()).add(key for key in keys if key not in known.rows)
        if not in_progress:
            self._settle(asking)
            del self.asking[component]

    def _settle(self, asking: dict[Query, Table]) -> None:
        """Answer queries to recursive clauses, which add further queries, until nothing changes."""
        before, now = -1, 0
        while before != now:
            before = now
            for query, keys in list(asking.items()):
                for join in self.program.answers(query, self):
                    self.insert(join, keys)
            now = sum(len(keys.rows) + len(self.tables[one.relation].rows) for one, keys in asking.items())
        for query, keys in asking.items():
            self.asked.setdefault(query, Table()).add(keys.rows)


def too_many_facts(join: Join) -> RamifyError:
    counted = " (long ones count several times)" if join.weight > 1 else ""
    return RamifyError(
        f"the rules derive more than {MAX_FACTS:,} facts{counted} in one position, here for '{join.head}':"
        " use smaller domains or fewer variables per rule"
    )
