"""What ``quality`` says of finished games, against the definitions of Pepels et al. (2014) read off the text."""

import random

import pytest

import ramify
from ramify.core.kernels.compiling import JIT
from ramify.games import pentalath
from ramify.games.amazons import amazons
from ramify.games.cannon import cannon
from ramify.games.checkers import checkers
from ramify.games.chinese_checkers import chinese_checkers
from tests.games.driving import Table
from tests.games.test_chinese_checkers import placed
from tests.games.test_chinese_checkers_forward import goal_cells
from tests.games.test_pentalath import longest, neighbours, places


def rows_of(text):
    return text.split()[0].split("/")


def count(text, mark):
    return text.split()[0].lower().count(mark)


def amazons_quality(text, winner, size):
    """(1 + queen moves of the winner) over their most, 4 (4n - 5), and 2."""
    rows = rows_of(text)
    marks = {(r, c): rows[r][c] for r in range(size) for c in range(size)}
    moves = 0
    for (r, c), mark in marks.items():
        if mark == "wb"[winner]:
            for down, right in ((0, 1), (1, 0), (1, 1), (1, -1), (0, -1), (-1, 0), (-1, -1), (-1, 1)):
                steps = 1
                while marks.get((r + steps * down, c + steps * right)) == ".":
                    steps += 1
                moves += steps - 1
    return (1 + moves) / (2 + 4 * (4 * size - 5))


def lead(first, second):
    """The winner's lead in pieces."""
    return lambda text, winner: (count(text, first) - count(text, second)) * (1 if winner == 0 else -1)


def cannon_quality(text, winner):
    board = text.split()[0]
    return 0.5 + (board.count("d") - board.count("l")) * (1 if winner == 0 else -1) / 32


def brought(text, loser):
    rows = rows_of(text)[::-1]
    marks = {f"{r + 1}{'abcdefghij'[k]}": mark for r, row in enumerate(rows) for k, mark in enumerate(row)}
    return sum(marks[cell] == "xo"[loser] for cell in goal_cells("xo"[loser]))


def row_left(text, loser, board):
    marks = "".join(rows_of(text))
    cells = list(places(board).values())
    stones = {cell: "xo".index(mark) for cell, mark in zip(cells, marks, strict=True) if mark != "."}
    return max(1, longest({"stones": stones, "cells": set(neighbours(board))}, loser, room=True))


NAIVE = {
    "amazons(size=6)": lambda text, winner: amazons_quality(text, winner, 6),
    "amazons(size=8)": lambda text, winner: amazons_quality(text, winner, 8),
    "breakthrough": lambda text, winner: 0.5 + lead("w", "b")(text, winner) / 34,
    "cannon(plies=10000)": cannon_quality,
    "cannon(mate=true, corners=true, plies=1000)": cannon_quality,
    "checkers": lambda text, winner: count(text, "bw"[winner]) / 13,
    "checkers(quiet=25, advances=true, duel=true)": lambda text, winner: count(text, "bw"[winner]) / 13,
    "chinese_checkers(stay=true, forward=true)": lambda text, winner: 1 / (2 + brought(text, 1 - winner)),
    'chinese_checkers(forward=true, stay=true, quality="linear")': lambda text, winner: (
        (6 - brought(text, 1 - winner)) / 7
    ),
    "pentalath": lambda text, winner: 1 / (1 + row_left(text, 1 - winner, "half")),
    'pentalath(board="hexagon", swap=true)': lambda text, winner: 1 / (1 + row_left(text, 1 - winner, "hexagon")),
    'pentalath(board="hexagon", swap=true, quality="linear")': lambda text, winner: (
        (5 - row_left(text, 1 - winner, "hexagon")) / 6
    ),
}


@pytest.mark.parametrize("name", NAIVE)
def test_quality_of_finished_games(name):
    game = ramify.load(name)
    chooser = random.Random(1)
    seen = set()
    for _ in range(6 if JIT else 1):
        state = game.initial()
        while not state.over:
            state = state.play(chooser.choice(state.moves()))
        table = Table(game.module)
        table.rules_array[:], table.state_array[:] = game.rules_array, state.data
        quality = float(table.ask("quality"))
        assert 0.0 < quality < 1.0
        if 1.0 in state.scores():
            assert quality == pytest.approx(NAIVE[name](state.text(), state.scores().index(1.0)))
            seen.add(quality)
        else:
            assert quality == 0.5
    assert len(seen) > 1 or not JIT


def test_quality_stays_within_its_bounds_in_the_extremes():
    """All soldiers against none, all men against none, nothing brought home and nearly all, rows of one and of four."""
    beaten = Table(cannon, ".....L..../d........./" + "dd......../" * 7 + "....D..... l 99", plies=200, mate=True)
    assert beaten.ask("over")
    assert beaten.ask("quality") == 0.5 + 15 / 32
    twelve = Table(checkers, "bbbb/bbbb/bbbb/..../..../..../..../.... w 0")
    assert twelve.ask("quality") == 12 / 13
    for linear, far, near in (("inverse", 1 / 2, 1 / 7), ("linear", 6 / 7, 1 / 7)):
        for home, quality in (("7a 7b 7c 7d 7e 7f", far), ("1a 2a 2b 3a 3b 5a", near)):
            text = placed("x 20", x="13a 12a 12b 11a 11b 10g", o=home)
            assert Table(chinese_checkers, text, quality=linear).play("10g-11c").ask("quality") == quality
    row = "xxxxx/{}/......./......../........./......../......./....../..... 11"
    for linear, one, four in (("inverse", 1 / 2, 1 / 5), ("linear", 4 / 6, 1 / 6)):
        for stones, quality in (("o.o.o.", one), ("oooo..", four)):
            table = Table(pentalath, row.format(stones), board="hexagon", quality=linear)
            assert table.ask("over")
            assert table.ask("quality") == quality
    shut = Table(amazons, "######/#w#..b/######/######/#w#w#b/w#bb## w", size=6)
    assert 0 < shut.ask("quality") < 1
