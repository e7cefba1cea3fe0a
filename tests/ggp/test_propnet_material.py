"""Public rulesheets by their propnets: lockstep with the interpreter, and games of an independent engine."""

import json

import pytest

from ramify.ggp.interpreter import Interpreter
from ramify.ggp.kif import read
from ramify.ggp.propnet_cache import load_or_build
from ramify.ggp.propnet_game import PropnetGame
from tests.ggp.material import FOLDER, needs_material, public
from tests.ggp.test_material import fingerprint
from tests.oracle.gdl_lockstep import advance, lockstep

pytestmark = needs_material


def game(name):
    return PropnetGame(f"gdl:{name}", load_or_build(public(name)))


# Turns and moves at once, one to three players, circles of rules, chance, split clauses.
@pytest.mark.parametrize(
    "name",
    [
        "dresden2010__tictactoe_3player",
        "ggpcpp__pacman2psmall",
        "ggprepo__biddingTicTacToe",
        "ggprepo__connectFour",
        "ggprepo__eightPuzzle",
        "ggprepo__ticTacToeParallel",
        "sancho__BTTTTest",
        "stanford2018__kono",
    ],
)
def test_lockstep(name):
    lockstep(game(name), Interpreter(public(name)), 40, seed=2)


@pytest.mark.parametrize("name", ["ggprepo__breakthroughSmall", "ggprepo__chomp", "ggprepo__connectFour"])
def test_games_of_an_independent_engine(name):
    lines = [json.loads(line) for line in (FOLDER / "traces" / f"{name}.jsonl").read_text().splitlines()]
    played = game(name)
    for playout in [line for line in lines if "playout" in line][:5]:
        data = played.start()
        for step in playout["steps"]:
            legal = [[played.term(code) for code in played.legal_of(data, p)] for p in range(played.players)]
            assert [len(moves) for moves in legal] == step["nlegal"]
            assert [fingerprint(moves) for moves in legal] == step["lh"]
            moves = [read(move, "a move")[0].term for move in step["move"]]
            data = advance(played, data, dict(zip(played.roles, moves, strict=True)))
        if not playout["truncated"]:
            assert played.over(data)
            assert played.scores(data) == [goal / 100 for goal in playout["goals"]]
