"""The solver's hash table: bounds of positions.

A position belongs to one bucket of BUCKET entries. A new one replaces the entry that took the least work.
"""

import numpy as np

from ramify.core.kernels.compiling import jit
from ramify.core.kernels.pointers import array, call, copy_bytes
from ramify.core.numbers.hash128 import hash_words
from ramify.core.numbers.rng import mix
from ramify.solver.memory import BUCKET, BY_BYTES, BY_KEY

_32 = np.uint64(32)


@jit
def hash_of(game, memory, state):
    """Return two 64-bit hashes of a position. With the game's own key the second adds no information."""
    if memory.hashing == BY_KEY:
        key = np.uint64(call(memory.key, (game.rules, state)))
        return mix(key), key
    first, second = hash_words(state, memory.stride // 8 if memory.hashing == BY_BYTES else 0)
    return mix(first), second


@jit
def bucket_of(memory, key):
    """Return the index of the first entry of a key's bucket."""
    return np.int64(((key >> _32) * np.uint64(memory.buckets)) >> _32) * BUCKET


@jit
def find(memory, table, key, check, state):
    """Return the index of a position's entry, or -1."""
    if memory.buckets > 0:
        first = bucket_of(memory, key)
        for k in range(first, first + BUCKET):
            same = table[k].key == key and table[k].check == check and table[k].effort > 0
            if same and (memory.copies == 0 or equal(memory, k, state)):
                return k
    return -1


@jit
def equal(memory, place, state):
    """Whether an entry's state equals ``state``, byte by byte."""
    count = memory.stride // 8
    stored = array(memory.copies + place * memory.stride, count, np.uint64)
    words = array(state, count, np.uint64)
    different = 0
    for k in range(count):
        different += stored[k] != words[k]
    return different == 0


@jit
def store(memory, table, frame, lo, hi, depth, control, state):
    """Store the bounds of a position, replacing the entry of its bucket that took the least work."""
    if memory.buckets > 0:
        place = find(memory, table, frame.key, frame.check, state)
        effort = 1 if place < 0 else np.int64(table[place].effort)
        if place < 0:
            first = bucket_of(memory, frame.key)
            place = first
            for k in range(first + 1, first + BUCKET):
                if table[k].effort < table[place].effort:
                    place = k
            if memory.copies != 0:
                copy_bytes(memory.copies + place * memory.stride, state, memory.stride)
        while (control.nodes - frame.began) >> effort > 0:
            effort += 1
        kept = table[place]
        kept.key = frame.key
        kept.check = frame.check
        kept.lo = lo
        kept.hi = hi
        kept.move = frame.best
        kept.effort = effort
        kept.depth = depth
        kept.number = control.number
