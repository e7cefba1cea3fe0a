import random
from collections import Counter

import numpy as np
import pytest

import ramify
from ramify.contract.bind_kernels import Binding
from ramify.core.kernels.compiling import JIT
from ramify.core.numbers.rng import generator
from ramify.errors import RamifyError
from ramify.games.cannon import cannon
from tests.games.driving import Playouts, Table

GAMES = 10 if JIT else 2
AROUND = [(x, y) for x in (-1, 0, 1) for y in (-1, 0, 1) if x or y]


def name_of(square):
    return "abcdefghij"[square[0]] + str(square[1] + 1)


def pieces_of(text):
    rows = text.split()[0].split("/")
    return {(x, 9 - r): rows[r][x] for r in range(10) for x in range(10) if rows[r][x] != "."}


def naive_names(text, clear=False):
    """Names of the moves, piece by piece from the rules."""
    side, plies = text.split()[1], int(text.split()[2])
    home = 0 if side == "d" else 9
    if plies < 2:
        return {name_of((x, home)) for x in range(1, 9)}
    pieces = pieces_of(text)
    enemy = {"d": "lL", "l": "dD"}[side]
    up = 1 if side == "d" else -1

    def at(square):
        inside = 0 <= square[0] < 10 and 0 <= square[1] < 10
        return pieces.get(square, ".") if inside else "#"

    names = set()
    for (x, y), piece in pieces.items():
        if piece != side:
            continue
        me = name_of((x, y))
        for dx, dy in ((-1, up), (0, up), (1, up), (-1, 0), (1, 0)):
            to = (x + dx, y + dy)
            if at(to) in enemy:
                names.add(f"{me}x{name_of(to)}")
            if dy and at(to) == ".":
                names.add(f"{me}-{name_of(to)}")
        if any(at((x + dx, y + dy)) == enemy[0] for dx, dy in AROUND):
            for dx in (-1, 0, 1):
                path = [(x + n * dx, y - n * up) for n in (1, 2)]
                if all(at(point) == "." for point in path):
                    names.add(f"{me}-{name_of(path[1])}")
        for dx, dy in AROUND:
            line = [(x + n * dx, y + n * dy) for n in range(6)]
            if at(line[1]) == at(line[2]) == side and at(line[3]) == ".":
                names.add(f"{me}-{name_of(line[3])}")
                if at(line[4]) in enemy:
                    names.add("x" + name_of(line[4]))
                if at(line[5]) in enemy and (at(line[4]) == "." or not clear):
                    names.add("x" + name_of(line[5]))
    return names


def naive_after(text, name):
    """The position text after a move."""
    _, side, plies = text.split()
    pieces = pieces_of(text)
    squares = {name_of((x, y)): (x, y) for x in range(10) for y in range(10)}
    if name in squares:
        pieces[squares[name]] = side.upper()
    elif name.startswith("x"):
        del pieces[squares[name[1:]]]
    else:
        origin, to = name.replace("x", "-").split("-")
        pieces[squares[to]] = pieces.pop(squares[origin])
    rows = ["".join(pieces.get((x, y), ".") for x in range(10)) for y in range(9, -1, -1)]
    return "/".join(rows) + f" {'ld'['dl'.index(side)]} {int(plies) + 1}"


@pytest.mark.parametrize("clear", [False, True])
def test_random_games_beside_the_rules(clear):
    chooser = random.Random(7)
    endings, kinds = set(), Counter()
    for _ in range(GAMES):
        state = ramify.load(f"cannon(clear={str(clear).lower()})").initial()
        while not state.over:
            text = state.text()
            names = naive_names(text, clear)
            assert sorted(move.name for move in state.moves()) == sorted(names)
            assert names  # or the game would be over
            striking = [name for name in sorted(names) if "x" in name]
            name = chooser.choice(striking if striking and chooser.random() < 0.2 else sorted(names))
            kinds["shot" if name[0] == "x" else "capture" if "x" in name else "move"] += 1
            state = state.play(name)
            assert state.text() == naive_after(text, name)
        pieces = Counter(pieces_of(state.text()).values())
        plies = int(state.text().split()[2])
        loser = "dl"[plies % 2]
        if not pieces[loser.upper()] or not naive_names(state.text(), clear):
            assert state.scores()["dl".index(loser)] == 0.0
        else:
            assert plies == 300
            assert state.scores() == [0.5, 0.5]
        endings.add(tuple(state.scores()))
    assert not JIT or (len(endings) >= 2 and min(kinds.values()) > 20)


