"""One sitting at a run of games."""

from __future__ import annotations

from ramify.arena.matches.match_plan import MatchPlan
from ramify.arena.matches.tally import ScoreAggregator
from ramify.runs.session import Session

MatchSession = Session[MatchPlan, ScoreAggregator]


def stop_reason(sitting: MatchSession) -> str:
    """Why no more games are to be played: "test" or "games"; "interrupted" where some are missing."""
    if sitting.driver.decided:
        return "test"
    return "games" if sitting.driver.done >= sitting.driver.total else "interrupted"
