"""Run one match between players over HTTP: messages, clocks and invalid replies."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from time import monotonic

from ramify.errors import RamifyError
from ramify.ggp.interpreter import Fluents, Interpreter
from ramify.ggp.kif import Expression, Term, read, write
from ramify.ggp.rules import RANDOM, Rulesheet, relation
from ramify.players.endings import FINISHED, LIMIT
from ramify.players.faults import Fault
from ramify.players.ggp.client import Address, send_message
from ramify.players.ggp.messages import folded, read_term

MAX_TURNS = 10_000
STOP_SECONDS = 5.0  # for the reply to a stop or abort message

Log = Callable[[str], object]


@dataclass
class MatchOutcome:
    """Result of a match; tuples are by role, without ``random``."""

    goals: tuple[int, ...]
    ended: str
    moves: tuple[str, ...]
    seconds: tuple[float, ...]
    faults: tuple[dict[str, int], ...]


@dataclass
class RolePlayer:
    """A player in a role."""

    role: Term
    address: Address
    seconds: float = 0.0
    faults: Counter[str] = field(default_factory=Counter)


class Referee:
    """Runs one match."""

    def __init__(
        self,
        text: str,
        addresses: Sequence[Address],
        *,
        match: str,
        start_clock: float,
        play_clock: float,
        seed: int,
        log: Log = lambda _: None,
    ) -> None:
        expressions = unwrapped_sheet(read(text, "the rules"))
        rules = Rulesheet.from_expressions(expressions, "the rules")
        self.text = " ".join(write(one.term) for one in expressions)
        self.interpreter = Interpreter(rules)
        self.perceptive = any(relation(clause.head) == "sees" for clause in rules.clauses)
        self.match = match
        self.start_clock = start_clock
        self.play_clock = play_clock
        self.random = Random(seed)  # noqa: S311
        self.log = log
        roles = players_of(rules)
        self.seats = [RolePlayer(role, address) for role, address in zip(roles, addresses, strict=True)]

    def play(self) -> MatchOutcome:
        try:
            self._start()
            position, moves, news = self._turns()
        except BaseException:
            self._send_all(lambda _: f"( ABORT {self.match} )", STOP_SECONDS, blaming=False)
            raise
        self._send_all(lambda seat: f"( STOP {self.match} {news[seat.role]} )", STOP_SECONDS, blaming=False)
        over = self.interpreter.terminal(position)
        return MatchOutcome(
            goals=tuple(self.interpreter.goal(position, seat.role) if over else 0 for seat in self.seats),
            ended=FINISHED if over else LIMIT,
            moves=tuple(moves),
            seconds=tuple(seat.seconds for seat in self.seats),
            faults=tuple(dict(seat.faults) for seat in self.seats),
        )

    def _start(self) -> None:
        clocks = f"{self.start_clock:g} {self.play_clock:g}"
        replies = self._send_all(
            lambda seat: f"( START {self.match} {write(seat.role)} ( {self.text} ) {clocks} )", self.start_clock
        )
        for seat, reply in zip(self.seats, replies, strict=True):
            if isinstance(reply, str) and reply.lower() != "ready":
                self._count_fault(seat, "was not ready")

    def _turns(self) -> tuple[Fluents, list[str], dict[Term, str]]:
        """Play all turns. Return the last position, the joint moves, and the last move as sent to each role."""
        position, moves = self.interpreter.initial(), list[str]()
        news = {seat.role: "NIL" for seat in self.seats}
        while not self.interpreter.terminal(position) and len(moves) < MAX_TURNS:
            joint = self._joint(position, news)
            moves.append(f"( {' '.join(write(joint[role]) for role in self.interpreter.roles)} )")
            for seat in self.seats:
                perceived = self.perceptive and self._perceived(seat, position, joint, len(moves))
                news[seat.role] = perceived or moves[-1]
            position = self.interpreter.next(position, joint)
        return position, moves, news

    def _perceived(self, seat: RolePlayer, position: Fluents, joint: Mapping[Term, Term], turn: int) -> str:
        percepts = self.interpreter.sees(position, joint, seat.role)
        return f"{turn} {write(joint[seat.role])} ( {' '.join(map(write, percepts))} )"

    def _joint(self, position: Fluents, news: Mapping[Term, str]) -> dict[Term, Term]:
        """Return the joint move. Late or illegal replies are replaced by random legal moves."""
        legal = {role: self.interpreter.legal(position, role) for role in self.interpreter.roles}
        for role, moves in legal.items():
            if not moves:
                raise RamifyError(f"invalid rules: {write(role)} has no legal move before the game is over")
        replies = self._send_all(lambda seat: f"( PLAY {self.match} {news[seat.role]} )", self.play_clock)
        joint: dict[Term, Term] = {}
        for seat, reply in zip(self.seats, replies, strict=True):
            move = self._legal_move(seat, reply, legal[seat.role])
            joint[seat.role] = self.random.choice(legal[seat.role]) if move is None else move
        if RANDOM in legal:
            joint[RANDOM] = self.random.choice(legal[RANDOM])
        return joint

    def _legal_move(self, seat: RolePlayer, reply: str | Fault, legal: Sequence[Term]) -> Term | None:
        """Parse a reply. Count a fault and return None if it is not a legal move."""
        if isinstance(reply, Fault):
            return None
        try:
            move = read_term(reply)
        except RamifyError:
            self._count_fault(seat, "answered no move")
            return None
        if move in legal:
            return move
        alike = [one for one in legal if folded(one) == folded(move)]
        if len(alike) == 1:
            return alike[0]
        self._count_fault(seat, "moved illegally")
        return None

    def _count_fault(self, seat: RolePlayer, reason: str) -> None:
        seat.faults[reason] += 1
        self.log(f"match {self.match}: {seat.address} ({write(seat.role)}) {reason}")

    def _send_all(
        self, message: Callable[[RolePlayer], str], seconds: float, *, blaming: bool = True
    ) -> list[str | Fault]:
        """Send each player its message, in parallel. Return the replies; faults count if ``blaming``."""
        replies: list[str | Fault] = [Fault("was late", late=True)] * len(self.seats)

        def one(place: int, seat: RolePlayer) -> None:
            began = monotonic()
            try:
                replies[place] = send_message(seat.address, message(seat), seconds)
            except Fault as fault:
                replies[place] = fault
            finally:
                seat.seconds += monotonic() - began

        # Daemon threads instead of a pool: Ctrl-C must not wait for a player that hangs.
        threads = [threading.Thread(target=one, args=pair, daemon=True) for pair in enumerate(self.seats)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        for seat, reply in zip(self.seats, replies, strict=True):
            if blaming and isinstance(reply, Fault):
                self._count_fault(seat, str(reply))
        return replies


def players_of(rules: Rulesheet) -> list[Term]:
    """Roles of players: all except ``random``."""
    return [role for role in rules.roles if role != RANDOM]


def unwrapped_sheet(expressions: Sequence[Expression]) -> Sequence[Expression]:
    """Return the rules; remove parentheses around the whole rulesheet."""
    wrapped = len(expressions) == 1 and expressions[0].parts and not expressions[0].head
    return expressions[0].parts if wrapped else expressions
