"""Points, soldiers and steps of Cannon, and positions as people write them."""

from ramify.core.numbers.bits import nth, popcount
from ramify.errors import RamifyError
from ramify.games.boards.grids import are_rows, cell_name
from ramify.games.boards.texts import read_number

WIDE = 12  # a row of ten points with a border of one all round
MARKS = ".dlDL"
SOLDIERS = 15
STEPS = 27  # ways a soldier can go, and more: up to three points in any direction


def point_at(row, column):
    """The number of a point; (0, 0) is the lower left one."""
    return WIDE * (row + 1) + column + 1


def soldiers(state, player):
    """How many a player has."""
    return popcount(state.men[player, 0]) + popcount(state.men[player, 1])


def nth_soldier(state, player, n):
    """Where the n-th of them stands, counted from below."""
    low = popcount(state.men[player, 0])
    return 8 + nth(state.men[player, 0], n) if n < low else 72 + nth(state.men[player, 1], n - low)


def step_class(origin, to):
    """A number for where a soldier or a cannon goes: by origin, direction and length."""
    up, right = to // WIDE - origin // WIDE, to % WIDE - origin % WIDE
    length = max(abs(up), abs(right))
    direction = 3 * (up // length + 1) + right // length + 1
    return STEPS * origin + 3 * direction + length - 1


def point_name(point):
    """``a1`` is the lower left point."""
    return cell_name(WIDE, point - point_at(0, 0))


def parse(text, most, first, corners):
    """The marks of a board, from the lower left, and the plies played, of which there are ``most`` at most.

    ``first`` is the board before the first ply; ``corners`` whether towns may stand there.
    """
    words = text.split()
    rows = words[0].split("/")[::-1] if len(words) == 3 else []
    if not are_rows(rows, [10] * 10, MARKS) or words[1] not in ("d", "l"):
        raise RamifyError(
            "give ten rows of ten of d, l, D, L and . from the top, separated by /, then d or l to move and the plies"
        )
    plies = read_number(words[2], most, "plies played")
    if words[1] != "dl"[plies % 2]:
        raise RamifyError(f"dark moves first, so after {plies} plies it is {'dl'[plies % 2]} to move, not {words[1]}")
    board = "".join(rows)
    towns = [board.count("D"), board.count("L")]
    home = slice(0, 10) if corners else slice(1, 9)
    if max(towns) > 1 or (towns[0] and "D" not in rows[0][home]) or (towns[1] and "L" not in rows[9][home]):
        raise RamifyError("each side has one town, on its home row" + ("" if corners else " and in no corner"))
    if towns != [plies > 0, plies > 1] and not (plies > 2 and towns[plies % 2] == 0 and towns[1 - plies % 2] == 1):
        raise RamifyError(
            "dark's town stands after the first ply, light's after the second; only the mover's can be lost"
        )
    if max(board.count("d"), board.count("l")) > SOLDIERS or (plies > 2 and not set("dl") & set(board)):
        raise RamifyError(f"a side has at most {SOLDIERS} soldiers, and somebody has one")
    soldier = "dl"[1 - plies % 2]
    if plies > 2 and soldier not in board:
        raise RamifyError("the side that has just moved has no soldier")
    if plies <= 2 and board.replace("D", ".").replace("L", ".") != first:
        raise RamifyError("no soldier has moved before the towns stand")
    return board, plies
