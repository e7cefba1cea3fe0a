"""Small games in files, as a user writes them, and short matches."""

from ramify.agents.budgets.player_limits import PlayerLimits
from ramify.arena.matches.match import plan_match
from ramify.arena.matches.rows import COLUMNS, TIMING

# Three players throw dice (chance) and choose to keep or pass; the largest sum wins, ties share.
DICE = """
class Dice:
    players = 3
    max_moves = 8

    def __init__(self, rounds=2):
        self.rounds = rounds
        self.sums = [0, 0, 0]
        self.turn = 0
        self.rolled = 0

    def to_move(self):
        return self.turn % 3 if self.rolled else -1

    def moves(self):
        return ["keep", "pass"]

    def chance_outcomes(self):
        return [(face, 0.25) for face in (1, 2, 3, 4)]

    def play(self, move):
        if self.rolled:
            if move == "keep":
                self.sums[self.turn % 3] += self.rolled
            self.rolled = 0
            self.turn += 1
        else:
            self.rolled = move

    def over(self):
        return self.turn == 3 * self.rounds

    def scores(self):
        best = [total == max(self.sums) for total in self.sums]
        return [1 / sum(best) if won else 0.0 for won in best]

    def clone(self):
        other = Dice(self.rounds)
        other.sums, other.turn, other.rolled = list(self.sums), self.turn, self.rolled
        return other
"""

# Two players count down; what happens at 3 is put in by the test: an exception, or the death of the process.
COUNTDOWN = """
import os

class Countdown:
    def __init__(self):
        self.left = 6

    def to_move(self):
        return self.left % 2

    def moves(self):
        return [1]

    def play(self, move):
        self.left -= move
        if self.left == 3:
            {trouble}

    def over(self):
        return self.left == 0

    def scores(self):
        return [0.5, 0.5]
"""


def short_plan(games=4, simulations=20, game="tictactoe", seed=1, **more):
    return plan_match(
        game, "uct(c=0.7)", "uct(c=1.4)", limits=PlayerLimits(simulations=simulations), games=games, seed=seed, **more
    )


def timeless(records):
    """Records without what depends on the machine's speed."""
    kept = [k for k, name in enumerate(COLUMNS) if name not in TIMING]
    return sorted(tuple(record[k] for k in kept) for record in records)
