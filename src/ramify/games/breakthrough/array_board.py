"""Breakthrough on boards of 65 to 256 squares: an array of cells."""

from ramify.core.numbers.rng import below

SQUARES = 256  # maximum; a move is SQUARES*from + to


def step_wide(rules, state, square, side):
    """Return the target of the mover's pawn on ``square`` stepping to ``side`` (-1, 0, 1), or -1 if illegal."""
    column = square % rules.columns + side
    to = square + (rules.columns if state.mover == 0 else -rules.columns) + side
    if column < 0 or column >= rules.columns or to < 0 or to >= rules.rows * rules.columns:
        return -1
    occupant = state.cells[to]
    if occupant == 0 or (side != 0 and occupant == 2 - state.mover):
        return to
    return -1


def legal_wide(rules, state, moves):
    count = 0
    for square in range(rules.rows * rules.columns):
        if state.cells[square] == 1 + state.mover:
            for side in range(-1, 2):
                to = step_wide(rules, state, square, side)
                if to >= 0:
                    moves[count] = square * SQUARES + to
                    count += 1
    return count


def sample_wide(rules, state, rng):
    """Draw a uniform move in one pass (reservoir sampling)."""
    seen = 0
    move = 0
    for square in range(rules.rows * rules.columns):
        if state.cells[square] == 1 + state.mover:
            for side in range(-1, 2):
                to = step_wide(rules, state, square, side)
                if to >= 0:
                    seen += 1
                    if below(rng, seen) == 0:
                        move = square * SQUARES + to
    return move


def winning_wide(rules, state):
    goal = rules.rows - 1 if state.mover == 0 else 0
    last = pawns_wide(rules, state, 1 - state.mover) == 1
    for square in range(rules.rows * rules.columns):
        if state.cells[square] == 1 + state.mover:
            for side in range(-1, 2):
                to = step_wide(rules, state, square, side)
                if to >= 0 and (to // rules.columns == goal or (last and state.cells[to] != 0)):
                    return square * SQUARES + to
    return -1


def heuristic_wide(rules, state, rng):
    """Like ``sample_wide``, among the most urgent moves: 2 wins, 1 captures a pawn about to win, 0 any other."""
    goal = rules.rows - 1 if state.mover == 0 else 0
    danger = 1 if state.mover == 0 else rules.rows - 2
    urgent = 0
    seen = 0
    move = 0
    for square in range(rules.rows * rules.columns):
        if state.cells[square] == 1 + state.mover:
            for side in range(-1, 2):
                to = step_wide(rules, state, square, side)
                if to >= 0:
                    row = to // rules.columns
                    urgency = 2 if row == goal else 1 if row == danger and state.cells[to] != 0 else 0
                    if urgency > urgent:
                        urgent = urgency
                        seen = 0
                    if urgency == urgent:
                        seen += 1
                        if below(rng, seen) == 0:
                            move = square * SQUARES + to
    return move


def play_wide(rules, state, origin, to):
    """Move a pawn and update ``won``."""
    captured = state.cells[to] != 0
    state.cells[origin] = 0
    state.cells[to] = 1 + state.mover
    row = to // rules.columns
    state.won = row == (rules.rows - 1 if state.mover == 0 else 0)
    if captured and not state.won:
        state.won = pawns_wide(rules, state, 1 - state.mover) == 0


def pawns_wide(rules, state, player):
    count = 0
    for square in range(rules.rows * rules.columns):
        count += state.cells[square] == 1 + player
    return count
