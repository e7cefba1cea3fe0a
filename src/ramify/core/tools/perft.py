"""Perft: the number of move sequences of a game by depth, the basic test of rules.

At simultaneous moves a ply is one joint move. The moves of player k are then stored k * max_children items after those
of player 0, and a ply has a number that encodes the index of each player's move.
"""

import numpy as np

from ramify.core.kernels.compiling import entry, jit
from ramify.core.kernels.pointers import array, call
from ramify.core.search.steps import copy_state, list_moves
from ramify.core.search.tree import SIMULTANEOUS
from ramify.errors import BadMoveCountError


@jit
def generate(game, state, mover, moves, probabilities, counts):
    """List the moves or chance outcomes of a state, or every player's moves. Return the number of plies."""
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
    """Count the sequences of exactly 1, 2, ... ``depth`` plies into ``found``; chance outcomes are plies.

    ``states``: buffer of depth + 1 states, the first being the start. ``moves``: buffer of (depth + 1) * players *
    max_children moves. ``joint``: buffer of one move per player.
    """
    result = array(found, depth + 1, np.int64)
    level_bytes = 8 * game.players * game.max_children
    left = np.zeros(depth + 1, np.int64)  # plies of each level not tried yet
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
        play_ply(game, below, movers[level], moves + level * level_bytes, counts[level], joint, left[level])
        level += 1
        movers[level] = call(game.mover, (game.rules, below))
        left[level] = generate(game, below, movers[level], moves + level * level_bytes, probabilities, counts[level])
