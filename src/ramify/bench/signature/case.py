"""One search of the signature: what is searched, by which agent, in which steps."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from ramify.agents.budget import Budget
from ramify.agents.searcher import Search
from ramify.bench.signature.toys import TOYS
from ramify.contract.game import Game, State
from ramify.contract.load import load
from ramify.contract.uncompiled import UncompiledGame
from ramify.core.engine.tree import CHANCE, EVERYBODY
from ramify.errors import RamifyError
from ramify.grammar import Call

SEED = 1
MOVE = "move"  # a step: play the recommended move, and the first outcome of chance after it
UNITS = {"simulations": "simulations", "calls": "calls", "memory": "bytes"}

Step = Budget | str


@dataclass(frozen=True)
class Case:
    """A search with seed 1. Its name is the key of its number, so it holds everything that the number depends on."""

    game: str
    agent: str
    steps: tuple[Step, ...]
    threads: int = 1
    player: int | None = None  # who searches, where everybody moves at once
    fits: bool = True  # False: it may be refused, and then has no number

    @property
    def name(self) -> str:
        """For example ``connect4: mcts(select=ucb1), 300 simulations``."""
        parts = [f"{self.game}: {self.agent}", *(told(step) for step in self.steps)]
        if self.threads > 1:
            parts.append(f"{self.threads} threads")
        if self.player is not None:
            parts.append(f"player {self.player}")
        return ", ".join(parts)

    def run(self) -> Iterator[Search]:
        """The search after each of its budgets; nothing where it is refused and may be."""
        try:
            state = first_decision(game_of(self.game))
            search = Search(state, self.agent, seed=SEED, threads=self.threads, player=self.player)
        except RamifyError:
            if self.fits:
                raise
            return
        for step in self.steps:
            if isinstance(step, Budget):
                search.run(step)
                yield search
            else:
                move_on(search)


def told(step: Step) -> str:
    """A step as the name of a case has it."""
    if isinstance(step, str):
        return step
    given = {unit: getattr(step, name) for name, unit in UNITS.items()}
    return " or ".join(f"{number} {unit}" for unit, number in given.items() if number is not None)


@cache
def game_of(name: str) -> Game:
    """A game by its name, or one of ``toys``."""
    return UncompiledGame.of_class(TOYS[name], Call(name)) if name in TOYS else load(name)


def first_decision(game: Game) -> State:
    """The first position where a player moves; chance has its first outcome before."""
    state = game.initial()
    while state.to_move == CHANCE:
        state = state.play(state.chances()[0][0])
    return state


def move_on(search: Search) -> None:
    """Play the recommended move, and the first outcome of chance after it.

    Where everybody moves but the search goes in turns, it recommends one player's move; the others make their first.
    """
    report, state = search.report(), search.state
    if state.to_move != EVERYBODY:
        search.advance(report.move)
    elif report.joint:
        search.advance(report.joint_move)
    else:
        own = report.player or 0
        moves = [state.moves(player)[0].name for player in range(state.game.players)]
        search.advance([*moves[:own], str(report.move), *moves[own + 1 :]])
    while search.state.to_move == CHANCE and not search.state.over:
        search.advance(search.state.chances()[0][0])
