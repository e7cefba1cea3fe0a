"""The budget that an agent's text carries beside its strategies: ``uct(c=0.4, simulations=2000)``."""

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
    """The call without its budget, and the budget; None if it has none."""
    given: dict[str, Any] = {}
    for key, value in call.arguments:
        if key not in BUDGET_KEYS:
            continue
        if key in given:
            raise RamifyError(f"agent '{call.name}' got '{key}' twice")
        given[key] = str(value) if isinstance(value, Call) and key == "clock" else value
    if not given:
        return call, None
    try:
        limits = parse_limits(**given)
    except RamifyError as error:
        raise RamifyError(f"the budget of {call} is none: {error}") from None
    return Call(call.name, tuple((key, value) for key, value in call.arguments if key not in BUDGET_KEYS)), limits


class Budgeted(Protocol):
    """Whoever may have a budget of its own."""

    @property
    def limits(self) -> PlayerLimits | None:
        """That budget."""


def reject_two_budgets(agent: Budgeted, given: object) -> None:
    """Refuse a budget that is given to an agent that has one of its own."""
    if agent.limits is not None and given is not None:
        raise RamifyError(f"{agent} has a budget of its own: leave that or the other one out")


def split_agent_budget(
    agent: Agent, simulations: int | None, seconds: float | None, calls: int | None, memory: int | None
) -> tuple[Agent, Budget, MoveTime | None]:
    """The agent without a budget, and that of one search: what is given, or else its own; memory goes with both."""
    if agent.limits is None:
        return agent, Budget(simulations, seconds, calls, memory), None
    reject_two_budgets(agent, parse_limits(simulations, seconds, calls))
    budget, control = effective_budget(agent, None)
    return replace(agent, limits=None), replace(budget, memory=memory), control


def effective_budget(agent: Agent, given: Budget | None) -> tuple[Budget, MoveTime | None]:
    """A budget as it is given, or else the agent's own; of a clock, what the first move of a game has."""
    if agent.limits is None:
        return given or Budget(), None
    reject_two_budgets(agent, given)
    return agent.limits.of_first_move(agent.timing)
