"""Play one game from its spec, directly or as a job."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from time import perf_counter
from typing import ClassVar

from ramify.agents.budgets.player_limits import PlayerLimits
from ramify.agents.search.search import Search
from ramify.arena.matches.playing.match_policy import MatchPolicy
from ramify.arena.matches.playing.openings import first_decision, open_game
from ramify.arena.matches.playing.repeated_game import RepeatPolicy, repeating
from ramify.arena.matches.rows import GameRow, GameSpec
from ramify.contract.game import Game, State
from ramify.contract.load import load
from ramify.players.engine import Engine
from ramify.players.engine_protocol import Seat
from ramify.players.game_in_progress import GameInProgress, by_dice
from ramify.players.player import Player, check
from ramify.players.player import player as make_player
from ramify.players.scripted import Scripted
from ramify.players.seated import SeatedPlayer, seat_player
from ramify.runs.caches import clear_between_sessions
from ramify.runs.jobs import Record
from ramify.runs.seeds import derive
from ramify.runs.versions import versions

PROBE_SECONDS = 0.05  # length of the search from which a game's duration is estimated


@lru_cache(maxsize=16)
def _game(name: str) -> Game:
    return load(name)


@lru_cache(maxsize=256)
def _player(text: str) -> Player:
    return replace(make_player(text), limits=None)  # its budget is in the spec


@lru_cache(maxsize=256)
def _warm(game: str, agent: str) -> None:
    """Load what a search of this agent needs: 0.1 s that must not count on a clock.

    Engines are started with their games. If one cannot be started it loses the game.
    """
    player = _player(agent)
    if not isinstance(player, Engine):
        check(player, first_decision(_game(game), "", 0))


@lru_cache(maxsize=16)
def _compile(game: str) -> None:
    _game(game).warm()


clear_between_sessions(_game, _player, _warm, _compile)


def play(spec: GameSpec, replay_of: GameRow | None = None, now: Callable[[], float] = perf_counter) -> GameRow:
    """Play a game. Each move's search has its own random stream, derived from the game's seed and the ply.

    ``replay_of`` replays a game that depended on time or on an engine: simulations per move, engines' moves and
    irregular losses are taken from that row.
    """
    game = _game(spec.game)
    for text in spec.agents:
        _warm(spec.game, text)
    data, moves, dice = open_game(game, spec.start, spec.opening_plies, spec.pair_seed)
    policy = MatchPolicy(len(moves)) if replay_of is None else RepeatPolicy(len(moves), replay_of)
    seats = [
        Seat(game, seat, derive(spec.seed, "seat", seat), spec.start, limits) for seat, limits in enumerate(spec.limits)
    ]
    seated = _seated_players(spec, replay_of, now)
    played = GameInProgress(State(game, data, tuple(moves)), seats, seated, by_dice(dice), policy)
    scores = played.play()
    return GameRow(
        **vars(spec),
        moves=played.state.history,
        searched=tuple(policy.searched),
        scores=scores,
        score=score_of_first(scores, spec.seats),
        ended=played.ended,
        plies=len(played.state.history),
        simulations=tuple(player.simulations for player in seated),
        calls=tuple(player.calls for player in seated),
        seconds=tuple(round(player.seconds, 6) for player in seated),
        finished=round(time.time(), 3),
        versions=versions(),
        overruns=tuple(int(player.out_of_time) for player in seated) if replay_of is None else replay_of.overruns,
        faults=played.faults,
    )


def _seated_players(spec: GameSpec, replay_of: GameRow | None, now: Callable[[], float]) -> list[SeatedPlayer]:
    players = [_player(text) for text in spec.agents]
    if replay_of is None:
        return [seat_player(one, limits, spec.seed, now) for one, limits in zip(players, spec.limits, strict=True)]
    return [repeating(one, replay_of) for one in players]


@dataclass(frozen=True)
class GameJob:
    """A game as a job for workers."""

    spec: GameSpec
    verb: ClassVar[str] = "played"

    @property
    def number(self) -> int:
        return self.spec.number

    @property
    def name(self) -> str:
        return f"game {self.spec.number}"

    def descriptions(self) -> tuple[str, ...]:
        return (self.spec.game, *self.spec.agents)

    def prepare(self) -> None:
        """Compile and load what the game needs."""
        _compile(self.spec.game)
        for text in self.spec.agents:
            _warm(self.spec.game, text)

    def expected_seconds(self) -> float:
        """Estimate: as many plies as a simulation has, each searched as long as the first one."""
        game = _game(self.spec.game)
        state = first_decision(game, self.spec.start, self.spec.opening_plies)
        return sum(
            _expected_seconds(state, text, limits)
            for text, limits in zip(self.spec.agents, self.spec.limits, strict=True)
        ) / len(self.spec.agents)

    def run(self) -> Record:
        return play(self.spec).record()


def _expected_seconds(state: State, agent: str, limits: PlayerLimits) -> float:
    """Estimate the duration of a game in which this agent made every move; infinite for engines."""
    player = _player(agent)
    if isinstance(player, Engine):
        return math.inf
    if isinstance(player, Scripted):
        return 0.0
    given, _ = limits.first_move_budget(player.timing)
    report = Search(state, player, seed=0).run(
        replace(given, seconds=min(given.seconds or PROBE_SECONDS, PROBE_SECONDS))
    )
    parts = [
        (report.simulations, given.simulations),
        (report.seconds, given.seconds),
        (report.calls, given.calls),
    ]
    longer = min(whole / max(part, 1e-9) for part, whole in parts if whole is not None)
    return report.calls / max(report.simulations, 1) * report.seconds * longer


def score_of_first(scores: Sequence[float], seats: Sequence[int]) -> float:
    """Return the first agent's score: 1/2 plus half the mean lead of its seats over the other agent's.

    With two players whose scores sum to 1 this is its own score. Otherwise equal agents still get 1/2 on average.
    """
    means = [0.0, 0.0]
    for agent in (0, 1):
        own = [score for score, seat in zip(scores, seats, strict=True) if seat == agent]
        means[agent] = sum(own) / len(own)
    return (1 + means[0] - means[1]) / 2
