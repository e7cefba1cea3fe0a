"""Values of games that others have published, by our solver over our rules."""

import random

import pytest

import ramify
from tests.oracle.solver import Solver


def solve(game, moves=""):
    state = ramify.load(game).initial() if not moves else ramify.load(game).position("moves " + moves)
    return ramify.solve(state).value


def test_nogo_3x3_is_won_by_every_first_move():
    """M. Müller, "Solving NoGo on Small Board Sizes", University of Alberta."""
    game = ramify.load("nogo(size=3)")
    assert all(ramify.solve(game.initial().play(move)).value == 0.0 for move in game.initial().moves())


@pytest.mark.parametrize("opening", ["b1 c4", "a1 d4", "b2 c3"])
def test_nogo_4x4_is_lost_to_the_symmetrical_reply(opening):
    """The same page: the second player wins 4x4 by the symmetrical reply. (It prints D3 for B1, which loses.)"""
    assert solve("nogo(size=4)", opening) == 0.0


@pytest.mark.parametrize(("rows", "columns"), [(2, 2), (2, 5), (3, 4), (4, 5)])
def test_chomp_is_won_by_the_first_player(rows, columns):
    """D. Gale's argument: taking the last square could be the first move of whatever answers it."""
    assert solve(f"chomp(rows={rows}, columns={columns})") == 1.0


def test_connect4_is_won_in_the_centre():
    """J. Allen and V. Allis 1988: the first player wins by the centre; here some plies into such a game."""
    assert solve("connect4", "4 4 4 4 4 4 2 2 2 2 6 6") == 1.0


class Pawns:
    """Breakthrough by sets of squares, straight from the rules, solved by trying everything."""

    def __init__(self, rows, columns):
        self.rows, self.columns, self.known = rows, columns, {}

    def after(self, mine, theirs, up):
        """Every pair of the pawns of the next player and of the last one."""
        for row, column in mine:
            for aside in (-1, 0, 1):
                to = row + up, column + aside
                inside = 0 <= to[1] < self.columns and 0 <= to[0] < self.rows
                if inside and to not in mine and (aside or to not in theirs):
                    yield theirs - {to}, mine - {(row, column)} | {to}

    def wins(self, mine, theirs, up):
        """Whether the player to move wins."""
        if (mine, theirs, up) not in self.known:
            home = self.rows - 1 if up == 1 else 0
            self.known[mine, theirs, up] = any(
                not left or any(row == home for row, _ in moved) or not self.wins(left, moved, -up)
                for left, moved in self.after(mine, theirs, up)
            )
        return self.known[mine, theirs, up]

    def value(self, text):
        """The value of a position given as text, for the player to move."""
        board, side = text.split()
        lines = board.split("/")
        men = {
            mark: frozenset(
                (self.rows - 1 - r, c) for r, line in enumerate(lines) for c in range(len(line)) if line[c] == mark
            )
            for mark in "wb"
        }
        mine, theirs = (men["w"], men["b"]) if side == "w" else (men["b"], men["w"])
        return float(self.wins(mine, theirs, 1 if side == "w" else -1))


SMALL_BOARDS = [(3, 3), (3, 4), (3, 5), (4, 2), (4, 3), (4, 4), (5, 2), (6, 2)]


@pytest.mark.parametrize(("rows", "columns"), SMALL_BOARDS)
def test_small_breakthrough_boards_by_exhaustion(rows, columns):
    state = ramify.load(f"breakthrough(rows={rows}, columns={columns})").initial()
    assert ramify.solve(state).value == Pawns(rows, columns).value(state.text())


@pytest.mark.parametrize(("rows", "columns", "plies", "count"), [(4, 4, 8, 12), (5, 3, 10, 12), (5, 4, 20, 12)])
def test_positions_of_larger_breakthrough_boards_by_exhaustion(rows, columns, plies, count):
    """After some random plies, so that everything can be tried; both winners are among them."""
    game = ramify.load(f"breakthrough(rows={rows}, columns={columns})")
    chooser, oracle, values = random.Random(rows * columns), Pawns(rows, columns), []
    while len(values) < count:
        state = game.initial()
        for _ in range(plies):
            if not state.over:
                state = state.play(chooser.choice(state.moves()))
        if not state.over:
            values.append(ramify.solve(state).value)
            assert values[-1] == oracle.value(state.text()), state.text()
    assert set(values) == {0.0, 1.0}


@pytest.mark.parametrize(("branching", "depth"), [(2, 10), (4, 5)])
def test_p_games_by_minimax(branching, depth):
    """The score that minimax over the whole tree gives, whatever the sums are."""
    for seed in range(8):
        state = ramify.load(f"p_game(branching={branching}, depth={depth}, seed={seed}, most=2)").initial()
        assert ramify.solve(state).value == Solver().value(state)


@pytest.mark.parametrize("size", [2, 3])
def test_small_nogo_boards_by_exhaustion(size):
    state = ramify.load(f"nogo(size={size})").initial()
    assert ramify.solve(state).value == Solver().value(state)


def test_tictactoe_in_three_dimensions_is_won_in_the_middle():
    """3x3x3: the first player takes the centre, and each of its lines is a threat."""
    assert solve("tictactoe3d(size=3)") == 1.0
    assert solve("tictactoe3d(size=3)", "Bb2") == 0.0
