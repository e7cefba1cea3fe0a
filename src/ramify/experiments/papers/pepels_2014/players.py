"""The six games and the paper's players: a baseline, and the same with another reward.

What the paper leaves out, its rules, playouts, C and q, is that of its program. Bonuses are as printed, unless a
reading says otherwise.
"""

from __future__ import annotations

from dataclasses import dataclass

PAPER = "Pepels, Tak, Lanctot and Winands, Quality-based Rewards for Monte-Carlo Tree Search Simulations (2014)"
FOLDER = "pepels_2014"  # of its statements

WEIGHTED, DECISIVE, RANDOM = "weighted", "decisive", "random"  # playouts
RELATIVE, QUALITATIVE, BOTH, REPLACED = "relative", "qualitative", "both", "quality alone"  # rewards
FIXED, ONLINE = "a = 0.25", "a'"
# Readings: the main one, the program's slip, all its differences, our own q, b(k q) in place of q, and a smaller c.
PRINT, SLIP, PROGRAM, OWN_Q, SIGMOID, LOW_C = "print", "slip", "program", "q in [0, 1]", "b(k q)", "c = 0.1"
ENGINE = {SLIP: "sign_error=true", PROGRAM: "sign_error=true, wait_for_samples=true"}


def halved(constant: float) -> float:
    """Convert a constant for rewards in [-1, 1] to ours, which lie in [0, 1]."""
    return constant / 2


A = halved(0.25)


@dataclass(frozen=True)
class PaperGame:
    """A game with the paper's rules and constants, or its program's where the paper does not say."""

    rules: str
    relative: float  # k of the relative bonus
    qualitative: float  # k of the qualitative bonus
    speed: int  # the program's simulations per millisecond
    printed_c: float  # the program's C, for rewards in [-1, 1]
    q: str  # the program's q as a function of ours, which lies in [0, 1]: `scale` and `offset` of a reward
    playouts: dict[str, str]

    @property
    def c(self) -> float:
        """The program's C for our rewards."""
        return halved(self.printed_c)


AS_PUBLISHED = "heuristic(as_published=true)"
DECISIVE_OR_ANY = "heuristic"
UNIFORM = "uniform"


def mast(epsilon: float) -> str:
    """The program's MAST over its weighted moves: unseen moves count as a draw, and every search starts afresh."""
    return f"mast(epsilon={epsilon}, initial=0.5, decay=0, over={AS_PUBLISHED})"


def affine(scale: float, offset: float = 0.0) -> str:
    """Return the parameters of a reward that reads the quality as ``scale * quality + offset``."""
    return f"scale={scale!r}" + (f", offset={offset!r}" if offset else "")


GAMES = {
    # Ours: (1 + squares) / 110 of the squares that the winner's queens reach; the program's: squares / 16.
    "amazons": PaperGame(
        "amazons(size=8)", 2.2, 1.6, 3, 0.5, affine(110 / 16, -1 / 16), {WEIGHTED: mast(0.3), RANDOM: UNIFORM}
    ),
    # Ours: 1/2 + lead / 34; the program's: lead / 16.
    "breakthrough": PaperGame(
        "breakthrough",
        8,
        2,
        17,
        1,
        affine(34 / 16, -17 / 16),
        {WEIGHTED: mast(0.7), DECISIVE: DECISIVE_OR_ANY, RANDOM: UNIFORM},
    ),
    # Ours: 1/2 + lead / 32; the program's: lead / 15.
    "cannon": PaperGame(
        "cannon(mate=true, corners=true, plies=1000)",
        3,
        4,
        2,
        0.8,
        affine(32 / 15, -16 / 15),
        {WEIGHTED: AS_PUBLISHED, DECISIVE: DECISIVE_OR_ANY, RANDOM: UNIFORM},
    ),
    # Ours: pieces / 13; the program's: pieces / 12.
    "checkers": PaperGame(
        "checkers(quiet=25, advances=true, duel=true)", 2.8, 2, 24, 1, affine(13 / 12), {WEIGHTED: UNIFORM}
    ),
    # Ours: (6 - n) / 7; the program's: (6 - n) / 6.
    "chinese checkers": PaperGame(
        'chinese_checkers(stay=true, forward=true, drawn=true, plies=1000, quality="linear")',
        1.2,
        2.8,
        14,
        0.8,
        affine(7 / 6),
        {WEIGHTED: AS_PUBLISHED, DECISIVE: DECISIVE_OR_ANY, RANDOM: UNIFORM},
    ),
    # Ours: (5 - n) / 6; the program's: (5 - n) / 5.
    "pentalath": PaperGame(
        'pentalath(board="hexagon", swap=true, quality="linear")',
        1,
        1.6,
        21,
        0.8,
        affine(6 / 5),
        {WEIGHTED: mast(0.95), RANDOM: UNIFORM},
    ),
}

# Simulations per move at the scale quick: fewer where they take longer.
QUICK_PLAYOUTS = {game: {"cannon": 200, "chinese checkers": 500}.get(game, 1000) for game in GAMES}


def baseline(game: str, playouts: str = WEIGHTED, c: float | None = None) -> str:
    """UCT with the solver, the game's playouts and the program's C, unless ``c`` is given."""
    return f"mcts(select=ucb1(c={c or GAMES[game].c}), playout={GAMES[game].playouts[playouts]}, prove=true)"


def enhanced(plain: str, reward: str) -> str:
    """Return the same player with another reward."""
    return f"{plain[:-1]}, reward={reward})"


def reward(game: str, kind: str, weight: str = FIXED, reading: str = PRINT) -> str:
    """Return a reward as the paper prints it, or as another reading has it."""
    q = [] if reading == OWN_Q else [GAMES[game].q]
    k = GAMES[game].qualitative
    if kind == REPLACED:
        return f"quality({', '.join(([f'k={k:g}'] if reading == SIGMOID else []) + q)})"
    how = [f"a={A}"] if weight == FIXED else ["online=true"]
    how += [ENGINE[reading]] if reading in ENGINE else []
    how += ["signed=true"] if weight == ONLINE and reading == PROGRAM else []
    relative = ", ".join([f"k={GAMES[game].relative:g}", *how])
    qualitative = f"qualitative_bonus({', '.join([f'k={k:g}', *how, *q])})"
    if kind == QUALITATIVE:
        return qualitative
    return f"relative_bonus({relative})" if kind == RELATIVE else f"relative_bonus({relative}, then={qualitative})"
