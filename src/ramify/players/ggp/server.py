"""HTTP server for game managers: one message per connection, which is closed after the reply.

Game managers are simple programs. Some send no Host, some no Content-Length, and some read until the connection closes.

One thread reads all requests, and threads of their own answer them. Neither senders that never finish a request nor a
flood of one kind of message can keep a message of another kind from being answered.
"""

from __future__ import annotations

import errno
import ipaddress
import selectors
import socket
import struct
import sys
import threading
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from http import HTTPStatus
from time import monotonic
from typing import TypeAlias

from ramify.errors import RamifyError
from ramify.players.ggp.http_request import BadRequestError, Request, RequestReader
from ramify.players.ggp.messages import kind_of
from ramify.terminal import printable

READ_SECONDS = 5.0  # for a whole request to arrive
WRITE_SECONDS = 5.0  # to send the reply
DRAIN_SECONDS = 0.5  # to read the rest of a rejected message, so that the sender gets the reply
MAX_CONNECTIONS = 128  # whose request has not arrived completely
MAX_ANSWERS = 16  # at the same time, per kind of message
MAX_WAITING = 64  # requests, per kind of message
BACKLOG = 1024  # connections that the system keeps until they are accepted
ACCEPTS = 32  # connections accepted before others are read again
RECEIVE_BYTES = 1 << 16  # per recv()
LAST_DATA_RECEIVED = 52  # place of tcpi_last_data_recv, in milliseconds, in Linux's struct tcp_info
MAX_SECONDS_WAITING = 5.0  # counted against a manager's clock
TOO_MANY = (errno.EMFILE, errno.ENFILE, errno.ENOBUFS, errno.ENOMEM)  # of accept(): too many open files
RETRY_SECONDS = 0.1  # after one of them, if no connection can be closed

Answer = Callable[[str, float], str]
_Job: TypeAlias = tuple[socket.socket, Request, float]  # and when it arrived


@dataclass(eq=False)
class _Connection:
    """A connection whose request has not arrived completely, or was rejected and is being drained."""

    socket: socket.socket
    address: str
    arrived: float
    reader: RequestReader | None  # None: drain
    deadline: float


@dataclass
class _Queue:
    """Requests of one kind."""

    answering: int = 0  # number of threads
    waiting: deque[_Job] = field(default_factory=deque)


