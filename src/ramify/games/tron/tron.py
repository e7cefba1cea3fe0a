"""Tron: two riders move simultaneously and leave walls behind; a rider without a legal move loses.

Both riders move one cell north, east, south or west per turn. A move is legal if it does not end in a wall or an
existing trail (P. Perick, D. L. St-Pierre, F. Maes and D. Ernst, "Comparison of Different Selection Strategies in
Monte-Carlo Tree Search for the Game of Tron", CIG 2012). A rider without a legal move loses. It is a draw if neither
has one, or if both enter the same cell. Every game ends because the cells run out.

The default map is empty, 20 x 20 as in that paper, with a wall around it. The paper does not print where riders start;
here it is the middle row, a quarter of the columns from the left, and the cell opposite to it (the map rotated by 180
degrees). A custom ``map`` has ``#`` for walls, ``.`` for free cells, ``a`` and ``b`` for the riders, in rows from the
top separated by ``/``: ``tron(rows=3, columns=5, map="a...#/..#../#...b")``. At the start riders have no direction, so
four moves may be legal.

``heuristic_of`` is the paper's playout policy, developed by B. Saverino (2011): straight ahead with probability 0.68,
each turn with 0.16, redrawn until the move is legal and can be continued from there ("does not lead to self-entrapment
at the next time step"). If no move can be continued, any legal one is drawn in the same way; without a direction moves
are uniform. Uniform playouts draw legal moves. ``reckless_playout`` is another reading of the purely random simulations
that the paper compares it with: any direction but the way back, and who runs into a wall or a trail loses. ``evaluate``
and ``script`` use Voronoi territory (``territory``).

Moves are ``n``, ``e``, ``s`` and ``w``. Position text: the rows with trails ``a`` and ``b`` and riders ``A`` and ``B``
(``X`` if both are on the same cell), then the riders' directions, ``-`` for none: ``.aA../...../..Bb. e w``.
"""

import numpy as np

from ramify.core.numbers.bits import FULL, ONE, ZERO
from ramify.core.numbers.rng import below
from ramify.core.search.tree import SIMULTANEOUS
from ramify.errors import RamifyError
from ramify.games.boards.two_player_scores import by_lead
from ramify.games.tron.territory import MAX_CELLS, cell_of, territory

PLAYERS = 2
MAX_MOVES = 4
MOVE_CLASSES = 4
MAX_SIDE = 50
NAMES = "nesw"
NO_HEADING = 4
MAX_READ_STEPS = 20_000  # cells tried by `read` per trail
STRAIGHT, TURN = 68, 16  # probabilities of the paper's heuristic, in percent

# Cell (row, column), from (1, 1) at the top left, is bit column + 1 of word row + 1, so a 5 x 5 window around any cell
# stays within the words. Everything outside the map is a wall.
WORDS = MAX_SIDE + 4
Rules = np.dtype(
    [
        ("rows", np.int64),
        ("columns", np.int64),
        ("starts", np.int64, (2, 2)),
        ("walls", np.uint64, (WORDS,)),
    ]
)
State = np.dtype(
    [
        ("row", np.int64, (2,)),
        ("column", np.int64, (2,)),
        ("heading", np.int64, (2,)),
        ("stuck", np.int64),  # bit 0: the first rider cannot move, bit 1: the second
        ("taken", np.uint64, (WORDS,)),  # walls and trails of both riders
        ("second", np.uint64, (WORDS,)),  # trail of the second rider
    ]
)

_5BITS = np.uint64(31)
_1, _2, _3, _4, _8, _16, _24, _32 = (np.uint64(k) for k in (1, 2, 3, 4, 8, 16, 24, 32))
_10, _14, _18 = (np.uint64(k) for k in (10, 14, 18))


