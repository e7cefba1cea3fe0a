"""HTTP requests of game managers, put together from the pieces in which they arrive."""

from __future__ import annotations

import ipaddress
import re
import socket
from dataclasses import dataclass
from http import HTTPStatus
from urllib.parse import unquote, urlsplit

from ramify.numerals import is_whole_number

MAX_MESSAGE_BYTES = 1 << 21  # the longest public rulesheet has 425,376 bytes
MAX_HEADER_BYTES = 1 << 16
HEADER_END = re.compile(rb"\r\n\r\n|\n\n")
OWN_SITES = ("", "none", "same-origin")  # Sec-Fetch-Site of requests that no other web page has caused


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


class RequestReader:
    """Assembles one request. ``loopback``: only this machine can connect, so names of other machines are wrong."""

    def __init__(self, *, loopback: bool = False) -> None:
        self.expects_continue = False  # whether the sender waits for leave to send the message
        self._loopback = loopback
        self._data = bytearray()
        self._head: tuple[str, str] | None = None  # method and path
        self._length: int | None = None  # of the message, if declared
        self._opened = self._closed = 0  # parentheses of a message without a declared length

    def add(self, piece: bytes) -> Request | None:
        """Add a piece; an empty one ends the input. Return the request once it is complete."""
        before = len(self._data)
        self._data += piece
        if self._head is None:
            end = HEADER_END.search(self._data, max(0, before - 3))
            if (end.start() if end else len(self._data)) > MAX_HEADER_BYTES:
                raise BadRequestError(HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE, "the HTTP header is too long")
            if end is None:
                if not piece:
                    raise BadRequestError(HTTPStatus.BAD_REQUEST, "incomplete HTTP header")
                return None
            lines = self._data[: end.start()].decode("latin-1").splitlines()
            del self._data[: end.end()]
            if (request := self._read_head(lines)) is not None:
                return request
            before = 0
        return self._read_message(before, ended=not piece)

    def _read_head(self, lines: list[str]) -> Request | None:
        """Check the header. Return the request if no message follows."""
        words = lines[0].split() if lines else []
        if len(words) not in (2, 3):
            raise BadRequestError(HTTPStatus.BAD_REQUEST, "not an HTTP request")
        method, path = words[0].upper(), words[1]
        fields = _fields(lines[1:])
        _reject_web_pages(fields)
        if self._loopback and not _is_local(fields.get("host", "")):
            raise BadRequestError(HTTPStatus.FORBIDDEN, "wrong Host: use the address on which the player listens")
        if method == "OPTIONS":
            return Request(method, path, "")
        if method == "GET":
            return Request(method, path, unquote(path).lstrip("/").removeprefix("?").replace("+", " ") or "(info)")
        if method != "POST":
            raise BadRequestError(HTTPStatus.METHOD_NOT_ALLOWED, f"use POST or GET, not {method[:20]}")
        if "transfer-encoding" in fields:
            raise BadRequestError(HTTPStatus.LENGTH_REQUIRED, "Transfer-Encoding is not supported: send Content-Length")
        self._length = _declared_length(fields.get("content-length"))
        self._head = (method, path)
        self.expects_continue = fields.get("expect", "").lower() == "100-continue"
        return None

    def _read_message(self, before: int, *, ended: bool) -> Request | None:
        """Return the request if its message is complete; the first ``before`` bytes have been looked at.

        Without a length a message ends when all its parentheses are closed, or at the end of the input.
        """
        if self._length is None:
            if len(self._data) > MAX_MESSAGE_BYTES:
                raise _too_large()
            self._opened += self._data.count(b"(", before)
            self._closed += self._data.count(b")", before)
            complete = ended or 0 < self._opened == self._closed
        else:
            complete = len(self._data) >= self._length
            if ended and not complete:
                sizes = f"{len(self._data):,} bytes, not {self._length:,}"
                raise BadRequestError(HTTPStatus.BAD_REQUEST, f"the message has {sizes}")
        if not complete or self._head is None:
            return None
        return Request(*self._head, self._data[: self._length].decode("utf-8", errors="replace"))


def _fields(lines: list[str]) -> dict[str, str]:
    fields: dict[str, str] = {}
    for line in lines:
        name, _, text = line.partition(":")
        key, value = name.strip().lower(), text.strip()
        if key == "content-length" and fields.get(key, value) != value:
            raise BadRequestError(HTTPStatus.BAD_REQUEST, "two different values of Content-Length")
        fields[key] = value
    return fields


def _declared_length(value: str | None) -> int | None:
    if value is None:
        return None
    if not (value.isascii() and value.isdigit()):
        raise BadRequestError(HTTPStatus.BAD_REQUEST, "invalid Content-Length")
    if not is_whole_number(value) or int(value) > MAX_MESSAGE_BYTES:
        raise _too_large()
    return int(value)


def _too_large() -> BadRequestError:
    return BadRequestError(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, f"messages are limited to {MAX_MESSAGE_BYTES:,} bytes")


def _reject_web_pages(fields: dict[str, str]) -> None:
    """Raise if a browser sends the request for a page that is not ours."""
    origin = fields.get("origin")
    own = origin is None or origin.lower() == f"http://{fields.get('host', '')}".lower()
    if not own or fields.get("sec-fetch-site", "").lower() not in OWN_SITES:
        raise BadRequestError(HTTPStatus.FORBIDDEN, "requests of web pages are refused")


def _is_local(host: str) -> bool:
    """Whether a Host field may name this machine: by an address, a name without dots, or its full name.

    A web page whose name an attacker's name server resolves to 127.0.0.1 sends its own name, which has dots.
    """
    try:
        name = urlsplit(f"//{host}").hostname or ""
    except ValueError:
        return False
    if "." not in name or name.endswith(".localhost") or name == socket.gethostname().lower():
        return True
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True
