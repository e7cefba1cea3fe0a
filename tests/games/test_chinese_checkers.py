import random
from collections import Counter

import numpy as np
import pytest

import ramify
from ramify.core.kernels.compiling import JIT
from ramify.core.numbers.rng import generator
from ramify.errors import RamifyError
from ramify.games.chinese_checkers import chinese_checkers as game
from tests.games.driving import Playouts, Table

WIDTHS = (1, 2, 3, 10, 9, 8, 7, 8, 9, 10, 3, 2, 1)
# The star as cube coordinates: two triangles of side 10 that overlap in a hexagon of side 4.
STAR = {(x, y, -x - y) for x in range(-6, 7) for y in range(-6, 7) if min(x, y, -x - y) >= -3 or max(x, y, -x - y) <= 3}
TURNS = [(1, -1, 0), (-1, 1, 0), (1, 0, -1), (-1, 0, 1), (0, 1, -1), (0, -1, 1)]
NAMES = {}
for row in range(13):
    cells = sorted(cell for cell in STAR if cell[2] == 6 - row)
    NAMES.update({f"{row + 1}{'abcdefghij'[k]}": cell for k, cell in enumerate(cells)})
NAME = {cell: name for name, cell in NAMES.items()}


def plus(cell, way):
    return tuple(a + b for a, b in zip(cell, way, strict=True))


def pieces_of(text):
    rows = text.split()[0].split("/")[::-1]
    found = {f"{r + 1}{'abcdefghij'[k]}": mark for r, row in enumerate(rows) for k, mark in enumerate(row)}
    return {NAMES[name]: mark for name, mark in found.items() if mark != "."}


def text_of(pieces, rest):
    rows = [
        "".join(pieces.get(NAMES[f"{r + 1}{'abcdefghij'[k]}"], ".") for k in range(width))
        for r, width in enumerate(WIDTHS)
    ]
    return "/".join(reversed(rows)) + " " + rest


def placed(rest, **names):
    return text_of({NAMES[name]: side for side, all_of in names.items() for name in all_of.split()}, rest)


def naive_names(text):
    pieces, side = pieces_of(text), text.split()[1]
    names = set()
    for origin in [cell for cell, mark in pieces.items() if mark == side]:
        others = {cell for cell in pieces if cell != origin}
        reached = {origin}
        waiting = [origin]
        while waiting:
            at = waiting.pop()
            for way in TURNS:
                middle = plus(at, way)
                to = plus(middle, way)
                if middle in others and to in STAR and to not in others and to not in reached:
                    reached.add(to)
                    waiting.append(to)
        reached |= {plus(origin, way) for way in TURNS if plus(origin, way) in STAR - others}
        names |= {f"{NAME[origin]}-{NAME[to]}" for to in reached - {origin}}
    return names or {"pass"}


def test_the_board():
    assert len(STAR) == 73
    assert tuple(sum(cell[2] == 6 - row for cell in STAR) for row in range(13)) == WIDTHS == game.WIDTHS


@pytest.mark.parametrize("eager", [0.0, 0.9])
def test_random_games_beside_the_rules(eager):
    """Also with play that goes forward mostly, which reaches the end."""
    chooser = random.Random(5)
    won = 0
    for _ in range(6 if JIT else 1):
        state = ramify.load("chinese_checkers").initial()
        while not state.over:
            text = state.text()
            side, plies = text.split()[1], int(text.split()[2])
            names = naive_names(text)
            assert sorted(move.name for move in state.moves()) == sorted(names)
            forward = {}
            for name in sorted(names):
                origin, to = (int(cell[:-1]) for cell in name.split("-"))
                forward[name] = (to - origin) * (1 if side == "x" else -1)
            best = [name for name in forward if forward[name] >= max(1, max(forward.values()) - 1)]
            name = chooser.choice(best if best and chooser.random() < eager else sorted(names))
            pieces = pieces_of(text)
            origin, to = (NAMES[cell] for cell in name.split("-"))
            pieces[to] = pieces.pop(origin)
            state = state.play(name)
            assert state.text() == text_of(pieces, f"{'xo'[side == 'x']} {plies + 1}")
            goal = {cell for cell in STAR if (cell[2] < -3 if side == "x" else cell[2] > 3)}
            full = goal <= set(pieces) and any(pieces[cell] == side for cell in goal)
            assert state.over == (full or plies + 1 == 200)
        if full:
            won += 1
            assert state.scores()["xo".index(side)] == 1.0
    assert not JIT or (won > 0) == (eager > 0)


HOME = {"x": "1a 2a 2b 3a 3b 3c", "o": "13a 12a 12b 11a 11b 11c"}


