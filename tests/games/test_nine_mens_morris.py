import random
import re

import pyspiel
import pytest

import ramify
from ramify.agents.checking.perft import perft
from ramify.core.kernels.compiling import JIT
from ramify.errors import RamifyError
from ramify.games import nine_mens_morris as morris
from tests.games.driving import Playouts, Table
from tests.oracle.counting import spiel_perft

# OpenSpiel numbers the points row by row from the top.
ROWS = ("a7 d7 g7", "b6 d6 f6", "c5 d5 e5", "a4 b4 c4 e4 f4 g4", "c3 d3 e3", "b2 d2 f2", "a1 d1 g1")
POINTS = " ".join(ROWS).split()
GAMES = 16 if JIT else 2
EMPTY = ".../.../.../....../.../.../..."


def board(**men):
    """A position text's board: w="a7 d7", b="g1"."""
    mark = {name: side for side, names in men.items() for name in names.split()}
    cells = "".join(mark.get(name, ".") for name in POINTS)
    sizes, rows = (3, 3, 3, 6, 3, 3, 3), []
    for size in sizes:
        rows.append(cells[:size])
        cells = cells[size:]
    return "/".join(rows)


def spiel_names(state, taking):
    names = {}
    for action in state.legal_actions():
        numbers = re.findall(r"\d+", state.action_to_string(state.current_player(), action))
        names[("x" if taking else "") + "-".join(POINTS[int(number)] for number in numbers)] = action
    return names


def test_random_games_beside_openspiel():
    chooser = random.Random(1)
    endings, flown, taken, plies = set(), 0, 0, 0
    for _ in range(GAMES):
        state = ramify.load("nine_mens_morris").initial()
        other = pyspiel.load_game("nine_mens_morris").new_initial_state()
        while not other.is_terminal():
            assert not state.over
            assert state.to_move == other.current_player()
            taking = "Capture time" in str(other)
            assert state.text().endswith("x") == taking
            theirs = spiel_names(other, taking)
            ours = {move.name: move for move in state.moves()}
            assert set(ours) == set(theirs)
            name = chooser.choice(sorted(ours))
            state = state.play(name)
            other.apply_action(theirs[name])
            flown += len(ours) > 36
            taken += taking
            plies += 1
        assert state.over
        assert state.scores() == [(value + 1.0) / 2.0 for value in other.returns()]
        endings.add(tuple(state.scores()))
    assert not JIT or (len(endings) == 3 and flown > 10 and taken > 50 and plies > 1500)


def test_numbers_of_sequences():
    other = pyspiel.load_game("nine_mens_morris").new_initial_state()
    assert perft(ramify.load("nine_mens_morris").initial(), 3) == spiel_perft(other, 3)


LINES = [
    *("a7 d7 g7", "b6 d6 f6", "c5 d5 e5", "a4 b4 c4", "e4 f4 g4", "c3 d3 e3", "b2 d2 f2", "a1 d1 g1"),
    *("a7 a4 a1", "b6 b4 b2", "c5 c4 c3", "d7 d6 d5", "d3 d2 d1", "e5 e4 e3", "f6 f4 f2", "g7 g4 g1"),
]


@pytest.mark.parametrize("line", LINES)
def test_each_of_the_sixteen_mills(line):
    """Closed by the third man, whichever it is; two men and a neighbour off the line close nothing."""
    points = line.split()
    others = [name for name in POINTS if name not in points][:2]
    for last in points:
        two = " ".join(point for point in points if point != last)
        table = Table(morris, board(w=two, b=" ".join(others)) + " w 4").play(last)
        assert table.text().endswith("w 4 x")
        assert table.names() == {"x" + name for name in others}
        for off in set(POINTS) - set(points) - set(others):
            assert not Table(morris, board(w=two, b=" ".join(others)) + " w 4").play(off).text().endswith("x")


def test_men_in_mills_are_safe_while_there_are_others():
    mill = "a7 d7 g7"
    table = Table(morris, board(w="a1 d1", b=f"{mill} c3") + " w 8").play("g1")
    assert table.names() == {"xc3"}
    table = Table(morris, board(w="a1 d1", b=mill) + " w 8").play("g1")
    assert table.names() == {"xa7", "xd7", "xg7"}
    assert table.play("xd7").text() == board(w="a1 d1 g1", b="a7 g7") + " b 9"


