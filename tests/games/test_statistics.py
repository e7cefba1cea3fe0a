"""Random games are as long and as wide as the page on games says, and as others have measured."""

import pytest

import ramify
from ramify.agents.checking.survey import survey

# Mean plies and mean number of moves, each from the least to the most that is sane.
RANGES = {
    "amazons": ((70, 74), (430, 485)),
    "breakthrough": ((62, 67), (25, 26.5)),
    "checkers": ((62, 74), (4.9, 5.7)),
    "connect4": ((20, 22.5), (6.5, 6.8)),
    "gomoku": ((100, 120), (160, 178)),
    "hex": ((105, 110), (66, 69)),
    "knightthrough": ((32.5, 35.5), (36, 38.5)),
    "nogo": ((73.5, 75.5), (41, 43)),
    "othello": ((60, 61), (8.2, 9.0)),
    "tictactoe3d": ((32, 40), (43, 48)),
}


@pytest.mark.parametrize("name", RANGES)
def test_random_games_are_as_long_and_as_wide_as_is_known(name):
    found = survey(ramify.load(name).initial(), 100 if name == "amazons" else 300, seed=2)
    plies, moves = RANGES[name]
    assert plies[0] < found.plies < plies[1]
    assert moves[0] < found.branching < moves[1]
