"""Counts of sequences of joint moves, and what random games are like: figures that propnets must meet.

Of our own rulesheets where the game is the same, and of public ones where they are at hand.
"""

import pytest

from ramify.agents.checking.perft import perft
from ramify.bridges.gdl import read_rules
from ramify.ggp.propnet.evaluator import Wiring
from ramify.ggp.propnet_cache import load_or_build
from ramify.ggp.propnet_game import PropnetGame
from ramify.ggp.propnet_stats import random_games, random_games_by_events
from tests.ggp.material import needs_material, public
from tests.ggp.test_material import ALL_TRACES

COUNTS = {
    "tictactoe": [9, 72, 504, 3024, 15120, 54720],
    "breakthrough": [22, 484, 11132],
    "connect4": [7, 49, 343, 2401, 16807],
    "checkers": [7, 49, 302],
    "tictactoe3d": [64, 4032],
}
PUBLIC_COUNTS = {
    "ggprepo__ticTacToe": COUNTS["tictactoe"],
    "ggprepo__breakthrough": [22, 484, 11132, 256036],
    "ggprepo__breakthroughSmall": [16, 256, 4308, 71478],
    "ggprepo__connect4": [7, 49, 343, 2401, 16807, 117649, 823536, *([5673234] if ALL_TRACES else [])],
    "ggprepo__englishDraughts": [7, 49, 302, 1469, 7361, 36768],
    "ggprepo__tictactoe_3d_2player": [64, 4032, 249984],
}
# Mean joint moves and first player's mean goal.
RANDOM_PLAY = {
    "breakthrough": (64.1, 51.0),
    "knightthrough": (33.7, 51.5),
    "connect4": (21.3, 55.7),
    "tictactoe3d": (35.5, 52.7),
}
PUBLIC_NAMES = {
    "breakthrough": "ggprepo__breakthrough",
    "knightthrough": "ggprepo__knightThrough",
    "connect4": "ggprepo__connect4",
    "tictactoe3d": "ggprepo__tictactoe_3d_2player",
}


def counted(rules, depth):
    return perft(PropnetGame("gdl:counted", load_or_build(rules)).initial(), depth)


@pytest.mark.parametrize("name", COUNTS)
def test_perft_of_our_own_rulesheets(name):
    assert counted(read_rules(name), len(COUNTS[name])) == COUNTS[name]


@needs_material
@pytest.mark.parametrize("name", PUBLIC_COUNTS)
def test_perft_of_public_rulesheets(name):
    assert counted(public(name), len(PUBLIC_COUNTS[name])) == PUBLIC_COUNTS[name]


def check_random_play(rules, name):
    wiring = Wiring(load_or_build(rules))
    plies, goal = RANDOM_PLAY[name]
    for play, games, near in ((random_games, 20_000, 1.0), (random_games_by_events, 4000, 2.2)):
        found = play(wiring, games, seed=1)
        assert found["plies"] == pytest.approx(plies, abs=0.5 * near)
        assert next(iter(found["goals"].values())) == pytest.approx(goal, abs=1.2 * near)


@pytest.mark.parametrize("name", RANDOM_PLAY)
def test_random_play_of_our_own_rulesheets(name):
    check_random_play(read_rules(name), name)


@needs_material
@pytest.mark.parametrize("name", RANDOM_PLAY)
def test_random_play_of_public_rulesheets(name):
    check_random_play(public(PUBLIC_NAMES[name]), name)
