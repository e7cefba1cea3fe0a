"""A match between players over HTTP as plain data, and as a row of the table ``ggp_matches``."""

from __future__ import annotations

import json
import math
from dataclasses import dataclass, fields

from ramify.runs.jobs import Record
from ramify.runs.table import RunTable


@dataclass(frozen=True)
class MatchRow:
    """A finished match; lists are by role, without ``random``."""

    number: int  # of the match in its run, from 1
    rules: str  # the name of the rulesheet
    digest: str  # of its rules
    roles: tuple[str, ...]
    players: tuple[str, ...]  # their addresses
    start_clock: float
    play_clock: float
    seed: int  # of the moves that are drawn
    match: str  # the name that the players were told
    goals: tuple[int, ...]
    ended: str  # OVER or LIMIT (players.endings)
    turns: int
    moves: tuple[str, ...]  # a joint move each, in the order of all roles of the rules, as the players were told it
    seconds: tuple[float, ...]  # that the players took to answer
    faults: tuple[dict[str, int], ...]  # what was wrong with answers, and how often
    finished: float  # seconds since 1970
    versions: str

    def record(self) -> Record:
        """The row as SQLite takes it."""
        values = (getattr(self, name) for name in COLUMNS)
        return tuple(json.dumps(value) if isinstance(value, tuple) else value for value in values)

    @classmethod
    def from_record(cls, record: Record) -> MatchRow:
        """The row of a record."""
        values = dict(zip(COLUMNS, record, strict=True))
        return cls(**values | {name: tuple(json.loads(values[name])) for name in LISTS})


COLUMNS = tuple(field.name for field in fields(MatchRow))
LISTS = tuple(field.name for field in fields(MatchRow) if "tuple" in str(field.type))  # kept as JSON


def _sensible(record: Record) -> bool:
    """Whether a match can have been played as a record has it."""
    row = MatchRow.from_record(record)
    by_role = (row.players, row.goals, row.seconds, row.faults)
    return (
        {len(values) for values in by_role} == {len(row.roles)}
        and len(row.moves) == row.turns
        and all(type(goal) is int and 0 <= goal <= 100 for goal in row.goals)
        and all(math.isfinite(second) for second in row.seconds)
        and all(type(count) is int for faults in row.faults for count in faults.values())
        and {type(text) for text in (*row.roles, *row.players, *row.moves)} == {str}
    )


MATCH_TABLE = RunTable(
    "ggp_matches",
    COLUMNS,
    dict.fromkeys(("start_clock", "play_clock", "finished"), "REAL")
    | dict.fromkeys((*LISTS, "rules", "digest", "match", "ended", "versions"), "TEXT"),
    "ramify ggp-match",
    ("rules", "digest", "players", "clocks", "seed", "games", "versions"),
    _sensible,
    extendable_keys=("games",),
)
