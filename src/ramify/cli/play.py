"""``ramify play``: a person against an agent in the terminal."""

from __future__ import annotations

import math
import random
import secrets
import sys
from dataclasses import replace
from typing import TYPE_CHECKING, Annotated

import typer

from ramify.cli.common import (
    AgentOption,
    ClockOption,
    GameArgument,
    PositionOption,
    SecondsOption,
    SeedOption,
    SimulationsOption,
    saying_when_compiling,
    value_text,
)
from ramify.errors import RamifyError

if TYPE_CHECKING:
    from ramify.agents.agent import Agent
    from ramify.agents.clock import Clock
    from ramify.agents.report import Report
    from ramify.agents.searcher import Search
    from ramify.agents.side_limits import SideLimits
    from ramify.contract.game import State

HELP = "Type a move, or: moves, hint, undo, help, quit."


def command(
    game: GameArgument,
    agent: AgentOption = "uct",
    seat: Annotated[int, typer.Option(help="Which player you are, from 1; 0 lets the agent play all.")] = 1,
    simulations: SimulationsOption = None,
    seconds: SecondsOption = None,
    clock: ClockOption = None,
    position: PositionOption = None,
    seed: SeedOption = None,
) -> None:
    """Play against an agent; one second a move unless a budget is given. A clock is the agent's: you have none.

    Example: ramify play connect4 --seat 2 --seconds 1

    With a clock: ramify play othello --agent 'uct(timing=bonus)' --clock 60+0.5
    """
    from ramify.agents.agent import agent as make_agent
    from ramify.agents.own_budget import refuse_two_budgets
    from ramify.agents.side_limits import SideLimits, limits_of
    from ramify.contract.load import load

    made = make_agent(agent)
    given = limits_of(simulations, seconds, clock=clock)
    refuse_two_budgets(made, given)
    limits = given or made.limits or SideLimits(seconds=1.0)
    with saying_when_compiling():
        loaded = load(game)
        start = loaded.initial() if position is None else loaded.position(position)
        if not 0 <= seat <= loaded.players:
            raise RamifyError(f"the seat must be 1 to {loaded.players}, or 0 to watch, not {seat}")
        seed = secrets.randbits(32) if seed is None else seed
        TerminalGame(start, replace(made, limits=None), seat - 1, limits, seed).play()


class TerminalGame:
    """One game between a person and an agent, with everything that can be undone."""

    def __init__(self, state: State, agent: Agent, person: int, limits: SideLimits, seed: int) -> None:
        self.states = [state]
        self.agent = agent
        self.person = person
        self.limits = limits
        self.clocks = [limits.new_clock() for _ in range(state.game.players)]
        self.seed = seed
        self.random = random.Random(seed)  # noqa: S311  (dice of a game)

    def play(self) -> None:
        """Play until the game is over or the person leaves."""
        from ramify.core.engine.tree import CHANCE

        print(HELP)
        while not self.states[-1].over:
            state = self.states[-1]
            if state.to_move == CHANCE:
                moves, weights = zip(*state.chances(), strict=True)
                self.move(str(self.random.choices(moves, weights)[0]), "chance")
            elif state.to_move == self.person:
                print(f"\n{state}\n")
                if not self.ask():
                    print("bye")
                    return
            else:
                self.answer(self.clocks[state.to_move])
        print(f"\n{self.states[-1]}\n")
        scores = self.states[-1].scores()
        print("the game is over: " + ", ".join(f"player {k + 1} {score:g}" for k, score in enumerate(scores)))

    def move(self, name: str, who: str) -> None:
        """Play a move and say so."""
        player = self.states[-1].to_move
        self.states.append(self.states[-1].play(name))
        print(f"player {player + 1} plays {name} ({who})" if player >= 0 else f"{who}: {name}")

    def answer(self, clock: Clock | None) -> None:
        """The agent's move, on its clock if it has one."""
        from ramify.agents.own_budget import control_of

        search = self.search()  # before the clock runs: it may compile
        if clock is None:
            report = search.run(self.limits.of_a_move())
            self.move(str(report.move), f"agent, value {value_text(report.value)}")
            return
        clock.start()
        control = control_of(self.agent, self.limits, clock)
        if control is None or control.seconds <= 0:
            move, value = str(self.random.choice(self.states[-1].moves())), math.nan
        else:
            report = search.run(self.limits.of_a_move(control), control=control)
            move, value = str(report.move), report.value
        clock.stop()
        self.move(move, f"agent, value {value_text(value)}, {max(0.0, clock.left):.1f} s left")

    def search(self) -> Search:
        """A search of the position."""
        from ramify.agents.searcher import Search

        return Search(self.states[-1], self.agent, seed=self.seed + len(self.states))

    def hint(self) -> Report:
        """What the agent would do; of a clock it takes the time of a first move."""
        from ramify.agents.own_budget import control_of

        control = control_of(self.agent, self.limits, self.limits.new_clock())
        return self.search().run(self.limits.of_a_move(control), control=control)

    def ask(self) -> bool:
        """Do what the person types; False when they leave."""
        state = self.states[-1]
        print(f"player {self.person + 1}> ", end="", flush=True)
        line = sys.stdin.readline()
        word = line.strip()
        if not line or word in ("quit", "exit", "q"):
            return False
        if word == "help":
            print(HELP)
        elif word == "moves":
            print(" ".join(str(move) for move in state.moves()))
        elif word == "hint":
            report = self.hint()
            line = " ".join(str(move) for move in report.variation[:8])
            print(f"try {report.move} (value {value_text(report.value)}); line {line}")
        elif word == "undo":
            self.undo()
        elif word:
            try:
                self.move(word, "you")
            except RamifyError as error:
                print(error)
        return True

    def undo(self) -> None:
        """Go back to the person's move before this one."""
        for k in reversed(range(len(self.states) - 1)):
            if self.states[k].to_move == self.person:
                del self.states[k + 1 :]
                return
        print("there is nothing to undo")
