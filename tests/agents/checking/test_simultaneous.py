"""What counts and surveys knows joint moves, too."""

import ramify
from ramify.agents.checking.perft import perft
from ramify.agents.checking.survey import survey
from tests import toys


def decision():
    """A position of the auction where one player decides; below it chance moves, and then everybody."""
    state = toys.load("auction").initial().play("prize1").play(["bid2", "bid1"])
    assert state.to_move == 0
    return state


def test_perft_counts_one_move_of_each_player_as_a_ply():
    """Two decide; chance has two; the bidders have one coin and two: 2 x 3, a third of them ties."""
    assert perft(decision(), 4) == [2, 4, 24, 32]
    assert perft(toys.load("rock_paper_scissors").initial(), 2) == [9, 81]


def test_a_survey_counts_choices_of_every_player():
    found = survey(toys.load("rock_paper_scissors(wins=9)").initial(), 50)
    assert (found.plies, found.branching, found.widest) == (9.0, 3.0, 3)
    assert survey(decision(), 200).longest == 4


def test_a_game_that_is_over_is_not_refused_for_whoever_would_move():
    """Nobody asks whose turn it is in a finished game, so ``mover`` may say anything there."""
    state = toys.load("last_word").initial()
    assert str(ramify.search(state, simulations=200, seed=1).move) == "2"
    assert perft(state, 3) == [3, 9, 0]
    assert survey(state, 20).plies == 2.0
    assert ramify.solve(state).value == 0.5
