"""Plan of a match or tournament: pairings, openings, number of games, test."""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any, Self

from ramify.agents.budgets.player_limits import BUDGET_HINT, PlayerLimits
from ramify.agents.budgets.time_control import LOSE, RANDOM
from ramify.arena.matches.planned_games import PlannedGames
from ramify.arena.matches.playing.openings import check_opening, first_decision, read_openings
from ramify.arena.matches.playing.play_game import GameJob
from ramify.arena.matches.rows import GAME_TABLE
from ramify.arena.matches.schedule import MatchPlayer, Pairing, Schedule, whole_pairs
from ramify.arena.matches.tally import ScoreAggregator, Tally
from ramify.contract.game import Game
from ramify.contract.load import load
from ramify.errors import RamifyError
from ramify.grammar import checked_integer
from ramify.numerals import MAX_COUNT
from ramify.players.player import Player, check
from ramify.players.player import player as make_player
from ramify.runs.edited_files import digests
from ramify.runs.jobs import Record
from ramify.runs.messages import RunMessages
from ramify.runs.run_plan import RunPlan
from ramify.runs.user_files import short_digest, user_files
from ramify.runs.versions import versions
from ramify.statistics.sprt import Sprt

OPENING_PLIES = 2  # default without a file of positions

AgentLike = str | Mapping[str, Any] | Player
GameLike = str | Game


# Pairs and versions may differ; files have their own messages.
MESSAGES = RunMessages(
    titles={
        "kind": ("form is", str),
        "games": ("games are", ", ".join),
        "agents": ("agents are", lambda agents: " and ".join(one["agent"] for one in agents)),
        "budgets": (
            "budget is",
            lambda budgets: " and ".join(dict.fromkeys(str(PlayerLimits(**one)) for one in budgets)),
        ),
        "pairings": ("pairings are", str),
        "seed": ("seed is", str),
        "opening_plies": ("number of opening plies is", str),
        "positions": ("opening positions are", lambda digest: f"those with digest {digest}"),
        "sprt": ("sequential test is", "{0[elo0]:g} to {0[elo1]:g} {0[model]} Elo".format),
    },
    mismatch_hint="use another file, or the original command",
)


@dataclass(frozen=True)
class MatchPlan(RunPlan[ScoreAggregator]):
    """Decides which games are played and how many. A match has one pairing, a tournament several."""

    table = GAME_TABLE
    messages = MESSAGES

    kind: str  # "match", "round-robin", "gauntlet", "scale" or "tune ..."; stored
    pairings: tuple[Pairing, ...]
    pairs: int  # per pairing
    opening_plies: int
    starts: tuple[str, ...] = ("",)
    seed: int | None = None  # None: the stored run's seed, or a random one
    test: Sprt | None = None

    def schedule(self) -> Schedule:
        """Schedule of all games. The plan must have a seed."""
        if self.seed is None:
            raise RamifyError("the plan needs a seed before it has games")
        return Schedule(self.pairings, self.seed, self.opening_plies, self.starts)

    def seeded(self, seed: int) -> Self:
        return replace(self, seed=seed)

    def aggregator(self) -> ScoreAggregator:
        return ScoreAggregator([Tally(pairing, self.test) for pairing in self.pairings])

    @property
    def total(self) -> int:
        return self.games

    def jobs(self, done: Container[int] = ()) -> Iterator[GameJob]:
        return (GameJob(spec) for spec in self.schedule().games(self.pairs, done))

    def contains(self, record: Record) -> bool:
        """Whether a game follows from the seed; its pair may be beyond ``pairs``, and its agents may have old names."""
        return self.misfit(record) is None

    def misfit(self, record: Record) -> str | None:
        return self._planned.misfit(record)

    @cached_property
    def _planned(self) -> PlannedGames:
        return PlannedGames(self.pairings, self.schedule().seed, self.opening_plies, self.starts)

    @property
    def games(self) -> int:
        return self.pairs * sum(len(pairing.seatings) for pairing in self.pairings)

    @cached_property
    def players(self) -> tuple[MatchPlayer, ...]:
        """All players, in order of appearance."""
        return tuple(dict.fromkeys(e for pairing in self.pairings for e in (pairing.first, pairing.second)))

    def description(self) -> dict[str, Any]:
        return {
            "kind": self.kind,
            "games": list(dict.fromkeys(pairing.game for pairing in self.pairings)),
            "agents": [{"label": e.label, "agent": e.agent} for e in self.players],
            "budgets": [e.limits.to_dict() for e in self.players],
            "pairings": [
                [pairing.game, self.players.index(pairing.first), self.players.index(pairing.second)]
                for pairing in self.pairings
            ],
            "seed": self.seed,
            "opening_plies": self.opening_plies,
            "positions": short_digest("\n".join(self.starts)) if self.starts != ("",) else None,
            "sprt": None if self.test is None else asdict(self.test),
            **digests(user_files(self._texts())),
            "pairs": self.pairs,
            "players": {pairing.game: pairing.players for pairing in self.pairings},
            "versions": versions(),
        }

    def _texts(self) -> list[str]:
        return [pairing.game for pairing in self.pairings] + [player.agent for player in self.players]

    def prepare(self) -> None:
        """Compile what the workers load. Raise now for anything that cannot be played."""
        games = {pairing.game: load(pairing.game) for pairing in self.pairings}
        for game in games.values():
            game.warm()
            for start in self.starts:
                check_opening(game, start, self.opening_plies)
        for pairing in self.pairings:
            for player in (pairing.first, pairing.second):
                state = first_decision(games[pairing.game], self.starts[0], self.opening_plies)
                check(make_player(player.agent), state)


