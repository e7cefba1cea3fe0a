"""Values of games that others have published, by our solver over our rules."""

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


@pytest.mark.parametrize(("rows", "columns"), [(4, 2), (4, 3), (5, 2)])
def test_small_breakthrough_boards_by_exhaustion(rows, columns):
    state = ramify.load(f"breakthrough(rows={rows}, columns={columns})").initial()
    assert ramify.solve(state).value == Solver().value(state)


def test_tictactoe_in_three_dimensions_is_won_in_the_middle():
    """3x3x3: the first player takes the centre, and each of its lines is a threat."""
    assert solve("tictactoe3d(size=3)") == 1.0
    assert solve("tictactoe3d(size=3)", "Bb2") == 0.0
