"""Cases of games, budgets, and searches split into several runs."""

from __future__ import annotations

from collections.abc import Iterator

from ramify.agents.budgets.budget import Budget
from ramify.bench.signature.case import LAST_MOVE, MOVE, RESTART, Case, SearchCase
from ramify.bench.signature.families.making import (
    BREAKTHROUGH,
    SHAPES,
    VARIED,
    WIDE_BREAKTHROUGH,
    searched,
)
from ramify.contract.registry import names
from ramify.strategies.registry import strategies


def uct() -> Iterator[Case]:
    """Plain UCT on games with and without their own playouts, on bitboards of one word and of several."""
    for game in (
        *("tictactoe", "connect4", BREAKTHROUGH, WIDE_BREAKTHROUGH),
        *("sos(n=10)", "hex(size=11)", "othello", "pig(target=100)"),
    ):
        yield searched(game, "uct(c=0.7)", 2000)


def games() -> Iterator[Case]:
    """A short search of every game."""
    for game in names():
        yield searched(game, "uct(c=0.4)", 100)


def budgets() -> Iterator[Case]:
    """Every budget except time, with all shapes."""
    mixed = Budget(simulations=400, calls=10**6, memory=10**7)
    for name in ("ucb1", "ucb1_tuned", "rave"):
        yield SearchCase("connect4", f"mcts(select={name})", (Budget(memory=20_000),))
    for allocation in strategies("allocation"):
        yield SearchCase("connect4", f"mcts(allocation={allocation})", (Budget(simulations=300, calls=3000),))
    for allocation in ("shot", "shot_original", "h_mcts"):
        yield SearchCase("connect4", f"mcts(allocation={allocation})", (Budget(calls=5000),))
    small = (Budget(simulations=400, memory=200_000), MOVE, Budget(memory=250_000, calls=4000))
    for game, agent in several():
        yield SearchCase(game, agent, (Budget(calls=3000),))
        yield SearchCase(game, agent, (mixed,))
        yield SearchCase(game, agent, small)
    yield SearchCase("breakthrough", "uct", (Budget(memory=10**6, simulations=2000),))
    for agent in ("uct(stop_early=true)", "mcts(select=ucb1_tuned, stop_early=true)"):
        yield searched("sos(n=10)", agent, 1000)


def several() -> Iterator[tuple[str, str]]:
    """Yield a game and an agent of every shape, and agents that need memory besides the tree."""
    for game, shape in SHAPES:
        yield game, f"mcts({shape})"
    for name in VARIED:
        yield "connect4", f"mcts(select={name})"
    for arguments in (
        "playout=mast",
        "playout=last_good_reply",
        "reward=relative_bonus",
        "allocation=sequential_halving",
    ):
        yield "connect4", f"mcts({arguments})"


def pieces() -> Iterator[Case]:
    """The same search in one budget and in several; trees advanced twice, or restarted."""
    whole = Budget(simulations=100)
    for game, agent in several():
        yield SearchCase(game, agent, (whole,))
        yield SearchCase(game, agent, tuple(Budget(simulations=count) for count in (1, 2, 7, 40, 50)))
        yield SearchCase(game, agent, tuple(Budget(simulations=10**6, calls=calls) for calls in (1, 30, 200)))
        yield SearchCase(game, agent, (whole, MOVE, LAST_MOVE, whole))
        yield SearchCase(game, agent, (whole, RESTART, whole, MOVE, whole))


def threads() -> Iterator[Case]:
    """Root-parallel trees, also with reuse."""
    for game, agent in several():
        yield SearchCase(game, agent, (Budget(simulations=301), MOVE, Budget(simulations=200)), threads=2)
    yield SearchCase("connect4", "uct", (Budget(calls=5000),), threads=3)
