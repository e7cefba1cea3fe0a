"""Measure how well searches keep to their time: 500 searches of 20 ms to 1 s, spread over all games.

Each game runs in its own process. Its first search also counts: compilation happens before it and is not thinking time.
Positions come from random games. The time includes choosing the move, as in a match. An overrun is the time beyond the
budget; a search that ended earlier has none.
Run on an idle machine: python benchmarks/time_control.py [--searches 500] [--agent uct] [game ...]
On a busy one ``--processor`` counts processor time, which shows our part of an overrun.
"""

import argparse
import json
import math
import random
import subprocess
import sys
from time import perf_counter, thread_time

from ramify.agents.budgets.budget import Budget
from ramify.agents.search.search import Search
from ramify.contract.load import load
from ramify.contract.registry import names
from ramify.core.search.tree import CHANCE, SIMULTANEOUS

SHORTEST, LONGEST = 0.02, 1.0
WANTED_MEAN, WANTED_WORST = 0.003, 0.025  # seconds


def position(game, dice):
    """Return a position of a random game in which a player is to move."""
    start = game.initial()
    passed, state = [], start
    while not state.over and len(passed) < 200:
        if state.to_move == CHANCE:
            outcomes, weights = zip(*state.chances(), strict=True)
            state = state.play(dice.choices(outcomes, weights)[0])
            continue
        passed.append(state)
        if state.to_move == SIMULTANEOUS:
            state = state.play(tuple(dice.choice(state.moves(player)) for player in range(game.players)))
        else:
            state = state.play(dice.choice(state.moves()))
    return dice.choice(passed)


def measure(name, agent, count, seed, now):
    """Budgets and times of the searches in this process, in order."""
    dice = random.Random(seed)
    game = load(name)
    search = Search(position(game, dice), agent, seed=seed, now=now)
    found = []
    for number in range(count):
        seconds = SHORTEST * (LONGEST / SHORTEST) ** ((number + dice.random()) / count) if number else SHORTEST
        began = now()
        search.choose(Budget(seconds=seconds))
        found.append((seconds, now() - began, search.simulations()))
        search.restart(position(game, dice), seed + number)
    return found


def show(name, found):
    """Print one line of the table."""
    over = [max(0.0, took - seconds) for seconds, took, _ in found]
    under = [max(0.0, seconds - took) for seconds, took, _ in found]
    rate = sum(simulations for *_, simulations in found) / sum(took for _, took, _ in found)
    figures = [sum(over) / len(over), max(over), over[0], sum(under) / len(under)]
    print(
        f"{name:18} {len(found):>8}" + "".join(f" {1000 * one:>8.2f}" for one in figures) + f" {rate:>14,.0f}",
        flush=True,
    )
    return over


def main(wanted, agent, searches, options):
    wanted = wanted or list(names())
    each = math.ceil(searches / len(wanted))
    headings = ("mean", "worst", "first", "unspent")
    print(f"{'milliseconds':18} {'searches':>8}" + "".join(f" {one:>8}" for one in headings) + "  simulations/s")
    overruns = []
    for seed, name in enumerate(wanted, 1):
        command = [
            sys.executable,
            __file__,
            name,
            "--one",
            str(seed),
            "--searches",
            str(each),
            "--agent",
            agent,
            *options,
        ]
        subprocess.run([*command, "--searches", "1"], check=True, capture_output=True)  # compiles
        output = subprocess.run(command, check=True, capture_output=True, text=True).stdout
        overruns += show(name, json.loads(output))
    mean, worst = sum(overruns) / len(overruns), max(overruns)
    kept = mean < WANTED_MEAN and worst < WANTED_WORST
    print(f"{len(overruns)} searches: mean overrun {1000 * mean:.2f} ms, worst {1000 * worst:.2f} ms;", end=" ")
    print(f"wanted below {1000 * WANTED_MEAN:.0f} and {1000 * WANTED_WORST:.0f} ms: {'kept' if kept else 'not kept'}")
    return 0 if kept else 1


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("games", nargs="*", help="our games (default: all)")
    parser.add_argument("--agent", default="uct")
    parser.add_argument("--searches", type=int, default=500, help="number of searches, spread over the games")
    parser.add_argument("--processor", action="store_true", help="count processor time")
    parser.add_argument("--one", type=int, metavar="SEED", help="measure one game in this process, and print JSON")
    asked = parser.parse_args()
    if asked.one is None:
        sys.exit(main(asked.games, asked.agent, asked.searches, ["--processor"] if asked.processor else []))
    source = thread_time if asked.processor else perf_counter
    print(json.dumps(measure(asked.games[0], asked.agent, asked.searches, asked.one, source)))
