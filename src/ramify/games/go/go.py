"""Go on 9x9 or another size up to 19x19, area scoring (J. Tromp and B. Taylor's rules, without suicide).

Players take turns placing one stone on an empty point, x (black) first, or pass. Enemy chains without a liberty are
captured; a move that leaves the placed stone without a liberty is illegal. The game ends after two passes in a row or
after ``limit`` moves (0: twice the number of points, as in OpenSpiel; simple ko needs a limit). A player's area is its
stones plus the empty points that reach only its colour; o gets ``komi`` extra points.

``ko="positional"`` (default): no move except a pass may repeat an earlier board; boards are compared by 64-bit Zobrist
hashes. ``ko="simple"``: a lone stone with one liberty that has just captured one stone may not be recaptured at once.
OpenSpiel's ``go`` has simple ko and declares a draw when a board repeats.

Playouts are uniform over all legal moves, including passes; ``heuristic`` never fills its own eyes and passes only if
nothing else is left.

Points are named ``a1`` (lower left), skipping the letter i; a pass is ``pass``. Position text: the rows from the top,
``x``, ``o`` and ``.``, separated by ``/``, and x or o to move. With positional ko this is the initial board, followed
by the moves since. With simple ko it is the current board, followed by the number of moves made and ``-``, ``pass``,
``end`` or the point forbidden by ko.
"""

import numpy as np

from ramify.contract.python_rules import PythonGenerator
from ramify.core.numbers.bits import ZERO, bit, has
from ramify.errors import RamifyError, suggestion
from ramify.games.boards import go_grid, grids
from ramify.games.boards.cell_sets import WORD, fill, remove, size_of, words
from ramify.games.boards.chains import (
    captures,
    chain_without_liberties,
    clear,
    fields,
    has_liberty,
    join,
    place,
    remove_chain,
    update_neighbours,
)
from ramify.games.boards.go_grid import POINTS
from ramify.games.boards.placement import NOWHERE, placements, random_placement
from ramify.games.boards.texts import read_moves_made
from ramify.games.boards.two_player_scores import by_lead
from ramify.games.go.board import KO, area_lead, find_ko, is_eye, key_of_chain, repeats

PLAYERS = 2
MAX_MOVE_LIMIT = 2 * POINTS
NONE = -1

Rules = np.dtype(
    [
        *go_grid.RULES,  # the move `points` is a pass
        ("positional", np.int64),
        ("limit", np.int64),
        ("komi", np.float64),
        ("corners", np.int16, (POINTS, 4)),  # diagonal neighbours
        ("keys", np.uint64, (2, POINTS)),  # Zobrist keys of each player's stones (Zobrist 1970)
    ]
)
State = np.dtype(
    [
        ("first", np.int64),  # player of move 0
        ("made", np.int64),  # number of moves so far
        ("passes", np.int64),  # in a row
        ("ko", np.int64),  # simple ko: point forbidden to the mover, or NONE
        ("captured", np.int64),  # positional ko: stones captured so far
        ("lead", np.int64),  # once the game is over: area of x minus area of o
        ("stones_key", np.uint64),
        ("empty", np.uint64, (words(POINTS),)),
        *fields(POINTS),
        ("reach", np.int8, (POINTS + 1,)),  # scratch for counting areas; otherwise zero
        ("setup", np.uint64, (2, words(POINTS))),  # positional ko: stones before move 0
        ("moves", np.int16, (MAX_MOVE_LIMIT,)),  # positional ko: moves so far
        ("seen", np.uint64, (MAX_MOVE_LIMIT + 1,)),  # positional ko: keys of the boards so far
    ]
)


def configure(rules, size=9, komi=7.5, ko="positional", limit=0):
    go_grid.set_size(rules, "go", size)
    if ko not in KO:
        raise RamifyError(f"invalid ko='{ko}' for go: use positional or simple; {suggestion(ko, KO)}")
    if not 0 <= limit <= MAX_MOVE_LIMIT or limit == 1:
        raise RamifyError(
            f"invalid limit={limit} for go: use 2 to {MAX_MOVE_LIMIT}, or 0 for twice the number of points"
        )
    if not -POINTS <= komi <= POINTS:
        raise RamifyError(f"invalid komi={komi} for go: use {-POINTS} to {POINTS}")
    rules.positional, rules.komi, rules.limit = ko == "positional", komi, limit or 2 * size * size
    random = PythonGenerator(1)
    rules.keys = [[random.word() for _ in range(POINTS)] for _ in range(2)]
    rules.corners[: size * size] = grids.neighbours(size, grids.CORNERS)


def max_moves(rules):
    return int(rules.points) + 1


def move_classes(rules):
    return int(rules.points) + 1


def start(rules, state):
    state.first = state.made = state.passes = state.captured = state.lead = 0
    state.ko = NONE
    state.stones_key = ZERO
    clear(rules, state)
    fill(state.empty, rules.points)


def mover(rules, state):
    return (state.first + state.made) & 1


def over(rules, state):
    return state.passes == 2 or state.made >= rules.limit


def allowed(rules, state, point, colour):
    """Whether a stone may be placed on an empty point."""
    if point == state.ko:
        return False
    if state.pseudo_liberties[point] > 0 and state.captured == 0:
        return True
    update_neighbours(rules, state, point, -1)
    good = has_liberty(rules, state, point, colour) or captures(rules, state, point, colour)
    if good and state.captured > 0:
        good = not repeats(rules, state, point, colour)
    update_neighbours(rules, state, point, 1)
    return good


