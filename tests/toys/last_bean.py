"""Three players take one or two beans in turn from one heap; whoever takes the last is first, the one before second.

Every seat has the same part, shifted: the parameter ``first`` shifts all results and changes nothing else.
"""

import numpy as np

from ramify.errors import RamifyError

PLAYERS = 3
MAX_MOVES = 2

Rules = np.dtype([("beans", np.int64), ("first", np.int64)])
State = np.dtype([("beans", np.int64), ("turn", np.int64)])


def configure(rules, beans=7, first=0):
    if beans < 1 or not 0 <= first < PLAYERS:
        raise RamifyError(f"last_bean needs a bean and a first player from 0 to {PLAYERS - 1}, not {beans} and {first}")
    rules.beans, rules.first = beans, first


def start(rules, state):
    state.beans = rules.beans
    state.turn = rules.first


def mover(rules, state):
    return state.turn


def over(rules, state):
    return state.beans == 0


def legal(rules, state, moves):
    moves[0] = 1
    if state.beans == 1:
        return 1
    moves[1] = 2
    return 2


def play(rules, state, move):
    state.beans -= move
    state.turn = (state.turn + 1) % PLAYERS


def scores(rules, state, out):
    out[state.turn] = 0.0
    out[(state.turn + 1) % PLAYERS] = 0.5
    out[(state.turn + 2) % PLAYERS] = 1.0


def move_name(rules, state, move):
    return f"take{move}"


def write(rules, state):
    return f"{state.beans}:{state.turn}"


def read(rules, state, text):
    known = {f"{beans}:{turn}": (beans, turn) for beans in range(rules.beans + 1) for turn in range(PLAYERS)}
    if text.strip() not in known:
        raise RamifyError(f"give at most {rules.beans} beans and a player from 0 to {PLAYERS - 1}, like 5:2")
    state.beans, state.turn = known[text.strip()]
