"""One session of a run of games."""

from __future__ import annotations

from ramify.arena.matches.match_plan import MatchPlan
from ramify.arena.matches.tally import ScoreAggregator
from ramify.runs.session import Session

MatchSession = Session[MatchPlan, ScoreAggregator]


def stop_reason(session: MatchSession) -> str:
    """Return "test" or "games" if the run is finished, "interrupted" if games are missing."""
    if session.driver.decided:
        return "test"
    return "games" if session.driver.done >= session.driver.total else "interrupted"