def legal(rules, state, moves):
    count = placements(rules, state, state.empty, mover(rules, state) + 1, allowed, moves)
    moves[count] = rules.points
    return count + 1


def sample(rules, state, rng):
    left = size_of(state.empty, rules.words)
    point = random_placement(rules, state, state.empty, left, mover(rules, state) + 1, allowed, 1, rng)
    return rules.points if point == NOWHERE else point


def heuristic(rules, state, rng):
    """Return a uniform legal move that does not fill an own eye, else a pass."""
    left = size_of(state.empty, rules.words)
    point = random_placement(rules, state, state.empty, left, mover(rules, state) + 1, allowed_outside_eyes, 0, rng)
    return rules.points if point == NOWHERE else point


def allowed_outside_eyes(rules, state, point, colour):
    """Whether a stone may be placed on an empty point that is not an own eye."""
    return not is_eye(rules, state, point, colour) and allowed(rules, state, point, colour)


def play(rules, state, move):
    colour = mover(rules, state) + 1
    state.ko = NONE
    if move == rules.points:
        state.passes += 1
    else:
        state.passes = 0
        put(rules, state, move, colour)
    if rules.positional:
        state.moves[state.made] = move
        state.seen[state.made + 1] = state.stones_key
    state.made += 1
    if over(rules, state):
        state.lead = area_lead(rules, state)


def put(rules, state, point, colour):
    """Place a stone and remove the enemy chains it captures."""
    update_neighbours(rules, state, point, -1)
    alone = True
    taken = 0
    last = NONE
    for k in range(4):
        beside = rules.around[point, k]
        alone &= state.stones[beside] != colour
        if state.stones[beside] == 3 - colour and state.pseudo_liberties[state.head[beside]] == 0:
            chain = state.head[beside]
            state.stones_key ^= key_of_chain(rules, state, chain, 3 - colour)
            taken += remove_chain(rules, state, chain)
            last = beside
    join(rules, state, point, colour)
    remove(state.empty, point)
    state.stones_key ^= rules.keys[colour - 1, point]
    if rules.positional:
        state.captured += taken
    elif taken == 1 and alone and state.pseudo_liberties[point] == 1:
        state.ko = last


def margin(rules, state):
    """Area of x minus area of o minus komi."""
    return state.lead - rules.komi


def margins(rules):
    return -float(rules.points) - float(rules.komi), float(rules.points) - float(rules.komi)


def scores(rules, state, out):
    by_lead(margin(rules, state), out)


def move_name(rules, state, move):
    return "pass" if move == rules.points else go_grid.move_name(rules, state, move)


def write(rules, state):
    side = int(rules.side)
    if rules.positional:
        cells = [int(has(x, k)) + 2 * int(has(o, k)) for x, o in zip(*state.setup, strict=True) for k in range(WORD)]
        moves = [move_name(rules, state, move) for move in state.moves[: state.made]]
        return " ".join([grids.write_rows(side, cells[: side * side]), "xo"[state.first], *moves])
    last = "-" if state.ko == NONE else move_name(rules, state, state.ko)
    last = ("pass", "end")[state.passes - 1] if state.passes else last
    return f"{go_grid.write(rules, state)} {'xo'[mover(rules, state)]} {state.made} {last}"


def read(rules, state, text):
    board, *words_ = text.lower().split() or [""]
    cells = grids.read_rows(int(rules.side), board)
    if words_[:1] not in (["x"], ["o"]) or (not rules.positional and len(words_) != 3):
        simple = "the number of moves, and -, pass, end or the ko point"
        more = "the moves since" if rules.positional else simple
        raise RamifyError(f"expected the board, x or o to move, {more}, separated by spaces")
    start(rules, state)
    state.first = "xo".index(words_[0])
    for point, cell in enumerate(cells):
        if cell:
            place(rules, state, point, cell)
            remove(state.empty, point)
            state.stones_key ^= rules.keys[cell - 1, point]
            if rules.positional:
                state.setup[cell - 1, point >> 6] |= bit(point & 63)
    if chain_without_liberties(rules, state) >= 0:
        raise RamifyError(
            f"the chain at {move_name(rules, state, chain_without_liberties(rules, state))} has no liberty"
        )
    if rules.positional:
        state.seen[0] = state.stones_key
        replay(rules, state, words_[1:])
    else:
        resume(rules, state, *words_[1:])


def replay(rules, state, names):
    """Play the moves of a position text."""
    moves = np.zeros(max_moves(rules), np.int64)
    for name in names:
        count = 0 if over(rules, state) else legal(rules, state, moves)
        found = [move for move in moves[:count] if move_name(rules, state, move) == name]
        if not found:
            raise RamifyError(f"move {state.made + 1}, '{name}', is not legal")
        play(rules, state, found[0])


def resume(rules, state, made, last):
    """Set move count, passes and ko from a position text with simple ko."""
    state.made = read_moves_made(made, rules.limit)
    state.first = (state.first + state.made) & 1
    state.passes = {"pass": 1, "end": 2}.get(last, 0)
    if state.passes > state.made:
        raise RamifyError(f"'{last}' is impossible after {made} moves")
    if last not in ("-", "pass", "end"):
        state.ko = find_ko(rules, state, last, 2 - mover(rules, state))
    if over(rules, state):
        state.lead = area_lead(rules, state)


def draw(rules, state):
    turn = "over" if over(rules, state) else f"{'xo'[mover(rules, state)]} to move"
    return go_grid.draw(rules, state) + "\n" + turn
