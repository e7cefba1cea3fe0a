"""Games written as Python classes, for the tests of uncompiled games."""

import ramify
from ramify.contract.python_game import PythonGame
from ramify.grammar import Call, parse

LINES = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]


class Noughts:
    """Tic-Tac-Toe with moves in the order of the compiled game: from the bottom row up."""

    max_moves = 9

    def __init__(self):
        self.board = [None] * 9
        self.turn = 0

    def clone(self):
        other = type(self)()
        other.board, other.turn = self.board[:], self.turn
        return other

    def to_move(self):
        return self.turn % 2

    def moves(self):
        return [divmod(k, 3) for k in range(9) if self.board[k] is None]

    def play(self, move):
        self.board[3 * move[0] + move[1]] = self.turn % 2
        self.turn += 1

    def winner(self):
        rows = ({self.board[k] for k in line} for line in LINES)
        return next((row.pop() for row in rows if row in ({0}, {1})), None)

    def over(self):
        return self.turn == 9 or self.winner() is not None

    def scores(self):
        winner = self.winner()
        return [0.5, 0.5] if winner is None else [float(player == winner) for player in (0, 1)]

    def move_name(self, move):
        return "abc"[move[1]] + str(move[0] + 1)

    def __str__(self):
        return "".join("." if mark is None else "xo"[mark] for mark in self.board)


class CoinRace:
    """``coin_race.py`` as a class without ``clone``; its moves are words."""

    players = 3

    def __init__(self, goal=5):
        self.points, self.stake, self.turn, self.goal = [0, 0, 0], 0, 0, goal

    def to_move(self):
        return ramify.CHANCE if self.stake else self.turn % 3

    def moves(self):
        return (word for word in ("one", "two", "three"))  # any iterable will do

    def chance_outcomes(self):
        kind = 1.0 / (1.0 + self.stake)
        return [("lose", 1.0 - kind), ("win", kind)]

    def play(self, move):
        if self.stake == 0:
            self.stake = ("one", "two", "three").index(move) + 1
        else:
            self.points[self.turn % 3] += self.stake * (move == "win")
            self.stake = 0
            self.turn += 1

    def over(self):
        return self.stake == 0 and (max(self.points) >= self.goal or self.turn == 20)

    def scores(self):
        return [min(points, self.goal) / self.goal for points in self.points]


class Digits:
    """One player names four digits of 0 to 3; the number in base 4 is the result."""

    players = 1

    def __init__(self):
        self.named = []

    def to_move(self):
        return 0

    def moves(self):
        return [0, 1, 2, 3]

    def play(self, move):
        self.named.append(move)

    def over(self):
        return len(self.named) == 4

    def scores(self):
        return [sum(digit * 4**k for k, digit in enumerate(reversed(self.named))) / 255]


def game_of(make, text=None):
    return PythonGame.from_class(make, parse(text) if text else Call(make.__name__))


def numbers(report):
    """Everything a search counted; moves by their place in the list, as names differ."""
    order = {move.name: k for k, move in enumerate(report.tree().state.moves())}
    rows = sorted((order[child.move.name], child.visits, repr(child.value)) for child in report.children)
    return rows, report.nodes, report.depth, report.calls, report.simulations, len(report.variation)
