"""Agents for any game."""

from __future__ import annotations

from ramify.agents.preset import Preset

PRESETS = (
    Preset(
        "uct(c=0.7)",
        "mcts(select=ucb1(c={c}))",
        "UCB1 at every node, uniform playouts, plays the most visited move (Kocsis and Szepesvári 2006)",
    ),
    Preset(
        "fuego_sos(final=32768.0, c=0.7)",
        "mcts(select=rave(final={final}, c={c}), recommend=max)",
        "UCT with RAVE, plays the move with the highest estimate (Tom 2010)",
    ),
    Preset(
        "sr_cr(root=ucb_sqrt, c=0.7)",
        "mcts(select_root={root}, select=ucb1(c={c}))",
        "simple regret at the root, cumulative regret below it (Tolpin and Shimony 2012)",
    ),
)
