"""Shares of decisive games as tables show them, and what all parts of the study of Tron have in common."""

from __future__ import annotations

from ramify.experiments.framework.estimates import Estimate, format_interval, share
from ramify.experiments.framework.experiment import Results
from ramify.experiments.framework.statements import statements
from ramify.experiments.papers.perick_2012.round_robin import total

SAYS = statements("perick_2012")
SIMULATIONS = (
    "A thinking time of 100 ms is a different budget on every machine and for every policy; the paper does not say how"
    " many simulations it allowed. With a fixed number of simulations a slower policy has an advantage that it does not"
    " have with a clock."
)


def won(results: Results, key: str) -> tuple[Estimate, str]:
    """Return the share of decisive games that the first player won, and how many games were decisive."""
    wins, losses, draws = (total(results[key], name) for name in ("wins", "losses", "draws"))
    return share(wins, wins + losses), f"{100 * (wins + losses) / max(wins + losses + draws, 1):.0f} %"


def cells(found: Estimate, text: str) -> tuple[str, str]:
    return format_interval(found), text