def configure(rules, rows=20, columns=20, map=""):  # noqa: A002  (name of the parameter in texts)
    if not (1 <= rows <= MAX_SIDE and 1 <= columns <= MAX_SIDE):
        raise RamifyError(f"invalid board of {rows} x {columns} for tron: use 1 to {MAX_SIDE} rows and columns")
    lines = map.split("/") if map else empty_map(rows, columns)
    marks = "".join(lines)
    if set(marks) - set("#.ab") or marks.count("a") != 1 or marks.count("b") != 1:
        raise RamifyError(
            "invalid map for tron: use #, ., one a and one b, in rows separated by /, e.g. a..#/..../#..b"
        )
    if len({len(line) for line in lines}) > 1 or (len(lines), len(lines[0])) != (rows, columns):
        raise RamifyError(
            f"invalid map for tron: {len(lines)} rows of {'/'.join(sorted({str(len(line)) for line in lines}))} cells"
            f" do not fit rows={rows}, columns={columns}"
        )
    rules.rows, rules.columns = rows, columns
    rules.walls[:] = FULL
    for row, line in enumerate(lines, 1):
        for column, mark in enumerate(line, 1):
            if mark != "#":
                rules.walls[row + 1] &= ~bit(column)
            if mark in "ab":
                rules.starts["ab".index(mark)] = row, column
    for row, column in rules.starts.tolist():
        others = [(int(r), int(c)) for r, c in rules.starts]
        if all(is_wall(rules, *cell) or cell in others for cell in around(row, column)):
            raise RamifyError(f"invalid map for tron: the rider in row {row}, column {column} cannot move")


def empty_map(rows, columns):
    row, column = (rows - 1) // 2, (columns - 1) // 4
    lines = [["."] * columns for _ in range(rows)]
    lines[row][column] = "a"
    lines[rows - 1 - row][columns - 1 - column] = "b"
    return ["".join(line) for line in lines]


def around(row, column):
    return [(row - 1, column), (row, column + 1), (row + 1, column), (row, column - 1)]


def is_wall(rules, row, column):
    return bool(rules.walls[row + 1] & bit(column))


def bit(column):
    return ONE << np.uint64(column + 1)


def start(rules, state):
    for word in range(WORDS):
        state.taken[word] = rules.walls[word]
        state.second[word] = ZERO
    for player in range(2):
        state.heading[player] = NO_HEADING
        enter(state, player, rules.starts[player, 0], rules.starts[player, 1])
    state.stuck = 0


def enter(state, player, row, column):
    """Put a rider on a cell and extend its trail."""
    here = ONE << np.uint64(column + 1)
    state.row[player] = row
    state.column[player] = column
    state.taken[row + 1] |= here
    if player == 1:
        state.second[row + 1] |= here


def mover(rules, state):
    return SIMULTANEOUS


def over(rules, state):
    return state.stuck != 0


def free(state, player):
    """Return a rider's legal moves, as bits 0 to 3."""
    return free_around(state, state.row[player], state.column[player])


def free_around(state, row, column):
    """Return the moves into free cells from any cell, as bits 0 to 3."""
    shift = np.uint64(column)
    sides = ~state.taken[row + 1] >> shift  # bit 0: west, bit 2: east
    north = (~state.taken[row] >> shift) & _2
    south = (~state.taken[row + 2] >> shift) & _2
    return np.int64((north >> _1) | ((sides & _4) >> _1) | (south << _1) | ((sides & _1) << _3))


def free_beyond(state, player):
    """Return the moves into free cells that have a free neighbour, as bits 0 to 3, and ``free`` as bits 4 to 7.

    The 5 x 5 window around the rider is packed into one word, one byte per row.
    """
    row, shift = state.row[player], np.uint64(state.column[player] - 1)
    window = (
        ((~state.taken[row - 1] >> shift) & _5BITS)
        | (((~state.taken[row] >> shift) & _5BITS) << _8)
        | (((~state.taken[row + 1] >> shift) & _5BITS) << _16)
        | (((~state.taken[row + 2] >> shift) & _5BITS) << _24)
        | (((~state.taken[row + 3] >> shift) & _5BITS) << _32)
    )
    beyond = window & ((window << _1) | (window >> _1) | (window << _8) | (window >> _8))
    return directions(beyond) | (directions(window) << 4)


def directions(window):
    """Return the neighbours of the middle cell of a window, as bits 0 to 3."""
    return np.int64(((window >> _10) & _1) | ((window >> _18) & _2) | ((window >> _24) & _4) | ((window >> _14) & _8))


def legal_of(rules, state, player, moves):
    mask = free(state, player)
    count = 0
    for move in range(4):
        if (mask >> move) & 1:
            moves[count] = move
            count += 1
    return count


def beside(row, column, move):
    """Return the row and column that a move leads to."""
    odd = move & 1
    return row + (move - 1) * (1 - odd), column + (2 - move) * odd


def move_rider(state, player, move):
    state.heading[player] = move
    row, column = beside(state.row[player], state.column[player], move)
    enter(state, player, row, column)


