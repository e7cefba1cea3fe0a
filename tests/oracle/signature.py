"""Digests of fixed searches, printed as JSON: run as a program, so that it can be run without compilation.

Arguments: a number of seconds to share among the cases (each case then says how many simulations it could afford), or
a list of such answers to repeat.
"""

from __future__ import annotations

import hashlib
import json
import sys
from time import process_time

import ramify
from ramify.strategies.policy import registry as selection
from tests import toys

SEEDS = (1, 2**40 + 7)
STEP = 25
MOST = 200

# Where the default is large, a smaller one: the same code, more of it reached in the same time.
SMALL = {"breakthrough": "breakthrough(rows=6, columns=5)"}
TOYS = ("dice_race", "three_heaps", "nim_class", "corridor(length=30)")
AGENTS = ("mcts", "mcts(select=ucb1(c=0.2), select_root=ucb1(c=1.5), expand_threshold=3, fpu=0.7)")

# All moves as first: by owners and by traces, with tables, weights, errors, a bonus, chance, three players and objects.
RAVE = (
    ["sos(n=6)", "mcts(select=rave, updates=false_updates(kind=lower, target=5, mu=0.7, shared=true))"],
    ["hex(size=4)", "mcts(select=grave(ref=5))"],
    ["connect4", "mcts(select=rave_max, updates=true_updates(weighted=true))"],
    ["connect4", "mcts(select=grave(ref=5), select_root=rave_only, updates=false_updates(mu=0.5))"],
    ["nine_mens_morris", "mcts(select=rave)"],
    ["othello", "mcts(select=rave, reward=score_bonus(gamma=0.1))"],
    ["pig(target=12)", "mcts(select=rave)"],
    ["toy three_heaps", "mcts(select=grave(ref=3))"],
    ["toy nim_class", "mcts(select=rave)"],
)

# The loop beside the sequential one: finished games, chance, three players, objects, and policies that learn below it.
SHOT = (
    ["tictactoe", "mcts(allocation=shot)"],
    ["connect4", "mcts(allocation=shot_original)"],
    ["toy dice_race", "mcts(allocation=shot)"],
    ["toy three_heaps", "mcts(allocation=h_mcts(limit=4), select=exp3)"],
    ["toy nim_class", "mcts(allocation=shot_original)"],
    ["hex(size=4)", "mcts(allocation=h_mcts(limit=5), select=grave(ref=5))"],
)

# Playouts that learn: with classes and without, within each other, chance, three players, objects, cut off.
PLAYOUTS = (
    ["connect4", "mcts(playout=mast)"],
    ["breakthrough(rows=6, columns=5)", "mcts(select=rave, playout=ngram(min_visits=2, temperature=0.2))"],
    ["breakthrough(rows=6, columns=5)", "mcts(playout=cut_off(plies=5, then=decisive(anti=true)))"],
    ["pig(target=12)", "mcts(playout=ngram(min_visits=2))"],
    ["toy three_heaps", "mcts(playout=last_good_reply(then=mast(temperature=0.5)))"],
    ["toy nim_class", "mcts(playout=decisive(anti=true, then=last_good_reply(then=ngram(min_visits=1))))"],
)

