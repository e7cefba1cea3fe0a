"""Measure what batches of simulations are worth: speed, games and single choices against one simulation at a time.

Games are played in pairs from two random moves with swapped seats, at equal processor time or at equal simulations.
Single choices are compared by *regret*: how much worse the chosen move is than the best, according to a long search of
the same position. Regret is more informative per second, because few moves decide a game.

    python benchmarks/batches.py speed breakthrough connect4 --agent 'mcts(playout=mast)' --simulations 10000
    python benchmarks/batches.py games othello --seconds 0.05 --pairs 10
    python benchmarks/batches.py regret connect4 --simulations 5000 --batch-sizes 50 150 500
"""

import argparse
import random
from statistics import fmean
from time import process_time, thread_time

import numpy as np

from ramify.agents.agent import agent as make_agent
from ramify.agents.budgets.budget import Budget
from ramify.agents.search.search import Search
from ramify.bridges.gdl import BUILT_IN_RULESHEETS
from ramify.contract.load import load
from ramify.statistics.inference import score_interval
from ramify.statistics.means import mean_half_width
from ramify.statistics.pairs import PairedResults

OPENING = 2  # random moves
LONG = 60_000  # simulations of the search that values the moves
TURNS = 2  # seconds per speed measurement


def search_with(game, agent, lanes):
    """Return a search with everything compiled."""
    found = Search(game.initial(), make_agent(agent, lanes=lanes), seed=1, now=thread_time)
    found.run(Budget(simulations=300))
    return found


def opened(game, dice, plies):
    """Return an unfinished position after some random moves, or None."""
    state = game.initial()
    for _ in range(plies):
        state = state.play(dice.choice(state.moves()))
        if state.over:
            return None
    return state


def speed(game, options):
    """Print simulations per second, one at a time and in batches."""
    searches = [search_with(game, options.agent, lanes) for lanes in (1, 0)]
    best = [0.0, 0.0]
    for _ in range(TURNS):
        for k, search in enumerate(searches):
            search.restart(game.initial(), 7)
            began = process_time()
            search.run(Budget(simulations=options.simulations))
            best[k] = max(best[k], options.simulations / (process_time() - began))
    print(f"  by events {best[0]:,.0f}/s, in a batch {best[1]:,.0f}/s: {best[1] / best[0]:.1f} times")


def played(state, sides, budget, seed):
    """Return the first search's score in a game; ``sides`` are the searches by player."""
    plies = 0
    while not state.over:
        moves = state.moves()
        if len(moves) > 1:
            search = sides[state.to_move]
            search.restart(state, seed + plies)
            code = search.think(budget)
            moves = [move for move in moves if move.code == code]
        state = state.play(moves[0])
        plies += 1
    first, second = state.scores()[:2]
    return (first - second + 1) / 2


def games(game, options):
    """Play a match of the batch against one simulation at a time."""
    dice = random.Random(options.seed)
    batch, one = (search_with(game, options.agent, lanes) for lanes in (options.batch_sizes[0], 1))
    budget = Budget(seconds=options.seconds) if options.seconds else Budget(simulations=options.simulations)
    scores = []
    while len(scores) < options.pairs:
        state = opened(game, dice, OPENING)
        if state is None:
            continue
        seed = dice.randrange(1 << 30)
        scores.append((played(state, (batch, one), budget, seed), 1 - played(state, (one, batch), budget, seed)))
        interval = score_interval(PairedResults.from_games(scores))
        score = 100 * fmean(map(fmean, scores))
        print(
            f"  {len(scores)} pairs: {score:.1f} % ({100 * interval.low:.1f} to {100 * interval.high:.1f})", flush=True
        )


def regret(game, options):
    """Print the regret of several batch sizes and of one simulation at a time."""
    dice = random.Random(options.seed)
    numbers = [1, *options.batch_sizes]
    long = search_with(game, options.agent, 0)
    searches = [search_with(game, options.agent, lanes) for lanes in numbers]
    lost = []
    while len(lost) < options.positions:
        state = opened(game, dice, dice.randrange(2, 16))
        if state is None or len(state.moves()) < 2:
            continue
        long.restart(state, 99)
        long.run(Budget(simulations=LONG))
        visits, values, _ = long.statistics()
        worth = dict(zip(long.codes().tolist(), values, strict=True))
        best = values[np.argmax(visits)]
        row = []
        for search in searches:
            row.append(0.0)
            for seed in range(options.seeds):
                search.restart(state, seed)
                chosen = search.choose(Budget(simulations=options.simulations))
                row[-1] += max(0.0, best - worth[chosen]) / options.seeds
        lost.append(row)
    table = np.array(lost)
    for k, lanes in enumerate(numbers):
        more = table[:, k] - table[:, 0]
        error = mean_half_width(more.var(ddof=1), len(more))
        print(f"  batch of {lanes}: regret {table[:, k].mean():.4f}, {more.mean():+.4f} +- {error:.4f} over one")


def main(arguments=None):
    """Read the options and measure each game."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["speed", "games", "regret"])
    parser.add_argument("game", nargs="+", help="built-in rulesheets, by name")
    parser.add_argument("--agent", default="uct")
    parser.add_argument("--simulations", type=int, default=5000)
    parser.add_argument("--seconds", type=float, default=0.0, help="processor time per move, in place of simulations")
    parser.add_argument("--batch-sizes", type=int, nargs="+", default=[0], help="0: as the budget allows")
    parser.add_argument("--pairs", type=int, default=10)
    parser.add_argument("--positions", type=int, default=80)
    parser.add_argument("--seeds", type=int, default=4, help="choices per position")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args(arguments)
    for name in options.game:
        print(name)
        {"speed": speed, "games": games, "regret": regret}[options.what](
            load(f"gdl:{BUILT_IN_RULESHEETS / name}.kif"), options
        )


if __name__ == "__main__":
    main()
