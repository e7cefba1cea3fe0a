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
LUDII_SPEED = {"pentalath": 2392, "atarigo": 2362, "nogo": 1351, "breakthrough": 2410, "amazons": 1626}  # docs/ludii.md
CUT_SECONDS = 0.6  # after which the program's SHOT ends, whatever its number of playouts
CUTS = {"cut": 1.0, "half-cut": 0.5}  # readings of that: our machine, and one half as fast
CONSTANTS = {  # readings, as reports name them
    "program": "the program's constants",
    "print": "the printed constants",
    "cut": "the program's constants and SHOT cut at 0.6 s",
    "half-cut": "the program's constants and SHOT cut at 0.6 s on a machine half as fast",
}
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


def cut(game: str, reading: str) -> int:
    """Return the playouts, to the nearest hundred, after which SHOT ends in a reading with a cut."""
    return round(CUT_SECONDS * LUDII_SPEED[game] * CUTS[reading] / 100) * 100


def players(game: str, reading: str) -> dict[str, str]:
    """Return the agents of a reading by name."""
    if reading not in CUTS:
        return READINGS[reading]
    agents = READINGS["program"]
    return {**agents, SHOT: agents[SHOT].replace("allocation=shot", f"allocation=shot(stop={cut(game, reading)})")}


def reading_of(constants: str) -> str:
    """Return the reading of a claim with these constants. The tables were made with the program's: the main reading."""
    return "" if constants == "program" else CONSTANTS[constants]
