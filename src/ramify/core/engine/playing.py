"""Playouts move by move of games that are Python objects, and what learns from playouts of all games.

``learn_line`` is an observer. It lays down the whole simulation as a *line*: every move of a player from the root to
the end, as player * classes + class, chance left out. Then it hands that to the *tables* of the choosers, kernels
``(block, line)``. ``classify`` is the herald that keeps the classes of the tree's moves in a column, where a game has
its own classes.
"""

from functools import cache

import numpy as np

from ramify.core.engine.episode import EPISODE, MAX_DEPTH, MOST_TRACED
from ramify.core.engine.plan import CALLEE, CALLEE_BYTES, DONE
from ramify.core.engine.tree import CHANCE, EVERYBODY
from ramify.core.engine.turns import NOTHING, PLAYING, SPOT, begin, made_at, note_made, note_strange
from ramify.core.kernels.compiling import jit, kernel
from ramify.core.kernels.pointers import array, call, record
from ramify.core.numbers.rng import weighted
from ramify.errors import SimultaneousError

LONGEST_LINE = MAX_DEPTH + MOST_TRACED

LINE = np.dtype(
    [
        # What the tables see.
        ("moves", np.int64),  # address
        ("length", np.int64),
        ("scores", np.int64),  # address; of each player
        ("classes", np.int64),
        # What it is made from.
        ("class_of", np.int64),  # the column of classes; 0: a move is its own class
        ("classify", np.int64),  # the game's kernel (rules, state, moves, count, out)
        ("tables", np.int64),  # address of their CALLEE records
        ("count", np.int64),  # how many
        ("strange", np.int64),  # 1 + a move of the tree whose class is not below `classes`; 0: there was none
    ]
)


def play_on(rules, state, episode_, block_):
    """Play to the end, or to the limit; the plies, or -1 less them. The same as the playouts of compiled games."""
    block = record(block_, PLAYING)
    episode = record(episode_, EPISODE)
    spot = record(block.spot, SPOT)
    moves = array(spot.moves, spot.most, np.int64)
    rng = array(episode.rng, 1, np.uint64)
    begin(block, spot, episode, rules, state)
    made = 0
    plies = 0
    count = list_of(block, spot)
    while count > 0:
        if plies == episode.limit:
            plies = -1 - plies
            break
        k = np.int64(0)
        if spot.mover == CHANCE:
            k = np.int64(weighted(rng, array(spot.probabilities, count, np.float64), count))
        elif count > 1:
            spot.count = count
            k = call(block.choose, (block.block, block.spot))
        if spot.classified and spot.mover >= 0:
            made = note_made(spot, episode, made, spot.mover, moves[k])
        call(block.play, (rules, state, moves[k]))
        plies += 1
        count = list_of(block, spot)
        if spot.strange:
            plies = -1 - plies
            break
    episode.made = made
    return plies


@jit
def list_of(block, spot):
    """List the moves of the next, whose classes they are themselves; how many, 0 when the game is over."""
    spot.mover = call(block.mover, (spot.rules, spot.state))
    if spot.mover == CHANCE:
        return call(block.chances, (spot.rules, spot.state, spot.moves, spot.probabilities))
    count = call(block.legal, (spot.rules, spot.state, spot.moves))
    if spot.mover == EVERYBODY and count > 0:
        raise SimultaneousError
    if spot.classified:
        note_strange(spot, count)
    return count


def learn_line(block_, episode_):
    """Hand the whole simulation to the tables."""
    line = record(block_, LINE)
    episode = record(episode_, EPISODE)
    path = array(episode.path, episode.depth + 1, np.int64)
    moves = array(line.moves, LONGEST_LINE, np.int64)
    trace = array(episode.trace, episode.made, np.int64)
    length = 0
    if line.strange:
        return DONE
    for level in range(episode.depth):
        made = made_at(episode.nodes, path, level, line.class_of, line.classes)
        if made != NOTHING:
            moves[length] = made
            length += 1
    for ply in range(episode.made):
        moves[length] = trace[ply]
        length += 1
    line.length = length
    line.scores = episode.scores
    for k in range(line.count):
        table = record(line.tables + k * CALLEE_BYTES, CALLEE)
        call(table.kernel, (table.block, block_))
    return DONE


def classify(block_, episode_, first, count):
    """Write the classes of fresh children, whose moves stand in the buffer of moves, and look at them."""
    line = record(block_, LINE)
    episode = record(episode_, EPISODE)
    moves = array(episode.moves, count, np.int64)
    kinds = moves
    if line.class_of:
        call(line.classify, (episode.rules, episode.state, episode.moves, count, line.class_of + 8 * first))
        kinds = array(line.class_of + 8 * first, count, np.int64)
    for k in range(count):
        if kinds[k] < 0 or kinds[k] >= line.classes:
            line.strange = moves[k] + 1
            if line.class_of:
                kinds[k] = 0
    return 0


@cache
def playing_kernel():
    """The playout."""
    return kernel(play_on)


@cache
def learning_kernel():
    """The observer."""
    return kernel(learn_line)


@cache
def classify_kernel():
    """The herald."""
    return kernel(classify)
