"""One case of the signature: what is searched, by which agent, in which steps; or a bandit that is pulled."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Protocol

from ramify.agents.budgets.budget import Budget
from ramify.agents.search.search import Search
from ramify.bandits import Bandit, BanditResult
from ramify.bandits import run as pull
from ramify.bandits import spend as spend_pulls
from ramify.bench.signature.digest import written
from ramify.bench.signature.toys import TOYS
from ramify.contract.game import Game, State
from ramify.contract.load import load
from ramify.contract.python_game import PythonGame
from ramify.core.search.tree import CHANCE, SIMULTANEOUS
from ramify.errors import RamifyError
from ramify.grammar import Call

SEED = 1

# Steps between two runs. After the first two, chance has its first outcome.
MOVE = "move"  # play the recommended move
LAST_MOVE = "last move"  # play the move that is listed last
RESTART = "restart"  # forget the tree, and begin again with the next seed

UNITS = {"simulations": "simulations", "calls": "calls", "memory": "bytes"}

Step = Budget | str


class Case(Protocol):
    """Whatever has a number."""

    @property
    def name(self) -> str:
        """The key of the number: it tells everything that the number depends on."""

    def written(self) -> Iterator[bytes]:
        """What the number is about; nothing where the case is refused and may be."""


@dataclass(frozen=True)
class SearchCase:
    """A search with seed 1."""

    game: str
    agent: str
    steps: tuple[Step, ...]
    threads: int = 1
    player: int | None = None  # who searches, where everybody moves at once
    fits: bool = True  # False: it may be refused

    @property
    def name(self) -> str:
        """For example ``connect4: mcts(select=ucb1), 300 simulations``."""
        parts = [f"{self.game}: {self.agent}", *(told(step) for step in self.steps)]
        if self.threads > 1:
            parts.append(f"{self.threads} threads")
        if self.player is not None:
            parts.append(f"player {self.player}")
        return ", ".join(parts)

    def written(self) -> Iterator[bytes]:
        """All that the search has written and reports, after each of its budgets."""
        for search in self.run():
            yield from written(search)

    def run(self) -> Iterator[Search]:
        """The search after each of its budgets; it ends with the game."""
        start = first_decision(game_of(self.game))
        try:
            search = Search(start, self.agent, seed=SEED, threads=self.threads, player=self.player)
        except RamifyError:
            if self.fits:
                raise
            return
        for step in self.steps:
            if search.state.over:
                return
            if isinstance(step, Budget):
                search.run(step)
                yield search
            elif step == RESTART:
                search.restart(start, search.seed + 1)
            else:
                move_on(search, recommended=step == MOVE)


@dataclass(frozen=True)
class BanditCase:
    """Pulls of a bandit in three tasks, by a policy or by an allocation."""

    bandit: Bandit
    policy: str = ""
    allocation: str = ""
    pulls: int = 300

    @property
    def name(self) -> str:
        """For example ``bernoulli of 3 arms: select=ucb1, 300 pulls``."""
        what = f"select={self.policy}" if self.policy else f"allocation={self.allocation}"
        return f"{self.bandit.kind} of {self.bandit.arms} arms: {what}, {self.pulls} pulls"

    def written(self) -> Iterator[bytes]:
        """What came out."""
        try:
            found = self._run()
        except RamifyError:  # what halves in every node of a tree
            return
        for column in (found.times, found.regret, found.chosen, found.pulls):
            yield column.tobytes()

    def _run(self) -> BanditResult:
        if self.policy:
            return pull(self.bandit, self.policy, pulls=self.pulls, tasks=3, seed=SEED)
        return spend_pulls(self.bandit, self.allocation, pulls=self.pulls, tasks=3, seed=SEED)


def told(step: Step) -> str:
    """A step as the name of a case has it."""
    if isinstance(step, str):
        return step
    given = {unit: getattr(step, name) for name, unit in UNITS.items()}
    return " or ".join(f"{number} {unit}" for unit, number in given.items() if number is not None)


@cache
def game_of(name: str) -> Game:
    """A game by its name, or one of ``toys``."""
    return PythonGame.from_class(TOYS[name], Call(name)) if name in TOYS else load(name)


def first_decision(game: Game) -> State:
    """The first position where a player moves; chance has its first outcome before."""
    state = game.initial()
    while state.to_move == CHANCE:
        state = state.play(state.chance_outcomes()[0][0])
    return state


def move_on(search: Search, *, recommended: bool) -> None:
    """Play the recommended move, or the one listed last, and the first outcome of chance after it.

    Where everybody moves but the search goes in turns, it recommends one player's move; the others make their last.
    """
    report, state = search.report(), search.state
    if state.to_move != SIMULTANEOUS:
        search.advance(report.move if recommended else state.moves()[-1])
    elif recommended and report.joint:
        search.advance(report.joint_move)
    else:
        moves = [state.moves(player)[-1].name for player in range(state.game.players)]
        if recommended:
            moves[report.player or 0] = str(report.move)
        search.advance(moves)
    while search.state.to_move == CHANCE and not search.state.over:
        search.advance(search.state.chance_outcomes()[0][0])
