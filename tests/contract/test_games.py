"""Every built-in game keeps the contract, with its defaults and with other parameters."""

from itertools import product

import pytest

import ramify
from ramify.contract.checking import check_game
from ramify.contract.compiled_game import parameters_of
from ramify.contract.registry import builtin_module
from ramify.core.kernels.compiling import JIT

# Parameters worth a check of their own; games that are not listed get `smaller` ones.
CHOICES = {
    "amazons": ["size=6", "size=8, plies=2"],
    "atarigo": ["size=3"],
    "breakthrough": ["rows=3, columns=2", "rows=13, columns=5"],  # the smallest, and one beyond 64 squares
    "chomp": ["rows=8, columns=8", "rows=1, columns=2"],
    "connect4": [],
    "eight_puzzle": ["rows=4, columns=4, limit=20, scramble=9", "rows=2, columns=2, limit=9"],
    "nim": ['heaps="255-1-20", misere=true'],
    "p_game": ["branching=250, depth=3", "branching=1, depth=1"],
    "prefix_value": ["branching=7, depth=5, root=0, least=0, most=3"],
    "cannon": ["plies=40, clear=true"],
    "checkers": ["quiet=12, advances=true"],
    "chinese_checkers": ["plies=60"],
    "knightthrough": [],
    "nine_mens_morris": ["turns=30"],
    "connect5": ["size=5"],
    "go": ["size=3", 'size=4, ko="simple"'],
    "gomoku": ["size=6, row=4, exact=true"],
    "nogo": ["size=3"],
    "pentalath": ['board="hexagon"'],
    "tictactoe": [],
    "tictactoe3d": ["size=3"],
}


# In plain Python a game of Go on 9x9 takes long; OpenSpiel judges that size in lockstep.
AS_CHECKED = {"go": "go(size=5)"}
# Games that plain Python plays slowly are played less often.
SLOW = ("amazons", "atarigo", "cannon", "nogo", "pentalath")


def smaller(game):
    """Every whole-number parameter, alone, below its default, as far as the game accepts it; the only one twice."""
    numbers = {key: value for key, value in parameters_of(builtin_module(game)).items() if type(value) is int}
    for (key, value), part in product(numbers.items(), (0.3, 0.6) if len(numbers) == 1 else (0.4,)):
        text = f"{key}={max(1, round(part * value))}"
        try:
            ramify.load(f"{game}({text})")
        except ramify.RamifyError:
            continue
        yield text


GAMES = [
    f"{name}({choice})" if choice else AS_CHECKED.get(name, name)
    for name in ramify.games()
    for choice in ("", *(CHOICES[name] if name in CHOICES else smaller(name)))
]


@pytest.mark.parametrize("game", GAMES)
def test_contract(game):
    checked = check_game(game, plays=3 if game in SLOW else 10)
    assert not checked.findings, str(checked)
    assert checked.counts["plays"] > 10 or not JIT
    assert not checked.skipped or not JIT
