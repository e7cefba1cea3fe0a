"""A match between GGP players as plain data and as a row of the table ``ggp_matches``."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any

from ramify.runs.jobs import Record
from ramify.runs.seeds import derive
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


class PlannedMatches:
    """The matches of a run: players rotate through the roles."""

    def __init__(self, description: Mapping[str, Any]) -> None:
        self.rules = (description["rules"], description["digest"])
        self.players = tuple(description["players"])
        self.clocks = tuple(map(float, description["clocks"]))
        self.seed = int(description["seed"] or 0)

    def misfit(self, record: Record) -> str | None:
        """Return which part of a match is not the plan's, or None."""
        turn = (record[0] - 1) % len(self.players)
        seated = self.players[-turn:] + self.players[:-turn] if turn else self.players
        planned = (*self.rules, json.dumps(seated), *self.clocks, derive(self.seed, record[0]))
        for name, value in zip(
            ("rules", "digest", "players", "start_clock", "play_clock", "seed"), planned, strict=True
        ):
            if record[COLUMNS.index(name)] != value:
                return f"column {name} differs from the plan"
        return None


MATCH_TABLE = RunTable(
    "ggp_matches",
    COLUMNS,
    dict.fromkeys(("start_clock", "play_clock", "finished"), "REAL")
    | dict.fromkeys((*LISTS, "rules", "digest", "match", "ended", "versions"), "TEXT"),
    "ramify ggp-match",
    ("rules", "digest", "players", "clocks", "seed", "games", "versions"),
    _plausible,
    extendable_keys=("games",),
    misfit_of=lambda description: PlannedMatches(description).misfit,
)
