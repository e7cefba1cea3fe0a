"""Playouts that are cut early and scored by the game's evaluation function."""

from dataclasses import dataclass, fields, replace

from ramify.contract.game import Game
from ramify.errors import RamifyError
from ramify.strategies.base import BoundPlayoutPolicy, BoundStrategy, Playout, PlyLimit
from ramify.strategies.policy_playout import UNIFORM_FALLBACK


@dataclass(frozen=True)
class CutOff(Playout):
    """Play as ``then`` for ``plies`` plies. If the game is not over by then, ``evaluate`` scores the position."""

    needs = ("evaluate",)
    traces = True
    plies: PlyLimit = 20
    then: Playout = UNIFORM_FALLBACK

    def __post_init__(self) -> None:
        if "limit" not in (field.name for field in fields(self.then)):  # type: ignore[arg-type]
            raise RamifyError(f"cut_off cannot cut {self.then.title()}, which has no limit: use then=uniform")

    @property
    def limit(self) -> int:  # type: ignore[override]
        return min(self.plies, self.then.limit)

    def bind(self, game: Game, *, traced: bool) -> BoundStrategy:
        return replace(self._inner().bind(game, traced=traced), evaluate=game.kernel("evaluate"))

    def bind_exact_length(self, game: Game, *, traced: bool) -> BoundStrategy:
        return replace(self._inner().bind_exact_length(game, traced=traced), evaluate=game.kernel("evaluate"))

    def _inner(self) -> Playout:
        return replace(self.then, limit=self.limit)  # type: ignore[type-var]

    def policy(self, game: Game) -> BoundPlayoutPolicy:
        """Raise: it cuts whole playouts, so no other playout can contain it."""
        del game
        raise RamifyError("cut_off cuts whole playouts, so no other playout can contain it: write cut_off(then=...)")
