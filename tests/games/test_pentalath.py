import random
from collections import Counter

import pytest

import ramify
from ramify.agents.checking.perft import perft
from ramify.core.kernels.compiling import JIT
from ramify.errors import RamifyError
from ramify.games import pentalath
from tests.games.drawing import drawn, fits
from tests.games.driving import Playouts, Table
from tests.games.stones import after, check_chains

LENGTHS = {"half": [7, 8, 9, 10, 11, 12, 13], "hexagon": [5, 6, 7, 8, 9, 8, 7, 6, 5]}
WAYS = (2, 0), (1, 1), (1, -1)


def places(board):
    """Cells by name, as (twice the distance from the middle line, height): hexagons stand half a cell aside."""
    lengths = LENGTHS[board]
    return {
        "abcdefghi"[len(lengths) - 1 - k] + str(n + 1): (2 * n - length + 1, -k)
        for k, length in enumerate(lengths)
        for n in range(length)
    }


def neighbours(board):
    cells = set(places(board).values())
    ways = [*WAYS, *((-a, -b) for a, b in WAYS)]
    return {(a, b): [(a + c, b + d) for c, d in ways if (a + c, b + d) in cells] for a, b in cells}


def longest(board, player, room=False):
    """Naively: the longest row of a player's stones; with ``room``, of those between which and the next stone of
    the other, or the edge, five cells fit.
    """
    stones, cells = board["stones"], board["cells"]
    best = 0
    for cell in cells:
        for a, b in WAYS:
            line, n = [], 0
            while (cell[0] + n * a, cell[1] + n * b) in cells:
                line.append(stones.get((cell[0] + n * a, cell[1] + n * b)))
                n += 1
            if (cell[0] - a, cell[1] - b) in cells:
                continue
            text = "".join("." if mark is None else "m" if mark == player else "/" for mark in line)
            for part in text.split("/"):
                if len(part) >= 5 or not room:
                    best = max([best, *(len(run) for run in part.split("."))])
    return best


@pytest.mark.parametrize("board", ["half", "hexagon"])
def test_random_games_beside_the_naive_rules(board):
    around, names = neighbours(board), places(board)
    chooser = random.Random(board)
    seen = Counter()
    for _ in range(3):
        table, stones, player, made = Table(pentalath, board=board), {}, 0, 0
        while True:
            mine = longest({"stones": stones, "cells": set(around)}, 1 - player)
            moves = {n: after(stones, around, cell, player) for n, cell in names.items() if cell not in stones}
            legal = {name for name, result in moves.items() if result is not None}
            over = mine >= 5 or not legal or made == 4 * len(names)
            assert table.ask("over") == over
            if over:
                break
            assert table.names() == legal
            assert table.ask("mover") == player
            chosen = chooser.choice(sorted(legal))
            seen["captures"] += len(moves[chosen]) <= len(stones)
            seen["suicides"] += len(legal) < len(moves)
            table.play(chosen)
            stones = moves[chosen]
            player, made = 1 - player, made + 1
            check_chains(table, list(names.values()), stones, around)
        won = mine >= 5
        assert table.scores() == ([0.5, 0.5] if not won else [float(player == 1), float(player == 0)])
        if won:
            n = longest({"stones": stones, "cells": set(around)}, player, room=True)
            assert table.ask("quality") == 1 / (1 + max(1, n))
        seen["wins"] += won
    assert seen["captures"]
    assert seen["suicides"]
    assert seen["wins"]


def test_numbers_of_sequences():
    """Nothing can be captured within three moves."""
    assert perft(ramify.load("pentalath").initial(), 3) == [70, 70 * 69, 70 * 69 * 68]
    assert perft(ramify.load('pentalath(board="hexagon")').initial(), 2) == [61, 61 * 60]


def hexagon(top, rest, made):
    """The text of a hexagon with the given upper rows and bottom row."""
    upper = top.split("/")
    rows = [*upper, *("." * length for length in LENGTHS["hexagon"][len(upper) : -1]), rest]
    return "/".join(rows) + f" {made}"


def table_of(top, rest, made, **parameters):
    return Table(pentalath, hexagon(top, rest, made), board="hexagon", **parameters)


def top_of(table, rows):
    return "/".join(table.text().split("/")[:rows])


def test_capture():
    """x at h1 takes the last freedom of the corner stone.

    i     o x . . .
    h    . x . . . .
    """
    table = table_of("ox.../.x....", "....o", 4).play("h1")
    assert top_of(table, 2) == ".x.../xx...."


