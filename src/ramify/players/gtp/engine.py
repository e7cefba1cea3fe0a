"""A GTP engine as a player: ``gtp(cmd="gnugo --mode gtp")``."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar

from ramify.agents.budgets.clock import Clock
from ramify.contract.game import Game, State
from ramify.players.engine import Engine
from ramify.players.engine_process import EngineProcess, SecondsLeft
from ramify.players.engine_protocol import EngineProtocol, Seat, code_of
from ramify.players.faults import Fault, Resignation, quoted
from ramify.players.gtp.boards import COLOURS, GtpBoard


@dataclass(frozen=True)
class GtpEngine(Engine):
    """An engine that speaks GTP."""

    name: ClassVar[str] = "gtp"

    def check(self, game: Game) -> None:
        """Raise if the command does not exist or GTP does not support the game."""
        super().check(game)
        GtpBoard.from_game(game)

    def protocol(self, process: EngineProcess, seat: Seat) -> EngineProtocol:
        return GtpProtocol(process, seat)


class GtpProtocol(EngineProtocol):
    """One game in GTP. Sends the moves that the engine has not seen; resends all if its board differs."""

    def __init__(self, process: EngineProcess, seat: Seat) -> None:
        super().__init__(process, seat)
        self.board = GtpBoard.from_game(seat.game)
        self.first = seat.game.position(seat.start) if seat.start else seat.game.initial()
        self.sent_moves: tuple[str, ...] = ()
        self.commands: set[str] = set()

    def begin(self, left: SecondsLeft) -> None:
        """Query the commands, and set up the board and the time."""
        self.commands = set(self._command("list_commands", left).split())
        self._command(f"boardsize {self.board.size}", left)
        if self.board.kind == "go":
            self._command(f"komi {self.board.komi:g}", left)
        for command in self._time_settings():
            self._command(command, left)
        self._set_up(left)

    def _time_settings(self) -> Iterator[str]:
        """Yield the time settings in whole seconds.

        A clock is sent as main time and its increment as byo-yomi for one stone; so are the seconds per move.
        """
        limits = self.seat.limits
        if not limits.uses_time or "time_settings" not in self.commands:
            return
        if limits.clock is None:
            yield f"time_settings 0 {max(1, int(limits.seconds or 0))} 1"
        else:
            increment = int(limits.increment or 0)
            yield f"time_settings {int(limits.clock)} {increment} {int(increment > 0)}"

    def _set_up(self, left: SecondsLeft) -> None:
        """Set up the start position stone by stone; no order of its stones captures any."""
        self._command("clear_board", left)
        for player, vertex in self.board.stones(self.first):
            self._command(f"play {COLOURS[player]} {vertex}", left)
        self.sent_moves = ()

    def request_move(self, state: State, clock: Clock | None, left: SecondsLeft) -> int:
        """Send the moves since the last request, and ask for one."""
        self._catch_up(state.history, left)
        colour = COLOURS[state.to_move]
        if clock is not None and "time_left" in self.commands:
            self._command(f"time_left {colour} {max(0, int(clock.remaining))} 0", left)
        answer = self._command(f"genmove {colour}", left).lower()
        if answer == "resign":
            raise Resignation
        code = code_of(state, self.board.move(answer), self.seat.number)
        self.sent_moves = (*state.history, state.game.move_name(state.data, code))
        return code

    def _catch_up(self, history: tuple[str, ...], left: SecondsLeft) -> None:
        if history[: len(self.sent_moves)] != self.sent_moves:
            self._set_up(left)
        mover = (self.first.to_move + len(self.sent_moves)) % 2
        for name in history[len(self.sent_moves) :]:
            self._command(f"play {COLOURS[mover]} {self.board.vertex(name)}", left)
            mover = 1 - mover
        self.sent_moves = history

    def _command(self, command: str, left: SecondsLeft) -> str:
        """Send a command and return the response. Raise Fault for a failure response."""
        self.reject_unsolicited_output()
        self.process.send(f"{command}\n")
        while self.is_ignorable(line := self.process.read_line(left)):
            pass
        if line[0] not in "=?":
            raise Fault(f"answered {quoted(line)} to '{command}', which is not GTP")
        failed, lines = line[0] == "?", [line[1:].strip()]
        while line := self.process.read_line(left):
            lines.append(line)
        answer = "\n".join(lines).strip()
        if failed:
            raise Fault(f"refused '{command}': {quoted(answer)}")
        return answer

    def is_ignorable(self, line: str) -> bool:
        """Whether the line is empty: responses end with one or more empty lines."""
        return not line

    def closing_message(self, scores: Sequence[float] | None) -> str:
        """Return GTP's ``quit``."""
        del scores
        return "quit\n"