def board(**pieces):
    """Rows of a text with pieces by name: D="e1", d="a2 b2"."""
    mark = {name: piece for piece, names in pieces.items() for name in names.split()}
    return "/".join("".join(mark.get(f"{column}{row}", ".") for column in "abcdefghij") for row in range(10, 0, -1))


def names_from(table, point):
    return {name for name in table.names() if name.startswith(point)}


TOWNS = {"D": "e1", "L": "f10"}


def test_the_start():
    table = Table(cannon)
    assert table.text().split("/")[1] == "l.l.l.l.l."
    assert table.text().split("/")[8] == ".d.d.d.d.d"
    assert table.names() == {f"{column}1" for column in "bcdefghi"}
    table.play("e1")
    assert table.names() == {f"{column}10" for column in "bcdefghi"}
    table.play("f10")
    # steps forward of the front row, and slides of the five columns, ahead and back
    assert "b4-b5" in table.names()
    assert "b2-b5" in table.names()
    assert "b4-b1" in table.names()


def test_steps_and_captures_of_a_soldier():
    table = Table(cannon, board(**TOWNS, d="d5", l="c6 e5 d9") + " d 10")
    assert names_from(table, "d5") == {"d5xc6", "d5-d6", "d5-e6", "d5xe5", "d5-b3", "d5-d3", "d5-f3"}
    # behind it nothing is captured, and light goes the other way
    table = Table(cannon, board(**TOWNS, d="d5 i5", l="d4 h8") + " l 11")
    assert names_from(table, "d4") == {"d4-c3", "d4-d3", "d4-e3", "d4-b6", "d4-f6"}


def test_a_retreat_needs_an_enemy_soldier_beside_and_two_empty_points():
    assert names_from(Table(cannon, board(**TOWNS, d="d5", l="i9") + " d 10"), "d5") == {"d5-c6", "d5-d6", "d5-e6"}
    beside = Table(cannon, board(**TOWNS, d="d5 c4", l="c5 d3") + " d 10")
    assert {name for name in names_from(beside, "d5") if name[-1] in "43"} == {"d5-f3"}
    town = Table(cannon, board(D="e1", L="f10", d="f9", l="a9") + " d 10")
    assert names_from(town, "f9") == {"f9-e10", "f9xf10", "f9-g10"}


def test_slides():
    table = Table(cannon, board(**TOWNS, d="c3 d4 e5", l="f6") + " d 10")
    slides = {name for name in table.names() if abs(ord(name[0]) - ord(name[3])) == 3}
    assert slides == {"e5-b2"}


@pytest.mark.parametrize(
    ("light", "expected"),
    [("g5", set()), ("h5", {"xh5"}), ("i5", {"xi5"}), ("j5", set()), ("h5 i5", {"xh5", "xi5"}), ("g5 h5", set())],
)
def test_shots(light, expected):
    """A cannon on d5, e5, f5: the point in front empty, the target two or three away."""
    text = board(**TOWNS, d="d5 e5 f5", l=light) + " d 10"
    assert {name for name in Table(cannon, text).names() if name[0] == "x"} == expected
    clear = expected - {"xi5"} if light == "h5 i5" else expected
    assert {name for name in Table(cannon, text, clear=True).names() if name[0] == "x"} == clear


def test_a_shot_removes_the_piece_and_nobody_moves():
    text = board(**TOWNS, d="d5 e5 f5", l="h5 a9") + " d 10"
    assert Table(cannon, text).play("xh5").text() == board(**TOWNS, d="d5 e5 f5", l="a9") + " l 11"


def shots(dark, light, **parameters):
    """The shots of dark, whose soldiers stand on these points."""
    names = Table(cannon, board(**TOWNS, d=dark, l=light) + " d 10", **parameters).names()
    return {name for name in names if name[0] == "x"}


