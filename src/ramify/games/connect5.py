"""Connect 5 of the GGP base repository: five in a row on 8x8, stones placed anywhere.

Players take turns placing one stone on any empty cell, x first. Five or more stones in an unbroken line, along a row,
column or diagonal, win; a full board is a draw. These are the rules of ``connect5`` in the GGP base repository. It is
Gomoku on a small board (``size`` 5 to 8), where draws are likely. Playouts are uniform.

Cells are named ``a1`` (lower left) to ``h8``. Position text: the rows from the top, ``x``, ``o`` and ``.``, separated
by ``/``. The number of stones determines the player to move.
"""

from ramify.games.boards import grids, mnk

PLAYERS = 2
MAX_SIZE = 8
Rules, State = mnk.records(MAX_SIZE)


def configure(rules, size=8):
    grids.check_size("connect5", size, 5, MAX_SIZE)
    mnk.set_size(rules, size, 5, False)


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
