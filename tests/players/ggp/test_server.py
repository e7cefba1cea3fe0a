"""HTTP as managers speak it, and as they do not."""

import socket
from time import monotonic

import pytest

from ramify.errors import RamifyError
from ramify.players.ggp import server as servers
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
    answer = raw(port, b"OPTIONS / HTTP/1.1\r\nOrigin: http://x\r\n\r\n")
    assert answer.startswith(b"HTTP/1.0 200 OK\r\n")
    assert b"Access-Control-Allow-Origin: *\r\n" in answer


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
        (b"POST / HTTP/1.0\r\nContent-Length: 99999999\r\n\r\n(info)", 413, b"limited to 16,777,216 bytes"),
        (b"POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n", 411, b"Transfer-Encoding is not supported"),
        (b"POST / HTTP/1.0\r\nX: " + b"y" * 70_000 + b"\r\n\r\n", 431, b"too long"),
        (spaced("(dance)"), 400, b"unknown message 'dance'"),
    ],
)
def test_what_is_refused(port, data, status, words):
    answer = raw(port, data)
    assert answer.startswith(f"HTTP/1.0 {status} ".encode())
    assert words in answer
    assert say(port, "(info)").startswith("( ( name")


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
def test_more_senders_than_there_is_room_for(port, monkeypatch):
    idle = [socket.create_connection(("127.0.0.1", port), timeout=60) for _ in range(servers.MAX_CONNECTIONS)]
    while say_or_nothing(port):
        pass
    for connection in idle:
        connection.close()
    while not say_or_nothing(port):
        pass


def say_or_nothing(port):
    answer = raw(port, spaced("(info)"))
    assert answer == b"" or body_of(answer).startswith("( ( name")
    return answer


def test_a_port_that_is_taken(port):
    with pytest.raises(RamifyError, match=f"cannot listen on 127.0.0.1:{port}"):
        HttpServer("127.0.0.1", port, lambda text, _: text)


@pytest.mark.alone
def test_fuzzed_requests_harm_no_match():
    answers = fuzzed(120)
    assert sum(answers.values()) >= 120
    assert {"400", "busy", "info"} <= answers.keys()
