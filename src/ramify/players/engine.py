"""Another program as a player, as data: ``external(cmd="...")``. Agents and programs are read by the same grammar."""

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
    """Another program, and how patient we are with it; made by ``players.player``."""

    name: ClassVar[str]  # in agents' texts
    defaults: ClassVar[dict[str, Any]] = {"cmd": None, "startup": 30.0, "timeout": 60.0, "grace": 0.5}

    cmd: str  # the command that starts it, in words as a shell has them
    startup: float  # seconds that it has until it is ready
    timeout: float  # seconds that it has for a move where neither seconds nor a clock say it
    grace: float  # seconds that an answer may come later than its seconds a move
    limits: PlayerLimits | None  # a budget of its own
    call: Call  # as it was written

    @classmethod
    def parse(cls, call: Call) -> Self:
        """The program of a text."""
        plain, limits = without_budget(call)
        given = bind(plain, cls.defaults, "agent")
        if not isinstance(given["cmd"], str) or not given["cmd"].strip():
            raise RamifyError(f'{cls.name} needs the command that starts the program, as {cls.name}(cmd="...")')
        made = cls(**{key: cls.checked(key, value) for key, value in given.items()}, limits=limits, call=call)
        made.argv()
        return made

    @classmethod
    def checked(cls, key: str, value: Any) -> Any:
        """The value of a parameter."""
        return value if key == "cmd" else parse_number(value, float, key, NOT_NEGATIVE)

    def __str__(self) -> str:
        return str(self.call)

    def argv(self) -> list[str]:
        """The command in words."""
        try:
            return shlex.split(self.cmd)
        except ValueError as error:
            raise RamifyError(f"the command '{self.cmd}' cannot be read: {str(error).lower()}") from None

    def check(self, game: Game) -> None:
        """Refuse a program that is not there, and a game that it cannot be told about."""
        del game
        if shutil.which(self.argv()[0]) is None:
            raise RamifyError(f"there is no program '{self.argv()[0]}' to be started by {self}")

    @abstractmethod
    def conversation(self, child: EngineProcess, seat: Seat) -> EngineProtocol:
        """What is said in one game."""
