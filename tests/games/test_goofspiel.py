import pytest

import ramify
from tests.games.joint_driving import random_game, reachable


def test_the_highest_bid_takes_the_prize_and_ties_lose_it():
    state = ramify.load('goofspiel(cards=4, order="descending")').initial()
    assert str(state).splitlines()[-1] == "prize: 4; to come: 1-2-3"
    state = state.play("3+4").play("2+2")
    assert state.text() == "1-4/1-3 1 2 0/4"
    end = state.play("4+3")  # and 1 against 1 for the last prize
    assert (end.over, end.text(), end.scores()) == (True, "none/none none none 2/4", [0.0, 1.0])


def test_chance_turns_prizes_up():
    state = ramify.load("goofspiel(cards=3)").initial()
    assert state.to_move == ramify.CHANCE
    assert [(move.name, p) for move, p in state.chance_outcomes()] == [(name, pytest.approx(1 / 3)) for name in "123"]
    state = state.play("2").play("3+1")
    assert [move.name for move, _ in state.chance_outcomes()] == ["1", "3"]


def test_three_players_share():
    game = ramify.load('goofspiel(cards=3, order="ascending", players=3)')
    state = game.initial().play("1+2+3").play("3+1+2")  # prizes 1 and 2; then 2, 3 and 1 for the 3
    assert state.scores() == [0.25, 1.0, 0.25]
    tied = game.initial().play("1+1+1").play("2+2+2")
    assert tied.scores() == [0.5, 0.5, 0.5]


@pytest.mark.parametrize(
    ("returns", "scores"), [("win_loss", [1, 0]), ("point_difference", [0.8, 0.2]), ("total_points", [0.6, 0.0])]
)
def test_returns(returns, scores):
    state = ramify.load(f'goofspiel(cards=4, order="ascending", returns="{returns}")').initial()
    end = state.play("1+1").play("3+2").play("4+3")  # prizes 2 and 3; the last has 2 against 4
    assert end.text().split()[-1] == "5/4"
    end = state.play("2+1").play("3+2").play("4+3")  # and the first; the last has 1 against 4
    assert end.text().split()[-1] == "6/4"
    fewer = ramify.load(f'goofspiel(cards=4, order="ascending", returns="{returns}", turns=3)').initial()
    assert fewer.play("2+1").play("3+2").play("4+3").scores() == pytest.approx(scores)


def test_a_symmetric_game_is_symmetric():
    game = ramify.load("goofspiel(cards=5)")
    for seed in range(5):
        *_, end = random_game(game.initial(), seed)
        swapped = game.initial()
        for name in end.history:
            swapped = swapped.play("+".join(reversed(name.split("+"))))
        assert swapped.scores() == end.scores()[::-1]


@pytest.mark.parametrize("game", ["goofspiel(cards=3)", 'goofspiel(cards=3, order="descending", players=3, turns=2)'])
def test_every_position_comes_back_from_its_text(game):
    loaded = ramify.load(game)
    for state in reachable(loaded):
        assert ramify.State(loaded, loaded.position(state.text()).data) == state


@pytest.mark.parametrize(
    "text",
    [
        "1-2-3/1-2-3 1-2-3 ? 0/1",
        "1-2/1-2-3 1-2 3 0/0",
        "1-2/1-2 1-2 ? 1/1",
        "1-2/1-2 1 2 2/0",
        "1/1 1 ? 0/0",
        "none/none none ? 0/0",
        "1-2-3/1-2-3 1-3 3 0/0",
        "1-2-4/1-2-3 1-2-3 ? 0/0",
        "1-2-3/1-2-3 1-2-3 ?",
    ],
)
def test_positions_that_cannot_be(text):
    with pytest.raises(ramify.RamifyError, match="is not a position of goofspiel"):
        ramify.load("goofspiel(cards=3)").position(text)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        ("goofspiel(cards=0)", "invalid cards=0 for goofspiel: use 1 to 30"),
        ("goofspiel(players=1)", "invalid players=1 for goofspiel: use 2 to 10"),
        ("goofspiel(cards=4, turns=5)", "use 1 to 4"),
        ('goofspiel(order="up")', "invalid order='up' for goofspiel: use random, descending, ascending"),
        ('goofspiel(returns="cash")', "invalid returns='cash' for goofspiel: use win_loss"),
    ],
)
def test_parameters_that_make_no_game(call, message):
    with pytest.raises(ramify.RamifyError, match=message):
        ramify.load(call)
