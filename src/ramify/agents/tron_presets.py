"""The twelve policies that Perick et al. (2012) compare at Tron, with the constants of their table I.

P. Perick, D. L. St-Pierre, F. Maes and D. Ernst, "Comparison of Different Selection Strategies in Monte-Carlo Tree
Search for the Game of Tron" (CIG 2012). ``tron_ucb1`` and so on stand for a search with the paper's playouts, the
deviations that it prints and its tuned constants: ``tron_ucb1(tuned=false)`` for those of its reference opponents,
``playout=uniform``, ``deviation=pooled`` and, for the three policies that compare values, ``value=mean`` for other
readings. The paper writes sqrt(C ln t / t_k), so that the constant of ``ucb1`` is the root of C. EXP3's eta was tuned,
too, but is not printed: it is g / K here.
"""

from __future__ import annotations

from collections.abc import Callable
from math import sqrt
from typing import Any

from ramify.errors import RamifyError
from ramify.grammar import Call, bind

Value = int | float | bool | str | Call
Constants = dict[str, float]

# By name: the policy, its tuned constants and those of the reference opponent.
POLICIES: dict[str, tuple[str, Constants, Constants]] = {
    "ucb1": ("ucb1", {"c": sqrt(3.52)}, {"c": sqrt(2.0)}),
    "ucb1_tuned": ("ucb1_tuned", {}, {}),
    "ucb_v": ("ucb_v", {"c": 1.68, "z": 0.54}, {"c": 1.0, "z": 1.0}),
    "ucb_minimal": ("ucb_minimal", {"c1": 8.4, "c2": 1.8}, {"c1": 2.5, "c2": 1.0}),
    "omc_deterministic": ("omc", {}, {}),
    "moss": ("moss", {}, {}),
    "random": ("random", {}, {}),
    "epsilon_greedy": ("epsilon_greedy", {"c": 0.8, "d": 0.12}, {"c": 1.0, "d": 1.0}),
    "thompson": ("thompson", {"c1": 9.6, "c2": 1.32}, {"c1": 1.0, "c2": 1.0}),
    "exp3": ("exp3", {"g": 0.36}, {"g": 0.5}),
    "omc_stochastic": ("omc_stochastic", {}, {}),
    "pbbm": ("pbbm", {}, {}),
}
BY_VALUE = ("omc_deterministic", "omc_stochastic", "pbbm")


def preset(name: str) -> Callable[[Call], Call]:
    """The function of a preset."""
    policy, tuned, reference = POLICIES[name]

    def made(call: Call) -> Call:
        defaults: dict[str, Value] = {
            "tuned": True,
            "playout": Call("heuristic"),
            "deviation": Call("children"),
        }
        if name in BY_VALUE:
            defaults["value"] = Call("total")
        given: dict[str, Any] = bind(call, defaults, "agent")
        if not isinstance(given["tuned"], bool):
            raise RamifyError(f"'tuned' of {call.name} must be true or false, not {given['tuned']}")
        constants: dict[str, Value] = dict(tuned if given["tuned"] else reference)
        if name in BY_VALUE:
            constants["value"] = given["value"]
        select = Call(policy, tuple(constants.items()))
        return Call("mcts", (("select", select), ("playout", given["playout"]), ("deviation", given["deviation"])))

    return made


PRESETS = {f"tron_{name}": preset(name) for name in POLICIES}
