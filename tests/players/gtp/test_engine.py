"""GTP engines as players."""

import subprocess
import sys

import pytest

import ramify
from ramify.agents.budgets.player_limits import PlayerLimits
from ramify.arena.matches.match import plan_match
from ramify.arena.matches.playing.play_game import play
from ramify.arena.matches.playing.replay import mismatch
from ramify.errors import RamifyError
from ramify.players.gtp.boards import GtpBoard
from ramify.players.gtp.server import GtpServer
from tests.players.gtp.engines import (
    GNUGO,
    GNUGO_OPTIONS,
    PACHI,
    bad,
    gnugo,
    gtp,
    needs_gnugo,
    needs_pachi,
    ours,
    recorded,
)
from tests.players.programs import external

pytestmark = pytest.mark.alone
SECONDS = 60.0  # a move: more than a busy machine needs

# The first legal move, except that the board is not filled up: after 12 moves of its own it passes where it can.
SIMPLE = """
import sys
made = 0
for line in sys.stdin:
    word, *rest = line.split()
    if word == "hello":
        print("hello 1", flush=True)
    elif word == "moves":
        moves = rest
    elif word == "go":
        made += 1
        print("move", moves[-1] if made > 12 else moves[0], flush=True)
"""


@pytest.fixture
def simple(tmp_path):
    path = tmp_path / "simple.py"
    path.write_text(SIMPLE)
    return external(path)


def played(game, first, second="uct(simulations=5)", leg=0, **more):
    limits = more.pop("limits", PlayerLimits(seconds=SECONDS))
    plan = plan_match(game, first, second, limits=limits, games=2, seed=1, **more)
    return play(plan.schedule().game(0, 0, leg))


@pytest.mark.parametrize("game", ["go(size=5)", "nogo(size=5)", "atarigo(size=5)", "gomoku(size=10)", "hex(size=10)"])
def test_our_own_engine_plays_every_game(game):
    """On boards with a column of our own name i."""
    row = played(game, ours(game), leg=game.startswith("hex"))
    assert (row.ended, row.faults) == ("over", ("", "")), row.faults
    assert mismatch(row) is None


def test_our_engine_may_begin_with_stones(tmp_path):
    path = tmp_path / "openings.txt"
    path.write_text("...../.xo../..x../...../..... o pass c2 b3 d3\n")
    row = played("go(size=5)", ours("go"), openings=path)
    assert (row.ended, row.faults) == ("over", ("", ""))


def test_other_games_are_refused():
    with pytest.raises(RamifyError, match="GTP does not support connect4: use one of go, nogo, atarigo, gomoku, hex"):
        ramify.match("connect4", gtp(sys.executable), "uct", games=2, simulations=5)


@pytest.mark.parametrize(
    ("what", "ended", "reason"),
    [
        ("print('= Z9\\n', flush=True)", "forfeit", "played 'z9', which is not legal"),
        ("print('= A1 B2\\n', flush=True)", "forfeit", "played 'a1 b2', which is not legal"),
        ("print('? no idea\\n', flush=True)", "forfeit", "refused 'genmove black': 'no idea'"),
        ("print('A1', flush=True)", "forfeit", "answered 'A1' to 'genmove black', which is not GTP"),
        ("print('= A1\\n\\n= A2\\n', flush=True)", "forfeit", "wrote '= A2' without being asked"),
        ("print('= resign\\n', flush=True)", "resigned", ""),
        ("sys.exit(0)", "forfeit", "exited with code 0"),
        ("time.sleep(1000)", "time", "did not move within 1.1 s"),
        (
            "sys.stdout.write('x' * 10**6); sys.stdout.flush(); time.sleep(1000)",
            "forfeit",
            "bytes instead of an answer",
        ),
    ],
)
def test_bad_engines_lose(tmp_path, what, ended, reason):
    row = played("go(size=5)", bad(tmp_path, what, grace=0.1), limits=PlayerLimits(seconds=1.0), opening_plies=0)
    assert (row.ended, row.scores) == (ended, (0.0, 1.0))
    assert reason in row.faults[0]
    assert mismatch(row) is None


def test_an_exchange_with_gnu_go(simple):
    """As it was recorded: nothing else is said, and the game is the same."""
    row = played("go(size=5, komi=0.5)", recorded("gnugo.txt"), simple, opening_plies=0)
    assert (row.ended, row.faults) == ("over", ("", "")), row.faults
    assert row.scores == (1.0, 0.0)


@needs_gnugo
def test_gnu_go_beats_a_simple_program(simple):
    for leg in (0, 1):
        row = played("go(size=5, komi=0.5)", gnugo(), simple, leg=leg)
        assert (row.ended, row.faults) == ("over", ("", "")), row.faults
        assert row.score == 1.0
        assert mismatch(row) is None


@needs_gnugo
def test_gnu_go_on_a_clock():
    row = played("go(size=5)", gnugo(), limits=PlayerLimits(clock=600, increment=1))
    assert (row.ended, row.overruns) == ("over", (0, 0))
    assert 0 < row.seconds[0] < 600


@needs_gnugo
def test_gnu_go_counts_as_we_do():
    """Once the dead stones are off the board, for which its options see."""
    row = played("go(size=7, komi=9)", gnugo(), gnugo())
    assert row.ended == "over"
    board = GtpBoard.from_game(ramify.load(row.game))
    lines = ["boardsize 7", "komi 9"]
    lines += [f"play {'bw'[ply % 2]} {board.vertex(name)}" for ply, name in enumerate(row.moves)]
    given = "\n".join([*lines, "final_score", "quit", ""])
    said = subprocess.run([GNUGO, *GNUGO_OPTIONS.split()], input=given, capture_output=True, text=True, check=True)
    own = GtpServer(board, ramify.agent("uct"), None, 1)
    answers = [own.answer(line) for line in lines]
    assert set(answers) == {"=\n\n"}
    theirs, counted = said.stdout.split("\n\n")[-3].split()[1], own.answer("final_score").split()[1]
    assert (counted[:2], float(counted[2:])) == (theirs[:2], float(theirs[2:]))


@needs_gnugo
def test_gnu_go_knows_no_nogo():
    """It passes at some time, or captures: neither is a move of NoGo."""
    row = played("nogo(size=5)", gnugo())
    assert (row.ended, row.scores) == ("forfeit", (0.0, 1.0))
    assert "which is not legal" in row.faults[0]


@needs_pachi
def test_pachi_plays():
    command = gtp(PACHI, "--nodcnn", "-t", "=500", "-o", "/dev/null", "threads=1,pass_all_alive", startup=120)
    row = played("go(size=9)", command)
    assert (row.ended, row.faults) == ("over", ("", "")), row.faults
    assert row.score == 1.0


def test_vertices():
    go, gomoku, hexes = (GtpBoard.from_game(ramify.load(f"{name}(size=10)")) for name in ("go", "gomoku", "hex"))
    assert [board.vertex("h1") for board in (go, gomoku, hexes)] == ["H1", "H1", "H1"]
    assert [board.vertex(name) for board, name in ((go, "j10"), (gomoku, "i10"), (hexes, "i10"))] == [
        "J10",
        "J10",
        "I10",
    ]
    for board in (go, gomoku, hexes):
        names = [move.name for move in board.game.initial().moves()]
        assert [board.move(board.vertex(name)) for name in names] == names
        state = board.game.initial().play("a1").play("b1")
        assert set(board.stones(state)) == {(0, "A1"), (1, "B1")}
