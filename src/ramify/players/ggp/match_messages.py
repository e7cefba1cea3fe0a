"""Messages from the player's process to the supervisor and to the process of a match."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from ramify.ggp.kif import Term
from ramify.players.ggp.messages import LastTurn, Start

PlayedTurn: TypeAlias = "tuple[LastTurn | None, Term | None]"  # a message that started a turn, and our answer


@dataclass(frozen=True)
class Settings:
    """What all matches have in common."""

    agent: str
    margin: float | None
    megabytes: int  # resident memory of all matches together, with their grounders
    parent: int  # process id of the player


@dataclass(frozen=True)
class Fork:
    """Starts a process."""

    number: int
    match: str  # name of its match; empty: a preview


@dataclass(frozen=True)
class Kill:
    """Kills the process if it has this number."""

    number: int


@dataclass(frozen=True)
class Task:
    """Play a match. ``engines``: 2 interpreter and propnet, 1 only the interpreter, 0 random legal moves."""

    start: Start
    seed: int
    engines: int
    history: tuple[PlayedTurn, ...] = ()  # turns played before, if this continues a match


@dataclass(frozen=True)
class PreviewTask:
    """Build and cache what a match with these rules needs."""

    rules: str


@dataclass(frozen=True)
class PlayTurn:
    """Choose a move."""

    number: int
    last: LastTurn | None
    arrived: float


@dataclass(frozen=True)
class Given:
    """This move was sent as the answer to PlayTurn ``number``, because none had come in time."""

    number: int
    move: Term


@dataclass(frozen=True)
class Finish:
    """Log the result after the last turn, and end."""

    last: LastTurn
