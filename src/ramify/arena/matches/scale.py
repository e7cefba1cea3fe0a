"""One agent's strength as its budget doubles: 2B simulations a move against B, 4B against 2B, and so on.

A run like any other: each doubling is a pairing whose two entrants are the same agent with budgets of their own.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any, Unpack

from ramify.agents.agent import Agent
from ramify.agents.budgets.player_limits import PlayerLimits
from ramify.arena.matches.doubling import SCALE, Doubling, doublings_of, table_lines
from ramify.arena.matches.match_options import RunOptions, ScheduleOptions, only, play_run, with_options
from ramify.arena.matches.match_plan import AgentLike, GameLike, MatchPlan, make_plan
from ramify.arena.matches.schedule import MatchPlayer
from ramify.arena.matches.session import MatchSession, stop_reason
from ramify.arena.matches.standing import Standing, standing_data
from ramify.errors import RamifyError
from ramify.players.player import player as make_player
from ramify.statistics.format import json_safe

DEFAULT_GAMES = 100
DOUBLINGS = 4
MAX_DOUBLINGS = 30


@dataclass(frozen=True)
class ScaleResult:
    """The outcome: a standing for each doubling, the doubled budget being the first agent."""

    standings: list[Standing]
    seed: int
    stopped: str  # "games" or "interrupted"
    run: str | None

    @cached_property
    def steps(self) -> list[Doubling]:
        """The doublings, with what they gained in all."""
        return doublings_of(self.standings)

    @property
    def games(self) -> int:
        """Games that count."""
        return sum(standing.games for standing in self.standings)

    @classmethod
    def from_session(cls, sitting: MatchSession) -> ScaleResult:
        """The result so far."""
        return cls(
            standings=sitting.driver.aggregator.standings(),
            seed=sitting.plan.schedule().seed,
            stopped=stop_reason(sitting),
            run=sitting.store.name,
        )

    def to_dict(self) -> dict[str, Any]:
        """The result as plain data, for JSON."""
        data: dict[str, Any] = json_safe(
            {
                "steps": [
                    standing_data(step.standing) | {"simulations": step.simulations, "cumulative_elo": list(step.total)}
                    for step in self.steps
                ],
                "games": self.games,
                "seed": self.seed,
                "stopped": self.stopped,
                "run": self.run,
            }
        )
        return data

    def __str__(self) -> str:
        pairing = self.standings[0].pairing
        return "\n".join(
            [f"{pairing.first.agent} at {pairing.game}, each budget against its half", *table_lines(self.steps)]
        )


def plan_scale(
    game: GameLike,
    agent: AgentLike,
    *,
    simulations: int,
    doublings: int = DOUBLINGS,
    games: int | None = None,
    **schedule: Unpack[ScheduleOptions],
) -> MatchPlan:
    """The plan of ``doublings`` pairings of ``games`` games each, from ``simulations`` a move on."""
    if isinstance(doublings, bool) or not isinstance(doublings, int) or not 1 <= doublings <= MAX_DOUBLINGS:
        raise RamifyError(f"the doublings must be a whole number from 1 to {MAX_DOUBLINGS}, not {doublings}")
    PlayerLimits(simulations)  # says what is wrong with it
    made = make_player(agent)
    if not isinstance(made, Agent):
        raise RamifyError(f"scale doubles the simulations of an agent, and {made} makes none")
    if made.limits is not None:
        raise RamifyError(f"scale gives the budget itself: leave that of {made} out")
    text = str(made)
    budgets = [simulations * 2**k for k in range(doublings + 1)]
    return make_plan(
        SCALE,
        [game],
        [MatchPlayer(f"{text} @ {budget:,}", text, PlayerLimits(budget)) for budget in budgets],
        [(k + 1, k) for k in range(doublings)],
        count=DEFAULT_GAMES if games is None else games,
        **schedule,
    )


@with_options
def scale(
    game: GameLike,
    agent: AgentLike,
    *,
    simulations: int,
    doublings: int = DOUBLINGS,
    games: int | None = None,
    **options: Unpack[RunOptions],
) -> ScaleResult:
    """Play twice the budget against the budget, ``doublings`` times from ``simulations`` a move; else like ``match``.

    ``games`` are those of each doubling, rounded up to whole pairs.
    """
    plan = plan_scale(
        game,
        agent,
        simulations=simulations,
        doublings=doublings,
        games=games,
        **only(ScheduleOptions, options),
    )
    return play_run(MatchSession, plan, options, ScaleResult.from_session)
