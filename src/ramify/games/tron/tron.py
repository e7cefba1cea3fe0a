"""Tron: two riders move at once, leave walls behind, and whoever has nowhere to go has lost.

Both move one cell north, east, south or west in each turn. A move is legal if it does not end in a wall or a trail that
is already there (P. Perick, D. L. St-Pierre, F. Maes and D. Ernst, "Comparison of Different Selection Strategies in
Monte-Carlo Tree Search for the Game of Tron", CIG 2012). A rider without a legal move loses; if neither has one, or if
both enter the same cell, it is a draw. A game ends because the cells run out.

The map is empty with a wall around it, 20 x 20 as in that paper. The paper does not print where riders start: here in
the middle row, a quarter of the columns from the left, and where half a turn of the map takes that cell. A map of your
own has ``#`` for walls, ``.`` for free cells, ``a`` and ``b`` for the riders, in rows from the top separated by ``/``:
``tron(rows=3, columns=5, map="a...#/..#../#...b")``. At the start nobody has a direction, and four moves may be legal.

``heuristic_of`` is the paper's for playouts, developed by B. Saverino (2011): straight ahead with a probability of
0.68, each turn with 0.16, drawn again until the move is legal and has a way on from there ("does not lead to
self-entrapment at the next time step"). Where no move has, any legal one is drawn in the same way; without a direction
all are as likely. ``evaluate`` and ``script`` count Voronoi territory (``territory``).

Moves are ``n``, ``e``, ``s`` and ``w``. Position text: the rows with trails ``a`` and ``b`` and riders ``A`` and ``B``,
``X`` where both are, and their directions, ``-`` for none: ``.aA../...../..Bb. e w``.
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
MAX_READ_STEPS = 20_000  # cells tried when a text is read
STRAIGHT, TURN = 68, 16  # chances in a hundred of the paper's heuristic

# Cell (row, column), from 1 at the top left, is bit column + 1 of word row + 1: a window of 5 x 5 around any cell then
# lies within the words. Everything that is not a cell of the map is a wall.
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
        ("taken", np.uint64, (WORDS,)),  # walls and trails
        ("second", np.uint64, (WORDS,)),  # the second rider's trail
    ]
)

_5BITS = np.uint64(31)
_1, _2, _3, _4, _8, _16, _24, _32 = (np.uint64(k) for k in (1, 2, 3, 4, 8, 16, 24, 32))
_10, _14, _18 = (np.uint64(k) for k in (10, 14, 18))


def configure(rules, rows=20, columns=20, map=""):  # noqa: A002  (its name in the grammar)
    if not (1 <= rows <= MAX_SIDE and 1 <= columns <= MAX_SIDE):
        raise RamifyError(f"tron needs 1 to {MAX_SIDE} rows and columns, not {rows} and {columns}")
    lines = map.split("/") if map else empty_map(rows, columns)
    marks = "".join(lines)
    if set(marks) - set("#.ab") or marks.count("a") != 1 or marks.count("b") != 1:
        raise RamifyError("a map of tron has #, . and one each of a and b, in rows separated by /, like a..#/.../#..b")
    if len({len(line) for line in lines}) > 1 or (len(lines), len(lines[0])) != (rows, columns):
        raise RamifyError(
            f"the map has {len(lines)} rows of {' or '.join(sorted({str(len(line)) for line in lines}))} columns;"
            f" say rows={len(lines)}, columns={len(lines[0])} and make all rows as long"
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
        if all(wall(rules, *cell) or cell in others for cell in around(row, column)):
            raise RamifyError(f"the rider in row {row}, column {column} of the map cannot move; give both a free cell")


def empty_map(rows, columns):
    """The rows of a map without walls."""
    row, column = (rows - 1) // 2, (columns - 1) // 4
    lines = [["."] * columns for _ in range(rows)]
    lines[row][column] = "a"
    lines[rows - 1 - row][columns - 1 - column] = "b"
    return ["".join(line) for line in lines]


def around(row, column):
    return [(row - 1, column), (row, column + 1), (row + 1, column), (row, column - 1)]


def wall(rules, row, column):
    """Whether the map has a wall there."""
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
    """Put a rider on a cell."""
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
    """A rider's moves into free cells, as bits 0 to 3."""
    return free_around(state, state.row[player], state.column[player])


def free_around(state, row, column):
    """The same from any cell."""
    shift = np.uint64(column)
    sides = ~state.taken[row + 1] >> shift  # bit 0: west, bit 2: east
    north = (~state.taken[row] >> shift) & _2
    south = (~state.taken[row + 2] >> shift) & _2
    return np.int64((north >> _1) | ((sides & _4) >> _1) | (south << _1) | ((sides & _1) << _3))


