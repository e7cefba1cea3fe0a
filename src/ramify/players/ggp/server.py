"""HTTP server for game managers: one message per connection, which is closed after the reply.

Game managers are simple programs. Some send no Host, some no Content-Length, and some read until the connection closes.
"""

from __future__ import annotations

import socket
import threading
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from http import HTTPStatus
from time import monotonic
from urllib.parse import unquote

from ramify.errors import RamifyError

MAX_MESSAGE_BYTES = 16 << 20  # rulesheets have up to a few hundred thousand bytes
MAX_HEADER_BYTES = 1 << 16
READ_SECONDS = 10.0  # for a message to arrive
WRITE_SECONDS = 5.0  # to send the reply
DRAIN_SECONDS = 0.5  # to read the rest of a rejected message, so that the sender gets the reply
MAX_CONNECTIONS = 64
NO_LENGTH_SECONDS = 3.0  # for a message without Content-Length to arrive
RECEIVE_BYTES = 1 << 16  # per recv()
HEADER_ENDS = (b"\r\n\r\n", b"\n\n")

Answer = Callable[[str, float], str]
ALLOWED = (
    "Access-Control-Allow-Origin: *\r\n"
    "Access-Control-Allow-Methods: GET, POST, OPTIONS\r\n"
    "Access-Control-Allow-Headers: *\r\n"
)


class BadRequestError(Exception):
    """An invalid request, with its HTTP status."""

    def __init__(self, status: HTTPStatus, message: str) -> None:
        super().__init__(message)
        self.status = status


@dataclass(frozen=True)
class Request:
    """An HTTP request."""

    method: str
    path: str
    text: str  # the message


class HttpServer:
    """Listens, and answers each connection in its own thread."""

    def __init__(self, host: str, port: int, answer: Answer, log: Callable[[str], object] = lambda _: None) -> None:
        self.answer = answer
        self.log = log
        self._slots = threading.BoundedSemaphore(MAX_CONNECTIONS)
        self._closed = threading.Event()
        try:
            family = socket.AF_INET6 if ":" in host else socket.AF_INET
            self._socket = socket.create_server((host, port), family=family, backlog=128)
        except (OSError, OverflowError, UnicodeError) as error:
            reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
            raise RamifyError(f"cannot listen on {host}:{port}: {reason.lower()}") from None
        self.host, self.port = self._socket.getsockname()[:2]

    def serve(self) -> None:
        """Answer connections until ``close`` is called."""
        while not self._closed.is_set():
            try:
                connection, _ = self._socket.accept()
            except OSError:
                if self._closed.is_set():
                    return
                continue  # the client disconnected before it was accepted
            arrived = monotonic()
            if not self._slots.acquire(blocking=False):
                connection.close()
                continue
            threading.Thread(target=self._handle, args=(connection, arrived), daemon=True).start()

    def close(self) -> None:
        """Stop listening."""
        self._closed.set()
        with suppress(OSError):  # if no thread is in accept()
            self._socket.shutdown(socket.SHUT_RDWR)  # interrupts accept()
        self._socket.close()

    def _handle(self, connection: socket.socket, arrived: float) -> None:
        try:
            with connection:
                self._respond(connection, arrived)
        except OSError:
            pass  # the client disconnected
        except Exception as error:  # noqa: BLE001  (a bug must not end the server)
            self.log(f"cannot answer a request: {type(error).__name__}: {error}")
        finally:
            self._slots.release()

    def _respond(self, connection: socket.socket, arrived: float) -> None:
        complete = True
        try:
            request = read_request(connection, arrived + READ_SECONDS)
            status, text = HTTPStatus.OK, ""
            if request.method != "OPTIONS":
                text = self.answer(request.text, arrived)
        except BadRequestError as error:
            status, text, complete = error.status, str(error), False
        except RamifyError as error:
            status, text = HTTPStatus.BAD_REQUEST, str(error)
        body = text.encode()
        head = f"HTTP/1.0 {status.value} {status.phrase}\r\nContent-Type: text/acl\r\nContent-Length: {len(body)}\r\n"
        connection.settimeout(WRITE_SECONDS)
        connection.sendall(f"{head}{ALLOWED}Connection: close\r\n\r\n".encode() + body)
        connection.shutdown(socket.SHUT_WR)
        if not complete:
            _drain(connection)


def _drain(connection: socket.socket) -> None:
    """Read the rest for a moment: closing a connection with unread data would discard the reply."""
    deadline = monotonic() + DRAIN_SECONDS
    connection.settimeout(DRAIN_SECONDS)
    while monotonic() < deadline and connection.recv(RECEIVE_BYTES):
        pass


