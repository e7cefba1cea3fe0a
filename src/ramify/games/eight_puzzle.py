"""The 8-puzzle, a smaller version of N. Chapman's 15-puzzle (1874): slide tiles until they are in order. One player.

A tile next to the blank slides into it. The puzzle is solved when the tiles are in order, row by row, with the blank at
the bottom right. The game ends there, or unsolved after ``limit`` moves. A puzzle solved in k moves scores
1 - k / (2 limit), i.e. 1/2 to 1, more for fewer moves. An unsolved one scores (1 - d / D) / 2, where d is the sum of
the tiles' Manhattan distances and D an upper bound of it: below 1/2, more if closer.

With ``scramble=0`` the tiles start in reverse order, as in ``eightPuzzle`` of the GGP base repository (which also has
the limit of 60 moves); if that is unsolvable, the last two are swapped. With ``scramble=n`` they start n random moves
from the solved puzzle, drawn with ``seed``; no move undoes the one before. Half of all permutations are solvable: W.
Johnson and W. Story, "Notes on the '15' puzzle", American Journal of Mathematics 2, 1879. On 3 x 3 squares these are
181440 positions, at most 31 moves from the goal (A. Reinefeld, "Complete solution of the eight-puzzle", IJCAI 1993).
Boards have up to 16 squares; 4 x 4 is the 15-puzzle. Playouts are uniform.

Moves are named by the tile that slides. Position text: the rows from the top, tiles separated by commas, ``_`` for the
blank, rows separated by ``/``, and the moves made so far: ``8,7,6/5,4,3/2,1,_ 0``. Any solvable permutation is legal.
"""

import numpy as np

from ramify.core.numbers.rng import below, generator, mix
from ramify.errors import RamifyError
from ramify.games.boards.texts import is_number

PLAYERS = 1
MAX_MOVES = 4
MAX_SQUARES = 16
MOVE_CLASSES = MAX_SQUARES  # the square that the tile leaves

# Square s, row by row from the top left, is nibble s of the word; 0 is the blank. A move is the square of the tile.
Rules = np.dtype(
    [
        ("rows", np.int64),
        ("columns", np.int64),
        ("limit", np.int64),
        ("first", np.uint64),  # initial board
        ("solved", np.uint64),
        ("max_distance", np.int64),  # upper bound on `distance`
        ("degrees", np.int64, (MAX_SQUARES,)),  # number of neighbours of each square
        ("beside", np.int64, (MAX_SQUARES, 4)),  # the neighbours
    ]
)
State = np.dtype([("board", np.uint64), ("blank", np.int64), ("moves", np.int64)])

_NIBBLE = np.uint64(15)


def configure(rules, rows=3, columns=3, limit=60, scramble=0, seed=1):
    squares = rows * columns
    if rows < 2 or columns < 2 or squares > MAX_SQUARES:
        raise RamifyError(
            f"invalid board of {rows} x {columns} for eight_puzzle: use at least 2 rows and columns and at most"
            f" {MAX_SQUARES} squares"
        )
    if not 1 <= limit <= 10**6:
        raise RamifyError(f"invalid limit={limit} for eight_puzzle: use 1 to {10**6}")
    if not 0 <= scramble <= 10**6:
        raise RamifyError(f"invalid scramble={scramble} for eight_puzzle: use 0 to {10**6}")
    rules.rows, rules.columns, rules.limit = rows, columns, limit
    rules.max_distance = squares * (rows + columns - 2)
    for square in range(squares):
        row, column = divmod(square, columns)
        around = [(row - 1, column), (row, column - 1), (row, column + 1), (row + 1, column)]
        near = [r * columns + c for r, c in around if 0 <= r < rows and 0 <= c < columns]
        rules.degrees[square] = len(near)
        rules.beside[square, : len(near)] = near
    rules.solved = pack([*range(1, squares), 0])
    tiles = [*reversed(range(1, squares)), 0]
    if not solvable(rules, tiles):
        tiles[-3:-1] = tiles[-2], tiles[-3]
    rules.first = pack(scrambled(rules, scramble, seed) if scramble else tiles)


def pack(tiles):
    return sum(tile << 4 * square for square, tile in enumerate(tiles))


def unpack(rules, board):
    return [int(board) >> 4 * square & 15 for square in range(int(rules.rows * rules.columns))]


def solvable(rules, tiles):
    """Whether the tiles can be ordered: a move swaps two and moves the blank by one, so the parities must agree."""
    places = [tiles.index(tile) for tile in (*range(1, len(tiles)), 0)]
    odd = sum(places[k] > places[j] for j in range(len(tiles)) for k in range(j)) % 2
    row, column = divmod(tiles.index(0), int(rules.columns))
    return odd == (int(rules.rows) - 1 - row + int(rules.columns) - 1 - column) % 2


