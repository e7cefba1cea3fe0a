"""Nine Men's Morris (Merrills, Mill) on 24 points: a mill of three takes a man; a player with two men loses.

The board is three nested squares, connected at the middles of their sides. Each player, white (player 0) first, places
nine men on empty points, one per turn. After that a turn slides one man along a line to the next point; a player with
three men left may move to any empty point (fly). A player who closes a mill, three men in a row on a line, removes an
enemy man, from a mill only if there are no others. A player with two men left, or without a move, loses. After
``turns`` turns the game is drawn. These are the rules of OpenSpiel's ``nine_mens_morris``; as there, the removal is a
separate ply of the same player in the same turn. Playouts are uniform.

Points are named ``a1`` to ``g7`` (``a1``, ``d1`` and ``g1`` in the bottom row); moves ``d6`` (place), ``d6-f6`` (slide
or fly) and ``xd6`` (remove). Position text: the points row by row from the top, ``w``, ``b`` and ``.``, the rows
separated by ``/``, then ``w`` or ``b`` to move, the turns played, and ``x`` if a man is to be removed. The number of
turns determines the men in hand.
"""

import numpy as np

from ramify.core.numbers.bits import ZERO, bit, lowest, nth_bit, popcount, without_lowest
from ramify.core.numbers.rng import below
from ramify.errors import RamifyError
from ramify.games.boards import grids
from ramify.games.boards.cell_words import random_of_four
from ramify.games.boards.texts import read_number

PLAYERS = 2
MEN = 9
POINTS = 24
MAX_MOVES = 72  # flying: 3 men to at most 21 points; sliding: 9 men in at most 4 directions

Rules = np.dtype([("turns", np.int64)])
# Bit 8*ring + k: ring 0 is the outer square, k counts clockwise from its upper left corner.
State = np.dtype(
    [
        ("mine", np.uint64),  # men on the board, of the player to move
        ("theirs", np.uint64),
        ("turns", np.int64),  # turns completed
        ("taking", np.int64),  # whether the player to move has closed a mill and must remove a man
    ]
)

ALL = np.uint64(0xFFFFFF)
SIDES = np.uint64(0xAAAAAA)  # middles of the sides
FIRST, LAST = np.uint64(0x010101), np.uint64(0x808080)  # first and last point of each ring
_1, _7, _8, _16 = (np.uint64(k) for k in (1, 7, 8, 16))


def configure(rules, turns=200):
    if not 1 <= turns <= 10_000:
        raise RamifyError(f"invalid turns={turns} for nine_mens_morris: use 1 to 10000")
    rules.turns = turns


def start(rules, state):
    state.mine = ZERO
    state.theirs = ZERO
    state.turns = 0
    state.taking = 0


def mover(rules, state):
    return state.turns & 1


def in_hand(turns):
    """Return the men that the player to move has still to place at the start of the turn."""
    return max(0, MEN - (turns >> 1))


def clockwise(men):
    return ((men & ~LAST) << _1) | ((men & LAST) >> _7)


def anticlockwise(men):
    return ((men & ~FIRST) >> _1) | ((men & FIRST) << _7)


def inward(men):
    return ((men & SIDES) << _8) & ALL


def outward(men):
    return (men & SIDES) >> _8


def mills(men):
    """Return the men that are part of a mill."""
    side = men & SIDES & clockwise(men) & anticlockwise(men)
    cross = men & SIDES & (men >> _8) & (men >> _16)
    return side | clockwise(side) | anticlockwise(side) | cross | (cross << _8) | (cross << _16)


def removable(men):
    free = men & ~mills(men)
    return free if free != ZERO else men


def slides(mine, empty):
    """Return the targets of slides, one set per direction."""
    return clockwise(mine) & empty, anticlockwise(mine) & empty, inward(mine) & empty, outward(mine) & empty


