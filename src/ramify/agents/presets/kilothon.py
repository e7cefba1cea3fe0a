"""Agents for Kilothon, a contest with one minute per game and player (docs/kilothon.md).

``kilothon_uct`` is the stock opponent, UCT as in Ludii 1.3: C = sqrt 2 for values in [-1, 1], i.e. sqrt 1/2 for scores
in [0, 1]; unvisited moves valued at their parent's mean; playouts are draws after 200 plies; the tree is kept between
moves; open-loop chance; plays the most visited move; half a second per move. (Putrich and Meneguzzi 2023 print a limit
of 500 moves per player for its simulations; in Ludii's sources that is the limit of the game, and playouts have 200.)

``ramify_kilothon`` is the best of the five agents compared in docs/kilothon.md: UCB1-Tuned (no constant to tune),
proven scores, the tree kept between moves, and bonus time.
"""

from __future__ import annotations

from ramify.agents.preset import Preset

PRESETS = (
    Preset(
        "kilothon_uct(limit=200)",
        "mcts(select=ucb1_parent, playout=uniform(limit={limit}), reuse=true, chance=open_loop,"
        " timing=fixed(seconds_per_move=0.5))",
        "UCT as in Ludii 1.3, the stock opponent",
    ),
    Preset(
        "ramify_kilothon",
        "mcts(select=ucb1_tuned, prove=true, reuse=true, timing=bonus)",
        "UCB1-Tuned with proofs, the best in the comparison of docs/kilothon.md",
    ),
)
