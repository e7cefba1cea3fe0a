"""Whom a person plays against in the terminal: an agent of ours, or another program."""

from __future__ import annotations

import math
from random import Random
from typing import TYPE_CHECKING

from ramify.agents.clock import Clock
from ramify.agents.searcher import Search
from ramify.cli.common import value_text
from ramify.core.engine.tree import EVERYBODY
from ramify.players.conversation import Seat
from ramify.players.faults import Fault
from ramify.players.program import Program
from ramify.players.scripted import Scripted
from ramify.players.sides import Side, side_of
from ramify.runs.seeds import derive

if TYPE_CHECKING:
    from ramify.agents.agent import Agent
    from ramify.agents.side_limits import SideLimits
    from ramify.contract.game import State
    from ramify.players.player import Player


class AgentOpponent:
    """An agent's searches, on a clock for each seat if there is one."""

    def __init__(self, agent: Agent, limits: SideLimits, seed: int, random: Random, players: int) -> None:
        self.agent = agent
        self.limits = limits
        self.seed = seed
        self.random = random
        self.clocks = [limits.new_clock() for _ in range(players)]

    def answer(self, state: State, ply: int, seat: int) -> tuple[str, str]:
        """A move, and what to say about it."""
        search = self._search(state, ply, seat)  # before the clock runs: it may compile
        clock: Clock | None = self.clocks[seat]
        if clock is None:
            report = search.run(self.limits.of_a_move())
            return str(report.move), f"agent, value {value_text(report.value)}"
        clock.start()
        control = self.limits.move_time(self.agent.timing, clock)
        if control is None or control.seconds <= 0:
            move, value = str(self.random.choice(state.moves(seat))), math.nan
        else:
            report = search.run(self.limits.of_a_move(control), control=control)
            move, value = str(report.move), report.value
        clock.stop()
        return move, f"agent, value {value_text(value)}, {max(0.0, clock.left):.1f} s left"

    def hint(self, state: State, ply: int, seat: int) -> str:
        """What the agent would do; of a clock it takes the time of a first move."""
        budget, control = self.limits.of_first_move(self.agent.timing)
        report = self._search(state, ply, seat).run(budget, control=control)
        line = " ".join(str(move) for move in report.variation[:8])
        return f"try {report.move} (value {value_text(report.value)}); line {line}"

    def _search(self, state: State, ply: int, seat: int) -> Search:
        seed = derive(self.seed, ply, seat) if state.to_move == EVERYBODY else self.seed + ply
        return Search(state, self.agent, seed=seed, player=seat)

    def close(self) -> None:
        """Nothing is left behind."""


class ProgramOpponent:
    """Another program, started anew for each seat that it has, or the game's script."""

    def __init__(self, program: Program | Scripted, limits: SideLimits, seed: int, start: str) -> None:
        self.program = program
        self.kind = "script" if isinstance(program, Scripted) else "program"
        self.limits = limits
        self.seed = seed
        self.start = start  # the position in which the game began; empty for the game's own
        self.sides: dict[int, Side] = {}

    def answer(self, state: State, ply: int, seat: int) -> tuple[str, str]:
        """A move, and what to say about it; a fault of the program is raised."""
        if seat not in self.sides:
            self.sides[seat] = side_of(self.program, self.limits, self.seed)
            self.sides[seat].begin(Seat(state.game, seat, self.seed, self.start, self.limits))
        side = self.sides[seat]
        code, _ = side.choose(state, ply)
        if side.fallen:
            raise Fault("moved when its clock had run out", late=True)
        left = f", {max(0.0, side.clock.left):.1f} s left" if side.clock else ""
        return state.game.move_name(state.data, code), f"{self.kind}{left}"

    def hint(self, state: State, ply: int, seat: int) -> str:
        """There are none."""
        del state, ply, seat
        return "scripts give no hints" if isinstance(self.program, Scripted) else "other programs give no hints"

    def close(self) -> None:
        """End it."""
        for side in self.sides.values():
            side.close()


Opponent = AgentOpponent | ProgramOpponent


def opponent_of(player: Player, limits: SideLimits, seed: int, random: Random, start: State, text: str) -> Opponent:
    """An opponent in a game that begins in ``start``, which ``text`` describes."""
    if isinstance(player, Program | Scripted):
        player.check(start.game)
        return ProgramOpponent(player, limits, seed, "" if start.history else text)  # the history may tell it all
    return AgentOpponent(player, limits, seed, random, start.game.players)
