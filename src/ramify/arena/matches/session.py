"""One sitting at a run of games."""

from __future__ import annotations

from ramify.arena.matches.match_plan import MatchPlan
from ramify.arena.matches.tally import Scores
from ramify.runs.session import Sitting

MatchSitting = Sitting[MatchPlan, Scores]


def stopped(sitting: MatchSitting) -> str:
    """Why no more games are to be played: "test" or "games"; "interrupted" where some are missing."""
    if sitting.driver.decided:
        return "test"
    return "games" if sitting.driver.done >= sitting.driver.total else "interrupted"
