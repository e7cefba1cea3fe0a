"""What there is to know of a rulesheet: its roles and relations, and what random games are like."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from ramify.contract.python_rules import PythonGenerator
from ramify.errors import RamifyError
from ramify.ggp.datalog.dependencies import Relation
from ramify.ggp.interpreter import Interpreter
from ramify.ggp.kif import Term, write
from ramify.ggp.rules import RANDOM

MAX_PLIES = 1000  # of a random game, which is then cut


@dataclass(frozen=True)
class RulesheetInfo:
    """A rulesheet and random games by it; relations, fluents and moves are written ``cell/3``."""

    roles: tuple[str, ...]
    relations: dict[str, int]  # clauses of each
    games: int
    cut: int  # of them, for their length
    plies: float  # mean of a game; goals, too, are means
    shortest: int
    longest: int
    goals: dict[str, float]  # by role; of games that were not cut
    fluents: dict[str, int]  # how many different ones were true in some position
    moves: dict[str, int]  # how many different ones were legal in some position
    widest: int  # most legal moves of one role in one position
    simultaneous: float  # share of positions where several roles have a choice
    forced: float  # share of positions where none has
    by_chance: bool

    @property
    def turns(self) -> bool:
        """Whether players take turns, as far as the random games tell."""
        return self.simultaneous == 0.0


def collect_info(
    interpreter: Interpreter,
    games: int,
    seed: int,
    plies: int = MAX_PLIES,
    progress: Callable[[int], object] | None = None,
) -> RulesheetInfo:
    """Play random games; ``progress`` is told after each how many have been played."""
    if games < 1:
        raise RamifyError(f"the number of games must be at least 1, not {games}")
    if plies < 1:
        raise RamifyError(f"the number of plies must be at least 1, not {plies}")
    random = PythonGenerator(seed)
    roles = interpreter.roles
    fluents: set[Term] = set()
    moves: set[Term] = set()
    lengths: list[int] = []
    goals: Counter[str] = Counter()
    kinds: Counter[int] = Counter()
    widest = cut = 0
    for game in range(games):
        state, length = interpreter.initial(), 0
        while not (over := interpreter.terminal(state)) and length < plies:
            legal = interpreter.all_legal(state)
            fluents |= state
            moves.update(*legal.values())
            kinds[min(sum(len(some) > 1 for role, some in legal.items() if role != RANDOM), 2)] += 1
            widest = max(widest, *map(len, legal.values()))
            state = interpreter.next(state, {role: some[random.below(len(some))] for role, some in legal.items()})
            length += 1
        fluents |= state
        lengths.append(length)
        if over:
            goals.update({write(role): interpreter.goal(state, role) for role in roles if role != RANDOM})
        cut += not over
        if progress is not None:
            progress(game + 1)
    ended, positions = games - cut, max(kinds.total(), 1)
    return RulesheetInfo(
        roles=tuple(map(write, roles)),
        relations=_counted(clause.head for clause in interpreter.rules.clauses),
        games=games,
        cut=cut,
        plies=sum(lengths) / games,
        shortest=min(lengths),
        longest=max(lengths),
        goals={role: total / ended for role, total in goals.items()},
        fluents=_counted(fluents),
        moves=_counted(moves),
        widest=widest,
        simultaneous=kinds[2] / positions,
        forced=kinds[0] / positions,
        by_chance=RANDOM in roles,
    )


def _counted(terms: Iterable[Term]) -> dict[str, int]:
    """How many terms of each name and number of arguments there are."""
    found = Counter(Relation.from_atom(term) for term in terms)
    return {f"{one.name}/{one.arity}": found[one] for one in sorted(found)}
