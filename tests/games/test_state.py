"""The state that Python sees: the same whatever kind of turn it is and whatever the rules are written in."""

import pytest

import ramify
from ramify import CHANCE, SIMULTANEOUS, Move
from tests.toys import FOLDER, load

NIM_CLASS = str(FOLDER.parent.parent / "examples" / "nim_class.py")
TOYS = ["last_bean", "double_or_add", "rock_paper_scissors", "dice_duel", "auction"]


def named(state, player=None):
    return [move.name for move in state.moves(player)]


def any_game(name):
    return ramify.load(name) if name in ramify.games() or name == NIM_CLASS else load(name)


def test_turns_of_three_players():
    state = load("last_bean(beans=4)").initial()
    assert state.to_move == 0
    assert named(state) == ["take1", "take2"]
    assert named(state, 0) == named(state)
    assert state.moves(1) == []
    assert state.chance_outcomes() == []
    after = state.play("take2")
    assert (state.text(), after.text()) == ("4:0", "2:1")
    assert after.to_move == 1
    end = after.play(after.moves()[1])
    assert end.over
    assert end.moves() == []
    assert end.chance_outcomes() == []
    assert end.scores() == [0.5, 1.0, 0.0]
    assert end.history == ("take2", "take2")


def test_one_player():
    state = load("double_or_add(target=3)").initial()
    for _ in range(2):
        assert state.to_move == 0
        state = state.play("add")
    for name in ("double", "add", "add"):
        state = state.play(name)
    assert state.scores() == [0.0]


def test_moves_at_once():
    state = load("rock_paper_scissors(wins=1)").initial()
    assert state.to_move == SIMULTANEOUS
    assert named(state, 0) == named(state, 1) == ["rock", "paper", "scissors"]
    assert state.play("paper+rock").scores() == [1.0, 0.0]
    rock, paper, _ = state.moves(0)
    assert state.play([rock, paper]).scores() == [0.0, 1.0]
    assert state.play((rock, "paper")) == state.play("rock+paper")
    tie = state.play("rock+rock")
    assert not tie.over
    assert tie.history == ("rock+rock",)
    assert tie.text() == "moves rock+rock"
    assert str(tie) == "0 : 0 after 1 rounds"


@pytest.mark.parametrize(
    ("ask", "told"),
    [
        (lambda state: state.moves(), "simultaneous moves: call moves"),
        (lambda state: state.moves(2), "a player from 0 to 1"),
        (lambda state: state.play("rock"), "simultaneous moves: pass one move per player (2)"),
        (lambda state: state.play(Move(0, "rock")), "simultaneous moves: pass one move per player (2)"),
        (lambda state: state.play("rock+papr"), "'papr' is not a legal move here; did you mean 'paper'?"),
        (lambda state: state.play(["rock", "rock", "rock"]), "one move per player (2)"),
    ],
)
def test_mistakes_with_moves_at_once(ask, told):
    with pytest.raises(ramify.RamifyError) as error:
        ask(load("rock_paper_scissors").initial())
    assert told in str(error.value)


def test_chance():
    state = load("dice_duel").initial().play("wild")
    assert state.to_move == CHANCE
    assert [(move.name, p) for move, p in state.chance_outcomes()] == [("roll1", 0.5), ("roll5", 0.3), ("roll6", 0.2)]
    assert named(state) == named(state, CHANCE) == ["roll1", "roll5", "roll6"]
    assert state.moves(0) == state.moves(1) == []
    rolled = state.play(state.chance_outcomes()[1][0])
    assert rolled.to_move == 1
    assert rolled.play("safe").play("roll4").scores() == [1.0, 0.0]
    with pytest.raises(ramify.RamifyError, match="'roll2' is not a legal move here; did you mean"):
        state.play("roll2")


