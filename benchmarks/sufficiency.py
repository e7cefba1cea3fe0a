"""Play the readings of ``sufficiency_dynamic`` against ``ucb1`` in Breakthrough, with uniform playouts.

``ramify reproduce st-ggp`` plays them with CadiaPlayer, the program of the paper.

Games in pairs with swapped seats, a fresh seed for every pair; 95 % intervals by the normal approximation.
Run: python benchmarks/sufficiency.py [games] [simulations] [c]
"""

import sys
from concurrent.futures import ThreadPoolExecutor
from itertools import product

from ramify.agents.budgets.budget import Budget
from ramify.agents.search.search import Search
from ramify.contract.game import State
from ramify.contract.registry import load_call
from ramify.grammar import Call
from ramify.statistics.means import mean_half_width


def game(agents, budget, seed):
    """Return the first player's score. Plays the most visited move and skips the report, whose move names take time."""
    rules = load_call(Call("breakthrough"))
    state = rules.initial()
    ply = 0
    while not state.over:
        worker = Search(state, agents[state.to_move], seed=1000 * seed + ply).workers[0]
        worker.run(budget, lambda: True)
        children = worker.tree.nodes[worker.tree.children()]
        state = State(rules, rules.play(state.data, int(children["move"][children["visits"].argmax()])))
        ply += 1
    return state.scores()[0]


def main(games=400, simulations=1000, c=0.4):
    budget = Budget(simulations=int(simulations))
    plain = f"mcts(select=ucb1(c={c}))"
    for nodes, orientation in product(("root", "all"), ("above", "below")):
        agent = f"mcts(select=sufficiency_dynamic(c={c}, orientation={orientation}, nodes={nodes}))"

        def pair(number, agent=agent):
            seed = 2 * number
            return game((agent, plain), budget, seed) + 1.0 - game((plain, agent), budget, seed + 1)

        with ThreadPoolExecutor(2) as pool:
            won = sum(pool.map(pair, range(int(games) // 2)))
        share = won / games
        half = mean_half_width(share * (1.0 - share), int(games))
        print(
            f"{nodes:4} {orientation:5} {simulations:6.0f} simulations, c={c}: {100 * share:.1f} +- {100 * half:.1f} %",
            flush=True,
        )


if __name__ == "__main__":
    main(*map(float, sys.argv[1:]))
