"""The twelve policies that Perick et al. (2012) compare in Tron, with the constants of their table I.

P. Perick, D. L. St-Pierre, F. Maes and D. Ernst, "Comparison of Different Selection Strategies in Monte-Carlo Tree
Search for the Game of Tron" (CIG 2012). ``tron_ucb1`` etc. use the paper's playouts, its printed deviations and its
tuned constants; ``tron_ucb1(tuned=false)`` uses the constants of its reference opponents. ``playout=uniform``,
``playout=reckless``, ``deviation=pooled`` and, for the three policies that compare values, ``value=mean`` select other
readings of the paper, ``as_printed=true`` the formulas of MOSS and Thompson sampling with their slips.
The paper writes sqrt(C ln t / t_k), so the constant of ``ucb1`` is sqrt C. EXP3's eta was also tuned but is not
printed: here it is g / K.
"""

from __future__ import annotations

from math import sqrt

from ramify.agents.preset import Preset

# Policy -> its text with tuned constants, and with those of the reference opponent.
POLICIES = {
    "ucb1": (f"ucb1(c={sqrt(3.52)})", f"ucb1(c={sqrt(2.0)})"),
    "ucb1_tuned": ("ucb1_tuned", "ucb1_tuned"),
    "ucb_v": ("ucb_v(c=1.68, z=0.54)", "ucb_v(c=1.0, z=1.0)"),
    "ucb_minimal": ("ucb_minimal(c1=8.4, c2=1.8)", "ucb_minimal(c1=2.5, c2=1.0)"),
    "omc_deterministic": ("omc(value={value})", "omc(value={value})"),
    "moss": ("moss(as_printed={as_printed})", "moss(as_printed={as_printed})"),
    "random": ("random", "random"),
    "epsilon_greedy": ("epsilon_greedy(c=0.8, d=0.12)", "epsilon_greedy(c=1.0, d=1.0)"),
    "thompson": (
        "thompson(c1=9.6, c2=1.32, as_printed={as_printed})",
        "thompson(c1=1.0, c2=1.0, as_printed={as_printed})",
    ),
    "exp3": ("exp3(g=0.36)", "exp3(g=0.5)"),
    "omc_stochastic": ("omc_stochastic(value={value})", "omc_stochastic(value={value})"),
    "pbbm": ("pbbm(value={value})", "pbbm(value={value})"),
}

SWITCHES = {"value": "total", "as_printed": "false"}  # other readings of a formula -> the default


def _preset(name: str, tuned: str, reference: str) -> Preset:
    more = "".join(f", {key}={default}" for key, default in SWITCHES.items() if f"{{{key}}}" in tuned)
    return Preset(
        f"tron_{name}(tuned=true, playout=heuristic, deviation=children{more})",
        "mcts(select={tuned}, playout={playout}, deviation={deviation})",
        f"{name} as in Perick et al. (2012)",
        {"tuned": {"true": tuned, "false": reference}},
        family="tron_*",
    )


PRESETS = tuple(_preset(name, *texts) for name, texts in POLICIES.items())
