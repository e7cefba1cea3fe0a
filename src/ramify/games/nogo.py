"""NoGo (anti-atari Go; BIRS workshop on combinatorial games, 2011) on 9x9 or another size: who cannot move loses.

Players take turns placing one stone on an empty point, x first, and never pass. Captures and suicide are illegal: after
every move each chain on the board must have a liberty. A player without a legal move loses. Any first move is legal, as
in the experiments of T. Cazenave (2015) and T. Pepels et al. (2014) with SHOT.

A point that is illegal for a player stays illegal until it is filled. If a stone there would capture, the chain with
that last liberty can only grow through this very point. If it would be suicide, the player's own chains in atari
cannot grow either, and enemy stones stay. A uniform playout therefore discards an illegal point once it has drawn it.

Points are named as in Go: ``a1`` is at the lower left, the letter i is skipped. Position text: the rows from the top,
``x``, ``o`` and ``.``, separated by ``/``. The number of stones determines the player to move.
"""

import numpy as np

from ramify.core.numbers.bits import bit
from ramify.core.numbers.rng import below
from ramify.errors import RamifyError
from ramify.games.boards import go_grid, grids
from ramify.games.boards.cell_sets import fill, nth_of, remove, size_of, words
from ramify.games.boards.chains import (
    captures,
    chain_without_liberties,
    clear,
    fields,
    has_liberty,
    join,
    place,
    update_neighbours,
)
from ramify.games.boards.go_grid import POINTS
from ramify.games.boards.placement import has_no_placement, placements

PLAYERS = 2

Rules = np.dtype(go_grid.RULES)
State = np.dtype(
    [
        ("placed", np.int64),  # stones on the board
        ("untried", np.uint64, (2, words(POINTS))),  # empty points, per player; playouts also remove illegal ones
        *fields(POINTS),
    ]
)


def configure(rules, size=9):
    go_grid.set_size(rules, "nogo", size)


max_moves = move_classes = go_grid.points
mover = go_grid.mover
owners = go_grid.owners
move_name = go_grid.move_name
write = go_grid.write
draw = go_grid.draw


def start(rules, state):
    state.placed = 0
    clear(rules, state)
    fill(state.untried[0], rules.points)
    fill(state.untried[1], rules.points)


def allowed(rules, state, point, colour):
    """Whether a stone may be placed on an empty point."""
    update_neighbours(rules, state, point, -1)
    good = has_liberty(rules, state, point, colour) and not captures(rules, state, point, colour)
    update_neighbours(rules, state, point, 1)
    return good


def legal(rules, state, moves):
    player = mover(rules, state)
    return placements(rules, state, state.untried[player], player + 1, allowed, moves)


def over(rules, state):
    player = mover(rules, state)
    return has_no_placement(rules, state, state.untried[player], player + 1, allowed)


def play(rules, state, move):
    place(rules, state, move, mover(rules, state) + 1)
    remove(state.untried[0], move)
    remove(state.untried[1], move)
    state.placed += 1


def playout(rules, state, rng):
    """Uniform playout: draw an untried point and remove it, until one is legal."""
    plies = 0
    player = mover(rules, state)
    left = size_of(state.untried[player], rules.words)
    while left > 0:
        point = nth_of(state.untried[player], below(rng, left))
        remove(state.untried[player], point)
        update_neighbours(rules, state, point, -1)
        if has_liberty(rules, state, point, player + 1) and not captures(rules, state, point, player + 1):
            join(rules, state, point, player + 1)
            plies += 1
            player = 1 - player
            state.untried[player, point >> 6] &= ~bit(point & 63)
            left = size_of(state.untried[player], rules.words)
        else:
            update_neighbours(rules, state, point, 1)
            left -= 1
    state.placed += plies
    return plies


def scores(rules, state, out):
    loser = mover(rules, state)
    out[loser] = 0.0
    out[1 - loser] = 1.0


def read(rules, state, text):
    cells = grids.read_rows(int(rules.side), text)
    grids.whose_turn(cells)
    start(rules, state)
    for point, cell in enumerate(cells):
        if cell:
            place(rules, state, point, cell)
            remove(state.untried[0], point)
            remove(state.untried[1], point)
            state.placed += 1
    stuck = chain_without_liberties(rules, state)
    if stuck >= 0:
        raise RamifyError(f"the chain at {move_name(rules, state, stuck)} has no liberty")
