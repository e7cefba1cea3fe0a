"""Play agents for rulesheets against ``uct(c=0.4)`` with tree reuse, at equal processor time.

Cells take turns, one pair of games each, so an interrupted run has about as many pairs of every cell.

Run: python benchmarks/ggp_agents.py [--pairs 20] [--seconds 0.05] [--games connect4 ...] [--agents mast ...]
"""

import argparse
from collections import Counter

from ramify.agents.budgets.player_limits import PlayerLimits
from ramify.experiments.framework.estimates import format_interval
from ramify.experiments.framework.published_cells import mean_of
from ramify.experiments.trials.paired_games import GamesByProcessorTime, score_estimate
from ramify.statistics.pairs import PairedResults

GAMES = ("connect4", "breakthrough", "knightthrough", "checkers", "tictactoe3d")
RIVAL = "mcts(select=ucb1(c=0.4), reuse=true)"  # searched in batches
AGENTS = {
    "one lane": "mcts(select=ucb1(c=0.4), reuse=true, batch_size=1)",
    "prove": "mcts(select=ucb1(c=0.4), reuse=true, prove=true)",
    "mast": "mcts(select=ucb1(c=0.4), reuse=true, playout=mast)",
    "tuned": "mcts(select=ucb1_tuned, reuse=true)",
    "cadiaplayer": "cadiaplayer",
    "cadiaplayer_ngrams": "cadiaplayer_ngrams",
}


def play(games, agents, pairs, seconds):
    """Yield after every pair the estimates so far and the relative speeds, by agent and game."""
    limits = PlayerLimits(seconds=seconds)
    works = {
        (agent, game): GamesByProcessorTime(f"gdl:{game}", AGENTS[agent], RIVAL, limits)
        for game in games
        for agent in agents
    }
    counts = {cell: Counter() for cell in works}
    spent = {cell: [0.0, 0.0] for cell in works}
    for work in works.values():
        work.prepare()
    for pair in range(pairs):
        for cell, work in works.items():
            sums = work.run(1, pair, 1)
            counts[cell].update({float(score): number for score, number in sums["pairs"].items()})
            spent[cell] = [was + now for was, now in zip(spent[cell], sums["simulations"], strict=True)]
        found = {
            cell: score_estimate(PairedResults(tuple(sorted(one)), tuple(one[score] for score in sorted(one)), 2))
            for cell, one in counts.items()
        }
        yield pair + 1, found, {cell: first / second for cell, (first, second) in spent.items()}


def main(games, agents, pairs, seconds):
    """Print a table after every pair."""
    for done, found, speeds in play(games, agents, pairs, seconds):
        print(f"\n{done} pairs per cell, {seconds:g} s per move (processor); in brackets, simulations over the rival's")
        print(f"{'agent':20} {'mean':22}" + "".join(f"{game:>30}" for game in games))
        for agent in agents:
            cells = [f"{format_interval(found[agent, game], 2)} ({speeds[agent, game]:.2f}x)" for game in games]
            mean = format_interval(mean_of([found[agent, game] for game in games]), 2)
            print(f"{agent:20} {mean:22}" + "".join(f"{cell:>30}" for cell in cells), flush=True)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--pairs", type=int, default=20)
    parser.add_argument("--seconds", type=float, default=0.05)
    parser.add_argument("--games", nargs="*", choices=GAMES, default=GAMES)
    parser.add_argument("--agents", nargs="*", choices=AGENTS, default=list(AGENTS))
    asked = parser.parse_args()
    main(asked.games, asked.agents, asked.pairs, asked.seconds)
