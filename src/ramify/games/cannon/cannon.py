"""Cannon (David E. Whitcher 2003) on 10x10 points: take the other's town, by a soldier or by a shot of three in line.

Each side has fifteen soldiers. Player 0, dark, has the bottom row as home, player 1, light, the top row. First each
puts its town on any point of its home row but the corners; it never moves. After that a move is one of these:

* a step of a soldier to an empty point forward, straight or diagonally;
* a capture of an adjacent enemy piece forward, diagonally forward or sideways, by moving there;
* a retreat of a soldier who stands next to an enemy soldier (in any of eight directions): two points straight or
  diagonally backward, both of them empty;
* a slide of a cannon, three soldiers of one side next to each other in a row, a column or a diagonal: one point along
  its line, which must be empty; the soldier at the rear goes to the front;
* a shot of a cannon at an enemy piece on its line, two or three points in front of its foremost soldier: the piece is
  removed and nobody moves. The point right in front must be empty; the second point need not be (``clear=false``, the
  inventor's wording), or must be as well (``clear=true``, as some servers play).

Whoever takes the enemy town wins, and so does whoever leaves the other side without a move. A game of ``plies`` plies
is drawn, as retreats and slides could go on for ever.

With ``mate=true`` a move after which the own town could be taken is illegal, so that the game ends by mate: whoever has
no legal move loses, attacked or not, and no town ever falls. With ``corners=true`` towns may stand in the corners,
too. ``cannon(mate=true, corners=true, plies=1000)`` is what Pepels et al. (2014) played.

Moves are named ``e1`` (town), ``b4-b5`` (step, retreat, slide), ``b4xc5`` (capture), ``xe7`` (shot; the same whichever
cannon fires). Position text: the rows from the top, ``d`` and ``l`` soldiers, ``D`` and ``L`` towns, ``.``, separated
by ``/``, then ``d`` or ``l`` to move and the plies played.
"""

import numpy as np

from ramify.core.numbers.bits import ZERO
from ramify.core.numbers.rng import below
from ramify.errors import RamifyError
from ramify.games.boards import grids
from ramify.games.cannon.board import (
    BORDER,
    EMPTY,
    SOLDIER,
    TOWN,
    candidate,
    candidates,
    put,
    takes_town,
)
from ramify.games.cannon.published_playouts import published_heuristic  # noqa: F401 - a part of the game
from ramify.games.cannon.text import MARKS, SOLDIERS, STEPS, WIDE, parse, point_at, point_name, soldiers, step_class

PLAYERS = 2
MAX_MOVES = 17 * SOLDIERS + 1

MOVE_CLASSES = WIDE * WIDE * (STEPS + 2)

Rules = np.dtype(
    [
        ("plies", np.int64),
        ("clear", np.int64),
        ("mate", np.int64),
        ("corners", np.int64),
        ("start", np.int8, (WIDE * WIDE,)),
    ]
)
State = np.dtype(
    [
        ("plies", np.int64),  # the player to move is plies % 2
        ("towns", np.int64, (2,)),  # the point of each town; 0 before it stands and after it fell
        ("men", np.uint64, (2, 2)),  # soldiers of each player: point p is bit p - 8
        ("points", np.int8, (WIDE * WIDE,)),
    ]
)

MAX_TRIES = 64  # draws before moves are looked for one by one


def configure(rules, plies=300, clear=False, mate=False, corners=False):
    if not 3 <= plies <= 10_000:
        raise RamifyError(f"cannon is drawn after 3 to 10000 plies, not {plies}")
    rules.plies, rules.clear, rules.mate, rules.corners = plies, clear, mate, corners
    rules.start = BORDER
    for row in range(10):
        for column in range(10):
            dark = 1 <= row <= 3 and column % 2 == 1
            light = 6 <= row <= 8 and column % 2 == 0
            rules.start[point_at(row, column)] = SOLDIER if dark else SOLDIER + 1 if light else EMPTY


def start(rules, state):
    state.plies = 0
    for player in range(2):
        state.towns[player] = 0
        state.men[player, 0] = ZERO
        state.men[player, 1] = ZERO
    for point in range(WIDE * WIDE):
        state.points[point] = EMPTY
        put(state, point, rules.start[point])


def mover(rules, state):
    return state.plies & 1


