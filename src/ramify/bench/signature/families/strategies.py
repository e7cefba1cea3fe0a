"""Cases of strategies (policies, rewards, playouts, ...), found by scanning, with all shapes."""

from __future__ import annotations

from collections.abc import Iterator

from ramify.agents.budgets.budget import Budget
from ramify.agents.preset import presets
from ramify.bandits import bernoulli, gaussian
from ramify.bench.signature.case import BanditCase, Case, SearchCase
from ramify.bench.signature.families.making import (
    GOOFSPIEL,
    PIG,
    SHAPES,
    SMALL_BREAKTHROUGH,
    TRON,
    WIDE_BREAKTHROUGH,
    if_it_fits,
    searched,
)
from ramify.strategies.policy.registry import policies
from ramify.strategies.registry import strategies

# More shapes, for games with a quality, a margin, an evaluation or a heuristic.
MORE_SHAPES = (
    ("othello", "transpositions=uct2"),
    (SMALL_BREAKTHROUGH, "transpositions=uct1"),
    *((game, "allocation=h_mcts(limit=10)") for game in ("othello", SMALL_BREAKTHROUGH)),
    *((game, "prove=true") for game in ("othello", SMALL_BREAKTHROUGH)),
)
RAVE = ("rave", "rave_max", "rave_only", "rave_doubt", "grave(ref=5)")


def agents() -> Iterator[Case]:
    """Every preset that fits: turns, simultaneous moves, chance."""
    for name in presets():
        for game in ("connect4", TRON, PIG):
            yield if_it_fits(game, name)


def selection_policies() -> Iterator[Case]:
    """Every policy at all nodes, only at the root, and only below it; with few arms and with many."""
    for name in policies():
        yield searched("connect4", f"mcts(select={name})")
        yield searched("connect4", f"mcts(select_root={name})")
        yield searched(WIDE_BREAKTHROUGH, f"mcts(select={name}, select_root=ucb1(c=1.0))")


def roots() -> Iterator[Case]:
    """Different policies at the root, expansion thresholds and first-play urgencies."""
    for arguments in (
        "select_root=ucb_sqrt",
        "select=ucb1_tuned, select_root=exp3",
        "select=exp3, select_root=accelerated_ucb",
        "select=discounted_ucb, select_root=discounted_ucb(decay=0.9)",
        "expand_threshold=3",
        "expand_threshold=0, fpu=0.5",
        "fpu=-inf",
        "select=puct(fpu=0.2), select_root=ucb_v",
    ):
        yield searched("connect4", f"mcts({arguments})")


def all_moves_as_first() -> Iterator[Case]:
    """RAVE and GRAVE, by owners and by traces, weighted or not, at the root, below it, or both."""
    for name in RAVE:
        yield searched("hex(size=5)", f"mcts(select={name})")
        yield searched("connect4", f"mcts(select={name}, updates=true_updates(weighted=true))")
        yield searched("nine_mens_morris", f"mcts(select={name})", 100)
        yield searched("othello", f"mcts(select={name}, select_root=ucb1)", 200)
        yield searched("sos(n=8)", f"mcts(select=ucb1, select_root={name})")
    yield searched("connect4", "mcts(select=grave(ref=5), select_root=rave_only)")


def updates() -> Iterator[Case]:
    """Every kind of update, and every kind of false update."""
    for name in strategies("updates"):
        yield searched("sos(n=10)", f"mcts(select=rave, updates={name})")
    for arguments in (
        "mu=0.3",
        "kind=lower, target=9, mu=0.6",
        "kind=raise, target=4, mu=0.6",
        "kind=lower, target=9, mu=0.5, shared=true",
        "kind=raise, target=4, mu=0.5, shared=true, weighted=true",
    ):
        for name in ("rave", "grave(ref=5)"):
            yield searched("sos(n=10)", f"mcts(select={name}, updates=false_updates({arguments}))")


def rewards() -> Iterator[Case]:
    """Every reward with every shape, if the game fits; some with other parameters."""
    for name in strategies("reward"):
        for game in ("othello", SMALL_BREAKTHROUGH, "sos(n=8)"):
            yield if_it_fits(game, f"mcts(reward={name})", 200, 100)
        for game, shape in (*SHAPES, *MORE_SHAPES):
            yield if_it_fits(game, f"mcts({shape}, reward={name})", 200, 100)
        yield if_it_fits(SMALL_BREAKTHROUGH, f"mcts(select=rave, reward={name})")
        yield if_it_fits("othello", f"mcts(select=ucb1_tuned, reward={name})")
        yield if_it_fits("connect4", f"mcts(select=sufficiency_dynamic, reward={name})")
    for reward in (
        "relative_bonus(online=true)",
        "relative_bonus(online=true, wait_for_samples=true, signed=true, sign_error=true)",
        "relative_bonus(k=4.0, a=0.25, then=qualitative_bonus)",
        "qualitative_bonus(online=true, signed=true)",
        "qualitative_bonus(online=true, scale=2.0, offset=-1.0)",
        "quality(centred=true)",
        "quality(k=2.0, scale=2.0, offset=-1.0)",
        "discount(factor=0.97, towards=0.5)",
        "chain(first=difference, then=relative_bonus(online=true), last=discount(factor=0.98))",
    ):
        yield searched(SMALL_BREAKTHROUGH, f"mcts(reward={reward})", 200, 100)
    for game in ("othello", "sos(n=8)"):
        yield searched(game, "mcts(reward=score_bonus(gamma=0.1))")
        yield searched(game, "mcts(select=rave, reward=score_bonus(gamma=0.02))")


