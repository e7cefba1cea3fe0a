"""The twelve policies of Perick et al. (2012), in the order of their table II."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations

from ramify.agents.budgets.player_limits import PlayerLimits
from ramify.experiments.framework.experiment import Point
from ramify.experiments.papers.perick_2012.decisive import DecisiveGames

PAPER = (
    "Perick, St-Pierre, Maes and Ernst, Comparison of Different Selection Strategies in Monte-Carlo Tree Search for the"
    " Game of Tron (2012)"
)


@dataclass(frozen=True)
class TablePolicy:
    """A policy as it appears in tables."""

    label: str
    letters: str  # column heading
    deterministic: bool


POLICIES = {
    "ucb1_tuned": TablePolicy("UCB1-Tuned", "UT", True),
    "ucb1": TablePolicy("UCB1", "U1", True),
    "moss": TablePolicy("MOSS", "MO", True),
    "ucb_minimal": TablePolicy("UCB-Minimal", "UM", True),
    "exp3": TablePolicy("EXP3", "E3", False),
    "thompson": TablePolicy("Thompson", "TS", False),
    "epsilon_greedy": TablePolicy("epsilon-greedy", "EG", False),
    "omc_deterministic": TablePolicy("OMC-Det", "OD", True),
    "ucb_v": TablePolicy("UCB-V", "UV", True),
    "omc_stochastic": TablePolicy("OMC-Stoch", "OS", False),
    "pbbm": TablePolicy("PBBM", "PB", False),
    "random": TablePolicy("Random", "RA", False),
}
DETERMINISTIC = tuple(name for name, one in POLICIES.items() if one.deterministic)
STOCHASTIC = tuple(name for name, one in POLICIES.items() if not one.deterministic)
PAIRS = tuple(combinations(POLICIES, 2))
CHUNK = 5  # games per job, which take one or two seconds


def budget(text: str) -> PlayerLimits:
    """Parse a budget per move: ``1000 simulations`` or ``0.1 s``."""
    number, unit = text.split()
    return PlayerLimits(seconds=float(number)) if unit == "s" else PlayerLimits(simulations=int(number))


def pair_key(first: str, second: str, text: str, prefix: str = "") -> str:
    return f"{prefix}{first} - {second}, {text}"


def pair_points(
    game: str, agents: dict[str, str], decisive: int, text: str, prefix: str = "", chunk: int = CHUNK
) -> list[Point]:
    """Return a point per pair of policies. ``prefix`` begins their keys."""
    return [
        Point(
            pair_key(first, second, text, prefix),
            DecisiveGames(game, agents[first], agents[second], budget(text)),
            decisive,
            chunk,
        )
        for first, second in PAIRS
    ]
