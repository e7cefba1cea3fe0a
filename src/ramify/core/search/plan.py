"""Arguments of the search loop: a game, a plan and memory, all addresses and plain numbers.

A plan has a selector for the root and one for all other nodes, a playout, a reward, and *hooks*. An ``on_simulation``
hook is a kernel ``(block, episode) -> status``, called for every finished simulation; AMAF and learning policies are
such hooks. An ``on_expand`` hook is a kernel ``(block, episode, first, count)``, called for the new children of a node
where a player moves.
"""

from typing import NamedTuple

import numpy as np

# Status of an ``on_simulation`` hook and of a chunk of simulations.
DONE = 0
FULL = 1  # the tree or a table beside it must grow before the next simulation
ENOUGH = 2  # stop: nothing left to search
PROVEN = 3  # the score of the player to move is proven

BOUND_KERNEL = np.dtype([("kernel", np.int64), ("block", np.int64)])
BOUND_KERNEL_BYTES = BOUND_KERNEL.itemsize

COUNTERS = np.dtype(
    [
        ("nodes", np.int64),  # records in use
        ("simulations", np.int64),
        ("calls", np.int64),  # forward-model calls: moves played, in the tree and in playouts
        ("max_depth", np.int64),  # longest path in the tree
        ("cut_playouts", np.int64),  # playouts stopped by the ply limit
        ("cut_calls", np.int64),  # forward-model calls of their simulations
    ]
)


class GameTable(NamedTuple):
    """A game in compiled code: sizes, the address of its rules and those of its kernels."""

    players: int
    state_bytes: int
    max_children: int
    rules: int
    legal: int  # (rules, state, moves) -> number of moves, 0 when the game is over
    play: int  # (rules, state, move)
    mover: int  # (rules, state) -> player, CHANCE or SIMULTANEOUS
    scores: int  # (rules, state, out)
    chance_outcomes: int  # (rules, state, moves, probabilities) -> number of outcomes
    copy: int  # (target, source), or 0: copy the bytes
    # Kernels of games with simultaneous moves; 0 in other games.
    over: int = 0  # (rules, state) -> whether the game is over
    legal_of: int = 0  # (rules, state, player, moves) -> number of moves
    play_joint: int = 0  # (rules, state, moves)


class Selector(NamedTuple):
    """The kernel that selects a child of a node."""

    select: int  # (children, live, visits, block) -> index of a child
    block: int
    first_uniform: int  # whether the choice is uniform if no child has been visited
    before_select: int = 0  # (block, episode, node), called before ``select`` (GRAVE); 0: none
    before_select_block: int = 0


class BoundKernel(NamedTuple):
    """A kernel and its block. Address 0: none."""

    kernel: int = 0
    block: int = 0


class BoundKernels(NamedTuple):
    """An array of BOUND_KERNEL records."""

    address: int = 0
    count: int = 0


class Plan(NamedTuple):
    """A search strategy in compiled code."""

    root: Selector
    inner: Selector
    playout: BoundKernel  # (rules, state, episode, block) -> plies, or -1 - plies when cut by the limit
    reward: BoundKernel  # (block, episode) changes the scores, also those of cut playouts
    on_expand: BoundKernels
    on_simulation: BoundKernels
    expand_threshold: int  # visits of a leaf before it is expanded
    evaluate_cutoff: int = 0  # (rules, state, scores) scores cut playouts; 0: 1/2 for each player


class Memory(NamedTuple):
    """Addresses of everything a search writes to."""

    nodes: int
    capacity: int  # of nodes
    columns: int
    rows: int  # number of columns
    stride: int  # items per column
    squares: int  # the column of sums of squared rewards; 0: not kept
    counters: int
    rng: int
    root: int  # the state at the root
    state: int  # the state the simulation works on
    path: int
    moves: int
    probabilities: int
    scores: int
    scratch: int
    episode: int
