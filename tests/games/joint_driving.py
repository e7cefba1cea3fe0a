"""Games in which everybody moves at once, driven by hand: random games and plain lists of what is reachable."""

from itertools import product
from random import Random

from ramify import CHANCE, SIMULTANEOUS, State


def plies(state):
    """Everything that can be played in a position: a name, or one of each player."""
    if state.to_move == SIMULTANEOUS:
        return list(product(*(state.moves(player) for player in range(state.game.players))))
    return [move for move, _ in state.chance_outcomes()] if state.to_move == CHANCE else state.moves()


def random_game(state, seed):
    """The positions of a random game."""
    random = Random(seed)
    yield state
    while not state.over:
        state = state.play(random.choice(plies(state)))
        yield state


def reachable(game):
    """Every position that play from the start can lead to."""
    found = {game.initial()}
    waiting = list(found)
    while waiting:
        state = waiting.pop()
        for ply in [] if state.over else plies(state):
            after = State(game, state.play(ply).data)
            if after not in found:
                found.add(after)
                waiting.append(after)
    return found
