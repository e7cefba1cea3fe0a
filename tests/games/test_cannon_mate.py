"""Cannon that ends by mate: moves that leave the own town to be taken are illegal."""

import random
from collections import Counter

import pytest

import ramify
from ramify.agents.checking.perft import perft
from ramify.core.kernels.compiling import JIT
from ramify.errors import RamifyError
from ramify.games.cannon import cannon
from ramify.statistics.chi_square import homogeneity_p
from tests.games.drawing import drawn, fits
from tests.games.driving import Playouts, Table
from tests.games.test_cannon import AROUND, TOWNS, board, naive_after, naive_names, name_of, pieces_of

SQUARES = {name_of((x, y)): (x, y) for x in range(10) for y in range(10)}


def attackable(pieces, town, clear=False):
    """Whether the other side could take the town ``D`` or ``L``, by a soldier next to it or by a shot."""
    soldier, up = {"D": ("l", -1), "L": ("d", 1)}[town]
    (x, y) = next(square for square, mark in pieces.items() if mark == town)
    if any(pieces.get((x - dx, y - dy)) == soldier for dx, dy in ((-1, up), (0, up), (1, up), (-1, 0), (1, 0))):
        return True
    for dx, dy in AROUND:
        line = [(x + n * dx, y + n * dy) for n in range(1, 6)]
        marks = [pieces.get(square, ".") for square in line]  # beyond the edge is no soldier
        near = marks[:4] == [".", soldier, soldier, soldier]
        far = marks[1:] == [".", soldier, soldier, soldier] and (marks[0] == "." or not clear)
        if near or far:
            return True
    return False


def moved(pieces, name):
    """The pieces after a move that is none of the first two."""
    after = dict(pieces)
    if name[0] == "x":
        del after[SQUARES[name[1:]]]
    else:
        origin, to = name.replace("x", "-").split("-")
        after[SQUARES[to]] = after.pop(SQUARES[origin])
    return after


def legal_names(text, corners=False, clear=False):
    """The naive moves of the game without mate, without those that leave the own town to be taken."""
    _, side, plies = text.split()
    if int(plies) < 2:
        home = "1" if side == "d" else "10"
        return naive_names(text) | ({"a" + home, "j" + home} if corners else set())
    pieces = pieces_of(text)
    return {n for n in naive_names(text, clear) if not attackable(moved(pieces, n), side.upper(), clear)}


def attacks(text, name, clear=False):
    """Whether a move leaves the other town to be taken."""
    return attackable(moved(pieces_of(text), name), {"d": "L", "l": "D"}[text.split()[1]], clear)


@pytest.mark.parametrize(("corners", "clear"), [(False, False), (True, False), (True, True)])
def test_random_games_beside_the_rules(corners, clear):
    """With play that attacks the town when it can, which mates."""
    chooser = random.Random(3)
    found = Counter()
    rules = f"mate=true, corners={str(corners).lower()}, clear={str(clear).lower()}, plies=200"
    for _ in range(6 if JIT else 1):
        state = ramify.load(f"cannon({rules})").initial()
        while not state.over:
            text = state.text()
            names = legal_names(text, corners, clear)
            assert sorted(move.name for move in state.moves()) == sorted(names)
            plies = int(text.split()[2])
            found["pinned"] += len(names) < len(naive_names(text, clear))
            checks = []
            if plies >= 2 and chooser.random() < 0.1:
                checks = [name for name in sorted(names) if attacks(text, name, clear)]
            name = chooser.choice(checks or sorted(names))
            found["checks"] += bool(checks)
            found["corner towns"] += plies < 2 and name[0] in "aj"
            state = state.play(name)
            assert state.text() == naive_after(text, name)
        assert ("D" in state.text(), "L" in state.text()) == (True, True)
        loser = int(state.text().split()[2]) % 2
        if not legal_names(state.text(), corners, clear):
            found["mates"] += 1
            assert state.scores()[loser] == 0.0
        else:
            assert state.scores() == [0.5, 0.5]
    assert not JIT or (min(found["pinned"], found["checks"], found["mates"]) > 0)


def test_a_town_under_attack_must_be_relieved():
    """A dark soldier on f9 stands before light's town; the piece on e10 may take it, the one on a9 is pinned down."""
    table = Table(cannon, board(D="e1", L="f10", d="f8 b2", l="e10 a9") + " d 10", mate=True).play("f8-f9")
    assert table.names() == {"e10xf9"}
    assert {"a9-a8", "e10xf9"} < Table(cannon, table.text()).names()


def test_mate():
    """f9 is out of everybody's reach, and so light has no legal move, though it has others."""
    table = Table(cannon, board(D="e1", L="f10", d="f8 b2 c2", l="a9") + " d 10", mate=True).play("f8-f9")
    assert table.ask("over")
    assert table.moves() == []
    assert table.scores() == [1.0, 0.0]
    assert table.ask("quality") == 0.5 + 2 / 32
    assert Table(cannon, table.text()).names()