def test_all_kinds_of_turns_in_one_game():
    state = load("auction").initial()
    assert state.to_move == CHANCE
    state = state.play("prize3")
    assert state.to_move == SIMULTANEOUS
    assert named(state, 1) == ["bid0", "bid1", "bid2", "bid3"]
    state = state.play("bid1+bid3")
    assert state.to_move == 1
    assert named(state) == ["keep", "give"]
    state = state.play("give").play("prize1")
    assert named(state, 0) == ["bid0", "bid1", "bid2"]
    assert named(state, 1) == ["bid0"]
    end = state.play("bid0+bid0")
    assert end.scores() == [0.5, 0.0]
    assert end.history == ("prize3", "bid1+bid3", "give", "prize1", "bid0+bid0")


@pytest.mark.parametrize("name", [*TOYS, *ramify.games(), NIM_CLASS])
def test_positions_come_back_from_their_texts(name):
    game = any_game(name)
    state = game.initial()
    seen = {state}
    for ply in range(40):
        assert game.position(state.text()) == state
        if ply % 10 == 5 or state.over:
            assert game.position(" ".join(("moves", *state.history))) == state
        assert hash(game.position(state.text())) == hash(state)
        assert str(state)
        assert state.text() in repr(state)
        if state.over:
            break
        if state.to_move == SIMULTANEOUS:
            options = [state.moves(player) for player in range(game.players)]
            state = state.play([moves[(ply + player) % len(moves)] for player, moves in enumerate(options)])
        else:
            state = state.play(state.moves()[ply * ply % len(state.moves())].name)
        assert state not in seen
        seen.add(state)
    assert not state.over or len(state.scores()) == game.players


@pytest.mark.parametrize("name", ["last_bean", "connect4", NIM_CLASS])
def test_states_never_change(name):
    state = any_game(name).initial()
    text, drawing, moves = state.text(), str(state), state.moves()
    for move in moves:
        state.play(move)
    assert (state.text(), str(state), state.moves()) == (text, drawing, moves)


def test_equality():
    game = ramify.load("tictactoe")
    start = game.initial()
    one, other = start.play("a1").play("b2").play("c3"), start.play("c3").play("b2").play("a1")
    assert one == other
    assert len({one, other, start}) == 2
    assert one.history != other.history
    assert start != ramify.load("connect4").initial()
    assert load("last_bean(beans=5)").initial() != load("last_bean(beans=6)").initial()
    assert start != "a position"


def test_moves_are_values():
    move = ramify.load("tictactoe").initial().moves()[0]
    assert str(move) == "a1"
    assert move == Move(0, "a1")
    assert len({move, Move(0, "a1")}) == 1


def test_mistakes():
    game = ramify.load("tictactoe")
    start = game.initial()
    with pytest.raises(ramify.RamifyError, match="'b4' is not a legal move here; did you mean 'b"):
        start.play("b4")
    with pytest.raises(ramify.RamifyError, match="'zz' is not a legal move here; expected one of a1, a2"):
        start.play("zz")
    with pytest.raises(ramify.RamifyError, match="is not a legal move here"):
        start.play("a1").play(Move(0, "a1"))
    with pytest.raises(ramify.RamifyError, match="give one move, not"):
        start.play(["a1", "b2"])
    with pytest.raises(ramify.RamifyError, match="not over, so there are no scores yet"):
        start.scores()
    end = game.position("moves a1 a2 b1 b2 c1")
    with pytest.raises(ramify.RamifyError, match="the game is over, so 'c2' cannot be played"):
        end.play("c2")
    with pytest.raises(ramify.RamifyError, match="'xxx' is not a position of tictactoe: expected 3 rows"):
        game.position("xxx")
    with pytest.raises(ramify.RamifyError, match="'a9' is not a legal move"):
        game.position("moves a1 a9")


def test_games_without_texts_of_their_own_read_moves():
    game = load("double_or_add")
    assert game.position("moves add double").history == ("add", "double")
    assert game.position("add double") == game.position("moves add double")
    with pytest.raises(ramify.RamifyError, match="'halve' is not a legal move here; expected one of add, double"):
        game.position("halve")
