"""``ramify ggp-player`` and ``ramify ggp-match``, as a user starts them."""

import json
import signal
import sqlite3
import subprocess
from contextlib import ExitStack, closing, suppress
from time import monotonic, sleep

import pytest

from ramify.cli.main import app
from ramify.ggp.rulesheets import names
from tests.players.ggp.talking import SECONDS, on_one_line, say
from tests.processes import environment, running
from tests.stress.legal_players import legal_players

COMPILING = "compiling; this is done once and kept on disk ...\n"  # printed if this version has not run before

pytestmark = [pytest.mark.alone, pytest.mark.usefixtures("ctrl_c")]


def started(stack, *options):
    """A player in a process of its own; the process and its address."""
    words = ("-m", "ramify", "ggp-player", "--port", "0", *options)
    process = stack.enter_context(running(*words, env=environment(), stdout=subprocess.PIPE, stderr=subprocess.PIPE))
    line = process.stdout.readline()
    assert " listens on http://127.0.0.1:" in line, process.stderr.read()
    return process, line.split()[-1]


def told(capsys, *words):
    app(["ggp-match", *words], standalone_mode=False)
    return capsys.readouterr().out


def test_two_players_meet(tmp_path, capsys):
    run = str(tmp_path / "m.db")
    with ExitStack() as stack:
        agents = "uct(simulations=20)", "mcts(simulations=10, reuse=true)"
        players = [started(stack, "--agent", agent, "--seed", "1", "--quiet") for agent in agents]
        addresses = [address for _, address in players]
        clocks = ("--start-clock", "60", "--play-clock", "60", "--seed", "1")
        for name, games in (("tictactoe", 2), ("connect4", 1), ("runners", 1)):
            out = told(capsys, name, *addresses, *clocks, "--games", str(games), "--json", "--run", f"{run}.{name}")
            data = json.loads(out)
            assert data["games"] == games
            assert sum(one["goal"] for one in data["players"]) == pytest.approx(100)
            assert [one["faults"] for one in data["players"]] == [{}, {}]
        again = told(capsys, "tictactoe", *addresses, *clocks, "--games", "2", "--run", f"{run}.tictactoe")
        assert "games     2, " in again
        for process, _ in players:
            process.send_signal(signal.SIGINT)
            assert process.wait(SECONDS) == 130
            assert process.stderr.read().removeprefix(COMPILING) == "ramify: interrupted\n"


def rows_of(run):
    """Rows that another process has stored."""
    with suppress(sqlite3.OperationalError), closing(sqlite3.connect(f"file:{run}?mode=ro", uri=True)) as connection:
        return connection.execute("SELECT * FROM ggp_matches ORDER BY number").fetchall()
    return []


@pytest.mark.parametrize("how", ["deleted or moved", "replaced by another file"])
def test_a_run_that_disappears_while_it_is_written(tmp_path, how):
    run, rescued = tmp_path / "m.db", tmp_path / "m.db.rescued-1"
    with legal_players(2) as addresses:
        words = ("-m", "ramify", "ggp-match", "tictactoe", *addresses, "--seed", "1", "--run", str(run))
        pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
        with running(*words, "--games", "1000", env=environment(), **pipes) as process:
            deadline = monotonic() + SECONDS
            while not (before := rows_of(run)):
                assert monotonic() < deadline
                sleep(0.02)
            if how.startswith("replaced"):
                (tmp_path / "mine").write_text("my notes")
                (tmp_path / "mine").rename(run)
            else:
                run.unlink()
            out, err = process.communicate(timeout=SECONDS)
        assert process.returncode == 2
        assert out == ""
        (sentence,) = (line for line in err.splitlines() if line.startswith("ramify: "))
        kept = rows_of(rescued)
        assert f"m.db was {how} while the run was being written: its {len(kept)} rows are in {rescued}; " in sentence
        assert "Traceback" not in err
        assert kept[: len(before)] == before
        assert not run.exists() or run.read_text() == "my notes"


def test_a_player_says_what_it_does():
    with ExitStack() as stack:
        process, address = started(stack, "--name", "Berta", "--agent", "uct(simulations=50)", "--seed", "1")
        port = int(address.rpartition(":")[2])
        assert say(port, "( INFO )") == "( ( name Berta ) ( status available ) )"
        assert say(port, f"( START m x ( {on_one_line('tictactoe')} ) 60 60 )") == "ready"
        assert say(port, "( PLAY m NIL )").startswith("(mark ")
        assert say(port, "( ABORT m )") == "aborted"
        process.send_signal(signal.SIGINT)
        assert process.wait(SECONDS) == 130
        heard = process.stderr.read()
    for part in (
        "match m starts: role x, start clock 60 s, play clock 60 s",
        "match m: ready to play ",
        "match m: turn 0, (mark ",
        "(50 simulations, value ",
        "match m: aborted",
    ):
        assert part in heard


def test_rulesheets_are_listed(capsys):
    app(["games", "--gdl"], standalone_mode=False)
    listed = capsys.readouterr().out
    assert [line.split()[0] for line in listed.splitlines()] == [f"gdl:{name}" for name in names()]
    assert all(len(line) <= 100 for line in listed.splitlines())
    app(["games", "gdl:chomp"], standalone_mode=False)
    assert "whoever eats the poisoned square" in capsys.readouterr().out
