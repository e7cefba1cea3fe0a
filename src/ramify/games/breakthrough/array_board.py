"""Breakthrough on more squares than a word has bits: a board of cells."""

from ramify.core.numbers.rng import below

SQUARES = 256  # at most; a move is SQUARES*from + to


def step_wide(rules, state, square, side):
    """Where the mover's pawn on ``square`` gets by a step to ``side`` (-1, 0 or 1); -1 if it may not."""
    column = square % rules.columns + side
    to = square + (rules.columns if state.mover == 0 else -rules.columns) + side
    if column < 0 or column >= rules.columns or to < 0 or to >= rules.rows * rules.columns:
        return -1
    occupant = state.cells[to]
    if occupant == 0 or (side != 0 and occupant == 2 - state.mover):
        return to
    return -1


def legal_wide(rules, state, moves):
    """As the game's ``legal``."""
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
    """One pass that keeps each move with the chance that makes all equal (reservoir sampling)."""
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
    """As the game's ``winning_move``."""
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
    """As ``sample_wide``, among the most urgent moves: 2 wins, 1 takes a pawn that is about to, 0 is any other."""
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
    """Move a pawn and find out whether that has won."""
    captured = state.cells[to] != 0
    state.cells[origin] = 0
    state.cells[to] = 1 + state.mover
    row = to // rules.columns
    state.won = row == (rules.rows - 1 if state.mover == 0 else 0)
    if captured and not state.won:
        state.won = pawns_wide(rules, state, 1 - state.mover) == 0


def pawns_wide(rules, state, player):
    """How many pawns a player has."""
    count = 0
    for square in range(rules.rows * rules.columns):
        count += state.cells[square] == 1 + player
    return count
