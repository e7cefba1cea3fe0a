"""``ramify play``: a person against an agent in the terminal."""

from __future__ import annotations

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
)
from ramify.errors import RamifyError

if TYPE_CHECKING:
    from ramify.cli.opponents import Opponent
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
    """Play against an agent or another program; one second a move unless a budget is given. You have no clock.

    Example: ramify play connect4 --seat 2 --seconds 1

    Where everybody moves at once you type your move, and the agent chooses its own without knowing it.

    With a clock: ramify play othello --agent 'uct(timing=bonus)' --clock 60+0.5

    Another program: ramify play othello --agent 'external(cmd="python3 mine.py")'
    """
    from ramify.agents.budgets.agent_budget import refuse_two_budgets
    from ramify.agents.budgets.player_limits import SideLimits, limits_of
    from ramify.cli.opponents import opponent_of
    from ramify.contract.load import load
    from ramify.players.player import player

    made = player(agent)
    given = limits_of(simulations, seconds, clock=clock)
    refuse_two_budgets(made, given)
    limits = given or made.limits or SideLimits(seconds=1.0)
    with saying_when_compiling():
        loaded = load(game)
        start = loaded.initial() if position is None else loaded.position(position)
        if not 0 <= seat <= loaded.players:
            raise RamifyError(f"the seat must be 1 to {loaded.players}, or 0 to watch, not {seat}")
        seed = secrets.randbits(32) if seed is None else seed
        dice = random.Random(seed)  # noqa: S311  (of a game)
        opponent = opponent_of(replace(made, limits=None), limits, seed, dice, start, position or "")
        try:
            TerminalGame(start, opponent, seat - 1, dice).play()
        finally:
            opponent.close()


class TerminalGame:
    """One game between a person and an agent, with everything that can be undone."""

    def __init__(self, state: State, opponent: Opponent, person: int, dice: random.Random) -> None:
        self.states = [state]
        self.opponent = opponent
        self.person = person
        self.random = dice

    def play(self) -> None:
        """Play until the game is over or the person leaves."""
        from ramify.core.search.tree import CHANCE, EVERYBODY

        print(HELP)
        while not self.states[-1].over:
            state = self.states[-1]
            if state.to_move == CHANCE:
                moves, weights = zip(*state.chances(), strict=True)
                self.move(str(self.random.choices(moves, weights)[0]), "chance")
            elif state.to_move in (self.person, EVERYBODY):
                print(f"\n{state}\n")
                if not self.ask() if self.person >= 0 else not self.answer():
                    return
            elif not self.answer():
                return
        print(f"\n{self.states[-1]}\n")
        scores = self.states[-1].scores()
        print("the game is over: " + ", ".join(f"player {k + 1} {score:g}" for k, score in enumerate(scores)))

    def move(self, name: str, who: str) -> None:
        """Play a move and say so."""
        player = self.states[-1].to_move
        self.states.append(self.states[-1].play(name))
        print(f"player {player + 1} plays {name} ({who})" if player >= 0 else f"{who}: {name}")

    def answer(self, own: str | None = None) -> bool:
        """The opponent's move, or all moves of a position where everybody moves, ``own`` being the person's.

        False when the opponent has lost otherwise than by the rules.
        """
        from ramify.players.faults import Fault, Resignation

        state = self.states[-1]
        seats = range(state.game.players) if state.to_move < 0 else [state.to_move]
        made: list[tuple[str, str]] = []
        for seat in seats:
            try:
                mine = own is not None and seat == self.person
                made.append((own or "", "you") if mine else self.opponent.answer(state, len(self.states), seat))
            except Fault as fault:
                print(f"player {seat + 1} {fault}, so the game is over")
                return False
            except Resignation:
                print(f"player {seat + 1} resigns")
                return False
        if len(made) == 1:
            self.move(*made[0])
        else:
            self.states.append(state.play([name for name, _ in made]))
            for seat, (name, who) in enumerate(made):
                print(f"player {seat + 1} plays {name} ({who})")
        return True

    def ask(self) -> bool:
        """Do what the person types; False when the game is not to go on."""
        state = self.states[-1]
        print(f"player {self.person + 1}> ", end="", flush=True)
        line = sys.stdin.readline()
        word = line.strip()
        if not line or word in ("quit", "exit", "q"):
            print("bye")
            return False
        if word == "help":
            print(HELP)
        elif word == "moves":
            print(" ".join(str(move) for move in state.moves(self.person)))
        elif word == "hint":
            print(self.opponent.hint(state, len(self.states), self.person))
        elif word == "undo":
            self.undo()
        elif word:
            return self.played(word)
        return True

    def played(self, word: str) -> bool:
        """Make the move that the person typed, and what others do at the same time; False when one of them has lost."""
        state = self.states[-1]
        try:
            if state.to_move == self.person:
                self.move(word, "you")
            else:
                return self.answer(state.find_of(self.person, word).name)
        except RamifyError as error:
            print(error)
        return True

    def undo(self) -> None:
        """Go back to the person's move before this one."""
        from ramify.core.search.tree import EVERYBODY

        for k in reversed(range(len(self.states) - 1)):
            if self.states[k].to_move in (self.person, EVERYBODY):
                del self.states[k + 1 :]
                return
        print("there is nothing to undo")
