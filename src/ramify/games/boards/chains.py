"""Chains of stones and their liberties, kept up to date as stones come and go; shared by the games of Go's family.

A *chain* is a set of stones of one colour joined by neighbours, a *liberty* an empty neighbour of it. Every game has
``rules.points`` and the table ``rules.around`` of every point's ``rules.degree`` neighbours, with ``rules.points``
itself in the place of those beyond the edge; its state has the fields that ``fields`` makes, and ``empty`` where
chains are lifted. All of them follow from the stones alone.

``open`` counts pairs: of a chain, at its head, the pairs of a stone and an empty neighbour; of an empty point its
empty neighbours. The last liberty of a chain is filled when its count is 0, and an empty point is counted like the
chain that a stone there would be, so placing a stone takes one from whatever is at the head of every neighbour
(pseudo-liberties as in M. Boon's and L. Lew's programs). Heads are the lowest points of their chains.
"""

import numpy as np

from ramify.core.numbers.bits import bit

EMPTY, BORDER = 0, 3  # and 1 and 2 are the stones of players 0 and 1
LIFTED = -1  # while a chain is taken off


def fields(points):
    """The fields of a state with so many points at most; one more stands for all that is beyond the edge."""
    return [
        ("stones", np.int8, (points + 1,)),
        ("head", np.int16, (points + 1,)),  # the lowest point of the chain; an empty point is its own
        ("open", np.int16, (points + 1,)),
    ]


def clear(rules, state):
    """Make the board empty."""
    for point in range(rules.points):
        state.stones[point] = EMPTY
        state.head[point] = point
        inside = 0
        for k in range(rules.degree):
            inside += rules.around[point, k] != rules.points
        state.open[point] = inside
    state.stones[rules.points] = BORDER
    state.head[rules.points] = rules.points
    state.open[rules.points] = 0


def update_neighbours(rules, state, point, by):
    """Add ``by`` to the count of every neighbour: -1 as a stone comes to the point, 1 as it goes."""
    for k in range(rules.degree):
        state.open[state.head[rules.around[point, k]]] += by


def has_liberty(rules, state, point, colour):
    """Whether a stone here has a liberty, captures apart; after ``press``."""
    free = state.open[point] > 0
    for k in range(rules.degree):
        beside = rules.around[point, k]
        free |= state.stones[beside] == colour and state.open[state.head[beside]] > 0
    return free


def captures(rules, state, point, colour):
    """Whether a stone here takes the last liberty of a chain of the other colour; after ``press``."""
    taken = False
    for k in range(rules.degree):
        beside = rules.around[point, k]
        taken |= state.stones[beside] == 3 - colour and state.open[state.head[beside]] == 0
    return taken


def join(rules, state, point, colour):
    """Put a stone on the point, after ``press`` and after captured stones are gone."""
    state.stones[point] = colour
    for k in range(rules.degree):
        beside = rules.around[point, k]
        if state.stones[beside] == colour and state.head[beside] != state.head[point]:
            low = min(state.head[beside], state.head[point])
            high = max(state.head[beside], state.head[point])
            state.open[low] += state.open[high]
            state.open[high] = 0
            for other in range(rules.points):
                state.head[other] = low if state.head[other] == high else state.head[other]


def lift(rules, state, chain):
    """Take a chain off the board, given by its head, where its last liberty has just been filled; how many stones."""
    count = 0
    for point in range(chain, rules.points):
        if state.head[point] == chain:
            state.stones[point] = LIFTED
            state.head[point] = point
            count += 1
    for point in range(chain, rules.points):
        if state.stones[point] == LIFTED:
            state.stones[point] = EMPTY
            state.empty[point >> 6] |= bit(point & 63)
            update_neighbours(rules, state, point, 1)
    return count


def place(rules, state, point, colour):
    """Put a stone on the board, where it captures nothing."""
    update_neighbours(rules, state, point, -1)
    join(rules, state, point, colour)


def chain_without_liberties(rules, state):
    """The first stone of a chain without liberties, or -1; for texts of positions."""
    for point in range(int(rules.points)):
        if state.stones[point] != EMPTY and state.open[state.head[point]] == 0:
            return point
    return -1
