"""What a search may start with: positions, players, games and policies."""

from __future__ import annotations

from ramify.agents.agent import IN_TURNS, Agent
from ramify.contract.compiled import CompiledGame
from ramify.contract.game import Game, State
from ramify.core.search.tree import CHANCE
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


def guard_policies(agent: Agent) -> None:
    """Refuse policies of a user that cannot be trusted."""
    for chosen in dict.fromkeys((agent.select_root, agent.select)):
        if chosen.is_users:
            from ramify.agents.checking.precheck import guard  # noqa: PLC0415  (it searches itself)

            guard(chosen)


def game_for(game: Game, agent: Agent, player: int | None) -> Game:
    """The game for one search alone, in the form that the agent searches."""
    own = game.session()
    if agent.at_once != IN_TURNS or not own.has("play_all"):
        return own
    if not isinstance(own, CompiledGame):
        raise RamifyError(f"{own.name} is not compiled, which at_once=in_turns needs; use at_once=jointly")
    from ramify.contract.in_turns import InTurns  # noqa: PLC0415

    return InTurns(own, player or 0)
