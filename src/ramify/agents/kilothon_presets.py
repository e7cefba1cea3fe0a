"""Agents for Kilothon, the contest in which every game has one minute (docs/kilothon.md).

``kilothon_uct`` is the stock opponent, UCT as Ludii 1.3 makes it: C = sqrt 2 on values in [-1, 1], which is sqrt 1/2 on
ours; a move never visited valued at the mean of its node; playouts that are draws after 200 plies; the tree kept from
move to move; chance outside of the tree; the most visited move; half a second for every move.

``ramify_kilothon`` halves at the root, keeps its tree and divides its clock by bonus time. It does not prove scores,
which would forfeit games whose scores do not add up to 1.
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
    """``ramify_kilothon``: our own entrant, the best of a few that were tried."""
    bind(call, {}, "agent")
    return Call(
        "mcts",
        (
            ("select", Call("ucb1", (("c", 0.4),))),
            ("allocation", Call("uct_sqrt_sh")),
            ("reuse", True),
            ("timing", Call("bonus")),
        ),
    )


PRESETS: dict[str, Callable[[Call], Call]] = {"kilothon_uct": kilothon_uct, "ramify_kilothon": ramify_kilothon}
