"""Playouts that end early, and are worth what the game's own evaluation says."""

from dataclasses import dataclass, replace

from ramify.contract.game import Game
from ramify.errors import RamifyError
from ramify.strategies.base import BoundPlayoutPolicy, BoundStrategy, Playout, PlyLimit
from ramify.strategies.policy_playout import UNIFORM_FALLBACK


@dataclass(frozen=True)
class CutOff(Playout):
    """As ``then`` for ``plies`` plies; where the game goes on there, it is worth what ``evaluate`` says."""

    needs = ("evaluate",)
    traces = True
    plies: PlyLimit = 20
    then: Playout = UNIFORM_FALLBACK

    @property
    def limit(self) -> int:  # type: ignore[override]
        """Where it is cut."""
        return min(self.plies, self.then.limit)

    def bind(self, game: Game, *, traced: bool) -> BoundStrategy:
        """The other playout, cut."""
        return replace(self._inner().bind(game, traced=traced), evaluate=game.kernel("evaluate"))

    def bind_exact_length(self, game: Game, *, traced: bool) -> BoundStrategy:
        """The same, its plies counted as the other one counts them."""
        return replace(self._inner().bind_exact_length(game, traced=traced), evaluate=game.kernel("evaluate"))

    def _inner(self) -> Playout:
        return replace(self.then, limit=self.limit)  # type: ignore[type-var]

    def policy(self, game: Game) -> BoundPlayoutPolicy:
        """It ends playouts, so it stands around others."""
        del game
        raise RamifyError(
            "cut_off ends whole playouts, so it cannot stand within another one; write cut_off(then=...) around it"
        )