def update_stuck(state):
    """Update ``stuck``; riders on the same cell are both stuck."""
    if state.row[0] == state.row[1] and state.column[0] == state.column[1]:
        state.stuck = 3
    else:
        state.stuck = (free(state, 0) == 0) + 2 * (free(state, 1) == 0)


def play_joint(rules, state, moves):
    move_rider(state, 0, moves[0])
    move_rider(state, 1, moves[1])
    update_stuck(state)


def heuristic_of(rules, state, player, rng):
    """Draw a playout move. Redrawing until a move is good equals drawing once among the good ones."""
    both = free_beyond(state, player)
    good = both & 15
    if good == 0:
        good = both >> 4
    heading = state.heading[player]
    if heading == NO_HEADING:
        return nth(good, below(rng, count_of(good)))
    straight = STRAIGHT * ((good >> heading) & 1)
    right = TURN * ((good >> ((heading + 1) & 3)) & 1)
    left = TURN * ((good >> ((heading + 3) & 3)) & 1)
    drawn = below(rng, straight + right + left)
    turned = (drawn >= straight) + 2 * (drawn >= straight + right)  # 0 straight, 1 right, 3 left
    return (heading + turned) & 3


def reckless_playout(rules, state, rng):
    """Play to the end. Riders who run into a wall or a trail are stuck where they are."""
    plies = 0
    while state.stuck == 0:
        first, second = any_direction(state, 0, rng), any_direction(state, 1, rng)
        crashed = 1 - ((free(state, 0) >> first) & 1) + 2 * (1 - ((free(state, 1) >> second) & 1))
        if crashed:
            state.stuck = crashed
        else:
            move_rider(state, 0, first)
            move_rider(state, 1, second)
            update_stuck(state)
        plies += 1
    return plies


def any_direction(state, player, rng):
    """Draw a direction that is not backwards, be it free or not."""
    heading = state.heading[player]
    if heading == NO_HEADING:
        return below(rng, 4)
    return (heading + 3 + below(rng, 3)) & 3


def count_of(mask):
    return (mask & 1) + ((mask >> 1) & 1) + ((mask >> 2) & 1) + (mask >> 3)


def nth(mask, n):
    """Return the n-th move of a mask, counted from 0."""
    move = 0
    while True:
        if (mask >> move) & 1:
            if n == 0:
                return move
            n -= 1
        move += 1


def scores(rules, state, out):
    by_lead((state.stuck >> 1) - (state.stuck & 1), out)


def evaluate(rules, state, out):
    """Share of the territory: who is nearer to more cells."""
    distances = np.empty((2, MAX_CELLS), np.int64)
    queue = np.empty(MAX_CELLS, np.int64)
    first, second = cell_of(state.row[0], state.column[0]), cell_of(state.row[1], state.column[1])
    lead, cells = territory(state.taken, first, second, 0, distances, queue)
    out[0] = 0.5 + 0.5 * lead / max(cells, 1)
    out[1] = 1.0 - out[0]


def script(rules, state, player, rng):
    """Voronoi rider: move to the cell from which it reaches the most cells before the rival; break ties at random.

    Among equal moves it prefers those along walls, so it fills its region once the riders are separated.
    """
    distances = np.empty((2, MAX_CELLS), np.int64)
    queue = np.empty(MAX_CELLS, np.int64)
    rival = cell_of(state.row[1 - player], state.column[1 - player])
    mask = free(state, player)
    best = np.int64(-(1 << 40))
    chosen = np.int64(0)
    ties = 0
    for move in range(4):
        if (mask >> move) & 1:
            row, column = beside(state.row[player], state.column[player], move)
            lead, _ = territory(state.taken, cell_of(row, column), rival, 1, distances, queue)
            if abs(row - state.row[1 - player]) + abs(column - state.column[1 - player]) == 1:
                lead = min(lead, 0)  # both riders may enter this cell, which is a draw
            value = 8 * lead - count_of(free_around(state, row, column))
            if value > best:
                best, chosen, ties = value, np.int64(move), 1
            elif value == best:
                ties += 1
                if below(rng, ties) == 0:
                    chosen = np.int64(move)
    return chosen


def move_name(rules, state, move):
    return NAMES[move]


