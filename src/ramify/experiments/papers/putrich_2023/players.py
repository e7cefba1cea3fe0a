"""The paper's five board games, and its players with either reading of their constants."""

import math

GAMES = {
    "pentalath": 'pentalath(board="half")',
    "atarigo": "atarigo(size=9)",
    "nogo": "nogo(size=9)",
    "breakthrough": "breakthrough",
    "amazons": "amazons(plies=2)",  # as in Ludii: queen and arrow are two moves
}
UCT, SHOT, SQRT_HALVING = "UCT", "SHOT", "UCT-sqrt-SH"
SIX_HUNDRED = "reward=discount(factor=0.999, towards=0.5), playout=uniform(limit=600)"
CONSTANTS = {"program": "the program's constants", "print": "the printed constants"}  # readings, as reports name them
READINGS = {
    "program": {
        UCT: f"mcts(select=ucb1(c={math.sqrt(0.5)!r}), {SIX_HUNDRED})",
        SQRT_HALVING: "mcts(allocation=uct_sqrt_sh(as_published=true))",
        SHOT: f"mcts(allocation=shot, {SIX_HUNDRED.replace('600', '500')})",
    },
    "print": {
        UCT: "uct(c=1.0)",
        SQRT_HALVING: f"mcts(allocation=uct_sqrt_sh, select_root=ucb_sqrt(c={math.sqrt(0.5)!r}), select=ucb1(c=1.0))",
        SHOT: "mcts(allocation=shot)",
    },
}


def reading_of(constants: str) -> str:
    """Return the reading of a claim with these constants. The tables were made with the program's: the main reading."""
    return "" if constants == "program" else CONSTANTS[constants]
