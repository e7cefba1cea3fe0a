"""HTTP client: send a message to a GGP player and wait for its reply.

Clocks need a deadline for the whole exchange. ``http.client`` has timeouts for single operations only, so a player that
sends one byte per second would keep it waiting, and it reads up to 6 MB of header.
"""

from __future__ import annotations

import reprlib
import socket
from collections.abc import Callable
from dataclasses import dataclass
from time import monotonic
from urllib.parse import urlsplit

from ramify.errors import RamifyError
from ramify.numerals import is_whole_number
from ramify.old_names import old_attributes
from ramify.players.faults import Fault
from ramify.players.ggp.http_request import HEADER_END

MAX_REPLY_BYTES = 1 << 16
RECEIVE_BYTES = 1 << 14  # per recv()
DEFAULT_PORT = 9147
NOT_HTTP = "did not answer by HTTP"


@dataclass(frozen=True)
class Address:
    """Address of a player."""

    host: str
    port: int

    @classmethod
    def parse(cls, url: str) -> Address:
        """Parse http://HOST:PORT or HOST:PORT."""
        try:
            parts = urlsplit(url if "//" in url else f"//{url}", scheme="http")
            host, port = parts.hostname, parts.port
        except ValueError:
            host = port = None
        if not host or parts.scheme != "http" or parts.path not in ("", "/"):
            raise RamifyError(f"invalid player address {reprlib.repr(url)}: use e.g. http://127.0.0.1:9147")
        return cls(host, DEFAULT_PORT if port is None else port)

    def __str__(self) -> str:
        return f"http://{f'[{self.host}]' if ':' in self.host else self.host}:{self.port}"


def send_message(address: Address, message: str, seconds: float, now: Callable[[], float] = monotonic) -> str:
    """Send a message and return the reply. Raise Fault for an invalid reply, or if none arrives in time."""
    deadline = now() + seconds

    def left() -> float:
        remaining = deadline - now()
        if remaining <= 0:
            raise TimeoutError
        return remaining

    body = message.encode()
    head = (
        f"POST / HTTP/1.0\r\nAccept: text/delim\r\nHost: {str(address).removeprefix('http://')}\r\nSender: RAMIFY\r\n"
        f"Receiver: PLAYER\r\nContent-Type: text/acl\r\nContent-Length: {len(body)}\r\n\r\n"
    )
    reply = _Reply()
    try:
        with _connect(address, left) as connection:
            connection.settimeout(left())
            connection.sendall(head.encode() + body)
            while not reply.complete:
                connection.settimeout(max(deadline - now(), 0.0))  # data that arrived in time is read even now
                piece = connection.recv(RECEIVE_BYTES)
                if not piece:
                    break
                reply.add(piece)
    except (TimeoutError, BlockingIOError):
        raise Fault("was late", late=True) from None
    except (OSError, UnicodeError):  # UnicodeError: the host is not a possible name
        raise Fault("could not be reached") from None
    return reply.text()


def _connect(address: Address, left: Callable[[], float]) -> socket.socket:
    """Connect to the first address of the host that accepts. All of them share the time that is left."""
    failure = OSError("the host has no address")
    for family, kind, protocol, _, place in socket.getaddrinfo(address.host, address.port, type=socket.SOCK_STREAM):
        connection = socket.socket(family, kind, protocol)
        try:
            connection.settimeout(left())
            connection.connect(place)
        except OSError as error:
            connection.close()
            failure = error
        else:
            return connection
    raise failure


class _Reply:
    """Assembles a reply. Without a Content-Length it ends when the player closes the connection."""

    def __init__(self) -> None:
        self._data = bytearray()
        self._start: int | None = None  # of the body, once the header has arrived
        self._length: int | None = None  # of the body, if declared

    @property
    def complete(self) -> bool:
        """Whether the body has its declared length."""
        return self._start is not None and self._length is not None and len(self._data) - self._start >= self._length

    def add(self, piece: bytes) -> None:
        before = len(self._data)
        self._data += piece
        if len(self._data) > MAX_REPLY_BYTES:
            raise Fault("sent too much")
        if self._start is None and (end := HEADER_END.search(self._data, max(0, before - 3))):
            self._start = end.end()
            self._length = _declared_length(self._data[: end.start()].decode("latin-1").splitlines())

    def text(self) -> str:
        if self._start is None:
            raise Fault(NOT_HTTP)
        body = self._data[self._start :]
        if self._length is not None and len(body) < self._length:
            raise Fault(NOT_HTTP)
        return body[: self._length].decode("utf-8", errors="replace").strip()


def _declared_length(head: list[str]) -> int | None:
    """Check a header and return its Content-Length, if any."""
    words = head[0].split(None, 2) if head else []
    if len(words) < 2 or not words[0].startswith("HTTP/"):
        raise Fault(NOT_HTTP)
    if words[1] != "200":
        raise Fault("refused the message")
    fields = [(name.strip().lower(), value.strip()) for name, _, value in (line.partition(":") for line in head[1:])]
    lengths = {value for name, value in fields if name == "content-length"}
    if any(name == "transfer-encoding" for name, _ in fields) or len(lengths) > 1:
        raise Fault(NOT_HTTP)
    for length in lengths:
        if not (length.isascii() and length.isdigit()):
            raise Fault(NOT_HTTP)
        if not is_whole_number(length) or int(length) > MAX_REPLY_BYTES:
            raise Fault("sent too much")
        return int(length)
    return None


__getattr__ = old_attributes(__name__)
