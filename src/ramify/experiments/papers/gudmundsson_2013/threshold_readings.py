"""Readings of section 4.3: which tail, where exploration is switched off, and which simulations are training data.

The paper prints the tail above the present difference, which switches off less the better the move looks. It speaks of
"our best perceived move", which is a statement about the root, and considers "all previous simulations as training
data", which may be those of the search or of the game. The main reading: the printed tail, at the root, by the search.
"""

PRINTED = "as printed"
BELOW = "tail below"
ALL_NODES = "all nodes"
ALL_BELOW = "all nodes, tail below"
WHOLE_GAME = "trained by game"
# Parameters of ``cadiaplayer``. All are given, so that stored rows do not depend on its defaults.
READINGS = {
    PRINTED: "threshold=above, nodes=root, training=search",
    BELOW: "threshold=below, nodes=root, training=search",
    ALL_NODES: "threshold=above, nodes=all, training=search",
    ALL_BELOW: "threshold=below, nodes=all, training=search",
    WHOLE_GAME: "threshold=above, nodes=root, training=game",
}