def backups() -> Iterator[Case]:
    """Every backup with every game and shape that fits."""
    for name in strategies("backup"):
        for game in ("connect4", PIG, SMALL_BREAKTHROUGH, "othello"):
            yield if_it_fits(game, f"mcts(backup={name})")
        for game, shape in SHAPES:
            yield if_it_fits(game, f"mcts({shape}, backup={name})")
    for backup in ("power_mean(p=1)", "power_mean(p=10)", "implicit_minimax(alpha=0)", "implicit_minimax(alpha=1)"):
        yield searched(SMALL_BREAKTHROUGH, f"mcts(backup={backup}, select=rave)")


def playouts() -> Iterator[Case]:
    """Every playout with every shape, if the game fits; cut playouts."""
    for name in strategies("playout"):
        for game in ("othello", SMALL_BREAKTHROUGH):
            yield if_it_fits(game, f"mcts(playout={name})", 200, 100)
        for game, shape in (*SHAPES, *MORE_SHAPES):
            yield if_it_fits(game, f"mcts({shape}, playout={name})", 200, 100)
        yield if_it_fits(SMALL_BREAKTHROUGH, f"mcts(select=rave, playout={name})")
        yield if_it_fits("three_heaps", f"mcts(playout={name})", 100, 50)
    yield searched(SMALL_BREAKTHROUGH, "mcts(playout=heuristic(as_published=true))")
    yield searched(SMALL_BREAKTHROUGH, "mcts(playout=heuristic(limit=5), select=rave)")
    yield searched(SMALL_BREAKTHROUGH, "mcts(playout=cut_off(plies=5, then=decisive(anti=true)))")
    for game in ("hex(size=6)", "othello", "pig(target=30)"):
        yield searched(game, "mcts(playout=uniform(limit=7))")
        yield searched(game, "mcts(select=rave, playout=uniform(limit=7))")


def learning_playouts() -> Iterator[Case]:
    """Learning and decisive playouts, in games with and without ``sample`` and ``winning_move``, over two moves."""
    for playout in (
        "mast",
        "mast(temperature=0.1)",
        "ngram",
        "ngram(min_visits=2, temperature=0.2)",
        "ngram(max_length=2, min_visits=2, decay=0.5)",
        "last_good_reply",
        "last_good_reply(moves=1, forget=false, keep=false, then=mast)",
        "decisive(anti=true, then=mast)",
    ):
        for game in ("connect4", "othello"):
            yield searched(game, f"mcts(playout={playout})", 300, 300)
    yield searched(SMALL_BREAKTHROUGH, "mcts(playout=mast(over=heuristic(as_published=true)))", 300, 300)
    for learn in ("result", "reward"):
        yield searched(SMALL_BREAKTHROUGH, f"mcts(playout=mast(learn={learn}), reward=quality)", 300, 300)


def recommendations() -> Iterator[Case]:
    """Every recommendation, with and without ties."""
    for name in strategies("recommend"):
        for simulations in (8, 60):
            yield searched("sos(n=10)", f"mcts(recommend={name})", simulations)
            yield searched(GOOFSPIEL, f"mcts(recommend={name}, select=exp3)", simulations)
        yield searched("sos(n=10)", f"mcts(recommend={name}, select=rave)", 60)
        yield searched("tictactoe", f"mcts(recommend={name}, prove=true)", 100)


def allocations() -> Iterator[Case]:
    """Every allocation with every shape, with more and fewer simulations than moves, and in sequence."""
    for name in strategies("allocation"):
        for game, simulations in (("connect4", 500), ("breakthrough", 1000), ("breakthrough", 15)):
            yield searched(game, f"mcts(allocation={name})", simulations)
        yield SearchCase("connect4", f"mcts(allocation={name})", (Budget(simulations=100), Budget(simulations=100)))
        yield searched("connect4", f"mcts(allocation={name})", 100, 100)
        yield searched("three_heaps", f"mcts(allocation={name})", 100)
        for game, shape in SHAPES:
            if "allocation" not in shape:
                yield if_it_fits(game, f"mcts({shape}, allocation={name})", 200, 100)
    for arguments in ("allocation=gumbel(considered=4)", "allocation=sequential_halving, select=rave"):
        yield searched("connect4", f"mcts({arguments})")


def bandits() -> Iterator[Case]:
    """Every policy and every allocation that fits, on bandits."""
    for bandit in (bernoulli([0.3, 0.5, 0.6]), gaussian([0.2, 0.5, 0.4, 0.1])):
        for name in policies():
            yield BanditCase(bandit, policy=name)
        for name in strategies("allocation"):
            yield BanditCase(bandit, allocation=name)
