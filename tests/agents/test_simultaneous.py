"""Positions where everybody moves at once are refused wherever they are met, not searched as if one player moved."""

import pytest

import ramify
from ramify.agents.perft import perft
from ramify.agents.survey import survey
from tests import toys

REFUSED = "everybody moves at once in a position of this game"


def decision():
    """A position of the auction where one player decides; below it chance moves, and then everybody."""
    state = toys.load("auction").initial().play("prize1").play(["bid2", "bid1"])
    assert state.to_move == 0
    return state


@pytest.mark.parametrize("state", [decision, lambda: toys.load("rock_paper_scissors").initial()])
def test_perft_and_survey(state):
    with pytest.raises(ramify.RamifyError, match=f"{REFUSED}, and perft is"):
        perft(state(), 4)
    with pytest.raises(ramify.RamifyError, match=f"{REFUSED}, and this survey is"):
        survey(state(), 5)


def test_perft_counts_above_them():
    assert perft(decision(), 2) == [2, 4]


def test_the_solver():
    with pytest.raises(ramify.RamifyError, match="everybody moves at once"):
        ramify.solve(toys.load("rock_paper_scissors").initial())


def test_a_game_that_is_over_is_not_refused_for_whoever_would_move():
    """Nobody asks whose turn it is in a finished game, so ``mover`` may say anything there."""
    state = toys.load("last_word").initial()
    assert str(ramify.search(state, simulations=200, seed=1).move) == "2"
    assert perft(state, 3) == [3, 9, 0]
    assert survey(state, 20).plies == 2.0
    assert ramify.solve(state).value == 0.5
