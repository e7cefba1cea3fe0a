"""Our own line protocol for other programs (docs/players.md): everything is told before each move.

To the program, a line each::

    hello 1                     the version of the protocol, once; it answers the same when it is ready
    game NAME                   once, then
    player K of N
    seed S
    start TEXT                  only where the game does not begin in its own first position
    history MOVE ...            before each of its moves: all moves so far,
    position TEXT               the position, where the game has a text for it,
    moves MOVE ...              its legal moves,
    simulations N, calls N, seconds S, clock LEFT INCREMENT: what it may spend, as far as it is limited
    go                          it answers: move NAME, or resign
    over SCORE ...              in the end, by player, if the game came to one
    quit

Lines of the program that begin with ``#`` are comments.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar

from ramify.agents.budgets.clock import Clock
from ramify.contract.game import State
from ramify.players.engine import Engine
from ramify.players.engine_process import EngineProcess, Left
from ramify.players.engine_protocol import EngineProtocol, Seat, code_of
from ramify.players.faults import Fault, Resignation, quoted

VERSION = "1"
COMMENT = "#"


@dataclass(frozen=True)
class LineProtocolEngine(Engine):
    """A program that knows our line protocol."""

    name: ClassVar[str] = "external"

    def conversation(self, child: EngineProcess, seat: Seat) -> EngineProtocol:
        """In our own words."""
        return LineProtocol(child, seat)


class LineProtocol(EngineProtocol):
    """A game in our own words."""

    def begin(self, left: Left) -> None:
        """Exchange greetings, and name the game."""
        answer = self._answer(f"hello {VERSION}\n", left)
        if answer.split() != ["hello", VERSION]:
            raise Fault(f"answered {quoted(answer)} where 'hello {VERSION}' was wanted")
        seat = self.seat
        lines = [f"game {seat.game.name}", f"player {seat.number + 1} of {seat.game.players}", f"seed {seat.seed}"]
        lines += [f"start {seat.start}"] if seat.start else []
        self.child.send("".join(f"{line}\n" for line in lines))

    def request_move(self, state: State, clock: Clock | None, left: Left) -> int:
        """Say everything about the position, and read a move."""
        self.reject_unsolicited_output()
        answer = self._answer("".join(f"{line}\n" for line in self._turn(state, clock)), left)
        word, *rest = answer.split() or [""]
        if word == "resign" and not rest:
            raise Resignation
        if word != "move" or len(rest) != 1:
            raise Fault(f"answered {quoted(answer)} where 'move NAME' was wanted")
        return code_of(state, rest[0], self.seat.number)

    def _turn(self, state: State, clock: Clock | None) -> Iterator[str]:
        yield " ".join(("history", *state.history))
        written = state.game.write(state.data)
        if written is not None and "\n" not in written:
            yield f"position {written}"
        yield " ".join(("moves", *(move.name for move in state.moves(self.seat.number))))
        limits = self.seat.limits
        for name in ("simulations", "calls", "seconds"):
            if (value := getattr(limits, name)) is not None:
                yield f"{name} {value}"
        if clock is not None:
            yield f"clock {max(0.0, clock.remaining):.3f} {clock.increment:g}"
        yield "go"

    def _answer(self, text: str, left: Left) -> str:
        """The first line after ``text`` that is no comment."""
        self.child.send(text)
        while self.is_ignorable(line := self.child.read_line(left)):
            pass
        return line

    def is_ignorable(self, line: str) -> bool:
        """Whether it is a comment."""
        return line.startswith(COMMENT)

    def closing_message(self, scores: Sequence[float] | None) -> str:
        """The scores, and that nothing follows."""
        over = "" if scores is None else " ".join(("over", *(f"{score:g}" for score in scores))) + "\n"
        return f"{over}quit\n"
