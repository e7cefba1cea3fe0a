"""Boards as text: names of cells, rows of marks, pictures with coordinates."""

from ramify.errors import RamifyError

LETTERS = "abcdefghijklmnopqrstuvwxyz"
GO_LETTERS = "abcdefghjklmnopqrstuvwxyz"  # Go notation skips the letter i
MARKS = ".xo"
SIDES = (-1, 0), (1, 0), (0, -1), (0, 1)
CORNERS = (-1, -1), (-1, 1), (1, -1), (1, 1)


def neighbours(size, steps=SIDES):
    """Return the neighbours of each point of a square board, numbered from the lower left; ``size**2`` is off it."""
    inside = range(size)
    return [
        [
            size * (row + up) + column + right if row + up in inside and column + right in inside else size * size
            for up, right in steps
        ]
        for row in inside
        for column in inside
    ]


def check_size(game, size, min_size, max_size):
    if not min_size <= size <= max_size:
        raise RamifyError(f"invalid size={size} for {game}: use {min_size} to {max_size}")


def point_name(size, point):
    """Return a point's name in Go: ``a1`` is at the lower left, ``a2`` above it, ``i`` is skipped."""
    return GO_LETTERS[point % size] + str(point // size + 1)


def cell_name(columns, cell):
    """Return a cell's name: ``a1`` is cell 0, ``b1`` cell 1. Columns beyond z use the characters that follow it."""
    return chr(ord("a") + cell % columns) + str(cell // columns + 1)


def marks_of(mover, mine, theirs, cells, marks=MARKS):
    """Return the marks of ``cells`` as one text; ``mine`` is the cell set of the mover, ``theirs`` the opponent's.

    ``marks``: of an empty cell, of player 0, of player 1.
    """
    first, second = (int(mine), int(theirs))[:: 1 if mover == 0 else -1]
    return "".join(marks[1 if first >> k & 1 else 2 if second >> k & 1 else 0] for k in cells)


def set_of(cells, mark):
    """Return the set of cells with this mark, as an int."""
    return sum(1 << k for k, one in enumerate(cells) if one == mark)


def rows_of(columns, cells):
    """Split the cells into rows of ``columns``."""
    return [cells[k : k + columns] for k in range(0, len(cells), columns)]


def are_rows(rows, lengths, marks):
    """Whether the rows have exactly these lengths and contain only these marks."""
    return [len(row) for row in rows] == list(lengths) and not set("".join(rows)) - set(marks)


def write_rows(size, cells):
    """Return the board as rows from the top; cells are 0 (empty), 1 (``x``) or 2 (``o``), from the lower left."""
    return "/".join(reversed(rows_of(size, "".join(MARKS[cell] for cell in cells))))


def read_rows(size, text):
    """Parse the text of ``write_rows``."""
    rows = text.strip().lower().split("/")
    if not are_rows(rows, [size] * size, MARKS):
        raise RamifyError(f"expected {size} rows of {size} cells (x, o, .) from the top, separated by /")
    return [MARKS.index(mark) for row in reversed(rows) for mark in row]


def read_rows_and_mover(text, lengths, marks, expected):
    """Parse rows followed by the player to move, one of ``marks``. ``expected`` describes the format in the error."""
    board, _, side = text.strip().lower().rpartition(" ")
    rows = board.strip().split("/")
    if side not in tuple(marks) or not are_rows(rows, lengths, "." + marks):
        raise RamifyError(f"expected {expected}")
    return rows, side


def whose_turn(cells):
    """Return the player to move in a game without captures; ``cells`` as returned by ``read_rows``."""
    return turn_after(cells.count(1), cells.count(2))


def turn_after(x, o):
    """Return the player to move after ``x`` and ``o`` stones in a game without captures. Raise if impossible."""
    if x - o not in (0, 1):
        raise RamifyError(f"x moves first, so x needs as many stones as o, or one more, not {x} and {o}")
    return x - o


def picture(size, cells):
    """Return a Go board with coordinates."""
    return with_coordinates(write_rows(size, cells), GO_LETTERS)


def with_coordinates(board, letters=""):
    """Return ``board`` (rows from the top, separated by ``/``) as lines with coordinates.

    ``letters`` names the columns. (default: as in ``cell_name``)
    """
    rows = board.split("/")
    columns = letters[: len(rows[0])] if letters else [chr(ord("a") + k) for k in range(len(rows[0]))]
    lines = [f"{len(rows) - k:2} " + " ".join(row) for k, row in enumerate(rows)]
    return "\n".join([*lines, "   " + " ".join(columns)])
