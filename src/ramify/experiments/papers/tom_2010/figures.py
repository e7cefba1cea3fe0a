"""The 34 figures of chapter 5 as data, and two more for results that the text reports without a figure."""

from __future__ import annotations

from dataclasses import replace

from ramify.experiments.papers.tom_2010.graphs import Differential, General, Graph, Place, Specific
from ramify.experiments.papers.tom_2010.settings import (
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
    READINGS,
    UCT,
    Errors,
    Setting,
    read_as,
)

SIZES = (5, 10, 20, 30, 40, 50)
FINALS = (2, 16, 128, 1024, 8192, 32768, 131072)
CONSTANTS = (0.0, 0.25, 0.5, 0.7, 1.0, 1.4, 2.0)
GAMMAS = (0.1, 0.05, 0.02, 0.01)

WEIGHTED = replace(RAVE, weighted=True)

MODELS: dict[str, Errors] = {
    "false updates of all moves": INDISCRIMINATE,
    "the best move lowered": LOWER_BEST,
    "the best move lowered, shared": LOWER_BEST_SHARED,
    "the worst move raised": RAISE_WORST,
    "the worst move raised, shared": RAISE_WORST_SHARED,
    "the second-best move raised": RAISE_SECOND,
    "the second-best move raised, shared": RAISE_SECOND_SHARED,
}
# Per selective model, a probability at which UCT+RAVE's share at 2^10 is neither near 0 nor near 1.
EXAGGERATED: dict[Errors, float] = {
    LOWER_BEST: 0.1,
    LOWER_BEST_SHARED: 0.3,
    RAISE_WORST: 0.6,
    RAISE_WORST_SHARED: 1.0,
    RAISE_SECOND: 0.2,
    RAISE_SECOND_SHARED: 0.3,
}
NAMES = {errors: name for name, errors in MODELS.items()}


def with_false_updates(errors: Errors, mu: float, player: Setting = RAVE) -> Setting:
    """Return a player with false RAVE updates of probability mu, or the player itself if mu = 0."""
    return replace(player, errors=errors, mu=mu) if mu else player


def by_mu(errors: Errors, player: Setting = RAVE) -> dict[str, Setting]:
    """Return the player at every probability of false updates."""
    return {f"μ = {mu}": with_false_updates(errors, mu, player) for mu in MUS}


MUS_ASSUMED = "values of μ other than those in the text"
MOVES_ASSUMED = "moves shown other than those in the text"


def _error_model(number: int, errors: Errors, mu: float) -> list[Graph]:
    """Return the figures of an error model: shares by μ, then estimates and visits of single moves at one μ."""
    setting = with_false_updates(errors, mu)
    where = f"{NAMES[errors]}, μ = {mu}"
    return [
        General(number, f"UCT+RAVE with {NAMES[errors]}, by μ", by_mu(errors), assumed=MUS_ASSUMED),
        Specific(number + 1, f"estimates of moves at the root, {where}", setting, "estimates", assumed=MOVES_ASSUMED),
        Specific(
            number + 2, f"share of simulations by move at the root, {where}", setting, "visits", assumed=MOVES_ASSUMED
        ),
    ]


def _maximum(number: int, errors: Errors) -> Graph:
    pairs = {f"μ = {mu}": (with_false_updates(errors, mu, RAVE_MAX), with_false_updates(errors, mu)) for mu in MUS}
    return Differential(number, f"RAVE-max minus RAVE with {NAMES[errors]}, by μ", pairs, assumed=MUS_ASSUMED)


def _exaggerated() -> Graph:
    pairs = {
        f"{NAMES[errors].removeprefix('the ')}, μ = {mu}": (
            with_false_updates(errors, mu, RAVE_ONLY),
            with_false_updates(errors, mu),
        )
        for errors, mu in EXAGGERATED.items()
    }
    return Differential(
        "5.3.1", "RAVE only minus UCT+RAVE under selective errors", pairs, assumed="the probabilities of errors"
    )


