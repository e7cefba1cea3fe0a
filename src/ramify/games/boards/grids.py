"""Square boards as people see them: names of points, rows of text, pictures."""

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


def point_name(size, point, letters=GO_LETTERS):
    """``a1`` is the lower left point, ``a2`` is above it."""
    return letters[point % size] + str(point // size + 1)


def write_rows(size, cells):
    """The marks of a board, 0 for empty, 1 and 2 for stones, as rows from the top."""
    marks = "".join(MARKS[cell] for cell in cells)
    return "/".join(marks[size * row : size * (row + 1)] for row in reversed(range(size)))


def read_rows(size, text):
    """The way back from ``write_rows``."""
    rows = text.strip().lower().split("/")
    if len(rows) != size or any(len(row) != size or set(row) - set(MARKS) for row in rows):
        raise RamifyError(f"give {size} rows of {size} of x, o and . from the top, separated by /")
    return [MARKS.index(mark) for row in reversed(rows) for mark in row]


def whose_turn(cells):
    """The player to move when x began and nothing was captured."""
    x, o = cells.count(1), cells.count(2)
    if x - o not in (0, 1):
        raise RamifyError("x moves first, so there must be as many x as o, or one more")
    return x - o


def picture(size, cells, letters=GO_LETTERS):
    """A board with coordinates."""
    return numbered(write_rows(size, cells), letters)


def numbered(board, letters=LETTERS):
    """The text of rows from the top, separated by ``/``, as lines with coordinates."""
    rows = board.split("/")
    lines = [f"{len(rows) - k:2} " + " ".join(row) for k, row in enumerate(rows)]
    return "\n".join([*lines, "   " + " ".join(letters[: len(rows[0])])])
