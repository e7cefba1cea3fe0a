"""Decisive games with simultaneous moves as the work of a point: draws are played again, as in the paper."""

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

MAX_DRAWS_IN_A_ROW = 100  # the trial is then given up


@dataclass(frozen=True)
class DecisiveGames(Work):
    """Two agents at one game with the same budget. A trial is a game with a winner; seats alternate between trials.

    Sums: ``wins`` and ``losses`` of the first agent, ``draws`` played before, ``given_up`` trials without a winner,
    ``plies`` of all games.
    """

    stored_form = "DecisiveGames(game, first, second, limits)"

    game: str
    first: str
    second: str
    limits: PlayerLimits

    def texts(self) -> Sequence[str]:
        return (self.game, self.first, self.second)

    def prepare(self) -> None:
        """Compile, and raise for agents that cannot play."""
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
    """Two seated players. Searches are reused from game to game, and start with an empty tree at every move."""

    def __init__(self, game: Game, agents: tuple[str, str], limits: PlayerLimits) -> None:
        self.game = game
        self.agents = [self._agent(agent) for agent in agents]
        self.limits = limits
        self._players: dict[tuple[int, int], ClockedPlayer] = {}

    @staticmethod
    def _agent(text: str) -> Agent | Scripted:
        made = player(text)
        if isinstance(made, Engine):
            raise RamifyError(f"{made} is an external engine: use an agent or a script")
        return replace(made, reuse=False) if isinstance(made, Agent) else made

    @cached_property
    def _start(self) -> State:
        return self.game.initial()

    def play(self, seed: int, *, swapped: bool) -> tuple[float, int]:
        """Play a game. Return the first agent's lead at the end, and the plies."""
        seats = [Seat(self.game, seat, seed, "", self.limits) for seat in range(2)]
        players = [self._player(seat.number ^ swapped, seat) for seat in seats]
        dice = PythonGenerator(derive(seed, "dice"))
        played = GameInProgress(self._start, seats, players, by_dice(dice), GamePolicy())
        first, second = played.play()
        return (second - first if swapped else first - second), len(played.state.history)

    def _player(self, agent: int, seat: Seat) -> ClockedPlayer:
        """Return an agent in a seat, with the seed of this game."""
        if (agent, seat.number) not in self._players:
            self._players[agent, seat.number] = seat_player(self.agents[agent], self.limits, seat.seed)
        found = self._players[agent, seat.number]
        found.seed = seat.seed
        return found
