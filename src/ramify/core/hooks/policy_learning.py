"""An ``on_simulation`` hook that updates learning policies.

A policy learns through kernels, each optional (address 0):

* ``update`` is called for every node of the path where the policy chose, deepest first; if a mixed strategy is to be
  recommended, ``average`` is called just before it;
* ``after`` is called once per simulation, for the root.

All take ``(children, node, live, visits, arm, leaf, mover, scores, met, block)``. A policy that draws its arm itself
learns only from its own draws; one that returns indices learns from all simulations.

At simultaneous moves the policy chooses and learns at each player's seat (``core.shapes.simultaneous``). There ``met``
points to copies of the joint children of every arm of that seat with the moves that the other players made. Elsewhere
``met`` points to the arms themselves.
"""

from functools import cache

import numpy as np

from ramify.core.kernels.compiling import jit, kernel
from ramify.core.kernels.pointers import array, call, record
from ramify.core.search.episode import EPISODE
from ramify.core.search.tree import CHANCE, NODE_BYTES, ROOT, SIMULTANEOUS, node_at
from ramify.core.shapes.simultaneous import find_joint_child

LEARNING = np.dtype(
    [
        ("root_average", np.int64),
        ("root_update", np.int64),
        ("root_after", np.int64),
        ("root_block", np.int64),
        ("root_draws", np.int64),  # whether that policy draws its arm
        ("average", np.int64),
        ("update", np.int64),
        ("after", np.int64),
        ("block", np.int64),
        ("draws", np.int64),
        ("met", np.int64),  # address: one record per arm; 0: not used
        ("arm_of_player", np.int64),  # address: one index per player
    ]
)


def learn(block_, episode_):
    block = record(block_, LEARNING)
    episode = record(episode_, EPISODE)
    path = array(episode.path, episode.depth + 1, np.int64)
    for level in range(episode.depth - 1, -1, -1):
        hook = block.update if level else block.root_update
        mover = node_at(episode.nodes, path[level]).mover
        if hook == 0 or mover == CHANCE:
            continue
        if level < episode.first_chosen_level and (block.draws if level else block.root_draws):
            continue
        own = block.block if level else block.root_block
        average = block.average if level else block.root_average
        if mover == SIMULTANEOUS:
            call_update_for_seats(block, average, hook, episode, path[level], path[level + 1], own)
            continue
        deeper = level + 1 < episode.depth and node_at(episode.nodes, path[level + 1]).mover >= 0
        call_update(average, hook, episode, path[level], path[level + 1], not (deeper and hook == block.update), 0, own)
    root, taken = ROOT, path[1]
    if node_at(episode.nodes, ROOT).mover == SIMULTANEOUS:
        root = np.int64(node_at(episode.nodes, ROOT).first) + episode.player
        taken = np.int64(node_at(episode.nodes, root).first) + node_at(episode.nodes, taken + episode.player).move
    if block.root_after:
        call_update(0, block.root_after, episode, root, taken, True, 0, block.root_block)
    if block.after:
        call_update(0, block.after, episode, root, taken, True, 0, block.block)
    return 0


@jit
def call_update_for_seats(block, average, hook, episode, node, child, own):
    """Call ``update`` for every seat. ``leaf`` is True: an arm has many joint children, so nothing is below it."""
    here = node_at(episode.nodes, node)
    for player in range(here.live):
        seat = np.int64(here.first) + player
        taken = np.int64(node_at(episode.nodes, seat).first) + node_at(episode.nodes, child + player).move
        if block.met:
            copy_met_records(block, episode.nodes, node, child, player, np.int64(here.live))
        call_update(average, hook, episode, seat, taken, True, block.met, own)


@jit
def copy_met_records(block, nodes, node, child, player, players):
    """Copy the player's records of the joint children of each of its arms with the moves that the others made."""
    arms = array(block.arm_of_player, players, np.int64)
    for other in range(players):
        arms[other] = node_at(nodes, child + other).move
    seat = node_at(nodes, np.int64(node_at(nodes, node).first) + player)
    for k in range(seat.live):
        arms[player] = k
        own = find_joint_child(nodes, node, block.arm_of_player, players)
        met = node_at(block.met, k)
        met.visits = node_at(nodes, own + player).visits if own >= 0 else 0
        met.total = node_at(nodes, own + player).total if own >= 0 else 0.0


@jit
def call_update(average, hook, episode, node, taken, leaf, met, block):
    """Call ``average`` (if any) and ``hook`` for one node. ``leaf``: no update was made below the arm taken."""
    here = node_at(episode.nodes, node)
    first = np.int64(here.first)
    position = here if node == ROOT or not episode.transpositions else node_at(episode.nodes, first - 1)
    arguments = (
        episode.nodes + first * NODE_BYTES,
        np.int64(node),
        np.int64(here.live),
        np.int64(position.visits),
        np.int64(taken - first),
        np.int64(leaf),
        np.int64(here.mover),
        episode.scores,
        np.int64(met) if met else episode.nodes + first * NODE_BYTES,
        block,
    )
    if average:
        call(average, arguments)
    call(hook, arguments)


@cache
def learning_kernel():
    return kernel(learn)
