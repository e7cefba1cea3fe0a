"""Connect 5 as the general game players have it: five in a row on 8x8, stones placed anywhere.

Players place a stone a turn on any empty cell, x first. Five or more of one's own in an unbroken line, along a row, a
column or a diagonal, win; a full board is a draw. These are the rules of ``connect5`` in the collection of the GGP
base repository. It is Gomoku on a small board, where draws are likely.

Cells are named ``a1`` (lower left) to ``h8``. Position text: the rows from the top, ``x``, ``o`` and ``.``, separated
by ``/``; the counts tell whose turn it is.
"""

from ramify.errors import RamifyError
from ramify.games.boards import lines

PLAYERS = 2
LARGEST = 8
Rules, State = lines.records(LARGEST)


def configure(rules, size=8):
    if not 5 <= size <= LARGEST:
        raise RamifyError(f"connect5 needs a size from 5 to {LARGEST}, not {size}")
    lines.set_size(rules, size, 5, False)


max_moves = move_classes = lines.cells
mover = lines.mover
over = lines.over
legal = lines.legal
sample = lines.sample
play = lines.play
owners = lines.owners
scores = lines.scores
move_name = lines.move_name
write = lines.write
read = lines.read
draw = lines.draw


def start(rules, state):
    lines.clear(rules, state)