def has_lost(mine, theirs, turns):
    """Whether the player to move has lost at the start of the turn."""
    hand = in_hand(turns)
    if hand > 0 or popcount(mine) <= 3:
        return popcount(mine) + hand <= 2
    a, b, c, d = slides(mine, ALL & ~(mine | theirs))
    return (a | b | c | d) == ZERO


def over(rules, state):
    if state.taking != 0:
        return False
    return state.turns >= rules.turns or has_lost(state.mine, state.theirs, state.turns)


def put_points(moves, count, base, step, points):
    while points != ZERO:
        moves[count] = base + step * lowest(points)
        points = without_lowest(points)
        count += 1
    return count


# A move is the point of a man placed or removed, or 24 + 24*from + to.
MOVE_CLASSES = POINTS + POINTS * POINTS + POINTS


def legal(rules, state, moves):
    mine = state.mine
    empty = ALL & ~(mine | state.theirs)
    if state.taking != 0:
        return put_points(moves, 0, 0, 1, removable(state.theirs))
    if in_hand(state.turns) > 0:
        return put_points(moves, 0, 0, 1, empty)
    flying = popcount(mine) <= 3
    count = 0
    while mine != ZERO:
        man = mine & ~(mine - _1)
        a, b, c, d = slides(man, empty)
        targets = empty if flying else a | b | c | d
        count = put_points(moves, count, POINTS + POINTS * lowest(man), 1, targets)
        mine = without_lowest(mine)
    return count


def move_class(rules, state, move):
    """Classes: the move itself; removals have their own classes."""
    return move if state.taking == 0 else POINTS + POINTS * POINTS + move


