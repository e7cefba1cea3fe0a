"""HTTP as managers speak it, and as they do not."""

import socket
import sys
import threading
from contextlib import contextmanager, suppress
from time import monotonic, sleep

import pytest

from ramify.errors import RamifyError
from ramify.players.ggp import server as servers
from ramify.players.ggp.client import Address, send_message
from ramify.players.ggp.server import HttpServer
from tests.players.ggp.fuzzing import fuzzed
from tests.players.ggp.talking import body_of, new_player, on_one_line, raw, say, serving, shouted, spaced

RULES = on_one_line("tictactoe")


@pytest.fixture
def port():
    with serving(new_player()) as number:
        yield number


@pytest.mark.parametrize("manner", [spaced, shouted], ids=["spaced", "shouted"])
def test_a_match_as_two_managers_hold_it(port, manner):
    """Every message that they send, in their order; each reply ends with the connection."""

    def told(text):
        return body_of(raw(port, manner(text)))

    if manner is shouted:
        mark, noop, cell = "(MARK", "NOOP", "(MARK 2 1)"
    else:
        mark, noop, cell = "(mark", "noop", "( mark 2 1 )"
    assert told("( INFO )") == "( ( name Tester ) ( status available ) )"
    assert told(f"( PREVIEW ( {RULES} ) 20 )") == "done"
    assert told(f"( START match.7 o ( {RULES} ) 60 60)") == "ready"
    assert told("( PLAY match.7 NIL )") == noop
    assert told("( PLAY match.7 ( ( mark 2 2 ) noop ) )").startswith(mark)
    assert told("( PLAY match.8 NIL )") == "busy"
    assert told(f"( PLAY match.7 ( noop {cell} ) )") == noop
    assert told("( STOP match.7 ( ( mark 1 1 ) noop ) )") == "done"
    assert told(f"( START match.9 x ( {RULES} ) 60 60)") == "ready"
    assert told("( ABORT match.9 )") == "aborted"


def test_a_message_without_a_length(port):
    assert body_of(raw(port, b"POST / HTTP/1.0\r\n\r\n( INFO )")).startswith("( ( name")
    assert body_of(raw(port, b"POST / HTTP/1.0\n\n(INFO)")).startswith("( ( name")


def test_a_message_in_pieces(port):
    data = spaced(f"( START m x ( {RULES} ) 60 60 )")
    with socket.create_connection(("127.0.0.1", port), timeout=60) as connection:
        for place in range(0, len(data), 700):
            connection.sendall(data[place : place + 700])
        received = b""
        while piece := connection.recv(1 << 16):
            received += piece
    assert body_of(received) == "ready"


@pytest.mark.parametrize("path", ["/(info)", "/%28INFO%29", "/?(info)", "/%28+info+%29", "/"])
def test_get(port, path):
    assert body_of(raw(port, f"GET {path} HTTP/1.1\r\nHost: x\r\n\r\n".encode())).startswith("( ( name")


def test_options(port):
    answer = raw(port, b"OPTIONS / HTTP/1.1\r\n\r\n")
    assert answer.startswith(b"HTTP/1.0 200 OK\r\n")
    assert b"Access-Control" not in answer


def test_a_sender_that_waits_for_leave(port):
    data = spaced("( INFO )").replace(b"\r\n\r\n", b"\r\nExpect: 100-continue\r\n\r\n", 1)
    answer = raw(port, data)
    assert answer.startswith(b"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.0 200 OK")


