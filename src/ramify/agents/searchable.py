"""Positions that a search may start from."""

from ramify.contract.game import State
from ramify.core.engine.tree import CHANCE, EVERYBODY
from ramify.errors import RamifyError


def check_searchable(state: State) -> None:
    """Refuse positions that a sequential search cannot start from."""
    if not isinstance(state, State):
        raise RamifyError(f"a search starts from a state, such as load('hex').initial(), not from {state!r}")
    if state.over:
        raise RamifyError("the game is over, so there is nothing to search")
    if state.to_move == CHANCE:
        raise RamifyError("it is chance's turn: play one of state.chances() first")
    if state.to_move == EVERYBODY:
        raise RamifyError(f"in {state.game.name} everybody moves at once, which this search does not support")
