"""One game from its specification, and the job that every worker does with it."""

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

PROBE_SECONDS = 0.05  # seconds of a search by which the time of a whole game is guessed


@lru_cache(maxsize=16)
def _game(name: str) -> Game:
    return load(name)


@lru_cache(maxsize=256)
def _player(text: str) -> Player:
    return replace(make_player(text), limits=None)  # its budget is in the specification


@lru_cache(maxsize=256)
def _warm(game: str, agent: str) -> None:
    """Load what a search of this agent needs: 0.1 s that the clock of a process's first game must not show.

    Other programs are started with their games: one that is not there any more loses them.
    """
    player = _player(agent)
    if not isinstance(player, Engine):
        check(player, first_decision(_game(game), "", 0))


@lru_cache(maxsize=16)
def _compile(game: str) -> None:
    _game(game).warm()


clear_between_sessions(_game, _player, _warm, _compile)


def play(spec: GameSpec, again: GameRow | None = None, now: Callable[[], float] = perf_counter) -> GameRow:
    """Play a game. Every move's search has a stream of its own, derived from the game's seed and the ply.

    To repeat a game in which time or another program had a part, ``again`` is the row of it: it says how many
    simulations each move had, what other programs played, and who lost otherwise than by the rules.
    """
    game = _game(spec.game)
    for text in spec.agents:
        _warm(spec.game, text)
    data, moves, dice = open_game(game, spec.start, spec.opening_plies, spec.pair_seed)
    policy = MatchPolicy(len(moves)) if again is None else RepeatPolicy(len(moves), again)
    seats = [
        Seat(game, seat, derive(spec.seed, "seat", seat), spec.start, limits) for seat, limits in enumerate(spec.limits)
    ]
    sides = _seated_players(spec, again, now)
    played = GameInProgress(State(game, data, tuple(moves)), seats, sides, by_dice(dice), policy)
    scores = played.play()
    return GameRow(
        **vars(spec),
        moves=played.state.history,
        searched=tuple(policy.searched),
        scores=scores,
        score=score_of_first(scores, spec.seats),
        ended=played.ended,
        plies=len(played.state.history),
        simulations=tuple(side.simulations for side in sides),
        calls=tuple(side.calls for side in sides),
        seconds=tuple(round(side.seconds, 6) for side in sides),
        finished=round(time.time(), 3),
        versions=versions(),
        overruns=tuple(int(side.out_of_time) for side in sides) if again is None else again.overruns,
        faults=played.faults,
    )


def _seated_players(spec: GameSpec, again: GameRow | None, now: Callable[[], float]) -> list[SeatedPlayer]:
    players = [_player(text) for text in spec.agents]
    if again is None:
        return [seat_player(one, limits, spec.seed, now) for one, limits in zip(players, spec.limits, strict=True)]
    return [repeating(one, again) for one in players]


@dataclass(frozen=True)
class GameJob:
    """A game as a job for workers of any kind."""

    spec: GameSpec
    verb: ClassVar[str] = "played"

    @property
    def number(self) -> int:
        """Of the game in its run."""
        return self.spec.number

    @property
    def name(self) -> str:
        """By its number."""
        return f"game {self.spec.number}"

    def descriptions(self) -> tuple[str, ...]:
        """The game and its agents."""
        return (self.spec.game, *self.spec.agents)

    def prepare(self) -> None:
        """Compile or load all that the game needs."""
        _compile(self.spec.game)
        for text in self.spec.agents:
            _warm(self.spec.game, text)

    def expected_seconds(self) -> float:
        """As many plies as a simulation has, each with a search as long as the first one."""
        game = _game(self.spec.game)
        state = first_decision(game, self.spec.start, self.spec.opening_plies)
        return sum(
            _expected_seconds(state, text, limits)
            for text, limits in zip(self.spec.agents, self.spec.limits, strict=True)
        ) / len(self.spec.agents)

    def run(self) -> Record:
        """Play it."""
        return play(self.spec).record()


def _expected_seconds(state: State, agent: str, limits: PlayerLimits) -> float:
    """About how long a game would take in which this agent had every move; nobody knows that of other programs."""
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
    """The first agent's score: 1/2 plus half the mean lead of its seats over the other agent's.

    In a game of two whose scores add up to 1 that is its own score; with more players, or scores that do not add up,
    equal agents still get 1/2 on average.
    """
    means = [0.0, 0.0]
    for agent in (0, 1):
        own = [score for score, seat in zip(scores, seats, strict=True) if seat == agent]
        means[agent] = sum(own) / len(own)
    return (1 + means[0] - means[1]) / 2
