"""Random endgames, proven by the search and solved by exhaustion: a few in ``test_proving.py``, and more by hand.

    python -m tests.oracle.endgames 1000

A game is played at random, and some of its last plies are taken back. The arguments are how many positions are to be
proven in each game, the most simulations of a search, and the seed.
"""

from __future__ import annotations

import random
import sys
from dataclasses import dataclass
from time import process_time

import ramify
from ramify.solver.solver import Solver

# Games, and the most plies that are taken back.
GAMES = {"breakthrough(rows=5, columns=5)": 8, "connect4": 12, "checkers": 8}
AGENT = "mcts(prove=true)"


def endgame(game: ramify.Game, most: int, rng: random.Random) -> ramify.State:
    """A position that was 1 to ``most`` plies before the end of a game."""
    states = [game.initial()]
    while not states[-1].over:
        states.append(states[-1].play(rng.choice(states[-1].moves())))
    return states[-1 - min(rng.randint(1, most), len(states) - 1)]


@dataclass
class Tally:
    """What came out; ``values`` counts the proven ones, of the player to move."""

    positions: int = 0
    proven: int = 0
    moves: int = 0  # proven, in these positions and others
    wrong: int = 0
    simulations: int = 0
    values: dict[float, int] | None = None


def compare(name: str, count: int, simulations: int, seed: int = 1, agent: str = AGENT) -> Tally:
    """Search until ``count`` positions are proven, and solve what is: the position, and any of its moves."""
    game, rng = ramify.load(name), random.Random(seed)
    solver, search = None, None
    tally = Tally(values={})
    while tally.proven < count:
        state = endgame(game, GAMES[name], rng)
        solver = solver or Solver(state)
        search = search or ramify.Search(state, agent)
        search.restart(state, tally.positions)
        report = search.run(ramify.Budget(simulations=simulations))
        tally.positions += 1
        tally.simulations += report.simulations
        proven = [(state.play(child.move), child.proven) for child in report.children if child.proven is not None]
        tally.moves += len(proven)
        if report.proven is not None:
            tally.proven += 1
            tally.values[report.proven] = tally.values.get(report.proven, 0) + 1
            proven.append((state, report.proven))
        tally.wrong += any(solved(solver, after, state.to_move) != value for after, value in proven)
    return tally


def solved(solver: Solver, state: ramify.State, player: int) -> float | None:
    """A player's score by the exhaustive solver."""
    if state.over:
        return state.scores()[player]
    lower, upper = solver.bounds(state)
    return None if lower < upper else lower if player == 0 else 1.0 - lower


def main(count: int, simulations: int = 100_000, seed: int = 1) -> None:
    """Print what came out of every game; the exit code is 1 where the two differ."""
    wrong = 0
    for name in GAMES:
        began = process_time()
        tally = compare(name, count, simulations, seed)
        wrong += tally.wrong
        values = ", ".join(f"{number} of value {value:g}" for value, number in sorted(tally.values.items()))
        sys.stdout.write(
            f"{name}: {tally.proven} of {tally.positions} positions proven ({values}), and {tally.moves} moves;"
            f" {tally.wrong} differ from exhaustion; {tally.simulations:,} simulations,"
            f" {process_time() - began:.0f} s of processor time\n"
        )
        sys.stdout.flush()
    sys.exit(bool(wrong))


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
