"""The 34 figures of chapter 5, as data."""

from __future__ import annotations

from dataclasses import replace

from ramify.experiments.switches.graphs import Differential, General, Graph, Specific
from ramify.experiments.switches.settings import (
    INDISCRIMINATE,
    LOWER_BEST,
    LOWER_BEST_SHARED,
    MUS,
    RAISE_SECOND,
    RAISE_SECOND_SHARED,
    RAISE_WORST,
    RAISE_WORST_SHARED,
    RAVE,
    RAVE_MAX,
    RAVE_ONLY,
    UCT,
    Errors,
    Setting,
)

SIZES = (5, 10, 20, 30, 40, 50)
FINALS = (2, 16, 128, 1024, 8192, 32768, 131072)
CONSTANTS = (0.0, 0.25, 0.5, 0.7, 1.0, 1.4, 2.0)
GAMMAS = (0.1, 0.05, 0.02, 0.01)

MODELS: dict[str, Errors] = {
    "false updates of all moves": INDISCRIMINATE,
    "the best move lowered": LOWER_BEST,
    "the best move lowered, and all moves of that player": LOWER_BEST_SHARED,
    "the worst move raised": RAISE_WORST,
    "the worst move raised, and all moves of that player": RAISE_WORST_SHARED,
    "the second-best move raised": RAISE_SECOND,
    "the second-best move raised, and all moves of that player": RAISE_SECOND_SHARED,
}
NAMES = {errors: name for name, errors in MODELS.items()}


def misled(errors: Errors, mu: float, player: Setting = RAVE) -> Setting:
    """A player whose RAVE is told falsely with probability mu; with mu = 0 it is the player itself."""
    return replace(player, errors=errors, mu=mu) if mu else player


def by_mu(errors: Errors, player: Setting = RAVE) -> dict[str, Setting]:
    """The player at every probability of false updates."""
    return {f"μ = {mu}": misled(errors, mu, player) for mu in MUS}


def _misled(number: int, errors: Errors, mu: float) -> list[Graph]:
    """A model of errors, and the estimates and visits of single moves at one probability."""
    setting = misled(errors, mu)
    return [
        General(number, f"UCT+RAVE, {NAMES[errors]}", by_mu(errors)),
        Specific(number + 1, f"estimates at the root, {NAMES[errors]}, μ = {mu}", setting, "estimates"),
        Specific(number + 2, f"simulations of moves at the root, {NAMES[errors]}, μ = {mu}", setting, "visits"),
    ]


def _maximum(number: int, errors: Errors) -> Graph:
    pairs = {f"μ = {mu}": (misled(errors, mu, RAVE_MAX), misled(errors, mu)) for mu in MUS}
    return Differential(number, f"RAVE-max minus RAVE, {NAMES[errors]}", pairs)


POLICIES = {
    "UCT, estimated value": UCT,
    "UCT, move count": replace(UCT, recommend="robust"),
    "UCT+RAVE, estimated value": RAVE,
    "UCT+RAVE, move count": replace(RAVE, recommend="robust"),
}

FIGURES: dict[int, Graph] = {
    graph.number: graph
    for graph in (
        General(1, "UCT on SOS(10), with intervals of 99 %", {"UCT": UCT}, confidence=0.99),
        General(2, "UCT on SOS(n)", {f"SOS({n})": replace(UCT, n=n) for n in SIZES}),
        General(
            3,
            "UCT+RAVE on SOS(10), by RaveWeightFinal (RWF)",
            {
                "UCT": UCT,
                **{f"RWF {final}": replace(RAVE, final=final) for final in FINALS},
                "RAVE only": RAVE_ONLY,
            },
        ),
        General(4, "move selection policies", POLICIES),
        General(5, "exploration constants", {f"c = {c}": replace(RAVE, c=c) for c in CONSTANTS}),
        General(6, "score bonus", {"none": RAVE, **{f"gamma {gamma}": replace(RAVE, gamma=gamma) for gamma in GAMMAS}}),
        General(7, f"UCT+RAVE, {NAMES[INDISCRIMINATE]}", {**by_mu(INDISCRIMINATE), "UCT": UCT}),
        General(8, f"RAVE only, {NAMES[INDISCRIMINATE]}", {**by_mu(INDISCRIMINATE, RAVE_ONLY), "UCT": UCT}),
        *_misled(9, LOWER_BEST, 0.2),
        *_misled(12, LOWER_BEST_SHARED, 0.6),
        *_misled(15, RAISE_WORST, 1.0),
        *_misled(18, RAISE_SECOND, 1.0),
        *_misled(21, RAISE_WORST_SHARED, 1.0),
        *_misled(24, RAISE_SECOND_SHARED, 1.0),
        General(27, f"RAVE-max, {NAMES[INDISCRIMINATE]}", by_mu(INDISCRIMINATE, RAVE_MAX)),
        *(
            _maximum(28 + k, errors)
            for k, errors in enumerate(
                (
                    INDISCRIMINATE,
                    LOWER_BEST,
                    LOWER_BEST_SHARED,
                    RAISE_WORST,
                    RAISE_WORST_SHARED,
                    RAISE_SECOND,
                    RAISE_SECOND_SHARED,
                )
            )
        ),
    )
}