@pytest.mark.parametrize(
    ("data", "status", "words"),
    [
        (b"\r\n\r\n", 400, b"not an HTTP request"),
        (b"hello\r\n\r\n", 400, b"not an HTTP request"),
        (b"PUT / HTTP/1.0\r\n\r\n", 405, b"use POST or GET, not PUT"),
        (b"POST / HTTP/1.0\r\nContent-Length: many\r\n\r\n", 400, b"invalid Content-Length"),
        (b"POST / HTTP/1.0\r\nContent-Length: 99999999\r\n\r\n(info)", 413, b"limited to 2,097,152 bytes"),
        (b"POST / HTTP/1.0\r\nContent-Length: " + b"9" * 5000 + b"\r\n\r\n", 413, b"limited to 2,097,152 bytes"),
        ("POST / HTTP/1.0\r\nContent-Length: ²\r\n\r\n".encode(), 400, b"invalid Content-Length"),
        (b"POST / HTTP/1.0\r\nContent-Length: -1\r\n\r\n", 400, b"invalid Content-Length"),
        (b"POST / HTTP/1.0\r\nContent-Length: 6\r\nContent-Length: 7\r\n\r\n(info) ", 400, b"two different values"),
        (b"POST / HTTP/1.0\r\n\r\n" + b"(" * (1 << 21) + b"(", 413, b"limited to 2,097,152 bytes"),
        (spaced("(" * (1 << 20)), 400, b"nested deeper than 200"),
        (spaced("(start m x (" + "(" * (1 << 20)), 400, b"nested deeper than 200"),
        (spaced("(play m" + " a" * (1 << 19) + ")"), 400, b"a message has at most 5 arguments"),
        (spaced("(play " + "m" * (1 << 20) + " nil)"), 400, b"use at most 200 characters"),
        (spaced(f"(start m x ({RULES}) 5 1e6)"), 400, b"invalid clock 1e6: use at most 3600 seconds"),
        (spaced(f"(start m x ({RULES}) {'9' * 5000} 5)"), 400, b"9 ...: use a number of seconds"),
        (b"POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n", 411, b"Transfer-Encoding is not supported"),
        (b"POST / HTTP/1.0\r\nX: " + b"y" * 70_000 + b"\r\n\r\n", 431, b"too long"),
        (spaced("(dance)"), 400, b"unknown message 'dance'"),
        (spaced("(\x1b[2J)"), 400, rb"unknown message '\x1b[2j'"),
    ],
)
def test_what_is_refused(port, data, status, words):
    answer = raw(port, data)
    assert answer.startswith(f"HTTP/1.0 {status} ".encode())
    assert words in answer
    assert say(port, "(info)").startswith("( ( name")


@pytest.mark.parametrize(
    "first", [b"GET /(info) HTTP/1.1", b"POST / HTTP/1.1\r\nContent-Length: 6", b"OPTIONS / HTTP/1.1"]
)
@pytest.mark.parametrize(
    ("field", "words"),
    [
        (b"Origin: http://evil.example", b"requests of web pages are refused"),
        (b"Origin: null", b"requests of web pages are refused"),
        (b"Host: 127.0.0.1:9147\r\nOrigin: http://127.0.0.1:80", b"requests of web pages are refused"),
        (b"Sec-Fetch-Site: cross-site", b"requests of web pages are refused"),  # such as <img src="http://...">
        (b"Host: evil.example:9147", b"wrong Host: use the address on which the player listens"),  # rebound names
        (b"Host: [", b"wrong Host: use the address on which the player listens"),
    ],
)
def test_web_pages_are_refused(port, first, field, words):
    answer = raw(port, first + b"\r\n" + field + b"\r\n\r\n(info)")
    assert answer.startswith(b"HTTP/1.0 403 Forbidden\r\n")
    assert answer.endswith(words)


@pytest.mark.parametrize(
    "fields",
    [
        b"Host: 127.0.0.1:9147\r\nOrigin: http://127.0.0.1:9147",
        b"Host: LOCALHOST:9147",
        b"Host: [::1]:9147\r\nSec-Fetch-Site: none",
        b"Host: player.localhost",
    ],
)
def test_requests_of_this_machine(port, fields):
    assert body_of(raw(port, b"GET /(info) HTTP/1.1\r\n" + fields + b"\r\n\r\n")).startswith("( ( name")


def test_a_declared_length_is_refused_before_the_message_arrives(port):
    with socket.create_connection(("127.0.0.1", port), timeout=60) as connection:
        connection.sendall(b"POST / HTTP/1.0\r\nContent-Length: 2097153\r\n\r\n")
        assert connection.recv(1 << 16).startswith(b"HTTP/1.0 413 ")


