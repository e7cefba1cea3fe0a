"""Points, soldiers and steps of Cannon, and its position text."""

from ramify.core.numbers.bits import nth, popcount
from ramify.errors import RamifyError
from ramify.games.boards.grids import are_rows, cell_name
from ramify.games.boards.texts import read_number

STRIDE = 12  # stride of a row: ten points and a border of one on each side
MARKS = ".dlDL"
SOLDIERS = 15
STEPS = 27  # upper bound on the steps of a soldier: 9 directions, up to three points


def point_at(row, column):
    """Return the number of a point; (0, 0) is at the lower left."""
    return STRIDE * (row + 1) + column + 1


def soldiers(state, player):
    return popcount(state.men[player, 0]) + popcount(state.men[player, 1])


def nth_soldier(state, player, n):
    """Return the point of a player's n-th soldier, in ascending order."""
    low = popcount(state.men[player, 0])
    return 8 + nth(state.men[player, 0], n) if n < low else 72 + nth(state.men[player, 1], n - low)


def step_class(origin, to):
    """Return the move class of a step: origin, direction and length."""
    up, right = to // STRIDE - origin // STRIDE, to % STRIDE - origin % STRIDE
    length = max(abs(up), abs(right))
    direction = 3 * (up // length + 1) + right // length + 1
    return STEPS * origin + 3 * direction + length - 1


def point_name(point):
    return cell_name(STRIDE, point - point_at(0, 0))


def parse(text, max_plies, first, corners):
    """Parse a position text. Return the marks of the board from the lower left, and the plies played.

    ``first`` is the board before the first ply; ``corners``: whether towns may be in the corners.
    """
    words = text.split()
    rows = words[0].split("/")[::-1] if len(words) == 3 else []
    if not are_rows(rows, [10] * 10, MARKS) or words[1] not in ("d", "l"):
        raise RamifyError(
            "expected 10 rows of 10 points (d, l, D, L, .) from the top, separated by /, then d or l to move and the"
            " number of plies"
        )
    plies = read_number(words[2], max_plies, "number of plies")
    if words[1] != "dl"[plies % 2]:
        raise RamifyError(f"after {plies} plies it is {'dl'[plies % 2]} to move, not {words[1]}")
    board = "".join(rows)
    towns = [board.count("D"), board.count("L")]
    home = slice(0, 10) if corners else slice(1, 9)
    if max(towns) > 1 or (towns[0] and "D" not in rows[0][home]) or (towns[1] and "L" not in rows[9][home]):
        raise RamifyError("each player has one town, on its home row" + ("" if corners else ", not in a corner"))
    if towns != [plies > 0, plies > 1] and not (plies > 2 and towns[plies % 2] == 0 and towns[1 - plies % 2] == 1):
        raise RamifyError(
            "dark places its town in the first ply, light in the second; only the mover's can have been captured"
        )
    if max(board.count("d"), board.count("l")) > SOLDIERS or (plies > 2 and not set("dl") & set(board)):
        raise RamifyError(f"expected at most {SOLDIERS} soldiers per player and at least one on the board")
    soldier = "dl"[1 - plies % 2]
    if plies > 2 and soldier not in board:
        raise RamifyError("the player who moved last has no soldier")
    if plies <= 2 and board.replace("D", ".").replace("L", ".") != first:
        raise RamifyError("soldiers cannot move before both towns are placed")
    return board, plies
