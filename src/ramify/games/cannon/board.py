"""Moves of soldiers and cannons, and threats to a town.

A move is the point of a town, 256*from + to, or SHOT + the target of a shot.
"""

import numpy as np

from ramify.core.numbers.bits import bit
from ramify.games.cannon.text import STRIDE, nth_soldier, point_at, soldiers

EMPTY, SOLDIER, TOWN, BORDER = 0, 1, 3, 5  # soldier of player p: 1 + p; town: 3 + p
DIRECTIONS = np.array([1, 13, 12, 11, -1, -13, -12, -11])
SHOT = 65536


def put(state, point, piece):
    """Set a point to a piece, BORDER or EMPTY, and update ``men`` and ``towns``."""
    before = state.points[point]
    if before == SOLDIER or before == SOLDIER + 1:
        state.men[before - SOLDIER, (point - 8) >> 6] ^= bit((point - 8) & 63)
    elif before == TOWN or before == TOWN + 1:
        state.towns[before - TOWN] = 0
    if piece == SOLDIER or piece == SOLDIER + 1:
        state.men[piece - SOLDIER, (point - 8) >> 6] ^= bit((point - 8) & 63)
    elif piece == TOWN or piece == TOWN + 1:
        state.towns[piece - TOWN] = point
    state.points[point] = piece


def enemy_at(state, point, player):
    piece = state.points[point]
    return piece == SOLDIER + 1 - player or piece == TOWN + 1 - player


def target(state, origin, way, player):
    """Return the target of the soldier on ``origin`` by one of sixteen ways, or -1 if it is illegal.

    Ways 0 to 2 go forward, 3 and 4 sideways, 5 to 7 are retreats, 8 to 15 slides of the cannon whose rear he is.
    """
    forward = STRIDE if player == 0 else -STRIDE
    if way < 3:
        to = origin + forward + way - 1
        return to if state.points[to] == EMPTY or enemy_at(state, to, player) else -1
    if way < 5:
        to = origin + (1 if way == 3 else -1)
        return to if enemy_at(state, to, player) else -1
    if way < 8:
        step = way - 6 - forward
        free = state.points[origin + step] == EMPTY and state.points[origin + 2 * step] == EMPTY
        return origin + 2 * step if free and beside_enemy(state, origin, player) else -1
    step = DIRECTIONS[way - 8]
    own = SOLDIER + player
    cannon = state.points[origin + step] == own and state.points[origin + 2 * step] == own
    return origin + 3 * step if cannon and state.points[origin + 3 * step] == EMPTY else -1


def beside_enemy(state, point, player):
    for k in range(8):
        if state.points[point + DIRECTIONS[k]] == SOLDIER + 1 - player:
            return True
    return False


def cannon_from(state, point, step, own):
    """Whether there are three soldiers ``own`` in line, the foremost on ``point``."""
    return state.points[point] == own and state.points[point + step] == own and state.points[point + 2 * step] == own


def under_fire(rules, state, point, player):
    """Whether a cannon of ``player`` can shoot at a point."""
    own = SOLDIER + player
    for k in range(8):
        step = DIRECTIONS[k]  # direction from the target to the cannon
        first = state.points[point + step]
        if first == EMPTY and cannon_from(state, point + 2 * step, step, own):
            return True
        far = first == EMPTY or (first != BORDER and rules.clear == 0)
        if far and state.points[point + 2 * step] == EMPTY and cannon_from(state, point + 3 * step, step, own):
            return True
    return False


def takes_town(rules, state, player):
    """Return a move by which ``player`` captures the enemy town, or -1. Shots are preferred to soldiers' moves."""
    town = state.towns[1 - player]
    if town == 0:
        return -1
    if under_fire(rules, state, town, player):
        return SHOT + town
    forward = STRIDE if player == 0 else -STRIDE
    for way in range(5):
        origin = town - (forward + way - 1 if way < 3 else 7 - 2 * way)
        if state.points[origin] == SOLDIER + player:
            return 256 * origin + town
    return -1


def leaves_open(rules, state, player, move, owner):
    """Whether the town of ``owner`` could be captured after a move of ``player``. Not for the first two plies."""
    origin = 0 if move >= SHOT else move >> 8
    to = move & 255
    before = state.points[to]
    if move < SHOT:
        put(state, origin, EMPTY)
    put(state, to, EMPTY if move >= SHOT else SOLDIER + player)
    taking = takes_town(rules, state, 1 - owner)
    put(state, to, before)
    if move < SHOT:
        put(state, origin, SOLDIER + player)
    return taking >= 0


def candidates(rules, state, player):
    """Return the number of candidates: (soldier, way) pairs and shot targets; in the first two plies, town points."""
    if state.plies < 2:
        return 10 if rules.corners else 8
    return 16 * soldiers(state, player) + soldiers(state, 1 - player) + 1


def candidate(rules, state, player, n):
    """Return the move of the n-th candidate, or -1 if illegal. Order: (soldier, way) pairs, soldiers to shoot, town."""
    if state.plies < 2:
        return point_at(9 * player, n if rules.corners else 1 + n)
    move = candidate_ignoring_town(rules, state, player, n)
    return -1 if move >= 0 and rules.mate and leaves_open(rules, state, player, move, player) else move


def candidate_ignoring_town(rules, state, player, n):
    """Like ``candidate`` after the first two plies, ignoring whether the mover's town could be captured."""
    ways = 16 * soldiers(state, player)
    if n < ways:
        origin = nth_soldier(state, player, n >> 4)
        to = target(state, origin, n & 15, player)
        return 256 * origin + to if to >= 0 else -1
    last = n - ways == soldiers(state, 1 - player)
    piece = state.towns[1 - player] if last else nth_soldier(state, 1 - player, n - ways)
    return SHOT + piece if under_fire(rules, state, piece, player) else -1
