"""Violations of the contract by users' games: the checks that are compiled into their kernels, and what they report.

Compiled code cannot raise an exception with numbers. It stores them in RULES_TAIL, the last fields of a user's rules
record, and raises GameViolationError; Python then describes the violation (``violation_text``).
"""

from functools import cache

import numpy as np

from ramify.core.kernels.compiling import jit, kernel
from ramify.core.kernels.pointers import array, record
from ramify.errors import BadMoveCountError, GameViolationError

RULES_TAIL = np.dtype(
    [
        ("ramify_max_moves", np.int64),
        ("ramify_max_chance_outcomes", np.int64),
        ("ramify_move_classes", np.int64),
        ("ramify_begin_question", np.int64),  # addresses of question_kernels
        ("ramify_end_question", np.int64),
        ("ramify_asked", np.int64),  # number of questions checked so far
        ("ramify_unchecked", np.int64),  # number of questions before the next one that is checked
        ("ramify_violation", np.int64),  # index into SENTENCES
        ("ramify_number", np.int64),  # a player, a move or a count
        ("ramify_value", np.float64),
    ]
)

SENTENCES = (
    "score {value} of player {number} is not in [0, 1]",
    "evaluate gives player {number} the value {value}, which is not in [0, 1]",
    "quality returned {value}, which is not in [0, 1]",
    "margin returned {value}, which is not a number",
    "prior {value} of move number {number} is not a number from 0",
    "mover returned {number}, which is no player of this game",
    "{name} lists no moves, but over returned False",
    "{name} lists the move {number}; moves must be integers from 0 to 2^31 - 1, each written to the list",
    "{name} lists the move {number} twice",
    "the probabilities of chance_outcomes sum to {value}, not to 1, or one of them is not in [0, 1]",
    "play got the move {number}, which a function drew; moves must be integers from 0 to 2^31 - 1",
    "{name} changed the state; only start, play, play_joint and playout may",
    "playout returned {number}; it must return the number of moves played",
    "playout ended in a position that is not over",
    "owners writes {number}, which is neither a player nor -1",
)
(
    BAD_SCORE,
    BAD_VALUE,
    BAD_QUALITY,
    BAD_MARGIN,
    BAD_PRIOR,
    BAD_MOVER,
    NO_MOVES,
    BAD_MOVE,
    DUPLICATE_MOVE,
    BAD_PROBABILITIES,
    BAD_DRAW,
    CHANGED_STATE,
    BAD_PLIES,
    UNFINISHED,
    BAD_OWNER,
) = range(len(SENTENCES))

# Kernels that must not change the state, and those that list moves; an error stores the index.
QUESTIONS = (
    *("legal", "legal_of", "chance_outcomes", "mover", "scores", "sample", "heuristic", "heuristic_of"),
    *("script", "published_heuristic", "winning_move", "key", "margin", "quality", "owners", "move_class"),
    *("evaluate", "priors", "published_moves"),
)

MAX_MOVE_CODE = 2**31 - 1  # the tree stores moves in 32 bits
SUM_TOLERANCE = 1e-6  # allowed error of a sum of probabilities; the precheck allows less
ALWAYS_CHECKED, CHECKED_EVERY = 4096, 8  # questions that are all checked; after them one in CHECKED_EVERY is
MAX_SUM = np.int64(2**63 - 1)  # checksums are not negative: a negative answer of a kernel may mean that it failed
ERASED_MOVES = 256  # entries erased before a list is written, to see which are not
MAX_COMPARED = 128  # longest unsorted list searched for duplicates


@jit
def violate(R, violation, number, value):
    """Raise GameViolationError. ``violation_text`` describes it."""
    R.ramify_violation = violation
    R.ramify_number = number
    R.ramify_value = value
    raise GameViolationError


@jit
def check_count(R, count, most, name):
    """Return the number of moves in a list, or raise if it is invalid."""
    if np.uint64(count - 1) >= np.uint64(most):
        if count == 0:
            violate(R, NO_MOVES, name, 0.0)
        R.ramify_number = count
        raise BadMoveCountError
    return count


# Checks of questions are kernels of their own: as parts of each kernel of a game they would double the time to compile
# it. ``tail_``: address of RULES_TAIL.


