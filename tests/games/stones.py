"""Slow and obvious: chains, liberties and captures on sets of cells, straight from the rules of Go.

A board is a dict from occupied cells to players; ``around`` gives the neighbours of every cell.
"""

from collections import Counter

import numpy as np

from ramify.core.numbers.rng import generator
from ramify.games.boards.grids import write_rows


def square(size):
    """Neighbours on a square board; cells are (row from below, column)."""
    cells = [(r, c) for r in range(size) for c in range(size)]
    return {
        (r, c): [near for near in ((r - 1, c), (r + 1, c), (r, c - 1), (r, c + 1)) if near in cells] for r, c in cells
    }


def cells_of(text):
    """The board of a text with rows from the top."""
    rows = text.split("/")[::-1]
    return {(r, c): "xo".index(mark) for r, row in enumerate(rows) for c, mark in enumerate(row) if mark != "."}


def text_of(board, size):
    rows = ("".join("xo"[board[r, c]] if (r, c) in board else "." for c in range(size)) for r in reversed(range(size)))
    return "/".join(rows)


def name(cell):
    row, column = cell
    return "abcdefghjklmnopqrst"[column] + str(row + 1)


def chain(board, around, cell):
    """The stones joined to the one on ``cell``."""
    found = {cell}
    waiting = [cell]
    while waiting:
        new = [near for near in around[waiting.pop()] if board.get(near) == board[cell] and near not in found]
        found.update(new)
        waiting.extend(new)
    return found


def liberties(board, around, stones):
    return {near for cell in stones for near in around[cell] if near not in board}


def dead(board, around, player):
    """The stones of a player without liberties."""
    return {
        cell
        for cell, owner in board.items()
        if owner == player and not liberties(board, around, chain(board, around, cell))
    }


def after(board, around, cell, player):
    """The board after a move, captures made, or None where it is suicide."""
    board = {**board, cell: player}
    for taken in dead(board, around, 1 - player):
        del board[taken]
    return None if dead(board, around, player) else board


def check_chains(table, names, board, around):
    """What the state keeps of chains (``boards.chains``) is what the stones say; ``names`` are cells by number."""
    state, numbers = table.state, {cell: number for number, cell in enumerate(names)}
    for number, cell in enumerate(names):
        assert state.stones[number] == (board[cell] + 1 if cell in board else 0)
        stones = chain(board, around, cell) if cell in board else {cell}
        head = min(numbers[one] for one in stones)
        assert state.head[number] == head
        pairs = sum(near not in board for one in stones for near in around[one])
        assert state.pseudo_liberties[number] == (pairs if number == head else 0)


def crowded(table, chooser):
    """Play at random until half of the empty points or more are forbidden, and some are not; the points left."""
    start = table.copy()
    while True:
        points = table.names() - {"pass"}
        if 2 <= len(points) <= board_of(table).count(".") / 2:
            return points
        table.ask("play", chooser.choice(table.moves()))
        if table.ask("over"):
            table.state_array[:] = start.state_array


def board_of(table):
    return write_rows(int(table.rules.side), table.state.stones[: table.rules.points])


def drawn(table, function, draws=3000):
    """How often the names of moves are drawn, in plain Python."""
    rng = generator(7)
    with np.errstate(over="ignore"):
        return Counter(table.ask("move_name", table.ask(function, rng)) for _ in range(draws))


def even(counts, names):
    """Whether all names were drawn, about equally often."""
    expected = sum(counts.values()) / len(names)
    return set(counts) == set(names) and all(abs(n - expected) < 5 * expected**0.5 for n in counts.values())