def fallen(state):
    """Whether the town of the player to move has been taken."""
    return state.plies >= 2 and state.towns[state.plies & 1] == 0


def over(rules, state):
    if fallen(state) or state.plies >= rules.plies:
        return True
    player = state.plies & 1
    for n in range(candidates(rules, state, player)):
        if candidate(rules, state, player, n) >= 0:
            return False
    return True


# A move: the point of a town, 256*from + to, or 65536 + the point that is shot at.


def legal(rules, state, moves):
    player = state.plies & 1
    count = 0
    for n in range(candidates(rules, state, player)):
        moves[count] = candidate(rules, state, player, n)
        count += moves[count] >= 0
    return count


def move_class(rules, state, move):
    """Steps by origin, direction and length, then shots by their target, then towns by their point."""
    points = WIDE * WIDE
    if state.plies < 2:
        return points * (STEPS + 1) + move
    if move >= 65536:
        return points * STEPS + move - 65536
    return step_class(move >> 8, move & 255)


def play(rules, state, move):
    player = state.plies & 1
    if state.plies < 2:
        put(state, move, TOWN + player)
    elif move >= 65536:
        put(state, move - 65536, EMPTY)
    else:
        put(state, move >> 8, EMPTY)
        put(state, move & 255, SOLDIER + player)
    state.plies += 1


def sample(rules, state, rng):
    """A move, all equally likely, or -1 if there is none.

    Candidates are drawn until one makes a move; where that fails for long, all are gone through, and each move is kept
    with the chance that makes all equal.
    """
    player = state.plies & 1
    count = candidates(rules, state, player)
    chosen = -1
    seen = 0
    for k in range(MAX_TRIES + count):
        move = candidate(rules, state, player, k - MAX_TRIES if k >= MAX_TRIES else below(rng, count))
        if move >= 0:
            if k < MAX_TRIES:
                return move
            seen += 1
            if below(rng, seen) == 0:
                chosen = move
    return chosen


def playout(rules, state, rng):
    """Uniform play; the draw of a move tells by the way whether there is one."""
    before = state.plies
    while not fallen(state) and state.plies < rules.plies:
        move = sample(rules, state, rng)
        if move < 0:
            break
        play(rules, state, move)
    return state.plies - before


def heuristic(rules, state, rng):
    """Take the town if possible, or else any move."""
    if state.plies >= 2:
        player = state.plies & 1
        taking = takes_town(rules, state, player)
        if taking >= 0:
            return taking
    return sample(rules, state, rng)


def scores(rules, state, out):
    player = state.plies & 1
    out[player] = 0.0 if fallen(state) or state.plies < rules.plies else 0.5
    out[1 - player] = 1.0 - out[player]


def quality(rules, state):
    """The winner's lead in soldiers, between -15 and 15; a draw counts as the middle."""
    player = state.plies & 1
    if not fallen(state) and state.plies >= rules.plies:
        return 0.5
    return 0.5 + (soldiers(state, 1 - player) - soldiers(state, player)) / 32.0


def move_name(rules, state, move):
    if move >= 65536:
        return "x" + point_name(move - 65536)
    if state.plies < 2:
        return point_name(move)
    return point_name(move >> 8) + ("-" if state.points[move & 255] == EMPTY else "x") + point_name(move & 255)


def write(rules, state):
    rows = ["".join(MARKS[state.points[point_at(row, column)]] for column in range(10)) for row in range(10)]
    return "/".join(reversed(rows)) + f" {'dl'[state.plies % 2]} {state.plies}"


def read(rules, state, text):
    points = [point_at(k // 10, k % 10) for k in range(100)]
    first = "".join(MARKS[rules.start[point]] for point in points)
    board, plies = parse(text, int(rules.plies), first, bool(rules.corners))
    start(rules, state)
    for point, mark in zip(points, board, strict=True):
        put(state, point, MARKS.index(mark))
    state.plies = plies
    if rules.mate and fallen(state):
        raise RamifyError("no town is taken where the game ends by mate, so both stand after the second ply")
    if rules.mate and plies >= 2 and takes_town(rules, state, plies & 1) >= 0:
        raise RamifyError("the side that has just moved has left its town to be taken, which mate=true forbids")


def draw(rules, state):
    return grids.numbered(write(rules, state).split()[0])
