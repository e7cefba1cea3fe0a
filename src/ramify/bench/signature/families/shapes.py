"""Cases of search shapes: chance, open loop, transpositions, simultaneous moves, SHOT, batch; proofs, tree reuse."""

from __future__ import annotations

from collections.abc import Iterator

from ramify.agents.budgets.budget import Budget
from ramify.bench.signature.case import Case, SearchCase
from ramify.bench.signature.families.making import (
    BREAKTHROUGH,
    GOOFSPIEL,
    PIG,
    SHEET,
    SIMULATIONS,
    SMALL_BREAKTHROUGH,
    TRON,
    VARIED,
    if_it_fits,
    searched,
)
from ramify.strategies.policy.registry import policies
from ramify.strategies.registry import strategies


def reuse() -> Iterator[Case]:
    """Trees reused from move to move, with every policy."""
    for name in (*policies(), "grave(ref=5)"):
        yield searched("connect4", f"mcts(select={name})", 200, 100, 100)
    for arguments in (
        "select=exp3, select_root=ucb1",
        "select=ucb1, select_root=exp3",
        "select=rave, select_root=grave(ref=5)",
        "expand_threshold=3",
    ):
        yield searched("connect4", f"mcts({arguments})", 200, 100)


def chance() -> Iterator[Case]:
    """Chance nodes with every policy, and tree reuse."""
    for name in (*policies(), "grave(ref=5)"):
        yield searched(PIG, f"mcts(select={name})")
    for name in VARIED:
        yield searched("storm", f"mcts(select={name})", 150, 50)


def open_loop() -> Iterator[Case]:
    """The open loop with every policy that fits; varying legal moves, and tree reuse."""
    for name in policies():
        yield if_it_fits(PIG, f"mcts(chance=open_loop, select={name})", 300, 100)
    for name in VARIED:
        yield searched("storm", f"mcts(chance=open_loop, select={name})", 200, 100, 100)
    for arguments in (
        "expand_threshold=0, fpu=0.6",
        "expand_threshold=3",
        "select=ucb1_tuned, select_root=thompson",
        "playout=ngram(min_visits=2)",
        "playout=uniform(limit=5)",
        "reward=relative_bonus",
        "allocation=sequential_halving",
        "allocation=uct_sqrt_sh",
    ):
        yield searched("storm", f"mcts(chance=open_loop, {arguments})", 200, 100)


def players() -> Iterator[Case]:
    """One player, and three players in a Python game."""
    for name in VARIED:
        yield searched("eight_puzzle(rows=2, columns=2)", f"mcts(select={name})", 200)
        yield searched("three_heaps", f"mcts(select={name})", 200)
    for arguments in ("transpositions=uct1", "transpositions=uct2", "allocation=shot", "prove=true"):
        yield searched("three_heaps", f"mcts({arguments})", 200, 200, 200)


def halving() -> Iterator[Case]:
    """SHOT and H-MCTS with every policy."""
    for name in (*policies(), "grave(ref=5)"):
        yield searched("connect4", f"mcts(allocation=h_mcts(limit=10), select={name})", 300, 100)
    for allocation in ("shot", "shot_original", "h_mcts(limit=10)"):
        for game in ("tictactoe", "othello", PIG, "hex(size=5)"):
            yield searched(game, f"mcts(allocation={allocation})", 300, 100)
        yield searched("tictactoe", f"mcts(allocation={allocation}, prove=true)")


def proofs() -> Iterator[Case]:
    """Proofs with every policy and allocation: two players, chance, and tree reuse."""
    for name in (*policies(), "grave(ref=5)"):
        yield searched("tictactoe", f"mcts(prove=true, select={name})")
    for name in VARIED:
        yield searched("pig(target=4, horizon=5)", f"mcts(prove=true, select={name})")
    for name in strategies("allocation"):
        yield searched("tictactoe", f"mcts(prove=true, allocation={name})", 1000)
    yield searched("tictactoe", "mcts(prove=true)", 2000)
    yield searched("breakthrough(rows=4, columns=4)", "mcts(prove=true, expand_threshold=2)", 2000)
    yield searched("connect4", "mcts(prove=true)", 300, 300)
    yield searched("breakthrough(rows=4, columns=4)", "mcts(prove=true, playout=mast, reward=discount)", 300, 300)


def transpositions() -> Iterator[Case]:
    """Transpositions by bytes and by key, with every policy, and tree reuse."""
    for variant in ("uct1", "uct2"):
        for game in ("connect4", SMALL_BREAKTHROUGH, "nim", PIG, "othello"):
            yield searched(game, f"mcts(transpositions={variant})", 1000)
        for name in (*policies(), "grave(ref=5)"):
            yield if_it_fits("connect4", f"mcts(select={name}, transpositions={variant})", 500, 200)
        for arguments in (
            "allocation=sequential_halving",
            "allocation=gumbel",
            "expand_threshold=3",
            "select_root=exp3",
        ):
            yield searched("connect4", f"mcts({arguments}, transpositions={variant})", 1000, 300)


