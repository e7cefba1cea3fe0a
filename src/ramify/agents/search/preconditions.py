"""What a search may start with: positions, players, games and policies."""

from __future__ import annotations

from ramify.agents.agent import TURN_BASED, Agent
from ramify.agents.shapes.shape import Shape
from ramify.contract.compiled_game import CompiledGame
from ramify.contract.game import Game, State
from ramify.core.search.tree import CHANCE
from ramify.errors import RamifyError
from ramify.strategies.policy.selectors import Selectors


def check_searchable(state: State) -> None:
    """Refuse positions that a search cannot start from."""
    if not isinstance(state, State):
        raise RamifyError(f"a search starts from a state, such as load('hex').initial(), not from {state!r}")
    if state.over:
        raise RamifyError("the game is over, so there is nothing to search")
    if state.to_move == CHANCE:
        raise RamifyError("it is chance's turn: play one of state.chance_outcomes() first")


def check_player(game: Game, player: int | None) -> None:
    """Refuse somebody who does not play."""
    if player is None:
        return
    if isinstance(player, bool) or not isinstance(player, int) or not 0 <= player < game.players:
        raise RamifyError(f"the player who searches {game.name} is 0 to {game.players - 1}, not {player!r}")


def precheck_policies(agent: Agent) -> None:
    """Refuse policies of a user that cannot be trusted."""
    for chosen in dict.fromkeys((agent.select_root, agent.select)):
        if chosen.is_users:
            from ramify.agents.checking.precheck import precheck  # noqa: PLC0415  (it searches itself)

            precheck(chosen)


def check_backup(agent: Agent, kind: type[Shape], choosers: Selectors) -> None:
    """Reject a backup where others rely on means, or where a column that somebody reads is missing."""
    if agent.backup.replaces_means:
        _check_replaced_means(agent, kind, choosers)
    for name in (*choosers.root.columns, *choosers.inner.columns, agent.recommend.column):
        if name and name not in agent.backup.columns:
            known = ", ".join(agent.backup.columns) or "none"
            raise RamifyError(
                f"the column '{name}' is read, and backup={agent.backup.title()} keeps {known}; use another backup"
            )


def _check_replaced_means(agent: Agent, kind: type[Shape], choosers: Selectors) -> None:
    backup = f"backup={agent.backup.title()}"
    if not kind.replaceable_means:
        raise RamifyError(
            f"{backup} works in a plain tree only, and the shape of this search is {kind.title()}; use backup=mean"
        )
    for found, what, reason in (
        (choosers.squares, "a policy that uses deviations", "these are of rewards, not of values"),
        (agent.prove, "prove=true", "a proven score is no mean"),
        (agent.reward.title() != agent.reward.fallback, f"reward={agent.reward.title()}", "it changes the scores"),
    ):
        if found:
            raise RamifyError(f"{backup} and {what} exclude each other: {reason}; leave one of them out")


def search_game(game: Game, agent: Agent, player: int | None) -> Game:
    """The game for one search alone, in the form that the agent searches."""
    own = game.for_search()
    if agent.simultaneous != TURN_BASED or not own.has("play_joint"):
        return own
    if not isinstance(own, CompiledGame):
        raise RamifyError(f"{own.name} is not compiled, which simultaneous=turn_based needs; use simultaneous=joint")
    from ramify.contract.turn_based import TurnBasedGame  # noqa: PLC0415

    return TurnBasedGame(own, player or 0)
