"""Take away with flaws that show only when fewer than four beans are left; ``flaw`` is the number of one, 0 for none.

All flaws are in one file, which is compiled once.
"""

import numpy as np

from ramify.core.numbers.rng import below

PLAYERS = 2
MAX_MOVES = 3

Rules = np.dtype([("beans", np.int64), ("flaw", np.int64)])
State = np.dtype([("beans", np.int64), ("turn", np.int64), ("taken", np.int64, (4,))])

(
    NONE,
    SCORE_OF_7,
    SCORE_OF_NAN,
    NO_SCORE,
    WRITES_TOO_MANY,
    NO_MOVES,
    NOT_WRITTEN,
    NEGATIVE_MOVE,
    SAME_MOVE_TWICE,
    NO_SUCH_PLAYER,
    DIVIDES_BY_ZERO,
    REMAINDER_OF_ZERO,
    DIVIDES_A_FLOAT,
    CHANGES_STATE,
    OVER_CHANGES_STATE,
    CHANGES_RULES,
    READS_BEYOND,
    WRITES_BEYOND,
    PLAYOUT_STOPS,
    PLAYOUT_OF_NONE,
    EVALUATES_TO_7,
    QUALITY_OF_7,
    PRIOR_OF_NAN,
) = range(23)


def configure(rules, beans=12, flaw=0):
    rules.beans, rules.flaw = beans, flaw


def start(rules, state):
    state.beans = rules.beans


def has(rules, state, flaw):
    return rules.flaw == flaw and state.beans < 4


def mover(rules, state):
    return 5 if has(rules, state, NO_SUCH_PLAYER) else state.turn


def over(rules, state):
    if has(rules, state, OVER_CHANGES_STATE):
        state.taken[0] += 1
    return state.beans == 0


def legal(rules, state, moves):
    count = min(state.beans, 3)
    for k in range(count):
        if not has(rules, state, NOT_WRITTEN):
            moves[k] = k + 1
    if has(rules, state, NEGATIVE_MOVE):
        moves[0] = -7
    if has(rules, state, SAME_MOVE_TWICE) and count > 1:
        moves[1] = moves[0]
    if has(rules, state, CHANGES_STATE):
        state.turn = 1 - state.turn
    if has(rules, state, WRITES_TOO_MANY):
        moves[3] = 1
    return 0 if has(rules, state, NO_MOVES) else count


def play(rules, state, move):
    if has(rules, state, DIVIDES_BY_ZERO):
        state.taken[0] += 1 // (state.beans - move)
    if has(rules, state, REMAINDER_OF_ZERO):
        state.taken[0] += 1 % (state.beans - move)
    if has(rules, state, DIVIDES_A_FLOAT):
        state.taken[0] += 1.0 / (state.beans - move) > 2.0
    if has(rules, state, CHANGES_RULES):
        rules.beans += 1
    if has(rules, state, READS_BEYOND):
        state.taken[0] += state.taken[state.beans + 3]
    if has(rules, state, WRITES_BEYOND):
        state.taken[state.beans + 3] += 1
    state.beans -= move
    state.turn = 1 - state.turn


def playout(rules, state, rng):
    plies = 0
    while state.beans != 0 and not has(rules, state, PLAYOUT_STOPS):
        play(rules, state, 1 + below(rng, min(state.beans, 3)))
        plies += 1
    return -plies if rules.flaw == PLAYOUT_OF_NONE else plies


def scores(rules, state, out):
    if rules.flaw != NO_SCORE:
        out[state.turn] = 0.0
    out[1 - state.turn] = 1.0
    if rules.flaw == SCORE_OF_7:
        out[1] *= 7.0
    if rules.flaw == SCORE_OF_NAN:
        out[0] += np.nan


def evaluate(rules, state, out):
    out[0] = out[1] = 7.0 if has(rules, state, EVALUATES_TO_7) else 0.5


def quality(rules, state):
    return 7.0 if rules.flaw == QUALITY_OF_7 else 0.5


def priors(rules, state, moves, count, out):
    for k in range(count):
        out[k] = np.nan if has(rules, state, PRIOR_OF_NAN) else 1.0 / count
