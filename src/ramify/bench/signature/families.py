"""Which searches the signature runs: families of them, each by one idea.

Whatever is found by scanning (games, policies, rewards, playouts, ...) has searches of its own here, so that a new one
adds numbers and changes none.
"""

from __future__ import annotations

import importlib.util
from collections.abc import Callable, Iterator

from ramify.agents.agent import PRESETS
from ramify.agents.budget import Budget
from ramify.bench.signature.case import MOVE, Case, Step
from ramify.contract.registry import names
from ramify.strategies.policy.registry import policies
from ramify.strategies.registry import strategies

SIMULATIONS = 300

# Policies that differ in what they keep: nothing, squares, draws, columns of their own, all moves as first, tables.
VARIED = ("ucb1", "ucb1_tuned", "thompson", "exp3", "accelerated_ucb", "rave", "grave(ref=5)")
RAVE = ("rave", "rave_max", "rave_only", "rave_doubt", "grave(ref=5)")
TRON = "tron(rows=6, columns=6)"
SMALL_BREAKTHROUGH = "breakthrough(rows=6, columns=6)"
WIDE_BREAKTHROUGH = "breakthrough(rows=6, columns=12)"


def searched(game: str, agent: str, *numbers: int) -> Case:
    """A search of so many simulations; of several such numbers, with a move between each two of them."""
    steps: list[Step] = []
    for simulations in numbers or (SIMULATIONS,):
        steps += [MOVE, Budget(simulations=simulations)] if steps else [Budget(simulations=simulations)]
    return Case(game, agent, tuple(steps))


def if_it_fits(game: str, agent: str, *numbers: int) -> Case:
    """The same where the agent may be refused for the game."""
    found = searched(game, agent, *numbers)
    return Case(found.game, found.agent, found.steps, fits=False)


def uct() -> Iterator[Case]:
    """Plain UCT on games with and without parts of their own for playouts, on one word of bits and on more."""
    for game in (
        *("tictactoe", "connect4", "breakthrough(rows=8, columns=8)", WIDE_BREAKTHROUGH),
        *("sos(n=10)", "hex(size=11)", "othello", "pig(target=100)"),
    ):
        yield searched(game, "uct(c=0.7)", 2000)


def games() -> Iterator[Case]:
    """Every game, a little."""
    for game in names():
        yield searched(game, "uct(c=0.4)", 100)


def agents() -> Iterator[Case]:
    """Every preset where it fits: in turns, with joint moves, with chance."""
    for name in PRESETS:
        for game in ("connect4", TRON, "pig(target=20)"):
            yield if_it_fits(game, name)


def every_policy() -> Iterator[Case]:
    """Every policy in every node, below the root only, and at the root only; with few arms and with many."""
    for name in policies():
        yield searched("connect4", f"mcts(select={name})")
        yield searched("connect4", f"mcts(select_root={name})")
        yield searched(WIDE_BREAKTHROUGH, f"mcts(select={name}, select_root=ucb1(c=1.0))")


def roots() -> Iterator[Case]:
    """Another policy at the root, later expansion, other first-play urgencies."""
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
    """RAVE and GRAVE, by owners and by traces, weighted and not, in one half of the tree or in both."""
    for name in RAVE:
        yield searched("hex(size=5)", f"mcts(select={name})")
        yield searched("connect4", f"mcts(select={name}, updates=true_updates(weighted=true))")
        yield searched("nine_mens_morris", f"mcts(select={name})", 100)
        yield searched("othello", f"mcts(select={name}, select_root=ucb1)", 200)
        yield searched("sos(n=8)", f"mcts(select=ucb1, select_root={name})")
    yield searched("connect4", "mcts(select=grave(ref=5), select_root=rave_only)")


def updates() -> Iterator[Case]:
    """Every kind of updates, and false ones of every kind."""
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
    """Every reward in trees of all kinds, where the game has what it needs; some with other parameters."""
    for name in strategies("reward"):
        for game in ("connect4", "othello", SMALL_BREAKTHROUGH, "sos(n=8)", "pig(target=20)", TRON):
            yield if_it_fits(game, f"mcts(reward={name})", 200, 100)
        yield if_it_fits(SMALL_BREAKTHROUGH, f"mcts(select=rave, reward={name})")
        yield if_it_fits("othello", f"mcts(select=ucb1_tuned, reward={name})")
        yield if_it_fits("connect4", f"mcts(select=sufficiency_dynamic, reward={name})")
        yield if_it_fits(SMALL_BREAKTHROUGH, f"mcts(transpositions=uct2, reward={name})", 200, 100)
        yield if_it_fits("pig(target=20)", f"mcts(chance=open, reward={name})", 200, 100)
        yield if_it_fits("connect4", f"mcts(allocation=h_mcts(limit=10), reward={name})")
    for reward in (
        "relative_bonus(online=true)",
        "relative_bonus(online=true, samples=true, signed=true, slip=true)",
        "relative_bonus(k=4.0, a=0.25, then=qualitative_bonus)",
        "qualitative_bonus(online=true, signed=true)",
        "reward_is_quality(centred=true)",
        "discount(factor=0.97, towards=0.5)",
        "in_order(first=difference, then=relative_bonus(online=true), last=discount(factor=0.98))",
    ):
        yield searched(SMALL_BREAKTHROUGH, f"mcts(reward={reward})", 200, 100)
    for game in ("othello", "sos(n=8)"):
        yield searched(game, "mcts(reward=score_bonus(gamma=0.1))")
        yield searched(game, "mcts(select=rave, reward=score_bonus(gamma=0.02))")


