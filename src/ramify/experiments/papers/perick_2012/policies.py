"""The twelve policies of Perick et al. (2012), in the order of their table II."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations

from ramify.agents.budgets.player_limits import SideLimits
from ramify.experiments.framework.experiment import Point
from ramify.experiments.papers.perick_2012.decisive import DecisiveGames

PAPER = (
    "Perick, St-Pierre, Maes and Ernst, Comparison of Different Selection Strategies in Monte-Carlo Tree Search for the"
    " Game of Tron (2012)"
)
SHORT = "Perick et al. 2012"


@dataclass(frozen=True)
class Policy:
    """A policy as tables show it."""

    label: str
    letters: str  # for the head of a column
    deterministic: bool


POLICIES = {
    "ucb1_tuned": Policy("UCB1-Tuned", "UT", True),
    "ucb1": Policy("UCB1", "U1", True),
    "moss": Policy("MOSS", "MO", True),
    "ucb_minimal": Policy("UCB-Minimal", "UM", True),
    "exp3": Policy("EXP3", "E3", False),
    "thompson": Policy("Thompson", "TS", False),
    "epsilon_greedy": Policy("epsilon-greedy", "EG", False),
    "omc_deterministic": Policy("OMC-Det", "OD", True),
    "ucb_v": Policy("UCB-V", "UV", True),
    "omc_stochastic": Policy("OMC-Stoch", "OS", False),
    "pbbm": Policy("PBBM", "PB", False),
    "random": Policy("Random", "RA", False),
}
DETERMINISTIC = tuple(name for name, one in POLICIES.items() if one.deterministic)
STOCHASTIC = tuple(name for name, one in POLICIES.items() if not one.deterministic)
PAIRS = tuple(combinations(POLICIES, 2))
CHUNK = 5  # games: one or two seconds of them


def budget(text: str) -> SideLimits:
    """The budget of a move as tables call it: ``1000 simulations`` or ``0.1 s``."""
    number, unit = text.split()
    return SideLimits(seconds=float(number)) if unit == "s" else SideLimits(simulations=int(number))


def pair_key(first: str, second: str, text: str) -> str:
    """The name of the point where two policies meet."""
    return f"{first} - {second}, {text}"


def pair_points(game: str, agents: dict[str, str], decisive: int, text: str) -> list[Point]:
    """Every policy against every other one."""
    return [
        Point(
            pair_key(first, second, text),
            DecisiveGames(game, agents[first], agents[second], budget(text)),
            decisive,
            CHUNK,
        )
        for first, second in PAIRS
    ]
