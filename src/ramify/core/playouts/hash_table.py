"""A hash table of three numbers a row, for what playouts have learnt: open addressing, places tried one after another.

It begins with INITIAL_CAPACITY places. When it is half full it moves to twice as many, from one half of a block of memory to
the other; the system hands out the pages of that block only as they are written to. It holds MAX_ROWS at most.
Whatever record has these fields can have such a table.
"""

import numpy as np

from ramify.core.kernels.compiling import jit
from ramify.core.kernels.pointers import address, array, record
from ramify.core.numbers.rng import mix

INITIAL_CAPACITY = 1 << 10
MAX_ROWS = 1 << 20

ROW = np.dtype([("key", np.int64), ("first", np.float64), ("second", np.float64)])  # key 0: the place is free
ROW_BYTES = ROW.itemsize

FIELDS = [
    ("places", np.int64),  # address of the half in use
    ("spare", np.int64),  # and of the other one
    ("room", np.int64),  # places, a power of two
    ("used", np.int64),
    ("most", np.int64),  # rows there may be
]

_ONE = np.uint64(1)


@jit
def row_at(table, place):
    """The row at a place."""
    return record(table.places + np.int64(place) * ROW_BYTES, ROW)


@jit
def find(table, key):
    """The row of a key, or the free one where it belongs."""
    last = np.uint64(table.room - 1)
    place = mix(np.uint64(key)) & last
    row = row_at(table, place)
    while row.key != 0 and row.key != key:  # noqa: PLR1714  (a tuple costs time here)
        place = (place + _ONE) & last
        row = row_at(table, place)
    return row


@jit
def make_room(table):
    """Move to twice the room if half of it is in use."""
    if 2 * table.used <= table.room:
        return
    before, places = table.places, table.room
    clear(table, 2 * table.room)
    for k in range(places):
        old = record(before + k * ROW_BYTES, ROW)
        if old.key != 0:
            row = find(table, old.key)
            row.key = old.key
            row.first = old.first
            row.second = old.second
            table.used += 1


@jit
def clear(table, room):
    """Take the other half of the memory, with so many places, all free."""
    table.places, table.spare = table.spare, table.places
    table.room = room
    table.used = 0
    places = array(table.places, 3 * room, np.int64)
    for k in range(3 * room):
        places[k] = 0


class HashTableMemory:
    """The memory of such a table, and the numbers of its fields at the start."""

    def __init__(self):
        self.halves = np.zeros((2, 2 * MAX_ROWS), ROW)
        places, spare = address(self.halves), address(self.halves[1:])
        self.numbers = {"places": places, "spare": spare, "room": INITIAL_CAPACITY, "most": MAX_ROWS}

    def nbytes(self, block):
        """Of both halves, as far as they are in use."""
        return 2 * int(block["room"][0]) * ROW_BYTES

    def entries(self, block):
        """All rows in use: key, and the two numbers."""
        half = self.halves[int(int(block["places"][0]) != self.numbers["places"])]
        found = half[: int(block["room"][0])]
        return {int(one["key"]): (float(one["first"]), float(one["second"])) for one in found[found["key"] != 0]}
