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

Moves are named ``e1`` (town), ``b4-b5`` (step, retreat, slide), ``b4xc5`` (capture), ``xe7`` (shot; the same whichever
cannon fires). Position text: the rows from the top, ``d`` and ``l`` soldiers, ``D`` and ``L`` towns, ``.``, separated
by ``/``, then ``d`` or ``l`` to move and the plies played.
"""

import numpy as np

from ramify.core.numbers.bits import ZERO, bit
from ramify.core.numbers.rng import below
from ramify.errors import RamifyError
from ramify.games.boards import cannon_text, grids
from ramify.games.boards.cannon_text import MARKS, SOLDIERS, STEPS, WIDE, nth_soldier, point_at, soldiers, step_class

PLAYERS = 2
MAX_MOVES = 17 * SOLDIERS + 1

MOVE_CLASSES = WIDE * WIDE * (STEPS + 2)
EMPTY, SOLDIER, TOWN, BORDER = 0, 1, 3, 5  # a soldier of player p is 1 + p, a town 3 + p

Rules = np.dtype([("plies", np.int64), ("clear", np.int64), ("start", np.int8, (WIDE * WIDE,))])
State = np.dtype(
    [
        ("plies", np.int64),  # the player to move is plies % 2
        ("towns", np.int64, (2,)),  # the point of each town; 0 before it stands and after it fell
        ("men", np.uint64, (2, 2)),  # soldiers of each player: point p is bit p - 8
        ("points", np.int8, (WIDE * WIDE,)),
    ]
)

AROUND = np.array([1, 13, 12, 11, -1, -13, -12, -11])
TRIES = 64  # draws before moves are looked for one by one


def configure(rules, plies=300, clear=False):
    if not 3 <= plies <= 10_000:
        raise RamifyError(f"cannon is drawn after 3 to 10000 plies, not {plies}")
    rules.plies, rules.clear = plies, clear
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


def put(state, point, piece):
    """Put a piece, a border or nothing on a point."""
    before = state.points[point]
    if before == SOLDIER or before == SOLDIER + 1:
        state.men[before - SOLDIER, (point - 8) >> 6] ^= bit((point - 8) & 63)
    elif before == TOWN or before == TOWN + 1:
        state.towns[before - TOWN] = 0
    if piece == SOLDIER or piece == SOLDIER + 1:
        state.men[piece - SOLDIER, (point - 8) >> 6] ^= bit((point - 8) & 63)
    elif piece == TOWN or piece == TOWN + 1:
        state.towns[piece - TOWN] = point
    state.points[point] = piece


def mover(rules, state):
    return state.plies & 1


def enemy_at(state, point, player):
    piece = state.points[point]
    return piece == SOLDIER + 1 - player or piece == TOWN + 1 - player


def target(state, origin, way, player):
    """Where the soldier on ``origin`` gets by one of sixteen ways; -1 if he may not.

    Ways 0 to 2 are forward, 3 and 4 sideways, 5 to 7 retreats, 8 to 15 slides of the cannon whose rear he is.
    """
    forward = WIDE if player == 0 else -WIDE
    if way < 3:
        to = origin + forward + way - 1
        return to if state.points[to] == EMPTY or enemy_at(state, to, player) else -1
    if way < 5:
        to = origin + (1 if way == 3 else -1)
        return to if enemy_at(state, to, player) else -1
    if way < 8:
        step = way - 6 - forward
        free = state.points[origin + step] == EMPTY and state.points[origin + 2 * step] == EMPTY
        return origin + 2 * step if free and beside_enemy(state, origin, player) else -1
    step = AROUND[way - 8]
    own = SOLDIER + player
    cannon = state.points[origin + step] == own and state.points[origin + 2 * step] == own
    return origin + 3 * step if cannon and state.points[origin + 3 * step] == EMPTY else -1


def beside_enemy(state, point, player):
    for k in range(8):
        if state.points[point + AROUND[k]] == SOLDIER + 1 - player:
            return True
    return False


def cannon_from(state, point, step, own):
    """Whether three soldiers stand in line, the foremost on ``point``."""
    return state.points[point] == own and state.points[point + step] == own and state.points[point + 2 * step] == own


def under_fire(rules, state, point, player):
    """Whether a cannon of ``player`` can shoot at a point."""
    own = SOLDIER + player
    for k in range(8):
        step = AROUND[k]  # from the target to the cannon
        first = state.points[point + step]
        if first == EMPTY and cannon_from(state, point + 2 * step, step, own):
            return True
        far = first == EMPTY or (first != BORDER and rules.clear == 0)
        if far and state.points[point + 2 * step] == EMPTY and cannon_from(state, point + 3 * step, step, own):
            return True
    return False


def candidates(state, player):
    """How many pairs of a soldier and a way, or enemy pieces to shoot at, there are; at first, points for a town."""
    return 8 if state.plies < 2 else 16 * soldiers(state, player) + soldiers(state, 1 - player) + 1


def candidate(rules, state, player, n):
    """The move that the n-th candidate makes, or -1: soldiers by ways, then the pieces to shoot at, the town last."""
    if state.plies < 2:
        return point_at(9 * player, 1 + n)
    ways = 16 * soldiers(state, player)
    if n < ways:
        origin = nth_soldier(state, player, n >> 4)
        to = target(state, origin, n & 15, player)
        return 256 * origin + to if to >= 0 else -1
    last = n - ways == soldiers(state, 1 - player)
    piece = state.towns[1 - player] if last else nth_soldier(state, 1 - player, n - ways)
    return 65536 + piece if under_fire(rules, state, piece, player) else -1


def fallen(state):
    """Whether the town of the player to move has been taken."""
    return state.plies >= 2 and state.towns[state.plies & 1] == 0


def over(rules, state):
    if fallen(state) or state.plies >= rules.plies:
        return True
    player = state.plies & 1
    for n in range(candidates(state, player)):
        if candidate(rules, state, player, n) >= 0:
            return False
    return True


# A move: the point of a town, 256*from + to, or 65536 + the point that is shot at.


def legal(rules, state, moves):
    player = state.plies & 1
    count = 0
    for n in range(candidates(state, player)):
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
    count = candidates(state, player)
    chosen = -1
    seen = 0
    for k in range(TRIES + count):
        move = candidate(rules, state, player, k - TRIES if k >= TRIES else below(rng, count))
        if move >= 0:
            if k < TRIES:
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
    player = state.plies & 1
    if state.plies >= 2:
        town = state.towns[1 - player]
        if under_fire(rules, state, town, player):
            return 65536 + town
        forward = WIDE if player == 0 else -WIDE
        for way in range(5):
            origin = town - (forward + way - 1 if way < 3 else 7 - 2 * way)
            if state.points[origin] == SOLDIER + player:
                return 256 * origin + town
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
    name = cannon_text.point_name
    if move >= 65536:
        return "x" + name(move - 65536)
    if state.plies < 2:
        return name(move)
    return name(move >> 8) + ("-" if state.points[move & 255] == EMPTY else "x") + name(move & 255)


def write(rules, state):
    rows = ["".join(MARKS[state.points[point_at(row, column)]] for column in range(10)) for row in range(10)]
    return "/".join(reversed(rows)) + f" {'dl'[state.plies % 2]} {state.plies}"


def read(rules, state, text):
    points = [point_at(k // 10, k % 10) for k in range(100)]
    board, plies = cannon_text.parse(text, int(rules.plies), "".join(MARKS[rules.start[point]] for point in points))
    start(rules, state)
    for point, mark in zip(points, board, strict=True):
        put(state, point, MARKS.index(mark))
    state.plies = plies


def draw(rules, state):
    return grids.numbered(write(rules, state).split()[0])
