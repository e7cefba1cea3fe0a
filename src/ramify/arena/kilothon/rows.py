"""A game of Kilothon as plain data, and as a row of the table ``kilothon_games``."""

from __future__ import annotations

import json
import math
from dataclasses import dataclass, fields

from ramify.runs.jobs import Record
from ramify.runs.table import RunTable

FAILED = "failed"  # how a game ended that could not be played; otherwise it is a word of ``players.endings``


@dataclass(frozen=True)
class KilothonSpec:
    """One game: who challenges whom at what."""

    number: int  # of the game in its run, from 1
    game: str
    category: str
    agent: str  # the challenger
    opponent: str
    seat: int  # of the challenger
    minute: float  # seconds that each of the two has
    seed: int


@dataclass(frozen=True)
class KilothonRow(KilothonSpec):
    """A finished game; lists are by seat."""

    scores: tuple[float, ...]
    payoff: float  # of the challenger, from -1 to 1; 0 where the game failed, which does not count
    swapped: int  # whether the sides were changed by a pie rule
    ended: str  # OVER, LIMIT, FORFEIT or FAILED
    moves: tuple[str, ...]  # chance's too
    simulations: tuple[int, ...]
    seconds: tuple[float, ...]
    overruns: tuple[int, ...]  # whether a move took longer than was left
    faults: tuple[str, ...]  # why a side could not go on; of a game that failed, why it did, once
    finished: float  # seconds since 1970
    versions: str

    @property
    def counts(self) -> bool:
        """Whether the game was played."""
        return self.ended != FAILED

    def record(self) -> Record:
        """The row as SQLite takes it."""
        values = (getattr(self, name) for name in COLUMNS)
        return tuple(json.dumps(value) if isinstance(value, tuple) else value for value in values)

    @classmethod
    def from_record(cls, record: Record) -> KilothonRow:
        """The row of a record."""
        values = dict(zip(COLUMNS, record, strict=True))
        return cls(**values | {name: tuple(json.loads(values[name])) for name in LISTS})

    def spec(self) -> KilothonSpec:
        """The game that was to be played."""
        return KilothonSpec(**{field.name: getattr(self, field.name) for field in fields(KilothonSpec)})


COLUMNS = tuple(field.name for field in fields(KilothonRow))
LISTS = tuple(field.name for field in fields(KilothonRow) if "tuple" in str(field.type))  # kept as JSON


def _sensible(record: Record) -> bool:
    """Whether a game can have been played as a record has it."""
    row = KilothonRow.from_record(record)
    by_seat = (row.scores, row.simulations, row.seconds, row.overruns)
    return (
        len({len(values) for values in by_seat}) == 1
        and -1 <= row.payoff <= 1
        and all(math.isfinite(number) for values in by_seat for number in values)
        and {type(text) for text in (*row.moves, *row.faults)} <= {str}
    )


KILOTHON_TABLE = RunTable(
    "kilothon_games",
    COLUMNS,
    dict.fromkeys(("minute", "payoff", "finished"), "REAL")
    | dict.fromkeys((*LISTS, "game", "category", "agent", "opponent", "ended", "versions"), "TEXT"),
    "ramify kilothon",
    ("games", "agents", "opponent", "minute", "both_seats", "seed", "files", "versions"),
    _sensible,
)