def simultaneous() -> Iterator[Case]:
    """Simultaneous moves with every policy that fits; deviations, mixed strategies, and tree reuse."""
    for name in policies():
        yield if_it_fits(TRON, f"mcts(select={name}, playout=heuristic)")
        yield if_it_fits(GOOFSPIEL, f"mcts(select={name}, deviation=children)", 200, 100)
        yield if_it_fits("goofspiel(cards=4)", f"mcts(select={name}, simultaneous=turn_based)", 200)
    for game in ("oshi_zumo", "matching_pennies", "rock_paper_scissors"):
        for name in ("exp3", "regret_matching", "ucb1"):
            yield searched(game, f"mcts(recommend=mixed, select={name})", 200)
    yield searched("oshi_zumo", "mcts(recommend=mixed, select=exp3)", 300, 300)
    yield searched("oshi_zumo", "mcts(select=exp3, select_root=regret_matching, recommend=mixed)")
    for player in (0, 1):
        for agent in ("mcts(select=thompson)", "mcts(simultaneous=turn_based)"):
            yield SearchCase(TRON, agent, (Budget(simulations=SIMULATIONS),), player=player)


def batch() -> Iterator[Case]:
    """Batches on rulesheets with every batchable strategy; tree reuse, and threads."""
    for name in policies():
        yield if_it_fits(SHEET, f"mcts(select={name}, batch_size=16)", 300, 100)
    for role in ("reward", "playout", "allocation", "recommend", "updates"):
        for name in strategies(role):
            yield if_it_fits(SHEET, f"mcts({role}={name}, batch_size=16)", 300, 100)
    for slots in (0, 1, 2, 16, 64, 100):
        yield searched(SHEET, f"uct(batch_size={slots})", 1500, 300)
        for playout in ("mast", "ngram(min_visits=2)", "last_good_reply", "mast(temperature=0.3)"):
            yield searched(SHEET, f"mcts(playout={playout}, batch_size={slots})", 300, 200)
    for arguments in (
        "expand_threshold=3",
        "expand_threshold=0, fpu=0.5",
        "select=thompson, select_root=ucb1",
        "reward=relative_bonus(online=true)",
        "playout=uniform(limit=7)",
        "playout=ngram(min_visits=2, limit=7), reward=relative_bonus",
    ):
        yield searched(SHEET, f"mcts({arguments}, batch_size=16)", 300, 200)
    for other in ("gdl:tictactoe", "gdl:nim", "gdl:eight_puzzle"):
        yield searched(other, "uct(batch_size=16)", 300, 200)
        yield searched(other, "mcts(playout=mast)", 2000)
    for arguments in ("select=ucb1_tuned", "select=rave", "select=exp3", "prove=true", "transpositions=uct2"):
        yield searched(SHEET, f"mcts({arguments})")
    yield SearchCase(SHEET, "uct(batch_size=16)", (Budget(calls=3000), Budget(memory=200_000)))
    yield SearchCase(SHEET, "uct(batch_size=16)", tuple(Budget(simulations=count) for count in (1, 20, 79)))
    yield SearchCase(SHEET, "uct(batch_size=16)", (Budget(simulations=400),), threads=2)


def growth() -> Iterator[Case]:
    """Trees and tables that outgrow their initial capacity."""
    for arguments in ("select=rave", "select=ucb1_tuned", "prove=true", "transpositions=uct1"):
        yield searched(BREAKTHROUGH, f"mcts({arguments})", 8000, 500)
    yield searched("hex(size=11)", "mcts(allocation=shot)", 2000, 500)
    yield searched("hex(size=5)", "mcts(select=grave(ref=5))", 2000, 500)
    yield searched(SMALL_BREAKTHROUGH, "mcts(transpositions=uct2)", 8000, 1000)
    yield searched(TRON, "mcts(select=ucb1_tuned)", 5000, 1000)
    yield searched("storm", "mcts(chance=open_loop, select=ucb1_tuned)", 6000, 500)
    yield searched("corridor", "mcts(allocation=shot)", 100)
    yield searched("nine_mens_morris", "mcts(playout=last_good_reply)", 300, 100)
    yield searched("othello", "mcts(playout=ngram(min_visits=2))", 1000, 500)
    yield searched(SHEET, "uct(batch_size=64)", 10_000, 500)