def test_two_mills_at_once_take_one_man():
    table = Table(morris, board(w="a7 g7 d6 d5", b="a1 b2 c3 e3") + " w 8").play("d7", "xa1")
    assert table.ask("mover") == 1


def test_sliding_follows_the_lines():
    table = Table(morris, board(w="a7 d6 e4 a1", b="b6 d7 g1 d1") + " w 18")
    assert table.names() == {"a7-a4", "d6-f6", "d6-d5", "e4-e5", "e4-e3", "e4-f4", "a1-a4"}


def test_three_men_fly():
    table = Table(morris, board(w="a7 d6 e4", b="b6 d7 g1 d1") + " w 18")
    assert len(table.names()) == 3 * (24 - 7)
    assert "a7-g4" in table.names()


def test_two_men_lose():
    table = Table(morris, board(w="a7 d7 g4 b2", b="b6 c5 a1") + " w 40").play("g4-g7", "xc5")
    assert table.ask("over")
    assert table.scores() == [1.0, 0.0]
    assert table.ask("quality") == 0.4


def test_no_move_loses_and_goes_before_the_limit():
    text = board(w="a7 d7 g7 a4", b="d6 g4 b4 a1") + " w "
    for turns in ("20", "200"):
        table = Table(morris, text + turns)
        assert table.ask("over")
        assert table.moves() == []
        assert table.scores() == [0.0, 1.0]


def test_the_limit_draws():
    table = Table(morris, board(w="a7 d7 b2 a1", b="d6 g4 b4 g1") + " w 198").play("a7-a4")
    assert not table.ask("over")
    table.play("g1-d1")
    assert table.ask("over")
    assert table.scores() == [0.5, 0.5]
    assert table.ask("quality") == 0.5


def test_playouts_end_as_uniform_play_does():
    games = 5000 if JIT else 10
    means = []
    for kernel, seed in (("uniform_playout", 1), ("plain_playout", 2)):
        playouts = Playouts(Table(morris), kernel, seed)
        plies = wins = 0
        for _ in range(games):
            plies += playouts()
            wins += playouts.table.scores()[0]
        means.append((plies / games, wins / games))
    assert abs(means[0][0] - means[1][0]) < 4 * 55 * (2 / games) ** 0.5
    assert abs(means[0][1] - means[1][1]) < 4 * 0.5 * (2 / games) ** 0.5


def test_text_gives_the_position_back():
    chooser = random.Random(5)
    for _ in range(3):
        table = Table(morris)
        while not table.ask("over"):
            assert table.reread().state_array == table.state_array
            table.ask("play", chooser.choice(table.moves()))
        assert table.reread().state_array == table.state_array


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "rows of 3"),
        (EMPTY + " w", "rows of 3"),
        (EMPTY + " w 0 y", "rows of 3"),
        (EMPTY.replace(".", "x", 1) + " w 0", "rows of 3"),
        (EMPTY[1:] + " w 0", "rows of 3"),
        (EMPTY + " b 0", "it is w to move"),
        (EMPTY + " w 201", "'201': expected 0 to 200"),
        (EMPTY + " w -1", "'-1': expected 0 to 200"),
        (board(w="a1 a4 a7", b="d1") + " w 200 x", "'200': expected 0 to 199"),
        (board(w="a1") + " w 0", "has placed 0 men"),
        (board(w="a1 a4", b="d1") + " w 2", "has placed 1 men"),
        (board(w="a1 a4", b="d1 d2 d3") + " w 4", "the opponent 2"),
        (board(w="a1 a4 d7", b="d1 d2") + " w 4 x", "no mill"),
        (board(w="a1 a4 d7", b="d1 d2") + " w 30", "has lost"),
    ],
)
def test_impossible_texts_are_refused(text, sentence):
    with pytest.raises(RamifyError, match=sentence):
        Table(morris, text)


@pytest.mark.parametrize("turns", [-1, 0, 10_001])
def test_parameters_out_of_range_are_refused(turns):
    with pytest.raises(RamifyError, match=f"invalid turns={turns}"):
        Table(morris, turns=turns)


def test_drawing_shows_men_and_hands():
    lines = Table(morris).play("a7", "d6").ask("draw").splitlines()
    assert lines[0] == "7  w-----------.-----------."
    assert lines[2] == "6  |   .-------b-------.   |"
    assert lines[-1] == "in hand: w 8, b 8; turn 2"
