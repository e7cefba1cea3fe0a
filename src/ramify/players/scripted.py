"""A game's own scripted opponent as a player: ``scripted``. It does not search, so strength is not only relative."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Self

from ramify.agents.budgets.agent_budget import without_budget
from ramify.agents.budgets.player_limits import PlayerLimits
from ramify.contract.game import Game
from ramify.errors import RamifyError
from ramify.grammar import Call, bind


@dataclass(frozen=True)
class Scripted:
    """The ``script`` of whatever game is played; made by ``players.player``."""

    name: ClassVar[str] = "scripted"

    limits: PlayerLimits | None  # a budget of its own, of which it needs nothing
    call: Call  # as it was written

    @classmethod
    def parse(cls, call: Call) -> Self:
        """The player of a text."""
        plain, limits = without_budget(call)
        bind(plain, {}, "agent")
        return cls(limits, call)

    def __str__(self) -> str:
        return str(self.call)

    def check(self, game: Game) -> None:
        """Refuse a game without a script."""
        if not game.has("script"):
            raise RamifyError(f"{game.name} has no script, which the player scripted needs; use an agent such as uct")
