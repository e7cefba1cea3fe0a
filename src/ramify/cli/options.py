"""Groups of options that several commands share."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import dataclass, fields, is_dataclass
from functools import wraps
from typing import TYPE_CHECKING, Any, get_type_hints

from ramify.cli.shared_options import (
    AcceptEditsOption,
    CallsOption,
    ClockOption,
    ClusterOption,
    OpeningPliesOption,
    OpeningsOption,
    RunOption,
    SecondsOption,
    SeedOption,
    SimulationsOption,
    WorkersOption,
)

if TYPE_CHECKING:
    from ramify.agents.budgets.player_limits import PlayerLimits
    from ramify.arena.matches.match_options import ScheduleOptions
    from ramify.runs.pools.pool import PoolMaker


@dataclass(frozen=True)
class BudgetOptions:
    """Budget per player."""

    simulations: SimulationsOption = None
    seconds: SecondsOption = None
    calls: CallsOption = None
    clock: ClockOption = None

    def limits(self) -> PlayerLimits | None:
        """Return the limits, or None if no budget was given (every agent may have its own)."""
        from ramify.agents.budgets.player_limits import parse_limits

        return parse_limits(self.simulations, self.seconds, self.calls, self.clock)


@dataclass(frozen=True)
class GamesOptions:
    """Where games start, where they are stored, and which processes play them."""

    opening_plies: OpeningPliesOption = None
    openings: OpeningsOption = None
    seed: SeedOption = None
    run: RunOption = None
    accept_change: AcceptEditsOption = False
    workers: WorkersOption = None
    cluster: ClusterOption = None

    def plan_arguments(self) -> ScheduleOptions:
        """Options that decide which games are played, as keywords of ``plan_match`` and the like."""
        return {"opening_plies": self.opening_plies, "openings": self.openings, "seed": self.seed}

    def pool(self) -> PoolMaker:
        from ramify.runs.pools.factory import pool_factory

        return pool_factory(self.workers, self.cluster)


def with_groups(command: Callable[..., None]) -> Callable[..., None]:
    """Adapt a command to typer: replace each parameter that is a group by the options of its fields, in place."""
    signature = inspect.signature(command, eval_str=True)
    types: dict[str, Any] = {name: parameter.annotation for name, parameter in signature.parameters.items()}
    groups: dict[str, Any] = {name: given for name, given in types.items() if is_dataclass(given)}
    parameters: list[inspect.Parameter] = []
    for name, parameter in signature.parameters.items():
        if name not in groups:
            parameters.append(parameter)
            continue
        hints = get_type_hints(groups[name], include_extras=True)
        parameters += [
            inspect.Parameter(field.name, parameter.KEYWORD_ONLY, default=field.default, annotation=hints[field.name])
            for field in fields(groups[name])
        ]

    @wraps(command)
    def ungrouped(**given: Any) -> None:
        for name, group in groups.items():
            given[name] = group(**{field.name: given.pop(field.name) for field in fields(group)})
        command(**given)

    ungrouped.__signature__ = signature.replace(parameters=parameters)  # type: ignore[attr-defined]
    ungrouped.__annotations__ = {parameter.name: parameter.annotation for parameter in parameters}
    return ungrouped
