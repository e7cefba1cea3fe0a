"""Decisive games of two players who move at once as the work of a point: draws are played again, as in the paper."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from ramify.agents.agent import Agent
from ramify.agents.budgets.player_limits import PlayerLimits
from ramify.arena.matches.playing.openings import first_decision
from ramify.contract.game import Game, State
from ramify.contract.load import load
from ramify.contract.python_rules import PythonGenerator
from ramify.errors import RamifyError
from ramify.experiments.framework.work import Sums, Work
from ramify.players.engine import Engine
from ramify.players.engine_protocol import Seat
from ramify.players.game_in_progress import GameInProgress, GamePolicy, by_dice
from ramify.players.player import check, player
from ramify.players.scripted import Scripted
from ramify.players.seated import ClockedPlayer, seat_player
from ramify.runs.seeds import derive

MAX_DRAWS_IN_A_ROW = 100  # in a row; the trial is then given up


@dataclass(frozen=True)
class DecisiveGames(Work):
    """Two agents at one game, with the same budget; a trial is a game that somebody wins, in every other seat.

    Sums: ``wins`` and ``losses`` of the first agent, ``draws`` played before, ``given_up`` trials without a winner,
    ``plies`` of all games.
    """

    stored_form = "DecisiveGames(game, first, second, limits)"

    game: str
    first: str
    second: str
    limits: PlayerLimits

    def texts(self) -> Sequence[str]:
        """The game and the agents."""
        return (self.game, self.first, self.second)

    def prepare(self) -> None:
        """Compile, and find out what cannot be played."""
        game = load(self.game)
        game.warm()
        for agent in (self.first, self.second):
            check(player(agent), first_decision(game, "", 0))

    def run(self, seed: int, first: int, count: int) -> Sums:
        """Play until ``count`` games are decisive."""
        table = TwoSeats(load(self.game), (self.first, self.second), self.limits)
        sums = dict.fromkeys(("wins", "losses", "draws", "given_up", "plies"), 0)
        for trial in range(first, first + count):
            for attempt in range(MAX_DRAWS_IN_A_ROW):
                lead, plies = table.play(derive(seed, trial, attempt), swapped=trial % 2 == 1)
                sums["plies"] += plies
                sums["wins" if lead > 0 else "losses" if lead < 0 else "draws"] += 1
                if lead:
                    break
            else:
                sums["given_up"] += 1
        return sums


class TwoSeats:
    """Two players at a table; searches are kept from game to game, and begin anew with every move."""

    def __init__(self, game: Game, agents: tuple[str, str], limits: PlayerLimits) -> None:
        self.game = game
        self.agents = [self._known(agent) for agent in agents]
        self.limits = limits
        self._sides: dict[tuple[int, int], ClockedPlayer] = {}

    @staticmethod
    def _known(text: str) -> Agent | Scripted:
        made = player(text)
        if isinstance(made, Engine):
            raise RamifyError(f"{made} is another program, and these games are for agents and scripts")
        return replace(made, reuse=False) if isinstance(made, Agent) else made

    @cached_property
    def _start(self) -> State:
        return self.game.initial()

    def play(self, seed: int, *, swapped: bool) -> tuple[float, int]:
        """A game; by how much the first agent is ahead in the end, and the plies."""
        seats = [Seat(self.game, seat, seed, "", self.limits) for seat in range(2)]
        sides = [self._side(seat.number ^ swapped, seat) for seat in seats]
        dice = PythonGenerator(derive(seed, "dice"))
        played = GameInProgress(self._start, seats, sides, by_dice(dice), GamePolicy())
        first, second = played.play()
        return (second - first if swapped else first - second), len(played.state.history)

    def _side(self, agent: int, seat: Seat) -> ClockedPlayer:
        """An agent in a seat, with the seed of this game."""
        if (agent, seat.number) not in self._sides:
            self._sides[agent, seat.number] = seat_player(self.agents[agent], self.limits, seat.seed)
        side = self._sides[agent, seat.number]
        side.seed = seat.seed
        return side
