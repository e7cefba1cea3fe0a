"""Perft: how many sequences of moves a game has, depth by depth. The first truth about rules.

Where everybody moves at once a ply is one move of each player. The moves of player k then stand k times max_children
numbers after those of the first, and a ply has a number, from which the place of each player's move follows.
"""

import numpy as np

from ramify.core.kernels.compiling import entry, jit
from ramify.core.kernels.pointers import array, call
from ramify.core.search.steps import copy_state, list_moves
from ramify.core.search.tree import SIMULTANEOUS
from ramify.errors import BadMoveCountError


@jit
def generate(game, state, mover, moves, probabilities, counts):
    """List the moves or outcomes of a state, of every player where all move at once; the number of plies there are."""
    if mover != SIMULTANEOUS or game.play_joint == 0:
        return list_moves(game, state, mover, moves, probabilities)
    if call(game.over, (game.rules, state)):
        return 0
    plies = 1
    for player in range(game.players):
        count = call(game.legal_of, (game.rules, state, player, moves + 8 * player * game.max_children))
        if count < 1 or count > game.max_children:
            raise BadMoveCountError
        counts[player] = count
        plies *= count
    return plies


@jit
def play_ply(game, state, mover, moves, counts, joint, number):
    """Play a ply by its number."""
    if mover != SIMULTANEOUS or game.play_joint == 0:
        call(game.play, (game.rules, state, array(moves, game.max_children, np.int64)[number]))
        return
    chosen = array(joint, game.players, np.int64)
    for player in range(game.players):
        own = array(moves + 8 * player * game.max_children, game.max_children, np.int64)
        chosen[player] = own[number % counts[player]]
        number //= counts[player]
    call(game.play_joint, (game.rules, state, joint))


@entry
def perft(game, states, moves, probabilities, depth, joint, found):
    """Count the sequences of exactly 1, 2, ... ``depth`` plies into ``found``; outcomes of chance are plies.

    ``states`` has room for depth + 1 states, the first being the start; ``moves`` for depth + 1 times players times
    max_children, ``joint`` for a move of each player.
    """
    result = array(found, depth + 1, np.int64)
    room = 8 * game.players * game.max_children
    left = np.zeros(depth + 1, np.int64)  # plies of each level that are still to be tried
    counts = np.zeros((depth + 1, game.players), np.int64)
    movers = np.zeros(depth + 1, np.int64)
    level = 0
    movers[0] = call(game.mover, (game.rules, states))
    left[0] = generate(game, states, movers[0], moves, probabilities, counts[0])
    while level >= 0:
        if left[level] == 0:
            level -= 1
            continue
        left[level] -= 1
        result[level + 1] += 1
        if level + 1 == depth:
            continue
        here = states + level * game.state_bytes
        below = here + game.state_bytes
        copy_state(game, below, here)
        play_ply(game, below, movers[level], moves + level * room, counts[level], joint, left[level])
        level += 1
        movers[level] = call(game.mover, (game.rules, below))
        left[level] = generate(game, below, movers[level], moves + level * room, probabilities, counts[level])
