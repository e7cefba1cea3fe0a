"""Rock, paper, scissors; Matching Pennies; Oshi-Zumo; Runners."""

import pytest

import ramify
from tests.games.joint_driving import plies, reachable


def test_rock_paper_scissors():
    state = ramify.load("rock_paper_scissors").initial()
    beats = {"rock": "scissors", "scissors": "paper", "paper": "rock"}
    for first, second in (tuple(move.name for move in ply) for ply in plies(state)):
        scores = [0.5, 0.5] if first == second else [1.0, 0.0] if beats[first] == second else [0.0, 1.0]
        assert state.play((first, second)).scores() == scores


def test_a_win_with_another_thing_is_worth_another_score():
    state = ramify.load("rock_paper_scissors(rock=50, paper=25, scissors=5)").initial()
    assert state.play("rock+scissors").scores() == [1.0, 0.0]
    assert state.play("rock+paper").scores() == [0.25, 0.75]
    assert state.play("scissors+paper").scores() == [0.55, 0.45]


def test_matching_pennies():
    state = ramify.load("matching_pennies").initial()
    assert state.play("heads+heads").scores() == state.play("tails+tails").scores() == [1.0, 0.0]
    assert state.play("heads+tails").scores() == state.play("tails+heads").scores() == [0.0, 1.0]


def test_oshi_zumo_pushes():
    state = ramify.load("oshi_zumo(coins=5, size=1)").initial()
    assert state.text() == "5 5 #.W.# 0"
    state = state.play("2+1")
    assert state.text() == "3 4 #..W# 1"
    assert state.play("3+2").scores() == [1.0, 0.0]
    back = state.play("0+1").play("0+0")
    assert back.text() == "3 3 #.W.# 3"
    assert back.play("0+3").play("3+0").scores() == [0.5, 0.5]
    ends = ramify.load("oshi_zumo(coins=2, size=2, alesia=true)").initial().play("2+1").play("0+1")
    assert (ends.over, ends.scores()) == (True, [0.5, 0.5])


def test_oshi_zumo_bids_at_least():
    state = ramify.load("oshi_zumo(coins=5, size=3, min_bid=2)").initial()
    assert [move.name for move in state.moves(0)] == ["2", "3", "4", "5"]
    poor = state.play("4+2")
    assert [move.name for move in poor.moves(0)] == ["1"]
    assert [move.name for move in poor.moves(1)] == ["2", "3"]


def test_runners():
    state = ramify.load("runners(distance=5, steps=2, turns=4)").initial()
    assert [move.name for move in state.moves(0)] == ["0", "1", "2"]
    state = state.play("2+2").play("2+-1")
    assert state.text() == "4 1 2"
    assert [move.name for move in state.moves(1)] == ["-1", "0", "1", "2"]
    assert state.play("1+2").scores() == [1.0, 0.0]
    both = state.play("-1+2").play("2+2")
    assert (both.text(), both.scores()) == ("5 5 4", [0.5, 0.5])
    assert state.play("0+0").play("0+0").scores() == [0.5, 0.5]


@pytest.mark.parametrize(
    "game",
    [
        "rock_paper_scissors",
        "matching_pennies",
        "oshi_zumo(coins=3, size=1, horizon=4)",
        "runners(distance=3, steps=2, turns=3)",
    ],
)
def test_every_position_comes_back_from_its_text(game):
    loaded = ramify.load(game)
    for state in reachable(loaded):
        assert ramify.State(loaded, loaded.position(state.text()).data) == state


@pytest.mark.parametrize(
    ("game", "text"),
    [
        ("rock_paper_scissors", "rock"),
        ("rock_paper_scissors", "rock heads"),
        ("matching_pennies", "heads rock"),
        ("oshi_zumo", "50 50 #...W...#"),
        ("oshi_zumo", "50 50 #..W..# 0"),
        ("oshi_zumo", "50 50 #..W....# 0"),
        ("oshi_zumo", "51 50 #...W...# 1"),
        ("oshi_zumo", "-1 50 #...W...# 1"),
        ("runners", "4 0 1"),
        ("runners", "4 0"),
        ("runners", "0 0 41"),
        ("runners", "a b c"),
    ],
)
def test_positions_that_cannot_be(game, text):
    with pytest.raises(ramify.RamifyError, match="is not a position of"):
        ramify.load(game).position(text)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        ("rock_paper_scissors(rock=0)", "use values above 0"),
        ("oshi_zumo(coins=0)", "invalid coins=0"),
        ("oshi_zumo(min_bid=51)", "use 0 to 50"),
        ("oshi_zumo(horizon=0)", "invalid horizon=0"),
        ("runners(distance=0)", "invalid distance=0"),
        ("runners(steps=101)", "use 1 to 100"),
    ],
)
def test_parameters_that_make_no_game(call, message):
    with pytest.raises(ramify.RamifyError, match=message):
        ramify.load(call)