def test_a_soldier_takes_no_piece_of_its_own():
    """Neither soldiers before or beside it nor the town.

    3  . . d d . .      10  . . . l L l
    2  . . . d d .       9  . . . . l .
    1  . . . . D .       8  . . . . . .
    """
    table = Table(cannon, board(**TOWNS, d="d2 c3 d3 e2", l="a9") + " d 10")
    assert names_from(table, "d2") == {"d2-e3"}
    light = Table(cannon, board(D="e1", L="e10", d="a2", l="e9 d10 f10") + " l 11")
    assert names_from(light, "d10") == {"d10-c9", "d10-d9"}
    assert names_from(light, "f10") == {"f10-f9", "f10-g9"}


COMPASS = {
    "e": (1, 0),
    "ne": (1, 1),
    "n": (0, 1),
    "nw": (-1, 1),
    "w": (-1, 0),
    "sw": (-1, -1),
    "s": (0, -1),
    "se": (1, -1),
}


@pytest.mark.parametrize("way", COMPASS)
def test_a_retreat_from_an_enemy_on_any_side(way):
    """A soldier on e5 beside one enemy; it goes back two points wherever the way is free."""
    right, up = COMPASS[way]
    enemy = name_of((4 + right, 4 + up))
    table = Table(cannon, board(D="b1", L="f10", d="e5", l=enemy) + " d 10")
    back = {name for name in names_from(table, "e5") if name[-1] == "3"}
    assert back == {f"e5-{column}3" for column, middle in (("c", "d4"), ("e", "e4"), ("g", "f4")) if middle != enemy}


@pytest.mark.parametrize("way", COMPASS)
def test_a_cannon_slides_and_shoots_along_its_line(way):
    """Three soldiers from e5 on: the rear goes to the front, and what stands two or three points ahead is shot at."""
    right, up = COMPASS[way]
    line = [name_of((4 + right * k, 4 + up * k)) for k in range(-1, 5)]
    soldiers = " ".join(line[:3])
    table = Table(cannon, board(D="b1", L="b10", d=soldiers, l="j9") + " d 10")
    assert f"{line[0]}-{line[3]}" in table.names()
    for distance in (4, 5):
        aim = line[distance]
        table = Table(cannon, board(D="b1", L="b10", d=soldiers, l=aim) + " d 10")
        assert {name for name in table.names() if name[0] == "x"} == {f"x{aim}"}


def test_two_soldiers_are_no_cannon():
    assert shots("d5 e5", "g5 h5 a9") == set()
    assert shots("c5 e5 f5", "h5 i5") == set()  # nor are three with a gap
    assert shots("d5 e5 f5", "h5") == {"xh5"}


def test_the_town_taken_by_the_last_ply_wins():
    """Not a draw, though the limit is reached."""
    table = Table(cannon, board(**TOWNS, d="f9 d2", l="a9") + " d 18", plies=19).play("f9xf10")
    assert table.ask("over")
    assert table.scores() == [1.0, 0.0]
    assert table.ask("quality") == 0.5 + 1 / 32


def test_dark_and_light_take_turns():
    table = Table(cannon)
    for ply, name in enumerate(["e1", "f10", "b4-b5", "a7-a6"]):
        assert table.ask("mover") == ply % 2
        table.play(name)
    assert table.ask("mover") == 0
    assert table.text().split()[1:] == ["d", "4"]


def test_a_piece_under_two_cannons_is_shot_once():
    table = Table(cannon, board(**TOWNS, d="a5 b5 c5 g3 h2 i1", l="e5 a9") + " d 10")
    assert sorted(table.ask("move_name", move) for move in table.moves()).count("xe5") == 1


@pytest.mark.parametrize(("dark", "name"), [("f9", "f9xf10"), ("e10", "e10xf10"), ("f6 f7 f8", "xf10")])
def test_the_town_is_taken(dark, name):
    table = Table(cannon, board(**TOWNS, d=dark, l="a9") + " d 10")
    table.play(name)
    assert table.ask("over")
    assert table.scores() == [1.0, 0.0]
    assert table.ask("quality") == 0.5 + (len(dark.split()) - 1) / 32


@pytest.mark.parametrize("dark", ["f9 d2", "e10 d2", "g10 d2", "e9 d2", "g9 d2", "f6 f7 f8", "f5 f6 f7"])
def test_the_heuristic_takes_the_town(dark):
    table = Table(cannon, board(**TOWNS, d=dark, l="a9") + " d 10")
    rng = generator(1)
    for _ in range(20):
        after = table.copy()
        after.ask("play", table.ask("heuristic", rng))
        assert after.ask("over")
        assert after.scores() == [1.0, 0.0]


