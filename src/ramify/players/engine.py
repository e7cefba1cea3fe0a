"""Engines: other programs as players, e.g. ``external(cmd="...")``. They share the grammar of agents."""

from __future__ import annotations

import shlex
import shutil
from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Any, ClassVar, Self

from ramify.agents.budgets.agent_budget import without_budget
from ramify.agents.budgets.player_limits import PlayerLimits
from ramify.contract.game import Game
from ramify.errors import RamifyError
from ramify.grammar import Call, bind
from ramify.players.engine_process import EngineProcess
from ramify.players.engine_protocol import EngineProtocol, Seat
from ramify.strategies.registry import NOT_NEGATIVE, parse_number


@dataclass(frozen=True)
class Engine(ABC):
    """Another program and its timeouts. Use ``players.player`` to create one."""

    name: ClassVar[str]  # in agent texts
    defaults: ClassVar[dict[str, Any]] = {"cmd": None, "startup": 30.0, "timeout": 60.0, "grace": 0.5}

    cmd: str  # command line, split like in a shell
    startup: float  # seconds until it must be ready
    timeout: float  # seconds per move, if neither seconds nor a clock limits it
    grace: float  # seconds that a move may exceed its limit in seconds
    limits: PlayerLimits | None  # the budget in its text
    call: Call  # the text as it was written

    @classmethod
    def parse(cls, call: Call) -> Self:
        """Create an engine from a call."""
        plain, limits = without_budget(call)
        given = bind(plain, cls.defaults, "agent")
        if not isinstance(given["cmd"], str) or not given["cmd"].strip():
            raise RamifyError(f'{cls.name} needs a command: use {cls.name}(cmd="...")')
        made = cls(**{key: cls.parse_parameter(key, value) for key, value in given.items()}, limits=limits, call=call)
        made.argv()
        return made

    @classmethod
    def parse_parameter(cls, key: str, value: Any) -> Any:
        """Return the checked value of a parameter."""
        return value if key == "cmd" else parse_number(value, float, key, NOT_NEGATIVE)

    def __str__(self) -> str:
        return str(self.call)

    def argv(self) -> list[str]:
        """Return the command line split into words."""
        try:
            return shlex.split(self.cmd)
        except ValueError as error:
            raise RamifyError(f"invalid command '{self.cmd}': {str(error).lower()}") from None

    def check(self, game: Game) -> None:
        """Raise if the command does not exist or the game is not supported."""
        del game
        if shutil.which(self.argv()[0]) is None:
            raise RamifyError(f"command not found: '{self.argv()[0]}' in {self}")

    @abstractmethod
    def protocol(self, process: EngineProcess, seat: Seat) -> EngineProtocol:
        """Return the protocol for one game."""
