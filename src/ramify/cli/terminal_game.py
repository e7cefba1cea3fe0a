"""A game in the terminal: what a person types and sees, and what can be undone."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from random import Random
from typing import TYPE_CHECKING

from ramify.cli.opponents import Opponent, opponent_of
from ramify.core.search.tree import CHANCE, SIMULTANEOUS
from ramify.errors import RamifyError
from ramify.players.engine import Engine
from ramify.players.engine_protocol import Seat
from ramify.players.faults import Fault, Resignation
from ramify.players.game_in_progress import GameInProgress, GamePolicy, Spent, TakenBack
from ramify.players.scripted import Scripted
from ramify.players.seated import SeatedPlayer

if TYPE_CHECKING:
    from ramify.agents.budgets.player_limits import PlayerLimits
    from ramify.contract.game import Code, State
    from ramify.players.endings import IrregularLoss
    from ramify.players.player import Player

HELP = "Type a move, or: moves, hint, undo, help, quit."


class TerminalGame(GamePolicy):
    """One game against ``player``, who sits in all seats but that of the person; that is -1 if nobody types."""

    def __init__(
        self, start: State, position: str, player: Player, limits: PlayerLimits, person: int, seed: int, dice: Random
    ) -> None:
        if isinstance(player, Engine | Scripted):
            player.check(start.game)
        self.states = [start]
        self.person = person
        self.random = dice
        text = "" if start.history else position  # the history tells it all
        self.seats = [Seat(start.game, seat, seed, text, limits) for seat in range(start.game.players)]
        self.opponents = [opponent_of(player, seat, len(start.history), dice) for seat in self.seats]

    def play(self) -> None:
        """Play until the game is over or somebody leaves."""
        print(HELP)
        sides: list[SeatedPlayer] = list(self.opponents)
        if self.person >= 0:
            sides[self.person] = Person(self, self.opponents[self.person])
        played = GameInProgress(self.states[0], self.seats, sides, self.chance, self)
        scores = played.play()
        if played.lost is None:
            print(f"\n{played.state}\n")
            print("the game is over: " + ", ".join(f"player {k + 1} {score:g}" for k, score in enumerate(scores)))

    def chance(self, state: State) -> int:
        """An outcome by its probability."""
        outcomes = state.game.chance_outcomes(state.data)
        return self.random.choices([code for code, _ in outcomes], [weight for _, weight in outcomes])[0]

    def asking_order(self, players: int) -> Iterable[int]:
        """The person first, who need not wait for searches."""
        return sorted(range(players), key=lambda seat: seat != self.person)

    def before_move(self, state: State) -> None:
        """Show the position to whoever only watches, where everybody moves; a person sees it when asked."""
        if self.person < 0 and state.to_move == SIMULTANEOUS:
            print(f"\n{state}\n")

    def after_move(self, before: State, code: Code, after: State, spent: Spent) -> None:
        """Say who played what."""
        del spent
        self.states.append(after)
        mover = before.to_move
        if mover == CHANCE:
            print(f"chance: {after.history[-1]}")
            return
        for seat, one in enumerate(code) if isinstance(code, tuple) else [(mover, code)]:
            who = "you" if seat == self.person else self.opponents[seat].remark
            print(f"player {seat + 1} plays {before.game.move_name(before.data, one)} ({who})")

    def loss(self, seat: int, error: Exception) -> IrregularLoss | None:
        """Say why the game ends; a person resigns by leaving."""
        if isinstance(error, Fault):
            print(f"player {seat + 1} {error}, so the game is over")
        elif isinstance(error, Resignation):
            print("bye" if seat == self.person else f"player {seat + 1} resigns")
        return super().loss(seat, error)

    def undo(self) -> None:
        """Go back to the person's move before this one."""
        for k in reversed(range(len(self.states) - 1)):
            if self.states[k].to_move in (self.person, SIMULTANEOUS):
                del self.states[k + 1 :]
                raise TakenBack(self.states[k])
        print("there is nothing to undo")


class Person(SeatedPlayer):
    """Whoever types."""

    def __init__(self, game: TerminalGame, adviser: Opponent) -> None:
        super().__init__()
        self.game = game
        self.adviser = adviser

    def choose(self, state: State, ply: int) -> tuple[int, int]:
        """Do what the person types, until that is a move."""
        while True:
            print(f"\n{state}\n")
            print(f"player {self.number + 1}> ", end="", flush=True)
            line = sys.stdin.readline()
            word = line.strip()
            if not line or word in ("quit", "exit", "q"):
                raise Resignation
            if word == "help":
                print(HELP)
            elif word == "moves":
                print(" ".join(str(move) for move in state.moves(self.number)))
            elif word == "hint":
                print(self.adviser.hint(state, ply))
            elif word == "undo":
                self.game.undo()
            elif word:
                try:
                    return state.find_for(self.number, word).code, 0
                except RamifyError as error:
                    print(error)
