"""General game players: CadiaPlayer as two papers used it, and what measured best here.

``cadiaplayer`` is the program behind S. F. Gudmundsson and Y. Björnsson, "Sufficiency-Based Selection Strategy for
MCTS" (IJCAI 2013), by its public version of 2012: UCT with C = 40 on goals from 0 to 100, MAST by Gibbs sampling at a
temperature of 10 with 100 for moves not seen yet, results discounted by 0.999 per ply unless one plays alone, half of
the lead over the other in games of two, the tree kept between moves, the move of highest mean. Goals are scores from 0
to 1 here, and constants a hundredth. ``threshold=below`` and ``above`` plug its sufficiency threshold in, with either
tail.

``cadiaplayer_ngrams`` is that of T. Pepels et al., "Quality-based Rewards for Monte-Carlo Tree Search Simulations"
(ECAI 2014): N-grams in place of MAST, chosen from with epsilon (M. J. W. Tak et al., "N-Grams and the Last-Good-Reply
Policy Applied in General Game Playing", 2012). ``bonus=relative_bonus(k=2)`` is what that paper adds.

What was learnt is kept along the game, without decay, which CadiaPlayer was given later (Tak et al. 2014).
"""

from __future__ import annotations

from ramify.agents.preset import Preset

MAST = "mast(temperature=0.1, initial=1.0, decay=1.0)"
NGRAMS = "ngram(max_length=3, min_visits=7.0, epsilon=0.2, initial=1.0, decay=1.0)"

PARAMETERS = "c=0.4, playout={}, discount=0.999, threshold=none, bonus=score"
CADIAPLAYER = (
    "mcts(select={threshold}, playout={playout},"
    " reward=chain(first=difference, then={bonus}, last=discount(factor={discount}, single_player=false)),"
    " recommend=max, reuse=true)"
)
THRESHOLDS = {
    "none": "ucb1(c={c})",
    "below": "sufficiency_dynamic(c={c}, orientation=below)",
    "above": "sufficiency_dynamic(c={c}, orientation=above)",
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
        "the agent of `ramify ggp-player`, the best of those that docs/ggp.md compares",
    ),
)
