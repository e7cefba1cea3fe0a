"""``ramify play``: a person against an agent in the terminal."""

from __future__ import annotations

import random
import secrets
import sys
from typing import TYPE_CHECKING, Annotated

import typer

from ramify.cli.common import (
    AgentOption,
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
    from ramify.agents.budget import Budget
    from ramify.agents.report import Report
    from ramify.contract.game import State

HELP = "Type a move, or: moves, hint, undo, help, quit."


def command(
    game: GameArgument,
    agent: AgentOption = "uct",
    seat: Annotated[int, typer.Option(help="Which player you are, from 1; 0 lets the agent play all.")] = 1,
    simulations: SimulationsOption = None,
    seconds: SecondsOption = None,
    position: PositionOption = None,
    seed: SeedOption = None,
) -> None:
    """Play against an agent; one second a move unless a budget is given.

    Example: ramify play connect4 --seat 2 --seconds 1
    """
    from ramify.agents.agent import agent as make_agent
    from ramify.agents.own_budget import part_budget
    from ramify.contract.load import load

    made = make_agent(agent)
    if made.limits is None and simulations is None and seconds is None:
        seconds = 1.0
    made, budget = part_budget(made, simulations, seconds, None, None)
    with saying_when_compiling():
        loaded = load(game)
        start = loaded.initial() if position is None else loaded.position(position)
        if not 0 <= seat <= loaded.players:
            raise RamifyError(f"the seat must be 1 to {loaded.players}, or 0 to watch, not {seat}")
        seed = secrets.randbits(32) if seed is None else seed
        TerminalGame(start, made, seat - 1, budget, seed).play()


class TerminalGame:
    """One game between a person and an agent, with everything that can be undone."""

    def __init__(self, state: State, agent: Agent, person: int, budget: Budget, seed: int) -> None:
        self.states = [state]
        self.agent = agent
        self.person = person
        self.budget = budget
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
                report = self.think()
                self.move(str(report.move), f"agent, value {value_text(report.value)}")
        print(f"\n{self.states[-1]}\n")
        scores = self.states[-1].scores()
        print("the game is over: " + ", ".join(f"player {k + 1} {score:g}" for k, score in enumerate(scores)))

    def move(self, name: str, who: str) -> None:
        """Play a move and say so."""
        player = self.states[-1].to_move
        self.states.append(self.states[-1].play(name))
        print(f"player {player + 1} plays {name} ({who})" if player >= 0 else f"{who}: {name}")

    def think(self) -> Report:
        """The agent's search of the position."""
        from ramify.agents.searcher import Search

        search = Search(self.states[-1], self.agent, seed=self.seed + len(self.states))
        return search.run(self.budget)

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
            report = self.think()
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
