"""What a command asks for, as data: it is stored with the run, and another command is told how it differs."""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

from ramify.agents.agent import Agent
from ramify.agents.agent import agent as make_agent
from ramify.agents.searcher import Search
from ramify.agents.side_limits import Limits
from ramify.arena.matches.openings import check_opening, first_decision, read_openings
from ramify.arena.matches.play import versions
from ramify.arena.matches.schedule import Entrant, Pairing, Schedule, whole_pairs
from ramify.arena.matches.tally import Tally
from ramify.arena.statistics.sprt import Sprt
from ramify.contract.game import Game
from ramify.contract.load import load
from ramify.contract.registry import is_path
from ramify.errors import RamifyError
from ramify.grammar import Call, parse

OPENING_PLIES = 2  # where no positions are given

AgentLike = str | Mapping[str, Any] | Agent
GameLike = str | Game


@dataclass(frozen=True)
class Plan:
    """Everything that decides which games are played, and how many."""

    kind: str  # "match", "round-robin", "gauntlet"; others may be added on top
    pairings: tuple[Pairing, ...]
    pairs: int  # of each pairing
    opening_plies: int
    starts: tuple[str, ...] = ("",)
    seed: int | None = None  # None: the seed of the run that is there, or a new one
    test: Sprt | None = None

    def schedule(self) -> Schedule:
        """The games in order."""
        if self.seed is None:
            raise RamifyError("a plan without a seed has no games yet")
        return Schedule(self.pairings, self.seed, self.opening_plies, self.starts)

    def seeded(self) -> Plan:
        """The plan with a seed, a random one if it has none."""
        return self if self.seed is not None else replace(self, seed=secrets.randbits(32))

    def tallies(self) -> list[Tally]:
        """An empty tally for each pairing."""
        return [Tally(pairing, self.test) for pairing in self.pairings]

    @property
    def games(self) -> int:
        """Games in all."""
        return self.pairs * sum(len(pairing.seatings) for pairing in self.pairings)

    @cached_property
    def entrants(self) -> tuple[Entrant, ...]:
        """Everybody who plays, in order of appearance."""
        return tuple(dict.fromkeys(e for pairing in self.pairings for e in (pairing.first, pairing.second)))

    def description(self) -> dict[str, Any]:
        """The plan as plain data, for the run's file."""
        return {
            "kind": self.kind,
            "games": list(dict.fromkeys(pairing.game for pairing in self.pairings)),
            "agents": [{"label": e.label, "agent": e.agent} for e in self.entrants],
            "budgets": [e.limits.data() for e in self.entrants],
            "pairings": [
                [pairing.game, self.entrants.index(pairing.first), self.entrants.index(pairing.second)]
                for pairing in self.pairings
            ],
            "seed": self.seed,
            "opening_plies": self.opening_plies,
            "positions": _digest("\n".join(self.starts)) if self.starts != ("",) else None,
            "sprt": None if self.test is None else asdict(self.test),
            "files": {name: _digest(Path(name).read_bytes()) for name in self._files()},
            "pairs": self.pairs,
            "versions": versions(),
        }

    def _files(self) -> list[str]:
        """Users' files that games and agents name."""
        texts = [pairing.game for pairing in self.pairings] + [entrant.agent for entrant in self.entrants]
        return sorted({name for text in texts for name in files_of(text)})

    def prepare(self) -> None:
        """Compile what the workers will load, and find out now what cannot be played."""
        games = {pairing.game: load(pairing.game) for pairing in self.pairings}
        for game in games.values():
            game.warm()
            for start in self.starts:
                check_opening(game, start, self.opening_plies)
        for pairing in self.pairings:
            for entrant in (pairing.first, pairing.second):
                Search(first_decision(games[pairing.game], self.starts[0], self.opening_plies), entrant.agent, seed=0)


def files_of(text: str) -> list[str]:
    """The user's files that a description of a game or an agent names."""
    return [name for name in _names(text) if is_path(name) and Path(name).is_file()]


