"""Board helpers of Go: repetition, area, eyes, ko."""

import numpy as np

from ramify.core.numbers.bits import ZERO
from ramify.errors import RamifyError
from ramify.games.boards.chains import BORDER, EMPTY
from ramify.games.boards.grids import point_name

KO = ("simple", "positional")


def repeats(rules, state, point, colour):
    """Whether a move repeats an earlier board. Call after ``update_neighbours(..., -1)`` and a first capture."""
    key = state.stones_key ^ rules.keys[colour - 1, point]
    for k in range(4):
        beside = rules.around[point, k]
        chain = state.head[beside]
        fresh = state.stones[beside] == 3 - colour and state.pseudo_liberties[chain] == 0
        for j in range(k):
            fresh &= state.head[rules.around[point, j]] != chain
        if fresh:
            key ^= key_of_chain(rules, state, chain, 3 - colour)
    found = False
    for k in range(state.made + 1):
        found |= state.seen[k] == key
    return found


def key_of_chain(rules, state, chain, colour):
    """Return the XOR of the Zobrist keys of the chain with head ``chain``."""
    key = ZERO
    for point in range(chain, rules.points):
        if state.head[point] == chain:
            key ^= rules.keys[colour - 1, point]
    return key


def area_lead(rules, state):
    """Return the area of x minus that of o. Colours spread over empty points in alternating sweeps until stable."""
    points = rules.points
    for point in range(points):
        state.reach[point] = state.stones[point]
    forth = True
    changed = True
    while changed:
        changed = False
        for k in range(points):
            point = k if forth else points - 1 - k
            if state.stones[point] == EMPTY:
                before = state.reach[point]
                for j in range(4):
                    state.reach[point] |= state.reach[rules.around[point, j]]
                changed |= state.reach[point] != before
        forth = not forth
    lead = 0
    for point in range(points):
        lead += np.int64(state.reach[point] == 1) - np.int64(state.reach[point] == 2)
        state.reach[point] = 0
    return lead


def is_eye(rules, state, point, colour):
    """Whether an empty point is an eye: own stones on all sides, at most one enemy on its corners (none at edges)."""
    edge = False
    foes = 0
    for k in range(4):
        beside, corner = state.stones[rules.around[point, k]], rules.corners[point, k]
        if beside != colour and beside != BORDER:  # noqa: PLR1714  (a tuple is slower to compile)
            return False
        edge |= corner == rules.points
        foes += state.stones[corner] == 3 - colour
    return foes + edge < 2


def find_ko(rules, state, name, other):
    """Return the point ``name`` if the last move, of colour ``other``, can have captured one stone there in a ko."""
    for point in range(int(rules.points)):
        if point_name(int(rules.side), point) == name and state.stones[point] == EMPTY and state.made > 0:
            beside = [int(one) for one in rules.around[point] if one != rules.points]
            lone = [
                one
                for one in beside
                if state.pseudo_liberties[one] == 1 and list(state.head[: rules.points]).count(one) == 1
            ]
            if all(state.stones[one] == other for one in beside) and lone:
                return point
    raise RamifyError(f"invalid ko '{name}': expected -, pass, end or a point where a ko can have been captured")