def test_the_start():
    table = Table(game)
    assert table.text() == placed("x 0", **HOME)
    assert table.reread().state_array == table.state_array
    assert {name for name in table.names() if name.startswith("3a")} == {"3a-4d", "3a-4e"}
    assert {name for name in table.play("3a-4d").names() if name.startswith("11a")} == {"11a-10d", "11a-10e"}


def names_of(table, cell):
    """Where the piece on a cell can go; every move is listed once."""
    assert len(table.moves()) == len(table.names())
    return {name.partition("-")[2] for name in table.names() if name.startswith(cell + "-")}


def test_steps_go_in_six_directions_also_back_and_into_the_side_points():
    table = Table(game, placed("x 4", x="7d 5a 1a 2a 2b 3a", o=HOME["o"]))
    assert names_of(table, "7d") == {"7c", "7e", "8d", "8e", "6d", "6e"}
    assert names_of(table, "5a") == {"4a", "4b", "5b", "6a"}


HOPS = {"7e": "7f", "7c": "7b", "8e": "9f", "8d": "9d", "6e": "5f", "6d": "5d"}


@pytest.mark.parametrize("side", ["x", "o"])
@pytest.mark.parametrize("over", HOPS)
def test_hops_go_over_a_piece_of_either_side_in_six_directions(over, side):
    pieces = {"x": "7d 1a 2a 2b 3a", "o": "13a 12a 12b 11a 11b"}
    pieces["xo".replace(side, "")] += " 3b" if side == "o" else " 11c"
    pieces[side] += " " + over
    table = Table(game, placed("x 4", **pieces))
    assert names_of(table, "7d") == {"7c", "7e", "8d", "8e", "6d", "6e", HOPS[over]} - {over}


def test_nothing_is_captured():
    table = Table(game, placed("x 4", x="7c 1a 2a 2b 3a 3b", o="7d 13a 12a 12b 11a 11b")).play("7c-7e")
    assert table.text() == placed("o 5", x="7e 1a 2a 2b 3a 3b", o="7d 13a 12a 12b 11a 11b")


def test_a_hop_needs_an_empty_cell_right_behind():
    """Over 7d is 7e, which is taken; a hop over two is none, and no step follows a hop."""
    table = Table(game, placed("x 8", x="7c 1a 2a 2b 3a 3b", o="7d 7e 13a 12a 12b 11a"))
    assert names_of(table, "7c") == {"7b", "8c", "8d", "6c", "6d"}
    free = Table(game, placed("x 8", x="7c 1a 2a 2b 3a 3b", o="7d 11b 13a 12a 12b 11a"))
    assert names_of(free, "7c") == {"7b", "8c", "8d", "6c", "6d", "7e"}


def test_five_in_the_opposite_point_do_not_win():
    table = Table(game, placed("x 20", x="13a 12a 12b 11a 11b 7a", o="1a 2a 2b 3a 3b 5a")).play("7a-8a")
    assert not table.ask("over")


def test_a_chain_of_hops_over_both_sides():
    """From 3b over 4e (x) to 5d, and on over 6d (o) to 7d; it may stop on 5d."""
    table = Table(game, placed("x 2", x="3b 4e 1a 2a 2b 3a", o="6d 13a 12a 12b 11a 11b"))
    chain = {name for name in table.names() if name.startswith("3b-") and int(name[3:-1]) > 4}
    assert chain == {"3b-5d", "3b-7d"}


def test_filling_the_opposite_point_wins():
    table = Table(game, placed("x 20", x="13a 12a 12b 11a 11b 10g", o="1a 2a 2b 3a 3b 5a"))
    table.play("10g-11c")
    assert table.ask("over")
    assert table.scores() == [1.0, 0.0]
    assert table.ask("quality") == 1 / 7
    assert table.ask("margin") == 2.0


def test_a_piece_that_stays_at_home_does_not_block():
    table = Table(game, placed("x 20", x="13a 12a 12b 11a 10g 3a", o="11b 1a 2a 2b 3b 5a")).play("10g-11c")
    assert table.ask("over")
    assert table.scores() == [1.0, 0.0]


def test_a_full_point_without_own_pieces_does_not_win():
    assert not Table(game).ask("over")
    table = Table(game, placed("x 20", x="7a 7b 7c 7d 7e 7f", o=HOME["o"])).play("7a-8a")
    assert not table.ask("over")


