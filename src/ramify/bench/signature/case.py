"""Cases of the signature: a search (game, agent, steps), or a bandit run."""

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

# Steps between two runs. After the first two, chance nodes take their first outcome.
MOVE = "move"  # play the recommended move
LAST_MOVE = "last move"  # play the last listed move
RESTART = "restart"  # clear the tree and start again with the next seed

UNITS = {"simulations": "simulations", "calls": "calls", "memory": "bytes"}

Step = Budget | str


class Case(Protocol):
    """Anything that has a number in the signature."""

    @property
    def name(self) -> str:
        """Key of the number; identifies everything that the number depends on."""

    def written(self) -> Iterator[bytes]:
        """Yield the bytes to hash; nothing if the case raises an error and ``fits`` is False."""


@dataclass(frozen=True)
class SearchCase:
    """A search with seed 1."""

    game: str
    agent: str
    steps: tuple[Step, ...]
    threads: int = 1
    player: int | None = None  # the searching player, for simultaneous moves
    fits: bool = True  # False: the agent may not fit the game

    @property
    def name(self) -> str:
        """For example ``connect4: mcts(select=ucb1), 300 simulations``."""
        parts = [f"{self.game}: {self.agent}", *(step_text(step) for step in self.steps)]
        if self.threads > 1:
            parts.append(f"{self.threads} threads")
        if self.player is not None:
            parts.append(f"player {self.player}")
        return ", ".join(parts)

    def written(self) -> Iterator[bytes]:
        """Yield everything that the search wrote and reports, after each budget."""
        for search in self.run():
            yield from written(search)

    def run(self) -> Iterator[Search]:
        """Yield the search after each budget; stop when the game is over."""
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
    """A bandit run of three tasks, by a policy or an allocation."""

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
        """Yield the result's arrays."""
        try:
            found = self._run()
        except RamifyError:  # allocations that need a tree (SHOT)
            return
        for column in (found.times, found.regret, found.chosen, found.pulls):
            yield column.tobytes()

    def _run(self) -> BanditResult:
        if self.policy:
            return pull(self.bandit, self.policy, pulls=self.pulls, tasks=3, seed=SEED)
        return spend_pulls(self.bandit, self.allocation, pulls=self.pulls, tasks=3, seed=SEED)


def step_text(step: Step) -> str:
    """Return a step as part of a case's name."""
    if isinstance(step, str):
        return step
    given = {unit: getattr(step, name) for name, unit in UNITS.items()}
    return " or ".join(f"{number} {unit}" for unit, number in given.items() if number is not None)


@cache
def game_of(name: str) -> Game:
    """Load a game by name, or one of ``toys``."""
    return PythonGame.from_class(TOYS[name], Call(name)) if name in TOYS else load(name)


def first_decision(game: Game) -> State:
    """Return the first position where a player moves; chance nodes take their first outcome."""
    state = game.initial()
    while state.to_move == CHANCE:
        state = state.play(state.chance_outcomes()[0][0])
    return state


def move_on(search: Search, *, recommended: bool) -> None:
    """Play the recommended or the last listed move, then the first outcome of each chance node.

    A turn-based search of simultaneous moves recommends one player's move; the others play their last move.
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
