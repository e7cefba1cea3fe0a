"""Digests of a small search and of a small bandit run with every policy and allocation; run by test_plain_python."""

import hashlib

from ramify import bandits
from ramify.agents.budgets.budget import Budget
from ramify.agents.search.search import Search
from ramify.contract.registry import load_call
from ramify.grammar import parse
from ramify.strategies.policy.registry import policies
from ramify.strategies.registry import strategies

BANDITS = {
    "bernoulli": bandits.bernoulli([0.7, 0.5, 0.2]),
    "gaussian": bandits.gaussian([0.7, 0.5, 0.2], 0.3),
    "boxes": bandits.random_boxes(5, 0.3, 0.5, seed=2),
    "path": bandits.means_path(6, 0.3, seed=1),
}


def digest(*arrays):
    return hashlib.sha256(b"".join(array.tobytes() for array in arrays)).hexdigest()[:16]


def lines():
    for name in policies():
        search = Search(load_call(parse("tictactoe")).initial(), f"mcts(select={name})", seed=3)
        search.run(Budget(simulations=60))
        worker = search.workers[0]
        used = slice(int(worker.counters["nodes"][0]))
        yield f"{name} {digest(worker.tree.nodes[used], worker.tree.columns[:, used], worker.rng)}"
        for kind, bandit in BANDITS.items() if not policies()[name].needs_classes else ():
            result = bandits.run(bandit, name, pulls=20, tasks=1, seed=5)
            yield f"{name} {kind} {digest(result.regret, result.pulls, result.chosen)}"
    for name in strategies("allocation"):
        search = Search(load_call(parse("tictactoe")).initial(), f"mcts(allocation={name})", seed=3)
        search.run(Budget(simulations=60))
        worker = search.workers[0]
        used = slice(int(worker.counters["nodes"][0]))
        yield f"{name} {digest(worker.tree.nodes[used], worker.rng)} {worker.note} {search.report().move}"
    for name in ("sequential_halving", "uct_sqrt_sh", "gumbel", "improved_ucb"):
        result = bandits.spend(BANDITS["bernoulli"], name, pulls=20, seed=5)
        yield f"{name} spent {digest(result.pulls, result.chosen)}"


if __name__ == "__main__":
    print("\n".join(lines()))  # noqa: T201