def playouts() -> Iterator[Case]:
    """Every playout in trees of all kinds, where the game has what it needs; playouts that are cut."""
    for name in strategies("playout"):
        for game in ("connect4", "othello", SMALL_BREAKTHROUGH, "pig(target=30)", TRON):
            yield if_it_fits(game, f"mcts(playout={name})", 200, 100)
        yield if_it_fits(SMALL_BREAKTHROUGH, f"mcts(select=rave, playout={name})")
        yield if_it_fits("connect4", f"mcts(transpositions=uct1, playout={name})", 200, 100)
        yield if_it_fits("pig(target=30)", f"mcts(chance=open, playout={name})", 200, 100)
        yield if_it_fits("connect4", f"mcts(allocation=h_mcts(limit=10), playout={name})")
        yield if_it_fits("three_heaps", f"mcts(playout={name})", 100, 50)
    yield searched(SMALL_BREAKTHROUGH, "mcts(playout=heuristic(as_published=true))")
    yield searched(SMALL_BREAKTHROUGH, "mcts(playout=heuristic(limit=5), select=rave)")
    yield searched(SMALL_BREAKTHROUGH, "mcts(playout=cut_off(plies=5, then=decisive(anti=true)))")
    for game in ("hex(size=6)", "othello", "pig(target=30)"):
        yield searched(game, "mcts(playout=uniform(limit=7))")
        yield searched(game, "mcts(select=rave, playout=uniform(limit=7))")


def learning_playouts() -> Iterator[Case]:
    """Playouts that learn or look ahead, where moves are drawn or found and where they are listed, over two moves."""
    for playout in (
        "mast",
        "mast(temperature=0.1)",
        "ngram",
        "ngram(threshold=2, temperature=0.2)",
        "ngram(longest=2, threshold=2, decay=0.5)",
        "last_good_reply",
        "last_good_reply(moves=1, forget=false, keep=false, then=mast)",
        "decisive(anti=true, then=mast)",
    ):
        for game in ("connect4", "othello"):
            yield searched(game, f"mcts(playout={playout})", 300, 300)


def reuse() -> Iterator[Case]:
    """Trees kept from move to move, by every policy."""
    for name in (*policies(), "grave(ref=5)"):
        yield searched("connect4", f"mcts(select={name})", 200, 100, 100)
    for arguments in ("select=exp3, select_root=ucb1", "select=ucb1, select_root=exp3", "expand_threshold=3"):
        yield searched("connect4", f"mcts({arguments})", 200, 100)


def chance() -> Iterator[Case]:
    """Chance nodes under every policy, and kept trees."""
    for name in (*policies(), "grave(ref=5)"):
        yield searched("pig(target=20)", f"mcts(select={name})")
    for name in VARIED:
        yield searched("storm", f"mcts(select={name})", 150, 50)


def open_loop() -> Iterator[Case]:
    """Chance outside of the tree under every policy that fits; moves that come and go, and kept trees."""
    for name in policies():
        yield if_it_fits("pig(target=20)", f"mcts(chance=open, select={name})", 300, 100)
    for name in VARIED:
        yield searched("storm", f"mcts(chance=open, select={name})", 200, 100, 100)
    for arguments in (
        "expand_threshold=0, fpu=0.6",
        "expand_threshold=3",
        "select=ucb1_tuned, select_root=thompson",
        "playout=ngram(threshold=2)",
        "playout=uniform(limit=5)",
        "reward=relative_bonus",
        "allocation=sequential_halving",
        "allocation=uct_sqrt_sh",
    ):
        yield searched("storm", f"mcts(chance=open, {arguments})", 200, 100)


def players() -> Iterator[Case]:
    """One player, and three, whose game is a Python class."""
    for name in VARIED:
        yield searched("eight_puzzle(rows=2, columns=2)", f"mcts(select={name})", 200)
        yield searched("three_heaps", f"mcts(select={name})", 200)
    yield searched("three_heaps", "mcts(allocation=shot)", 200)
    yield searched("three_heaps", "mcts(prove=true)", 200, 200, 200)


