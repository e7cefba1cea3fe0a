"""The player ``scripted``: the game's own script. It does not search, so it is a fixed reference for strength."""

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
    """The ``script`` of the game that is played. Use ``players.player`` to create one."""

    name: ClassVar[str] = "scripted"

    limits: PlayerLimits | None  # the budget in its text; a script needs none
    call: Call  # the text as it was written

    @classmethod
    def parse(cls, call: Call) -> Self:
        """Create the player from a call."""
        plain, limits = without_budget(call)
        bind(plain, {}, "agent")
        return cls(limits, call)

    def __str__(self) -> str:
        return str(self.call)

    def check(self, game: Game) -> None:
        """Raise if the game has no script."""
        if not game.has("script"):
            raise RamifyError(f"{game.name} has no script, which the player scripted needs: use an agent such as uct")
