"""A hash table of three numbers a row, for what playouts have learnt: open addressing, places tried one after another.

It begins with INITIAL_CAPACITY places. When it is half full it moves to twice as many, from one half of a block of memory to
the other; the system hands out the pages of that block only as they are written to. It holds MAX_ENTRIES at most.
Whatever record has these fields can have such a table.
"""

import numpy as np

from ramify.core.kernels.compiling import jit
from ramify.core.kernels.pointers import address, array, record
from ramify.core.numbers.rng import mix

INITIAL_CAPACITY = 1 << 10
MAX_ENTRIES = 1 << 20

ROW = np.dtype([("key", np.int64), ("first", np.float64), ("second", np.float64)])  # key 0: the place is free
ROW_BYTES = ROW.itemsize

FIELDS = [
    ("slots", np.int64),  # address of the half in use
    ("spare_slots", np.int64),  # and of the other one
    ("capacity", np.int64),  # places, a power of two
    ("used", np.int64),
    ("max_entries", np.int64),  # rows there may be
]

_ONE = np.uint64(1)


@jit
def row_at(table, place):
    """The row at a place."""
    return record(table.slots + np.int64(place) * ROW_BYTES, ROW)


@jit
def find(table, key):
    """The row of a key, or the free one where it belongs."""
    last = np.uint64(table.capacity - 1)
    place = mix(np.uint64(key)) & last
    row = row_at(table, place)
    while row.key != 0 and row.key != key:  # noqa: PLR1714  (a tuple costs time here)
        place = (place + _ONE) & last
        row = row_at(table, place)
    return row


@jit
def make_room(table):
    """Move to twice the room if half of it is in use."""
    if 2 * table.used <= table.capacity:
        return
    before, places = table.slots, table.capacity
    clear(table, 2 * table.capacity)
    for k in range(places):
        old = record(before + k * ROW_BYTES, ROW)
        if old.key != 0:
            row = find(table, old.key)
            row.key = old.key
            row.first = old.first
            row.second = old.second
            table.used += 1


@jit
def clear(table, capacity):
    """Take the other half of the memory, with so many places, all free."""
    table.slots, table.spare_slots = table.spare_slots, table.slots
    table.capacity = capacity
    table.used = 0
    places = array(table.slots, 3 * capacity, np.int64)
    for k in range(3 * capacity):
        places[k] = 0


class HashTableMemory:
    """The memory of such a table, and the numbers of its fields at the start."""

    def __init__(self):
        self.halves = np.zeros((2, 2 * MAX_ENTRIES), ROW)
        places, spare = address(self.halves), address(self.halves[1:])
        self.numbers = {"slots": places, "spare_slots": spare, "capacity": INITIAL_CAPACITY, "max_entries": MAX_ENTRIES}

    def nbytes(self, block):
        """Of both halves, as far as they are in use."""
        return 2 * int(block["capacity"][0]) * ROW_BYTES

    def entries(self, block):
        """All rows in use: key, and the two numbers."""
        half = self.halves[int(int(block["slots"][0]) != self.numbers["slots"])]
        found = half[: int(block["capacity"][0])]
        return {int(one["key"]): (float(one["first"]), float(one["second"])) for one in found[found["key"] != 0]}
