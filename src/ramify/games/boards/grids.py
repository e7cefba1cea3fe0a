"""Boards as people see them: names of cells, rows of text, pictures."""

from ramify.errors import RamifyError

LETTERS = "abcdefghijklmnopqrstuvwxyz"
GO_LETTERS = "abcdefghjklmnopqrstuvwxyz"  # Go players leave out the i
MARKS = ".xo"
SIDES = (-1, 0), (1, 0), (0, -1), (0, 1)
CORNERS = (-1, -1), (-1, 1), (1, -1), (1, 1)


def neighbours(size, steps=SIDES):
    """The neighbours of every point of a square board, numbered from the lower left; ``size**2`` beyond the edge."""
    inside = range(size)
    return [
        [
            size * (row + up) + column + right if row + up in inside and column + right in inside else size * size
            for up, right in steps
        ]
        for row in inside
        for column in inside
    ]


def check_size(game, size, least, most):
    """Raise an error unless the game can be played on a board of that size."""
    if not least <= size <= most:
        raise RamifyError(f"{game} needs a size from {least} to {most}, not {size}")


def point_name(size, point):
    """``a1`` is the lower left point of a board of Go, ``a2`` is above it."""
    return GO_LETTERS[point % size] + str(point // size + 1)


def cell_name(columns, cell):
    """``a1`` is cell 0, ``b1`` cell 1; beyond column z the characters that follow it."""
    return chr(ord("a") + cell % columns) + str(cell // columns + 1)


def marks_of(mover, mine, theirs, cells, marks=MARKS):
    """The mark of each of the cells, where ``mine`` and ``theirs`` are the sets of the mover and of the other player.

    ``marks`` are those of an empty cell, of the first player and of the second.
    """
    first, second = (int(mine), int(theirs))[:: 1 if mover == 0 else -1]
    return "".join(marks[1 if first >> k & 1 else 2 if second >> k & 1 else 0] for k in cells)


def word_of(cells, mark):
    """The set of the cells that have this mark, as a whole number."""
    return sum(1 << k for k, one in enumerate(cells) if one == mark)


def rows_of(columns, cells):
    """The cells in rows."""
    return [cells[k : k + columns] for k in range(0, len(cells), columns)]


def are_rows(rows, lengths, marks):
    """Whether there is a row of each of these lengths, and no mark but these."""
    return [len(row) for row in rows] == list(lengths) and not set("".join(rows)) - set(marks)


def write_rows(size, cells):
    """The marks of a board, 0 for empty, 1 and 2 for stones, as rows from the top."""
    return "/".join(reversed(rows_of(size, "".join(MARKS[cell] for cell in cells))))


def read_rows(size, text):
    """The way back from ``write_rows``."""
    rows = text.strip().lower().split("/")
    if not are_rows(rows, [size] * size, MARKS):
        raise RamifyError(f"give {size} rows of {size} of x, o and . from the top, separated by /")
    return [MARKS.index(mark) for row in reversed(rows) for mark in row]


def read_rows_and_side(text, lengths, marks, wanted):
    """The rows of a text and the side to move that follows them, one of ``marks``; ``wanted`` is for the error."""
    board, _, side = text.strip().lower().rpartition(" ")
    rows = board.strip().split("/")
    if side not in tuple(marks) or not are_rows(rows, lengths, "." + marks):
        raise RamifyError(f"give {wanted}")
    return rows, side


def whose_turn(cells):
    """The player to move when x began and nothing was captured; ``cells`` as ``read_rows`` gives them."""
    return turn_after(cells.count(1), cells.count(2))


def turn_after(x, o):
    """The player to move after so many stones of x and of o, when x began and nothing was captured."""
    if x - o not in (0, 1):
        raise RamifyError("x moves first, so there must be as many x as o, or one more")
    return x - o


def picture(size, cells):
    """A board of Go with coordinates."""
    return numbered(write_rows(size, cells), GO_LETTERS)


def numbered(board, letters=""):
    """The text of rows from the top, separated by ``/``, as lines with coordinates; by default as in ``cell_name``."""
    rows = board.split("/")
    columns = letters[: len(rows[0])] if letters else [chr(ord("a") + k) for k in range(len(rows[0]))]
    lines = [f"{len(rows) - k:2} " + " ".join(row) for k, row in enumerate(rows)]
    return "\n".join([*lines, "   " + " ".join(columns)])
