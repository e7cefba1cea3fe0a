"""Othello (Reversi as Goro Hasegawa fixed it in 1971) on 8x8: outflank the other's discs in line to turn them.

A disc must be placed so that at least one straight line of the other's discs, in any of eight directions, stands
between it and another disc of one's own; all such lines are turned. Whoever has no such square passes; the game is
over when neither has one, and the larger number of discs wins (equal: a draw). Player 0 is black, ``x``. These are
the rules of the World Othello Federation, and of OpenSpiel's ``othello``.

Squares are named ``a1`` (top left) to ``h8`` (bottom right), a pass ``pass``. Position text: the rows from the top,
``x``, ``o`` and ``.``, separated by ``/``, then a blank and ``x`` or ``o`` for the side to move.
"""

import numpy as np

from ramify.core.numbers.bits import ZERO, bit, lowest, popcount, without_lowest
from ramify.core.numbers.rng import below
from ramify.errors import RamifyError
from ramify.games.boards import grids
from ramify.games.boards.cell_words import list_members
from ramify.games.boards.two_player_scores import by_lead

PLAYERS = 2
PASS = 64
MAX_MOVES = 64
MOVE_CLASSES = 65  # squares, and to pass
MARGINS = (-64, 64)

# Bit 8*row + column, row 0 on top.
State = np.dtype(
    [
        ("mine", np.uint64),  # discs of the player to move
        ("theirs", np.uint64),
        ("targets", np.uint64),  # where the player to move may place a disc
        ("must_pass", np.int64),  # no target, though the other player has one
        ("mover", np.int64),
    ]
)

INNER = np.uint64(0x7E7E7E7E7E7E7E7E)  # all but columns a and h: what a line that is not vertical can turn
_1, _7, _8, _9 = (np.uint64(k) for k in (1, 7, 8, 9))
WHITE = np.uint64(1 << 27 | 1 << 36)  # d4, e5
BLACK = np.uint64(1 << 28 | 1 << 35)  # e4, d5


def start(rules, state):
    set_up(state, BLACK, WHITE, 0)


def set_up(state, mine, theirs, player):
    """Write the position in which ``player`` moves."""
    state.mine = mine
    state.theirs = theirs
    state.mover = player
    state.targets = placements(mine, theirs)
    state.must_pass = state.targets == ZERO and placements(theirs, mine) != ZERO


def mover(rules, state):
    return state.mover


def over(rules, state):
    return state.targets == ZERO and not state.must_pass


def line_up(seeds, through, step):
    """The unbroken lines of up to six discs of ``through`` next to a seed, towards higher squares (Kogge-Stone)."""
    line = through & (seeds << step)
    line |= through & (line << step)
    pairs = through & (through << step)
    line |= pairs & (line << (step + step))
    return line | (pairs & (line << (step + step)))


def line_down(seeds, through, step):
    """The same towards lower squares."""
    line = through & (seeds >> step)
    line |= through & (line >> step)
    pairs = through & (through >> step)
    line |= pairs & (line >> (step + step))
    return line | (pairs & (line >> (step + step)))


def placements(mine, theirs):
    """Every square where a disc of mine would outflank some of theirs."""
    inner = theirs & INNER
    ends = (line_up(mine, inner, _1) << _1) | (line_down(mine, inner, _1) >> _1)
    ends |= (line_up(mine, inner, _7) << _7) | (line_down(mine, inner, _7) >> _7)
    ends |= (line_up(mine, theirs, _8) << _8) | (line_down(mine, theirs, _8) >> _8)
    ends |= (line_up(mine, inner, _9) << _9) | (line_down(mine, inner, _9) >> _9)
    return ends & ~(mine | theirs)


def turned_up(disc, mine, through, step):
    line = line_up(disc, through, step)
    return line if (line << step) & mine != ZERO else ZERO


def turned_down(disc, mine, through, step):
    line = line_down(disc, through, step)
    return line if (line >> step) & mine != ZERO else ZERO


