"""HTTP as game managers speak it: one message a connection, and the connection is closed after the reply.

Managers are simple programs: some send no Host, some no length, and some read until the connection is closed.
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

MAX_MESSAGE_BYTES = 16 << 20  # bytes of a message; rulesheets have up to a few hundred thousand
MAX_HEADER_BYTES = 1 << 16
READ_SECONDS = 10.0  # seconds that a message may take to arrive
WRITE_SECONDS = 5.0  # and its reply to be sent
DRAIN_SECONDS = 0.5  # seconds for what a refused sender is still sending, so that it sees why
MAX_CONNECTIONS = 64  # at the same time
WITHOUT_LENGTH = 3.0  # seconds that a message of unknown length may take to arrive
PIECE = 1 << 16
ENDS = (b"\r\n\r\n", b"\n\n")  # of the head of a request

Answer = Callable[[str, float], str]
ALLOWED = (
    "Access-Control-Allow-Origin: *\r\n"
    "Access-Control-Allow-Methods: GET, POST, OPTIONS\r\n"
    "Access-Control-Allow-Headers: *\r\n"
)


class BadRequestError(Exception):
    """What cannot be answered, and how HTTP says so."""

    def __init__(self, status: HTTPStatus, sentence: str) -> None:
        super().__init__(sentence)
        self.status = status


@dataclass(frozen=True)
class Request:
    """A request as far as it matters."""

    method: str
    path: str
    text: str  # the message


class HttpServer:
    """Listens, and answers every connection in a thread of its own."""

    def __init__(self, host: str, port: int, answer: Answer, say: Callable[[str], object] = lambda _: None) -> None:
        self.answer = answer
        self.say = say
        self._room = threading.BoundedSemaphore(MAX_CONNECTIONS)
        self._closed = threading.Event()
        try:
            family = socket.AF_INET6 if ":" in host else socket.AF_INET
            self._socket = socket.create_server((host, port), family=family, backlog=128)
        except (OSError, OverflowError, UnicodeError) as error:
            reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
            raise RamifyError(f"nobody can listen at {host}, port {port}: {reason.lower()}") from None
        self.host, self.port = self._socket.getsockname()[:2]

    def serve(self) -> None:
        """Answer until the server is closed."""
        while not self._closed.is_set():
            try:
                connection, _ = self._socket.accept()
            except OSError:
                if self._closed.is_set():
                    return
                continue  # the other side has gone before it was accepted
            arrived = monotonic()
            if not self._room.acquire(blocking=False):
                connection.close()
                continue
            threading.Thread(target=self._handle, args=(connection, arrived), daemon=True).start()

    def close(self) -> None:
        """Listen no longer."""
        self._closed.set()
        with suppress(OSError):  # nobody waits
            self._socket.shutdown(socket.SHUT_RDWR)  # wakes whoever waits in accept
        self._socket.close()

    def _handle(self, connection: socket.socket, arrived: float) -> None:
        try:
            with connection:
                self._converse(connection, arrived)
        except OSError:
            pass  # the other side has gone: nobody is left to answer
        except Exception as error:  # noqa: BLE001  (a fault of ours must not end the server)
            self.say(f"a request could not be answered: {type(error).__name__}: {error}")
        finally:
            self._room.release()

    def _converse(self, connection: socket.socket, arrived: float) -> None:
        whole = True
        try:
            request = read_request(connection, arrived + READ_SECONDS)
            status, text = HTTPStatus.OK, ""
            if request.method != "OPTIONS":
                text = self.answer(request.text, arrived)
        except BadRequestError as error:
            status, text, whole = error.status, str(error), False
        except RamifyError as error:
            status, text = HTTPStatus.BAD_REQUEST, str(error)
        body = text.encode()
        head = f"HTTP/1.0 {status.value} {status.phrase}\r\nContent-Type: text/acl\r\nContent-Length: {len(body)}\r\n"
        connection.settimeout(WRITE_SECONDS)
        connection.sendall(f"{head}{ALLOWED}Connection: close\r\n\r\n".encode() + body)
        connection.shutdown(socket.SHUT_WR)
        if not whole:
            _drain(connection)


def _drain(connection: socket.socket) -> None:
    """Read what still comes for a moment: a connection closed on unread data would lose the reply."""
    until = monotonic() + DRAIN_SECONDS
    connection.settimeout(DRAIN_SECONDS)
    while monotonic() < until and connection.recv(PIECE):
        pass


def read_request(connection: socket.socket, until: float) -> Request:
    """A request that must have arrived in time."""
    source = _Source(connection, until)
    lines = source.head().decode("latin-1").splitlines()
    words = lines[0].split() if lines else []
    if len(words) not in (2, 3):
        raise BadRequestError(HTTPStatus.BAD_REQUEST, "this is no request of HTTP")
    method, path = words[0].upper(), words[1]
    fields = {name.strip().lower(): value.strip() for name, _, value in (line.partition(":") for line in lines[1:])}
    if method == "OPTIONS":
        return Request(method, path, "")
    if method == "GET":
        return Request(method, path, unquote(path).lstrip("/").removeprefix("?").replace("+", " ") or "(info)")
    if method != "POST":
        raise BadRequestError(HTTPStatus.METHOD_NOT_ALLOWED, f"messages come by POST or GET, not by {method[:20]}")
    if "transfer-encoding" in fields:
        raise BadRequestError(HTTPStatus.LENGTH_REQUIRED, "a message must come in one piece, with its length")
    if fields.get("expect", "").lower() == "100-continue":
        connection.sendall(b"HTTP/1.1 100 Continue\r\n\r\n")
    length = fields.get("content-length")
    if length is None:
        body = source.message()
    elif length.isascii() and length.isdigit() and int(length) <= MAX_MESSAGE_BYTES:
        body = source.exactly(int(length))
    elif length.isascii() and length.isdigit():
        raise BadRequestError(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, f"a message has at most {MAX_MESSAGE_BYTES:,} bytes")
    else:
        raise BadRequestError(HTTPStatus.BAD_REQUEST, "the length of the message is no number")
    return Request(method, path, body.decode("utf-8", errors="replace"))


class _Source:
    """Reads from a connection until a moment."""

    def __init__(self, connection: socket.socket, until: float) -> None:
        self.connection = connection
        self.until = until
        self.waiting = b""

    def _more(self) -> bool:
        left = self.until - monotonic()
        if left <= 0:
            raise BadRequestError(HTTPStatus.REQUEST_TIMEOUT, "the message took too long to arrive")
        self.connection.settimeout(left)
        try:
            piece = self.connection.recv(PIECE)
        except TimeoutError:
            raise BadRequestError(HTTPStatus.REQUEST_TIMEOUT, "the message took too long to arrive") from None
        self.waiting += piece
        return bool(piece)

    def head(self) -> bytes:
        """Everything up to the first empty line."""
        while True:
            found = [place for place in (self.waiting.find(end) for end in ENDS) if place >= 0]
            if min(found, default=len(self.waiting)) > MAX_HEADER_BYTES:
                raise BadRequestError(HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE, "the head of the request is too long")
            if found:
                head = self.waiting[: min(found)]
                rest = self.waiting[len(head) :]
                self.waiting = rest.removeprefix(ENDS[0] if rest.startswith(ENDS[0]) else ENDS[1])
                return head
            if not self._more():
                raise BadRequestError(HTTPStatus.BAD_REQUEST, "the request ends before its head does")

    def exactly(self, length: int) -> bytes:
        """So many bytes."""
        pieces, count = [self.waiting], len(self.waiting)
        while count < length:
            self.waiting = b""
            if not self._more():
                raise BadRequestError(HTTPStatus.BAD_REQUEST, f"the message has {count:,} bytes, not {length:,}")
            pieces.append(self.waiting)
            count += len(self.waiting)
        return b"".join(pieces)[:length]

    def message(self) -> bytes:
        """A message without a length: until all its parentheses are closed, or nothing more comes."""
        self.until = min(self.until, monotonic() + WITHOUT_LENGTH)
        while len(self.waiting) <= MAX_MESSAGE_BYTES:
            opened = self.waiting.count(b"(")
            if opened and opened == self.waiting.count(b")"):
                return self.waiting
            if not self._more():
                return self.waiting
        raise BadRequestError(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, f"a message has at most {MAX_MESSAGE_BYTES:,} bytes")
