"""A GTP engine as a player: ``gtp(cmd="gnugo --mode gtp")``."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar

from ramify.agents.budgets.clock import Clock
from ramify.contract.game import Game, State
from ramify.players.engine import Engine
from ramify.players.engine_process import EngineProcess, Left
from ramify.players.engine_protocol import EngineProtocol, Seat, code_of
from ramify.players.faults import Fault, Resignation, quoted
from ramify.players.gtp.boards import COLOURS, GtpBoard


@dataclass(frozen=True)
class GtpEngine(Engine):
    """A program that knows the Go Text Protocol."""

    name: ClassVar[str] = "gtp"

    def check(self, game: Game) -> None:
        """Refuse a program that is not there, and games that have no board for GTP."""
        super().check(game)
        GtpBoard.from_game(game)

    def conversation(self, child: EngineProcess, seat: Seat) -> EngineProtocol:
        """In GTP."""
        return GtpProtocol(child, seat)


class GtpProtocol(EngineProtocol):
    """A game in GTP. The engine is told the moves that it has not seen; where it has seen others, all of them anew."""

    def __init__(self, child: EngineProcess, seat: Seat) -> None:
        super().__init__(child, seat)
        self.board = GtpBoard.from_game(seat.game)
        self.first = seat.game.position(seat.start) if seat.start else seat.game.initial()
        self.told: tuple[str, ...] = ()
        self.known: set[str] = set()

    def begin(self, left: Left) -> None:
        """Ask what it can do, and set the board and the time."""
        self.known = set(self._ask("list_commands", left).split())
        self._ask(f"boardsize {self.board.size}", left)
        if self.board.kind == "go":
            self._ask(f"komi {self.board.komi:g}", left)
        for command in self._time_settings():
            self._ask(command, left)
        self._set_up(left)

    def _time_settings(self) -> Iterator[str]:
        """A clock is main time, its increment byo-yomi of one stone, as the seconds of a move are; all are whole."""
        limits = self.seat.limits
        if not limits.uses_time or "time_settings" not in self.known:
            return
        if limits.clock is None:
            yield f"time_settings 0 {max(1, int(limits.seconds or 0))} 1"
        else:
            increment = int(limits.increment or 0)
            yield f"time_settings {int(limits.clock)} {increment} {int(increment > 0)}"

    def _set_up(self, left: Left) -> None:
        """The position in which the game begins, stone by stone: none of them can be taken on the way."""
        self._ask("clear_board", left)
        for player, vertex in self.board.stones(self.first):
            self._ask(f"play {COLOURS[player]} {vertex}", left)
        self.told = ()

    def request_move(self, state: State, clock: Clock | None, left: Left) -> int:
        """Tell it the moves, and have it make one."""
        self._catch_up(state.history, left)
        colour = COLOURS[state.to_move]
        if clock is not None and "time_left" in self.known:
            self._ask(f"time_left {colour} {max(0, int(clock.remaining))} 0", left)
        answer = self._ask(f"genmove {colour}", left).lower()
        if answer == "resign":
            raise Resignation
        code = code_of(state, self.board.move(answer), self.seat.number)
        self.told = (*state.history, state.game.move_name(state.data, code))
        return code

    def _catch_up(self, history: tuple[str, ...], left: Left) -> None:
        if history[: len(self.told)] != self.told:
            self._set_up(left)
        mover = (self.first.to_move + len(self.told)) % 2
        for name in history[len(self.told) :]:
            self._ask(f"play {COLOURS[mover]} {self.board.vertex(name)}", left)
            mover = 1 - mover
        self.told = history

    def _ask(self, command: str, left: Left) -> str:
        """The response to a command, without its mark."""
        self.reject_unsolicited_output()
        self.child.send(f"{command}\n")
        while self.is_ignorable(line := self.child.read_line(left)):
            pass
        if line[0] not in "=?":
            raise Fault(f"answered {quoted(line)} to '{command}', which is not GTP")
        failed, lines = line[0] == "?", [line[1:].strip()]
        while line := self.child.read_line(left):
            lines.append(line)
        answer = "\n".join(lines).strip()
        if failed:
            raise Fault(f"refused '{command}': {quoted(answer)}")
        return answer

    def is_ignorable(self, line: str) -> bool:
        """Whether it is empty: engines end their responses with one such line, or with more."""
        return not line

    def closing_message(self, scores: Sequence[float] | None) -> str:
        """Nothing but that."""
        del scores
        return "quit\n"
