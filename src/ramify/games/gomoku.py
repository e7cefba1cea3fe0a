"""Gomoku (five in a row) on 15x15 or another size: the first with five stones in an unbroken line wins.

Players take turns placing one stone on any empty cell, x first. Lines are rows, columns and diagonals. ``row`` is the
number of stones that win (default: 5). More stones also win (freestyle), unless ``exact=true`` (standard Gomoku). A
full board is a draw. There are no opening rules. The freestyle rules are those of OpenSpiel's ``gomoku``. Playouts are
uniform.

Cells are named ``a1`` (lower left) to ``o15``. Position text: the rows from the top, ``x``, ``o`` and ``.``, separated
by ``/``. The number of stones determines the player to move.
"""

from ramify.errors import RamifyError
from ramify.games.boards import grids, mnk

PLAYERS = 2
MAX_SIZE = 19
Rules, State = mnk.records(MAX_SIZE)


def configure(rules, size=15, row=5, exact=False):
    grids.check_size("gomoku", size, 2, MAX_SIZE)
    if not 2 <= row <= size:
        raise RamifyError(f"invalid row={row} for gomoku(size={size}): use 2 to {size}")
    mnk.set_size(rules, size, row, exact)


max_moves = move_classes = mnk.cells
mover = mnk.mover
over = mnk.over
legal = mnk.legal
sample = mnk.sample
play = mnk.play
owners = mnk.owners
scores = mnk.scores
move_name = mnk.move_name
write = mnk.write
read = mnk.read
draw = mnk.draw


def start(rules, state):
    mnk.clear(rules, state)
