"""Cannon (David E. Whitcher 2003) on 10x10 points: capture the enemy town with a soldier or a cannon shot.

Each player has fifteen soldiers. The home row of player 0 (dark) is at the bottom, that of player 1 (light) at the top.
First each player puts a town on its home row, not in a corner; towns never move. After that a move is one of these:

* step: a soldier moves to an empty point forward, straight or diagonally;
* capture: a soldier captures an adjacent enemy piece forward, diagonally forward or sideways;
* retreat: a soldier next to an enemy soldier (in any of eight directions) moves two points straight or diagonally
  backward; both points must be empty;
* slide: a cannon, i.e. three adjacent soldiers of one player in a row, column or diagonal, moves one point along its
  line to an empty point; the rear soldier goes to the front;
* shot: a cannon removes an enemy piece on its line, two or three points in front of its foremost soldier; no piece
  moves. The first point in front must be empty. The second must be empty with ``clear=true`` (as on some servers) and
  need not be with ``clear=false`` (default, the inventor's wording).

A player wins by capturing the enemy town or by leaving the opponent without a move. After ``plies`` plies the game is
drawn, since retreats and slides could repeat for ever.

With ``mate=true`` a move that leaves the mover's town open to capture is illegal, so the game ends by mate: a player
without a legal move loses, attacked or not, and no town is ever captured. With ``corners=true`` towns may also be
placed in the corners. Pepels et al. (2014) played ``cannon(mate=true, corners=true, plies=1000)``.

Playouts are uniform; ``heuristic`` captures the town if it can, ``published_heuristic`` is by Pepels et al. (2014).

Moves are named ``e1`` (town), ``b4-b5`` (step, retreat, slide), ``b4xc5`` (capture), ``xe7`` (shot, whichever cannon
fires). Position text: the rows from the top, ``d`` and ``l`` (soldiers), ``D`` and ``L`` (towns), ``.``, separated by
``/``, then ``d`` or ``l`` to move and the plies played.
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
from ramify.games.cannon.published_playouts import published_heuristic  # noqa: F401  (part of the game)
from ramify.games.cannon.text import MARKS, SOLDIERS, STEPS, STRIDE, parse, point_at, point_name, soldiers, step_class

PLAYERS = 2
MAX_MOVES = 17 * SOLDIERS + 1

MOVE_CLASSES = STRIDE * STRIDE * (STEPS + 2)

Rules = np.dtype(
    [
        ("plies", np.int64),
        ("clear", np.int64),
        ("mate", np.int64),
        ("corners", np.int64),
        ("start", np.int8, (STRIDE * STRIDE,)),
    ]
)
State = np.dtype(
    [
        ("plies", np.int64),  # player to move: plies % 2
        ("towns", np.int64, (2,)),  # point of each town; 0 before placement and after capture
        ("men", np.uint64, (2, 2)),  # soldiers of each player; point p is bit p - 8
        ("points", np.int8, (STRIDE * STRIDE,)),
    ]
)

MAX_TRIES = 64  # draws by rejection before `sample` scans all candidates


def configure(rules, plies=300, clear=False, mate=False, corners=False):
    if not 3 <= plies <= 10_000:
        raise RamifyError(f"invalid plies={plies} for cannon: use 3 to 10000")
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
    for point in range(STRIDE * STRIDE):
        state.points[point] = EMPTY
        put(state, point, rules.start[point])


def mover(rules, state):
    return state.plies & 1


def fallen(state):
    """Whether the town of the player to move has been captured."""
    return state.plies >= 2 and state.towns[state.plies & 1] == 0


def over(rules, state):
    if fallen(state) or state.plies >= rules.plies:
        return True
    player = state.plies & 1
    for n in range(candidates(rules, state, player)):
        if candidate(rules, state, player, n) >= 0:
            return False
    return True


# A move is the point of a town, 256*from + to, or 65536 + the target of a shot.


def legal(rules, state, moves):
    player = state.plies & 1
    count = 0
    for n in range(candidates(rules, state, player)):
        moves[count] = candidate(rules, state, player, n)
        count += moves[count] >= 0
    return count


def move_class(rules, state, move):
    """Classes: steps by origin, direction and length, then shots by target, then towns by point."""
    points = STRIDE * STRIDE
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
    """Return a uniformly random move, or -1 if no move is legal.

    Draws candidates up to MAX_TRIES times until one is legal, then scans them all (reservoir sampling).
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
    """Uniform playout. ``sample`` returns -1 if no move is legal, so ``over`` is not called."""
    before = state.plies
    while not fallen(state) and state.plies < rules.plies:
        move = sample(rules, state, rng)
        if move < 0:
            break
        play(rules, state, move)
    return state.plies - before


def heuristic(rules, state, rng):
    """Capture the town if possible, else play a uniform move."""
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
    """Increases with the winner's lead in soldiers, from -15 to 15; 1/2 for a draw."""
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
        raise RamifyError("with mate=true no town is captured, so both are on the board after the second ply")
    if rules.mate and plies >= 2 and takes_town(rules, state, plies & 1) >= 0:
        raise RamifyError("the last move left its town open to capture, which mate=true forbids")


def draw(rules, state):
    return grids.with_coordinates(write(rules, state).split()[0])
