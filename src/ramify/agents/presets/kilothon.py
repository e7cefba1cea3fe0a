"""Agents for Kilothon, the contest in which every game has one minute (docs/kilothon.md).

``kilothon_uct`` is the stock opponent, UCT as Ludii 1.3 makes it: C = sqrt 2 on values in [-1, 1], which is sqrt 1/2 on
ours; a move never visited valued at the mean of its node; playouts that are draws after 200 plies; the tree kept from
move to move; chance outside of the tree; the most visited move; half a second for every move.

``ramify_kilothon`` is the best of five that were compared (docs/kilothon.md): UCB1-Tuned, which needs no constant,
scores proven on the way, the tree kept, and its clock divided by bonus time.
"""

from __future__ import annotations

from ramify.agents.preset import Preset

PRESETS = (
    Preset(
        "kilothon_uct",
        "mcts(select=ucb1_parent, playout=uniform(limit=200), reuse=true, chance=open_loop, timing=fixed(seconds_per_move=0.5))",
        "UCT as in Ludii 1.3, the stock opponent",
    ),
    Preset(
        "ramify_kilothon",
        "mcts(select=ucb1_tuned, prove=true, reuse=true, timing=bonus)",
        "UCB1-Tuned with proofs, the best of those that docs/kilothon.md compares",
    ),
)