def test_suicide_is_illegal():
    """o in the corner would have no freedom.

    i     . x . . .
    h    x x . . . .
    """
    table = table_of(".x.../xx....", "...oo", 5)
    assert "i1" not in table.names()
    assert len(table.names()) == 61 - 5 - 1


def test_a_capturing_stone_needs_no_freedom():
    """o in the corner takes three stones.

    i     . x o . .
    h    x x o . . .
    g   o o o . . . .
    """
    table = table_of(".xo../xxo.../ooo....", "x.x.x", 11).play("i1")
    assert top_of(table, 3) == "o.o../..o.../ooo...."


def test_a_stone_is_placed_on_an_empty_cell():
    table = table_of("x....", "....o", 2)
    assert not {"i1", "a5"} & table.names()
    assert table.play("i4").names() == set(places("hexagon")) - {"i1", "i4", "a5"}


def test_a_stone_breathes_through_its_chain():
    """o in the corner has no liberty of its own, but h1, which it joins, has g1.

    i     . x . . .
    h    o x . . . .
    """
    table = table_of(".x.../ox....", "..x.o", 5)
    assert "i1" in table.names()
    assert top_of(table.play("i1"), 2) == "ox.../ox...."


def test_stones_of_the_own_colour_are_not_taken():
    """x at i2 fills the last freedom of its own stone in the corner, which then breathes through it.

    i     x . . . .
    h    o o . . . .
    """
    table = table_of("x..../oo....", "x.o.x", 6)
    assert top_of(table.play("i2"), 2) == "xx.../oo...."


def test_all_chains_without_freedom_are_taken():
    """x at i3 takes the last freedom of i2 and of i4.

    i     x o . o x
    h    . x x x x .
    """
    table = table_of("xo.ox/.xxxx.", "oo.oo", 12)
    assert top_of(table.play("i3"), 2) == "x.x.x/.xxxx."


def test_four_in_line_do_not_win():
    table = table_of("xxx..", "ooo..", 6).play("i4")
    assert not table.ask("over")


FOURS = {
    "along the row": ("...../....../......./......../xxxx.....", "e5"),
    "down to the right": ("x..../.x..../..x..../...x....", "e5"),
    "down to the left": ("....x/....x./....x../....x...", "e5"),
    "six": ("...../....../......./......../xx.xxx...", "e3"),
}


@pytest.mark.parametrize("way", FOURS)
def test_five_or_more_in_line_win(way):
    top, cell = FOURS[way]
    stones = top.count("x")
    table = table_of(top, "o.oooo"[: stones + 1].ljust(5, ".") if stones == 4 else "ooooo"[:4] + ".", 2 * stones)
    assert not table.ask("over")
    assert not table.copy().play("b1").ask("over")
    assert table.play(cell).ask("over")
    assert table.scores() == [1.0, 0.0]


def test_the_limit_is_a_draw():
    table = Table(pentalath, limit=3).play("a1", "b1")
    assert not table.ask("over")
    assert table.play("c1").ask("over")
    assert (table.scores(), table.ask("quality")) == ([0.5, 0.5], 0.5)
    assert (Table(pentalath).rules.limit, Table(pentalath, board="hexagon").rules.limit) == (280, 244)


def test_without_a_legal_move_the_game_is_a_draw():
    """x is to move, and every empty cell is an eye of o's or fills x's own last freedom.

    i     o o o o .
    h    o x o o o o
    g   o o . o x x x
    f  . o o o o x o x
    e x o o x o x o x x
    d  o x x x x o x .
    c   x x x o o o o
    b    x x o x x o
    a     x x o x .
    """
    text = "oooo./oxoooo/oo.oxxx/.ooooxox/xooxoxoxx/oxxxxox./xxxoooo/xxoxxo/xxox. 60"
    table = Table(pentalath, text, board="hexagon")
    assert table.names() == set()
    assert table.ask("over")
    assert table.scores() == [0.5, 0.5]


def test_a_player_without_a_legal_move_draws():
    """Playouts that end before the limit without five in line: the mover has no move."""
    playouts = Playouts(Table(pentalath, board="hexagon"), "uniform_playout")
    seen = 0
    for _ in range(3000 if JIT else 0):
        plies = playouts()
        assert playouts.table.ask("over")
        if playouts.table.state.winner < 0 and plies < 244:
            assert playouts.table.names() == set()
            assert playouts.table.scores() == [0.5, 0.5]
            seen += 1
    assert seen or not JIT


