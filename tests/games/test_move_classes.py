"""Every game numbers its moves densely for strategies that learn about them, and tells different moves apart."""

from random import Random

import pytest

import ramify
from tests.oracle.naive_rave import class_of
from tests.oracle.signature import first_decision

MOST = 5000
LARGER = {"amazons": 10**6, "chinese_checkers": 73 * 73 + 1}  # a queen, its target and its arrow; all pairs of cells
PLIES = 60
ENOUGH = 4000  # moves looked at in a play


@pytest.mark.parametrize("name", ramify.games())
def test_classes(name):
    game = ramify.load(name)
    classes = game.move_classes()
    assert hasattr(game.module, "MOVE_CLASSES") or hasattr(game.module, "move_classes")
    assert classes <= LARGER.get(name, MOST)
    random = Random(name)
    for _ in range(2):
        state, seen = game.initial(), 0
        for _ in range(PLIES):
            if state.over or seen > ENOUGH:
                break
            state = first_decision(state)
            joint = state.to_move == ramify.SIMULTANEOUS
            lists = [state.moves(player) for player in range(game.players)] if joint else [state.moves()]
            for moves in lists:
                found = {class_of(state, move) for move in moves}
                seen += len(moves)
                assert len(found) == len(moves)
                assert found <= set(range(classes))
            chosen = [random.choice(moves) for moves in lists]
            state = state.play(chosen if joint else chosen[0])


@pytest.mark.parametrize(
    "name", ["sos", "hex(size=4)", "tictactoe", "tictactoe3d", "gomoku", "connect5", "nogo", "atarigo"]
)
def test_games_that_show_who_made_each_move(name):
    assert ramify.load(name).kernel("owners") is not None


def test_to_take_a_man_is_not_to_place_one():
    game = ramify.load("nine_mens_morris")
    state = game.initial()
    for name in ("a7", "b6", "d7", "b4", "g7"):
        placed = {class_of(state, move) for move in state.moves()}
        state = state.play(name)
    assert state.to_move == 0
    taken = {class_of(state, move) for move in state.moves()}
    assert len(taken) == 2
    assert not taken & placed


@pytest.mark.parametrize("name", ["sos", "othello", "p_game", "prefix_value", "chinese_checkers", "go"])
def test_margins_are_on_both_sides(name):
    low, high = ramify.load(name).margins()
    assert low < 0.0 < high
