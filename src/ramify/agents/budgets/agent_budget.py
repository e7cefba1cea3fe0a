"""Budgets in agent texts: ``uct(c=0.4, simulations=2000)``."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, Protocol

from ramify.agents.budgets.budget import Budget
from ramify.agents.budgets.move_time import MoveTime
from ramify.agents.budgets.player_limits import PlayerLimits, parse_limits
from ramify.errors import RamifyError
from ramify.grammar import Call

if TYPE_CHECKING:
    from ramify.agents.agent import Agent

BUDGET_KEYS = ("simulations", "seconds", "calls", "clock", "increment")


def without_budget(call: Call) -> tuple[Call, PlayerLimits | None]:
    """Return the call without its budget, and its budget or None."""
    given: dict[str, Any] = {}
    for key, value in call.arguments:
        if key not in BUDGET_KEYS:
            continue
        if key in given:
            raise RamifyError(f"agent '{call.name}': duplicate parameter '{key}'")
        given[key] = str(value) if isinstance(value, Call) and key == "clock" else value
    if not given:
        return call, None
    try:
        limits = parse_limits(**given)
    except RamifyError as error:
        raise RamifyError(f"invalid budget in '{call}': {error}") from None
    return Call(call.name, tuple((key, value) for key, value in call.arguments if key not in BUDGET_KEYS)), limits


class Budgeted(Protocol):
    """An agent, engine or script whose text may contain a budget."""

    @property
    def limits(self) -> PlayerLimits | None:
        """The budget in the text, or None."""


def reject_two_budgets(agent: Budgeted, given: object) -> None:
    """Raise if a budget is given to an agent whose text already has one."""
    if agent.limits is not None and given is not None:
        raise RamifyError(f"two budgets for {agent}: its text already has one")


def split_agent_budget(
    agent: Agent, simulations: int | None, seconds: float | None, calls: int | None, memory: int | None
) -> tuple[Agent, Budget, MoveTime | None]:
    """Return the agent without its budget, and the budget of one search: the given one, else the agent's.

    ``memory`` applies in both cases.
    """
    if agent.limits is None:
        return agent, Budget(simulations, seconds, calls, memory), None
    reject_two_budgets(agent, parse_limits(simulations, seconds, calls))
    budget, control = effective_budget(agent, None)
    return replace(agent, limits=None), replace(budget, memory=memory), control


def effective_budget(agent: Agent, given: Budget | None) -> tuple[Budget, MoveTime | None]:
    """Return the given budget, else the agent's. A clock yields the budget of a game's first move."""
    if agent.limits is None:
        return given or Budget(), None
    reject_two_budgets(agent, given)
    return agent.limits.first_move_budget(agent.timing)
