"""Compares stored games with the plan of their run: game, agents, budgets, seats, opening and seeds."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import fields
from functools import cached_property
from typing import Any

from ramify.agents.budgets.player_limits import PlayerLimits
from ramify.arena.matches.rows import COLUMN_INDEX, GameSpec
from ramify.arena.matches.schedule import MatchPlayer, Pairing, seatings
from ramify.old_names import stored_text
from ramify.runs.jobs import Record
from ramify.runs.seeds import derive
from ramify.runs.table import Misfit

SPEC = tuple(field.name for field in fields(GameSpec))  # the first columns of a row
PAIRING, PAIR, LEG, SEATS, AGENTS, START = (
    COLUMN_INDEX[name] for name in ("pairing", "pair", "leg", "seats", "agents", "start")
)
# Stored: game n of trial k has number k * TRIAL_NUMBERS + n, and pairing TRIAL_NUMBERS + k confirms trial k.
TRIAL_NUMBERS = 1_000_000


class PlannedGames:
    """The games of a match or tournament. A pairing has 0 players if the description does not say how many."""

    def __init__(
        self, pairings: Sequence[Pairing], seed: int, opening_plies: int, starts: Sequence[str] | None
    ) -> None:
        """``starts``: None if the description has only their digest."""
        self.pairings = pairings
        self.seed = seed
        self.opening_plies = opening_plies
        self.starts = starts
        self._texts: dict[tuple[int, int, object, object], tuple[str, str, str]] = {}

    @cached_property
    def _offsets(self) -> list[int] | None:
        """Return the place of each pairing's first game in a round, and the games of a round; None if unknown."""
        if not all(pairing.players for pairing in self.pairings):
            return None
        offsets = [0]
        for pairing in self.pairings:
            offsets.append(offsets[-1] + len(pairing.seatings))
        return offsets

    def misfit(self, record: Record) -> str | None:
        """Return which part of a game is not the plan's, or None. The pair may be beyond the planned ones."""
        expected = self.expected(record)
        if expected is None:
            return "its pairing is not in the plan"
        if record[: len(SPEC)] == expected:
            return None
        for name, stored, planned in zip(SPEC, record, expected, strict=False):
            if stored != planned and not _same(name, stored, planned):
                return f"column {name} differs from the plan"
        return None

    def expected(self, record: Record) -> Record | None:
        """Return the first columns that a row should have, or None if the plan has no such game."""
        pairing, pair, leg = record[PAIRING], record[PAIR], record[LEG]
        if not 0 <= pairing < len(self.pairings):
            return None
        number = 1 + pair * self._offsets[-1] + self._offsets[pairing] + leg if self._offsets else record[0]
        return self._game(self.pairings[pairing], record, number, derive(self.seed, pairing, pair))

    def _game(self, pairing: Pairing, record: Record, number: int, pair_seed: int) -> Record | None:
        texts = self._seated(pairing, record)
        if texts is None:
            return None
        leg, pair = record[LEG], record[PAIR]
        start = record[START] if self.starts is None else self.starts[pair % len(self.starts)]
        seeds = (pair_seed, derive(pair_seed, leg))
        return (number, record[PAIRING], pair, leg, pairing.game, *texts, start, self.opening_plies, *seeds)

    def _seated(self, pairing: Pairing, record: Record) -> tuple[str, str, str] | None:
        """Return agents, seats and limits as stored, or None if the pairing has no such leg."""
        key = (record[PAIRING], record[LEG], record[SEATS], self._first_agent(pairing, record))
        if key not in self._texts:
            players = pairing.players or len(json.loads(record[SEATS]))
            legs = seatings(players) if players > 1 else ()
            if not 0 <= record[LEG] < len(legs):
                return None
            seats = legs[record[LEG]]
            agents = [pairing.second.agent if seat else key[3] for seat in seats]
            limits = [(pairing.second if seat else pairing.first).limits.to_dict() for seat in seats]
            self._texts[key] = (json.dumps(agents), json.dumps(seats), json.dumps(limits))
        return self._texts[key]

    def _first_agent(self, pairing: Pairing, record: Record) -> str:
        del record
        return pairing.first.agent


class PlannedTrials(PlannedGames):
    """The games of a tuning. The candidates are Optuna's, so they are those of the rows."""

    def expected(self, record: Record) -> Record | None:
        trial, pairing = record[PAIRING], self.pairings[0]
        number = record[0]
        if pairing.players:
            number = trial * TRIAL_NUMBERS + 1 + record[PAIR] * len(pairing.seatings) + record[LEG]
        return self._game(pairing, record, number, derive(derive(self.seed, trial), 0, record[PAIR]))

    def _first_agent(self, pairing: Pairing, record: Record) -> str:
        seats, agents = json.loads(record[SEATS]), json.loads(record[AGENTS])
        return str(next((agent for seat, agent in zip(seats, agents, strict=True) if seat == 0), pairing.first.agent))


def misfit_of_description(description: Mapping[str, Any]) -> Misfit:
    """Return the comparison with a stored plan. Raise if the description is invalid."""
    kind = PlannedTrials if str(description["kind"]).startswith("tune") else PlannedGames
    starts = [""] if description["positions"] is None else None
    pairings = stored_pairings(description, description.get("players") or {})
    return kind(pairings, description["seed"], description["opening_plies"], starts).misfit


def stored_pairings(description: Mapping[str, Any], players: Mapping[str, int]) -> tuple[Pairing, ...]:
    """Return the pairings of a description; ``players`` by game, 0 where it is unknown."""
    agents = [
        MatchPlayer(agent["label"], agent["agent"], PlayerLimits(**budget))
        for agent, budget in zip(description["agents"], description["budgets"], strict=True)
    ]
    return tuple(
        Pairing(game, players.get(game, 0), agents[first], agents[second])
        for game, first, second in description["pairings"]
    )


def _same(name: str, stored: Any, planned: Any) -> bool:
    """Return whether two different values mean the same: agents may have old names, and lists other spaces."""
    if name == "agents":
        return [*map(stored_text, json.loads(stored))] == [*map(stored_text, json.loads(planned))]
    return name in ("seats", "limits") and bool(json.loads(stored) == json.loads(planned))