def play(rules, state, move):
    if state.taking != 0:
        state.theirs &= ~bit(move)
        state.taking = 0
    else:
        to = bit(move if move < POINTS else (move - POINTS) % POINTS)
        if move >= POINTS:
            state.mine ^= bit((move - POINTS) // POINTS)
        state.mine |= to
        state.taking = (mills(state.mine) & to) != ZERO
    if state.taking == 0:
        mine = state.theirs
        state.theirs = state.mine
        state.mine = mine
        state.turns += 1


def random_point(points, rng):
    """Return a uniformly random point, as a set."""
    return nth_bit(points, below(rng, popcount(points)))


def playout(rules, state, rng):
    """Uniform playout in local variables."""
    mine, theirs, turns, taking = state.mine, state.theirs, state.turns, state.taking != 0
    plies = 0
    while taking or (turns < rules.turns and not has_lost(mine, theirs, turns)):
        plies += 1
        if taking:
            theirs ^= random_point(removable(theirs), rng)
            taking = False
        else:
            empty = ALL & ~(mine | theirs)
            if in_hand(turns) > 0:
                to = random_point(empty, rng)
                mine |= to
            elif popcount(mine) <= 3:
                to = random_point(empty, rng)
                mine ^= random_point(mine, rng) | to
            else:
                a, b, c, d = slides(mine, empty)
                a, b, c, d = random_of_four(a, b, c, d, rng)
                to = a | b | c | d
                mine ^= anticlockwise(a) | clockwise(b) | outward(c) | inward(d) | to
            taking = (mills(mine) & to) != ZERO
        if not taking:
            mine, theirs = theirs, mine
            turns += 1
    state.mine, state.theirs, state.turns, state.taking = mine, theirs, turns, 0
    return plies


def scores(rules, state, out):
    player = state.turns & 1
    score = 0.0 if has_lost(state.mine, state.theirs, state.turns) else 0.5
    out[player] = score
    out[1 - player] = 1.0 - score


def quality(rules, state):
    """Increases with the winner's number of men; 1/2 for a draw."""
    if not has_lost(state.mine, state.theirs, state.turns):
        return 0.5
    return (popcount(state.theirs) + in_hand(state.turns + 1)) / (MEN + 1.0)


RINGS = ("a7 d7 g7 g4 g1 d1 a1 a4", "b6 d6 f6 f4 f2 d2 b2 b4", "c5 d5 e5 e4 e3 d3 c3 c4")
NAMES = " ".join(RINGS).split()
ROWS = [sorted(name for name in NAMES if name[1] == row) for row in "7654321"]


def move_name(rules, state, move):
    if move < POINTS:
        return ("x" if state.taking else "") + NAMES[move]
    return NAMES[(move - POINTS) // POINTS] + "-" + NAMES[(move - POINTS) % POINTS]


def marks(state):
    """Return the mark of each point, by name."""
    marks = grids.marks_of(state.turns % 2, state.mine, state.theirs, range(POINTS), ".wb")
    return dict(zip(NAMES, marks, strict=True))


def write(rules, state):
    mark = marks(state)
    board = "/".join("".join(mark[name] for name in row) for row in ROWS)
    return f"{board} {'wb'[state.turns % 2]} {state.turns}" + (" x" if state.taking else "")


def read(rules, state, text):
    words = text.strip().lower().split()
    rows = words[0].split("/") if len(words) == 3 or (len(words) == 4 and words[3] == "x") else []
    if not grids.are_rows(rows, [3, 3, 3, 6, 3, 3, 3], "wb."):
        raise RamifyError(
            "expected rows of 3, 3, 3, 6, 3, 3, 3 points (w, b, .) from the top, separated by /, then w or b to move,"
            " the number of turns, and x if a man is to be removed"
        )
    taking = len(words) == 4
    turns = read_number(words[2], rules.turns - taking, "number of turns")
    if words[1] != "wb"[turns % 2]:
        raise RamifyError(f"after {turns} turns it is {'wb'[turns % 2]} to move, not {words[1]}")
    mark = dict(zip([name for row in ROWS for name in row], "".join(rows), strict=True))
    mine, theirs = (
        np.uint64(sum(1 << NAMES.index(name) for name in mark if mark[name] == side))
        for side in (words[1], "wb"[1 - turns % 2])
    )
    placed = min(MEN, (turns >> 1) + taking), min(MEN, (turns + 1) >> 1)
    if popcount(mine) > placed[0] or popcount(theirs) > placed[1]:
        raise RamifyError(f"after {turns} turns {words[1]} has placed {placed[0]} men and the opponent {placed[1]}")
    taken = placed[0] - popcount(mine), placed[1] - popcount(theirs)
    if taken[0] > max(0, ((turns + 1) >> 1) - 2) or taken[1] > max(0, (turns >> 1) - 2):
        raise RamifyError(f"a mill takes three turns, so {turns} turns are too few for the men removed")
    if taking and mills(mine) == ZERO:
        raise RamifyError(f"{words[1]} has no mill, so it cannot remove a man")
    if popcount(theirs) + MEN - placed[1] < 3 or (taking and popcount(mine) + MEN - placed[0] < 3):
        raise RamifyError("a player with two men has lost, so the game ended before this position")
    state.mine, state.theirs, state.turns, state.taking = mine, theirs, turns, taking


PICTURE = """7  {a7}-----------{d7}-----------{g7}
   |           |           |
6  |   {b6}-------{d6}-------{f6}   |
   |   |       |       |   |
5  |   |   {c5}---{d5}---{e5}   |   |
   |   |   |       |   |   |
4  {a4}---{b4}---{c4}       {e4}---{f4}---{g4}
   |   |   |       |   |   |
3  |   |   {c3}---{d3}---{e3}   |   |
   |   |       |       |   |
2  |   {b2}-------{d2}-------{f2}   |
   |           |           |
1  {a1}-----------{d1}-----------{g1}
   a   b   c   d   e   f   g"""


def draw(rules, state):
    in_hands = [max(0, MEN - (state.turns + 1 - colour) // 2) for colour in range(2)]
    if state.taking and in_hands[state.turns % 2] > 0:
        in_hands[state.turns % 2] -= 1
    return PICTURE.format(**marks(state)) + f"\nin hand: w {in_hands[0]}, b {in_hands[1]}; turn {state.turns}"
