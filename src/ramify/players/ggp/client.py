"""HTTP client: send a message to a GGP player and wait for its reply."""

from __future__ import annotations

import socket
from collections.abc import Callable
from dataclasses import dataclass
from time import monotonic
from urllib.parse import urlsplit

from ramify.errors import RamifyError
from ramify.old_names import old_attributes
from ramify.players.faults import Fault

MAX_REPLY_BYTES = 1 << 16
RECEIVE_BYTES = 1 << 14  # per recv()
DEFAULT_PORT = 9147


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
            raise RamifyError(f"invalid player address '{url}': use e.g. http://127.0.0.1:9147")
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
        f"POST / HTTP/1.0\r\nAccept: text/delim\r\nHost: {address.host}:{address.port}\r\nSender: RAMIFY\r\n"
        f"Receiver: PLAYER\r\nContent-Type: text/acl\r\nContent-Length: {len(body)}\r\n\r\n"
    )
    try:
        with socket.create_connection((address.host, address.port), timeout=left()) as connection:
            connection.settimeout(left())
            connection.sendall(head.encode() + body)
            received = b""
            while not _is_complete(received):
                connection.settimeout(max(deadline - now(), 0.0))  # data that arrived in time is read even now
                piece = connection.recv(RECEIVE_BYTES)
                if not piece:
                    break
                received += piece
                if len(received) > MAX_REPLY_BYTES:
                    raise Fault("sent too much")
    except (TimeoutError, BlockingIOError):
        raise Fault("was late", late=True) from None
    except OSError:
        raise Fault("could not be reached") from None
    return _text(received)


def _length(head: bytes) -> int | None:
    for line in head.split(b"\r\n")[1:]:
        name, _, value = line.partition(b":")
        if name.strip().lower() == b"content-length" and value.strip().isdigit():
            return int(value)
    return None


def _is_complete(received: bytes) -> bool:
    """Whether a reply has its Content-Length; without one the other side closes the connection."""
    head, found, body = received.partition(b"\r\n\r\n")
    length = _length(head) if found else None
    return length is not None and len(body) >= length


def _text(received: bytes) -> str:
    head, found, body = received.partition(b"\r\n\r\n")
    if not found:
        head, found, body = received.partition(b"\n\n")
    words = head.split(None, 2)
    if not found or not head.startswith(b"HTTP/") or len(words) < 2:
        raise Fault("did not answer by HTTP")
    if words[1] != b"200":
        raise Fault("refused the message")
    length = _length(head)
    return body[:length].decode("utf-8", errors="replace").strip()


__getattr__ = old_attributes(__name__)
