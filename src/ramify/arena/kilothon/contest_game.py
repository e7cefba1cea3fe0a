"""One game of Kilothon, by the rules of the contest.

The challenger is the first player and the stock opponent the second; any others play random moves. Each of the two has
one minute for the whole game. The clock is checked after each of their moves, and a player whose minute is used up
plays random moves from then on. Loading and setting up are not timed. After 500 moves per player the game is a draw.
A player's error costs it the game; a game that fails does not count.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import lru_cache
from time import perf_counter

from ramify.agents.agent import Agent
from ramify.agents.budgets.player_limits import PlayerLimits
from ramify.agents.budgets.time_control import RANDOM
from ramify.arena.kilothon.rows import FAILED, KilothonRow, KilothonSpec
from ramify.arena.kilothon.scoring import payoff_of, rank_of
from ramify.arena.matches.playing.openings import first_decision
from ramify.contract.author_errors import author_error_text, error_text
from ramify.contract.game import Code, Game, State
from ramify.contract.load import load
from ramify.contract.python_game import PythonGame
from ramify.contract.python_rules import PythonGenerator
from ramify.core.search.tree import CHANCE
from ramify.errors import GameFaultError, RamifyError
from ramify.players.endings import FORFEIT, IrregularLoss
from ramify.players.engine import Engine
from ramify.players.engine_protocol import Seat
from ramify.players.faults import MAX_REASON_LENGTH, Fault, Resignation
from ramify.players.game_in_progress import GameInProgress, GamePolicy, Spent, by_dice
from ramify.players.player import Player, check
from ramify.players.player import player as make_player
from ramify.players.seated import ClockedPlayer, SeatedPlayer, seat_player
from ramify.runs.caches import clear_between_sessions
from ramify.runs.seeds import derive
from ramify.runs.versions import versions

GAME_SECONDS = 60.0
MAX_MOVES_PER_PLAYER = 500
SWAP = "swap"  # part of the name of a move that swaps the players' colours


class SeatedRandom(ClockedPlayer):
    """A seat that plays random moves."""

    def _choose_timed(self, state: State, ply: int) -> tuple[int, int]:
        return self.random_move(state, ply)


@lru_cache(maxsize=4)
def _game(name: str) -> Game:
    """Load a game. Python games are warmed up, because their bridges may compile on first use."""
    game = load(name)
    if isinstance(game, PythonGame):
        game.warm()
    return game


@lru_cache(maxsize=64)
def timed_player(text: str, minute: float) -> Player:
    """Make a player whose timing, meant for a game of 60 seconds, is scaled to ``minute`` seconds."""
    made = make_player(text)
    if made.limits is not None:
        raise RamifyError(f"{text} has its own budget, but Kilothon only has a clock: remove the budget")
    return replace(made, timing=made.timing.scaled(minute / GAME_SECONDS)) if isinstance(made, Agent) else made


clear_between_sessions(_game, timed_player)


def players_by_seat(spec: KilothonSpec, players: int) -> list[str]:
    """Return the agent of each seat; empty for a seat that plays random moves."""
    seats = [""] * players
    seats[spec.seat] = spec.agent
    if players > 1:
        seats[0 if spec.seat else 1] = spec.opponent
    return seats


def load_all(spec: KilothonSpec) -> None:
    """Load or compile what a game needs. A player that cannot play it forfeits later."""
    game = _game(spec.game)
    state = first_decision(game, "", 0)
    for text in players_by_seat(spec, game.players):
        player = timed_player(text, spec.minute) if text else None
        if player is not None and not isinstance(player, Engine):
            try:
                check(player, state)
            except RamifyError:
                continue


def play(spec: KilothonSpec, now: Callable[[], float] = perf_counter) -> KilothonRow:
    try:
        load_all(spec)
        return ContestGame(spec, _game(spec.game), now).play()
    except Exception as error:  # noqa: BLE001  (the game's or a bridge's; the contest continues)
        return failed(spec, reason_of(error))


def failed(spec: KilothonSpec, reason: str) -> KilothonRow:
    """Row of a game that could not be played."""
    return KilothonRow(
        **vars(spec),
        scores=(0.0,),
        payoff=0.0,
        swapped=0,
        ended=FAILED,
        moves=(),
        simulations=(0,),
        seconds=(0.0,),
        overruns=(0,),
        faults=(reason,),
        finished=round(time.time(), 3),
        versions=versions(),
    )


def reason_of(error: Exception) -> str:
    """Return the error message on one line, at most MAX_REASON_LENGTH characters."""
    line = " ".join(
        (str(error) if isinstance(error, RamifyError) else author_error_text(error) or error_text(error)).split()
    )
    return line if len(line) <= MAX_REASON_LENGTH else line[: MAX_REASON_LENGTH - 4] + " ..."


class ContestPolicy(GamePolicy):
    """A draw after MAX_MOVES_PER_PLAYER moves each; a player's error costs it the game."""

    def __init__(self) -> None:
        self.decisions = 0

    def at_limit(self, state: State) -> bool:
        return self.decisions >= MAX_MOVES_PER_PLAYER * state.game.players

    def after_move(self, before: State, code: Code, after: State, spent: Spent) -> None:
        del code, after, spent
        self.decisions += before.to_move != CHANCE

    def loss(self, seat: int, error: Exception) -> IrregularLoss | None:
        """Return a forfeit, or None if the error is the game's own."""
        if isinstance(error, GameFaultError):
            return None
        if isinstance(error, Resignation):
            return IrregularLoss(seat, FORFEIT, "gave up")
        return IrregularLoss(seat, FORFEIT, error.reason if isinstance(error, Fault) else reason_of(error))


class ContestGame:
    """One game of the contest and its players."""

    def __init__(self, spec: KilothonSpec, game: Game, now: Callable[[], float]) -> None:
        self.spec = spec
        self.game = game
        limits = PlayerLimits(clock=spec.minute, on_time=RANDOM)
        seeds = [derive(spec.seed, "seat", seat) for seat in range(game.players)]
        self.seats = [Seat(game, seat, seed, "", limits) for seat, seed in enumerate(seeds)]
        self.players: list[SeatedPlayer] = [
            seat_player(timed_player(text, spec.minute), limits, seed, now)
            if text
            else SeatedRandom(limits, seed, lambda: 0.0)
            for text, seed in zip(players_by_seat(spec, game.players), seeds, strict=True)
        ]

    def play(self) -> KilothonRow:
        dice = PythonGenerator(derive(self.spec.seed, "dice"))
        played = GameInProgress(self.game.initial(), self.seats, self.players, by_dice(dice), ContestPolicy())
        return self.row(played, played.play())

    def swapped(self, last: State) -> bool:
        """Whether a pie rule swapped the challenger's colour. Games that do not know are judged by the moves' names."""
        swapped = self.game.swapped(last.data, self.spec.seat)
        if swapped is not None:
            return swapped
        return sum(SWAP in move.lower() for move in last.history) % 2 == 1

    def row(self, played: GameInProgress, scores: Sequence[float]) -> KilothonRow:
        spec = self.spec
        return KilothonRow(
            **vars(spec),
            scores=tuple(scores),
            payoff=payoff_of(rank_of(scores, spec.seat), self.game.players),
            swapped=int(self.swapped(played.state)),
            ended=played.ended,
            moves=played.state.history,
            simulations=tuple(player.simulations for player in self.players),
            seconds=tuple(round(player.seconds, 6) for player in self.players),
            overruns=tuple(int(player.out_of_time) for player in self.players),
            faults=played.faults,
            finished=round(time.time(), 3),
            versions=versions(),
        )
