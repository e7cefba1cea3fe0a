"""How families write their cases, and the games and policies that several of them use."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace

from ramify.agents.budgets.budget import Budget
from ramify.bench.signature.case import MOVE, Case, SearchCase, Step

Family = Callable[[], Iterable[Case]]

SIMULATIONS = 300

# Policies that differ in what they keep: nothing, squares, draws, columns of their own, all moves as first, tables.
VARIED = ("ucb1", "ucb1_tuned", "thompson", "exp3", "accelerated_ucb", "rave", "grave(ref=5)")

BREAKTHROUGH = "breakthrough(rows=8, columns=8)"
SMALL_BREAKTHROUGH = "breakthrough(rows=6, columns=6)"
WIDE_BREAKTHROUGH = "breakthrough(rows=6, columns=12)"
PIG = "pig(target=20)"
TRON = "tron(rows=6, columns=6)"
GOOFSPIEL = "goofspiel(cards=5)"
SHEET = "gdl:connect4"

# Every shape of the search but the batch: a game, and what makes an agent take that shape.
SHAPES = (
    ("connect4", "chance=explicit"),
    (PIG, "chance=explicit"),
    (PIG, "chance=open_loop"),
    ("storm", "chance=open_loop"),
    ("connect4", "transpositions=uct1"),
    (SMALL_BREAKTHROUGH, "transpositions=uct2"),
    (TRON, "select=ucb1_tuned, deviation=children"),
    (GOOFSPIEL, "select=exp3"),
    ("connect4", "allocation=h_mcts(limit=10)"),
    ("connect4", "prove=true"),
)


def searched(game: str, agent: str, *numbers: int) -> SearchCase:
    """A search of so many simulations; of several such numbers, with a move between each two of them."""
    steps: list[Step] = []
    for simulations in numbers or (SIMULATIONS,):
        steps += [MOVE, Budget(simulations=simulations)] if steps else [Budget(simulations=simulations)]
    return SearchCase(game, agent, tuple(steps))


def if_it_fits(game: str, agent: str, *numbers: int) -> SearchCase:
    """The same where the agent may be refused for the game."""
    return replace(searched(game, agent, *numbers), fits=False)
