"""Interpreted rules as a game of the contract."""

import pytest

import ramify
from ramify.contract.python_rules import PythonGenerator
from ramify.core.search.tree import CHANCE, SIMULTANEOUS
from ramify.errors import RamifyError
from ramify.ggp import interpreted_game as module
from ramify.ggp.interpreted_game import interpreted_game
from ramify.ggp.move_names import move_name
from ramify.ggp.rules import Rulesheet
from tests.ggp.material import sheet


def test_names_of_moves():
    assert move_name(("move", "1", ("f", "a", "+"), "50%")) == "move(1,f(a,%2B),50%25)"
    assert move_name("noop") == "noop"


def test_a_game_of_turns():
    game = interpreted_game(sheet("noughts"), "noughts")
    assert not game.has("play_joint")
    state = game.initial()
    players = []
    for name in ("put(5)", "put(1)", "put(3)", "put(7)", "put(4)", "put(6)", "put(2)", "put(8)", "put(9)"):
        players.append(state.to_move)
        state = state.play(name)
    assert players == [0, 1, 0, 1, 0, 1, 0, 1, 0]
    assert state.over
    assert state.scores() == [0.5, 0.5]
    assert state == game.position("moves put(5) put(1) put(3) put(7) put(4) put(6) put(2) put(8) put(9)")


@pytest.mark.parametrize("agent", ["uct", "mcts(playout=mast)", "mcts(select=rave)", "mcts(prove=true)"])
def test_searches_of_a_game_of_turns(agent):
    state = interpreted_game(sheet("noughts"), "noughts").initial()
    for name in ("put(1)", "put(5)", "put(2)", "put(9)"):
        state = state.play(name)
    reports = [ramify.search(state, agent, simulations=100, seed=3) for _ in range(2)]
    assert reports[0].move.name == "put(3)"
    assert [child.visits for child in reports[0].children] == [child.visits for child in reports[1].children]


def test_threads_share_an_interpreter():
    state = interpreted_game(sheet("noughts"), "noughts").initial()
    assert ramify.search(state, "uct", simulations=60, seed=1, threads=3).simulations >= 60


def test_everybody_then_chance_then_turns():
    game = interpreted_game(sheet("coins"), "coins")
    assert (game.players, game.has("play_joint")) == (2, True)
    state = game.initial()
    assert state.to_move == SIMULTANEOUS
    assert [[move.name for move in state.moves(player)] for player in (0, 1)] == [["call(heads)", "call(tails)"]] * 2
    thrown = state.play("call(heads)+call(tails)")
    assert thrown.to_move == CHANCE
    assert "(does right (call tails))" in str(thrown)
    assert [(move.name, p) for move, p in thrown.chance_outcomes()] == [("throw(heads)", 0.5), ("throw(tails)", 0.5)]
    ahead = thrown.play("throw(tails)")
    assert ahead.to_move == 1
    assert [move.name for move in ahead.moves()] == ["Stake(once)", "Stake(twice)"]
    over = ahead.play("Stake(once)")
    assert over.over
    assert over.scores() == [0.25, 0.75]
    assert ramify.search(ahead, "uct", simulations=20, seed=1).move.name == "Stake(twice)"
    assert state.play("call(heads)+call(heads)").play("throw(tails)").scores() == [0.5, 0.5]
    assert len(ramify.search(state, "uct", simulations=20, seed=1).move) == 2


def test_choices_one_after_another_where_that_is_wanted():
    game = interpreted_game(sheet("coins"), "coins", simultaneous=False)
    state = game.initial()
    assert state.to_move == 0
    second = state.play("call(heads)")
    assert second.to_move == 1
    assert second != state
    assert second.play("call(tails)").to_move == CHANCE
    assert ramify.search(state, "uct", simulations=50, seed=1).simulations == 50


def test_playouts_where_everybody_moves():
    rules = interpreted_game(sheet("coins"), "coins").rules
    made = [rules.traced_playout(rules.start(), PythonGenerator(seed), 100) for seed in range(20)]
    assert {plies for plies, _ in made} == {2, 3}
    for plies, moves in made:
        assert [player for player, _ in moves[:2]] == [0, 1]
        assert len(moves) == plies  # two at once, none of chance
    assert made == [rules.traced_playout(rules.start(), PythonGenerator(seed), 100) for seed in range(20)]
    assert rules.playout(rules.start(), PythonGenerator(0), 1) == -2


def test_nobody_has_a_choice():
    rules = "(role a) (role b) (init s) (legal a m) (legal b n) (next e) (<= terminal (true e)) (goal a 60) (goal b 40)"
    state = interpreted_game(Rulesheet.from_text(rules, "x"), "x").initial()
    assert (state.to_move, [move.name for move in state.moves()]) == (0, ["m"])
    assert state.play("m").scores() == [0.6, 0.4]


def test_one_player():
    state = interpreted_game(sheet("walk"), "walk").position("moves stop stop stop stop")  # two moves are left
    report = ramify.search(state, "uct", simulations=200, seed=1)
    assert report.move.name in ("paint(d)", "paint(e)")
    assert report.value > 0.9


def test_nobody_to_play():
    rules = Rulesheet.from_text("(role random) (legal random m) terminal (goal random 0)", "x")
    with pytest.raises(RamifyError, match="x has no players: its only role is 'random'"):
        interpreted_game(rules, "x")


def test_old_names():
    with pytest.warns(DeprecationWarning, match="is now called 'interpreted_game'"):
        old = module.interpreted
    with pytest.warns(DeprecationWarning, match="simultaneous"):
        assert not old(sheet("coins"), "coins", at_once=False).rules.simultaneous
