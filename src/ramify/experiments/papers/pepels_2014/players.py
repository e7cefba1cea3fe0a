"""The six games and the paper's players: a baseline, and the same with another reward."""

from __future__ import annotations

from dataclasses import dataclass

PAPER = "Pepels, Tak, Lanctot and Winands, Quality-based Rewards for Monte-Carlo Tree Search Simulations (2014)"
SHORT = "Pepels et al. 2014"

WEIGHTED, DECISIVE, MAST = "weighted", "decisive", "MAST"  # playouts
RELATIVE, QUALITATIVE, BOTH, REPLACED = "relative", "qualitative", "both", "quality alone"  # rewards
FIXED, ONLINE = "a = 0.25", "a'"
PRINT, SLIP, PROGRAM, CENTRED = "print", "slip", "program", "centred"  # readings; the last of quality alone
ENGINE = {PRINT: "", SLIP: "sign_error=true", PROGRAM: "sign_error=true, wait_for_samples=true"}


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
    playouts: dict[str, str]
    linear: bool = False  # the program's quality falls linearly where the paper prints an inverse

    def named(self, reading: str) -> str:
        """Return the game with the quality function of a reading."""
        if not self.linear or reading != PROGRAM:
            return self.rules
        return f'{self.rules[:-1]}, quality="linear")'


AS_PUBLISHED = "heuristic(as_published=true)"
DECISIVE_OR_ANY = "heuristic"


def mast(epsilon: float) -> str:
    """The program's MAST: unseen moves count as a draw, and every search starts with empty tables."""
    return f"mast(epsilon={epsilon}, initial=0.5, decay=0)"


GAMES = {
    "amazons": PaperGame("amazons(size=8)", 2.2, 1.6, 3, 0.5, {WEIGHTED: AS_PUBLISHED, MAST: mast(0.3)}),
    "breakthrough": PaperGame(
        "breakthrough",
        8,
        2,
        17,
        1,
        {WEIGHTED: AS_PUBLISHED, DECISIVE: DECISIVE_OR_ANY, MAST: f"decisive(then={mast(0.7)})"},
    ),
    "cannon": PaperGame(
        "cannon(mate=true, corners=true, plies=1000)",
        3,
        4,
        2,
        0.8,
        {WEIGHTED: AS_PUBLISHED, DECISIVE: DECISIVE_OR_ANY},
    ),
    "checkers": PaperGame("checkers(quiet=25, advances=true, duel=true)", 2.8, 2, 24, 1, {WEIGHTED: "uniform"}),
    "chinese checkers": PaperGame(
        "chinese_checkers(stay=true, forward=true, drawn=true, plies=1000)",
        1.2,
        2.8,
        14,
        0.8,
        {WEIGHTED: AS_PUBLISHED, DECISIVE: DECISIVE_OR_ANY},
        linear=True,
    ),
    "pentalath": PaperGame(
        'pentalath(board="hexagon", swap=true)',
        1,
        1.6,
        21,
        0.8,
        {WEIGHTED: AS_PUBLISHED, MAST: mast(0.95)},
        linear=True,
    ),
}

# Playouts per move at the scale quick: fewer where they take longer.
QUICK_PLAYOUTS = {game: {"cannon": 200, "chinese checkers": 500}.get(game, 1000) for game in GAMES}


def baseline(game: str, c: float, playouts: str = WEIGHTED) -> str:
    """UCT with the solver and the game's playouts."""
    return f"mcts(select=ucb1(c={c}), playout={GAMES[game].playouts[playouts]}, prove=true)"


def enhanced(plain: str, reward: str) -> str:
    """Return the same player with another reward."""
    return f"{plain[:-1]}, reward={reward})"


def reward(game: str, kind: str, weight: str = FIXED, reading: str = PRINT) -> str:
    """Return a reward as the paper prints it, or as its program had it."""
    if kind == REPLACED:
        return "quality(centred=true)" if reading == CENTRED else "quality"
    how = [f"a={A}"] if weight == FIXED else ["online=true"]
    how += [ENGINE[reading]] if ENGINE[reading] else []
    how += ["signed=true"] if weight == ONLINE and reading == PROGRAM else []
    relative = ", ".join([f"k={GAMES[game].relative:g}", *how])
    qualitative = f"qualitative_bonus({', '.join([f'k={GAMES[game].qualitative:g}', *how])})"
    if kind == QUALITATIVE:
        return qualitative
    return f"relative_bonus({relative})" if kind == RELATIVE else f"relative_bonus({relative}, then={qualitative})"