class HttpServer:
    """Listens, and answers each request in a thread."""

    def __init__(self, host: str, port: int, answer: Answer, log: Callable[[str], object] = lambda _: None) -> None:
        self.answer = answer
        self.log = log
        self._closed = threading.Event()
        self._serving = threading.Lock()
        self._lock = threading.Lock()
        self._queues: dict[str, _Queue] = {}
        self._connections: dict[str, dict[_Connection, None]] = {}  # by address, oldest first
        self._socket = _listen(host, port)
        address, self.port = self._socket.getsockname()[:2]
        self.host = f"[{address}]" if ":" in address else address  # as in a URL
        self._loopback = ipaddress.ip_address(address).is_loopback
        self._selector = selectors.DefaultSelector()
        self._alarm, self._alarmed = socket.socketpair()  # ends the wait for requests
        self._selector.register(self._socket, selectors.EVENT_READ)
        self._selector.register(self._alarmed, selectors.EVENT_READ)

    def serve(self) -> None:
        """Answer connections until ``close`` is called."""
        with self._serving:
            try:
                while not self._closed.is_set():
                    for key, _ in self._selector.select(self._seconds_left()):
                        self._on_event(key)
                    self._end_late()
            finally:
                self._release()

    def close(self) -> None:
        """Stop listening."""
        self._closed.set()
        if self._serving.acquire(blocking=False):  # else ``serve`` releases the sockets when it ends
            self._release()
            self._serving.release()
        else:
            with suppress(OSError):  # it has just ended
                self._alarm.send(b"\0")

    def _release(self) -> None:
        for connection in self._all():
            self._forget(connection).close()
        self._selector.close()
        for one in (self._socket, self._alarm, self._alarmed):
            one.close()

    # Reading. All of it happens in one thread, and nothing in it blocks.

    def _on_event(self, key: selectors.SelectorKey) -> None:
        try:
            if isinstance(key.data, _Connection):
                self._receive(key.data)
            elif key.fileobj is self._socket:
                all(self._accept() for _ in range(ACCEPTS))
        except Exception as error:  # noqa: BLE001  (a bug must not end the server)
            self._log_bug(error)
            if isinstance(key.data, _Connection) and self._is_open(key.data):
                self._forget(key.data).close()

    def _all(self) -> list[_Connection]:
        return [connection for group in self._connections.values() for connection in group]

    def _is_open(self, connection: _Connection) -> bool:
        return connection in self._connections.get(connection.address, {})

    def _seconds_left(self) -> float | None:
        """Return the time until the next deadline; those of an address are almost in order of arrival."""
        deadline = min((next(iter(group)).deadline for group in self._connections.values()), default=None)
        return None if deadline is None else max(0.0, deadline - monotonic())

    def _accept(self) -> bool:
        """Accept a connection. Return False if none is waiting."""
        try:
            accepted, address = self._socket.accept()
        except BlockingIOError:
            return False
        except OSError as error:
            if error.errno in TOO_MANY and not self._end_oldest():
                self._closed.wait(RETRY_SECONDS)
            return False  # otherwise the client has disconnected
        accepted.setblocking(False)
        if sum(map(len, self._connections.values())) >= MAX_CONNECTIONS:
            self._end_oldest()
        now = monotonic()
        arrived = now - _seconds_waiting(accepted)
        made = _Connection(accepted, address[0], arrived, RequestReader(loopback=self._loopback), now + READ_SECONDS)
        self._connections.setdefault(made.address, {})[made] = None
        self._selector.register(accepted, selectors.EVENT_READ, made)
        self._receive(made)  # most requests arrive with the connection
        return True

    def _receive(self, connection: _Connection) -> None:
        if not self._is_open(connection):
            return  # it has just been ended to make room for another
        try:
            piece = connection.socket.recv(RECEIVE_BYTES)
        except (BlockingIOError, InterruptedError):
            return
        except OSError:
            self._forget(connection).close()
            return
        reader = connection.reader
        if reader is None:
            if not piece:
                self._forget(connection).close()
            return
        try:
            request = reader.add(piece)
        except BadRequestError as error:
            self._reject(connection, error)
            return
        if reader.expects_continue:
            reader.expects_continue = False
            _send_now(connection.socket, b"HTTP/1.1 100 Continue\r\n\r\n")
        if request is not None:
            self._enqueue(self._forget(connection), request, connection.arrived)

    def _reject(self, connection: _Connection, error: BadRequestError) -> None:
        """Reply at once, then drain: closing a connection with unread data would discard the reply."""
        _send_now(connection.socket, _response(error.status, printable(str(error))))
        with suppress(OSError):
            connection.socket.shutdown(socket.SHUT_WR)
        connection.reader = None
        connection.deadline = min(connection.deadline, monotonic() + DRAIN_SECONDS)

    def _end_late(self) -> None:
        now = monotonic()
        for group in list(self._connections.values()):
            while group and (oldest := next(iter(group))).deadline <= now:
                self._end(oldest, HTTPStatus.REQUEST_TIMEOUT, "the message took too long to arrive")

    def _end_oldest(self) -> bool:
        """End the oldest connection of the address with the most. Return False if there is none."""
        if not self._connections:
            return False
        group = max(self._connections.values(), key=len)
        self._end(next(iter(group)), HTTPStatus.SERVICE_UNAVAILABLE, "there are too many connections")
        return True

    def _end(self, connection: _Connection, status: HTTPStatus, reason: str) -> None:
        if connection.reader is not None:
            _send_now(connection.socket, _response(status, reason))
        self._forget(connection).close()

    def _forget(self, connection: _Connection) -> socket.socket:
        self._selector.unregister(connection.socket)
        group = self._connections[connection.address]
        del group[connection]
        if not group:
            del self._connections[connection.address]
        return connection.socket

    # Answering.

    def _enqueue(self, connection: socket.socket, request: Request, arrived: float) -> None:
        with self._lock:
            queue = self._queues.setdefault(kind_of(request.text), _Queue())
        if not self._admit(queue, (connection, request, arrived)):
            _send_now(connection, _response(HTTPStatus.SERVICE_UNAVAILABLE, "there are too many requests"))
            connection.close()

    def _admit(self, queue: _Queue, job: _Job) -> bool:
        """Have a request answered, now or later. Return False if too many wait."""
        with self._lock:
            if queue.answering >= MAX_ANSWERS:
                if len(queue.waiting) < MAX_WAITING:
                    queue.waiting.append(job)
                    return True
                return False
            queue.answering += 1
        try:
            threading.Thread(target=self._work, args=(queue, job), daemon=True).start()
        except RuntimeError:  # the system has no more threads
            with self._lock:
                queue.answering -= 1
            return False
        return True

    def _work(self, queue: _Queue, job: _Job) -> None:
        """Answer a request, then those that wait."""
        while True:
            self._handle(*job)
            with self._lock:
                if not queue.waiting:
                    queue.answering -= 1
                    return
                job = queue.waiting.popleft()

    def _handle(self, connection: socket.socket, request: Request, arrived: float) -> None:
        try:
            with connection:
                connection.settimeout(WRITE_SECONDS)
                connection.sendall(self._reply(request, arrived))
                connection.shutdown(socket.SHUT_WR)
        except OSError:
            pass  # the client disconnected
        except Exception as error:  # noqa: BLE001  (a bug must not end the server)
            self._log_bug(error)

    def _log_bug(self, error: Exception) -> None:
        self.log(f"cannot answer a request: {type(error).__name__}: {error}")

    def _reply(self, request: Request, arrived: float) -> bytes:
        try:
            return _response(HTTPStatus.OK, "" if request.method == "OPTIONS" else self.answer(request.text, arrived))
        except RamifyError as error:
            return _response(HTTPStatus.BAD_REQUEST, printable(str(error)))


