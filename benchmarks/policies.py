"""Measure the cost of each selection policy in the tree: Breakthrough simulations per second next to ``ucb1``.

Each policy takes turns with ``ucb1``. The processor time of short searches counts: the best of each, and the median
ratio of neighbouring turns, which a busy or throttling machine disturbs least.
Run: python benchmarks/policies.py [--rounds 40] [--simulations 4000] [policy ...]
"""

import argparse
import statistics
import time

from ramify.agents.budgets.budget import Budget
from ramify.agents.search.search import Search
from ramify.contract.registry import load_call
from ramify.grammar import Call
from ramify.strategies.policy.registry import policies


class Run:
    """Searches of one agent, on memory that has been touched before."""

    def __init__(self, agent, simulations):
        start = load_call(Call("breakthrough")).initial()
        self.search = Search(start, agent, seed=1)
        self.budget = Budget(simulations=simulations)
        self.once()

    def once(self):
        for worker in self.search.workers:
            worker.reset(self.search.state)
        began = time.thread_time()
        self.search.workers[0].run(self.budget, lambda: True)
        return time.thread_time() - began


def measure(agents, plain, rounds, simulations):
    """Print one line per agent next to a plain one."""
    base = Run(plain, simulations)
    for name, agent in agents.items():
        run = Run(agent, simulations)
        pairs = [(base.once(), run.once()) for _ in range(rounds)]
        ours, theirs = min(mine for _, mine in pairs), min(other for other, _ in pairs)
        ratio = statistics.median(other / mine for other, mine in pairs)
        print(f"{name:20} {simulations / ours:14,.0f} {theirs / ours:12.2f}x {ratio:12.2f}x", flush=True)


def main(rounds, simulations, wanted):
    print(f"{'policy':20} {'simulations/s':>14} {'best of ucb1':>13} {'median ratio':>13}")
    agents = {name: f"mcts(select={name})" for name in wanted or policies()}
    measure(agents, "mcts(select=ucb1)", rounds, simulations)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("policies", nargs="*", help="names, or ./file.py:rule (default: all built-in policies)")
    parser.add_argument("--rounds", type=int, default=40)
    parser.add_argument("--simulations", type=int, default=4000)
    asked = parser.parse_args()
    main(asked.rounds, asked.simulations, asked.policies)
