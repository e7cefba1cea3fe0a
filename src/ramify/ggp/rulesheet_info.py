"""Facts about a rulesheet: its roles and relations, and statistics of random games."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass
from typing import Any

from ramify.contract.python_rules import PythonGenerator
from ramify.errors import RamifyError
from ramify.ggp.datalog.dependencies import Relation
from ramify.ggp.interpreter import Interpreter
from ramify.ggp.kif import Term, write
from ramify.ggp.rules import RANDOM
from ramify.numerals import reject_endless

MAX_PLIES = 1000  # longer random games are cut


@dataclass(frozen=True)
class RulesheetInfo:
    """A rulesheet with statistics of random games. Relations, fluents and moves are written ``name/arity``."""

    roles: tuple[str, ...]
    relations: dict[str, int]  # number of clauses of each
    games: int
    cut: int  # games stopped at the ply limit
    plies: float  # mean per game
    shortest: int
    longest: int
    goals: dict[str, float]  # mean per role, of games that were not cut
    fluents: dict[str, int]  # distinct ones that were true in some position
    moves: dict[str, int]  # distinct ones that were legal in some position
    widest: int  # maximum number of legal moves of a role in a position
    simultaneous: float  # share of positions where several roles have a choice
    forced: float  # share of positions where no role has one
    by_chance: bool

    @property
    def turns(self) -> bool:
        """Whether the random games had no position with simultaneous choices."""
        return self.simultaneous == 0.0

    def to_dict(self) -> dict[str, Any]:
        """Return plain data for JSON. ``at_once`` is the old name of ``simultaneous``."""
        return asdict(self) | {"at_once": self.simultaneous, "turns": self.turns}


def collect_info(
    interpreter: Interpreter,
    games: int,
    seed: int,
    plies: int = MAX_PLIES,
    progress: Callable[[int], object] | None = None,
) -> RulesheetInfo:
    """Play random games. ``progress`` is called after each with the number played so far."""
    if games < 1:
        raise RamifyError(f"the number of games must be at least 1, not {games}")
    reject_endless("the number of games", games)
    if plies < 1:
        raise RamifyError(f"the number of plies must be at least 1, not {plies}")
    reject_endless("the number of plies", plies)
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
    """Count terms by name and arity."""
    found = Counter(Relation.from_atom(term) for term in terms)
    return {f"{one.name}/{one.arity}": found[one] for one in sorted(found)}
