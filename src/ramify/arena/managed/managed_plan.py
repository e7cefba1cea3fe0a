"""Plan of a ``ramify ggp-match`` run: rulesheet, players, clocks and matches."""

from __future__ import annotations

import math
import secrets
import time
from collections import Counter
from collections.abc import Container, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, ClassVar, Self

from ramify.arena.managed.referee import Log, Referee, players_of
from ramify.arena.managed.rows import MATCH_TABLE, MatchRow, PlannedMatches
from ramify.errors import RamifyError
from ramify.ggp.interpreter import Interpreter
from ramify.ggp.kif import write
from ramify.ggp.rules import Rulesheet
from ramify.players.faults import Fault
from ramify.players.ggp.client import Address, send_message
from ramify.runs.driver import RowCollector
from ramify.runs.jobs import Record
from ramify.runs.messages import RunMessages
from ramify.runs.run_plan import RunPlan
from ramify.runs.seeds import derive
from ramify.runs.session import Session
from ramify.runs.versions import versions

MAX_CLOCK_SECONDS = 86_400.0
INFO_SECONDS = 5.0  # for a player's reply to the info message
MAX_MATCHES = 1_000_000


@dataclass(frozen=True)
class MatchJob:
    """One match to play."""

    number: int
    rules: str
    text: str
    addresses: tuple[Address, ...]  # by role
    clocks: tuple[float, float]
    seed: int
    log: Log = field(compare=False, default=lambda _: None)
    verb: ClassVar[str] = "played"

    @property
    def name(self) -> str:
        return f"match {self.number}"

    def descriptions(self) -> Iterable[str]:
        """Nothing: a match uses no Python file of the user."""
        return ()

    def prepare(self) -> None:
        """Nothing to compile."""

    def expected_seconds(self) -> float:
        """Unknown."""
        return math.inf

    def run(self) -> Record:
        rules = Rulesheet.from_text(self.text, self.rules)
        word = "".join(sign if sign.isalnum() else "_" for sign in self.rules)
        match = f"ramify.{word}.{self.number}.{secrets.token_hex(4)}"  # never the id of an earlier match
        referee = Referee(
            self.text,
            self.addresses,
            match=match,
            start_clock=self.clocks[0],
            play_clock=self.clocks[1],
            seed=self.seed,
            log=self.log,
        )
        outcome = referee.play()
        return MatchRow(
            number=self.number,
            rules=self.rules,
            digest=rules.digest()[:12],
            roles=tuple(map(write, players_of(rules))),
            players=tuple(map(str, self.addresses)),
            start_clock=float(self.clocks[0]),
            play_clock=float(self.clocks[1]),
            seed=self.seed,
            match=match,
            goals=outcome.goals,
            ended=outcome.ended,
            turns=len(outcome.moves),
            moves=outcome.moves,
            seconds=outcome.seconds,
            faults=outcome.faults,
            finished=time.time(),
            versions=versions(),
        ).record()


def _clocks_text(clocks: Sequence[float]) -> str:
    return " and ".join(f"{clock:g} s" for clock in clocks)


MESSAGES = RunMessages(
    titles={
        "rules": ("rulesheet is", str),
        "digest": ("rules have the digest", str),
        "players": ("players are", " and ".join),
        "clocks": ("clocks are", _clocks_text),
        "seed": ("seed is", str),
    },
    mismatch_hint="use another file, or the original command",
)


@dataclass(frozen=True)
class ManagedPlan(RunPlan[RowCollector[MatchRow]]):
    """Matches of one rulesheet; players rotate through the roles."""

    table = MATCH_TABLE
    messages = MESSAGES

    rules: str  # name of the rulesheet
    text: str
    addresses: tuple[Address, ...]
    clocks: tuple[float, float]
    games: int
    seed: int | None = None
    log: Log = field(compare=False, default=lambda _: None)

    def seeded(self, seed: int) -> Self:
        return replace(self, seed=seed)

    @property
    def total(self) -> int:
        return self.games

    def jobs(self, done: Container[int] = ()) -> Iterator[MatchJob]:
        return (self.job(number) for number in range(1, self.games + 1) if number not in done)

    def job(self, number: int) -> MatchJob:
        """Make match ``number``: each match shifts the players by one role."""
        turn = (number - 1) % len(self.addresses)
        seated = self.addresses[-turn:] + self.addresses[:-turn] if turn else self.addresses
        seed = derive(self.seed or 0, number)
        return MatchJob(number, self.rules, self.text, seated, self.clocks, seed, self.log)

    def aggregator(self) -> RowCollector[MatchRow]:
        return RowCollector(MatchRow.from_record)

    def contains(self, record: Record) -> bool:
        return self.misfit(record) is None

    def misfit(self, record: Record) -> str | None:
        return self._planned.misfit(record)

    @cached_property
    def _planned(self) -> PlannedMatches:
        return PlannedMatches(self.description())

    def description(self) -> dict[str, Any]:
        return {
            "rules": self.rules,
            "digest": Rulesheet.from_text(self.text, self.rules).digest()[:12],
            "players": [str(address) for address in self.addresses],
            "clocks": list(self.clocks),
            "seed": self.seed,
            "games": self.games,
            "versions": versions(),
        }

    def prepare(self) -> None:
        """Raise if the rules are invalid, the number of players is wrong, or a player does not answer."""
        rules = Rulesheet.from_text(self.text, self.rules)
        Interpreter(rules)
        wanted = len(players_of(rules))
        if wanted != len(self.addresses):
            names = ", ".join(map(write, players_of(rules)))
            raise RamifyError(f"{self.rules} needs {wanted} players ({names}), not {len(self.addresses)}")
        for address in dict.fromkeys(self.addresses):
            request_info(address)


ManagedSession = Session[ManagedPlan, RowCollector[MatchRow]]


def request_info(address: Address) -> str:
    """Send the info message and return the reply. Raise if the player does not answer."""
    try:
        return send_message(address, "( INFO )", INFO_SECONDS)
    except Fault as fault:
        raise RamifyError(f"the player at {address} {fault}") from None


def plan_managed(
    rules: str,
    text: str,
    players: Sequence[str],
    *,
    games: int,
    start_clock: float,
    play_clock: float,
    seed: int | None,
    log: Log = lambda _: None,
) -> ManagedPlan:
    if not 1 <= games <= MAX_MATCHES:
        raise RamifyError(f"invalid number of games {games}: use a whole number from 1 to {MAX_MATCHES}")
    for name, clock in (("start", start_clock), ("play", play_clock)):
        if not 0 < clock <= MAX_CLOCK_SECONDS:
            raise RamifyError(
                f"invalid {name} clock {clock:g}: use more than 0 and at most {MAX_CLOCK_SECONDS:g} seconds"
            )
    addresses = tuple(map(Address.parse, players))
    if doubled := [address for address, count in Counter(addresses).items() if count > 1]:
        raise RamifyError(f"duplicate player {doubled[0]}: a player can only play one role")
    return ManagedPlan(rules, text, addresses, (float(start_clock), float(play_clock)), games, seed, log)
