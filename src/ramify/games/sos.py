"""Sum of Switches, SOS(n): pick the larger numbers. An artificial game with a known best line.

Players take turns picking one of the numbers 0 to n-1; each can be picked once. After n picks the first player wins if
and only if s1 - s2 >= k, where s1 and s2 are the players' sums and the komi k = floor(n/2) is the difference under
perfect play (always pick the largest number left). So she wins under perfect play without any margin: every mistake of
hers loses if it is answered well. The game and its komi are from D. Tom, "Investigating UCT and RAVE: Steps Towards a
More Robust Method", MSc thesis, University of Alberta 2010, section 4.2. There the values are hidden from the players;
here they name the moves. Playouts are uniform.

Position text: the numbers of the first and of the second player, in any order, separated by commas, with ``/`` between
the players: ``9,7/8``; a player without a number is ``-``. The counts determine the player to move.
"""

import numpy as np

from ramify.core.numbers.bits import ZERO, bit, has, popcount
from ramify.errors import RamifyError
from ramify.games.boards.cell_words import list_members, random_member
from ramify.games.boards.texts import is_number

PLAYERS = 2
MAX_N = 64

Rules = np.dtype([("numbers", np.int64), ("komi", np.int64), ("every", np.uint64)])  # every: set of all numbers

# Sets of numbers: bit v is number v.
State = np.dtype(
    [
        ("first", np.uint64),  # picked by player 0
        ("second", np.uint64),
        ("lead", np.int64),  # s1 - s2
    ]
)


def configure(rules, n=10):
    if not 2 <= n <= MAX_N:
        raise RamifyError(f"invalid n={n} for sos: use 2 to {MAX_N}")
    rules.numbers, rules.komi, rules.every = n, n // 2, (1 << n) - 1


def max_moves(rules):
    return int(rules.numbers)


def start(rules, state):
    state.first = ZERO
    state.second = ZERO
    state.lead = 0


def left(rules, state):
    return rules.every & ~(state.first | state.second)


def mover(rules, state):
    return popcount(state.first | state.second) & 1


def over(rules, state):
    return left(rules, state) == ZERO


def legal(rules, state, moves):
    return list_members(left(rules, state), moves)


def sample(rules, state, rng):
    return random_member(left(rules, state), rng)


def play(rules, state, move):
    if mover(rules, state) == 0:
        state.first |= bit(move)
        state.lead += move
    else:
        state.second |= bit(move)
        state.lead -= move


def margin(rules, state):
    """s1 - s2 - komi; the first player wins with 0 or more."""
    return float(state.lead - rules.komi)


def margins(rules):
    """Extremes: the first player has the smallest or the largest numbers (one more than the second if n is odd)."""
    n, picks = int(rules.numbers), (int(rules.numbers) + 1) // 2
    low, high = sum(range(picks)), sum(range(n - picks, n))
    every = n * (n - 1) // 2
    return 2 * low - every - int(rules.komi), 2 * high - every - int(rules.komi)


def move_classes(rules):
    return int(rules.numbers)


def owners(rules, state, out):
    for number in range(rules.numbers):
        out[number] = 0 if has(state.first, number) else 1 if has(state.second, number) else -1


def scores(rules, state, out):
    out[0] = 1.0 if margin(rules, state) >= 0.0 else 0.0
    out[1] = 1.0 - out[0]


def move_name(rules, state, move):
    return str(move)


def write(rules, state):
    sides = ([str(v) for v in reversed(range(MAX_N)) if has(picked, v)] for picked in (state.first, state.second))
    return "/".join(",".join(side) or "-" for side in sides)


def read(rules, state, text):
    sides = [[] if side.strip() == "-" else side.split(",") for side in text.split("/")]
    picks = [word.strip() for side in sides for word in side]
    if len(sides) != 2 or not all(is_number(word) for word in picks):
        raise RamifyError("expected the numbers of the first player, /, and those of the second, e.g. 9,7/8 (none: -)")
    first, second = ([int(word) for word in side] for side in sides)
    if len(first) - len(second) not in (0, 1):
        raise RamifyError("players take turns, so the first needs as many numbers as the second, or one more")
    for number in (*first, *second):
        if number >= rules.numbers:
            raise RamifyError(f"invalid number {number}: expected 0 to {rules.numbers - 1}")
    if len({*first, *second}) < len(picks):
        raise RamifyError("duplicate number: each can be picked only once")
    state.first, state.second = (sum(1 << v for v in side) for side in (first, second))
    state.lead = sum(first) - sum(second)


def draw(rules, state):
    """One row of numbers, and below it the owners: 1, 2 or . for none."""
    numbers = range(int(rules.numbers))
    owners = ["1" if has(state.first, v) else "2" if has(state.second, v) else "." for v in numbers]
    lines = [" ".join(f"{cell:>2}" for cell in row) for row in (numbers, owners)]
    return "\n".join([*lines, f"s1 - s2 = {state.lead}, the first player needs {rules.komi}"])
