"""What the solver writes to: its control, its line of positions, its hash table, and where they all are."""

from typing import NamedTuple

import numpy as np

LEVELS = 4096  # the longest line that is followed
HISTORY = 4096  # moves are counted by a hash of their code
NO_LIMIT = 1 << 30

# What a run answers. All but RUNNING end it.
RUNNING = 0
DONE = 1
REPEATED = 2  # a position stood on its own line, without a limit of plies
TOO_DEEP = 3  # a line is longer than LEVELS
MET_CHANCE = 4  # chance moves somewhere
MET_SIMULTANEOUS = 5  # everybody moves at once somewhere
NOT_CONSTANT_SUM = 6  # scores are outside [0, 1], or those of two players do not add up to 1

# How positions are told apart.
BY_BYTES = 0  # two hashes of 64 bits over the bytes of the state
BY_KEY = 1  # the game's own key
NO_HASH = 2  # no table

CONTROL = np.dtype(
    [
        ("status", np.int64),
        ("level", np.int64),  # of the position at work; -1 before the start
        ("nodes", np.int64),  # positions looked at since the start: moves played
        ("question", np.float64),
        ("number", np.int64),  # of the question, to tell it from others
        ("limit", np.int64),  # plies that may be played from the bottom
        ("lo", np.float64),  # the answer
        ("hi", np.float64),
        ("best", np.int64),  # the move that decided, or the best try
        ("max_depth", np.int64),
    ]
)

FRAME = np.dtype(
    [
        ("key", np.uint64),
        ("check", np.uint64),
        ("known_lo", np.float64),  # what the table said
        ("known_hi", np.float64),
        ("lo", np.float64),  # the best of the children so far, for whoever moves here
        ("hi", np.float64),
        ("mover", np.int64),
        ("left", np.int64),  # children still to be searched
        ("move", np.int64),  # the child being searched
        ("best", np.int64),
        ("began", np.int64),  # nodes when this position was opened
    ]
)

ENTRY = np.dtype(
    [
        ("key", np.uint64),
        ("check", np.uint64),
        ("lo", np.float64),
        ("hi", np.float64),
        ("move", np.int32),
        ("effort", np.int16),  # bit length of the nodes spent, 0: the entry is empty
        ("depth", np.int16),  # plies below this position that left question ``number`` open
        ("number", np.int64),
    ]
)
ENTRY_BYTES = ENTRY.itemsize
BUCKET = 4  # entries among which the cheapest gives way


class SolverMemory(NamedTuple):
    """Addresses of everything the solver writes to, and a few numbers."""

    control: int
    frames: int  # LEVELS of them
    path: int  # the keys of the line
    states: int  # LEVELS + 1 states
    stride: int  # bytes from one state to the next, a multiple of 8; the bytes after a state are zero
    moves: int  # LEVELS times max_children
    order: int  # the same: how promising each is
    replies: int  # max_children: moves of a child, of which only the number matters
    probabilities: int
    scores: int
    history: int  # HISTORY numbers for each of two players
    table: int
    buckets: int
    copies: int  # the states of the table's entries, or 0: keys alone tell positions apart
    hashing: int  # BY_BYTES, BY_KEY or NO_HASH
    key: int  # (rules, state) -> hash, where hashing is BY_KEY
