"""Last good reply (Drake 2009) with forgetting (Baier and Drake 2010).

After each simulation every move of a winner becomes the reply to the move before it, and to the two moves before it; a
reply that a loser played is forgotten. A playout plays the reply to the last two moves if there is one and it is legal,
else the reply to the last move, else the move of its fallback policy.

Replies to one move are in a table by player and move; those to two moves too, if that table is small enough. Otherwise
they are in a hash table (``core.playouts.hash_table``); once that is full, only known replies change.
"""

from functools import cache

import numpy as np

from ramify.core.kernels.compiling import jit, kernel
from ramify.core.kernels.pointers import array, call, record
from ramify.core.playouts.average_table import player_of
from ramify.core.playouts.context import NO_MOVE, PLAYOUT_CONTEXT, PlayoutPolicy
from ramify.core.playouts.hash_table import FIELDS, INITIAL_CAPACITY, clear, find, make_room
from ramify.core.playouts.move_sequence import MOVE_SEQUENCE
from ramify.core.playouts.random_policy import uniform

REPLIES = np.dtype(
    [
        # By player and preceding moves: 1 + the class of the reply, or 0.
        ("ones", np.int64),
        ("twos", np.int64),  # 0: they are in the hash table
        *FIELDS,  # of the hash table; its rows are the class of the reply and 1, or 0 if forgotten
        ("length", np.int64),  # number of preceding moves, 1 or 2
        ("forgets", np.int64),
        ("players", np.int64),
        ("entries", np.int64),  # players * classes
        ("then", np.int64),  # the fallback policy; 0: uniform
        ("block", np.int64),
    ]
)


@jit
def reply_to_one(replies, player, previous):
    return array(replies.ones + 4 * (player * replies.entries + previous), 1, np.int32)


@jit
def reply_to_two(replies, player, previous, before):
    place = (player * replies.entries + before) * replies.entries + previous
    return array(replies.twos + 4 * place, 1, np.int32)


@jit
def key_of(replies, player, previous, before):
    return 1 + (player * replies.entries + before) * replies.entries + previous


@jit
def store_reply(replies, key, move_class):
    row = find(replies, key)
    if row.key == 0:
        if replies.used == replies.max_entries:
            return
        row.key = key
        replies.used += 1
    row.first = move_class
    row.second = 1.0
    make_room(replies)


@jit
def change(reply, move_class, won):
    """Store a reply that won, or forget it."""
    if won:
        reply[0] = move_class + 1
    elif reply[0] == move_class + 1:
        reply[0] = 0


def learn(block_, line_):
    """Store the replies of winners and forget those of losers."""
    replies = record(block_, REPLIES)
    line = record(line_, MOVE_SEQUENCE)
    moves = array(line.moves, line.length, np.int64)
    scores = array(line.scores, replies.players, np.float64)
    for k in range(1, line.length):
        player = player_of(moves[k], line.classes)
        move_class = moves[k] - player * line.classes
        won = scores[player] > 0.5
        if not (won or (scores[player] < 0.5 and replies.forgets)):
            continue
        change(reply_to_one(replies, player, moves[k - 1]), move_class, won)
        if replies.length < 2 or k < 2:
            continue
        if replies.twos:
            change(reply_to_two(replies, player, moves[k - 1], moves[k - 2]), move_class, won)
            continue
        key = key_of(replies, player, moves[k - 1], moves[k - 2])
        if won:
            store_reply(replies, key, move_class)
        else:
            row = find(replies, key)
            if row.key != 0 and row.first == move_class:
                row.second = 0.0
    return 0


def clear_replies(block_, _line):
    replies = record(block_, REPLIES)
    clear(replies, INITIAL_CAPACITY)
    places = replies.players * replies.entries
    ones = array(replies.ones, places, np.int32)
    for k in range(places):
        ones[k] = 0
    if replies.twos:
        twos = array(replies.twos, places * replies.entries, np.int32)
        for k in range(places * replies.entries):
            twos[k] = 0
    return 0


@jit
def find_reply(replies, context, length):
    """Return the class of the reply to the last ``length`` moves, or NO_MOVE."""
    if length > replies.length or context.previous == NO_MOVE:
        return np.int64(NO_MOVE)
    if length == 1:
        return np.int64(reply_to_one(replies, context.mover, context.previous)[0]) - 1
    if context.before == NO_MOVE:
        return np.int64(NO_MOVE)
    if replies.twos:
        return np.int64(reply_to_two(replies, context.mover, context.previous, context.before)[0]) - 1
    row = find(replies, key_of(replies, context.mover, context.previous, context.before))
    return np.int64(row.first) if row.second > 0.0 else np.int64(NO_MOVE)


@jit
def explore(block, context_):
    """Whether a uniform move will do: no reply and no fallback policy."""
    replies = record(block, REPLIES)
    context = record(context_, PLAYOUT_CONTEXT)
    return (
        replies.then == 0 and find_reply(replies, context, 2) == NO_MOVE and find_reply(replies, context, 1) == NO_MOVE
    )


@jit
def last_good_reply(block, context_):
    """Return the index of the stored reply, or of the fallback policy's move."""
    replies = record(block, REPLIES)
    context = record(context_, PLAYOUT_CONTEXT)
    move_classes = array(context.move_classes, context.count, np.int64)
    for length in (2, 1):
        move_class = find_reply(replies, context, length)
        if move_class != NO_MOVE:
            for k in range(context.count):
                if move_classes[k] == move_class:
                    return np.int64(k)
    if replies.then == 0:
        return uniform(block, context_)
    return call(replies.then, (replies.block, context_))


@cache
def kernels():
    """Kernels that choose, learn and clear."""
    return kernel(last_good_reply), kernel(learn), kernel(clear_replies)


LAST_GOOD_REPLY = PlayoutPolicy(last_good_reply, explore)
