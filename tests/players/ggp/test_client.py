"""Replies of players that break HTTP, never end, or come too late."""

import socket
import threading
from contextlib import contextmanager, suppress
from itertools import chain, repeat
from time import monotonic, sleep

import pytest

from ramify.players.faults import Fault
from ramify.players.ggp.client import Address, send_message

OK = b"HTTP/1.0 200 OK\r\n"
NINES = b"9" * 5000


@contextmanager
def replying(pieces, pause=0.0):
    """The address of a player that sends these pieces, one after the other, and closes the connection."""
    with socket.create_server(("127.0.0.1", 0)) as server:

        def serve():
            connection, _ = server.accept()
            with connection, suppress(OSError):
                connection.recv(1 << 16)
                for piece in pieces:
                    connection.sendall(piece)
                    sleep(pause)

        thread = threading.Thread(target=serve, daemon=True)
        thread.start()
        yield Address("127.0.0.1", server.getsockname()[1])
        thread.join(60)
        assert not thread.is_alive()


@pytest.mark.parametrize(
    "reply",
    [
        OK + b"Content-Length: 5\r\n\r\nready",
        OK + b"Content-Length: 5\r\nContent-Length: 5\r\n\r\nready",
        OK + b"Content-Length: 5\r\n\r\nready and more",
        OK + b"\r\nready",
        b"HTTP/1.1 200\n\nready\n",
    ],
)
def test_replies(reply):
    with replying([reply]) as player:
        assert send_message(player, "(info)", 60.0) == "ready"
    with replying(bytes([code]) for code in reply) as player:
        assert send_message(player, "(info)", 60.0) == "ready"


@pytest.mark.parametrize(
    ("reply", "reason"),
    [
        (b"", "did not answer by HTTP"),
        (b"ready", "did not answer by HTTP"),
        (b"\r\n\r\nready", "did not answer by HTTP"),
        (b"HTTP/1.0\r\n\r\nready", "did not answer by HTTP"),
        (b"ICY 200 OK\r\n\r\nready", "did not answer by HTTP"),
        (b"HTTP/1.0 500 No\r\n\r\nready", "refused the message"),
        ("HTTP/1.0 ²00 OK\r\n\r\nready".encode(), "refused the message"),
        (OK + b"Content-Length: " + NINES + b"\r\n\r\nready", "sent too much"),
        (OK + b"Content-Length: 65537\r\n\r\nready", "sent too much"),
        (OK + b"Content-Length: -1\r\n\r\nready", "did not answer by HTTP"),
        (OK + b"Content-Length:\r\n\r\nready", "did not answer by HTTP"),
        (OK + "Content-Length: \u0665\r\n\r\nready".encode(), "did not answer by HTTP"),
        (OK + b"Content-Length: 5\r\nContent-Length: 2\r\n\r\nready", "did not answer by HTTP"),
        (OK + b"Content-Length: 9\r\n\r\nready", "did not answer by HTTP"),
        (OK + b"Transfer-Encoding: chunked\r\n\r\n5\r\nready\r\n0\r\n\r\n", "did not answer by HTTP"),
        (OK + b"X: y\r\n" * 20_000, "sent too much"),
        (OK + b"X" * 200_000, "sent too much"),
    ],
)
def test_replies_that_are_faults(reply, reason):
    with replying([reply]) as player, pytest.raises(Fault) as fault:
        send_message(player, "(info)", 60.0)
    assert fault.value.reason == reason
    assert not fault.value.late


@pytest.mark.parametrize("head", [b"", OK, OK + b"\r\n"])
def test_a_player_that_never_stops_sending(head):
    """It is cut off at the limit, long before the deadline."""
    pieces = chain([head], repeat(b"x" * 1000))
    with replying(pieces) as player, pytest.raises(Fault, match="sent too much"):
        send_message(player, "(info)", 60.0)


@pytest.mark.alone
@pytest.mark.parametrize("head", [b"", OK + b"\r\n", OK + b"Content-Length: 99\r\n\r\n"])
def test_a_player_that_drips(head):
    """The deadline is that of the whole reply, not of its next byte."""
    began = monotonic()
    with replying([head, *repeat(b"x", 60)], pause=0.05) as player:
        with pytest.raises(Fault, match="was late") as fault:
            send_message(player, "(info)", 0.3)
        assert monotonic() - began < 2.0
    assert fault.value.late


@pytest.mark.parametrize("host", ["no.such.host.invalid", "x" * 300, "a..b", "\udcff"])
def test_hosts_that_are_none(host):
    with pytest.raises(Fault, match="could not be reached"):
        send_message(Address(host, 9147), "(info)", 60.0)
