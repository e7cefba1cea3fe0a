"""Take away, a sound game with every optional part: the broken ones in test_checking.py are this one, changed.

Players take 1, 2 or 3 beans in turn, but never as many as were taken just before. Who cannot move loses.
"""

import numpy as np

from ramify.core.numbers.bits import ZERO, bit, lowest, nth, popcount, without_lowest
from ramify.core.numbers.rng import below
from ramify.errors import RamifyError

PLAYERS = 2
MAX_MOVES = 3
MOVE_CLASSES = 3
MARGINS = (0.0, 1.0)

Rules = np.dtype([("beans", np.int64)])
State = np.dtype([("beans", np.int64), ("turn", np.int64), ("last", np.int64), ("taken", np.uint8)])

NUMBERS = np.uint64(0b1110)


def configure(rules, beans=12):
    if not 1 <= beans <= 60:
        raise RamifyError(f"take away needs 1 to 60 beans, not {beans}")
    rules.beans = beans


def start(rules, state):
    state.beans = rules.beans


def free(state):
    """The numbers that may be taken, as bits."""
    return NUMBERS & (bit(state.beans + 1) - np.uint64(1)) & ~bit(state.last)


def mover(rules, state):
    return state.turn


def over(rules, state):
    return free(state) == ZERO


def legal(rules, state, moves):
    numbers = free(state)
    count = 0
    while numbers != ZERO:
        moves[count] = lowest(numbers)
        numbers = without_lowest(numbers)
        count += 1
    return count


def winning_move(rules, state):
    numbers = free(state)
    while numbers != ZERO:
        taken = lowest(numbers)
        if NUMBERS & (bit(state.beans - taken + 1) - np.uint64(1)) & ~bit(taken) == ZERO:
            return taken
        numbers = without_lowest(numbers)
    return -1


def sample(rules, state, rng):
    numbers = free(state)
    return nth(numbers, below(rng, popcount(numbers)))


def play(rules, state, move):
    state.beans -= move
    state.taken += move
    state.last = move
    state.turn = 1 - state.turn


def playout(rules, state, rng):
    plies = 0
    while not over(rules, state):
        play(rules, state, sample(rules, state, rng))
        plies += 1
    return plies


def scores(rules, state, out):
    out[state.turn] = 0.0
    out[1 - state.turn] = 1.0


def key(rules, state):
    return np.uint64(state.beans * 8 + state.last * 2 + state.turn)


def quality(rules, state):
    return (state.beans + 0.5) / 4.0


def margin(rules, state):
    return state.beans / 3.0


def move_class(rules, state, move):
    return move - 1


def move_name(rules, state, move):
    return f"take{move}"


def write(rules, state):
    return f"{state.beans}/{state.last}/{state.turn}"


def read(rules, state, text):
    words = text.strip().split("/")
    if len(words) != 3 or not all(word in map(str, range(rules.beans + 1)) for word in words):
        raise RamifyError("give the beans, what was taken last and the player, like 7/3/0")
    beans, last, turn = (int(word) for word in words)
    if last > 3 or turn > 1 or beans + last > rules.beans:
        raise RamifyError("nobody can have taken that")
    state.beans, state.last, state.turn, state.taken = beans, last, turn, rules.beans - beans


def draw(rules, state):
    return "o" * int(state.beans) + f" player {state.turn}, not {state.last}"