def test_the_own_cannon_line_may_not_be_opened():
    """Light's soldier on f8 stands right before the cannon on f5, f6 and f7, which would shoot at the town."""
    table = Table(cannon, board(D="e1", L="f10", d="f5 f6 f7", l="f8 a9") + " l 11", mate=True)
    assert all(name.startswith("a9") or name == "f8xf7" for name in table.names())
    assert "f8-f7" not in table.names()
    assert {"a9-a8", "a9-b8", "f8xf7"} <= table.names()
    assert {"f8-e7", "f8-g7"} <= Table(cannon, table.text()).names()


def test_whoever_is_not_attacked_but_cannot_move_loses_too():
    table = Table(cannon, board(**TOWNS, d="d10", l="a9") + " d 10", mate=True)
    assert table.ask("over")
    assert table.scores() == [0.0, 1.0]


def test_numbers_of_sequences():
    """Towns: 8 x 8, or 10 x 10 with corners; nothing can be attacked in the two plies after that."""
    assert perft(ramify.load("cannon").initial(), 3)[:2] == [8, 64]
    mate = perft(ramify.load("cannon(mate=true, corners=true)").initial(), 4)
    assert mate == perft(ramify.load("cannon(corners=true)").initial(), 4)
    assert mate[:2] == [10, 100]
    position = board(D="e1", L="f10", d="c7 e7 g7 d8 h8 b5", l="a9 e10 g10 c9 i9 f4 d4 d3") + " d 40"
    plain, by_mate = (perft(ramify.load(name).position(position), 3) for name in ("cannon", "cannon(mate=true)"))
    assert plain[0] == len(naive_names(position))
    assert by_mate == naive_perft(position, 3)
    assert by_mate[2] < plain[2]


def naive_perft(text, depth):
    counts, level = [], [text]
    for _ in range(depth - 1):
        level = [naive_after(one, name) for one in level for name in legal_names(one)]
        counts.append(len(level))
    return [*counts, sum(len(legal_names(one)) for one in level)]


@pytest.mark.skipif(not JIT, reason="needs many draws")
def test_samples_are_even():
    """Also in check, where few candidates make a move."""
    text = board(D="e1", L="f10", d="f9 b2", l="e10 g10 a9 b9 c9") + " l 11"
    table = Table(cannon, text, mate=True)
    assert table.names() == {"e10xf9", "g10xf9", "xf9"}
    for position in (table, Table(cannon, mate=True, corners=True)):
        names = position.names()
        assert fits(drawn(position, "sample", 400 * len(names)), dict.fromkeys(names, 1)) > 1e-4


@pytest.mark.skipif(not JIT, reason="needs many playouts")
def test_playouts_end_as_uniform_play_does():
    ends = []
    for kernel, seed in (("uniform_playout", 1), ("plain_playout", 2)):
        playouts = Playouts(Table(cannon, mate=True, corners=True, plies=1000), kernel, seed)
        found = []
        for _ in range(500):
            plies = playouts()
            assert playouts.table.state.plies == plies
            found.append((playouts.table.scores()[0], plies // 30))
        assert playouts.table.ask("over")
        assert playouts.table.reread().state_array == playouts.table.state_array
        ends.append(found)
    assert homogeneity_p([(score,) for score, _ in ends[0]], [(score,) for score, _ in ends[1]]) > 1e-4
    assert homogeneity_p([(float(plies),) for _, plies in ends[0]], [(float(plies),) for _, plies in ends[1]]) > 1e-4


@pytest.mark.parametrize(
    ("text", "parameters", "sentence"),
    [
        (board(D="e1", L="f10", d="f9", l="a9") + " d 10", {"mate": True}, "left its town open to capture"),
        (board(D="e1", L="f10", d="f4 f5 f6", l="a9") + " d 10", {"mate": True}, None),
        (board(D="e1", L="f10", d="f6 f7 f8", l="a9") + " d 10", {"mate": True}, "left its town open to capture"),
        (board(D="e1", d="f9", l="a9") + " l 11", {"mate": True}, "no town is captured"),
        (board(D="a1", L="f10", d="d5", l="i9") + " d 10", {"corners": True}, None),
        (board(D="a2", L="f10", d="d5", l="i9") + " d 10", {"corners": True}, "on its home row"),
    ],
)
def test_texts(text, parameters, sentence):
    if sentence is None:
        table = Table(cannon, text, **parameters)
        assert table.text() == text
    else:
        with pytest.raises(RamifyError, match=sentence):
            Table(cannon, text, **parameters)


def test_towns_in_the_corners():
    table = Table(cannon, corners=True)
    assert table.names() == {f"{column}1" for column in "abcdefghij"}
    assert table.play("a1").names() == {f"{column}10" for column in "abcdefghij"}
    assert pieces_of(table.play("j10").text())[9, 9] == "L"
