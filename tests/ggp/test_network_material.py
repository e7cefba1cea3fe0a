"""Public rulesheets by their networks: lockstep with the interpreter, games of an independent engine, perft."""

import json

import pytest

from ramify.agents.perft import perft
from ramify.ggp.compiling import network_for
from ramify.ggp.interpreter import Interpreter
from ramify.ggp.kif import read
from ramify.ggp.network.desk import Wiring
from ramify.ggp.network_game import NetworkGame
from ramify.ggp.playouts import random_games
from tests.ggp.material import FOLDER, needs_material, public
from tests.ggp.test_material import fingerprint
from tests.oracle.gdl_lockstep import advance, lockstep

pytestmark = needs_material


def game(name):
    return NetworkGame(f"gdl:{name}", network_for(public(name)))


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


@pytest.mark.parametrize(
    ("name", "counts"),
    [
        ("ggprepo__ticTacToe", [9, 72, 504, 3024, 15120, 54720]),
        ("ggprepo__breakthroughSmall", [16, 256, 4308]),
        ("ggprepo__breakthrough", [22, 484, 11132]),
        ("ggprepo__connect4", [7, 49, 343, 2401, 16807]),
        ("ggprepo__englishDraughts", [7, 49, 302, 1469, 7361]),
    ],
)
def test_perft(name, counts):
    assert perft(game(name).initial(), len(counts)) == counts


@pytest.mark.parametrize(
    ("name", "plies", "goal"), [("ggprepo__breakthrough", 64.1, 51.0), ("ggprepo__connectFour", 22.3, 55.7)]
)
def test_random_games_are_as_long_and_end_as_those_of_an_independent_engine(name, plies, goal):
    facts = random_games(Wiring(network_for(public(name))), 8000, seed=1)
    assert facts["plies"] == pytest.approx(plies, abs=0.6)
    assert next(iter(facts["goals"].values())) == pytest.approx(goal, abs=2.5)
