"""Ramify's line protocol for engines (docs/players.md). It is stateless: each request has all of the game.

Lines sent to the engine::

    hello 1                     first: the protocol version; the engine answers "hello 1" when it is ready
    game NAME                   then, once
    player K of N
    seed S
    start TEXT                  unless the game starts from its initial state
    history MOVE ...            before each of its moves: all moves so far
    position TEXT               the current position, if the game has a text form
    moves MOVE ...              its legal moves
    simulations N, calls N, seconds S, clock LEFT INCREMENT: the limits that are set
    go                          the engine answers "move NAME" or "resign"
    over SCORE ...              at the end, by player, if the game finished
    quit

Lines of the engine that start with ``#`` are comments.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar

from ramify.agents.budgets.clock import Clock
from ramify.contract.game import State
from ramify.players.engine import Engine
from ramify.players.engine_process import EngineProcess, SecondsLeft
from ramify.players.engine_protocol import EngineProtocol, Seat, code_of
from ramify.players.faults import Fault, Resignation, quoted

VERSION = "1"
COMMENT = "#"


@dataclass(frozen=True)
class LineProtocolEngine(Engine):
    """An engine that speaks the line protocol."""

    name: ClassVar[str] = "external"

    def protocol(self, process: EngineProcess, seat: Seat) -> EngineProtocol:
        return LineProtocol(process, seat)


class LineProtocol(EngineProtocol):
    """One game in the line protocol."""

    def begin(self, left: SecondsLeft) -> None:
        """Exchange hello and send the game."""
        answer = self._answer(f"hello {VERSION}\n", left)
        if answer.split() != ["hello", VERSION]:
            raise Fault(f"answered {quoted(answer)} instead of 'hello {VERSION}'")
        seat = self.seat
        lines = [f"game {seat.game.name}", f"player {seat.number + 1} of {seat.game.players}", f"seed {seat.seed}"]
        lines += [f"start {seat.start}"] if seat.start else []
        self.process.send("".join(f"{line}\n" for line in lines))

    def request_move(self, state: State, clock: Clock | None, left: SecondsLeft) -> int:
        """Send the position and limits, and read a move."""
        self.reject_unsolicited_output()
        answer = self._answer("".join(f"{line}\n" for line in self._turn(state, clock)), left)
        word, *rest = answer.split() or [""]
        if word == "resign" and not rest:
            raise Resignation
        if word != "move" or len(rest) != 1:
            raise Fault(f"answered {quoted(answer)} instead of 'move NAME'")
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

    def _answer(self, text: str, left: SecondsLeft) -> str:
        """Send text and return the first line that is not a comment."""
        self.process.send(text)
        while self.is_ignorable(line := self.process.read_line(left)):
            pass
        return line

    def is_ignorable(self, line: str) -> bool:
        """Whether the line is a comment."""
        return line.startswith(COMMENT)

    def closing_message(self, scores: Sequence[float] | None) -> str:
        """Return the scores, if any, and ``quit``."""
        over = "" if scores is None else " ".join(("over", *(f"{score:g}" for score in scores))) + "\n"
        return f"{over}quit\n"
