"""Probe of any other ``Game``, e.g. one of a rulesheet, through its rules alone."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ramify.contract.checking.call_timeout import CallTimeout
from ramify.contract.checking.probes.object_probe import ObjectProbe
from ramify.contract.checking.probes.probe import check_mover
from ramify.contract.interfaces.game_rules import GameRules
from ramify.contract.python_rules import PythonRules


class MutablePosition:
    """A mutable wrapper of an immutable position."""

    def __init__(self, game: GameRules, data: Any) -> None:
        self.game = game
        self.data = data

    def __str__(self) -> str:
        return self.game.draw(self.data)


class ObjectRules(PythonRules):
    """A ``GameRules`` as ``PythonRules`` over mutable positions."""

    def __init__(self, game: GameRules) -> None:
        self.game = game
        self.players = game.players
        self.max_children = game.max_children

    def start(self) -> MutablePosition:
        return MutablePosition(self.game, self.game.start())

    def clone(self, state: MutablePosition) -> MutablePosition:
        return MutablePosition(self.game, state.data)

    def over(self, state: MutablePosition) -> bool:
        return self.game.over(state.data)

    def mover(self, state: MutablePosition) -> int:
        return self.game.mover(state.data)

    def legal(self, state: MutablePosition) -> list[int]:
        return self.game.legal(state.data)

    def legal_of(self, state: MutablePosition, player: int) -> list[int]:
        return self.game.legal_of(state.data, player)

    def chance_outcomes(self, state: MutablePosition) -> list[tuple[int, float]]:
        return self.game.chance_outcomes(state.data)

    def play(self, state: MutablePosition, code: int) -> None:
        state.data = self.game.play(state.data, code)

    def play_joint(self, state: MutablePosition, codes: Sequence[int]) -> None:
        state.data = self.game.play_joint(state.data, codes)

    def scores(self, state: MutablePosition) -> list[float]:
        return self.game.scores(state.data)

    def name(self, state: MutablePosition, code: int) -> str:
        return self.game.move_name(state.data, code)

    def draw(self, state: MutablePosition) -> str:
        """Return the drawing and the key, so that different positions differ."""
        return f"{self.game.draw(state.data)}\n{self.game.key(state.data)!r}"


class GenericProbe(ObjectProbe):
    """Positions of any game, which may have simultaneous moves."""

    def __init__(self, game: GameRules, watchdog: CallTimeout) -> None:
        super().__init__(ObjectRules(game), "", watchdog)

    def mover(self, data: Any) -> int:
        mover = self.call("mover", self.rules.mover, data)
        return check_mover("mover", mover, self.players, chance=True, simultaneous=True)

    def legal_of(self, data: Any, player: int) -> tuple[int, ...]:
        return self.check_listed("legal_of", self.call("legal_of", self.rules.legal_of, data, player))

    def play_joint(self, data: Any, moves: Sequence[int]) -> Any:
        after = self.call("clone", self.rules.clone, data)
        self.call("play_joint", self.rules.play_joint, after, moves)
        return after
