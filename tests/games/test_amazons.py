import random
from collections import Counter

import numpy as np
import pyspiel
import pytest

import ramify
from ramify.agents.checking.perft import perft
from ramify.contract.compiled_game import as_record
from ramify.core.kernels.compiling import JIT
from ramify.errors import RamifyError
from ramify.games.amazons import amazons
from tests.games.driving import Playouts, Table

SIZES = (6, 8, 10)


def spiel_square(name, size):
    """OpenSpiel's ``X From (7, 1)``: row from the top and column."""
    row, column = name[name.index("(") + 1 : -1].split(", ")
    return "abcdefghij"[int(column) - 1] + str(size + 1 - int(row))


def spiel_options(state, size):
    """Squares that OpenSpiel offers at this ply, and its actions."""
    player = state.current_player()
    return {spiel_square(state.action_to_string(player, action), size): action for action in state.legal_actions()}


def spiel_moves(state, size):
    """Our names of all moves of a ``pyspiel.State``, which are three plies there."""
    names = set()
    for origin, first in spiel_options(state, size).items():
        lifted = state.child(first)
        for to, second in spiel_options(lifted, size).items():
            names |= {f"{origin}-{to}/{arrow}" for arrow in spiel_options(lifted.child(second), size)}
    return names


@pytest.mark.parametrize(("size", "games"), [(6, 6), (8, 2), (10, 1)])
def test_random_games_beside_openspiel(size, games):
    """Queen and arrow by two plies against three, at every ply; whole moves at some."""
    chooser = random.Random(size)
    winners = set()
    for _ in range(games if JIT else 1):
        state = ramify.load(f"amazons(size={size}, plies=2)").initial()
        whole = ramify.load(f"amazons(size={size})").initial()
        other = pyspiel.load_game(f"amazons(board_size={size})").new_initial_state()
        while not other.is_terminal():
            assert not state.over
            assert not whole.over
            assert state.to_move == whole.to_move == other.current_player()
            steps = set()
            for origin, first in spiel_options(other, size).items():
                steps |= {f"{origin}-{to}" for to in spiel_options(other.child(first), size)}
            assert {move.name for move in state.moves()} == steps
            if chooser.random() < (0.2 if size == 6 else 0.05):
                assert {move.name for move in whole.moves()} == spiel_moves(other, size)
            step = chooser.choice(sorted(steps))
            for square in step.split("-"):
                other.apply_action(spiel_options(other, size)[square])
            state = state.play(step)
            assert state.to_move == other.current_player()
            arrows = spiel_options(other, size)
            assert {move.name for move in state.moves()} == set(arrows)
            arrow = chooser.choice(sorted(arrows))
            other.apply_action(arrows[arrow])
            state, whole = state.play(arrow), whole.play(f"{step}/{arrow}")
            assert state.text() == whole.text()
            assert state.text().split()[0].upper().replace("W", "X").replace("B", "O") == str(other).replace("\n", "/")
        assert state.over
        assert whole.over
        assert state.scores() == whole.scores() == [(value + 1.0) / 2.0 for value in other.returns()]
        winners.add(state.scores()[0])
    assert len(winners) == 2 or games < 6 or not JIT


def test_known_numbers_of_sequences():
    """2176 and 4307152 moves are the published counts of 10x10."""
    assert perft(ramify.load("amazons").initial(), 2) == [2176, 4307152]
    steps = perft(ramify.load("amazons(plies=2)").initial(), 4)
    assert (steps[1], steps[3]) == (2176, 4307152)
    assert steps[0] == 80


@pytest.mark.parametrize("size", SIZES)
def test_the_set_up_is_symmetric(size):
    rows = Table(amazons, size=size).text().split()[0].split("/")
    assert [row.replace("w", "b") for row in rows] == [row.replace("w", "b") for row in reversed(rows)]
    assert [row == row[::-1] for row in rows] == [True] * size


def test_the_set_up_of_eight_by_eight():
    """As Pepels et al. (2014) played: queens on c1, f1, a3, h3 and c8, f8, a6, h6."""
    rows = "..b..b../......../b......b/......../......../w......w/......../..w..w.."
    assert Table(amazons, size=8).text() == f"{rows} w"
    assert perft(ramify.load("amazons(size=8)").initial(), 2) == [1232, 1331198]
    assert len(spiel_moves(pyspiel.load_game("amazons(board_size=8)").new_initial_state(), 8)) == 1232


def test_queens_go_over_empty_squares_only():
    table = Table(amazons, "....../.#.#../..w.../.###../bbbb../#..www w", size=6)
    from_c4 = {name.split("/")[0] for name in table.names() if name.startswith("c4")}
    assert from_c4 == {"c4-" + square for square in ("a4", "b4", "d4", "e4", "f4", "c5", "c6")}