def budgets() -> Iterator[Case]:
    """Every budget but time, in trees of all kinds."""
    mixed = Budget(simulations=400, calls=10**6, memory=10**7)
    for budget in (Budget(calls=3000), Budget(memory=20_000), mixed):
        for name in ("ucb1", "ucb1_tuned", "rave"):
            yield Case("connect4", f"mcts(select={name})", (budget,))
    for budget in (Budget(calls=3000), mixed):
        yield Case("connect4", "mcts(select=grave(ref=5))", (budget,))
    for allocation in strategies("allocation"):
        yield Case("connect4", f"mcts(allocation={allocation})", (Budget(simulations=300, calls=3000),))
    for allocation in ("shot", "shot_original", "h_mcts"):
        yield Case("connect4", f"mcts(allocation={allocation})", (Budget(calls=5000),))
    for game, agent in (
        ("connect4", "mcts(transpositions=uct1)"),
        ("connect4", "mcts(transpositions=uct2)"),
        (TRON, "mcts(select=ucb1_tuned)"),
        ("storm", "mcts(chance=open)"),
        ("pig(target=20)", "mcts(chance=open, select=rave)"),
        ("connect4", "mcts(allocation=shot)"),
        ("tictactoe", "mcts(prove=true)"),
        ("connect4", "mcts(playout=mast)"),
    ):
        yield Case(game, agent, (Budget(calls=3000),))
        yield Case(game, agent, (Budget(simulations=400, memory=200_000), MOVE, Budget(memory=250_000, calls=4000)))
    yield Case("breakthrough", "uct", (Budget(memory=10**6, simulations=2000),))
    for agent in ("uct(stop_early=true)", "mcts(select=ucb1_tuned, stop_early=true)"):
        yield searched("sos(n=10)", agent, 1000)


def chunks() -> Iterator[Case]:
    """The same search in one budget, and in several small ones."""
    small = tuple(Budget(simulations=count) for count in (1, 2, 7, 40, 50))
    for game, agent in (
        *(("connect4", f"mcts(select={name})") for name in VARIED),
        ("connect4", "mcts(transpositions=uct2)"),
        ("connect4", "mcts(allocation=h_mcts(limit=10))"),
        ("connect4", "mcts(playout=ngram(threshold=2))"),
        ("tictactoe", "mcts(prove=true)"),
        (TRON, "mcts(select=exp3)"),
        ("storm", "mcts(chance=open)"),
        (SMALL_BREAKTHROUGH, "mcts(reward=relative_bonus)"),
    ):
        yield Case(game, agent, (Budget(simulations=100),))
        yield Case(game, agent, small)
        yield Case(game, agent, tuple(Budget(calls=calls) for calls in (1, 30, 200)))


def threads() -> Iterator[Case]:
    """Several trees beside each other, kept, too."""
    for game, agent in (
        *(("connect4", f"mcts(select={name})") for name in VARIED),
        ("tictactoe", "mcts(prove=true)"),
        ("connect4", "mcts(transpositions=uct2)"),
        ("connect4", "mcts(allocation=sequential_halving)"),
        ("connect4", "mcts(allocation=shot)"),
        ("connect4", "mcts(playout=mast)"),
        (TRON, "mcts(select=exp3, recommend=mixed)"),
        ("pig(target=20)", "mcts(chance=open)"),
    ):
        yield Case(game, agent, (Budget(simulations=301), MOVE, Budget(simulations=200)), threads=2)
    yield Case("connect4", "uct", (Budget(calls=5000),), threads=3)


def recommendations() -> Iterator[Case]:
    """The move returned, where there are ties and where there are none."""
    for name in strategies("recommend"):
        for simulations in (8, 60):
            yield searched("sos(n=10)", f"mcts(recommend={name})", simulations)
            yield searched("goofspiel(cards=5)", f"mcts(recommend={name}, select=exp3)", simulations)
        yield searched("sos(n=10)", f"mcts(recommend={name}, select=rave)", 60)
        yield searched("tictactoe", f"mcts(recommend={name}, prove=true)", 100)


def allocations() -> Iterator[Case]:
    """Every allocation, with more simulations than moves and with fewer, and one after another."""
    for name in strategies("allocation"):
        for game, simulations in (("connect4", 500), ("breakthrough", 1000), ("breakthrough", 15)):
            yield searched(game, f"mcts(allocation={name})", simulations)
        yield Case("connect4", f"mcts(allocation={name})", (Budget(simulations=100), Budget(simulations=100)))
        yield searched("connect4", f"mcts(allocation={name})", 100, 100)
        yield searched("pig(target=20)", f"mcts(allocation={name})", 200)
        yield searched("three_heaps", f"mcts(allocation={name})", 100)
    for arguments in ("allocation=gumbel(considered=4)", "allocation=sequential_halving, select=rave"):
        yield searched("connect4", f"mcts({arguments})")


