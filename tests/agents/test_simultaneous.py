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


def test_a_search_refuses_them_below_the_root():
    search = ramify.Search(decision(), "uct", seed=1)
    with pytest.raises(ramify.RamifyError, match=f"{REFUSED}, and this search is for games of turns"):
        search.run(ramify.Budget(simulations=100))
    with pytest.raises(ramify.RamifyError, match=REFUSED):
        search.run(ramify.Budget(simulations=100))


def test_what_a_search_had_found_by_then_stays():
    """Two simulations end before the tree reaches such a position."""
    search = ramify.Search(decision(), "uct", seed=1)
    search.run(ramify.Budget(simulations=2))
    with pytest.raises(ramify.RamifyError, match=REFUSED):
        search.run(ramify.Budget(simulations=100))
    report = search.report()
    visits = sum(child.visits for child in report.children)
    assert 2 <= visits == int(search.workers[0].tree.nodes["visits"][0])


def test_at_the_root():
    with pytest.raises(ramify.RamifyError, match="everybody moves at once"):
        ramify.search(toys.load("rock_paper_scissors").initial(), simulations=10)


def test_a_game_that_is_over_is_not_refused_for_whoever_would_move():
    """Nobody asks whose turn it is in a finished game, so ``mover`` may say anything there."""
    state = toys.load("last_word").initial()
    assert str(ramify.search(state, simulations=200, seed=1).move) == "2"
    assert perft(state, 3) == [3, 9, 0]
    assert survey(state, 20).plies == 2.0
    assert ramify.solve(state).value == 0.5