def make_plan(
    kind: str,
    games: Sequence[GameLike],
    players: Sequence[MatchPlayer],
    pairs_of: Sequence[tuple[int, int]],
    *,
    count: int,
    opening_plies: int | None = None,
    openings: str | Path | None = None,
    seed: int | None = None,
    test: Sprt | None = None,
) -> MatchPlan:
    """Make a plan: each pair of players in ``pairs_of`` plays at least ``count`` games of every game."""
    if seed is not None and (isinstance(seed, bool) or not isinstance(seed, int)):
        raise RamifyError(f"invalid seed '{seed}': use a whole number")
    if seed is not None:
        checked_integer(seed)
    if opening_plies is None:
        opening_plies = 0 if openings is not None else OPENING_PLIES
    if isinstance(opening_plies, bool) or not isinstance(opening_plies, int) or not 0 <= opening_plies <= MAX_COUNT:
        raise RamifyError(
            f"invalid number of opening plies {opening_plies}: use a whole number from 0 to {MAX_COUNT:,}"
        )
    loaded = [load(game.name if isinstance(game, Game) else game) for game in games]
    return MatchPlan(
        kind=kind,
        pairings=tuple(
            Pairing(game.name, game.players, players[first], players[second])
            for game in loaded
            for first, second in pairs_of
        ),
        pairs=whole_pairs(count, [game.players for game in loaded]),
        opening_plies=opening_plies,
        starts=("",) if openings is None else read_openings(openings),
        seed=seed,
        test=test,
    )


def make_players(
    agents: Sequence[tuple[str | None, AgentLike]], limits: PlayerLimits | None, on_time: str | None = None
) -> list[MatchPlayer]:
    """Make the players. ``limits`` applies to agents without their own budget, ``on_time`` to all clocks.

    The default label is the agent's text. Repeated labels are numbered.
    """
    players: list[MatchPlayer] = []
    used: dict[str, int] = {}
    for label, description in agents:
        made = make_player(description)
        text = str(made)
        name = str(label or text)
        used[name] = used.get(name, 0) + 1
        own = made.limits or limits or _missing(text, agents)
        players.append(MatchPlayer(name if used[name] == 1 else f"{name} #{used[name]}", text, own))
    return players if on_time is None else _with_rule(players, on_time)


def _with_rule(players: Sequence[MatchPlayer], on_time: str) -> list[MatchPlayer]:
    """Set what happens when a player's clock runs out."""
    if on_time not in (LOSE, RANDOM):
        raise RamifyError(f"invalid on_time '{on_time}': use '{LOSE}' or '{RANDOM}'")
    if all(player.limits.clock is None for player in players):
        raise RamifyError("on_time needs a clock")
    rule = RANDOM if on_time == RANDOM else None
    return [e if e.limits.clock is None else replace(e, limits=replace(e.limits, on_time=rule)) for e in players]


def _missing(text: str, agents: Sequence[tuple[str | None, AgentLike]]) -> PlayerLimits:
    """Raise because an agent has no budget."""
    if all(make_player(one).limits is None for _, one in agents):
        raise RamifyError(f"the agents need a budget: {BUDGET_HINT}")
    raise RamifyError(
        f"{text} has no budget: add one to its text, e.g. uct(simulations=500), or pass one for all agents"
    )
