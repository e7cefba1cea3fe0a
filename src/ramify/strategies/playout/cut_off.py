"""Playouts that end early, and are worth what the game's own evaluation says."""

from dataclasses import dataclass, replace

from ramify.contract.game import Game
from ramify.errors import RamifyError
from ramify.strategies.base import Choosing, Fitted, Playout, PlyLimit
from ramify.strategies.policy_playout import UNIFORMLY


@dataclass(frozen=True)
class CutOff(Playout):
    """As ``then`` for ``plies`` plies; where the game goes on there, it is worth what ``evaluate`` says."""

    needs = ("evaluate",)
    traces = True
    plies: PlyLimit = 20
    then: Playout = UNIFORMLY

    @property
    def limit(self) -> int:  # type: ignore[override]
        """Where it is cut."""
        return min(self.plies, self.then.limit)

    def fit(self, game: Game, *, traced: bool) -> Fitted:
        """The other playout, cut."""
        return replace(self._inner().fit(game, traced=traced), evaluate=game.kernel("evaluate"))

    def fit_timed(self, game: Game, *, traced: bool) -> Fitted:
        """The same, its plies counted as the other one counts them."""
        return replace(self._inner().fit_timed(game, traced=traced), evaluate=game.kernel("evaluate"))

    def _inner(self) -> Playout:
        return replace(self.then, limit=self.limit)  # type: ignore[type-var]

    def choosing(self, game: Game) -> Choosing:
        """It ends playouts, so it stands around others."""
        del game
        raise RamifyError(
            "cut_off ends whole playouts, so it cannot stand within another one; write cut_off(then=...) around it"
        )
