"""General game players: the CadiaPlayers of two papers, and the default agent of ``ramify ggp-player``.

``cadiaplayer`` is the program of S. F. Gudmundsson and Y. Björnsson, "Sufficiency-Based Selection Strategy for MCTS"
(IJCAI 2013), after its public version of 2012: UCT with C = 40 for goals from 0 to 100; MAST with Gibbs sampling at
temperature 10 and an initial value of 100; results discounted by 0.999 per ply except in single-player games; half the
lead over the opponent in two-player games; tree reuse between moves; the move with the highest mean is played.
Scores here range from 0 to 1, so the constants are divided by 100. ``threshold=above`` is the paper's sufficiency
threshold; ``threshold=below`` takes the other tail. ``nodes=all`` and ``training=game`` are other readings of it.

``cadiaplayer_ngrams`` is the program of T. Pepels et al., "Quality-based Rewards for Monte-Carlo Tree Search
Simulations" (ECAI 2014): epsilon-greedy N-grams instead of MAST (M. J. W. Tak et al., "N-Grams and the Last-Good-Reply
Policy Applied in General Game Playing", 2012). ``bonus=relative_bonus(k=2)`` is the bonus of that paper.

Learned tables are kept during the game without decay; CadiaPlayer introduced decay later (Tak et al. 2014).
"""

from __future__ import annotations

from ramify.agents.preset import Preset

MAST = "mast(temperature=0.1, initial=1.0, decay=1.0)"
NGRAMS = "ngram(max_length=3, min_visits=7.0, epsilon=0.2, initial=1.0, decay=1.0)"

PARAMETERS = "c=0.4, playout={}, discount=0.999, threshold=none, nodes=root, training=search, bonus=score"
CADIAPLAYER = (
    "mcts(select={threshold}, playout={playout},"
    " reward=chain(first=difference, then={bonus}, last=discount(factor={discount}, single_player=false)),"
    " recommend=max, reuse=true)"
)
THRESHOLDS = {
    "none": "ucb1(c={c})",
    "below": "sufficiency_dynamic(c={c}, orientation=below, nodes={nodes}, training={training})",
    "above": "sufficiency_dynamic(c={c}, orientation=above, nodes={nodes}, training={training})",
}

PRESETS = (
    Preset(
        f"cadiaplayer({PARAMETERS.format(MAST)})",
        CADIAPLAYER,
        "CadiaPlayer with MAST (Gudmundsson and Björnsson 2013)",
        {"threshold": THRESHOLDS},
    ),
    Preset(
        f"cadiaplayer_ngrams({PARAMETERS.format(NGRAMS)})",
        CADIAPLAYER,
        "CadiaPlayer with N-grams (Pepels et al. 2014)",
        {"threshold": THRESHOLDS},
    ),
    Preset(
        "ramify_ggp",
        "mcts(select=ucb1(c=0.4), reuse=true)",
        "the default agent of `ramify ggp-player`, the best in the comparison of docs/ggp.md",
    ),
)
