"""A player in this process, and what managers say to it, byte by byte."""

from __future__ import annotations

import re
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import ramify
from ramify.ggp.rulesheets import rulesheet
from ramify.players.ggp.player import GgpPlayer
from ramify.players.ggp.role_games import InterpretedRoleGame
from ramify.players.ggp.server import HttpServer

SECONDS = 60.0  # for an answer, on a machine however busy


def only_interpreted(rules, role):
    yield InterpretedRoleGame(rules, role)


def on_one_line(name: str) -> str:
    """One of our rulesheets as managers send it."""
    return " ".join(re.sub(r";[^\n]*", " ", rulesheet(name)).split())


def new_player(agent: str = "uct(simulations=8)", **options: Any) -> GgpPlayer:
    settings = {"name": "Tester", "seed": 1, "make_role_games": only_interpreted} | options
    return GgpPlayer(ramify.agent(agent), **settings)


@contextmanager
def serving(player: GgpPlayer) -> Iterator[int]:
    """The port at which the player listens."""
    server = HttpServer("127.0.0.1", 0, player.answer)
    thread = threading.Thread(target=server.serve, daemon=True)
    thread.start()
    try:
        yield server.port
    finally:
        server.close()
        player.close()
        thread.join(SECONDS)
        assert not thread.is_alive()


def raw(port: int, data: bytes, seconds: float = SECONDS, *, ending: bool = False) -> bytes:
    """Everything that comes back until the player closes the connection; ``ending``: it is told that no more comes."""
    received = b""
    with socket.create_connection(("127.0.0.1", port), timeout=seconds) as connection:
        connection.settimeout(seconds)
        try:
            connection.sendall(data)
            if ending:
                connection.shutdown(socket.SHUT_WR)
            while piece := connection.recv(1 << 16):
                received += piece
        except OSError:  # it has closed already
            pass
    return received


def spaced(text: str) -> bytes:
    """As the managers of the Stanford server send it: HTTP/1.0, lower case, blanks, a Receiver."""
    body = text.encode()
    head = (
        "POST / HTTP/1.0\r\nAccept: text/delim\r\nSender: GAMESERVER\r\nReceiver: TESTER\r\n"
        f"Content-Type: text/acl\r\nContent-Length: {len(body)}\r\n\r\n"
    )
    return head.encode() + body


def shouted(text: str) -> bytes:
    """As the Dresden server sends it: upper case, no Host, and it reads until the connection is closed."""
    body = text.upper().encode()
    head = (
        "POST / HTTP/1.0\r\nAccept: text/delim\r\nSender: Gamecontroller\r\nReceiver: 127.0.0.1\r\n"
        f"Content-type: text/acl\r\nContent-length: {len(body)}\r\n\r\n"
    )
    return head.encode() + body


def body_of(answer: bytes) -> str:
    head, _, body = answer.partition(b"\r\n\r\n")
    assert head.startswith(b"HTTP/1.0 200 OK\r\n"), answer
    assert f"Content-Length: {len(body)}".encode() in head
    return body.decode()


def say(port: int, text: str) -> str:
    return body_of(raw(port, spaced(text)))
