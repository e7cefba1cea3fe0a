"""A game against a person in the terminal: input, output and undo."""

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
    """One game against ``player``, which has all seats except ``person`` (-1: it has all of them)."""

    def __init__(
        self, start: State, position: str, player: Player, limits: PlayerLimits, person: int, seed: int, dice: Random
    ) -> None:
        if isinstance(player, Engine | Scripted):
            player.check(start.game)
        self.states = [start]
        self.person = person
        self.random = dice
        text = "" if start.history else position  # the history says it all
        self.seats = [Seat(start.game, seat, seed, text, limits) for seat in range(start.game.players)]
        self.opponents = [opponent_of(player, seat, len(start.history), dice) for seat in self.seats]

    def play(self) -> None:
        """Play until the game is over or the person quits."""
        print(HELP)
        players: list[SeatedPlayer] = list(self.opponents)
        if self.person >= 0:
            players[self.person] = Person(self, self.opponents[self.person])
        played = GameInProgress(self.states[0], self.seats, players, self.chance, self)
        scores = played.play()
        if played.lost is None:
            print(f"\n{played.state}\n")
            print("the game is over: " + ", ".join(f"player {k + 1} {score:g}" for k, score in enumerate(scores)))

    def chance(self, state: State) -> int:
        """Draw a chance outcome."""
        outcomes = state.game.chance_outcomes(state.data)
        return self.random.choices([code for code, _ in outcomes], [weight for _, weight in outcomes])[0]

    def asking_order(self, players: int) -> Iterable[int]:
        """Ask the person first, before searches take their time."""
        return sorted(range(players), key=lambda seat: seat != self.person)

    def before_move(self, state: State) -> None:
        """Print a simultaneous position for a spectator; a person sees it with the prompt."""
        if self.person < 0 and state.to_move == SIMULTANEOUS:
            print(f"\n{state}\n")

    def after_move(self, before: State, code: Code, after: State, spent: Spent) -> None:
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
        """Print why the game ends. A person resigns by quitting."""
        if isinstance(error, Fault):
            print(f"player {seat + 1} {error}, so the game is over")
        elif isinstance(error, Resignation):
            print("bye" if seat == self.person else f"player {seat + 1} resigns")
        return super().loss(seat, error)

    def undo(self) -> None:
        """Return to the person's previous move."""
        for k in reversed(range(len(self.states) - 1)):
            if self.states[k].to_move in (self.person, SIMULTANEOUS):
                del self.states[k + 1 :]
                raise TakenBack(self.states[k])
        print("nothing to undo")


class Person(SeatedPlayer):
    """The person at the keyboard."""

    def __init__(self, game: TerminalGame, adviser: Opponent) -> None:
        super().__init__()
        self.game = game
        self.adviser = adviser

    def choose(self, state: State, ply: int) -> tuple[int, int]:
        """Read and obey commands until one is a move."""
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
