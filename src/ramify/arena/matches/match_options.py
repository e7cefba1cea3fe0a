"""Keywords shared by ``match``, ``tournament``, ``scale`` and ``tune``."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from functools import wraps
from pathlib import Path
from typing import Any, ParamSpec, TypedDict, TypeVar, cast, get_args, get_type_hints

from ramify.agents.budgets.player_limits import ClockLike
from ramify.arena.matches.match_plan import MatchPlan
from ramify.arena.matches.tally import ScoreAggregator
from ramify.numpy_scalars import accepting_numpy
from ramify.runs.driver import Driver
from ramify.runs.pools.factory import pool_factory
from ramify.runs.pools.pool import PoolMaker
from ramify.runs.session import Session

OnProgress = Callable[[Driver[ScoreAggregator]], object]

P = ParamSpec("P")
R = TypeVar("R")
S = TypeVar("S", bound=Session[Any, ScoreAggregator])
T = TypeVar("T")


class BudgetOptions(TypedDict, total=False):
    """Budget of each player that has none in its text."""

    simulations: int | None
    seconds: float | None
    calls: int | None
    clock: ClockLike | None


class ScheduleOptions(TypedDict, total=False):
    """Openings and the random seed."""

    opening_plies: int | None
    openings: str | Path | None
    seed: int | None


class RunOptions(ScheduleOptions, total=False):
    """Schedule options, the run's file, and the workers."""

    run: str | Path | None
    accept_change: bool
    workers: int | PoolMaker | None
    cluster: object
    progress: OnProgress | None


class MatchOptions(BudgetOptions, RunOptions):
    """All options. ``scale`` takes only ``RunOptions``, because it sets the budgets itself."""


def with_options(function: Callable[P, R]) -> Callable[P, R]:
    """Show the keywords of ``**options`` in the function's signature, and reject others with TypeError."""
    signature = inspect.signature(function)
    *own, options = signature.parameters.values()
    (kind,) = get_args(get_type_hints(function)[options.name])  # Unpack[kind]
    written = {name: hint.__forward_arg__ for name, hint in kind.__annotations__.items()}
    shared = [
        inspect.Parameter(name, options.KEYWORD_ONLY, default=False if hint == "bool" else None, annotation=hint)
        for name, hint in written.items()
    ]
    shown = signature.replace(parameters=[*own, *shared])
    plain_function = accepting_numpy(function)

    @wraps(function)
    def checked(*given: P.args, **named: P.kwargs) -> R:
        for name in named:
            if name not in shown.parameters:
                raise TypeError(f"{function.__name__}() got an unexpected keyword argument '{name}'")
        return plain_function(*given, **named)

    checked.__signature__ = shown  # type: ignore[attr-defined]
    return checked


def only(kind: type[T], options: Mapping[str, object]) -> T:
    """Select the options that belong to ``kind``, one of the classes above."""
    return cast(T, {name: value for name, value in options.items() if name in kind.__annotations__})


def play_run(open_session: Callable[..., S], plan: MatchPlan, options: RunOptions, result: Callable[[S], R]) -> R:
    """Play the missing games in one session and return its result."""
    pool = pool_factory(options.get("workers"), options.get("cluster"))
    with open_session(plan, options.get("run"), accept_change=options.get("accept_change", False)) as session:
        session.run(pool, options.get("progress") or (lambda _: None))
        return result(session)
