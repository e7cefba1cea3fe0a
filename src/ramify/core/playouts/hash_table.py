"""A hash table for learning playouts: open addressing with linear probing, rows of a key and two numbers.

It starts with INITIAL_CAPACITY slots. When half full it doubles, moving from one half of a memory block to the other;
the system allocates pages of that block only when they are written. It holds at most MAX_ENTRIES. Any record that has
the fields FIELDS can own a table.
"""

import numpy as np

from ramify.core.kernels.compiling import jit
from ramify.core.kernels.pointers import address, array, record
from ramify.core.numbers.rng import mix

INITIAL_CAPACITY = 1 << 10
MAX_ENTRIES = 1 << 20

ROW = np.dtype([("key", np.int64), ("first", np.float64), ("second", np.float64)])  # key 0: free
ROW_BYTES = ROW.itemsize

FIELDS = [
    ("slots", np.int64),  # address of the active half
    ("spare_slots", np.int64),  # address of the other half
    ("capacity", np.int64),  # slots per half, a power of two
    ("used", np.int64),
    ("max_entries", np.int64),  # maximum number of rows
]

_ONE = np.uint64(1)


@jit
def row_at(table, place):
    return record(table.slots + np.int64(place) * ROW_BYTES, ROW)


@jit
def find(table, key):
    """Return the row of a key, or the free row where it belongs."""
    last = np.uint64(table.capacity - 1)
    place = mix(np.uint64(key)) & last
    row = row_at(table, place)
    while row.key != 0 and row.key != key:  # noqa: PLR1714  (a tuple costs time here)
        place = (place + _ONE) & last
        row = row_at(table, place)
    return row


@jit
def make_room(table):
    """Double the table if more than half is in use."""
    if 2 * table.used <= table.capacity:
        return
    before, capacity = table.slots, table.capacity
    clear(table, 2 * table.capacity)
    for k in range(capacity):
        old = record(before + k * ROW_BYTES, ROW)
        if old.key != 0:
            row = find(table, old.key)
            row.key = old.key
            row.first = old.first
            row.second = old.second
            table.used += 1


@jit
def clear(table, capacity):
    """Switch to the other half of the memory, with ``capacity`` free slots."""
    table.slots, table.spare_slots = table.spare_slots, table.slots
    table.capacity = capacity
    table.used = 0
    words = array(table.slots, 3 * capacity, np.int64)
    for k in range(3 * capacity):
        words[k] = 0


class HashTableMemory:
    """Memory of a table, and the initial values of its fields."""

    def __init__(self):
        self.halves = np.zeros((2, 2 * MAX_ENTRIES), ROW)
        slots, spare = address(self.halves), address(self.halves[1:])
        self.numbers = {"slots": slots, "spare_slots": spare, "capacity": INITIAL_CAPACITY, "max_entries": MAX_ENTRIES}

    def nbytes(self, block):
        """Bytes in use, of both halves."""
        return 2 * int(block["capacity"][0]) * ROW_BYTES

    def entries(self, block):
        """Return all rows: key to the two numbers."""
        half = self.halves[int(int(block["slots"][0]) != self.numbers["slots"])]
        found = half[: int(block["capacity"][0])]
        return {int(one["key"]): (float(one["first"]), float(one["second"])) for one in found[found["key"] != 0]}
