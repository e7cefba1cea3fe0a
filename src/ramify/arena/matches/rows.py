"""A game to play (``GameSpec``) and a finished game (``GameRow``), as plain data.

A game is a pure function of its ``GameSpec``: every worker plays the same moves, unless a budget is time. ``GameRow``
adds what happened and is a row of the table ``games``; its field names are the columns.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields
from typing import Any

from ramify.agents.budgets.player_limits import PlayerLimits
from ramify.errors import RamifyError
from ramify.runs.jobs import Record
from ramify.runs.store import Reader
from ramify.runs.table import Misfit, RunTable


@dataclass(frozen=True)
class GameSpec:
    """One game: seats, start position, budgets and seeds."""

    number: int  # of the game in its run, from 1
    pairing: int  # index of the pairing, from 0
    pair: int  # index of the pair (with more than two players: block) of games that share an opening, from 0
    leg: int  # index of the game in its pair, from 0
    game: str
    agents: tuple[str, ...]  # by seat
    seats: tuple[int, ...]  # by seat: 0 for the pairing's first agent, 1 for the second
    limits: tuple[PlayerLimits, ...]  # by seat
    start: str  # position as text; empty for the game's start
    opening_plies: int  # random plies from ``start``
    pair_seed: int  # of opening and chance; shared by all games of a pair
    seed: int  # of the searches


@dataclass(frozen=True)
class GameRow(GameSpec):
    """A finished game. ``seconds`` and ``finished`` depend on the machine; with time budgets, so do other fields."""

    moves: tuple[str, ...]  # all moves: opening, agents, chance
    searched: tuple[int | list[int], ...]  # simulations per move, by seat for joint moves; 0 without a search
    scores: tuple[float, ...]  # by seat
    score: float  # of the first agent: 1/2 plus half its mean lead over the second agent's seats
    ended: str  # FINISHED, LIMIT, TIME, FORFEIT or RESIGNED (players.endings)
    plies: int
    simulations: tuple[int, ...]  # by seat
    calls: tuple[int, ...]  # by seat, forward-model calls
    seconds: tuple[float, ...]  # by seat
    finished: float  # seconds since 1970
    versions: str
    overruns: tuple[int, ...]  # by seat, moves that took longer than the clock had; empty in old runs
    faults: tuple[str, ...]  # by seat, why an engine lost the game; empty in old runs

    def record(self) -> Record:
        return tuple(_flat(getattr(self, name)) for name in COLUMNS)

    @classmethod
    def from_record(cls, record: Record) -> GameRow:
        values = dict(zip(COLUMNS, record, strict=True))
        for name in LISTS:
            values[name] = tuple(json.loads(values[name]))
        values["limits"] = tuple(PlayerLimits(**limits) for limits in values["limits"])
        return cls(**values)

    def spec(self) -> GameSpec:
        return GameSpec(**{field.name: getattr(self, field.name) for field in fields(GameSpec)})


COLUMNS = tuple(field.name for field in fields(GameRow))
LISTS = tuple(field.name for field in fields(GameRow) if "tuple" in str(field.type))  # stored as JSON
TIMING = ("seconds", "finished")  # columns that differ between two runs of the same seed
COLUMN_INDEX = {name: place for place, name in enumerate(COLUMNS)}
BY_SEAT = ("agents", "seats", "limits", "scores", "simulations", "calls", "seconds")
NUMBERS = ("scores", "simulations", "calls", "seconds", "searched", "overruns")
LIST_PLACES = tuple(COLUMN_INDEX[name] for name in LISTS)
BUDGETS = {field.name for field in fields(PlayerLimits)}


def _plausible(record: Record) -> bool:
    """Whether a record can be a finished game."""
    texts = ",".join(record[place] for place in LIST_PLACES)
    lists = dict(zip(LISTS, json.loads(f"[{texts}]"), strict=True))  # one call: a run has many rows
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


def _misfit_of(description: Mapping[str, Any]) -> Misfit:
    from ramify.arena.matches.planned_games import misfit_of_description  # noqa: PLC0415  (it needs these columns)

    return misfit_of_description(description)


GAME_TABLE = RunTable(
    "games",
    COLUMNS,
    {"score": "REAL", "finished": "REAL"} | dict.fromkeys((*LISTS, "game", "start", "ended", "versions"), "TEXT"),
    "ramify match or tournament",
    ("kind", "games", "agents", "budgets", "pairings", "seed", "positions", "sprt", "files", "pairs", "versions"),
    _plausible,
    {"overruns": "[]", "faults": "[]"},
    extendable_keys=("pairs",),
    misfit_of=_misfit_of,
)


def _flat(value: Any) -> Any:
    if not isinstance(value, tuple):
        return value
    return json.dumps([item.to_dict() if isinstance(item, PlayerLimits) else item for item in value])


def stored_rows(reader: Reader) -> Iterator[GameRow]:
    """Yield the finished games of a run by number."""
    return (GameRow.from_record(record) for record in reader.records())


def stored_row(reader: Reader, number: int) -> GameRow:
    found = reader.record(number)
    if found is None:
        numbers = reader.numbers()
        last = f" up to {max(numbers)}" if numbers else ""
        lost = "" if reader.left_out_frames is None else f"; {reader.left_out_frames}"
        raise RamifyError(f"{reader.path} has no game {number}: it has {len(numbers)} games{last}{lost}")
    return GameRow.from_record(found)
