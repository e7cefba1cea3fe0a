"""Agents as ``pyspiel.Bot``, for OpenSpiel's game loops (``pip install "ramify[openspiel]"``)."""

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
    """An agent that plays in any seat, e.g. in ``pyspiel.evaluate_bots``.

    ``game`` is a ``pyspiel.Game``. The budget is per move or per game (``clock``), as in matches, or the agent's own.
    With ``reuse=true`` the tree is kept between moves; the bot finds the other players' moves in the history.
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
            raise RamifyError(f"RamifyBot takes a pyspiel.Game such as pyspiel.load_game('hex'), not {game!r}")
        made = make_agent(agent)
        self.limits = limits_for(made, parse_limits(simulations, seconds, calls, clock))
        self.game = wrap_game(game)
        self.agent = replace(made, limits=None)
        self.seed = secrets.randbits(32) if seed is None else seed
        check(self.agent, first_decision(self.game.initial()))
        self.restart()

    def restart(self) -> None:
        """Start a new game with full clocks."""
        self._players: dict[int, SeatedAgent] = {}
        self._roots: dict[int, State] = {}  # by player: the root of its tree
        self._spent = 0  # simulations for the last move

    def restart_at(self, state: Any) -> None:
        """Start a new game from any state."""
        del state
        self.restart()

    def step(self, state: Any) -> int:
        """Return the action to play."""
        player = state.current_player()
        now = State(self.game, state.clone(), tuple(map(str, state.history())))
        if player not in self._players:
            self._players[player] = SeatedAgent(self.agent, self.limits, self.seed)
        if self.agent.reuse:
            self._catch_up(player, now)
        action, self._spent = self._players[player].choose(now, len(now.history))
        self._roots[player] = now
        return action

    def _catch_up(self, player: int, now: State) -> None:
        """Advance the root of a player's tree to a state if it follows from the last one; otherwise drop the tree."""
        seated, state = self._players[player], self._roots.get(player)
        if state is None or now.history[: len(state.history)] != state.history:
            seated.search = None
            return
        for action in now.history[len(state.history) :]:
            after = State(self.game, self.game.play(state.data, int(action)), (*state.history, action))
            seated.on_move(after, int(action))
            state = after

    def step_with_policy(self, state: Any) -> tuple[list[tuple[int, float]], int]:
        """Return the action to play and the share of visits of each legal action."""
        action = self.step(state)
        search = self._players[state.current_player()].search
        if search is None or not self._spent:  # there was no time for a search
            return [(one, float(one == action)) for one in state.legal_actions()], action
        visits = dict(zip(search.codes().tolist(), search.statistics()[0].tolist(), strict=True))
        total = sum(visits.values())
        return [(one, visits.get(one, 0.0) / total) for one in state.legal_actions()], action


def limits_for(agent: Agent, given: PlayerLimits | None) -> PlayerLimits:
    """Return the given limits or the agent's own. Raise unless there is exactly one of them."""
    reject_two_budgets(agent, given)
    limits = given or agent.limits
    if limits is None:
        raise RamifyError(f"{agent} has no budget: set simulations, seconds, calls or clock")
    return limits


def first_decision(state: State) -> State:
    """Return the first state where a player moves, with the first outcome of each chance node."""
    while state.to_move < 0:
        state = state.play(state.moves()[0])
    return state
