"""Gomoku, and Connect 5, which shares its code."""

import random
from collections import Counter

import pyspiel
import pytest

import ramify
from ramify.agents.checking.perft import perft
from ramify.core.kernels.compiling import JIT
from ramify.errors import RamifyError
from ramify.games import connect5, gomoku
from tests.games.driving import Table
from tests.oracle.counting import spiel_perft


def translated(name, size):
    """OpenSpiel's ``row,column`` from the top left as our name."""
    row, column = map(int, name.split(","))
    return "abcdefghijklmnopqrs"[column] + str(size - row)


PAIRS = [
    ("gomoku", "gomoku", 15, 2),
    ("gomoku(size=7, row=4)", "gomoku(size=7,connect=4)", 7, 20),
    ("gomoku(size=4, row=3)", "gomoku(size=4,connect=3)", 4, 40),
    ("gomoku(size=19)", "gomoku(size=19)", 19, 1),
    ("connect5", "gomoku(size=8)", 8, 12),
    ("connect5(size=5)", "gomoku(size=5)", 5, 20),
]


@pytest.mark.parametrize(("ours", "theirs", "size", "games"), PAIRS)
def test_random_games_beside_openspiel(ours, theirs, size, games):
    first, game = ramify.load(ours).initial(), pyspiel.load_game(theirs)
    chooser = random.Random(size)
    endings = Counter()
    for _ in range(games if JIT else 1):
        state, other = first, game.new_initial_state()
        while not other.is_terminal():
            assert not state.over
            assert state.to_move == other.current_player()
            actions = {translated(other.action_to_string(action), size): action for action in other.legal_actions()}
            moves = {move.name: move for move in state.moves()}
            assert set(moves) == set(actions)
            name = chooser.choice(sorted(moves))
            state = ramify.State(first.game, first.game.play(state.data, moves[name].code))
            other.apply_action(actions[name])
        assert state.over
        assert state.scores() == [(value + 1.0) / 2.0 for value in other.returns()]
        endings[tuple(state.scores())] += 1
    assert len(endings) > 1 or games < 10 or not JIT


@pytest.mark.parametrize(("ours", "theirs", "depth"), [(*PAIRS[2][:2], 4), (*PAIRS[5][:2], 3)])
def test_numbers_of_sequences(ours, theirs, depth):
    counts = spiel_perft(pyspiel.load_game(theirs).new_initial_state(), depth)
    assert perft(ramify.load(ours).initial(), depth) == counts


LINES = {
    "row": ("......./......./......./.xxxx../oooo.../......./.......", "f4"),
    "column": ("......./..x..../o.x..../o.x..../o.x..../o....../.......", "c7"),
    "diagonal up": ("......./...x.../o.x..../ox...../x....../o....../o......", "e7"),
    "diagonal down": ("x....../.x...../..x..../...x.../oooo.../......./.......", "e3"),
}


@pytest.mark.parametrize("module", [gomoku, connect5])
@pytest.mark.parametrize("way", LINES)
def test_five_in_line_win(module, way):
    """x completes a line of five; the same stone elsewhere does not."""
    board, point = LINES[way]
    table = Table(module, board, size=7)
    assert not table.ask("over")
    assert not table.copy().play("g1").ask("over")
    table.play(point)
    assert table.ask("over")
    assert table.scores() == [1.0, 0.0]


def test_four_in_line_and_lines_around_the_edge_do_not_win():
    """x's stones at the end of one row and the start of the next are neighbours in memory only."""
    table = Table(gomoku, "......./......./......./....xxx/xx...../oooo.../o......", size=7)
    assert not table.ask("over")
    assert not table.play("c3").ask("over")


@pytest.mark.parametrize(("exact", "over"), [(False, True), (True, False)])
def test_six_in_line(exact, over):
    """The stone that fills the gap makes six: enough in freestyle, too many with exact=true."""
    table = Table(gomoku, "......./......./xx.xxx./......./oo.oo../......o/.......", size=7, exact=exact).play("c5")
    assert table.ask("over") == over
    if over:
        assert table.scores() == [1.0, 0.0]


def test_exactly_five_win_beside_a_longer_row():
    """x at c3 makes six in its row and five in its column."""
    text = "..x..../..x..../xx.xxx./..x..../..x..../oo.oo.o/oo.oo.."
    table = Table(gomoku, text, size=7, exact=True).play("c5")
    assert table.ask("over")
    assert table.scores() == [1.0, 0.0]


def test_a_full_board_is_a_draw():
    table = Table(gomoku, "xxo/oox/xo.", size=3, row=3).play("c1")
    assert table.ask("over")
    assert table.scores() == [0.5, 0.5]


@pytest.mark.parametrize(("module", "parameters"), [(gomoku, {"size": 6, "row": 4}), (connect5, {"size": 6})])
def test_text_gives_the_position_back(module, parameters):
    chooser = random.Random(1)
    for _ in range(6):
        table = Table(module, **parameters)
        while not table.ask("over"):
            assert table.reread().state_array == table.state_array
            table.ask("play", chooser.choice(table.moves()))
        assert table.reread().state_array == table.state_array


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "expected 5 rows of 5"),
        ("...../...../...../.....", "expected 5 rows of 5"),
        ("...../...../...../...../....b", "expected 5 rows of 5"),
        ("...../...../...../...../....o", "x moves first"),
        ("...../...../...../...../...xx", "x moves first"),
        ("xxx../ooo../...../...../.....", "player to move has already won"),
        ("xxx../.o.o./.o.../..o../xxx.o", "no single move"),
    ],
)
def test_impossible_texts_are_refused(text, why):
    with pytest.raises(RamifyError, match=why):
        Table(gomoku, text, size=5, row=3)


@pytest.mark.parametrize(
    ("game", "why"),
    [
        ("gomoku(size=1)", "for gomoku: use 2 to 19"),
        ("gomoku(size=20)", "for gomoku: use 2 to 19"),
        ("gomoku(size=4)", "use 2 to 4"),
        ("gomoku(row=1)", "use 2 to 15"),
        ("connect5(size=4)", "for connect5: use 5 to 8"),
        ("connect5(size=9)", "for connect5: use 5 to 8"),
    ],
)
def test_silly_parameters_are_refused(game, why):
    with pytest.raises(RamifyError, match=why):
        ramify.load(game)


def test_names_and_drawing():
    lines = Table(gomoku).play("i15", "a1").ask("draw").splitlines()
    assert lines[0] == "15 . . . . . . . . x . . . . . ."
    assert lines[-2:] == [" 1 o . . . . . . . . . . . . . .", "   a b c d e f g h i j k l m n o"]