def mark(rules, state, row, column):
    """Return the mark of a cell in position texts."""
    riders = [k for k in range(2) if (state.row[k], state.column[k]) == (row, column)]
    if riders:
        return "X" if len(riders) == 2 else "AB"[riders[0]]
    if is_wall(rules, row, column):
        return "#"
    if not state.taken[row + 1] & bit(column):
        return "."
    return "b" if state.second[row + 1] & bit(column) else "a"


def lines(rules, state):
    inside = range(1, int(rules.columns) + 1)
    return ["".join(mark(rules, state, row, column) for column in inside) for row in range(1, int(rules.rows) + 1)]


def write(rules, state):
    headings = [(*NAMES, "-")[heading] for heading in state.heading]
    return " ".join(["/".join(lines(rules, state)), *headings])


def read(rules, state, text):
    words = text.split()
    rows = words[0].split("/") if words else []
    if len(words) != 3 or len(rows) != rules.rows or any(len(row) != rules.columns for row in rows):
        raise RamifyError(
            f"expected {rules.rows} rows of {rules.columns} cells (#, ., a, b, A, B, X) from the top, separated by /,"
            " and two directions (n, e, s, w, -)"
        )
    marks = {(r, c): cell for r, row in enumerate(rows, 1) for c, cell in enumerate(row, 1)}
    unexpected = [at for at, cell in marks.items() if cell not in "#.abABX" or (cell == "#") != is_wall(rules, *at)]
    if unexpected:
        row, column = unexpected[0]
        raise RamifyError(
            f"unexpected '{marks[unexpected[0]]}' in row {row}, column {column}: walls must match the map"
        )
    counts = {cell: sum(one == cell for one in marks.values()) for cell in "abABX"}
    if (counts["A"], counts["B"], counts["X"]) not in ((1, 1, 0), (0, 0, 1)):
        raise RamifyError("expected one A and one B for the riders, or one X if both are on the same cell")
    if counts["a"] != counts["b"] or (counts["X"] and not counts["a"]):
        raise RamifyError(f"expected trails of equal length, not {counts['a']} and {counts['b']} cells")
    for word in range(WORDS):
        state.taken[word] = rules.walls[word]
        state.second[word] = ZERO
    for at, cell in marks.items():
        if cell in "aAbBX":
            state.taken[at[0] + 1] |= bit(at[1])
            if cell in "bBX":
                state.second[at[0] + 1] |= bit(at[1])
    for player in range(2):
        began = (int(rules.starts[player, 0]), int(rules.starts[player, 1]))
        read_rider(state, player, began, marks, words[1 + player], moved=counts["a"] + counts["X"] > 0)
    update_stuck(state)


def is_path(start, end, cells):
    """Whether a path from ``start`` to ``end`` visits all of ``cells``; True if MAX_READ_STEPS do not decide."""
    if start not in cells:
        return False
    paths = [(end, frozenset(cells - {end}))]  # searched backwards, where few cells have two continuations
    for _ in range(MAX_READ_STEPS):
        if not paths:
            return False
        at, left = paths.pop()
        if not left and at == start:
            return True
        paths += [(cell, left - {cell}) for cell in around(*at) if cell in left]
    return True


def read_rider(state, player, start, marks, direction, *, moved):
    """Set a rider's cell and heading, and check that its trail leads from ``start`` to it."""
    trail = "ab"[player]
    row, column = next(at for at, cell in marks.items() if cell in (trail.upper(), "X"))
    headings = (*NAMES, "-")
    if direction not in headings or (direction == "-") == moved:
        expected = "n, e, s or w" if moved else "-"
        raise RamifyError(f"invalid direction '{direction}' of {trail.upper()}: expected {expected}")
    heading = headings.index(direction)
    came_from = around(row, column)[(heading + 2) % 4] if moved else (row, column)
    if moved and marks.get(came_from) != trail:
        raise RamifyError(f"{trail.upper()} cannot have moved {direction}: its trail is not behind it")
    cells = {at for at, cell in marks.items() if cell == trail}
    if not is_path(start, came_from, cells | {came_from}):
        raise RamifyError(
            f"the trail of {trail.upper()} does not lead from row {start[0]}, column {start[1]} to the rider"
        )
    state.row[player], state.column[player], state.heading[player] = row, column, heading


def draw(rules, state):
    edge = "#" * (int(rules.columns) + 2)
    return "\n".join([edge, *(f"#{line}#" for line in lines(rules, state)), edge])