@pytest.mark.parametrize("board", ["half", "hexagon"])
def test_text_gives_the_position_back(board):
    chooser = random.Random(board)
    for _ in range(2):
        table = Table(pentalath, board=board)
        while not table.ask("over"):
            assert table.reread().state_array == table.state_array
            table.ask("play", chooser.choice(table.moves()))
        assert table.reread().state_array == table.state_array


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "expected rows of 5, 6, 7, 8, 9, 8, 7, 6, 5"),
        (hexagon("x....", ".....", 1).replace("/.....", "/....", 1), "expected rows of 5"),
        (hexagon("b....", ".....", 1), "expected rows of 5"),
        (hexagon("x....", ".....", "x"), "expected 0 to 244"),
        (hexagon("x....", ".....", 245), "expected 0 to 244"),
        (hexagon("x....", ".....", "01"), "expected 0 to 244"),
        (hexagon("xx...", ".....", 1), "too many stones for 1 moves"),
        (hexagon("o....", ".....", 1), "too many stones for 1 moves"),
        (hexagon("x....", ".....", 2), "stone of the last move is missing"),
        (hexagon("ox.../xx....", ".....", 5), "chain at i1 has no liberty"),
        (hexagon("xxxxx", "ooo.o", 10), "player to move has already won"),
        (hexagon("xxxxx", "xxxxx", 25).replace("/.........", "/ooo.oo.oo"[:10]), "no single move"),
    ],
)
def test_impossible_texts_are_refused(text, why):
    with pytest.raises(RamifyError, match=why):
        Table(pentalath, text, board="hexagon")


def test_silly_parameters_are_refused():
    with pytest.raises(RamifyError, match="use half or hexagon"):
        ramify.load('pentalath(board="square")')
    with pytest.raises(RamifyError, match="use 1 to 10000"):
        ramify.load("pentalath(limit=-1)")


def test_drawing_is_a_hexagon():
    lines = Table(pentalath, board="hexagon").play("i1", "a5").ask("draw").splitlines()
    assert lines[0] == "i     x . . . ."
    assert lines[4] == "e . . . . . . . . ."
    assert lines[8] == "a     . . . . o"
    assert len(Table(pentalath).ask("draw").splitlines()) == 7


def test_the_second_player_may_replace_the_first_stone():
    """By a move called swap; x then moves on a board with one stone of o's."""
    table = Table(pentalath, board="hexagon", swap=True).play("e5")
    assert table.names() == set(places("hexagon")) - {"e5"} | {"swap"}
    assert len(table.moves()) == 61
    swapped = table.copy().play("swap")
    assert swapped.text() == table.text().replace("x", "o").replace(" 1", " 2")
    assert swapped.ask("mover") == 0
    assert swapped.names() == set(places("hexagon")) - {"e5"}
    around, names = neighbours("hexagon"), places("hexagon")
    check_chains(swapped, list(names.values()), {names["e5"]: 1}, around)
    assert swapped.reread().state_array == swapped.state_array
    assert table.copy().play("e4").names() == set(places("hexagon")) - {"e4", "e5"}
    assert "swap" not in Table(pentalath, board="hexagon").play("e5").names()


def test_numbers_of_sequences_with_swap():
    """61 cells, 60 others or the swap, and then one more empty cell where the stone was replaced."""
    counts = perft(ramify.load('pentalath(board="hexagon", swap=true)').initial(), 3)
    assert counts == [61, 61 * 61, 61 * (60 * 59 + 60)] == [61, 3721, 219600]


@pytest.mark.parametrize("board", ["half", "hexagon"])
def test_with_swap_the_rest_of_the_game_is_the_same(board):
    """From any position after the second move on, both games offer the same."""
    chooser = random.Random(board)
    table = Table(pentalath, board=board, swap=True).play("b3")
    table.play(chooser.choice(["swap", "c4"]))
    while not table.ask("over"):
        assert table.names() == Table(pentalath, table.text(), board=board).names()
        table.ask("play", chooser.choice(table.moves()))
    assert table.scores() == Table(pentalath, table.text(), board=board).scores()


@pytest.mark.skipif(not JIT, reason="needs many draws")
def test_samples_with_swap_are_even():
    table = Table(pentalath, board="hexagon", swap=True).play("e5")
    assert fits(drawn(table, "sample", 100 * 61), dict.fromkeys(table.names(), 1)) > 1e-4


def test_a_wrong_quality_is_refused():
    with pytest.raises(RamifyError, match="invalid quality='square' for pentalath: use inverse or linear"):
        ramify.load('pentalath(quality="square")')
