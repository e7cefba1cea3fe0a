"""Measure what playouts that list the moves cost: playouts per second from the start of each game, in one run.

`fast` is the game's own uniform playout, which need not list the moves. `plain` is a uniform loop over the game's
`legal` and `play`, called by address: what any playout that looks at the moves must do. The others are agents' playouts.
They learn from each playout as in a search, starting with empty tables. Ratios are to `plain`, per playout and per
ply, because learning makes playouts shorter or longer. Processor time; the best of several rounds taken in turns.
Run: python benchmarks/playouts.py [--games breakthrough ...] [--playouts 4000] [--rounds 5] [playout ...]
"""

import argparse
import time

import numpy as np

from ramify.agents.agent import agent
from ramify.agents.search.worker import Worker
from ramify.contract.load import load
from ramify.core.kernels.compiling import entry, kernel
from ramify.core.kernels.pointers import address, array, call, record
from ramify.core.numbers.rng import below
from ramify.core.search.episode import EPISODE
from ramify.core.search.plan import COUNTERS
from ramify.core.search.steps import copy_state, run_simulation_hooks
from ramify.core.search.verbs import simulate
from ramify.core.shapes.tree import TREE

GAMES = ("breakthrough", "connect4", "othello", "checkers", "hex", "amazons(plies=2)")
PLAYOUTS = (
    "decisive(then=uniform)",
    "mast",
    "mast(temperature=0.1)",
    "ngram",
    "last_good_reply",
)
PLAIN = np.dtype([("legal", np.int64), ("play", np.int64)])


def plain(rules, state, episode_, block_):
    """List the moves, draw one, play it."""
    block = record(block_, PLAIN)
    episode = record(episode_, EPISODE)
    rng = array(episode.rng, 1, np.uint64)
    plies = 0
    count = call(block.legal, (rules, state, episode.moves))
    while count > 0:
        move = array(episode.moves, count, np.int64)[below(rng, count)]
        call(block.play, (rules, state, move))
        plies += 1
        count = call(block.legal, (rules, state, episode.moves))
    return plies


@entry
def play(game, plan, memory, playouts):
    """Playouts from the root, and the tables that learn from them."""
    counters = record(memory.counters, COUNTERS)
    episode = record(memory.episode, EPISODE)
    for _ in range(playouts):
        copy_state(game, memory.state, memory.root)
        simulate(TREE, game, plan, memory, episode, 0, counters)
        run_simulation_hooks(plan.on_simulation, memory.episode)


class Run:
    """Playouts of one kind."""

    def __init__(self, game, playout):
        self.worker = Worker(
            game.initial(), agent(f"mcts(playout={'uniform' if playout == 'plain' else playout})"), 1, 0
        )
        self.plan = self.worker.runner.plan
        if playout == "plain":
            table = self.worker.runner.table
            self.kernel, self.block = kernel(plain), np.array([(table.legal, table.play)], PLAIN)
            self.plan = self.plan._replace(
                playout=self.plan.playout._replace(kernel=self.kernel.address, block=address(self.block))
            )
        self.once(16)

    def once(self, playouts):
        """Seconds and plies per playout."""
        self.worker.reset(self.worker.start)
        began = time.thread_time()
        play(self.worker.runner.table, self.plan, self.worker.memory.addresses, playouts)
        return (time.thread_time() - began) / playouts, int(self.worker.counters["calls"][0]) / playouts


def main(games, playouts, rounds, wanted):
    print(f"{'game':18} {'playout':24} {'playouts/s':>11} {'ratio':>6} {'plies':>6} {'by ply':>7}")
    for name in games:
        runs = {one: Run(load(name), one) for one in ("plain", "uniform", *wanted)}
        best = dict.fromkeys(runs, (np.inf, 0.0))
        for _ in range(rounds):
            for one, run in runs.items():
                best[one] = min(best[one], run.once(playouts))
        base, length = best["plain"]
        for one, (seconds, plies) in best.items():
            title = "fast uniform" if one == "uniform" else one
            by_ply = base / length * plies / seconds
            print(
                f"{name:18} {title:24} {1 / seconds:11,.0f} {base / seconds:5.2f}x {plies:6.1f} {by_ply:6.2f}x",
                flush=True,
            )


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("wanted", nargs="*", default=PLAYOUTS, help="playouts, as in an agent's text")
    parser.add_argument("--games", nargs="+", default=GAMES)
    parser.add_argument("--playouts", type=int, default=4000)
    parser.add_argument("--rounds", type=int, default=5)
    asked = parser.parse_args()
    main(asked.games, asked.playouts, asked.rounds, asked.wanted)
