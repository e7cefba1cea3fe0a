"""Pig, a dice game (J. Scarne 1945): keep rolling for more, or hold before a 1 loses it all.

In a turn a player rolls a die any number of times. A 2 to 6 is added to the turn total; a 1 loses the turn total and
ends the turn; holding adds the turn total to the player's score and ends the turn. The first score of at least
``target`` wins. Optimal play is known: T. Neller and C. Presser, "Optimal Play of the Dice Game Pig", The UMAP Journal
25(1), 2004.

Details as in OpenSpiel's ``pig``: a player wins by holding, and must hold once score plus turn total reach the target;
holding a turn total of 0 is legal. Since players could hold for ever, the game is a draw after ``horizon`` decisions to
roll or hold, even if a roll is pending. Playouts are uniform.

Moves are ``roll`` and ``hold``, chance outcomes ``1`` to ``6``. Position text: the two scores, the player to move (1 or
2), the turn total and the number of decisions so far, then ``rolling`` if a roll is pending: ``20 35 1 8 57 rolling``.
"""

import numpy as np

from ramify.core.search.tree import CHANCE
from ramify.errors import RamifyError
from ramify.games.boards.texts import is_number

PLAYERS = 2
MAX_MOVES = 2
MOVE_CLASSES = 2
MAX_CHANCE_OUTCOMES = 6

ROLL = 0
HOLD = 1  # a chance outcome is the number on the die

Rules = np.dtype([("target", np.int64), ("horizon", np.int64)])
State = np.dtype(
    [
        ("banked", np.int64, (2,)),
        ("turn_total", np.int64),
        ("player", np.int64),  # whose turn it is
        ("rolling", np.int64),  # whether a roll is pending
        ("decisions", np.int64),
    ]
)


def configure(rules, target=100, horizon=1000):
    if not 2 <= target <= 10**6:
        raise RamifyError(f"invalid target={target} for pig: use 2 to {10**6}")
    if not 1 <= horizon <= 10**6:
        raise RamifyError(f"invalid horizon={horizon} for pig: use 1 to {10**6}")
    rules.target, rules.horizon = target, horizon


def start(rules, state):
    state.banked[0] = 0
    state.banked[1] = 0
    state.turn_total = 0
    state.player = 0
    state.rolling = 0
    state.decisions = 0


def mover(rules, state):
    return CHANCE if state.rolling else state.player


def over(rules, state):
    return state.decisions >= rules.horizon or max(state.banked[0], state.banked[1]) >= rules.target


def legal(rules, state, moves):
    if state.banked[state.player] + state.turn_total >= rules.target:
        moves[0] = HOLD
        return 1
    moves[0] = ROLL
    moves[1] = HOLD
    return 2


def chance_outcomes(rules, state, moves, probabilities):
    for k in range(6):
        moves[k] = k + 1
        probabilities[k] = 1.0 / 6.0
    return 6


def end_turn(state):
    state.turn_total = 0
    state.player = 1 - state.player


def play(rules, state, move):
    if state.rolling:
        state.rolling = 0
        state.turn_total += move
        if move == 1:
            end_turn(state)
        return
    state.decisions += 1
    if move == ROLL:
        state.rolling = 1
    else:
        state.banked[state.player] += state.turn_total
        end_turn(state)


def scores(rules, state, out):
    for player in range(2):
        out[player] = 0.5
        if state.banked[player] >= rules.target:
            out[player] = 1.0
        elif state.banked[1 - player] >= rules.target:
            out[player] = 0.0


def move_name(rules, state, move):
    return str(move) if state.rolling else ("roll", "hold")[move]


def write(rules, state):
    numbers = (*state.banked, state.player + 1, state.turn_total, state.decisions)
    return " ".join(str(number) for number in numbers) + (" rolling" if state.rolling else "")


def read(rules, state, text):
    words = text.split()
    rolling = words[5:] == ["rolling"]
    if len(words) != 5 + rolling or not all(is_number(word) for word in words[:5]):
        raise RamifyError(
            "expected two scores, the player to move, the turn total and the number of decisions, e.g. 20 35 1 8 57"
        )
    first, second, player, turn_total, decisions = (int(word) for word in words[:5])
    if player not in (1, 2):
        raise RamifyError(f"invalid player to move {player}: expected 1 or 2")
    mine, theirs = (first, second)[:: 1 if player == 1 else -1]
    if 1 in (first, second, turn_total):
        raise RamifyError("a score or turn total of 1 is impossible")
    if mine >= rules.target:
        raise RamifyError("the player to move has already won")
    if theirs >= rules.target and (turn_total or rolling):
        raise RamifyError("the other player has already won, so the turn total must be 0 and no roll pending")
    if max(mine + turn_total, theirs) > rules.target + 5:
        raise RamifyError(f"no player can exceed {rules.target + 5}, since a player must hold at {rules.target}")
    if rolling and mine + turn_total >= rules.target:
        raise RamifyError(f"a player must hold at {rules.target}, so no roll can be pending")
    if not int(rolling) <= decisions <= rules.horizon:
        raise RamifyError(f"invalid number of decisions {decisions}: expected {int(rolling)} to {rules.horizon}")
    state.banked[:] = first, second
    state.turn_total, state.player, state.rolling, state.decisions = turn_total, player - 1, rolling, decisions


def draw(rules, state):
    lines = [f"player {k + 1}: {state.banked[k]:4} of {rules.target}" for k in range(2)]
    lines[state.player] += f"  + {state.turn_total} this turn" + (", rolling" if state.rolling else "")
    return "\n".join([*lines, f"{state.decisions} of {rules.horizon} decisions"])