def test_the_heuristic_is_uniform_elsewhere():
    table = Table(cannon, board(**TOWNS, d="d5 e5 f5", l="h5 a9") + " d 10")
    rng = generator(1)
    with np.errstate(over="ignore"):
        drawn = Counter(table.ask("heuristic", rng) for _ in range(100 * len(table.moves())))
    assert set(drawn) == set(table.moves())
    assert max(drawn.values()) < 150


def test_whoever_cannot_move_loses():
    table = Table(cannon, board(**TOWNS, d="d10", l="a9") + " d 10")
    assert table.ask("over")
    assert table.scores() == [0.0, 1.0]
    none = Table(cannon, board(**TOWNS, l="a9") + " d 10")
    assert none.ask("over")
    assert none.scores() == [0.0, 1.0]


def test_the_limit_draws():
    table = Table(cannon, board(**TOWNS, d="d2", l="a9") + " d 18", plies=20).play("d2-d3")
    assert not table.ask("over")
    table.play("a9-a8")
    assert table.ask("over")
    assert table.scores() == [0.5, 0.5]
    assert table.ask("quality") == 0.5


@pytest.mark.skipif(not JIT, reason="needs many draws")
@pytest.mark.parametrize("pieces", [{"d": "d9 a9", "l": "d10 c10 e10 b2"}, {"d": "d5 e5 f5", "l": "h5 a9"}])
def test_samples_are_even(pieces):
    """Also where hardly a draw makes a move, so that they are looked for one by one."""
    table = Table(cannon, board(D="e1", L="f10", **pieces) + " d 10")
    kernel = Binding(cannon, 2, 0).kernel("sample")
    rng = generator(1)
    addresses = [array.ctypes.data for array in (table.rules_array, table.state_array, rng)]
    moves = table.moves()
    drawn = Counter(kernel(*addresses) for _ in range(1000 * len(moves)))
    assert set(drawn) == set(moves)
    assert all(abs(count - 1000) < 5 * 32 for count in drawn.values())


def test_a_playout_leaves_the_position_it_reached():
    playouts = Playouts(Table(cannon), "uniform_playout")
    for _ in range(10):
        plies = playouts()
        assert playouts.table.state.plies == plies
        assert playouts.table.ask("over")
        assert playouts.table.reread().state_array == playouts.table.state_array


START = Table(cannon).text()
FAIR = board(**TOWNS, d="d5", l="i9")


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "10 rows of 10"),
        (FAIR + " d", "10 rows of 10"),
        (FAIR[1:] + " d 10", "10 rows of 10"),
        (FAIR.replace(".", "x", 1) + " d 10", "10 rows of 10"),
        (FAIR + " x 10", "10 rows of 10"),
        (FAIR + " d 301", "'301': expected 0 to 300"),
        (FAIR + " d -2", "'-2': expected 0 to 300"),
        (FAIR + " l 10", "it is d to move"),
        (board(D="a1", L="f10", d="d5", l="i9") + " d 10", "not in a corner"),
        (board(D="e2", L="f10", d="d5", l="i9") + " d 10", "not in a corner"),
        (board(D="e1 d1", L="f10", d="d5", l="i9") + " d 10", "one town"),
        (board(D="e1", d="d5", l="i9") + " d 10", "only the mover's"),
        (board(d="d5", l="i9") + " d 10", "only the mover's"),
        (START.replace("d 0", "l 1"), "first ply"),
        (board(**TOWNS, d="d5") + " d 10", "has no soldier"),
        (FAIR + " d 2", "before both towns are placed"),
        (FAIR.replace("..........", "dddddddddd", 2) + " d 10", "at most 15"),
    ],
)
def test_impossible_texts_are_refused(text, sentence):
    with pytest.raises(RamifyError, match=sentence):
        Table(cannon, text)


@pytest.mark.parametrize("plies", [-1, 2, 10_001])
def test_parameters_out_of_range_are_refused(plies):
    with pytest.raises(RamifyError, match=f"invalid plies={plies}"):
        Table(cannon, plies=plies)