@pytest.mark.alone
def test_a_long_message_is_read_in_linear_time(port):
    began = monotonic()
    for text in ("()" * (1 << 20), "(play m (" + "()" * (1 << 19) + "))", "(" + " " * (1 << 20) + "info)"):
        raw(port, b"POST / HTTP/1.0\r\n\r\n" + text.encode(), ending=True)
    assert monotonic() - began < 10


def test_senders_that_leave(port):
    for data in (b"", b"POST", spaced("( INFO )")[:-3], spaced("( INFO )")):
        with socket.create_connection(("127.0.0.1", port), timeout=60) as connection:
            connection.sendall(data)
    assert say(port, "(info)").startswith("( ( name")


@pytest.mark.alone
def test_a_sender_that_never_ends(port, monkeypatch):
    monkeypatch.setattr(servers, "READ_SECONDS", 0.5)
    began = monotonic()
    answer = raw(port, b"POST / HTTP/1.0\r\nContent-Length: 100\r\n\r\n(info")
    assert b"took too long" in answer
    assert monotonic() - began < 30


@pytest.mark.alone
def test_a_sender_that_drips(port, monkeypatch):
    """The deadline is that of the whole request, not of its next byte."""
    monkeypatch.setattr(servers, "READ_SECONDS", 0.5)
    began = monotonic()
    with socket.create_connection(("127.0.0.1", port), timeout=60) as connection:
        with suppress(OSError):
            for _ in range(600):
                connection.sendall(b"P")
                sleep(0.05)
        assert monotonic() - began < 20


@pytest.mark.alone
def test_idle_senders_do_not_silence_the_player(port):
    """The oldest connection ends when there are too many; it is told why."""
    idle = [socket.create_connection(("127.0.0.1", port), timeout=60) for _ in range(2 * servers.MAX_CONNECTIONS)]
    for _ in range(3):
        assert say(port, "(info)").startswith("( ( name")
    assert b"503 Service Unavailable" in idle[0].recv(1 << 16)
    for connection in idle:
        connection.close()
    assert say(port, "(info)").startswith("( ( name")


@pytest.mark.alone
def test_idle_senders_of_one_address_do_not_end_those_of_another(port):
    with socket.create_connection(("127.0.0.1", port), timeout=60) as honest:
        honest.sendall(b"POST / HTTP/1.0\r\nContent-Length: 6\r\n\r\n")
        idle = [
            socket.create_connection(("127.0.0.1", port), timeout=60, source_address=("127.0.0.2", 0))
            for _ in range(2 * servers.MAX_CONNECTIONS)
        ]
        honest.sendall(b"(info)")
        assert b"( ( name" in honest.recv(1 << 16)
        for connection in idle:
            connection.close()


def test_a_connection_that_ends_for_another_while_its_data_waits():
    """Both events are reported at once; the second one has lost its connection."""
    server = HttpServer("127.0.0.1", 0, lambda text, _: text)
    clients = [socket.create_connection(("127.0.0.1", server.port)) for _ in range(servers.MAX_CONNECTIONS)]
    while server._accept():
        pass
    clients.append(socket.create_connection(("127.0.0.1", server.port)))
    for client in clients:
        client.sendall(b"P")
    thread = threading.Thread(target=server.serve, daemon=True)
    thread.start()
    try:
        assert say(server.port, "(info)") == "(info)"
    finally:
        server.close()
        thread.join(60)
        for client in clients:
            client.close()


@contextmanager
def answering(answer):
    """The port of a server that answers by calling ``answer`` with each message."""
    server = HttpServer("127.0.0.1", 0, lambda text, _: answer(text))
    thread = threading.Thread(target=server.serve, daemon=True)
    thread.start()
    try:
        yield server.port
    finally:
        server.close()
        thread.join(60)


@pytest.mark.alone
def test_a_flood_of_one_kind_of_message_does_not_delay_another():
    go_on = threading.Event()

    def answer(text):
        if "PREVIEW" in text:
            go_on.wait(60)
        return text

    with answering(answer) as port:
        flood = []
        for _ in range(servers.MAX_ANSWERS + servers.MAX_WAITING + 1):
            flood.append(socket.create_connection(("127.0.0.1", port), timeout=60))
            flood[-1].sendall(spaced("( PREVIEW )"))
        answers = [say(port, f"( PLAY {k} )") for k in range(3)]
        go_on.set()
        ends = [connection.recv(1 << 16) for connection in flood]
        for connection in flood:
            connection.close()
    assert answers == ["( PLAY 0 )", "( PLAY 1 )", "( PLAY 2 )"]
    assert [end for end in ends if b"200 OK" not in end] == [ends[-1]]
    assert b"503 Service Unavailable" in ends[-1]


