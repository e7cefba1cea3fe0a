"""GGP players that always answer the same legal move, so that every match of a seed is the same."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from ramify.ggp.interpreter import Interpreter
from ramify.ggp.kif import read, write
from ramify.ggp.rules import Rulesheet

THINKING = 0.01  # seconds per move, so that matches take long enough to be killed


class LegalPlayer:
    """Plays any number of matches at once."""

    def __init__(self) -> None:
        self.matches: dict[str, list[Any]] = {}  # interpreter, position and role, by the match's id

    def answer(self, message: str) -> str:
        """The reply to a manager's message."""
        (parts,) = (expression.parts for expression in read(message, "a message"))
        kind, match = parts[0].word.lower(), parts[1].word if len(parts) > 1 else ""
        if kind == "start":
            interpreter = Interpreter(Rulesheet.from_expressions(parts[3].parts, "the rules"))
            self.matches[match] = [interpreter, interpreter.initial(), parts[2].term]
            return "ready"
        if kind == "play":
            return self._move(match, parts[2].parts)
        if kind in ("stop", "abort"):
            self.matches.pop(match, None)
        return "available" if kind == "info" else "done"

    def _move(self, match: str, joint: Any) -> str:
        interpreter, position, role = self.matches[match]
        if joint:
            moves = dict(zip(interpreter.roles, (one.term for one in joint), strict=True))
            self.matches[match][1] = position = interpreter.next(position, moves)
        time.sleep(THINKING)
        legal = sorted(map(write, interpreter.legal(position, role)))
        return legal[len(legal) // 2]


@contextmanager
def legal_players(count: int) -> Iterator[list[str]]:
    """Addresses of so many players."""
    servers = []
    for _ in range(count):
        player = LegalPlayer()

        class Handler(BaseHTTPRequestHandler):
            answer = player.answer

            def do_POST(self) -> None:
                message = self.rfile.read(int(self.headers["Content-Length"])).decode()
                reply = type(self).answer(message).encode()
                self.send_response(200)
                self.send_header("Content-Length", str(len(reply)))
                with suppress(ConnectionError):  # the manager was killed
                    self.end_headers()
                    self.wfile.write(reply)

            def log_message(self, *_: object) -> None:
                pass

        servers.append(ThreadingHTTPServer(("127.0.0.1", 0), Handler))
        threading.Thread(target=servers[-1].serve_forever, daemon=True).start()
    try:
        yield [f"http://127.0.0.1:{server.server_port}" for server in servers]
    finally:
        for server in servers:
            server.shutdown()
            server.server_close()