# Scores that are proven: a draw, chance, three players, objects, columns that are reordered.
PROOFS = (
    ["tictactoe", "mcts(prove=true)"],
    ["breakthrough(rows=4, columns=3)", "mcts(prove=true, select=grave(ref=5), expand_threshold=2)"],
    ["pig(target=4, horizon=5)", "mcts(prove=true, select=exp3)"],
    ["toy last_bean", "mcts(prove=true, select=rave)"],
    ["toy three_heaps", "mcts(prove=true, expand_threshold=0)"],
    ["toy nim_class", "mcts(prove=true, allocation=sequential_halving)"],
)
# Positions that edges share: by bytes, by a key, by the text of an object; chance, three players, circles, RAVE.
TRANSPOSITIONS = (
    ["connect4", "mcts(transpositions=uct2, select=ucb1_tuned)"],
    ["nim", "mcts(transpositions=uct2)"],
    ["toy dice_race", "mcts(transpositions=uct1)"],
    ["toy three_heaps", "mcts(transpositions=uct2, select=accelerated_ucb)"],
    ["toy nim_class", "mcts(transpositions=uct2, reward=discount(factor=1.0))"],
    ["toy ring", "mcts(transpositions=uct2, select=grave(ref=3))"],
)
# Joint moves: all kinds of positions, one to three players, learning by what was met, and one after another.
JOINT = (
    ["toy rock_paper_scissors", "mcts(select=exp3)"],
    ["toy auction", "mcts(select=ucb1_tuned, deviation=children)"],
    ["toy harvest(players=1)", "mcts(select=thompson)"],
    ["toy harvest(players=3)", "mcts(select=regret_matching, playout=heuristic)"],
    ["toy harvest", "mcts(simultaneous=turn_based, playout=heuristic, select=rave)"],
)


def cases() -> list[list]:
    """Game, agent, seed: every game of ours with two seeds, toys for what these lack, every policy once, and so on."""
    games = [SMALL.get(name, name) for name in ramify.games()]
    found = [[name, agent, seed] for name in games for agent, seed in zip(AGENTS, SEEDS, strict=True)]
    found += [[f"toy {name}", AGENTS[1], SEEDS[0]] for name in TOYS]
    found += [["tictactoe", f"mcts(select={name})", SEEDS[0]] for name in selection.policies()]
    found += [["tictactoe", "mcts(fpu=-inf)", SEEDS[0]]]  # an index below all that a policy starts from
    found += [[*case, SEEDS[0]] for case in (*RAVE, *SHOT, *PLAYOUTS, *PROOFS, *TRANSPOSITIONS, *JOINT)]
    return found


def game(name: str) -> ramify.Game:
    """A game of ours or a toy."""
    return toys.load(name.removeprefix("toy ")) if name.startswith("toy ") else ramify.load(name)


def first_decision(state: ramify.State) -> ramify.State:
    """The first position where a player moves: past what chance does before, taking its first outcome."""
    while state.to_move == ramify.CHANCE:
        state = state.play(state.chance_outcomes()[0][0])
    return state


def digest(search: ramify.Search) -> str:
    """One number over everything a search has written."""
    worker = search.workers[0]
    count = int(worker.counters["nodes"][0])
    parts = [worker.tree.nodes[:count], worker.tree.columns[:, :count], worker.rng, worker.counters]
    if worker.parts.amaf:
        parts.append(worker.parts.amaf.tables[: int(worker.parts.amaf.block["used"][0])])
    return hashlib.sha256(b"".join(part.tobytes() for part in parts)).hexdigest()


def measure(case: list, seconds: float) -> tuple[int, str]:
    """As many simulations as the time allows, and the digest of them."""
    name, agent, seed = case
    search = ramify.Search(first_decision(game(name).initial()), agent, seed=seed)
    began = process_time()
    simulations = 0
    while simulations < MOST and (simulations == 0 or process_time() - began < seconds):
        search.run(ramify.Budget(simulations=STEP))
        simulations += STEP
    return simulations, digest(search)


def repeat(case: list, simulations: int) -> tuple[int, str]:
    """The same number of simulations."""
    name, agent, seed = case
    search = ramify.Search(first_decision(game(name).initial()), agent, seed=seed)
    for _ in range(simulations // STEP):
        search.run(ramify.Budget(simulations=STEP))
    return simulations, digest(search)


def main(argument: str) -> None:
    """Print ``[case, simulations, digest]`` for each case."""
    wanted = json.loads(argument)
    if isinstance(wanted, list):
        answers = [[case, *repeat(case, simulations)] for case, simulations, _ in wanted]
    else:
        todo = cases()
        answers = [[case, *measure(case, wanted / len(todo))] for case in todo]
    json.dump(answers, sys.stdout)


if __name__ == "__main__":
    main(sys.argv[1])
