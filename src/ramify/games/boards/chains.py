"""Chains of stones and their pseudo-liberties, updated incrementally; shared by Go, Atari Go, NoGo and Pentalath.

A *chain* is a connected set of stones of one colour, a *liberty* an empty neighbour of it. A chain is identified by its
*head*, its lowest point. The game's rules need ``points``, ``degree`` (neighbours per point) and the table ``around``
of neighbours, in which ``points`` stands for everything beyond the edge. The state needs the fields that ``fields``
returns, and ``empty`` if chains are captured. All of these fields are functions of the stones alone.

``pseudo_liberties[head]`` counts pairs of a stone of the chain and an empty neighbour. For an empty point it counts the
empty neighbours, i.e. the pseudo-liberties that a stone there would have. So placing a stone subtracts one at the head
of each neighbour, whatever that is, and a chain has no liberty when its count is 0 (as in the Go programs of M. Boon
and L. Lew).
"""

import numpy as np

from ramify.core.numbers.bits import bit

EMPTY, BORDER = 0, 3  # 1 and 2 are the stones of players 0 and 1
REMOVED = -1  # marks a chain's stones while it is removed


def fields(points):
    """Return the state fields for at most ``points`` points; one more element stands for everything beyond the edge."""
    return [
        ("stones", np.int8, (points + 1,)),
        ("head", np.int16, (points + 1,)),  # lowest point of the chain; an empty point is its own head
        ("pseudo_liberties", np.int16, (points + 1,)),  # pseudo-liberties at heads, else 0
    ]


def clear(rules, state):
    """Empty the board."""
    for point in range(rules.points):
        state.stones[point] = EMPTY
        state.head[point] = point
        inside = 0
        for k in range(rules.degree):
            inside += rules.around[point, k] != rules.points
        state.pseudo_liberties[point] = inside
    state.stones[rules.points] = BORDER
    state.head[rules.points] = rules.points
    state.pseudo_liberties[rules.points] = 0


def update_neighbours(rules, state, point, by):
    """Add ``by`` to the pseudo-liberties of every neighbour: -1 before placing a stone, 1 after removing one."""
    for k in range(rules.degree):
        state.pseudo_liberties[state.head[rules.around[point, k]]] += by


def has_liberty(rules, state, point, colour):
    """Whether a stone here has a liberty, captures aside. Call after ``update_neighbours(..., -1)``."""
    free = state.pseudo_liberties[point] > 0
    for k in range(rules.degree):
        beside = rules.around[point, k]
        free |= state.stones[beside] == colour and state.pseudo_liberties[state.head[beside]] > 0
    return free


def captures(rules, state, point, colour):
    """Whether a stone here captures an enemy chain. Call after ``update_neighbours(..., -1)``."""
    taken = False
    for k in range(rules.degree):
        beside = rules.around[point, k]
        taken |= state.stones[beside] == 3 - colour and state.pseudo_liberties[state.head[beside]] == 0
    return taken


def join(rules, state, point, colour):
    """Put a stone on the point and merge chains. Call after ``update_neighbours(..., -1)`` and after captures."""
    state.stones[point] = colour
    for k in range(rules.degree):
        beside = rules.around[point, k]
        if state.stones[beside] == colour and state.head[beside] != state.head[point]:
            low = min(state.head[beside], state.head[point])
            high = max(state.head[beside], state.head[point])
            state.pseudo_liberties[low] += state.pseudo_liberties[high]
            state.pseudo_liberties[high] = 0
            for other in range(rules.points):
                state.head[other] = low if state.head[other] == high else state.head[other]


def remove_chain(rules, state, chain):
    """Remove the chain with head ``chain``, whose last liberty has just been filled. Return its number of stones."""
    count = 0
    for point in range(chain, rules.points):
        if state.head[point] == chain:
            state.stones[point] = REMOVED
            state.head[point] = point
            count += 1
    for point in range(chain, rules.points):
        if state.stones[point] == REMOVED:
            state.stones[point] = EMPTY
            state.empty[point >> 6] |= bit(point & 63)
            update_neighbours(rules, state, point, 1)
    return count


def place(rules, state, point, colour):
    """Place a stone that captures nothing."""
    update_neighbours(rules, state, point, -1)
    join(rules, state, point, colour)


def chain_without_liberties(rules, state):
    """Return the lowest stone without liberties, or -1; used by ``read``."""
    for point in range(int(rules.points)):
        if state.stones[point] != EMPTY and state.pseudo_liberties[state.head[point]] == 0:
            return point
    return -1
