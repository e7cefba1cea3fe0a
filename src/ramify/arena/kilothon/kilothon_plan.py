"""Which games a run of Kilothon has, and who keeps count of them."""

from __future__ import annotations

from collections.abc import Container, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from typing import Any, ClassVar, Self

from ramify.arena.kilothon.contest_game import GAME_SECONDS, failed, load_all, play, timed_player
from ramify.arena.kilothon.rows import KILOTHON_TABLE, KilothonRow, KilothonSpec
from ramify.arena.kilothon.sources import games_of, players_of
from ramify.contract.load import load
from ramify.errors import RamifyError, suggestion
from ramify.runs.driver import RowKeeper
from ramify.runs.edited_files import digests
from ramify.runs.jobs import Record
from ramify.runs.messages import RunMessages
from ramify.runs.run_plan import RunPlan
from ramify.runs.seeds import derive
from ramify.runs.session import Session
from ramify.runs.user_files import user_files
from ramify.runs.versions import versions

STOCK = "kilothon_uct"
MAX_GAME_SECONDS = 86_400.0
SOURCES = ("native", "gdl", "openspiel")
CRASH_PRONE_SOURCES = ("ludii:", "openspiel:")
HANG_MINUTES, HANG_SECONDS = 5, 300.0  # a game that takes so many of its minutes, and so long besides, hangs


@dataclass(frozen=True)
class KilothonJob:
    """One game to be played."""

    spec: KilothonSpec
    verb: ClassVar[str] = "played"

    @property
    def apart(self) -> bool:
        """Whether another program is in the process that plays it, and may take it down."""
        return self.spec.game.startswith(CRASH_PRONE_SOURCES)

    @property
    def number(self) -> int:
        """Of the game in its run."""
        return self.spec.number

    @property
    def name(self) -> str:
        """What a sentence calls it."""
        return f"game {self.spec.number}"

    def descriptions(self) -> tuple[str, ...]:
        """The game and its players."""
        return (self.spec.game, self.spec.agent, self.spec.opponent)

    def prepare(self) -> None:
        """Load it, before a clock runs; what cannot be loaded becomes a row of its own."""
        with suppress(Exception):  # whatever a bridge may raise; playing says it again
            load_all(self.spec)

    def expected_seconds(self) -> float:
        """At most two minutes, most games much less."""
        return self.spec.minute

    def longest(self) -> float:
        """The two minutes, more for loading and for the moves at random after them; past that a game hangs."""
        return HANG_MINUTES * self.spec.minute + HANG_SECONDS

    def run(self) -> Record:
        """Play it."""
        return play(self.spec).record()

    def given_up(self, why: str) -> Record:
        """The row that stands for it where workers die of it."""
        return failed(self.spec, why).record()


MESSAGES = RunMessages(
    titles={
        "games": ("games are", ", ".join),
        "agents": ("agents are", " and ".join),
        "opponent": ("opponent is", str),
        "minute": ("minute has", "{:g} s".format),
        "both_seats": ("seats are", lambda both: "both" if both else "the first"),
        "seed": ("seed is", str),
    },
    mismatch_hint="use another file, or the command as it was",
)


