"""Runners: both players simultaneously choose how far to run, forward or back; the first across the line wins.

One of the games of S. Gudmundsson and Y. Björnsson, "Sufficiency-Based Selection Strategy for MCTS" (2013), who do not
print its rules; we know of no rulesheet. So this is a reconstruction from their one-sentence description, and its
numbers are ours: the line is ``distance`` steps away, a turn moves a runner at most ``steps`` steps either way, and no
runner goes behind the start. It is a draw if both cross in the same turn, or if neither has after ``turns`` turns.
Running at full speed is always best, which a search must find out. Playouts are uniform.

Moves are steps: ``-3`` to ``3``. Position text: the distances run by both players and the turns so far: ``6 4 3``.
"""

import numpy as np

from ramify.core.search.tree import SIMULTANEOUS
from ramify.errors import RamifyError
from ramify.games.boards.texts import is_number
from ramify.games.boards.two_player_scores import by_lead

PLAYERS = 2
MAX_DISTANCE = 10_000

# A move is steps + rules.steps.
Rules = np.dtype([("distance", np.int64), ("steps", np.int64), ("turns", np.int64)])
State = np.dtype([("run", np.int64, (2,)), ("turns", np.int64)])


def configure(rules, distance=20, steps=3, turns=40):
    if not 1 <= distance <= MAX_DISTANCE:
        raise RamifyError(f"invalid distance={distance} for runners: use 1 to {MAX_DISTANCE}")
    if not 1 <= turns <= MAX_DISTANCE:
        raise RamifyError(f"invalid turns={turns} for runners: use 1 to {MAX_DISTANCE}")
    if not 1 <= steps <= 100:
        raise RamifyError(f"invalid steps={steps} for runners: use 1 to 100")
    rules.distance, rules.steps, rules.turns = distance, steps, turns


def max_moves(rules):
    return int(2 * rules.steps + 1)


def move_classes(rules):
    return int(2 * rules.steps + 1)


def start(rules, state):
    state.run[0] = state.run[1] = 0
    state.turns = 0


def mover(rules, state):
    return SIMULTANEOUS


def over(rules, state):
    return state.turns >= rules.turns or max(state.run[0], state.run[1]) >= rules.distance


def legal_of(rules, state, player, moves):
    count = 0
    for steps in range(-min(rules.steps, state.run[player]), rules.steps + 1):
        moves[count] = steps + rules.steps
        count += 1
    return count


def play_joint(rules, state, moves):
    for player in range(2):
        state.run[player] = min(state.run[player] + moves[player] - rules.steps, rules.distance)
    state.turns += 1


def scores(rules, state, out):
    by_lead((state.run[0] >= rules.distance) - np.int64(state.run[1] >= rules.distance), out)


def move_name(rules, state, move):
    return str(move - rules.steps)


def write(rules, state):
    return f"{state.run[0]} {state.run[1]} {state.turns}"


def read(rules, state, text):
    words = text.split()
    if len(words) != 3 or not all(is_number(word) for word in words):
        raise RamifyError("expected both players' distances and the number of turns, e.g. 6 4 3")
    first, second, turns = (int(word) for word in words)
    if turns > rules.turns or max(first, second) > rules.distance:
        raise RamifyError(f"expected at most {rules.turns} turns and distances of at most {rules.distance} steps")
    if max(first, second) > rules.steps * turns:
        raise RamifyError(f"no runner can be more than {rules.steps * turns} steps away after {turns} turns")
    state.run[:] = first, second
    state.turns = turns


def draw(rules, state):
    def lane(run):
        return "." * run + "o" + "." * (int(rules.distance) - run)

    short = rules.distance <= 70
    lanes = [lane(int(run)) if short else f"{run} of {rules.distance} steps" for run in state.run]
    return "\n".join([*lanes, f"turn {state.turns} of {rules.turns}"])
