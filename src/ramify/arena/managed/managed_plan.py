"""Which matches a run of ``ramify ggp-match`` has, and who keeps count of them."""

from __future__ import annotations

import math
import secrets
import time
from collections import Counter
from collections.abc import Container, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar, Self

from ramify.arena.managed.referee import Referee, Say, players_of
from ramify.arena.managed.rows import MATCH_TABLE, MatchRow
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

MAX_CLOCK_SECONDS = 86_400.0  # seconds
INFO_SECONDS = 5.0  # seconds that a player has to say who it is
MAX_MATCHES = 1_000_000  # most games


@dataclass(frozen=True)
class MatchJob:
    """One match to be held."""

    number: int
    rules: str
    text: str
    addresses: tuple[Address, ...]  # by role
    clocks: tuple[float, float]
    seed: int
    say: Say = field(compare=False, default=lambda _: None)
    verb: ClassVar[str] = "played"

    @property
    def name(self) -> str:
        """What a sentence calls it."""
        return f"match {self.number}"

    def descriptions(self) -> Iterable[str]:
        """Nothing that names a file of Python's."""
        return ()

    def prepare(self) -> None:
        """Nothing is compiled."""
        return

    def expected_seconds(self) -> float:
        """Nobody knows."""
        return math.inf

    def run(self) -> Record:
        """Hold it."""
        rules = Rulesheet.from_text(self.text, self.rules)
        word = "".join(sign if sign.isalnum() else "_" for sign in self.rules)
        match = f"ramify.{word}.{self.number}.{secrets.token_hex(4)}"  # never the name of an earlier match
        referee = Referee(
            self.text,
            self.addresses,
            match=match,
            start_clock=self.clocks[0],
            play_clock=self.clocks[1],
            seed=self.seed,
            say=self.say,
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
    mismatch_hint="use another file, or the command as it was",
)


@dataclass(frozen=True)
class ManagedPlan(RunPlan[RowCollector[MatchRow]]):
    """Players at one rulesheet, changing their roles from match to match."""

    table = MATCH_TABLE
    messages = MESSAGES

    rules: str  # the name of the sheet
    text: str
    addresses: tuple[Address, ...]
    clocks: tuple[float, float]
    games: int
    seed: int | None = None
    say: Say = field(compare=False, default=lambda _: None)

    def seeded(self, seed: int) -> Self:
        """The same plan with this seed."""
        return replace(self, seed=seed)

    @property
    def total(self) -> int:
        """Matches in all."""
        return self.games

    def jobs(self, done: Container[int] = ()) -> Iterator[MatchJob]:
        """The matches that are missing."""
        return (self.job(number) for number in range(1, self.games + 1) if number not in done)

    def job(self, number: int) -> MatchJob:
        """One match: with each the players move on by one role."""
        turn = (number - 1) % len(self.addresses)
        seated = self.addresses[-turn:] + self.addresses[:-turn] if turn else self.addresses
        seed = derive(self.seed or 0, number)
        return MatchJob(number, self.rules, self.text, seated, self.clocks, seed, self.say)

    def aggregator(self) -> RowCollector[MatchRow]:
        """Somebody who has seen nothing."""
        return RowCollector(MatchRow.from_record)

    def contains(self, record: Record) -> bool:
        """Whether a row is that of one of its matches."""
        row, job = MatchRow.from_record(record), self.job(record[0])
        mine = (job.rules, tuple(map(str, job.addresses)), *job.clocks, job.seed)
        return (row.rules, row.players, row.start_clock, row.play_clock, row.seed) == mine

    def description(self) -> dict[str, Any]:
        """The plan as plain data, for the run's file."""
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
        """Find out now what cannot be played, and who does not answer."""
        rules = Rulesheet.from_text(self.text, self.rules)
        Interpreter(rules)
        wanted = len(players_of(rules))
        if wanted != len(self.addresses):
            names = ", ".join(map(write, players_of(rules)))
            raise RamifyError(f"{self.rules} is for {wanted} players ({names}), not for {len(self.addresses)}")
        for address in dict.fromkeys(self.addresses):
            request_info(address)


ManagedSitting = Session[ManagedPlan, RowCollector[MatchRow]]


def request_info(address: Address) -> str:
    """What a player says of itself; nobody there is an error."""
    try:
        return send_message(address, "( INFO )", INFO_SECONDS)
    except Fault as fault:
        raise RamifyError(f"the player at {address} {fault}") from None


def plan_of(
    rules: str,
    text: str,
    players: Sequence[str],
    *,
    games: int,
    start_clock: float,
    play_clock: float,
    seed: int | None,
    say: Say = lambda _: None,
) -> ManagedPlan:
    """The plan that a user asks for."""
    if not 1 <= games <= MAX_MATCHES:
        raise RamifyError(f"games must be a whole number from 1 to {MAX_MATCHES}, not {games}")
    for name, clock in (("start", start_clock), ("play", play_clock)):
        if not 0 < clock <= MAX_CLOCK_SECONDS:
            raise RamifyError(f"the {name} clock is a number of seconds from 0 to {MAX_CLOCK_SECONDS:g}, not {clock:g}")
    addresses = tuple(map(Address.parse, players))
    if doubled := [address for address, count in Counter(addresses).items() if count > 1]:
        raise RamifyError(f"{doubled[0]} is there twice; a player plays one role at a time")
    return ManagedPlan(rules, text, addresses, (float(start_clock), float(play_clock)), games, seed, say)
