"""Atari Go (first-capture Go, Y. Yasuda's Capture Go) on 9x9 or another size: the first to capture any stone wins.

Players take turns placing one stone on an empty point, x first, and never pass. A player who fills the last liberty of
an enemy chain wins at once; the captured stones stay on the board. Suicide is illegal: a stone must have a liberty or
capture. A player without a legal move loses. Playouts are uniform.

Points are named as in Go: ``a1`` is at the lower left, the letter i is skipped. Position text: the rows from the top,
``x``, ``o`` and ``.``, separated by ``/``. The number of stones determines the player to move.
"""

import numpy as np

from ramify.errors import RamifyError
from ramify.games.boards import go_grid, grids
from ramify.games.boards.cell_sets import fill, remove, words
from ramify.games.boards.chains import captures, chain_without_liberties, clear, fields, join, place, update_neighbours
from ramify.games.boards.go_grid import POINTS
from ramify.games.boards.placement import NOWHERE, allowed, has_no_placement, placements, random_placement

PLAYERS = 2

Rules = np.dtype(go_grid.RULES)
State = np.dtype(
    [
        ("placed", np.int64),  # stones on the board
        ("captor", np.int64),  # 1 + the player who captured, or 0
        ("empty", np.uint64, (words(POINTS),)),
        *fields(POINTS),
    ]
)


def configure(rules, size=9):
    go_grid.set_size(rules, "atarigo", size)


max_moves = move_classes = go_grid.points
mover = go_grid.mover
owners = go_grid.owners
move_name = go_grid.move_name
write = go_grid.write
draw = go_grid.draw


def start(rules, state):
    state.placed = 0
    state.captor = 0
    clear(rules, state)
    fill(state.empty, rules.points)


def over(rules, state):
    return state.captor > 0 or has_no_placement(rules, state, state.empty, mover(rules, state) + 1, allowed)


def legal(rules, state, moves):
    return placements(rules, state, state.empty, mover(rules, state) + 1, allowed, moves)


def sample(rules, state, rng):
    """Return a uniformly random legal move, or NOWHERE if no move is legal."""
    left = rules.points - state.placed
    return random_placement(rules, state, state.empty, left, mover(rules, state) + 1, allowed, 0, rng)


def play(rules, state, move):
    colour = mover(rules, state) + 1
    update_neighbours(rules, state, move, -1)
    if captures(rules, state, move, colour):
        state.captor = colour
    join(rules, state, move, colour)
    remove(state.empty, move)
    state.placed += 1


def playout(rules, state, rng):
    """Uniform playout. ``sample`` returns NOWHERE if no move is legal, so ``over`` is not called."""
    before = state.placed
    while state.captor == 0:
        point = sample(rules, state, rng)
        if point == NOWHERE:
            break
        play(rules, state, point)
    return state.placed - before


def scores(rules, state, out):
    winner = state.captor - 1 if state.captor > 0 else 1 - mover(rules, state)
    out[winner] = 1.0
    out[1 - winner] = 0.0


def read(rules, state, text):
    cells = grids.read_rows(int(rules.side), text)
    last = 2 - grids.whose_turn(cells)
    set_up(rules, state, cells)
    if chain_without_liberties(rules, state) < 0:
        return
    for point, cell in enumerate(cells):  # a capture: without the last stone every chain has a liberty
        if cell == last:
            set_up(rules, state, [*cells[:point], 0, *cells[point + 1 :]])
            if chain_without_liberties(rules, state) < 0:
                play(rules, state, point)
                if state.captor > 0:
                    return
    raise RamifyError("a chain has no liberty, and no single move can have captured it")


def set_up(rules, state, cells):
    """Set the position to these stones; the player to move follows from their number."""
    start(rules, state)
    for point, cell in enumerate(cells):
        if cell:
            place(rules, state, point, cell)
            remove(state.empty, point)
            state.placed += 1
