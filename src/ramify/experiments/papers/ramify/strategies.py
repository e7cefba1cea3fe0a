"""The playout strategies, proofs and transpositions that are compared with plain UCT, and the games."""

from __future__ import annotations

from collections.abc import Sequence

from ramify.experiments.figures.forest import forest
from ramify.experiments.framework.claims import OURS, Claim, Verdict
from ramify.experiments.framework.estimates import Estimate

GAMES = {
    "amazons": "amazons(size=8, plies=2)",  # queen and arrow are two moves
    "atarigo": "atarigo(size=9)",
    "breakthrough": "breakthrough",
    "cannon": "cannon",
    "checkers": "checkers",
    "connect4": "connect4",
    "hex": "hex",
    "nine_mens_morris": "nine_mens_morris",
    "othello": "othello",
    "pentalath": 'pentalath(board="half")',
}
C = 0.4
RIVAL = f"uct(c={C})"
GROUPS = {
    "playouts that learn": {
        "mast": "playout=mast",
        "gibbs": "playout=mast(temperature=0.1)",
        "ngram": "playout=ngram",
        "last_good_reply": "playout=last_good_reply",
    },
    "playouts that look ahead, or end early": {
        "decisive": "playout=decisive",
        "anti": "playout=decisive(anti=true)",
        "cut_off": "playout=cut_off",
    },
    "proofs and transpositions": {
        "prove": "prove=true",
        "uct1": "transpositions=uct1",
        "uct2": "transpositions=uct2",
    },
}
STRATEGIES = {name: argument for group in GROUPS.values() for name, argument in group.items()}
CLAIMED = (  # also played at equal simulations
    ("mast", "breakthrough"),
    ("gibbs", "breakthrough"),
    ("decisive", "breakthrough"),
    ("mast", "amazons"),
    ("gibbs", "amazons"),
)
Cell = tuple[str, str]  # a strategy and a game
GAMES_OF_PAIRS = "pairs of games with swapped seats and a shared opening of two random plies, {pairs} of them in each"
SMOKE = {"pairs": 1, "games": ("breakthrough",)}
CONSTANTS = (
    f"All have c = {C}, which was tuned for UCT with 40 games ('ramify reproduce rave-tuning'); nothing else was tuned."
    " gibbs is mast(temperature=0.1), anti is decisive(anti=true), cut_off ends after 20 plies, uct1 and uct2 are"
    " transpositions."
)


def agent(strategy: str) -> str:
    """Return UCT with one strategy."""
    return f"mcts(select=ucb1(c={C}), {STRATEGIES[strategy]})"


def counted(games: Sequence[str]) -> list[Cell]:
    """Return the cells that are played at equal simulations."""
    return [one for one in CLAIMED if one[1] in games]


def key(cell: Cell, budget: str) -> str:
    return f"{cell[1]} {cell[0]} at {budget}"


def claim(one: Cell, verdict: Verdict, budget: str, family: str) -> Claim:
    """Claim that a strategy is stronger than UCT in a game."""
    return Claim(f"{one[1]}: {one[0]} beats uniform playouts {budget}", OURS, verdict, family=family)


def figure(scores: dict[Cell, Estimate], games: Sequence[str], budget: str) -> bytes:
    """Draw the scores of all strategies, one panel each."""
    found = {
        name: {game: score for (strategy, game), score in scores.items() if strategy == name}
        for name in STRATEGIES
        if any(strategy == name for strategy, _ in scores)
    }
    played = [game for game in games if any(one == game for _, one in scores)]
    return forest(found, played, f"score against UCT {budget}")
