"""Measure one agent's strength as its budget doubles: 2B simulations per move against B, 4B against 2B, and so on.

Each doubling is a pairing of the same agent with two budgets.
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
from ramify.old_names import old_members
from ramify.players.player import player as make_player
from ramify.statistics.format import json_safe

DEFAULT_GAMES = 100
DOUBLINGS = 4
MAX_DOUBLINGS = 30


@old_members(data="to_dict")
@dataclass(frozen=True)
class ScaleResult:
    """Result: one standing per doubling. The first agent has the doubled budget."""

    standings: list[Standing]
    seed: int
    stopped: str  # "games" or "interrupted"
    run: str | None

    @cached_property
    def steps(self) -> list[Doubling]:
        """Doublings with their cumulative Elo."""
        return doublings_of(self.standings)

    @property
    def games(self) -> int:
        """Number of counted games."""
        return sum(standing.games for standing in self.standings)

    @classmethod
    def from_session(cls, session: MatchSession) -> ScaleResult:
        return cls(
            standings=session.driver.aggregator.standings(),
            seed=session.plan.schedule().seed,
            stopped=stop_reason(session),
            run=session.store.name,
        )

    def to_dict(self) -> dict[str, Any]:
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
    """Plan ``doublings`` pairings of ``games`` games each, starting at ``simulations`` per move."""
    if isinstance(doublings, bool) or not isinstance(doublings, int) or not 1 <= doublings <= MAX_DOUBLINGS:
        raise RamifyError(f"invalid number of doublings {doublings}: use a whole number from 1 to {MAX_DOUBLINGS}")
    PlayerLimits(simulations)  # raises if it is invalid
    made = make_player(agent)
    if not isinstance(made, Agent):
        raise RamifyError(f"scale needs an agent that makes simulations, not {made}")
    if made.limits is not None:
        raise RamifyError(f"scale sets the budget: remove the budget from {made}")
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
    """Play each budget against its half, for ``doublings`` doublings of ``simulations`` per move.

    ``games`` is per doubling and rounded up to whole pairs. Other keywords are those of ``match``.
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
