import random
from itertools import combinations

import pyspiel
import pytest

import ramify
from ramify.agents.checking.perft import perft
from ramify.core.kernels.compiling import JIT
from ramify.errors import RamifyError
from ramify.games import tictactoe3d
from tests.games.driving import Table
from tests.oracle.counting import spiel_perft


def translated(name, size):
    """OpenSpiel's ``layer,row,column`` as our name."""
    layer, row, column = map(int, name.split(","))
    return "ABCD"[layer] + "abcd"[column] + str(row + 1)


@pytest.mark.parametrize(("size", "games"), [(4, 20), (3, 30)])
def test_random_games_beside_openspiel(size, games):
    first = ramify.load(f"tictactoe3d(size={size})").initial()
    game = pyspiel.load_game(f"gomoku(size={size},connect={size},dims=3)")
    chooser = random.Random(size)
    endings = set()
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
        endings.add(tuple(state.scores()))
    assert len(endings) > 1 or not JIT


def test_numbers_of_sequences():
    counts = spiel_perft(pyspiel.load_game("gomoku(size=4,connect=4,dims=3)").new_initial_state(), 3)
    assert perft(ramify.load("tictactoe3d").initial(), 3) == counts


@pytest.mark.parametrize(("size", "lines"), [(3, 49), (4, 76)])
def test_the_known_numbers_of_lines(size, lines):
    """((n + 2)^3 - n^3) / 2; cells of a line are in line: every coordinate rises, falls or stays."""
    found = tictactoe3d.all_lines(size)
    assert len(found) == lines == ((size + 2) ** 3 - size**3) // 2
    for line in found:
        assert len(line) == size
        cells = [(cell // size**2, cell // size % size, cell % size) for cell in line]
        for one, other in combinations(cells, 2):
            steps = {abs(a - b) for a, b in zip(one, other, strict=True)}
            assert len(steps - {0}) == 1


@pytest.mark.parametrize("size", [3, 4])
def test_every_line_wins_and_nothing_less(size):
    for line in tictactoe3d.all_lines(size):
        table = Table(tictactoe3d, size=size)
        others = [cell for cell in range(size**3) if cell not in line]
        # o's stones stand on cells of which no two lines are made: too few for one
        for k, cell in enumerate(sorted(line)):
            assert not table.ask("over")
            table.ask("play", cell)
            if k < size - 1:
                table.ask("play", others[5 * k])
        assert table.ask("over")
        assert table.scores() == [1.0, 0.0]


def test_a_full_cube_is_a_draw_if_nobody_has_a_line():
    text = "xoox/xoxx/xxoo/oxox oxxx/xoox/xoxx/xooo oxoo/oxxo/ooxo/xoxx ooxo/ooxx/xooo/xx.x"
    table = Table(tictactoe3d, text)
    assert not table.ask("over")
    assert table.play("Dc1").ask("over")
    assert table.scores() == [0.5, 0.5]


@pytest.mark.parametrize("size", [3, 4])
def test_text_gives_the_position_back(size):
    chooser = random.Random(size)
    for _ in range(5):
        table = Table(tictactoe3d, size=size)
        while not table.ask("over"):
            assert table.reread().state_array == table.state_array
            table.ask("play", chooser.choice(table.moves()))
        assert table.reread().state_array == table.state_array


EMPTY = ".../.../..."


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "expected 3 layers"),
        (f"{EMPTY} {EMPTY}", "expected 3 layers"),
        (f"{EMPTY} {EMPTY} .../...", "expected 3 rows of 3"),
        (f"{EMPTY} {EMPTY} .../.../..b", "expected 3 rows of 3"),
        (f"{EMPTY} {EMPTY} .../.../..o", "x moves first"),
        ("xxx/.../... ooo/.../... .../.../...", "player to move has already won"),
        ("xxx/.../... oo./.oo/... .../.o./xxx", "no single move"),
    ],
)
def test_impossible_texts_are_refused(text, why):
    with pytest.raises(RamifyError, match=why):
        Table(tictactoe3d, text, size=3)


def test_silly_sizes_are_refused():
    for size in (2, 5):
        with pytest.raises(RamifyError, match="for tictactoe3d: use 3 or 4"):
            ramify.load(f"tictactoe3d(size={size})")


def test_the_centre_of_the_small_cube_wins():
    """3x3x3 is a first-player win from the centre."""
    report = ramify.search(ramify.load("tictactoe3d(size=3)").initial(), simulations=5000 if JIT else 100, seed=1)
    assert report.move.name == "Bb2" or not JIT


def test_drawing_shows_the_layers_side_by_side():
    lines = Table(tictactoe3d).play("Aa1", "Dd4").ask("draw").splitlines()
    assert lines[0].split() == ["layer", "A", "layer", "B", "layer", "C", "layer", "D"]
    assert lines[1].endswith("4 . . . o")
    assert lines[4].startswith(" 1 x . . .")
