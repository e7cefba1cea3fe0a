"""Positions that a search may start from."""

from ramify.contract.game import Game, State
from ramify.core.engine.tree import CHANCE
from ramify.errors import RamifyError


def check_searchable(state: State) -> None:
    """Refuse positions that a search cannot start from."""
    if not isinstance(state, State):
        raise RamifyError(f"a search starts from a state, such as load('hex').initial(), not from {state!r}")
    if state.over:
        raise RamifyError("the game is over, so there is nothing to search")
    if state.to_move == CHANCE:
        raise RamifyError("it is chance's turn: play one of state.chances() first")


def check_player(game: Game, player: int | None) -> None:
    """Refuse somebody who does not play."""
    if player is None:
        return
    if isinstance(player, bool) or not isinstance(player, int) or not 0 <= player < game.players:
        raise RamifyError(f"the player who searches {game.name} is 0 to {game.players - 1}, not {player!r}")
