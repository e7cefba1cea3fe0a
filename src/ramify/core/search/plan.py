"""What the loop is given: a game, a strategy and memory, all of it addresses and plain numbers.

A strategy is a chooser for the root and one for all other nodes, a playout, a reward, and *hooks*. An ``on_simulation``
hook is a kernel ``(its block, episode) -> status``, called for every finished simulation: all moves as first, policies
that learn. An ``on_expand`` hook is a kernel ``(its block, episode, first, count)``, called for the new children of a
node where a player moves. The loop has no switch for either: a list without hooks is empty.
"""

from typing import NamedTuple

import numpy as np

# What an ``on_simulation`` hook answers, and what a chunk of simulations ends with.
DONE = 0
FULL = 1  # the tree, or what is kept beside it, needs more room before the next simulation
ENOUGH = 2  # nothing more is to be learnt
PROVEN = 3  # the score of the player to move is known

BOUND_KERNEL = np.dtype([("kernel", np.int64), ("block", np.int64)])
BOUND_KERNEL_BYTES = BOUND_KERNEL.itemsize

COUNTERS = np.dtype(
    [
        ("nodes", np.int64),  # records of the tree in use
        ("simulations", np.int64),
        ("calls", np.int64),  # forward-model calls: moves played, in the tree and in playouts
        ("deepest", np.int64),  # longest path in the tree
        ("cut", np.int64),  # playouts stopped by the ply limit
        ("cut_calls", np.int64),  # the calls of their simulations: all others came to an end
    ]
)


class GameTable(NamedTuple):
    """A game as the engine sees it: sizes, the address of its rules and the addresses of its kernels."""

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
    # Of games where everybody moves at once in some positions; 0 in others.
    over: int = 0  # (rules, state) -> whether the game has ended
    legal_of: int = 0  # (rules, state, player, moves) -> number of moves
    play_joint: int = 0  # (rules, state, moves)


class Selector(NamedTuple):
    """Who chooses among the children of a node."""

    select: int  # (children, live, visits, block) -> index of a child
    block: int
    first_uniform: int  # whether it draws evenly among children none of which has been visited
    before_select: int = 0  # (its block, episode, node) before a choice; 0: nothing is to be prepared
    before_select_block: int = 0


class BoundKernel(NamedTuple):
    """A kernel and the block it is handed; address 0: there is none."""

    kernel: int = 0
    block: int = 0


class BoundKernels(NamedTuple):
    """Several of them: where their CALLEE records stand."""

    address: int = 0
    count: int = 0


class Plan(NamedTuple):
    """A search strategy as the engine sees it."""

    root: Selector
    inner: Selector
    playout: BoundKernel  # (rules, state, episode, block) -> plies, or -1 - plies when cut by the limit
    reward: BoundKernel  # (block, episode) changes the scores, also of a playout that was cut
    on_expand: BoundKernels
    on_simulation: BoundKernels
    expand_threshold: int  # visits a leaf must have had before its children join the tree
    evaluate_cutoff: int = (
        0  # (rules, state, scores) values playouts that the limit cut; 0: they are worth 1/2 to everybody
    )


class Memory(NamedTuple):
    """Addresses of everything a search writes to."""

    nodes: int
    capacity: int  # of nodes
    columns: int
    rows: int  # how many columns there are
    stride: int  # numbers in a column
    squares: int  # the column of sums of squared rewards; 0: nobody needs them
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
