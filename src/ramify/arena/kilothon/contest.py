"""One game of Kilothon, by the rules of the contest.

The challenger is the first player and the stock opponent the second; others move at random. Each of the two has a
minute for the whole game, which is looked at after each of their moves; whoever has used it up moves at random from
then on. Loading and setting up are not timed. After 500 moves a player nobody has won. What a side does wrong costs it
the game, and what the game does wrong costs nobody anything.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import lru_cache
from time import perf_counter
from typing import TypeVar

from ramify.agents.agent import Agent
from ramify.agents.side_limits import SideLimits
from ramify.agents.time_control import RANDOM
from ramify.arena.kilothon.rows import FAILED, FORFEIT, LIMIT, OVER, KilothonRow, KilothonSpec
from ramify.arena.kilothon.scoring import payoff_of, rank_of
from ramify.arena.matches.openings import first_decision
from ramify.contract.game import Game, State
from ramify.contract.load import load
from ramify.contract.rules import PythonGenerator
from ramify.contract.run_errors import in_a_sentence, said
from ramify.contract.uncompiled import UncompiledGame
from ramify.core.engine.tree import CHANCE
from ramify.errors import GameFaultError, RamifyError
from ramify.players.conversation import Seat
from ramify.players.faults import LONGEST_REASON, Fault, Resignation
from ramify.players.player import Player, check
from ramify.players.player import player as make_player
from ramify.players.program import Program
from ramify.players.sides import Side, side_of
from ramify.runs.caches import forget_between_sittings
from ramify.runs.seeds import derive
from ramify.runs.versions import versions

MINUTE = 60.0  # seconds
MOVES = 500  # of each player
T = TypeVar("T")
SWAP = "swap"  # in the name of a move by which the sides change


class RandomSide(Side):
    """A seat that nobody has."""

    def chosen(self, state: State, ply: int, simulations: int | None) -> tuple[int, int]:
        """Any move."""
        del simulations
        return self.drawn(state, ply)


class Forfeit(Exception):  # noqa: N818  (it is a side's)
    """A side cannot go on."""

    def __init__(self, seat: int, reason: str) -> None:
        super().__init__(reason)
        self.seat = seat


@lru_cache(maxsize=4)
def _game(name: str) -> Game:
    """The game; one of another program that compiles as it goes is warm."""
    game = load(name)
    if isinstance(game, UncompiledGame):
        game.warm()
    return game


@lru_cache(maxsize=64)
def timed_player(text: str, minute: float) -> Player:
    """A player whose seconds are those of a game of a minute, scaled to the minute of this contest."""
    made = make_player(text)
    if made.limits is not None:
        raise RamifyError(f"{text} has a budget of its own, but in Kilothon there is the clock alone; leave it out")
    return replace(made, timing=made.timing.scaled(minute / MINUTE)) if isinstance(made, Agent) else made


forget_between_sittings(_game, timed_player)


def seated(spec: KilothonSpec, players: int) -> list[str]:
    """Who sits where; empty for a seat that nobody has."""
    seats = [""] * players
    seats[spec.seat] = spec.agent
    if players > 1:
        seats[0 if spec.seat else 1] = spec.opponent
    return seats


def load_all(spec: KilothonSpec) -> None:
    """Load or compile what a game needs; what a player refuses shows when it is played."""
    game = _game(spec.game)
    state = first_decision(game, "", 0)
    for text in seated(spec, game.players):
        player = timed_player(text, spec.minute) if text else None
        if player is not None and not isinstance(player, Program):
            try:
                check(player, state)
            except RamifyError:
                continue


def play(spec: KilothonSpec, now: Callable[[], float] = perf_counter) -> KilothonRow:
    """Play a game."""
    try:
        load_all(spec)
        return Table(spec, _game(spec.game), now).play()
    except Exception as error:  # noqa: BLE001  (of the game, or of a bridge; the contest goes on)
        return failed(spec, reason_of(error))


def failed(spec: KilothonSpec, reason: str) -> KilothonRow:
    """The row of a game that could not be played."""
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
    """What went wrong, on one line."""
    line = " ".join((str(error) if isinstance(error, RamifyError) else in_a_sentence(error) or said(error)).split())
    return line if len(line) <= LONGEST_REASON else line[: LONGEST_REASON - 4] + " ..."


class Table:
    """A game as it is played."""

    def __init__(self, spec: KilothonSpec, game: Game, now: Callable[[], float]) -> None:
        self.spec = spec
        self.game = game
        self.dice = PythonGenerator(derive(spec.seed, "dice"))
        self.data = game.start()
        self.moves: list[str] = []
        self.decisions = 0
        self.seat = 0  # whose turn it is
        limits = SideLimits(clock=spec.minute, on_time=RANDOM)
        self.sides: list[Side] = [
            side_of(timed_player(text, spec.minute), limits, derive(spec.seed, "seat", seat), now)
            if text
            else RandomSide(limits, derive(spec.seed, "seat", seat), lambda: 0.0)
            for seat, text in enumerate(seated(spec, game.players))
        ]

    def play(self) -> KilothonRow:
        """Play to the end."""
        lost: Forfeit | None = None
        try:
            for seat, side in enumerate(self.sides):
                self.asked(seat, side.begin, Seat(self.game, seat, side.seed, "", side.limits))
            while self.goes_on():
                self.ply()
        except Forfeit as forfeit:
            lost = forfeit
        scores = self.scores(lost)
        for seat, side in enumerate(self.sides):
            side.close(None if lost is not None and lost.seat == seat else scores)
        return self.row(scores, lost)

    def goes_on(self) -> bool:
        """Whether somebody is to move."""
        return not self.game.over(self.data) and self.decisions < MOVES * self.game.players

    def ply(self) -> None:
        """One move of whoever is to move."""
        mover = self.game.mover(self.data)
        state = State(self.game, self.data, tuple(self.moves))
        if mover == CHANCE:
            code = self.dice.outcome(self.game.chances(self.data))
        else:
            code, _ = self.asked(mover, self.sides[mover].choose, state, len(self.moves))
            self.decisions += 1
        self.moves.append(state.named(code).name)
        self.data = self.game.play(self.data, code)
        after = State(self.game, self.data, tuple(self.moves))
        for seat, side in enumerate(self.sides):
            self.asked(seat, side.follow, after, code)

    def asked(self, seat: int, do: Callable[..., T], *given: object) -> T:
        """What a side does; whatever goes wrong there costs it the game, unless it is the game's own fault."""
        try:
            return do(*given)
        except GameFaultError:
            raise
        except Fault as fault:
            raise Forfeit(seat, fault.reason) from fault
        except Resignation:
            raise Forfeit(seat, "gave up") from None
        except Exception as error:
            raise Forfeit(seat, reason_of(error)) from error

    def scores(self, lost: Forfeit | None) -> tuple[float, ...]:
        """By seat; who cannot go on has lost, and all others have won."""
        if lost is not None:
            return tuple(float(seat != lost.seat) for seat in range(self.game.players))
        return tuple(self.game.scores(self.data)) if self.game.over(self.data) else (0.5,) * self.game.players

    def swapped(self) -> bool:
        """Whether the challenger ended with another's colour; where the game cannot tell, the names of moves do."""
        told = self.game.swapped(self.data, self.spec.seat)
        if told is not None:
            return told
        return sum(SWAP in move.lower() for move in self.moves) % 2 == 1

    def row(self, scores: Sequence[float], lost: Forfeit | None) -> KilothonRow:
        """What came out."""
        spec, over = self.spec, self.game.over(self.data)
        return KilothonRow(
            **vars(spec),
            scores=tuple(scores),
            payoff=payoff_of(rank_of(scores, spec.seat), self.game.players),
            swapped=int(self.swapped()),
            ended=FORFEIT if lost is not None else OVER if over else LIMIT,
            moves=tuple(self.moves),
            simulations=tuple(side.simulations for side in self.sides),
            seconds=tuple(round(side.seconds, 6) for side in self.sides),
            overruns=tuple(int(side.fallen) for side in self.sides),
            faults=tuple(
                str(lost) if lost is not None and lost.seat == seat else "" for seat in range(self.game.players)
            ),
            finished=round(time.time(), 3),
            versions=versions(),
        )
