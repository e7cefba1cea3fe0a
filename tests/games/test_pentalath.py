import random
from collections import Counter

import pytest

import ramify
from ramify.agents.perft import perft
from ramify.core.compiling import JIT
from ramify.errors import RamifyError
from ramify.games import pentalath
from tests.games.driving import Playouts, Table
from tests.games.stones import after, check_chains, drawn, even

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
    for _ in range(6):
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


def hexagon(*rows, made):
    """The text of rows with blanks."""
    return "/".join(row.replace(" ", "") for row in rows) + f" {made}"


def test_capture_():
    """x at h1 takes the last freedom of the corner stone i1."""
    text = hexagon(
        "    o x . . .    ",
        "   . . . . . .   ",
        "  x . . . . . .  ",
        " . . . . . . . . ",
        ". . . . . . . . .",
        " . . . . . . . . ",
        "  . . . . . . .  ",
        "   . . . . . o   ",
        "    . . . . .    ",
        made=4,
    )
    table = Table(pentalath, text, board="hexagon")
    assert "h2" in table.names()
    table.play("h1", "a1")
    assert table.state.stones[0] == 1 or table.text().startswith("ox")


def test_drawing_is_a_hexagon():
    lines = Table(pentalath, board="hexagon").play("i1", "a5").ask("draw").splitlines()
    assert lines[0] == "i     x . . . ."
    assert lines[4] == "e . . . . . . . . ."
    assert lines[8] == "a     . . . . o"
    assert len(Table(pentalath).ask("draw").splitlines()) == 7