def check_address(host: str, port: int) -> None:
    """Raise if a server cannot listen there on any machine."""
    if not host.isprintable() or not host.strip() or host != host.strip():  # '' would listen on all addresses
        raise RamifyError(f"invalid host '{host}': use e.g. 127.0.0.1, or 0.0.0.0 for all addresses of this machine")
    if not 0 <= port < 1 << 16:
        raise RamifyError(f"invalid port {port}: use a whole number from 0 to 65535")


def _listen(host: str, port: int) -> socket.socket:
    check_address(host, port)
    try:
        family = socket.AF_INET6 if ":" in host else socket.AF_INET
        listening = socket.create_server((host, port), family=family, backlog=BACKLOG)
    except (OSError, UnicodeError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        raise RamifyError(f"cannot listen on {host}:{port}: {reason.lower()}") from None
    listening.setblocking(False)
    return listening


def _seconds_waiting(accepted: socket.socket) -> float:
    """Return how long ago the last data of a connection arrived; 0 where the system does not say (not Linux).

    On a busy machine connections wait until this process runs. Managers' clocks run meanwhile.
    """
    if sys.platform != "linux":
        return 0.0
    with suppress(OSError, struct.error):
        info = accepted.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, LAST_DATA_RECEIVED + 4)
        (milliseconds,) = struct.unpack_from("I", info, LAST_DATA_RECEIVED)
        return float(min(milliseconds / 1000, MAX_SECONDS_WAITING))
    return 0.0


def _response(status: HTTPStatus, text: str) -> bytes:
    body = text.encode(errors="replace")
    head = f"HTTP/1.0 {status.value} {status.phrase}\r\nContent-Type: text/acl\r\nContent-Length: {len(body)}\r\n"
    return f"{head}Connection: close\r\n\r\n".encode() + body


def _send_now(connection: socket.socket, data: bytes) -> None:
    """Send a few bytes if the client takes them at once."""
    with suppress(OSError):
        connection.send(data)