def free_beyond(state, player):
    """The same, of cells with a free cell beside them, in bits 0 to 3, and above them those of ``free``.

    A window of 5 x 5 around the rider becomes one word, a byte a row.
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
    """The cells beside the middle one, as moves."""
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
    """The cell that a move leads to."""
    odd = move & 1
    return row + (move - 1) * (1 - odd), column + (2 - move) * odd


def move_rider(state, player, move):
    """Move a rider."""
    state.heading[player] = move
    row, column = beside(state.row[player], state.column[player], move)
    enter(state, player, row, column)


def update_stuck(state):
    """Write who is stuck; both are, where they have met."""
    if state.row[0] == state.row[1] and state.column[0] == state.column[1]:
        state.stuck = 3
    else:
        state.stuck = (free(state, 0) == 0) + 2 * (free(state, 1) == 0)


def play_joint(rules, state, moves):
    move_rider(state, 0, moves[0])
    move_rider(state, 1, moves[1])
    update_stuck(state)


def heuristic_of(rules, state, player, rng):
    """The playouts' move: redrawing until a move is good is to draw once among the good ones."""
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


def count_of(mask):
    return (mask & 1) + ((mask >> 1) & 1) + ((mask >> 2) & 1) + (mask >> 3)


def nth(mask, n):
    """The n-th move of a mask, from 0."""
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
    """Who is nearer to more cells."""
    distances = np.empty((2, MAX_CELLS), np.int64)
    queue = np.empty(MAX_CELLS, np.int64)
    first, second = cell_of(state.row[0], state.column[0]), cell_of(state.row[1], state.column[1])
    lead, cells = territory(state.taken, first, second, 0, distances, queue)
    out[0] = 0.5 + 0.5 * lead / max(cells, 1)
    out[1] = 1.0 - out[0]


def script(rules, state, player, rng):
    """Voronoi's rider: to where it reaches most cells before the rival, who moves as soon; ties by chance.

    Among moves that are as good it keeps along walls, and so fills its room when the two are apart.
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
                lead = min(lead, 0)  # both may enter the cell, which draws
            worth = 8 * lead - count_of(free_around(state, row, column))
            if worth > best:
                best, chosen, ties = worth, np.int64(move), 1
            elif worth == best:
                ties += 1
                if below(rng, ties) == 0:
                    chosen = np.int64(move)
    return chosen


def move_name(rules, state, move):
    return NAMES[move]


def mark(rules, state, row, column):
    """A cell as people see it."""
    riders = [k for k in range(2) if (state.row[k], state.column[k]) == (row, column)]
    if riders:
        return "X" if len(riders) == 2 else "AB"[riders[0]]
    if wall(rules, row, column):
        return "#"
    if not state.taken[row + 1] & bit(column):
        return "."
    return "b" if state.second[row + 1] & bit(column) else "a"


def lines(rules, state):
    """The map in rows of marks."""
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
            f"give {rules.rows} rows of {rules.columns} of # . a b A B X from the top, separated by /, and the two"
            " directions, n, e, s, w or -"
        )
    marks = {(r, c): cell for r, row in enumerate(rows, 1) for c, cell in enumerate(row, 1)}
    strange = [at for at, cell in marks.items() if cell not in "#.abABX" or (cell == "#") != wall(rules, *at)]
    if strange:
        raise RamifyError(
            f"row {strange[0][0]}, column {strange[0][1]} is '{marks[strange[0]]}', not as the map has it"
        )
    counts = {cell: sum(one == cell for one in marks.values()) for cell in "abABX"}
    if (counts["A"], counts["B"], counts["X"]) not in ((1, 1, 0), (0, 0, 1)):
        raise RamifyError("give one A and one B for the riders, or one X where both are")
    if counts["a"] != counts["b"] or (counts["X"] and not counts["a"]):
        raise RamifyError(f"both trails are as long, not {counts['a']} and {counts['b']} cells behind the riders")
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


def is_ride(start, end, cells):
    """Whether one can get from cell to cell through all of ``cells``; taken for true where it takes long to see."""
    if start not in cells:
        return False
    rides = [(end, frozenset(cells - {end}))]  # backwards: few cells then have two ways on
    for _ in range(MAX_READ_STEPS):
        if not rides:
            return False
        at, left = rides.pop()
        if not left and at == start:
            return True
        rides += [(cell, left - {cell}) for cell in around(*at) if cell in left]
    return True


def read_rider(state, player, start, marks, direction, *, moved):
    """Where a rider is, and where it came from."""
    trail = "ab"[player]
    row, column = next(at for at, cell in marks.items() if cell in (trail.upper(), "X"))
    headings = (*NAMES, "-")
    if direction not in headings or (direction == "-") == moved:
        wanted = "n, e, s or w" if moved else "-"
        raise RamifyError(f"the direction of {trail.upper()} is {wanted} here, not '{direction}'")
    heading = headings.index(direction)
    came_from = around(row, column)[(heading + 2) % 4] if moved else (row, column)
    if moved and marks.get(came_from) != trail:
        raise RamifyError(f"{trail.upper()} cannot have come in direction {direction}: its trail is not behind it")
    cells = {at for at, cell in marks.items() if cell == trail}
    if not is_ride(start, came_from, cells | {came_from}):
        raise RamifyError(f"the trail of {trail.upper()} is no way from row {start[0]}, column {start[1]} to the rider")
    state.row[player], state.column[player], state.heading[player] = row, column, heading


def draw(rules, state):
    edge = "#" * (int(rules.columns) + 2)
    return "\n".join([edge, *(f"#{line}#" for line in lines(rules, state)), edge])