def read_request(connection: socket.socket, deadline: float) -> Request:
    """Read a request. Raise BadRequestError if it is invalid or late."""
    reader = _Reader(connection, deadline)
    lines = reader.head().decode("latin-1").splitlines()
    words = lines[0].split() if lines else []
    if len(words) not in (2, 3):
        raise BadRequestError(HTTPStatus.BAD_REQUEST, "not an HTTP request")
    method, path = words[0].upper(), words[1]
    fields = {name.strip().lower(): value.strip() for name, _, value in (line.partition(":") for line in lines[1:])}
    if method == "OPTIONS":
        return Request(method, path, "")
    if method == "GET":
        return Request(method, path, unquote(path).lstrip("/").removeprefix("?").replace("+", " ") or "(info)")
    if method != "POST":
        raise BadRequestError(HTTPStatus.METHOD_NOT_ALLOWED, f"use POST or GET, not {method[:20]}")
    if "transfer-encoding" in fields:
        raise BadRequestError(HTTPStatus.LENGTH_REQUIRED, "Transfer-Encoding is not supported: send Content-Length")
    if fields.get("expect", "").lower() == "100-continue":
        connection.sendall(b"HTTP/1.1 100 Continue\r\n\r\n")
    length = fields.get("content-length")
    if length is None:
        body = reader.message()
    elif length.isascii() and length.isdigit() and int(length) <= MAX_MESSAGE_BYTES:
        body = reader.exactly(int(length))
    elif length.isascii() and length.isdigit():
        raise BadRequestError(
            HTTPStatus.REQUEST_ENTITY_TOO_LARGE, f"messages are limited to {MAX_MESSAGE_BYTES:,} bytes"
        )
    else:
        raise BadRequestError(HTTPStatus.BAD_REQUEST, "invalid Content-Length")
    return Request(method, path, body.decode("utf-8", errors="replace"))


class _Reader:
    """Reads from a connection until a deadline."""

    def __init__(self, connection: socket.socket, deadline: float) -> None:
        self.connection = connection
        self.deadline = deadline
        self.buffer = b""

    def _more(self) -> bool:
        left = self.deadline - monotonic()
        if left <= 0:
            raise BadRequestError(HTTPStatus.REQUEST_TIMEOUT, "the message took too long to arrive")
        self.connection.settimeout(left)
        try:
            piece = self.connection.recv(RECEIVE_BYTES)
        except TimeoutError:
            raise BadRequestError(HTTPStatus.REQUEST_TIMEOUT, "the message took too long to arrive") from None
        self.buffer += piece
        return bool(piece)

    def head(self) -> bytes:
        """Return everything up to the first empty line."""
        while True:
            found = [place for place in (self.buffer.find(end) for end in HEADER_ENDS) if place >= 0]
            if min(found, default=len(self.buffer)) > MAX_HEADER_BYTES:
                raise BadRequestError(HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE, "the HTTP header is too long")
            if found:
                head = self.buffer[: min(found)]
                rest = self.buffer[len(head) :]
                self.buffer = rest.removeprefix(HEADER_ENDS[0] if rest.startswith(HEADER_ENDS[0]) else HEADER_ENDS[1])
                return head
            if not self._more():
                raise BadRequestError(HTTPStatus.BAD_REQUEST, "incomplete HTTP header")

    def exactly(self, length: int) -> bytes:
        """Return ``length`` bytes."""
        pieces, count = [self.buffer], len(self.buffer)
        while count < length:
            self.buffer = b""
            if not self._more():
                raise BadRequestError(HTTPStatus.BAD_REQUEST, f"the message has {count:,} bytes, not {length:,}")
            pieces.append(self.buffer)
            count += len(self.buffer)
        return b"".join(pieces)[:length]

    def message(self) -> bytes:
        """Return a message without Content-Length: it ends when all its parentheses are closed, or at end of input."""
        self.deadline = min(self.deadline, monotonic() + NO_LENGTH_SECONDS)
        while len(self.buffer) <= MAX_MESSAGE_BYTES:
            opened = self.buffer.count(b"(")
            if opened and opened == self.buffer.count(b")"):
                return self.buffer
            if not self._more():
                return self.buffer
        raise BadRequestError(
            HTTPStatus.REQUEST_ENTITY_TOO_LARGE, f"messages are limited to {MAX_MESSAGE_BYTES:,} bytes"
        )
