"""Memory of the alpha-beta solver: control block, search line, hash table, and their addresses."""

from typing import NamedTuple

import numpy as np

LEVELS = 4096  # maximum length of a line
HISTORY = 4096  # entries per player; moves are indexed by a hash of their code
NO_LIMIT = 1 << 30

# Status of a run. All but RUNNING end it.
RUNNING = 0
DONE = 1
REPEATED = 2  # a position repeated on its own line, without a ply limit
TOO_DEEP = 3  # a line is longer than LEVELS
MET_CHANCE = 4  # a chance node was reached
MET_SIMULTANEOUS = 5  # simultaneous moves were reached
NOT_CONSTANT_SUM = 6  # scores outside [0, 1], or not adding up to 1

# How positions are identified.
BY_BYTES = 0  # 128-bit hash of the bytes of the state
BY_KEY = 1  # the game's own key
NO_HASH = 2  # no table

CONTROL = np.dtype(
    [
        ("status", np.int64),
        ("level", np.int64),  # of the current position; -1 before the start
        ("nodes", np.int64),  # positions visited since the start: moves played
        ("question", np.float64),
        ("number", np.int64),  # identifies the question
        ("limit", np.int64),  # maximum number of plies from the bottom
        ("lo", np.float64),  # the answer
        ("hi", np.float64),
        ("best", np.int64),  # the move that decides the question, or the best one so far
        ("max_depth", np.int64),
    ]
)

FRAME = np.dtype(
    [
        ("key", np.uint64),
        ("check", np.uint64),
        ("known_lo", np.float64),  # bounds from the table
        ("known_hi", np.float64),
        ("lo", np.float64),  # the mover's best over the children so far
        ("hi", np.float64),
        ("mover", np.int64),
        ("left", np.int64),  # children not searched yet
        ("move", np.int64),  # the child being searched
        ("best", np.int64),
        ("began", np.int64),  # ``control.nodes`` when this position was opened
    ]
)

ENTRY = np.dtype(
    [
        ("key", np.uint64),
        ("check", np.uint64),
        ("lo", np.float64),
        ("hi", np.float64),
        ("move", np.int32),
        ("effort", np.int16),  # bit length of the nodes spent; 0: empty
        ("depth", np.int16),  # plies searched below without answering question ``number``
        ("number", np.int64),
    ]
)
ENTRY_BYTES = ENTRY.itemsize
BUCKET = 4  # entries per bucket; the cheapest is replaced


class SolverMemory(NamedTuple):
    """Addresses of the solver's memory, and a few numbers."""

    control: int
    frames: int  # LEVELS of them
    path: int  # keys of the positions on the line
    states: int  # LEVELS + 1 states
    stride: int  # bytes from one state to the next, a multiple of 8; the bytes after a state are zero
    moves: int  # LEVELS times max_children
    order: int  # LEVELS times max_children: ordering score of each move
    replies: int  # max_children: moves of a child; only their number is used
    probabilities: int
    scores: int
    history: int  # HISTORY numbers for each of two players
    table: int
    buckets: int
    copies: int  # the states of the table's entries, or 0: compare hashes only
    hashing: int  # BY_BYTES, BY_KEY or NO_HASH
    key: int  # (rules, state) -> hash, where hashing is BY_KEY