def halving() -> Iterator[Case]:
    """Budgets that are halved in every node, above every policy."""
    for name in (*policies(), "grave(ref=5)"):
        yield searched("connect4", f"mcts(allocation=h_mcts(limit=10), select={name})", 300, 100)
    for allocation in ("shot", "shot_original", "h_mcts(limit=10)"):
        for game in ("tictactoe", "othello", "pig(target=20)", "hex(size=5)"):
            yield searched(game, f"mcts(allocation={allocation})", 300, 100)
        yield searched("tictactoe", f"mcts(allocation={allocation}, prove=true)")


def proofs() -> Iterator[Case]:
    """Scores that are proven, by every policy and allocation: of two players, with chance, and of kept trees."""
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
    """Positions that edges share, by their bytes and by a key, under every policy, and in kept trees."""
    for variant in ("uct1", "uct2"):
        for game in ("connect4", SMALL_BREAKTHROUGH, "nim", "pig(target=20)", "othello"):
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
    """Positions where everybody moves, under every policy that fits; deviations, mixed strategies, and kept trees."""
    for name in policies():
        yield if_it_fits(TRON, f"mcts(select={name}, playout=heuristic)")
        yield if_it_fits("goofspiel(cards=5)", f"mcts(select={name}, deviation=children)", 200, 100)
        yield if_it_fits("goofspiel(cards=4)", f"mcts(select={name}, at_once=in_turns)", 200)
    for game in ("oshi_zumo", "matching_pennies", "rock_paper_scissors"):
        for name in ("exp3", "regret_matching", "ucb1"):
            yield searched(game, f"mcts(recommend=mixed, select={name})", 200)
    yield searched("oshi_zumo", "mcts(recommend=mixed, select=exp3)", 300, 300)
    yield searched("oshi_zumo", "mcts(select=exp3, select_root=regret_matching, recommend=mixed)")
    for player in (0, 1):
        for agent in ("mcts(select=thompson)", "mcts(at_once=in_turns)"):
            yield Case(TRON, agent, (Budget(simulations=SIMULATIONS),), player=player)


def batch() -> Iterator[Case]:
    """Many simulations of a rulesheet in flight, under every policy that goes with that; kept trees, and threads."""
    sheet = "gdl:connect4"
    for name in policies():
        yield if_it_fits(sheet, f"mcts(select={name}, lanes=16)")
    for lanes in (0, 1, 2, 16, 64, 100):
        yield searched(sheet, f"uct(lanes={lanes})", 1500, 300)
        for playout in ("mast", "ngram(threshold=2)", "last_good_reply"):
            yield searched(sheet, f"mcts(playout={playout}, lanes={lanes})", 300, 200)
    for arguments in (
        "expand_threshold=3",
        "expand_threshold=0, fpu=0.5",
        "reward=discount",
        "reward=difference",
        "reward=relative_bonus(online=true)",
        "allocation=sequential_halving",
        "allocation=uct_sqrt_sh",
        "recommend=max",
        "playout=uniform(limit=7)",
    ):
        yield searched(sheet, f"mcts({arguments}, lanes=16)", 300, 200)
    for other in ("gdl:tictactoe", "gdl:nim", "gdl:eight_puzzle"):
        yield searched(other, "uct(lanes=16)", 300, 200)
        yield searched(other, "mcts(playout=mast)", 2000)
    for name in ("ucb1_tuned", "rave", "exp3"):
        yield searched(sheet, f"mcts(select={name})")
    yield Case(sheet, "uct(lanes=16)", (Budget(calls=3000), Budget(memory=200_000)))
    yield Case(sheet, "uct(lanes=16)", (Budget(simulations=400),), threads=2)


FAMILIES: dict[str, Callable[[], Iterator[Case]]] = {
    "uct": uct,
    "games": games,
    "agents": agents,
    "policies": every_policy,
    "roots": roots,
    "rave": all_moves_as_first,
    "updates": updates,
    "rewards": rewards,
    "playouts": playouts,
    "learning": learning_playouts,
    "reuse": reuse,
    "chance": chance,
    "open_loop": open_loop,
    "players": players,
    "budgets": budgets,
    "chunks": chunks,
    "threads": threads,
    "recommend": recommendations,
    "allocations": allocations,
    "halving": halving,
    "proofs": proofs,
    "transpositions": transpositions,
    "simultaneous": simultaneous,
    "batch": batch,
}


def families() -> dict[str, Callable[[], Iterator[Case]]]:
    """Those that can be run here: rulesheets need clingo, an extra."""
    missing = {"batch"} if importlib.util.find_spec("clingo") is None else set()
    return {name: family for name, family in FAMILIES.items() if name not in missing}
