import random

import numpy as np
import pytest

from ramify.core.kernels.compiling import JIT
from ramify.errors import RamifyError
from ramify.games import othello
from tests.games.driving import Playouts, Table

GAMES = 10_000 if JIT else 20


def perft(table, depth):
    if depth == 0 or table.ask("over"):
        return 1
    moves = table.moves()
    if depth == 1:
        return len(moves)
    leaves = 0
    for move in moves:
        after = table.copy()
        after.ask("play", move)
        leaves += perft(after, depth - 1)
    return leaves


def test_perft():
    """The known counts of lines of 1 to 7 plies."""
    counts = [4, 12, 56, 244, 1396, 8200, 55092]
    assert [perft(Table(othello), depth) for depth in range(1, 8)] == counts


def naive_turned(text, square):
    """The discs a move turns, walking square by square."""
    board, side = text.split()
    rows = board.split("/")
    column, row = ord(square[0]) - ord("a"), int(square[1]) - 1
    discs = set()
    for down in (-1, 0, 1):
        for right in (-1, 0, 1):
            line = []
            r, c = row + down, column + right
            while (down or right) and 0 <= r < 8 and 0 <= c < 8 and rows[r][c] not in (".", side):
                line.append((r, c))
                r, c = r + down, c + right
            if 0 <= r < 8 and 0 <= c < 8 and rows[r][c] == side:
                discs.update(line)
    return discs if rows[row][column] == "." else set()


SQUARES = [column + row for row in "12345678" for column in "abcdefgh"]


def test_moves_and_turned_discs_against_walking():
    chooser = random.Random(1)
    passes = 0
    for _ in range(20):
        table = Table(othello)
        while not table.ask("over"):
            text = table.text()
            expected = {square for square in SQUARES if naive_turned(text, square)} or {"pass"}
            assert table.names() == expected
            name = chooser.choice(sorted(expected))
            before = text.split()[0].split("/")
            table.play(name)
            passes += name == "pass"
            rows = table.text().split()[0].split("/")
            changed = {(r, c) for r in range(8) for c in range(8) if rows[r][c] != before[r][c]}
            placed = set() if name == "pass" else {(int(name[1]) - 1, ord(name[0]) - ord("a"))}
            assert changed == placed | (naive_turned(text, name) if placed else set())
            assert all(rows[r][c] == text[-1] for r, c in changed)
        for side in "xo":
            assert not any(naive_turned(table.text()[:-1] + side, square) for square in SQUARES)
        counts = [table.text().split()[0].count(side) for side in "xo"]
        assert table.ask("margin") == counts[0] - counts[1]
        assert table.scores()[0] == (1.0 if counts[0] > counts[1] else 0.5 if counts[0] == counts[1] else 0.0)
        assert sum(table.scores()) == 1.0
    assert passes > 0


def test_the_start():
    table = Table(othello)
    assert table.names() == {"d3", "c4", "f5", "e6"}
    assert table.text() == "......../......../......../...ox.../...xo.../......../......../........ x"


def discs(text):
    """A table with discs as no game has them, which ``read`` refuses."""
    marks, side = text.replace("/", "").split()
    table = Table(othello)
    x, o = (np.uint64(sum(1 << k for k, mark in enumerate(marks) if mark == player)) for player in "xo")
    othello.set_up(table.state, *((x, o) if side == "x" else (o, x)), "xo".index(side))
    return table


def test_a_move_turns_lines_in_all_eight_directions():
    text = "x..x..x./.o.o.o../..ooo.../xoo.ooox/..ooo.../.o.o.o../x..o..x./...x.... x"
    table = discs(text).play("d4")
    assert table.text() == "x..x..x./.x.x.x../..xxx.../xxxxxxxx/..xxx.../.x.x.x../x..x..x./...x.... o"


def test_lines_do_not_wrap_round_the_edge():
    table = discs("......../......oo/x......./......../......../......../......../........ x")
    assert table.ask("over")
    assert discs(".......o/o......./x......./......../......../......../......../x....... x").names() == {"a1"}


def test_a_forced_pass():
    table = discs("xo....../......../......../......../......../......../......../........ o")
    assert table.names() == {"pass"}
    table.play("pass")
    assert table.ask("mover") == 0
    assert table.names() == {"c1"}
    table.play("c1")
    assert table.ask("over")
    assert (table.scores(), table.ask("margin")) == ([1.0, 0.0], 3.0)


def test_the_shortest_game_ends_with_one_colour():
    """Nine moves, the fewest possible: black wins 13 to 0."""
    table = Table(othello).play("e6", "f4", "e3", "f6", "g5", "d6", "e7", "f5", "c5")
    assert table.ask("over")
    assert table.ask("margin") == 13.0
    assert table.scores() == [1.0, 0.0]


def test_equal_counts_are_a_draw():
    table = Table(othello, "xxxxxxxx/" * 4 + "oooooooo/oooooooo/oooooooo/oooooooo o")
    assert table.ask("over")
    assert (table.scores(), table.ask("margin")) == ([0.5, 0.5], 0.0)


def test_the_margin_is_that_of_black_whoever_moves():
    board = "xxx...../......../......../......../......../......../......../.......o"
    assert [discs(f"{board} {side}").ask("margin") for side in "xo"] == [2.0, 2.0]


@pytest.mark.parametrize("opening", [(), ("d3", "c3", "c4", "c5"), ("f5", "d6", "c5", "f4", "e7")])
def test_playouts_end_as_uniform_play_does(opening):
    """Mean score, margin and length of own and plain playouts agree within four standard errors."""
    table = Table(othello).play(*opening)
    results = []
    for kernel, seed in (("uniform_playout", 1), ("plain_playout", 2)):
        playouts = Playouts(table, kernel, seed)
        sums = [0.0, 0.0, 0.0]
        for _ in range(GAMES):
            plies = playouts()
            assert playouts.table.ask("over")
            for k, value in enumerate((playouts.table.scores()[0], playouts.table.ask("margin"), plies)):
                sums[k] += value
        results.append([value / GAMES for value in sums])
    for own, plain, deviation in zip(*results, (0.5, 18.0, 3.0), strict=True):
        assert abs(own - plain) < 4 * deviation * (2 / GAMES) ** 0.5


def test_a_playout_leaves_the_position_it_reached():
    playouts = Playouts(Table(othello), "uniform_playout")
    for _ in range(20):
        playouts()
        assert playouts.table.reread().state_array == playouts.table.state_array


def test_text_gives_the_position_back():
    table = Table(othello)
    chooser = random.Random(5)
    while not table.ask("over"):
        assert table.reread().state_array == table.state_array
        table.ask("play", chooser.choice(table.moves()))
    assert table.reread().state_array == table.state_array


@pytest.mark.parametrize(
    "text",
    [
        "",
        "x",
        "......../......../......../...ox.../...xo.../......../......../........",
        "......../......../......../...ox.../...xo.../......../........ x",
        "......../......../......../...ox.../...xo.../......../......../......... x",
        "......../......../......../...ox.../...xw.../......../......../........ x",
        "......../......../......../...ox.../...xo.../......../......../........ w",
    ],
)
def test_impossible_texts_are_refused(text):
    with pytest.raises(RamifyError, match="expected 8 rows of 8"):
        Table(othello, text)


def test_drawing_has_coordinates():
    lines = Table(othello).ask("draw").splitlines()
    assert lines[0] == "  a b c d e f g h"
    assert lines[4] == "4 . . . o x . . ."
    assert len(lines) == 9