def _names(text: str) -> Iterator[str]:
    """Every name in a description, without the part of ``./mine.py:rule`` after the colon."""
    prefix, _, rest = text.partition(":")
    if rest and prefix.isidentifier():  # a bridge's game has a grammar of its own
        return
    waiting: list[object] = [parse(text)]
    while waiting:
        call = waiting.pop()
        if isinstance(call, Call):
            yield call.name.partition(":")[0]
            waiting += [value for _, value in call.arguments]


def _digest(content: str | bytes) -> str:
    return hashlib.sha256(content if isinstance(content, bytes) else content.encode()).hexdigest()[:12]


# How a difference is named, and how its two sides are said; what is not here (pairs, versions) may differ.
TITLES: dict[str, tuple[str, Callable[[Any], str]]] = {
    "kind": ("form is", str),
    "games": ("games are", ", ".join),
    "agents": ("agents are", lambda agents: " and ".join(one["agent"] for one in agents)),
    "budgets": ("budget is", lambda budgets: " and ".join(dict.fromkeys(str(Limits(**one)) for one in budgets))),
    "pairings": ("pairings are", str),
    "seed": ("seed is", str),
    "opening_plies": ("number of opening plies is", str),
    "positions": ("opening positions are", lambda digest: f"those with digest {digest}"),
    "sprt": ("sequential test is", "{0[elo0]:g} to {0[elo1]:g} {0[model]} Elo".format),
    "files": ("files are", lambda files: ", ".join(f"{name} with digest {digest}" for name, digest in files.items())),
}


def check_same(path: Path, stored: Mapping[str, Any], wanted: Mapping[str, Any]) -> None:
    """Refuse to mix games of different plans in one file; the sentence says what differs."""
    for key, (title, say) in TITLES.items():
        old, new = (say(one[key]) if one.get(key) not in (None, {}) else "none" for one in (stored, wanted))
        if stored.get(key) != wanted[key]:
            if old == new:  # as with labels, which are not said
                old, new = str(stored.get(key)), str(wanted[key])
            raise RamifyError(
                f"{path} holds another run: its {title} {old}, not {new}; use another file, or its own command"
            )


def make_plan(
    kind: str,
    games: Sequence[GameLike],
    entrants: Sequence[Entrant],
    pairs_of: Sequence[tuple[int, int]],
    *,
    count: int,
    opening_plies: int | None,
    openings: str | Path | None,
    seed: int | None,
    test: Sprt | None = None,
) -> Plan:
    """A plan in which the entrants of each of ``pairs_of`` meet at every game, at least ``count`` games each."""
    if seed is not None and (isinstance(seed, bool) or not isinstance(seed, int)):
        raise RamifyError(f"the seed must be a whole number, not '{seed}'")
    if opening_plies is None:
        opening_plies = 0 if openings is not None else OPENING_PLIES
    if isinstance(opening_plies, bool) or not isinstance(opening_plies, int) or opening_plies < 0:
        raise RamifyError(f"the opening plies must be a whole number from 0, not {opening_plies}")
    loaded = [load(game if isinstance(game, str) else game.name) for game in games]
    return Plan(
        kind=kind,
        pairings=tuple(
            Pairing(game.name, game.players, entrants[first], entrants[second])
            for game in loaded
            for first, second in pairs_of
        ),
        pairs=whole_pairs(count, [game.players for game in loaded]),
        opening_plies=opening_plies,
        starts=("",) if openings is None else read_openings(openings),
        seed=seed,
        test=test,
    )


def make_entrants(agents: Sequence[tuple[str | None, AgentLike]], limits: Limits) -> list[Entrant]:
    """Entrants with equal budgets; one without a label is called by its text, and labels that repeat are numbered."""
    entrants: list[Entrant] = []
    used: dict[str, int] = {}
    for label, description in agents:
        text = str(make_agent(description))
        name = label or text
        used[name] = used.get(name, 0) + 1
        entrants.append(Entrant(name if used[name] == 1 else f"{name} #{used[name]}", text, limits))
    return entrants
