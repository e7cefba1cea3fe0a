"""A match between GGP players as plain data and as a row of the table ``ggp_matches``."""

from __future__ import annotations

import json
import math
from dataclasses import dataclass, fields

from ramify.runs.jobs import Record
from ramify.runs.table import RunTable


@dataclass(frozen=True)
class MatchRow:
    """A finished match; tuples are by role, without ``random``."""

    number: int  # of the match in its run, from 1
    rules: str  # name of the rulesheet
    digest: str  # of the rules
    roles: tuple[str, ...]
    players: tuple[str, ...]  # their addresses
    start_clock: float
    play_clock: float
    seed: int  # of random moves
    match: str  # match id sent to the players
    goals: tuple[int, ...]
    ended: str  # FINISHED or LIMIT (players.endings)
    turns: int
    moves: tuple[str, ...]  # joint moves as sent to the players, in the order of all roles
    seconds: tuple[float, ...]  # total time to reply
    faults: tuple[dict[str, int], ...]  # counts of faults
    finished: float  # seconds since 1970
    versions: str

    def record(self) -> Record:
        values = (getattr(self, name) for name in COLUMNS)
        return tuple(json.dumps(value) if isinstance(value, tuple) else value for value in values)

    @classmethod
    def from_record(cls, record: Record) -> MatchRow:
        values = dict(zip(COLUMNS, record, strict=True))
        return cls(**values | {name: tuple(json.loads(values[name])) for name in LISTS})


COLUMNS = tuple(field.name for field in fields(MatchRow))
LISTS = tuple(field.name for field in fields(MatchRow) if "tuple" in str(field.type))  # stored as JSON


def _plausible(record: Record) -> bool:
    """Whether a record can be a finished match."""
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
    _plausible,
    extendable_keys=("games",),
)
