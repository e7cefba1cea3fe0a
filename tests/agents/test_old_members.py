"""Old names of members that users' programs may use."""

import pytest

import ramify
from ramify.agents.budgets.clock import Clock
from ramify.players.ggp.player import GgpPlayer
from ramify.players.ggp.role_games import role_games


def test_clock():
    clock = Clock(60.0)
    with pytest.warns(DeprecationWarning, match="'remaining'"):
        assert clock.left == 60.0
    with pytest.warns(DeprecationWarning, match="'expired'"):
        assert not clock.fallen


def test_report():
    report = ramify.search(ramify.load("tictactoe").initial(), "mcts(recommend=mixed)", simulations=50, seed=1)
    with pytest.warns(DeprecationWarning, match="'to_dict'"):
        assert report.rows() == report.to_dict()
    with pytest.warns(DeprecationWarning, match="'transposition_hits'"):
        assert report.shared == report.transposition_hits
    with pytest.warns(DeprecationWarning, match="'probability'"):
        assert report.children[0].share == report.children[0].probability
    row = report.to_dict()
    assert row["shared"] == row["transposition_hits"]
    assert row["children"][0]["share"] == row["children"][0]["probability"]


def test_player():
    with pytest.warns(DeprecationWarning, match="'make_role_games'"):
        GgpPlayer(ramify.agent("uct"), name="Anna", seed=1, make_boards=role_games)
