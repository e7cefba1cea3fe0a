"""General game players: CadiaPlayer as two papers used it, and what measured best here.

``cadiaplayer`` is the program behind S. F. Gudmundsson and Y. Björnsson, "Sufficiency-Based Selection Strategy for
MCTS" (IJCAI 2013), by its public version of 2012: UCT with C = 40 on goals from 0 to 100, MAST by Gibbs sampling at a
temperature of 10 with 100 for moves not seen yet, results discounted by 0.999 a ply unless one plays alone, half of the
lead over the other in games of two, the tree kept between moves, the move of highest mean. Goals are scores from 0 to 1
here, and constants a hundredth. ``threshold=below`` and ``above`` plug its sufficiency threshold in, with either tail.

``cadiaplayer_ngrams`` is that of T. Pepels et al., "Quality-based Rewards for Monte-Carlo Tree Search Simulations"
(ECAI 2014): N-grams in place of MAST, chosen from with epsilon (M. J. W. Tak et al., "N-Grams and the Last-Good-Reply
Policy Applied in General Game Playing", 2012). ``bonus=relative_bonus(k=2)`` is what that paper adds.

What was learnt is kept along the game, without decay, which CadiaPlayer was given later (Tak et al. 2014).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ramify.grammar import Call, bind, parse
from ramify.strategies.registry import one_of

Value = int | float | bool | str | Call

C = 0.4
DISCOUNT = 0.999
MAST = "mast(temperature=0.1, start=1.0, decay=1.0)"
NGRAMS = "ngram(longest=3, threshold=7.0, epsilon=0.2, start=1.0, decay=1.0)"
NONE, BELOW, ABOVE = THRESHOLDS = ("none", "below", "above")

# The agent of ``ramify ggp-player``: docs/ggp.md has what it was compared with.
BEST = "mcts(select=ucb1(c=0.4), reuse=true)"


def cadiaplayer_with(playout: str) -> Callable[[Call], Call]:
    """The preset whose playouts are these unless told otherwise."""

    def made(call: Call) -> Call:
        defaults: dict[str, Value] = {
            "c": C,
            "playout": parse(playout),
            "discount": DISCOUNT,
            "threshold": Call(NONE),
            "bonus": Call("score"),
        }
        given: dict[str, Any] = bind(call, defaults, "agent")
        reward: dict[str, Value] = {
            "first": Call("difference"),
            "then": given["bonus"],
            "last": Call("discount", (("factor", given["discount"]), ("alone", False))),
        }
        return Call(
            "mcts",
            (
                ("select", _select(given["c"], one_of(THRESHOLDS, given["threshold"], "threshold"))),
                ("playout", given["playout"]),
                ("reward", Call("in_order", tuple(reward.items()))),
                ("recommend", Call("max")),
                ("reuse", True),
            ),
        )

    return made


def _select(c: Value, threshold: str) -> Call:
    if threshold == NONE:
        return Call("ucb1", (("c", c),))
    return Call("sufficiency_dynamic", (("c", c), ("orientation", Call(threshold))))


def ramify_ggp(call: Call) -> Call:
    """``ramify_ggp``: what measured best on rulesheets, without parameters of its own."""
    bind(call, {}, "agent")
    return parse(BEST)


PRESETS = {
    "cadiaplayer": cadiaplayer_with(MAST),
    "cadiaplayer_ngrams": cadiaplayer_with(NGRAMS),
    "ramify_ggp": ramify_ggp,
}
