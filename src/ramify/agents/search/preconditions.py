"""Checks before a search starts: position, player, game, policies and backup."""

from __future__ import annotations

from ramify.agents.agent import TURN_BASED, Agent
from ramify.agents.shapes.shape import Shape
from ramify.contract.compiled_game import CompiledGame
from ramify.contract.game import Game, State
from ramify.core.search.tree import CHANCE
from ramify.errors import RamifyError
from ramify.strategies.policy.selectors import Selectors


def check_searchable(state: State) -> None:
    """Raise unless a player is to move in ``state``."""
    if not isinstance(state, State):
        raise RamifyError(f"search() takes a State such as load('hex').initial(), not {state!r}")
    if state.over:
        raise RamifyError("the game is over in this position")
    if state.to_move == CHANCE:
        raise RamifyError("chance is to move: play one of state.chance_outcomes() first")


def check_player(game: Game, player: int | None) -> None:
    if player is None:
        return
    if isinstance(player, bool) or not isinstance(player, int) or not 0 <= player < game.players:
        raise RamifyError(f"invalid player {player!r} for {game.name}: use 0 to {game.players - 1}")


def precheck_policies(agent: Agent) -> None:
    """Raise if a user's policy fails its precheck."""
    for selection in dict.fromkeys((agent.select_root, agent.select)):
        if selection.is_users:
            from ramify.agents.checking.precheck import precheck  # noqa: PLC0415  (it runs searches)

            precheck(selection)


def check_backup(agent: Agent, kind: type[Shape], selectors: Selectors) -> None:
    """Raise if other strategies rely on the means that the backup replaces, or read a column that it lacks."""
    if agent.backup.replaces_means:
        _check_replaced_means(agent, kind, selectors)
    for name in (*selectors.root.columns, *selectors.inner.columns, agent.recommend.column):
        if name and name not in agent.backup.columns:
            known = ", ".join(agent.backup.columns) or "none"
            raise RamifyError(
                f"a strategy reads the column '{name}', but the columns of backup={agent.backup.title()} are: {known}"
            )


def _check_replaced_means(agent: Agent, kind: type[Shape], selectors: Selectors) -> None:
    backup = f"backup={agent.backup.title()}"
    if not kind.replaceable_means:
        raise RamifyError(
            f"{backup} supports only plain trees, and the shape of this search is {kind.title()}: use backup=mean"
        )
    for found, what, reason in (
        (selectors.squares, "policies that use deviations", "which are those of rewards, not of values"),
        (agent.prove, "prove=true", "because a proven score is not a mean"),
        (agent.reward.title() != agent.reward.fallback, f"reward={agent.reward.title()}", "which changes the scores"),
    ):
        if found:
            raise RamifyError(f"{backup} does not support {what}, {reason}: remove one of them")


def search_game(game: Game, agent: Agent, player: int | None) -> Game:
    """Return the game's instance for one search; with simultaneous=turn_based, its turn-based form."""
    instance = game.for_search()
    if agent.simultaneous != TURN_BASED or not instance.has("play_joint"):
        return instance
    if not isinstance(instance, CompiledGame):
        raise RamifyError(
            f"{instance.name} is not compiled, which simultaneous=turn_based needs: use simultaneous=joint"
        )
    from ramify.contract.turn_based import TurnBasedGame  # noqa: PLC0415

    return TurnBasedGame(instance, player or 0)
