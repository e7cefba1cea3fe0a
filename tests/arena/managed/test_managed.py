"""Matches between players over HTTP: good ones, and those that hang, die or talk nonsense."""

import json
import socket
import sqlite3
import threading
from contextlib import ExitStack, contextmanager
from time import sleep

import pytest

from ramify.arena.managed import referee as referees
from ramify.arena.managed.managed_plan import ManagedSession, plan_managed
from ramify.arena.managed.referee import Referee
from ramify.arena.managed.result import ManagedResult
from ramify.arena.managed.rows import MatchRow
from ramify.errors import RamifyError
from ramify.ggp.rulesheets import rulesheet
from ramify.players.faults import Fault
from ramify.players.ggp.client import Address, send_message
from ramify.runs.pools.factory import pool_factory
from tests.players.ggp.talking import new_player, on_one_line, serving

CLOCK = 60.0  # of matches whose players end by their simulations


@contextmanager
def listening(count=2, **options):
    """Addresses of so many good players."""
    with ExitStack() as stack:
        ports = [stack.enter_context(serving(new_player(**options))) for _ in range(count)]
        yield [f"http://127.0.0.1:{port}" for port in ports]


@contextmanager
def scripted(answer):
    """The address of a player that answers whatever ``answer`` gives for a message; None hangs, b"" closes."""
    release = threading.Event()
    with socket.create_server(("127.0.0.1", 0), backlog=64) as server:

        def handle(connection):
            with connection:
                data = b""
                while b"\r\n\r\n" not in data or data.count(b"(") != data.count(b")"):
                    piece = connection.recv(1 << 16)
                    if not piece:
                        return
                    data += piece
                reply = answer(data.partition(b"\r\n\r\n")[2].decode())
                if reply is None:
                    release.wait(CLOCK)
                    return
                connection.sendall(reply)

        def serve():
            while True:
                try:
                    connection, _ = server.accept()
                except OSError:
                    return
                threading.Thread(target=handle, args=(connection,), daemon=True).start()

        thread = threading.Thread(target=serve, daemon=True)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.getsockname()[1]}"
        finally:
            release.set()
            server.shutdown(socket.SHUT_RDWR)
    thread.join(CLOCK)


def plainly(text):
    return f"HTTP/1.0 200 OK\r\nContent-Length: {len(text)}\r\n\r\n{text}".encode()


SHEETS = {name: rulesheet(name) for name in ("tictactoe", "connect4", "runners")}
AT_ONCE = """
(role a) (role b) (init begun) (<= (legal ?r left) (role ?r)) (<= (legal ?r right) (role ?r))
(<= terminal (not (true begun))) (<= (goal ?r 50) (role ?r))
"""


def referee(addresses, name="tictactoe", start=CLOCK, play=CLOCK):
    return Referee(
        SHEETS[name],
        [Address.parse(address) for address in addresses],
        match="m",
        start_clock=start,
        play_clock=play,
        seed=1,
    )


@pytest.mark.parametrize("name", ["tictactoe", "connect4", "runners"])
def test_good_players(name):
    with listening(agent="uct(simulations=5)") as addresses:
        outcome = referee(addresses, name).play()
    assert outcome.ended == "over"
    assert sum(outcome.goals) == 100
    assert outcome.faults == ({}, {})


@pytest.mark.parametrize(
    ("reply", "reason"),
    [
        (plainly("(mark 9 9)"), "moved illegally"),
        (plainly("(mark 1"), "answered no move"),
        (plainly(""), "answered no move"),
        (plainly("(mark 1 1) (mark 2 2)"), "answered no move"),
        (b"", "did not answer by HTTP"),
        (b"what?", "did not answer by HTTP"),
        (b"\xff\x00" * 100, "did not answer by HTTP"),
        (b"HTTP/1.0 500 Oh\r\n\r\nno", "refused the message"),
        (b"HTTP/1.0 200 OK\r\n\r\n" + b"x" * 100_000, "sent too much"),
    ],
)
def test_answers_that_are_none_are_replaced_and_counted(reply, reason):
    def answer(text):
        return reply if "PLAY" in text else plainly("ready")

    with listening(1) as good, scripted(answer) as bad:
        outcome = referee([*good, bad]).play()
    assert outcome.ended == "over"
    assert outcome.faults[0] == {}
    assert set(outcome.faults[1]) == {reason}
    assert outcome.faults[1][reason] == len(outcome.moves)
    assert all("noop" in joint for joint in outcome.moves)


@pytest.mark.alone
def test_a_player_that_hangs(monkeypatch):
    monkeypatch.setattr(referees, "STOP_SECONDS", 0.5)
    monkeypatch.setitem(SHEETS, "at once", AT_ONCE)
    with listening(1, agent="uct(simulations=5)") as good, scripted(lambda _: None) as bad:
        outcome = referee([*good, bad], "at once", start=5.0, play=5.0).play()
    assert outcome.goals == (50, 50)
    assert outcome.faults == ({}, {"was late": 2})


def test_a_player_that_dies():
    with listening(1) as good, ExitStack() as stack:
        mortal = stack.enter_context(scripted(lambda text: plainly("ready" if "START" in text else "noop")))
        held = referee([*good, mortal])
        held._start()
        stack.close()
        outcome = held.play()
    assert outcome.ended == "over"
    assert set(outcome.faults[1]) == {"could not be reached"}


def test_what_players_are_told():
    heard = []

    def answer(text):
        heard.append(text)
        return plainly("ready" if "START" in text else "( mark 1 1 )" if "NIL" in text else "noop")

    with listening(1) as good, scripted(answer) as other:
        outcome = referee([other, *good]).play()
    assert heard[0] == f"( START m x ( {on_one_line('tictactoe')} ) 60 60 )"
    assert heard[1] == "( PLAY m NIL )"
    assert heard[2] == "( PLAY m ( (mark 1 1) noop ) )"
    assert heard[-1] == f"( STOP m {outcome.moves[-1]} )"


