"""Whom a person plays against in the terminal: an agent of ours, or another program, in one seat each."""

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
    """A player with something to say: ``remark`` is about its last move."""

    def __init__(self, seat: Seat, opened: int) -> None:
        super().__init__(seat.seed)
        self.seat = seat
        self.number = seat.number
        self.opened = opened  # plies before the game began here
        self.remark = ""

    def turn(self, ply: int) -> int:
        """The number of a ply, from 1; seeds are made of it."""
        return ply - self.opened + 1

    @abstractmethod
    def hint(self, state: State, ply: int) -> str:
        """What it would do in this seat."""


class AgentOpponent(Opponent):
    """An agent's searches. On a clock it does not lose: without time it moves at random."""

    def __init__(self, agent: Agent, seat: Seat, opened: int, random: Random) -> None:
        super().__init__(seat, opened)
        self.agent = agent
        self.limits = seat.limits
        self.random = random
        self.clock = seat.limits.new_clock()

    def choose(self, state: State, ply: int) -> tuple[int, int]:
        """Search, within the budget or by the clock."""
        search = self._search(state, ply)  # before the clock runs: it may compile
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
        """What the agent would do; of a clock it takes the time of a first move."""
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


class ProgramOpponent(Opponent):
    """Another program, started when it is first asked, or the game's script."""

    def __init__(self, program: Engine | Scripted, seat: Seat, opened: int) -> None:
        super().__init__(seat, opened)
        self.kind = "script" if isinstance(program, Scripted) else "program"
        self.side = seat_player(program, seat.limits, seat.seed)
        self.started = False

    def choose(self, state: State, ply: int) -> tuple[int, int]:
        """Ask the program; a move after its time is a fault."""
        if not self.started:
            self.started = True
            self.side.begin(self.seat)
        chosen = self.side.choose(state, self.turn(ply))
        if self.side.out_of_time:
            raise Fault("moved when its clock had run out", late=True)
        left = f", {max(0.0, self.side.clock.remaining):.1f} s left" if self.side.clock else ""
        self.remark = f"{self.kind}{left}"
        return chosen

    def hint(self, state: State, ply: int) -> str:
        """There are none."""
        del state, ply
        return f"{'scripts' if self.kind == 'script' else 'other programs'} give no hints"

    def close(self, scores: Sequence[float] | None = None) -> None:
        """End it."""
        del scores
        self.side.close()


def opponent_of(player: Player, seat: Seat, opened: int, random: Random) -> Opponent:
    """An opponent in a seat of a game that begins after ``opened`` plies."""
    if isinstance(player, Engine | Scripted):
        return ProgramOpponent(player, seat, opened)
    return AgentOpponent(player, seat, opened, random)