def scrambled(rules, moves, seed):
    """Return the tiles after ``moves`` random moves from the solved puzzle, or more if it is solved again."""
    tiles = unpack(rules, rules.solved)
    blank = before = len(tiles) - 1
    rng = generator(seed)
    with np.errstate(over="ignore"):
        while moves > 0 or tiles == unpack(rules, rules.solved):
            near = [int(k) for k in rules.beside[blank, : rules.degrees[blank]] if k != before]
            tile = near[below(rng, len(near))]
            tiles[blank], tiles[tile] = tiles[tile], 0
            before, blank = blank, tile
            moves -= 1
    return tiles


def blank_of(board):
    square = 0
    while (board >> np.uint64(4 * square)) & _NIBBLE != np.uint64(0):
        square += 1
    return square


def start(rules, state):
    state.board = rules.first
    state.blank = blank_of(rules.first)
    state.moves = 0


def mover(rules, state):
    return 0


def over(rules, state):
    return state.board == rules.solved or state.moves >= rules.limit


def legal(rules, state, moves):
    for k in range(rules.degrees[state.blank]):
        moves[k] = rules.beside[state.blank, k]
    return rules.degrees[state.blank]


def sample(rules, state, rng):
    return rules.beside[state.blank, below(rng, rules.degrees[state.blank])]


def slide(board, blank, square):
    """Return the board after the tile on ``square`` has moved to the blank."""
    tile = (board >> np.uint64(4 * square)) & _NIBBLE
    return board ^ (tile << np.uint64(4 * square)) ^ (tile << np.uint64(4 * blank))


def play(rules, state, move):
    state.board = slide(state.board, state.blank, move)
    state.blank = move
    state.moves += 1


def playout(rules, state, rng):
    board, blank, moves = state.board, state.blank, state.moves
    while board != rules.solved and moves < rules.limit:
        square = rules.beside[blank, below(rng, rules.degrees[blank])]
        board = slide(board, blank, square)
        blank = square
        moves += 1
    plies = moves - state.moves
    state.board, state.blank, state.moves = board, blank, moves
    return plies


def distance(rules, board):
    """Return the sum of the tiles' Manhattan distances."""
    total = 0
    for square in range(rules.rows * rules.columns):
        tile = np.int64((board >> np.uint64(4 * square)) & _NIBBLE)
        if tile > 0:
            total += abs(square // rules.columns - (tile - 1) // rules.columns)
            total += abs(square % rules.columns - (tile - 1) % rules.columns)
    return total


def scores(rules, state, out):
    if state.board == rules.solved:
        out[0] = 1.0 - 0.5 * state.moves / rules.limit
    else:
        out[0] = 0.5 - 0.5 * distance(rules, state.board) / rules.max_distance


def key(rules, state):
    return mix(state.board ^ mix(np.uint64(state.moves + 1)))


def move_name(rules, state, move):
    return str(unpack(rules, state.board)[move])


def write(rules, state):
    words = [str(tile) if tile else "_" for tile in unpack(rules, state.board)]
    columns = int(rules.columns)
    rows = [",".join(words[k : k + columns]) for k in range(0, len(words), columns)]
    return "/".join(rows) + f" {state.moves}"


def read(rules, state, text):
    squares, _, moves = text.strip().rpartition(" ")
    rows = [row.split(",") for row in squares.strip().split("/")]
    words = [word.strip() for row in rows for word in row]
    names = ["_", *(str(tile) for tile in range(1, int(rules.rows * rules.columns)))]
    if len(rows) != rules.rows or any(len(row) != rules.columns for row in rows) or sorted(words) != sorted(names):
        raise RamifyError(
            f"expected {rules.rows} rows of {rules.columns} tiles from the top, 1 to {len(names) - 1} and _ once each,"
            " then the number of moves, e.g. 8,7,6/5,4,3/2,1,_ 0"
        )
    if not is_number(moves) or int(moves) > rules.limit:
        raise RamifyError(f"invalid number of moves '{moves}': expected 0 to {rules.limit}")
    tiles = [names.index(word) for word in words]
    if not solvable(rules, tiles):
        raise RamifyError("this permutation cannot be solved: swap any two tiles")
    state.board, state.blank, state.moves = pack(tiles), tiles.index(0), int(moves)


def draw(rules, state):
    rows = write(rules, state).rpartition(" ")[0].split("/")
    lines = ["".join(f"{word:>3}" for word in row.split(",")) for row in rows]
    return "\n".join([*lines, f"{state.moves} of {rules.limit} moves"])