def test_what_is_seen_of_hidden_moves():
    """Each is told its own move and what it sees, and chance moves, too."""
    rules = """
    (role a) (role random)
    (init (turn 1)) (<= (next (turn 2)) (true (turn 1))) (<= (next (turn 3)) (true (turn 2)))
    (legal a go) (legal random left) (legal random right)
    (<= (sees a (did ?m)) (does random ?m)) (<= terminal (true (turn 3))) (goal a 70)
    """
    heard = []

    def answer(text):
        heard.append(text)
        return plainly("ready" if "START" in text else "go")

    with scripted(answer) as address:
        held = Referee(rules, [Address.parse(address)], match="m", start_clock=60, play_clock=60, seed=1)
        outcome = held.play()
    assert outcome.goals == (70,)
    sides = [joint.split()[2] for joint in outcome.moves]
    assert outcome.moves == tuple(f"( go {side} )" for side in sides)
    assert set(sides) <= {"left", "right"}
    assert heard[1:] == [
        "( PLAY m NIL )",
        f"( PLAY m 1 go ( (did {sides[0]}) ) )",
        f"( STOP m 2 go ( (did {sides[1]}) ) )",
    ]


# Runs.


def sitting_of(addresses, run=None, games=2, **settings):
    options = {"start_clock": CLOCK, "play_clock": CLOCK, "seed": 5} | settings
    plan = plan_managed("tictactoe", rulesheet("tictactoe"), addresses, games=games, **options)
    with ManagedSession(plan, run) as sitting:
        sitting.run(pool_factory(0))
        return ManagedResult(sitting.plan, sitting.driver.aggregator.rows, sitting.store.name), sitting.driver.played


def test_a_run_goes_on_where_it_stopped(tmp_path):
    run = tmp_path / "m.db"
    with listening(agent="uct(simulations=20)") as addresses:
        first, played = sitting_of(addresses, run, games=1)
        assert (len(first.rows), played) == (1, 1)
        again, played = sitting_of(addresses, run, games=3)
        assert (len(again.rows), played) == (3, 2)
        assert again.rows[0] == first.rows[0]
        last, played = sitting_of(addresses, run, games=3)
        assert (len(last.rows), played) == (3, 0)
        with pytest.raises(RamifyError, match="its clocks are 60 s and 60 s, not 60 s and 50 s"):
            sitting_of(addresses, run, play_clock=50)
    assert [row.players[0] for row in last.rows] == [addresses[0], addresses[1], addresses[0]]
    with sqlite3.connect(run) as base:
        assert base.execute("select count(*), sum(turns) from ggp_matches").fetchone() == (
            3,
            sum(row.turns for row in last.rows),
        )
    base.close()
    row = last.rows[0]
    assert MatchRow.from_record(row.record()) == row


def test_the_result():
    with listening(agent="uct(simulations=20)") as addresses:
        result, _ = sitting_of(addresses, games=4)
    text = str(result)
    assert "rules     tictactoe, start clock 60 s, play clock 60 s" in text
    assert all(len(line) <= 80 for line in text.splitlines())
    data = json.loads(json.dumps(result.to_dict()))
    assert [one["player"] for one in data["players"]] == addresses
    assert sum(one["goal"] for one in data["players"]) == pytest.approx(100)
    assert data["games"] == 4


def test_what_is_refused():
    rules = rulesheet("tictactoe")

    def plan(*players, **settings):
        options = {"games": 1, "start_clock": 1, "play_clock": 1, "seed": 1} | settings
        return plan_managed("tictactoe", rules, players, **options)

    with pytest.raises(RamifyError, match=r"invalid player address 'ftp://x': use e.g. http://127.0.0.1:9147"):
        plan("ftp://x", "http://127.0.0.1:1")
    with pytest.raises(RamifyError, match="duplicate player"):
        plan("127.0.0.1:9147", "http://127.0.0.1:9147")
    with pytest.raises(RamifyError, match="invalid play clock 0"):
        plan("127.0.0.1:1", "127.0.0.1:2", play_clock=0)
    with pytest.raises(RamifyError, match="invalid number of games 0"):
        plan("127.0.0.1:1", "127.0.0.1:2", games=0)
    with pytest.raises(RamifyError, match=r"tictactoe needs 2 players \(x, o\), not 1"):
        plan("127.0.0.1:1").prepare()
    with pytest.raises(RamifyError, match=r"the player at http://127.0.0.1:1 could not be reached"):
        plan("127.0.0.1:1", "127.0.0.1:2").prepare()


def test_addresses():
    assert str(Address.parse("localhost")) == "http://localhost:9147"
    assert str(Address.parse("http://[::1]:80/")) == "http://[::1]:80"
    for text in ("", "http://", "https://x", "http://x:port", "http://x/path"):
        with pytest.raises(RamifyError):
            Address.parse(text)


@pytest.mark.alone
def test_an_answer_that_trickles_is_late():
    with socket.create_server(("127.0.0.1", 0)) as server:

        def trickle():
            connection, _ = server.accept()
            with connection:
                for sign in b"HTTP/1.0 200 OK\r\nContent-Length: 99\r\n\r\n" + b"x" * 1000:
                    try:
                        connection.sendall(bytes([sign]))
                    except OSError:
                        return
                    sleep(0.01)

        thread = threading.Thread(target=trickle, daemon=True)
        thread.start()
        with pytest.raises(Fault, match="was late"):
            send_message(Address("127.0.0.1", server.getsockname()[1]), "(info)", 0.3)
        thread.join(CLOCK)
