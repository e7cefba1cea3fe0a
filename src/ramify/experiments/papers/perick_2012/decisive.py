"""Decisive games of two players who move at once as the work of a point: draws are played again, as in the paper."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from ramify.agents.agent import Agent
from ramify.agents.budgets.player_limits import SideLimits
from ramify.agents.search.search import Search
from ramify.arena.matches.openings import first_decision
from ramify.contract.game import Game, State
from ramify.contract.load import load
from ramify.contract.rules import PythonGenerator
from ramify.core.search.tree import CHANCE
from ramify.errors import RamifyError
from ramify.experiments.framework.work import Sums, Work
from ramify.players.player import check, player
from ramify.players.program import Program
from ramify.players.scripted import Scripted
from ramify.runs.seeds import derive

MOST_DRAWS = 100  # in a row; the trial is then given up


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
    limits: SideLimits

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
        table = Seats(load(self.game), (self.first, self.second), self.limits)
        sums = dict.fromkeys(("wins", "losses", "draws", "given_up", "plies"), 0)
        for trial in range(first, first + count):
            for attempt in range(MOST_DRAWS):
                lead, plies = table.play(derive(seed, trial, attempt), swapped=trial % 2 == 1)
                sums["plies"] += plies
                sums["wins" if lead > 0 else "losses" if lead < 0 else "draws"] += 1
                if lead:
                    break
            else:
                sums["given_up"] += 1
        return sums


class Seats:
    """Two players at a table; searches are kept from game to game, and begin anew with every move."""

    def __init__(self, game: Game, agents: tuple[str, str], limits: SideLimits) -> None:
        self.game = game
        self.agents = [self._known(agent) for agent in agents]
        self.budget = limits.of_a_move()
        self._searches: dict[tuple[int, int], Search] = {}

    @staticmethod
    def _known(text: str) -> Agent | Scripted:
        made = player(text)
        if isinstance(made, Program):
            raise RamifyError(f"{made} is another program, and these games are for agents and scripts")
        return made

    @cached_property
    def _start(self) -> State:
        return self.game.initial()

    def play(self, seed: int, *, swapped: bool) -> tuple[float, int]:
        """A game; by how much the first agent is ahead in the end, and the plies."""
        state, plies = self._start, 0
        dice = PythonGenerator(derive(seed, "dice"))
        while not state.over:
            if state.to_move == CHANCE:
                data = self.game.play(state.data, dice.outcome(self.game.chances(state.data)))
            else:
                codes = [self._move(state, seat, seat ^ swapped, derive(seed, plies, seat)) for seat in range(2)]
                data = self.game.play_all(state.data, codes)
            state = State(self.game, data)
            plies += 1
        first, second = state.scores()
        return (second - first if swapped else first - second), plies

    def _move(self, state: State, seat: int, agent: int, seed: int) -> int:
        """What an agent plays in a seat."""
        one = self.agents[agent]
        if isinstance(one, Scripted):
            return self.game.scripted(state.data, seat, seed)
        if (agent, seat) not in self._searches:
            self._searches[agent, seat] = Search(state, one, seed=seed, player=seat)
        else:
            self._searches[agent, seat].restart(state, seed)
        return self._searches[agent, seat].think(self.budget)
