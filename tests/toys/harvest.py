"""Any number of players, positions of all three kinds: whoever is alone in a field brings in its harvest.

Each round chance makes the weather, everybody goes to a field at once, and whoever has most then chooses, in a turn,
to give one away or not. Players have two or three fields to choose from. With ``swapped`` two players have changed
places, so that the same people play the same game by other numbers.
"""

import numpy as np

from ramify.core.numbers.rng import below
from ramify.core.search.tree import CHANCE, SIMULTANEOUS
from ramify.errors import RamifyError

MOST = 4  # players
MAX_MOVES = 3
MAX_CHANCE_OUTCOMES = 2
WEATHER, FIELDS, GIFT = 0, 1, 2

Rules = np.dtype([("players", np.int64), ("rounds", np.int64), ("swapped", np.int64)])
State = np.dtype([("worth", np.int64, (MOST,)), ("stage", np.int64), ("sun", np.int64), ("season", np.int64)])


def configure(rules, players=2, rounds=2, swapped=False):
    if not 1 <= players <= MOST or (swapped and players != 2):
        raise RamifyError(f"harvest is for 1 to {MOST} players, and two may be swapped")
    rules.players = players
    rules.rounds = rounds
    rules.swapped = swapped


def players(rules):
    return int(rules.players)


def person(rules, player):
    return 1 - player if rules.swapped else player


def start(rules, state):
    state.stage = WEATHER


def over(rules, state):
    return state.season == rules.rounds


def mover(rules, state):
    if state.stage == WEATHER:
        return CHANCE
    if state.stage == FIELDS:
        return SIMULTANEOUS
    rich = 0
    for one in range(rules.players):
        if state.worth[one] > state.worth[rich]:
            rich = one
    return person(rules, rich)


def chance_outcomes(rules, state, moves, probabilities):
    moves[0], moves[1] = 1, 2
    probabilities[0], probabilities[1] = 0.75, 0.25
    return 2


def legal_of(rules, state, player, moves):
    count = 2 + (person(rules, player) + state.season) % 2
    for field in range(count):
        moves[field] = field
    return count


def heuristic_of(rules, state, player, rng):
    """The first field twice as often."""
    return max(0, below(rng, 3 + (person(rules, player) + state.season) % 2) - 1)


def play_joint(rules, state, moves):
    for player in range(rules.players):
        alone = True
        for other in range(rules.players):
            if other != player and moves[other] == moves[player]:
                alone = False
        if alone:
            state.worth[person(rules, player)] += state.sun + moves[player] % 2
    state.stage = GIFT


def legal(rules, state, moves):
    moves[0], moves[1] = 0, 1
    return 2


def play(rules, state, move):
    if state.stage == WEATHER:
        state.sun = move
        state.stage = FIELDS
        return
    if move == 1:
        rich = person(rules, mover(rules, state))
        state.worth[rich] -= 1
        state.worth[(rich + 1) % rules.players] += 1
    state.stage = WEATHER
    state.season += 1


def scores(rules, state, out):
    for player in range(rules.players):
        out[player] = min(max(state.worth[person(rules, player)], 0), 8) / 8.0


def move_name(rules, state, move):
    if state.stage == WEATHER:
        return ("", "rain", "sun")[move]
    return f"field{move}" if state.stage == FIELDS else ("keep", "give")[move]
