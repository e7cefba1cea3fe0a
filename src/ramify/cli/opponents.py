"""Opponents of a person in the terminal: an agent, an engine or a game's script, one per seat."""

from __future__ import annotations

import math
from abc import abstractmethod
from collections.abc import Sequence
from random import Random
from typing import TYPE_CHECKING

from ramify.agents.search.search import Search
from ramify.cli.shared_options import value_text
from ramify.core.search.tree import SIMULTANEOUS
from ramify.players.engine import Engine
from ramify.players.engine_protocol import Seat
from ramify.players.faults import Fault
from ramify.players.scripted import Scripted
from ramify.players.seated import SeatedPlayer, seat_player
from ramify.runs.seeds import derive

if TYPE_CHECKING:
    from ramify.agents.agent import Agent
    from ramify.agents.search.report import Report
    from ramify.contract.game import State
    from ramify.players.player import Player


class Opponent(SeatedPlayer):
    """A seated player; ``remark`` describes its last move."""

    def __init__(self, seat: Seat, opened: int) -> None:
        super().__init__(seat.seed)
        self.seat = seat
        self.number = seat.number
        self.opened = opened  # plies already played when the game began here
        self.remark = ""

    def turn(self, ply: int) -> int:
        """Number of a ply since the game began here, from 1. Seeds depend on it."""
        return ply - self.opened + 1

    @abstractmethod
    def hint(self, state: State, ply: int) -> str:
        """Suggest a move for this seat."""


class AgentOpponent(Opponent):
    """An agent. It does not lose on time: when its clock has run out it plays random moves."""

    def __init__(self, agent: Agent, seat: Seat, opened: int, random: Random) -> None:
        super().__init__(seat, opened)
        self.agent = agent
        self.limits = seat.limits
        self.random = random
        self.clock = seat.limits.new_clock()

    def choose(self, state: State, ply: int) -> tuple[int, int]:
        search = self._search(state, ply)  # before the clock starts: this may compile
        clock = self.clock
        if clock is None:
            report = search.run(self.limits.move_budget())
            self.remark = f"agent, value {value_text(report.value)}"
            return self._code(state, report), report.simulations
        clock.start()
        time = self.limits.move_time(self.agent.timing, clock)
        if time is None or time.seconds <= 0:
            code, value, spent = self.random.choice(state.codes(self.number)), math.nan, 0
        else:
            report = search.run(self.limits.move_budget(time), control=time)
            code, value, spent = self._code(state, report), report.value, report.simulations
        clock.stop()
        self.remark = f"agent, value {value_text(value)}, {max(0.0, clock.remaining):.1f} s left"
        return code, spent

    def hint(self, state: State, ply: int) -> str:
        """Search for a suggestion. With a clock, spend as much time as on a first move."""
        budget, time = self.limits.first_move_budget(self.agent.timing)
        report = self._search(state, ply).run(budget, control=time)
        line = " ".join(str(move) for move in report.variation[:8])
        return f"try {report.move} (value {value_text(report.value)}); line {line}"

    def _code(self, state: State, report: Report) -> int:
        return state.find_for(self.number, str(report.move)).code

    def _search(self, state: State, ply: int) -> Search:
        turn = self.turn(ply)
        seed = derive(self.seed, turn, self.number) if state.to_move == SIMULTANEOUS else self.seed + turn
        return Search(state, self.agent, seed=seed, player=self.number)


class EngineOpponent(Opponent):
    """An engine, started before its first move, or the game's script."""

    def __init__(self, engine: Engine | Scripted, seat: Seat, opened: int) -> None:
        super().__init__(seat, opened)
        self.kind = "script" if isinstance(engine, Scripted) else "program"
        self.player = seat_player(engine, seat.limits, seat.seed)
        self.started = False

    def choose(self, state: State, ply: int) -> tuple[int, int]:
        """Ask for a move. Raise Fault if the clock has run out."""
        if not self.started:
            self.started = True
            self.player.begin(self.seat)
        chosen = self.player.choose(state, self.turn(ply))
        if self.player.out_of_time:
            raise Fault("moved when its clock had run out", late=True)
        left = f", {max(0.0, self.player.clock.remaining):.1f} s left" if self.player.clock else ""
        self.remark = f"{self.kind}{left}"
        return chosen

    def hint(self, state: State, ply: int) -> str:
        del state, ply
        return f"{'scripts' if self.kind == 'script' else 'engines'} give no hints"

    def close(self, scores: Sequence[float] | None = None) -> None:
        del scores
        self.player.close()


def opponent_of(player: Player, seat: Seat, opened: int, random: Random) -> Opponent:
    """Make the opponent for a seat in a game that begins after ``opened`` plies."""
    if isinstance(player, Engine | Scripted):
        return EngineOpponent(player, seat, opened)
    return AgentOpponent(player, seat, opened, random)
