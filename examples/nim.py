"""Nim: players take any number of beans from one heap; the player who takes the last bean wins.

Moves are named by heap and number, ``b2``: two beans from the second heap. Position text: the heaps and the player to
move, ``3-4-5 0``.
"""

import numpy as np

from ramify.errors import RamifyError

PLAYERS = 2
MAX_HEAPS = 8
MAX_BEANS = 99

Rules = np.dtype([("heaps", np.int64), ("beans", np.int64)])
State = np.dtype([("beans", np.int64, (MAX_HEAPS,)), ("turn", np.int64)])


def configure(rules, heaps=3, beans=5):
    if not 1 <= heaps <= MAX_HEAPS or not 1 <= beans <= MAX_BEANS:
        raise RamifyError(f"nim needs 1 to {MAX_HEAPS} heaps of 1 to {MAX_BEANS} beans, not {heaps} of {beans}")
    rules.heaps, rules.beans = heaps, beans


def max_moves(rules):
    return int(rules.heaps * rules.beans)


def start(rules, state):
    for heap in range(rules.heaps):
        state.beans[heap] = rules.beans
    state.turn = 0


def mover(rules, state):
    return state.turn


def over(rules, state):
    left = 0
    for heap in range(rules.heaps):
        left += state.beans[heap]
    return left == 0


def legal(rules, state, moves):
    count = 0
    for heap in range(rules.heaps):
        for taken in range(1, state.beans[heap] + 1):
            moves[count] = 100 * heap + taken
            count += 1
    return count


def play(rules, state, move):
    state.beans[move // 100] -= move % 100
    state.turn = 1 - state.turn


def scores(rules, state, out):
    out[state.turn] = 0.0  # nothing is left to take
    out[1 - state.turn] = 1.0


def move_name(rules, state, move):
    return "abcdefgh"[move // 100] + str(move % 100)


def write(rules, state):
    return "-".join(str(beans) for beans in state.beans[: rules.heaps]) + f" {state.turn}"


def read(rules, state, text):
    heaps, _, turn = text.strip().rpartition(" ")
    numbers = [str(k) for k in range(rules.beans + 1)]
    beans = heaps.split("-")
    if len(beans) != rules.heaps or turn not in ("0", "1") or not all(word in numbers for word in beans):
        raise RamifyError(f"give {rules.heaps} heaps of at most {rules.beans} beans and the player, like 3-4-5 0")
    state.beans[: rules.heaps] = [int(word) for word in beans]
    state.turn = int(turn)


def draw(rules, state):
    heaps = [f"{'abcdefgh'[heap]} " + "o" * int(state.beans[heap]) for heap in range(rules.heaps)]
    return "\n".join([*heaps, f"player {state.turn} to move"])