POLICIES = {
    "UCT, estimated value": UCT,
    "UCT, move count": replace(UCT, recommend="robust"),
    "UCT+RAVE, estimated value": RAVE,
    "UCT+RAVE, move count": replace(RAVE, recommend="robust"),
}

FIGURES: dict[Place, Graph] = {
    graph.place: graph
    for graph in (
        General(1, "UCT on SOS(10), with 99 % intervals", {"UCT": UCT}, confidence=0.99),
        General(2, "UCT on SOS(n)", {f"SOS({n})": replace(UCT, n=n) for n in SIZES}, assumed="the size 5"),
        General("5.1.2", "RAVE with and without weighted updates", {"UCT+RAVE": RAVE, "weighted updates": WEIGHTED}),
        General(
            3,
            "UCT, UCT+RAVE by RaveWeightFinal (RWF), and RAVE only",
            {
                "UCT": UCT,
                **{f"RWF {final}": replace(RAVE, final=final) for final in FINALS},
                "RAVE only": RAVE_ONLY,
            },
            assumed="the values of RaveWeightFinal other than 2, 1024, 32768 and 131072",
        ),
        _exaggerated(),
        General(4, "UCT and UCT+RAVE by how the move is chosen", POLICIES),
        General(
            5,
            "UCT+RAVE by exploration constant c",
            {f"c = {c}": replace(RAVE, c=c) for c in CONSTANTS},
            assumed="all values of c except 0.7; that RAVE is enabled",
        ),
        General(
            6,
            "UCT+RAVE by gamma of the score bonus",
            {"none": RAVE, **{f"gamma {gamma}": replace(RAVE, gamma=gamma) for gamma in GAMMAS}},
            assumed="that RAVE is enabled",
        ),
        General(
            7,
            f"UCT+RAVE with {NAMES[INDISCRIMINATE]}, by μ",
            {**by_mu(INDISCRIMINATE), "UCT": UCT},
            assumed=MUS_ASSUMED,
        ),
        General(
            8,
            f"RAVE only with {NAMES[INDISCRIMINATE]}, by μ",
            {**by_mu(INDISCRIMINATE, RAVE_ONLY), "UCT": UCT},
            assumed=MUS_ASSUMED,
        ),
        *_error_model(9, LOWER_BEST, 0.2),
        *_error_model(12, LOWER_BEST_SHARED, 0.6),
        *_error_model(15, RAISE_WORST, 1.0),
        *_error_model(18, RAISE_SECOND, 1.0),
        *_error_model(21, RAISE_WORST_SHARED, 1.0),
        *_error_model(24, RAISE_SECOND_SHARED, 1.0),
        General(
            27, f"RAVE-max with {NAMES[INDISCRIMINATE]}, by μ", by_mu(INDISCRIMINATE, RAVE_MAX), assumed=MUS_ASSUMED
        ),
        *(_maximum(28 + k, errors) for k, errors in enumerate(MODELS.values())),
    )
}


def _by_reading(number: int, errors: Errors, mu: float) -> Graph:
    curves = {
        reading or "main reading": with_false_updates(read_as(errors, reading), mu) for reading in ("", *READINGS)
    }
    return General(number, f"{NAMES[errors].removeprefix('the ')}, μ = {mu}, by reading", curves, reading=f"mu {mu}")


# Beside the figures of the same number.
OTHER_READINGS: tuple[Graph, ...] = (
    General(5, "UCT by exploration constant c", {f"c = {c}": replace(UCT, c=c) for c in CONSTANTS}, reading="RAVE off"),
    _by_reading(12, LOWER_BEST_SHARED, 0.6),
    _by_reading(12, LOWER_BEST_SHARED, 0.7),
    _by_reading(24, RAISE_SECOND_SHARED, 1.0),
)


def graphs(place: Place) -> list[Graph]:
    """Return the figure of a place, then those of other readings."""
    return [FIGURES[place], *(one for one in OTHER_READINGS if one.place == place)]
