"""Plan of a Kilothon run: its games, challengers and clock."""

from __future__ import annotations

from collections.abc import Container, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from functools import cached_property
from typing import Any, ClassVar, Self

from ramify.arena.kilothon.contest_game import GAME_SECONDS, failed, load_all, play, timed_player
from ramify.arena.kilothon.rows import KILOTHON_TABLE, KilothonRow, KilothonSpec, with_stored_names
from ramify.arena.kilothon.sources import games_of, players_of
from ramify.contract.load import load
from ramify.errors import RamifyError, suggestion
from ramify.runs.driver import RowCollector
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
HANG_MINUTES, HANG_SECONDS = 5, 300.0  # a game hangs after HANG_MINUTES times its minute plus HANG_SECONDS


@dataclass(frozen=True)
class KilothonJob:
    """One game to play."""

    spec: KilothonSpec
    verb: ClassVar[str] = "played"

    @property
    def apart(self) -> bool:
        """Whether the game needs its own process, because its program may crash it."""
        return self.spec.game.startswith(CRASH_PRONE_SOURCES)

    @property
    def number(self) -> int:
        return self.spec.number

    @property
    def name(self) -> str:
        return f"game {self.spec.number}"

    def descriptions(self) -> tuple[str, ...]:
        return (self.spec.game, self.spec.agent, self.spec.opponent)

    def prepare(self) -> None:
        """Load the game before a clock starts. If that fails, ``run`` returns a row with the error."""
        with suppress(Exception):  # a bridge may raise anything; run() reports it
            load_all(self.spec)

    def expected_seconds(self) -> float:
        """An estimate: at most two minutes, most games much less."""
        return self.spec.minute

    def longest(self) -> float:
        """Seconds after which the game hangs: both minutes, plus time for loading and for random moves."""
        return HANG_MINUTES * self.spec.minute + HANG_SECONDS

    def run(self) -> Record:
        return play(self.spec).record()

    def given_up(self, why: str) -> Record:
        """Return the row of a game that crashed its workers or hung."""
        return failed(self.spec, why).record()


MESSAGES = RunMessages(
    titles={
        "games": ("games are", ", ".join),
        "agents": ("agents are", " and ".join),
        "opponent": ("opponent is", str),
        "minute": ("clock per game is", "{:g} s".format),
        "both_seats": ("seats are", lambda both: "both" if both else "the first"),
        "seed": ("seed is", str),
    },
    mismatch_hint="use another file, or the original command",
)


@dataclass(frozen=True)
class KilothonPlan(RunPlan[RowCollector[KilothonRow]]):
    """Every challenger plays every game once, or once in either seat."""

    table = KILOTHON_TABLE
    messages = MESSAGES

    games: tuple[tuple[str, str, int], ...]  # name, category, players
    agents: tuple[str, ...]
    opponent: str = STOCK
    minute: float = GAME_SECONDS
    both_seats: bool = False
    seed: int | None = None

    def seeded(self, seed: int) -> Self:
        return replace(self, seed=seed)

    def specs(self) -> Iterator[KilothonSpec]:
        """Yield all games, grouped by game, so that an interrupted run compares the agents on the same games."""
        number = 0
        for game, category, players in self.games:
            for agent in self.agents:
                for seat in range(2 if self.both_seats and players > 1 else 1):
                    number += 1
                    seed = derive(self.seed or 0, game, seat)  # the same random numbers for every agent
                    yield KilothonSpec(number, game, category, agent, self.opponent, seat, self.minute, seed)

    @property
    def total(self) -> int:
        return sum(1 for _ in self.specs())

    def jobs(self, done: Container[int] = ()) -> Iterator[KilothonJob]:
        return (KilothonJob(spec) for spec in self.specs() if spec.number not in done)

    def aggregator(self) -> RowCollector[KilothonRow]:
        return RowCollector(KilothonRow.from_record)

    def contains(self, record: Record) -> bool:
        """Whether a row belongs to one of this plan's games; agents may have old names."""
        return with_stored_names(KilothonRow.from_record(record).spec()) in self._stored_specs

    @cached_property
    def _stored_specs(self) -> set[KilothonSpec]:
        return set(map(with_stored_names, self.specs()))

    def description(self) -> dict[str, Any]:
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
        """Raise if an agent cannot play at all, and compile what all games need with the first one that loads."""
        for text in (*self.agents, self.opponent):
            timed_player(text, self.minute)
        failure: Exception | None = None
        for game, _, _ in self.games:
            try:
                for agent in self.agents:
                    load_all(replace(next(self.specs()), game=game, agent=agent))
            except Exception as error:  # noqa: BLE001  (a bridge may raise anything; the game gets a row with the error)
                failure = failure or error
            else:
                return
        raise failure or RamifyError("Kilothon needs a game")


KilothonSession = Session[KilothonPlan, RowCollector[KilothonRow]]


def plan_kilothon(
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
    """Make the plan. ``games`` and ``sample`` are those of ``games_chosen``."""
    if not agents:
        raise RamifyError("Kilothon needs a challenger: pass one or more agents")
    if len(set(agents)) < len(agents):
        raise RamifyError("duplicate challenger: list each agent once")
    if not 0 < minute <= MAX_GAME_SECONDS:
        raise RamifyError(f"invalid clock of {minute:g} s per game: use more than 0 and at most {MAX_GAME_SECONDS:g}")
    chosen = games_chosen(sources, games, sample, seed)
    players = players_of(sources)
    played = tuple((game, category, players.get(game) or _players(game)) for game, category in chosen.items())
    return KilothonPlan(played, tuple(agents), opponent, float(minute), both_seats, seed)


def games_chosen(
    sources: Sequence[str], games: Sequence[str] = (), sample: int | None = None, seed: int | None = None
) -> dict[str, str]:
    """Return the games of the sources with their categories.

    ``games``: names or patterns such as ``gdl:*``. ``sample``: keep a random sample of this size, drawn with ``seed``.
    """
    known = games_of(sources)
    chosen = list(known)
    if games:
        for pattern in games:
            if not any(fnmatchcase(game, pattern) for game in known):
                raise RamifyError(f"no game of {', '.join(sources)} matches '{pattern}': {suggestion(pattern, known)}")
        chosen = [game for game in known if any(fnmatchcase(game, pattern) for pattern in games)]
    if sample is not None:
        chosen = _sampled(chosen, sample, seed)
    return {game: known[game] for game in chosen}


def _sampled(games: Sequence[str], sample: int, seed: int | None) -> list[str]:
    """Return a random sample in the given order. Samples of one seed are nested."""
    if seed is None:
        raise RamifyError("--sample needs --seed, so that the same games can be drawn again")
    if not 1 <= sample <= len(games):
        raise RamifyError(f"invalid sample of {sample} games: use 1 to {len(games)}")
    drawn = set(sorted(games, key=lambda game: derive(seed, "sample", game))[:sample])
    return [game for game in games if game in drawn]


def _players(game: str) -> int:
    """Number of players; 2 for a game that cannot be loaded, which fails when it is played."""
    try:
        return load(game).players
    except Exception:  # noqa: BLE001  (a bridge may raise anything)
        return 2