def test_an_arrow_may_fly_to_the_square_that_its_queen_has_left():
    text = "######/w.##.b/######/######/#w#w#b/w#bb## w"
    assert Table(amazons, text, size=6).names() == {"a5-b5/a5"}
    table = Table(amazons, text, size=6, plies=2)
    assert table.names() == {"a5-b5"}
    table.play("a5-b5")
    assert (table.ask("mover"), table.names(), table.text()[-4:]) == (0, {"a5"}, "w b5")
    table.play("a5")
    assert (table.ask("mover"), table.names()) == (1, {"f5-e5"})


def test_whoever_cannot_move_loses():
    assert not Table(amazons, "######/#w.#.b/######/######/#w#w#b/w#bb## w", size=6).ask("over")
    table = Table(amazons, "######/#w#..b/######/######/#w#w#b/w#bb## w", size=6)
    assert table.ask("over")
    assert table.moves() == []
    assert table.scores() == [0.0, 1.0]
    assert table.ask("quality") == (1 + 2) / (2 + 4 * 19)


@pytest.mark.parametrize(("size", "plies"), [(10, 1), (6, 1), (6, 2)])
def test_playouts_end_as_uniform_play_does(size, plies):
    """Against moves drawn from the list of all."""
    table = Table(amazons, size=size, plies=plies)
    games = (500 if size == 10 else 2500) if JIT else 25
    chooser = random.Random(1)
    playouts = Playouts(table, "uniform_playout", 1)
    own = plain = length = 0
    for _ in range(games):
        length += playouts()
        assert playouts.table.ask("over")
        own += playouts.table.scores()[0]
    game = ramify.load(f"amazons(size={size}, plies={plies})")
    some = games // 25
    lengths = 0
    for _ in range(some):
        data = game.start()
        while not game.over(data):
            data = game.play(data, chooser.choice(game.legal(data)))
            lengths += 1
        plain += game.scores(data)[0]
    assert abs(own / games - plain / some) < 4 * 0.5 * (1 / games + 1 / some) ** 0.5
    assert abs(length / games - lengths / some) < 4 * 7 * plies * (1 / games + 1 / some) ** 0.5


@pytest.mark.parametrize("plies", [1, 2])
def test_text_gives_the_position_back(plies):
    table = Table(amazons, size=6, plies=plies)
    chooser = random.Random(5)
    while not table.ask("over"):
        assert table.reread().state_array == table.state_array
        table.ask("play", chooser.choice(table.moves()))
    assert table.reread().state_array == table.state_array


FAIR = "b.b.b./b...../....../....../.w..../w.w.w."


@pytest.mark.parametrize(
    ("text", "plies", "sentence"),
    [
        ("", 1, "6 rows of 6"),
        (FAIR, 1, "6 rows of 6"),
        (FAIR[2:] + " w", 1, "6 rows of 6"),
        (FAIR.replace(".", "?", 1) + " w", 1, "6 rows of 6"),
        (FAIR + " x", 1, "6 rows of 6"),
        (FAIR + " wb", 1, "6 rows of 6"),
        (FAIR + " w a1", 1, "6 rows of 6"),
        (FAIR + " b", 1, "after 0 arrows it is w to move"),
        (FAIR.replace("b", ".", 1) + " w", 1, "4 queens each, not 4 and 3"),
        (FAIR + " w a6", 2, "w has no queen on a6"),
        ("b.b.b./b....#/....../....../##..../w#w.ww w a1", 2, "enclosed"),
    ],
)
def test_impossible_texts_are_refused(text, plies, sentence):
    with pytest.raises(RamifyError, match=sentence):
        Table(amazons, text, size=6, plies=plies)


@pytest.mark.parametrize(
    ("parameters", "sentence"), [({"size": 7}, "invalid size=7"), ({"plies": 3}, "invalid plies=3")]
)
def test_parameters_out_of_range_are_refused(parameters, sentence):
    with pytest.raises(RamifyError, match=sentence):
        Table(amazons, **parameters)


def test_drawing_has_coordinates():
    lines = Table(amazons, size=6).play("b1-b5/a4").ask("draw").splitlines()
    assert lines[2] == " 4 # . . . . ."
    assert lines[-1] == "   a b c d e f"


@pytest.mark.parametrize("size", [6, 10])
def test_no_queen_ever_has_more_arrows_than_foreseen(size):
    """Playouts draw below a bound on arrows and renew it now and then; a bound too low would leave moves out."""
    game = ramify.load(f"amazons(size={size})")
    draw = random.Random(size)
    for _ in range(3):
        state, bounds = game.initial(), []
        while not state.over:
            with np.errstate(over="ignore"):
                bounds.append(amazons.max_arrows(game.rules, as_record(state.data.copy())))
            arrows = Counter(move.code >> 8 for move in state.moves())
            assert max(arrows.values()) <= min(bounds)
            state = state.play(draw.choice(state.moves()))
        assert bounds == sorted(bounds, reverse=True)
        assert bounds[-1] < bounds[0]
