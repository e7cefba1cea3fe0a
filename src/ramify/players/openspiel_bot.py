"""Any agent as a ``pyspiel.Bot``, for OpenSpiel's own loops (``pip install "ramify[openspiel]"``)."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from ramify.agents.agent import Agent
from ramify.agents.agent import agent as make_agent
from ramify.agents.budgets.agent_budget import reject_two_budgets
from ramify.agents.budgets.player_limits import ClockLike, PlayerLimits, parse_limits
from ramify.bridges.openspiel import pyspiel, wrap_game
from ramify.contract.game import State
from ramify.errors import RamifyError
from ramify.players.player import check
from ramify.players.seated import SeatedAgent

spiel = pyspiel()


class RamifyBot(spiel.Bot):  # type: ignore[name-defined, misc]
    """An agent that chooses in whatever seat it is asked, as ``pyspiel.evaluate_bots`` and others ask.

    ``game`` is a ``pyspiel.Game``; the budget is of a move or of a game (``clock``), as in matches, or the agent's own.
    Trees are kept between moves where the agent says so, whether or not it is told what others play.
    """

    def __init__(
        self,
        game: Any,
        agent: str | Mapping[str, Any] | Agent = "uct",
        *,
        simulations: int | None = None,
        seconds: float | None = None,
        calls: int | None = None,
        clock: ClockLike | None = None,
        seed: int | None = None,
    ) -> None:
        super().__init__()
        if not isinstance(game, spiel.Game):
            raise RamifyError(f"a bot plays a pyspiel.Game, such as pyspiel.load_game('hex'), not {game!r}")
        made = make_agent(agent)
        self.limits = limits_for(made, parse_limits(simulations, seconds, calls, clock))
        self.game = wrap_game(game)
        self.agent = replace(made, limits=None)
        self.seed = secrets.randbits(32) if seed is None else seed
        check(self.agent, first_decision(self.game.initial()))
        self.restart()

    def restart(self) -> None:
        """Begin a new game, with a full clock."""
        self._sides: dict[int, SeatedAgent] = {}
        self._seen: dict[int, State] = {}  # by player: the root of its tree
        self._spent = 0  # simulations for the last move

    def restart_at(self, state: Any) -> None:
        """Begin a game in the middle."""
        del state
        self.restart()

    def step(self, state: Any) -> int:
        """The action to play."""
        player = state.current_player()
        now = State(self.game, state.clone(), tuple(map(str, state.history())))
        if player not in self._sides:
            self._sides[player] = SeatedAgent(self.agent, self.limits, self.seed)
        side = self._sides[player]
        if self.agent.reuse:
            self._catch_up(player, now)
        action, self._spent = side.choose(now, len(now.history))
        self._seen[player] = now
        return action

    def _catch_up(self, player: int, now: State) -> None:
        """Move the root of a player's tree to a position, if the game has led there; else forget the tree."""
        side, state = self._sides[player], self._seen.get(player)
        if state is None or now.history[: len(state.history)] != state.history:
            side.search = None
            return
        for action in now.history[len(state.history) :]:
            after = State(self.game, self.game.play(state.data, int(action)), (*state.history, action))
            side.on_move(after, int(action))
            state = after

    def step_with_policy(self, state: Any) -> tuple[list[tuple[int, float]], int]:
        """The action to play, and how often each was tried."""
        action = self.step(state)
        search = self._sides[state.current_player()].search
        if search is None or not self._spent:  # there was no time for a search
            return [(one, float(one == action)) for one in state.legal_actions()], action
        visits = dict(zip(search.codes().tolist(), search.statistics()[0].tolist(), strict=True))
        total = sum(visits.values())
        return [(one, visits.get(one, 0.0) / total) for one in state.legal_actions()], action


def limits_for(agent: Agent, given: PlayerLimits | None) -> PlayerLimits:
    """The limits given, or the agent's own: one of both."""
    reject_two_budgets(agent, given)
    limits = given or agent.limits
    if limits is None:
        raise RamifyError(f"{agent} has no budget: give simulations, seconds, calls or clock")
    return limits


def first_decision(state: State) -> State:
    """The first position from here where a player moves, whatever chance does before."""
    while state.to_move < 0:
        state = state.play(state.moves()[0])
    return state
