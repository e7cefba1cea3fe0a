"""Replies that won last time (Drake 2009), forgotten when they lose (Baier and Drake 2010).

After each simulation every move of a player who won becomes the reply to the move before it, and to the two moves
before it; a reply that a player who lost has made is forgotten. A playout makes the reply to the last two moves if it
is known and legal, else the reply to the last one, else it asks another playout.

Replies stand in a table by hashes (``core.engine.hashed``), which has its limit: then only known ones change.
"""

from functools import cache

import numpy as np

from ramify.core.engine.hashed import FIELDS, FIRST_ROOM, clear, find, make_room
from ramify.core.engine.playing import LINE
from ramify.core.engine.turns import NOTHING, SPOT, Chooser
from ramify.core.kernels.compiling import jit, kernel
from ramify.core.kernels.pointers import array, call, record

REPLIES = np.dtype(
    [
        *FIELDS,  # of the table, whose rows are the class of the reply and 1, or 0 where it is forgotten
        ("length", np.int64),  # of what is replied to, 1 or 2 moves
        ("forgets", np.int64),
        ("players", np.int64),
        ("base", np.int64),  # larger than players * classes
        ("then", np.int64),  # the other chooser
        ("block", np.int64),
    ]
)


@jit
def key_of(replies, player, previous, before):
    """The key of what a player replies to; ``before`` is NOTHING for one move."""
    return ((before + 1) * replies.base + previous + 1) * replies.players + player


@jit
def keep_reply(replies, key, kind):
    """Make a class the reply."""
    row = find(replies, key)
    if row.key == 0:
        if replies.used == replies.most:
            return
        row.key = key
        replies.used += 1
    row.first = kind
    row.second = 1.0
    make_room(replies)


def learn(block_, line_):
    """Keep the replies of winners, and forget those of losers."""
    replies = record(block_, REPLIES)
    line = record(line_, LINE)
    moves = array(line.moves, line.length, np.int64)
    scores = array(line.scores, replies.players, np.float64)
    for k in range(1, line.length):
        player = moves[k] // line.classes
        kind = moves[k] - player * line.classes
        for length in range(1, min(replies.length, k) + 1):
            key = key_of(replies, player, moves[k - 1], moves[k - 2] if length == 2 else NOTHING)
            if scores[player] > 0.5:
                keep_reply(replies, key, kind)
            elif scores[player] < 0.5 and replies.forgets:
                row = find(replies, key)
                if row.key != 0 and row.first == kind:
                    row.second = 0.0
    return 0


def forget(block_, _line):
    """Forget all replies."""
    clear(record(block_, REPLIES), FIRST_ROOM)
    return 0


@jit
def by_replies(block_, spot_):
    """The place of a good reply, or what the other chooser says."""
    replies = record(block_, REPLIES)
    spot = record(spot_, SPOT)
    kinds = array(spot.kinds, spot.count, np.int64)
    length = replies.length
    while length > 0:
        before = spot.before if length == 2 else NOTHING
        if spot.previous != NOTHING and (length == 1 or before != NOTHING):
            key = key_of(replies, spot.mover, spot.previous, before)
            row = find(replies, key)
            if row.second > 0.0:
                for k in range(spot.count):
                    if kinds[k] == row.first:
                        return k
        length -= 1
    return call(replies.then, (replies.block, spot_))


@cache
def kernels():
    """To choose, to learn and to forget."""
    return kernel(by_replies), kernel(learn), kernel(forget)


BY_REPLIES = Chooser(by_replies)