def test_the_limit_counts_rows_to_go():
    text = placed("o 19", x="7a 7b 7c 7d 7e 7f", o="9a 9b 9c 9d 9e 9f")
    table = Table(game, text, plies=20).play("9a-10a")
    assert table.ask("over")
    assert table.ask("margin") == 6 * 6 + 1 - 6 * 4 + 0.0
    assert table.scores() == [1.0, 0.0]
    level = placed("o 19", x="7a 7b 7c 7d 7e 5a", o="7f 7g 8a 8b 6a 6b")
    assert Table(game, level, plies=20).ask("margin") == sum((4, 4, 5, 5, 3, 3)) - (5 * 4 + 6)


def test_in_the_opposite_point_there_is_no_row_to_go():
    """x has 2 rows to go with the piece on row 9; o's six on row 7 have 4 each."""
    table = Table(game, placed("x 30", x="13a 12a 12b 11a 11b 9a", o="7a 7b 7c 7d 7e 7f"))
    assert table.ask("margin") == 6 * 4 - 2


def test_equal_rows_to_go_at_the_limit_are_a_draw():
    """x has 3 pieces with 4 rows and 3 with 3; so has o after its step down to row 6."""
    table = Table(game, placed("o 19", x="7a 7b 7c 8a 8b 8c", o="7d 7e 7f 7g 6a 6b"), plies=20).play("7g-6h")
    assert table.ask("over")
    assert table.ask("margin") == 0.0
    assert table.scores() == [0.5, 0.5]
    assert table.ask("quality") == 0.25


def test_without_a_move_one_passes():
    """The six of the bottom point shut in; that takes nine stones, more than the other side has."""
    table = Table(game)
    for name in ("4d", "4e", "4f", "4g", "5c", "5d", "5e", "5f", "5g"):
        assert table.names() != {"pass"}
        table.state.cells[sum(WIDTHS[: int(name[0]) - 1]) + ord(name[1]) - ord("a")] = 2
    assert table.names() == {"pass"}
    assert table.ask("sample", generator(1)) == game.PASS
    before = table.state.cells.tolist()
    table.play("pass")
    assert (table.ask("mover"), table.state.cells.tolist()) == (1, before)


def test_the_heuristic_wins_at_once():
    table = Table(game, placed("x 20", x="13a 12a 12b 11a 11b 10g", o="1a 2a 2b 3a 3b 5a"))
    full = Table(game, placed("x 20", x="13a 12a 12b 11a 7c 7d", o="11b 11c 1a 2a 2b 3a"))
    rng = generator(1)
    with np.errstate(over="ignore"):
        for _ in range(10):
            for position in (table, full):
                after = position.copy()
                after.ask("play", position.ask("heuristic", rng))
                assert after.ask("over")
                assert after.scores() == [1.0, 0.0]
        start = Table(game)
        drawn = Counter(start.ask("heuristic", rng) for _ in range(40 * len(start.moves())))
    assert set(drawn) == set(start.moves())


def test_a_playout_leaves_the_position_it_reached():
    playouts = Playouts(Table(game), "uniform_playout")
    for _ in range(5):
        assert playouts() == playouts.table.state.plies
        assert playouts.table.reread().state_array == playouts.table.state_array


FAIR = placed("", **HOME).strip()


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "expected rows of 1, 2, 3"),
        (FAIR + " x", "expected rows of 1, 2, 3"),
        (FAIR[1:] + " x 0", "expected rows of 1, 2, 3"),
        (FAIR.replace("x", "z", 1) + " x 0", "expected rows of 1, 2, 3"),
        (FAIR + " o 0", "it is x to move"),
        (FAIR + " o 201", "'201': expected 0 to 200"),
        (FAIR + " x -1", "'-1': expected 0 to 200"),
        (FAIR.replace("x", ".", 1) + " x 2", "not 5 and 6"),
        (placed("x 0", x="1a 2a 2b 3a 3b 5c", o=HOME["o"]), "1 and 0 pieces have left home, too many for 0 plies"),
        (
            placed("x 2", x="1a 2a 2b 3a 5d 5c", o="13a 12a 12b 11a 11b 10e"),
            "2 and 1 pieces have left home, too many for 2 plies",
        ),
        (placed("x 30", x=HOME["o"], o="7a 7b 7c 7d 7e 7f"), "already won"),
        (placed("o 31", x="7a 7b 7c 7d 7e 7f", o=HOME["x"]), "already won"),
    ],
)
def test_impossible_texts_are_refused(text, sentence):
    with pytest.raises(RamifyError, match=sentence):
        Table(game, text)


@pytest.mark.parametrize("plies", [-1, 1, 10_001])
def test_parameters_out_of_range_are_refused(plies):
    with pytest.raises(RamifyError, match=f"invalid plies={plies}"):
        Table(game, plies=plies)
