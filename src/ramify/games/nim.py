"""Nim (C. Bouton 1901): take any number of beans from one heap; taking the last bean wins.

With ``misere=true`` taking the last bean loses. The game is solved: in normal play the player to move loses if and only
if the xor of the heaps is 0. Misère play is the same while some heap has two or more beans, and reversed after that
(Bouton, "Nim, a game with a complete mathematical theory", Annals of Mathematics 3, 1901). ``heaps`` sets the initial
heaps, up to eight of up to 255 beans. The default ``1-3-5-7`` is the game of the film "L'année dernière à Marienbad"
(1961), there in misère play. Every move takes a bean, so every game ends. Playouts are uniform.

Moves are named by the heap and the number of beans taken: ``c2`` takes two beans from the third heap. Position text:
the heaps and the player to move, 1 or 2: ``1-3-5-7 1``.
"""

import numpy as np

from ramify.core.numbers.bits import ZERO
from ramify.core.numbers.rng import below, mix
from ramify.errors import RamifyError

PLAYERS = 2
MAX_HEAPS = 8
MAX_BEANS = 255

# Heap h is byte h of the word. A move is 256*h + beans taken.
Rules = np.dtype([("heaps", np.uint64), ("count", np.int64), ("beans", np.int64), ("misere", np.int64)])
State = np.dtype([("heaps", np.uint64), ("turn", np.int64)])

_BYTE = np.uint64(255)


def configure(rules, heaps="1-3-5-7", misere=False):
    words = heaps.split("-")
    numbers = [int(word) if word.isascii() and word.isdigit() and len(word) < 4 else 0 for word in words]
    if len(words) > MAX_HEAPS or not all(1 <= number <= MAX_BEANS for number in numbers):
        raise RamifyError(
            f"invalid heaps='{heaps}' for nim: use up to {MAX_HEAPS} heaps of 1 to {MAX_BEANS} beans, e.g. 1-3-5-7"
        )
    rules.heaps = pack(numbers)
    rules.count, rules.beans, rules.misere = len(numbers), sum(numbers), misere


def pack(numbers):
    return sum(number << 8 * heap for heap, number in enumerate(numbers))


def unpack(rules, heaps):
    return [int(heaps) >> 8 * heap & 255 for heap in range(int(rules.count))]


def max_moves(rules):
    return int(rules.beans)


def move_classes(rules):
    return int(256 * rules.count)


def start(rules, state):
    state.heaps = rules.heaps
    state.turn = 0


def mover(rules, state):
    return state.turn


def over(rules, state):
    return state.heaps == ZERO


def heap_of(heaps, heap):
    return np.int64((heaps >> np.uint64(8 * heap)) & _BYTE)


def beans_of(rules, heaps):
    beans = 0
    for heap in range(rules.count):
        beans += heap_of(heaps, heap)
    return beans


def legal(rules, state, moves):
    count = 0
    for heap in range(rules.count):
        for taken in range(1, heap_of(state.heaps, heap) + 1):
            moves[count] = 256 * heap + taken
            count += 1
    return count


def nth_move(heaps, n):
    """Return the n-th legal move, counted from 0: one per bean."""
    heap = 0
    beans = heap_of(heaps, 0)
    while n >= beans:
        n -= beans
        heap += 1
        beans = heap_of(heaps, heap)
    return 256 * heap + n + 1


def sample(rules, state, rng):
    return nth_move(state.heaps, below(rng, beans_of(rules, state.heaps)))


def without(heaps, move):
    return heaps - (np.uint64(move & 255) << np.uint64(8 * (move >> 8)))


def play(rules, state, move):
    state.heaps = without(state.heaps, move)
    state.turn = 1 - state.turn


def playout(rules, state, rng):
    """Uniform playout. It counts the beans once and then keeps the count up to date."""
    heaps = state.heaps
    beans = beans_of(rules, heaps)
    plies = 0
    while beans > 0:
        move = nth_move(heaps, below(rng, beans))
        heaps = without(heaps, move)
        beans -= move & 255
        plies += 1
    state.heaps = heaps
    state.turn ^= plies & 1
    return plies


def scores(rules, state, out):
    winner = state.turn if rules.misere else 1 - state.turn
    out[winner] = 1.0
    out[1 - winner] = 0.0


def key(rules, state):
    return mix(state.heaps ^ mix(np.uint64(state.turn + 1)))


def move_name(rules, state, move):
    return "abcdefgh"[move >> 8] + str(move & 255)


def write(rules, state):
    return "-".join(map(str, unpack(rules, state.heaps))) + f" {state.turn + 1}"


def read(rules, state, text):
    words, _, player = text.strip().rpartition(" ")
    first = unpack(rules, rules.heaps)
    sizes = {str(number): number for number in range(MAX_BEANS + 1)}
    heaps = [sizes.get(word, MAX_BEANS + 1) for word in words.strip().split("-")]
    if player not in ("1", "2"):
        raise RamifyError(f"invalid player to move '{player}': expected 1 or 2 at the end")
    if len(heaps) != len(first) or any(now > before for now, before in zip(heaps, first, strict=False)):
        example = "-".join(map(str, first))
        raise RamifyError(f"expected {len(first)} heaps of at most {example} and the player to move, e.g. {example} 1")
    # Each changed heap needs its own move; the number of moves is at most one per bean taken.
    fewest = sum(now < before for now, before in zip(heaps, first, strict=True))
    taken = sum(first) - sum(heaps)
    if taken == fewest and taken % 2 != int(player) - 1:
        raise RamifyError(f"after {taken} moves it is the other player's turn")
    state.heaps = pack(heaps)
    state.turn = int(player) - 1


def draw(rules, state):
    heaps = [f"{'abcdefgh'[heap]} " + "o" * beans for heap, beans in enumerate(unpack(rules, state.heaps))]
    return "\n".join([*heaps, f"player {state.turn + 1} to move"])