def turned(disc, mine, theirs):
    """The discs of theirs that a new disc of mine turns."""
    inner = theirs & INNER
    discs = turned_up(disc, mine, inner, _1) | turned_down(disc, mine, inner, _1)
    discs |= turned_up(disc, mine, inner, _7) | turned_down(disc, mine, inner, _7)
    discs |= turned_up(disc, mine, theirs, _8) | turned_down(disc, mine, theirs, _8)
    return discs | turned_up(disc, mine, inner, _9) | turned_down(disc, mine, inner, _9)


def legal(rules, state, moves):
    if state.targets == ZERO:
        moves[0] = PASS
        return 1
    return list_members(state.targets, moves)


def random_target(targets, rng):
    """A uniform target; there are few, so clearing bit after bit beats ``nth`` by a fifth of a playout."""
    for _ in range(below(rng, popcount(targets))):
        targets = without_lowest(targets)
    return lowest(targets)


def sample(rules, state, rng):
    return PASS if state.must_pass else random_target(state.targets, rng)


def play(rules, state, move):
    mine, theirs = state.mine, state.theirs
    if move != PASS:
        disc = bit(move)
        discs = turned(disc, mine, theirs)
        mine |= disc | discs
        theirs &= ~discs
    set_up(state, theirs, mine, 1 - state.mover)


def playout(rules, state, rng):
    """Uniform play in local variables: a quarter faster than through ``sample`` and ``play``."""
    mine, theirs, targets = state.mine, state.theirs, state.targets
    plies = 0
    while targets != ZERO or placements(theirs, mine) != ZERO:
        if targets != ZERO:
            disc = bit(random_target(targets, rng))
            discs = turned(disc, mine, theirs)
            mine |= disc | discs
            theirs &= ~discs
        mine, theirs = theirs, mine
        targets = placements(mine, theirs)
        plies += 1
    set_up(state, mine, theirs, (state.mover + plies) & 1)
    return plies


def margin(rules, state):
    """Discs of player 0 less discs of player 1."""
    lead = float(popcount(state.mine) - popcount(state.theirs))
    return lead if state.mover == 0 else -lead


def evaluate(rules, state, out):
    """Each player's share of the places for discs."""
    mine, theirs = 1.0 + popcount(state.targets), 1.0 + popcount(placements(state.theirs, state.mine))
    out[state.mover] = mine / (mine + theirs)
    out[1 - state.mover] = theirs / (mine + theirs)


def scores(rules, state, out):
    by_lead(margin(rules, state), out)


def move_name(rules, state, move):
    return "pass" if move == PASS else grids.cell_name(8, move)


def write(rules, state):
    marks = grids.marks_of(state.mover, state.mine, state.theirs, range(64))
    return "/".join(grids.rows_of(8, marks)) + " " + "xo"[state.mover]


def read(rules, state, text):
    wanted = "eight rows of eight of x, o and . from the top, separated by /, then x or o to move"
    rows, side = grids.read_rows_and_side(text, [8] * 8, "xo", wanted)
    marks = "".join(rows)
    other = "xo".replace(side, "")
    if "." in marks[27:29] + marks[35:37]:
        raise RamifyError("the four squares in the middle are never empty")
    if other not in marks:
        raise RamifyError(f"{other} has moved last, so {other} has a disc on the board")
    if marks.count(".") == 60 and (marks[27:29] + marks[35:37] + side) != "oxxox":
        raise RamifyError("before the first move d4 and e5 are o, e4 and d5 are x, and x is to move")
    x, o = (np.uint64(grids.word_of(marks, disc)) for disc in "xo")
    if side == "x":
        set_up(state, x, o, 0)
    else:
        set_up(state, o, x, 1)


def draw(rules, state):
    rows = write(rules, state).split()[0].split("/")
    return "\n".join(["  a b c d e f g h", *(f"{k + 1} " + " ".join(row) for k, row in enumerate(rows))])
