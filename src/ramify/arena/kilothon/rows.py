"""A game of Kilothon as plain data and as a row of the table ``kilothon_games``."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from typing import Any

from ramify.old_names import stored_text
from ramify.runs.jobs import Record
from ramify.runs.seeds import derive
from ramify.runs.table import Misfit, RunTable

FAILED = "failed"  # ``ended`` of a game that could not be played; other values are those of ``players.endings``


@dataclass(frozen=True)
class KilothonSpec:
    """One game: challenger, opponent and clock. Field names are database columns."""

    number: int  # of the game in its run, from 1
    game: str
    category: str
    agent: str  # the challenger
    opponent: str
    seat: int  # of the challenger
    minute: float  # seconds per player; 60 in the contest
    seed: int


@dataclass(frozen=True)
class KilothonRow(KilothonSpec):
    """A finished game; tuples are by seat."""

    scores: tuple[float, ...]
    payoff: float  # of the challenger, from -1 to 1; 0 if the game failed
    swapped: int  # whether a pie rule swapped the players
    ended: str  # FINISHED, LIMIT, FORFEIT or FAILED
    moves: tuple[str, ...]  # including chance outcomes
    simulations: tuple[int, ...]
    seconds: tuple[float, ...]
    overruns: tuple[int, ...]  # whether a move took longer than the clock had
    faults: tuple[str, ...]  # why a player forfeited; one entry if the game failed
    finished: float  # seconds since 1970
    versions: str

    @property
    def counts(self) -> bool:
        """Whether the game was played to an end."""
        return self.ended != FAILED

    def record(self) -> Record:
        values = (getattr(self, name) for name in COLUMNS)
        return tuple(json.dumps(value) if isinstance(value, tuple) else value for value in values)

    @classmethod
    def from_record(cls, record: Record) -> KilothonRow:
        values = dict(zip(COLUMNS, record, strict=True))
        return cls(**values | {name: tuple(json.loads(values[name])) for name in LISTS})

    def spec(self) -> KilothonSpec:
        return KilothonSpec(**{field.name: getattr(self, field.name) for field in fields(KilothonSpec)})


def with_stored_names(spec: KilothonSpec) -> KilothonSpec:
    """Replace new names in the agents' texts by those that runs were first stored under, to compare specs."""
    return replace(spec, agent=stored_text(spec.agent), opponent=stored_text(spec.opponent))


COLUMNS = tuple(field.name for field in fields(KilothonRow))
LISTS = tuple(field.name for field in fields(KilothonRow) if "tuple" in str(field.type))  # stored as JSON


def _plausible(record: Record) -> bool:
    """Whether a record can be a finished game."""
    row = KilothonRow.from_record(record)
    by_seat = (row.scores, row.simulations, row.seconds, row.overruns)
    return (
        len({len(values) for values in by_seat}) == 1
        and -1 <= row.payoff <= 1
        and all(math.isfinite(number) for values in by_seat for number in values)
        and {type(text) for text in (*row.moves, *row.faults)} <= {str}
    )


def _misfit_of(description: Mapping[str, Any]) -> Misfit:
    """Compare games with a description. It does not have the players of games, so numbers are not compared."""
    games, seed = set(description["games"]), description["seed"] or 0
    agents, opponent = set(map(stored_text, description["agents"])), stored_text(description["opponent"])
    minute = float(description["minute"])

    def misfit(record: Record) -> str | None:
        _, game, _, agent, other, seat, clock, own_seed = record[: len(fields(KilothonSpec))]
        fits = {
            "game": game in games,
            "agent": stored_text(agent) in agents,
            "opponent": stored_text(other) == opponent,
            "seat": seat in (0, 1),
            "minute": clock == minute,
            "seed": own_seed == derive(seed, game, seat),
        }
        return next((f"column {name} differs from the plan" for name, fit in fits.items() if not fit), None)

    return misfit


KILOTHON_TABLE = RunTable(
    "kilothon_games",
    COLUMNS,
    dict.fromkeys(("minute", "payoff", "finished"), "REAL")
    | dict.fromkeys((*LISTS, "game", "category", "agent", "opponent", "ended", "versions"), "TEXT"),
    "ramify kilothon",
    ("games", "agents", "opponent", "minute", "both_seats", "seed", "files", "versions"),
    _plausible,
    misfit_of=_misfit_of,
)
