"""Replay of a game that depended on time or on an engine, with the recorded simulations and moves."""

from __future__ import annotations

from dataclasses import replace

from ramify.agents.agent import Agent
from ramify.agents.budgets.budget import Budget
from ramify.agents.budgets.player_limits import PlayerLimits
from ramify.arena.matches.playing.match_policy import MatchPolicy
from ramify.arena.matches.rows import GameRow
from ramify.contract.game import JOINT_SEPARATOR, State
from ramify.core.search.tree import SIMULTANEOUS
from ramify.players.endings import RESIGNED, TIME, IrregularLoss
from ramify.players.engine import Engine
from ramify.players.engine_protocol import code_of
from ramify.players.player import Player
from ramify.players.scripted import Scripted
from ramify.players.seated import SeatedAgent, SeatedPlayer, SeatedScript
from ramify.strategies.recommend.robust import Robust

UNUSED = PlayerLimits(simulations=1)  # the row has the simulations of each move


class RepeatPolicy(MatchPolicy):
    """Repeats an irregular loss after as many plies as in the row."""

    def __init__(self, opening: int, row: GameRow) -> None:
        super().__init__(opening)
        self.row = row

    def adjudicated(self, state: State) -> IrregularLoss | None:
        row = self.row
        if len(state.history) != row.plies:
            return None
        for seat, reason in enumerate(row.faults):
            if reason and row.ended != RESIGNED:
                return IrregularLoss(seat, row.ended, reason)
        return IrregularLoss(row.scores.index(0.0), row.ended) if row.ended in (RESIGNED, TIME) else None


class RepeatedSearch(SeatedAgent):
    """An agent whose searches get the recorded simulations; 0 means a random move.

    Extensions and early stops are already included in these numbers.
    """

    def __init__(self, agent: Agent, row: GameRow) -> None:
        recommend = Robust() if agent.recommend.extra_budget else agent.recommend
        super().__init__(replace(agent, recommend=recommend, stop_early=False), UNUSED, row.seed)
        self.row = row

    def _choose_timed(self, state: State, ply: int) -> tuple[int, int]:
        """Search with the recorded simulations; beyond the row's end, with one."""
        spent = self.row.searched[ply] if ply < self.row.plies else 1
        simulations = spent[self.number] if isinstance(spent, list) else spent
        return (
            self.search_move(state, ply, Budget(simulations=simulations))
            if simulations
            else self.random_move(state, ply)
        )


class SeatedReplay(SeatedPlayer):
    """An engine's seat; plays the moves of the row."""

    def __init__(self, row: GameRow) -> None:
        super().__init__(row.seed)
        self.row = row

    def choose(self, state: State, ply: int) -> tuple[int, int]:
        """Return the recorded move; beyond the row's end, a random one."""
        if ply >= self.row.plies:
            return self.random_move(state, ply)
        name = self.row.moves[ply]
        if state.to_move == SIMULTANEOUS:
            name = name.split(JOINT_SEPARATOR)[self.number]
        return code_of(state, name, self.number), 0


def repeating(player: Player, row: GameRow) -> SeatedPlayer:
    """Make a seated player that depends neither on time nor on an engine."""
    if isinstance(player, Engine):
        return SeatedReplay(row)
    return SeatedScript(UNUSED, row.seed) if isinstance(player, Scripted) else RepeatedSearch(player, row)
