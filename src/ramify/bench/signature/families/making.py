"""Helpers that build cases, and games and policies used by several families."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace

from ramify.agents.budgets.budget import Budget
from ramify.bench.signature.case import MOVE, Case, SearchCase, Step

Family = Callable[[], Iterable[Case]]

SIMULATIONS = 300

# Policies that differ in their memory: none, squares, random draws, columns, AMAF columns, AMAF tables.
VARIED = ("ucb1", "ucb1_tuned", "thompson", "exp3", "accelerated_ucb", "rave", "grave(ref=5)")

BREAKTHROUGH = "breakthrough(rows=8, columns=8)"
SMALL_BREAKTHROUGH = "breakthrough(rows=6, columns=6)"
WIDE_BREAKTHROUGH = "breakthrough(rows=6, columns=12)"
PIG = "pig(target=20)"
TRON = "tron(rows=6, columns=6)"
GOOFSPIEL = "goofspiel(cards=5)"
SHEET = "gdl:connect4"

# Every shape except the batch: a game, and the agent's arguments that select the shape.
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
    """Return a search case with one budget of simulations per number, and a move between two budgets."""
    steps: list[Step] = []
    for simulations in numbers or (SIMULATIONS,):
        steps += [MOVE, Budget(simulations=simulations)] if steps else [Budget(simulations=simulations)]
    return SearchCase(game, agent, tuple(steps))


def if_it_fits(game: str, agent: str, *numbers: int) -> SearchCase:
    """Return a ``searched`` case whose agent may not fit the game."""
    return replace(searched(game, agent, *numbers), fits=False)
