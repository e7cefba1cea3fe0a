"""The kernel around a user's playout: checks once per playout how it ended and which length it returned.

A playout that is not cut must end where the game is over. One that is cut must have played ``episode.limit`` plies, and
the game must go on. The length must be the number of moves played (``core.playouts.move_counter``). A user's playout
may also call the author's functions or the game's own playouts, which count no moves; then the length may be larger.
"""

from functools import cache

import numpy as np

from ramify.core.kernels.compiling import jit, kernel
from ramify.core.kernels.pointers import call, record
from ramify.core.playouts.move_counter import counter_of
from ramify.core.search.episode import EPISODE
from ramify.core.search.steps import list_moves
from ramify.errors import BadPlayoutError

SENTENCES = (
    "returned {returned} in a position that is not over: it must play to the end, or up to its limit and return -1 - n",
    "returned {returned}, which means that its limit cut it after {plies} plies, but the limit is {limit}",
    "returned {returned}, which means that its limit cut it, but the game is over: it must return the number of plies",
    "returned {returned} after {played} plies: it must return their number n, or -1 - n if its limit cut it",
)
UNFINISHED, WRONG_CUT, CUT_AT_END, WRONG_LENGTH = range(len(SENTENCES))

CHECKED_PLAYOUT = np.dtype(
    [
        ("kernel", np.int64),  # the user's
        ("block", np.int64),
        ("exact", np.int64),  # whether every move is counted, so that the length is known
        ("seen", np.int64),  # whether a counted move was ever played
        # The game, as in GameTable.
        ("rules", np.int64),
        ("max_children", np.int64),
        ("mover", np.int64),
        ("legal", np.int64),
        ("chance_outcomes", np.int64),
        ("over", np.int64),
        ("probabilities", np.int64),  # buffer
        # The violation.
        ("violation", np.int64),  # index into SENTENCES
        ("returned", np.int64),
        ("played", np.int64),
        ("limit", np.int64),
    ]
)


@jit
def refuse(block, violation, returned, played, limit):
    """Raise BadPlayoutError. ``violation_text`` describes it."""
    block.violation = violation
    block.returned = returned
    block.played = played
    block.limit = limit
    raise BadPlayoutError


def play_out(rules, state, episode_, block_):
    block = record(block_, CHECKED_PLAYOUT)
    episode = record(episode_, EPISODE)
    counter = counter_of(rules)
    counter.state = state
    counter.played = 0
    counter.tried = 0
    returned = call(block.kernel, (rules, state, episode_, block.block))
    played, limit = counter.played, episode.limit
    most = played + counter.tried  # a move tried in a copy may have been copied back
    cut = returned < 0
    plies = -1 - returned if cut else returned
    if most > 0:
        block.seen = 1
    if block.seen and (plies < played or (block.exact and plies > most)):
        refuse(block, WRONG_LENGTH, returned, played, limit)
    if cut and plies != limit:
        refuse(block, WRONG_CUT, returned, plies, limit)
    going = list_moves(block, state, call(block.mover, (rules, state)), episode.moves, block.probabilities) > 0
    if going and not cut:
        refuse(block, UNFINISHED, returned, played, limit)
    if cut and not going:
        refuse(block, CUT_AT_END, returned, played, limit)
    return returned


@cache
def checking_kernel():
    return kernel(play_out)


def violation_text(block):
    """Describe the last violation of a playout, whose block is an array of one CHECKED_PLAYOUT."""
    returned, played, limit = (int(block[field][0]) for field in ("returned", "played", "limit"))
    sentence = SENTENCES[int(block["violation"][0])]
    return sentence.format(returned=returned, played=played, limit=limit, plies=-1 - returned)