def begin_question(tail_, state, size, moves, most):
    """Mark the entries of a list as not written, decide when to check the next question, and return ``sum_state``."""
    tail = record(tail_, RULES_TAIL)
    tail.ramify_asked += 1
    tail.ramify_unchecked = 0 if tail.ramify_asked < ALWAYS_CHECKED else CHECKED_EVERY - 1
    erase_moves(moves, most)
    return sum_state(state, size)


def end_question(tail_, state, size, before, moves, count, question):
    """Raise if a question has changed the state, or lists a move that is invalid or listed twice."""
    tail = record(tail_, RULES_TAIL)
    if sum_state(state, size) != before:
        violate(tail, CHANGED_STATE, question, 0.0)
    wrong = find_bad_move(moves, count)
    if wrong != 0:
        move = array(moves, count, np.int64)[abs(wrong) - 1]
        violate(tail, BAD_MOVE if wrong > 0 else DUPLICATE_MOVE, move, np.float64(question))
    return 0


@jit
def erase_moves(moves_, most):
    count = min(most, ERASED_MOVES)
    moves = array(moves_, count, np.int64)
    for k in range(count):
        moves[k] = -1


@jit
def find_bad_move(moves_, count):
    """Return 1 + the index of an invalid move, -1 - the index of one that is listed before, or 0."""
    moves = array(moves_, count, np.int64)
    last = np.int64(-1)
    ascending = True
    for k in range(count):
        move = moves[k]
        if move < 0 or move > MAX_MOVE_CODE:
            return k + 1
        ascending &= move > last
        last = move
    if not ascending and count <= MAX_COMPARED:
        for k in range(1, count):
            move = moves[k]
            twice = False
            for j in range(k):
                twice |= moves[j] == move
            if twice:
                return -1 - k
    return 0


@jit
def sum_state(state, size):
    """Return a checksum of the bytes of a state."""
    total = np.int64(0)
    mixed = np.int64(0)
    words = array(state, size // 8, np.int64)
    for k in range(size // 8):
        total += words[k]
        mixed ^= words[k]
    rest = array(state + size // 8 * 8, size % 8, np.int8)
    for k in range(size % 8):
        total = total * 31 + rest[k]
    return (total ^ (mixed << 1) ^ (mixed >> 63)) & MAX_SUM


@cache
def question_kernels():
    """Return the kernels that check questions, by their fields in RULES_TAIL."""
    return {f"ramify_{check.__name__}": kernel(check) for check in (begin_question, end_question)}


@jit
def check_probabilities(R, probabilities, count):
    """Return ``count``, or raise unless the probabilities are in [0, 1] and sum to 1."""
    total = 0.0
    valid = True
    for k in range(count):
        valid &= probabilities[k] >= 0.0
        total += probabilities[k]
    if not (valid and 1.0 - SUM_TOLERANCE <= total <= 1.0 + SUM_TOLERANCE):
        violate(R, BAD_PROBABILITIES, 0, total)
    return count


@jit
def check_unit(R, values, count, violation):
    """Raise unless ``count`` values are in [0, 1]."""
    valid = True
    for k in range(count):
        valid &= 0.0 <= values[k] <= 1.0
    if not valid:
        k = 0
        while 0.0 <= values[k] <= 1.0:
            k += 1
        violate(R, violation, k, values[k])


@jit
def check_owners(R, out, classes, players):
    valid = True
    for kind in range(classes):
        valid &= -1 <= out[kind] < players
    if not valid:
        for kind in range(classes):
            if not -1 <= out[kind] < players:
                violate(R, BAD_OWNER, np.int64(out[kind]), 0.0)


def violation_text(rules):
    """Describe the last violation of a game, whose rules are an array of one record."""
    violation, number, value = (rules[f"ramify_{field}"][0] for field in ("violation", "number", "value"))
    listing = number if violation in (NO_MOVES, CHANGED_STATE) else value
    name = QUESTIONS[int(listing)] if violation in (NO_MOVES, BAD_MOVE, DUPLICATE_MOVE, CHANGED_STATE) else ""
    return SENTENCES[int(violation)].format(number=int(number), value=float(value), name=name)