@pytest.mark.skipif(sys.platform != "linux", reason="the system does not say when data arrived")
def test_requests_that_wait_to_be_accepted():
    """On a busy machine; a manager's clock runs meanwhile."""
    times = []
    server = HttpServer("127.0.0.1", 0, lambda text, arrived: str(times.append(arrived)))
    with socket.create_connection(("127.0.0.1", server.port), timeout=60) as client:
        client.sendall(spaced("(info)"))
        sent = monotonic()
        sleep(0.3)
        thread = threading.Thread(target=server.serve, daemon=True)
        thread.start()
        client.recv(1 << 16)
    server.close()
    thread.join(60)
    assert abs(times[0] - sent) < 0.1


@pytest.mark.alone
def test_a_flood_of_requests_does_not_delay_a_turn(port):
    ended = threading.Event()

    def attack():
        while not ended.is_set():
            raw(port, spaced("( PLAY other nil )"))

    assert say(port, f"( START m x ( {RULES} ) 60 60 )") == "ready"
    attackers = [threading.Thread(target=attack, daemon=True) for _ in range(4)]
    for one in attackers:
        one.start()
    began = monotonic()
    moves = [say(port, "( PLAY m nil )") for _ in range(5)]
    seconds = monotonic() - began
    ended.set()
    for one in attackers:
        one.join(60)
    assert all(move.startswith("(mark") for move in moves)
    assert seconds < 10


def test_a_reply_that_is_not_text():
    """Half of a character is no reason to leave a manager without a reply."""
    with answering(lambda _: "move \ud800") as port:
        assert say(port, "(info)") == "move ?"


@pytest.mark.parametrize(
    ("host", "sentence"),
    [
        ("", "invalid host '': use e.g. 127.0.0.1, or 0.0.0.0 for all addresses of this machine"),
        ("localhost ", "invalid host 'localhost '"),
        ("no.such.host.invalid", "cannot listen on no.such.host.invalid:0: "),
        ("1.2.3.4.5", "cannot listen on 1.2.3.4.5:0: "),
        ("a\0b", "invalid host "),
        (" ", "invalid host "),
        ("x" * 300, "cannot listen on "),
        (":::", "cannot listen on "),
    ],
)
def test_hosts_that_are_none(host, sentence):
    with pytest.raises(RamifyError) as refused:
        HttpServer(host, 0, lambda text, _: text)
    assert str(refused.value).startswith(sentence)


@pytest.mark.parametrize("port", [-1, 65536, 10**30])
def test_ports_that_are_none(port):
    with pytest.raises(RamifyError, match=r"^invalid port .*: use a whole number from 0 to 65535$"):
        HttpServer("127.0.0.1", port, lambda text, _: text)


def test_a_server_that_never_serves():
    server = HttpServer("127.0.0.1", 0, lambda text, _: text)
    server.close()
    server.serve()  # ends at once
    again = HttpServer("127.0.0.1", server.port, lambda text, _: text)
    again.close()


def test_ipv6():
    try:
        server = HttpServer("::1", 0, lambda text, _: text)
    except RamifyError:
        pytest.skip("this machine has no IPv6")
    thread = threading.Thread(target=server.serve, daemon=True)
    thread.start()
    try:
        assert send_message(Address.parse(f"http://{server.host}:{server.port}"), "(info)", 60.0) == "(info)"
    finally:
        server.close()
        thread.join(60)


def test_a_port_that_is_taken(port):
    with pytest.raises(RamifyError, match=f"cannot listen on 127.0.0.1:{port}"):
        HttpServer("127.0.0.1", port, lambda text, _: text)


@pytest.mark.alone
def test_fuzzed_requests_harm_no_match():
    answers = fuzzed(120)
    assert sum(answers.values()) >= 120
    assert {"400", "busy", "info"} <= answers.keys()
