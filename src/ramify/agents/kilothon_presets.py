"""Agents for Kilothon, the contest in which every game has one minute (docs/kilothon.md).

``kilothon_uct`` is the stock opponent, UCT as Ludii 1.3 makes it: C = sqrt 2 on values in [-1, 1], which is sqrt 1/2 on
ours; a move never visited valued at the mean of its node; playouts that are draws after 200 plies; the tree kept from
move to move; chance outside of the tree; the most visited move; half a second for every move.

``ramify_kilothon`` is the best of five that were compared (docs/kilothon.md): UCB1-Tuned, which needs no constant,
scores proven on the way, the tree kept, and its clock divided by bonus time.
"""

from __future__ import annotations

from collections.abc import Callable

from ramify.grammar import Call, bind

PLIES = 200


def kilothon_uct(call: Call) -> Call:
    """``kilothon_uct``: the stock opponent."""
    bind(call, {}, "agent")
    return Call(
        "mcts",
        (
            ("select", Call("ucb1_parent")),
            ("playout", Call("uniform", (("limit", PLIES),))),
            ("reuse", True),
            ("chance", Call("open")),
            ("timing", Call("fixed", (("each", 0.5),))),
        ),
    )


def ramify_kilothon(call: Call) -> Call:
    """``ramify_kilothon``: our own entrant."""
    bind(call, {}, "agent")
    return Call(
        "mcts",
        (
            ("select", Call("ucb1_tuned")),
            ("prove", True),
            ("reuse", True),
            ("timing", Call("bonus")),
        ),
    )


PRESETS: dict[str, Callable[[Call], Call]] = {"kilothon_uct": kilothon_uct, "ramify_kilothon": ramify_kilothon}
