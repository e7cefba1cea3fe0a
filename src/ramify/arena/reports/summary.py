"""Summary of a stored run: standings, ratings, lengths and costs of its games, in one pass over the file."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from ramify.arena.matches.irregular_losses import faults_of
from ramify.arena.matches.planned_games import stored_pairings
from ramify.arena.matches.rows import COLUMNS
from ramify.arena.matches.schedule import Pairing
from ramify.arena.matches.standing import Standing, ratings_by_game
from ramify.arena.matches.tally import Tally
from ramify.errors import RamifyError
from ramify.runs.jobs import Record
from ramify.runs.row_check import left_out_text
from ramify.runs.salvage.damage import damaged
from ramify.runs.store import Reader
from ramify.runs.user_files import named_files
from ramify.statistics.ratings import Ratings
from ramify.statistics.sprt import Sprt

COLUMN = {name: place for place, name in enumerate(COLUMNS)}


@dataclass
class Lengths:
    """Per-game numbers of one game's matches."""

    plies: list[int] = field(default_factory=list)
    seconds: list[float] = field(default_factory=list)  # total of all searches
    simulations: list[int] = field(default_factory=list)
    ends: Counter[str] = field(default_factory=Counter)  # counts of ``ended``
    faults: Counter[str] = field(default_factory=Counter)  # of engines


@dataclass
class Spent:
    """Total cost of a player over all its seats at one game."""

    seats: int = 0
    simulations: int = 0
    calls: int = 0
    seconds: float = 0.0


@dataclass(frozen=True)
class RunSummary:
    """Summary of a run."""

    path: str
    description: Mapping[str, Any]
    pairings: tuple[Pairing, ...]
    standings: list[Standing]
    decided: bool  # by the sequential test
    stored: int
    lengths: dict[str, Lengths]  # by game
    spent: dict[tuple[str, str], Spent]  # by game and label
    versions: Counter[str]
    finished: tuple[float, float]  # first and last game, in seconds since 1970
    left_out: int  # rows that do not fit
    left_out_frames: int  # of a damaged write-ahead log
    notes: tuple[str, ...]  # on what was left out or cannot be verified

    @property
    def kind(self) -> str:
        """ "match", a form of tournament, or "scale"."""
        return str(self.description["kind"])

    @property
    def planned(self) -> int:
        """Planned number of games; with a test, the maximum."""
        return int(self.description["pairs"]) * sum(len(pairing.seatings) for pairing in self.pairings)

    @property
    def complete(self) -> bool:
        return self.decided or self.stored >= self.planned

    @cached_property
    def ratings(self) -> dict[str, Ratings]:
        return ratings_by_game(self.standings)

    def standings_at(self, game: str) -> list[Standing]:
        return [standing for standing in self.standings if standing.pairing.game == game]


def summarize(reader: Reader) -> RunSummary:
    """Read a run. Raise if it has no games."""
    lengths: dict[str, Lengths] = {}
    spent: dict[tuple[str, str], Spent] = {}
    versions: Counter[str] = Counter()
    times: list[float] = []
    description = reader.full_description()
    if str(description["kind"]).startswith("tune"):
        raise RamifyError(f"{reader.path} is a tuning: `ramify tune` prints its result")
    try:
        pairings = _pairings(description, reader)
        test = None if description["sprt"] is None else Sprt(**description["sprt"])
        tallies = [Tally(pairing, test) for pairing in pairings]
    except RamifyError:
        raise
    except (KeyError, TypeError, IndexError, ValueError, AttributeError) as error:
        raise damaged(reader.path, f"invalid description: {error!r}") from None
    for record in reader.records():
        pairing = pairings[record[COLUMN["pairing"]]]
        tallies[record[COLUMN["pairing"]]].add(record)
        versions[record[COLUMN["versions"]]] += 1
        times.append(record[COLUMN["finished"]])
        try:
            _add(record, pairing, lengths.setdefault(pairing.game, Lengths()), spent)
        except (TypeError, ValueError, IndexError):  # a row that matches its digest but was never played
            raise damaged(reader.path, f"row {record[0]} is invalid") from None
    if not times and reader.left_out:
        raise RamifyError(left_out_text(reader.path, reader.left_out))
    if not times and reader.left_out_frames is not None:
        raise RamifyError(str(reader.left_out_frames))
    if not times:
        raise RamifyError(f"{reader.path} has no finished game yet")
    frames = reader.left_out_frames
    return RunSummary(
        path=str(reader.path),
        description=description,
        pairings=pairings,
        standings=[tally.standing() for tally in tallies],
        decided=all(tally.decided for tally in tallies),
        stored=len(times),
        lengths=lengths,
        spent=spent,
        versions=versions,
        finished=(min(times), max(times)),
        left_out=len(reader.left_out),
        left_out_frames=frames.frames if frames is not None and frames.is_damage else 0,
        notes=tuple(reader.notes()),
    )


def _add(record: Record, pairing: Pairing, lengths: Lengths, spent: dict[tuple[str, str], Spent]) -> None:
    seats, simulations, calls, seconds = (
        json.loads(record[COLUMN[name]]) for name in ("seats", "simulations", "calls", "seconds")
    )
    lengths.plies.append(record[COLUMN["plies"]])
    lengths.seconds.append(sum(seconds))
    lengths.simulations.append(sum(simulations))
    lengths.ends[record[COLUMN["ended"]]] += 1
    lengths.faults.update(faults_of(record))
    for seat, who in enumerate(seats):
        player = pairing.second if who else pairing.first
        one = spent.setdefault((pairing.game, player.label), Spent())
        one.seats += 1
        one.simulations += simulations[seat]
        one.calls += calls[seat]
        one.seconds += seconds[seat]


def _pairings(description: Mapping[str, Any], reader: Reader) -> tuple[Pairing, ...]:
    """Return the pairings. In runs of older versions only the rows know how many players a game has."""
    players = description.get("players") or {
        record[COLUMN["game"]]: len(json.loads(record[COLUMN["seats"]])) for record in reader.records()
    }
    missing = {game: _players(game, reader) for game in description["games"] if game not in players}
    return stored_pairings(description, players | missing)


def _players(game: str, reader: Reader) -> int:
    """Number of players of a game that has not been played yet. Users' files are not imported."""
    from ramify.contract.load import load  # noqa: PLC0415  (slow to import, and rarely needed)

    if named_files(game):
        raise RamifyError(f"{reader.path} has no finished game of {game} yet: resume it with its own command first")
    return load(game).players