@dataclass(frozen=True)
class KilothonPlan(RunPlan[RowKeeper[KilothonRow]]):
    """Every challenger at every game, once, or once in either seat."""

    table = KILOTHON_TABLE
    messages = MESSAGES

    games: tuple[tuple[str, str, int], ...]  # name, category, players
    agents: tuple[str, ...]
    opponent: str = STOCK
    minute: float = GAME_SECONDS
    both_seats: bool = False
    seed: int | None = None

    def seeded(self, seed: int) -> Self:
        """The same plan with this seed."""
        return replace(self, seed=seed)

    def specs(self) -> Iterator[KilothonSpec]:
        """All games, those of one game together, so that an interrupted run compares the agents at the same ones."""
        number = 0
        for game, category, players in self.games:
            for agent in self.agents:
                for seat in range(2 if self.both_seats and players > 1 else 1):
                    number += 1
                    seed = derive(self.seed or 0, game, seat)  # the same luck for every agent
                    yield KilothonSpec(number, game, category, agent, self.opponent, seat, self.minute, seed)

    @property
    def total(self) -> int:
        """Games in all."""
        return sum(1 for _ in self.specs())

    def jobs(self, done: Container[int] = ()) -> Iterator[KilothonJob]:
        """The games that are missing."""
        return (KilothonJob(spec) for spec in self.specs() if spec.number not in done)

    def aggregator(self) -> RowKeeper[KilothonRow]:
        """Somebody who has seen nothing."""
        return RowKeeper(KilothonRow.from_record)

    def contains(self, record: Record) -> bool:
        """Whether a row is that of one of its games."""
        return KilothonRow.from_record(record).spec() in set(self.specs())

    def description(self) -> dict[str, Any]:
        """The plan as plain data, for the run's file."""
        texts = [*(game for game, _, _ in self.games), *self.agents, self.opponent]
        return {
            "kind": "kilothon",
            "games": [game for game, _, _ in self.games],
            "agents": list(self.agents),
            "opponent": self.opponent,
            "minute": self.minute,
            "both_seats": self.both_seats,
            "seed": self.seed,
            **digests(user_files(texts)),
            "versions": versions(),
        }

    def prepare(self) -> None:
        """Find out now who cannot play at all, and compile what all games need, with the first one that loads."""
        for text in (*self.agents, self.opponent):
            timed_player(text, self.minute)
        failure: Exception | None = None
        for game, _, _ in self.games:
            try:
                for agent in self.agents:
                    load_all(replace(next(self.specs()), game=game, agent=agent))
            except Exception as error:  # noqa: BLE001  (whatever a bridge may raise; such a game is a row of its own)
                failure = failure or error
            else:
                return
        raise failure or RamifyError("a contest needs a game")


KilothonSession = Session[KilothonPlan, RowKeeper[KilothonRow]]


def plan_of(
    agents: Sequence[str],
    *,
    sources: Sequence[str] = SOURCES,
    games: Sequence[str] = (),
    sample: int | None = None,
    minute: float = GAME_SECONDS,
    opponent: str = STOCK,
    both_seats: bool = False,
    seed: int | None = None,
) -> KilothonPlan:
    """The plan that a user asks for; ``games_chosen`` says what ``games`` and ``sample`` are."""
    if not agents:
        raise RamifyError("a contest needs a challenger: give one or more agents")
    if len(set(agents)) < len(agents):
        raise RamifyError("an agent is there twice; every challenger plays every game once")
    if not 0 < minute <= MAX_GAME_SECONDS:
        raise RamifyError(f"the minute is a number of seconds from 0 to {MAX_GAME_SECONDS:g}, not {minute:g}")
    chosen = games_chosen(sources, games, sample, seed)
    players = players_of(sources)
    played = tuple((game, category, players.get(game) or _players(game)) for game, category in chosen.items())
    return KilothonPlan(played, tuple(agents), opponent, float(minute), both_seats, seed)


def games_chosen(
    sources: Sequence[str], games: Sequence[str] = (), sample: int | None = None, seed: int | None = None
) -> dict[str, str]:
    """Games of the sources with their categories.

    ``games`` are names of games, or patterns such as ``gdl:*``; of these ``sample`` are drawn by the seed.
    """
    known = games_of(sources)
    chosen = list(known)
    if games:
        for pattern in games:
            if not any(fnmatchcase(game, pattern) for game in known):
                raise RamifyError(
                    f"no game of {', '.join(sources)} is called '{pattern}'; {suggestion(pattern, known)}"
                )
        chosen = [game for game in known if any(fnmatchcase(game, pattern) for pattern in games)]
    if sample is not None:
        chosen = _sampled(chosen, sample, seed)
    return {game: known[game] for game in chosen}


def _sampled(games: Sequence[str], sample: int, seed: int | None) -> list[str]:
    """Some of the games, in their order; a larger sample of the same seed has those of a smaller one."""
    if seed is None:
        raise RamifyError("a sample of games needs a seed, so that the same games can be drawn again")
    if not 1 <= sample <= len(games):
        raise RamifyError(f"the sample must be a number of games from 1 to {len(games)}, not {sample}")
    drawn = set(sorted(games, key=lambda game: derive(seed, "sample", game))[:sample])
    return [game for game in games if game in drawn]


def _players(game: str) -> int:
    """How many play; a game that cannot be loaded is found out when it is played."""
    try:
        return load(game).players
    except Exception:  # noqa: BLE001  (whatever a bridge may raise)
        return 2
