"""Gomoku (five in a row) on 15x15 or another size: the first with five stones in an unbroken line wins.

Players place a stone a turn on any empty cell, x first; lines run along rows, columns and both diagonals. Five or
more stones win (freestyle); with ``exact=true`` it must be five and no more (standard Gomoku). A full board is a draw.
There are no opening rules. ``row`` is the number of stones that win. Freestyle rules are those of OpenSpiel's
``gomoku``.

Cells are named ``a1`` (lower left) to ``o15``. Position text: the rows from the top, ``x``, ``o`` and ``.``, separated
by ``/``; the counts tell whose turn it is.
"""

from ramify.errors import RamifyError
from ramify.games.boards import grids, mnk

PLAYERS = 2
MAX_SIZE = 19
Rules, State = mnk.records(MAX_SIZE)


def configure(rules, size=15, row=5, exact=False):
    grids.check_size("gomoku", size, 2, MAX_SIZE)
    if not 2 <= row <= size:
        raise RamifyError(f"gomoku needs a row of 2 to {size} stones on this board, not {row}")
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
