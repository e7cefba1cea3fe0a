"""A game to be played and a game that was played, as plain data.

A game is a pure function of its ``GameSpec``: whoever plays it, on whatever worker, gets the same moves (unless a
budget is time). ``GameRow`` adds what happened, and is a row of the table ``games``.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from dataclasses import dataclass, fields
from typing import Any

from ramify.agents.budgets.player_limits import PlayerLimits
from ramify.errors import RamifyError
from ramify.runs.jobs import Record
from ramify.runs.store import Reader
from ramify.runs.table import RunTable


@dataclass(frozen=True)
class GameSpec:
    """One game: who sits where, from which position, with which budgets and seeds."""

    number: int  # of the game in its run, from 1
    pairing: int  # which two agents at which game, from 0
    pair: int  # the pair (with more players: the block) of games that share an opening, from 0
    leg: int  # the game in its pair, from 0
    game: str
    agents: tuple[str, ...]  # by seat
    seats: tuple[int, ...]  # by seat: 0 where the pairing's first agent sits, 1 where the second does
    limits: tuple[PlayerLimits, ...]  # by seat
    start: str  # a position as text; empty for the game's own start
    opening_plies: int  # random moves from there
    pair_seed: int  # of the opening and of chance, which all games of a pair share
    seed: int  # of the searches


@dataclass(frozen=True)
class GameRow(GameSpec):
    """A finished game. ``seconds`` and ``finished`` depend on the machine; with budgets in time, others do too."""

    moves: tuple[str, ...]  # all of them: opening, agents, chance
    searched: tuple[int | list[int], ...]  # simulations spent on each move, by seat where all move at once; or 0
    scores: tuple[float, ...]  # by seat, as the game gives them
    score: float  # of the first agent: 1/2 plus half its mean lead over the second one's seats
    ended: str  # OVER, LIMIT, TIME, FORFEIT or RESIGNED (players.endings)
    plies: int
    simulations: tuple[int, ...]  # by seat
    calls: tuple[int, ...]  # by seat, forward-model calls
    seconds: tuple[float, ...]  # by seat
    finished: float  # seconds since 1970
    versions: str
    overruns: tuple[int, ...]  # by seat, how often a move took longer than the clock had; empty in rows of old runs
    faults: tuple[str, ...]  # by seat, why another program lost the game; empty in rows of old runs

    def record(self) -> Record:
        """The row as SQLite takes it."""
        return tuple(_flat(getattr(self, name)) for name in COLUMNS)

    @classmethod
    def from_record(cls, record: Record) -> GameRow:
        """The row of a record."""
        values = dict(zip(COLUMNS, record, strict=True))
        for name in LISTS:
            values[name] = tuple(json.loads(values[name]))
        values["limits"] = tuple(PlayerLimits(**limits) for limits in values["limits"])
        return cls(**values)

    def spec(self) -> GameSpec:
        """The game that was to be played."""
        return GameSpec(**{field.name: getattr(self, field.name) for field in fields(GameSpec)})


COLUMNS = tuple(field.name for field in fields(GameRow))
LISTS = tuple(field.name for field in fields(GameRow) if "tuple" in str(field.type))  # kept as JSON
TIMING = ("seconds", "finished")  # columns that differ between two runs of the same seed
COLUMN_INDEX = {name: place for place, name in enumerate(COLUMNS)}
BY_SEAT = ("agents", "seats", "limits", "scores", "simulations", "calls", "seconds")
NUMBERS = ("scores", "simulations", "calls", "seconds", "searched", "overruns")
LIST_PLACES = tuple(COLUMN_INDEX[name] for name in LISTS)
BUDGETS = {field.name for field in fields(PlayerLimits)}


def _sensible(record: Record) -> bool:
    """Whether a game can have been played as a record has it."""
    texts = ",".join(record[place] for place in LIST_PLACES)
    lists = dict(zip(LISTS, json.loads(f"[{texts}]"), strict=True))  # at once: a run has many rows
    spent = lists["searched"]
    numbers = lists | {"searched": [one for ply in spent for one in (ply if type(ply) is list else (ply,))]}
    seats = len(lists["agents"])
    return (
        {type(value) for value in lists.values()} == {list}
        and {len(lists[name]) for name in BY_SEAT} == {seats}
        and {len(lists["overruns"]), len(lists["faults"])} <= {0, seats}
        and len(lists["moves"]) == len(lists["searched"]) == record[COLUMN_INDEX["plies"]]
        and {type(text) for text in lists["moves"] + lists["agents"] + lists["faults"]} == {str}
        and all(type(limits) is dict and limits.keys() <= BUDGETS for limits in lists["limits"])
        and set(lists["seats"]) <= {0, 1}
        and all({type(number) for number in numbers[name]} <= {int, float} for name in NUMBERS)
        and math.isfinite(sum(sum(numbers[name]) for name in NUMBERS))
        and 0 <= record[COLUMN_INDEX["score"]] <= 1
        and min(record[COLUMN_INDEX[name]] for name in ("number", "pairing", "pair", "leg", "opening_plies")) >= 0
    )


GAME_TABLE = RunTable(
    "games",
    COLUMNS,
    {"score": "REAL", "finished": "REAL"} | dict.fromkeys((*LISTS, "game", "start", "ended", "versions"), "TEXT"),
    "ramify match or tournament",
    ("kind", "games", "agents", "budgets", "pairings", "seed", "positions", "sprt", "files", "pairs", "versions"),
    _sensible,
    {"overruns": "[]", "faults": "[]"},
    extendable_keys=("pairs",),
)


def _flat(value: Any) -> Any:
    if not isinstance(value, tuple):
        return value
    return json.dumps([item.to_dict() if isinstance(item, PlayerLimits) else item for item in value])


def stored_rows(reader: Reader) -> Iterator[GameRow]:
    """The finished games of a run in the order of their numbers."""
    return (GameRow.from_record(record) for record in reader.records())


def stored_row(reader: Reader, number: int) -> GameRow:
    """One finished game of a run."""
    found = reader.record(number)
    if found is None:
        numbers = reader.numbers()
        last = f" up to {max(numbers)}" if numbers else ""
        raise RamifyError(f"{reader.path} has no game {number}; it has {len(numbers)} games{last}")
    return GameRow.from_record(found)
