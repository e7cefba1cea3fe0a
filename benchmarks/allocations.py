"""Measure the cost of each allocation next to UCT: simulations per second and tree memory, Breakthrough and NoGo.

Allocations take turns with UCT, each in memory that it has touched before. Processor time counts: the best turn of
each, and the median ratio of neighbouring turns, which a busy machine disturbs least. An allocation with its own policy
below the root builds another tree, so it is also measured with ``select=ucb1``.
Run: python benchmarks/allocations.py [--rounds 20] [--simulations 20000] [allocation ...]
"""

import argparse
import statistics
import time

from ramify.agents.agent import agent
from ramify.agents.budgets.budget import Budget
from ramify.agents.search.search import Search
from ramify.contract.registry import load_call
from ramify.grammar import Call
from ramify.strategies.registry import strategies

GAMES = ("breakthrough", "nogo")


class Run:
    """Searches of one agent, on memory that has been touched before."""

    def __init__(self, game, text, simulations):
        self.search = Search(load_call(Call(game)).initial(), text, seed=1)
        self.budget = Budget(simulations=simulations)
        self.once()

    @property
    def worker(self):
        return self.search.workers[0]

    @property
    def simulations(self):
        return self.search.simulations()

    @property
    def megabytes(self):
        return int(self.worker.counters["nodes"][0]) * self.worker.tree.bytes_per_node / 1e6

    @property
    def depth(self):
        return int(self.worker.counters["deepest"][0])

    def once(self):
        """Seconds per simulation."""
        self.worker.reset(self.search.state)
        self.worker.start_counting()
        began = time.thread_time()
        self.worker.run(self.budget, lambda: True)
        return (time.thread_time() - began) / self.simulations


def texts(wanted):
    """The agents to measure."""
    for name in wanted or strategies("allocation"):
        yield f"mcts(allocation={name})"
        if agent(f"mcts(allocation={name})").select.name != "ucb1":
            yield f"mcts(allocation={name}, select=ucb1)"


def main(rounds, simulations, wanted):
    print(f"{'':45} {'sim./s':>9} {'best':>6} {'median':>6} {'MB':>5} {'depth':>5}")
    for game in GAMES:
        base = Run(game, "uct", simulations)
        print(f"{game}, uct".ljust(68), f"{base.megabytes:5.1f} {base.depth:5d}", flush=True)
        for text in texts(wanted):
            run = Run(game, text, simulations)
            pairs = [(base.once(), run.once()) for _ in range(rounds)]
            ours, theirs = min(mine for _, mine in pairs), min(other for other, _ in pairs)
            ratio = statistics.median(other / mine for other, mine in pairs)
            speed = f"{1 / ours:9,.0f} {theirs / ours:5.2f}x {ratio:5.2f}x"
            print(f"  {text:43} {speed} {run.megabytes:5.1f} {run.depth:5d}", flush=True)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument(
        "allocations", nargs="*", help="allocations, optionally with parameters (default: all built-in ones)"
    )
    parser.add_argument("--rounds", type=int, default=20)
    parser.add_argument("--simulations", type=int, default=20_000)
    asked = parser.parse_args()
    main(asked.rounds, asked.simulations, asked.allocations)
