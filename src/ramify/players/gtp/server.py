"""GTP server: serves an agent to a front end (``ramify gtp``)."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable
from dataclasses import replace

from ramify import __version__
from ramify.agents.agent import Agent
from ramify.agents.budgets.player_limits import PlayerLimits
from ramify.contract.game import State
from ramify.errors import RamifyError
from ramify.numerals import is_whole_number, real_number
from ramify.players.gtp.boards import COLOURS, PASSING, GtpBoard
from ramify.players.gtp.position import GtpPosition
from ramify.players.gtp.timing import GtpTiming
from ramify.players.seated import SeatedAgent

NAMES = {"b": 0, "black": 0, "w": 1, "white": 1}
IGNORED = re.compile(r"[\x00-\x08\x0a-\x1f\x7f]")  # control characters except tab


class GtpFailure(Exception):  # noqa: N818  (the front end's mistake)
    """A failure response."""


class GtpServer:
    """One GTP session."""

    def __init__(self, board: GtpBoard, agent: Agent, limits: PlayerLimits | None, seed: int) -> None:
        self.position = GtpPosition(board)
        self.agent = replace(agent, limits=None)
        self.limits = limits  # per move, in addition to the front end's time settings
        self.seed = seed
        self.timing = GtpTiming()
        self.over = False  # whether the front end has sent quit
        self._players: dict[int, SeatedAgent] = {}
        self._commands = {**self._protocol_commands(), **self._gogui_commands()}

    def _protocol_commands(self) -> dict[str, Callable[..., str]]:
        return {
            "protocol_version": lambda: "2",
            "name": lambda: "Ramify",
            "version": lambda: __version__,
            "known_command": self._known_command,
            "list_commands": lambda: "\n".join(self._commands),
            "quit": self._quit,
            "boardsize": self._boardsize,
            "clear_board": self._clear_board,
            "komi": self._komi,
            "play": self._play,
            "genmove": self._genmove,
            "reg_genmove": self._reg_genmove,
            "undo": self._undo,
            "time_settings": self._time_settings,
            "time_left": self._time_left,
            "showboard": lambda: f"\n{self.state}",
            "final_score": lambda: self._or_fail(self.position.score(), "cannot score"),
            "final_status_list": self._final_status_list,
            "all_legal": self._all_legal,
        }

    def _gogui_commands(self) -> dict[str, Callable[..., str]]:
        return {
            "gogui-rules_game_id": lambda: f"{self.board.kind.capitalize()}",
            "gogui-rules_board_size": lambda: str(self.board.size),
            "gogui-rules_board": lambda: "\n".join(" ".join(row.upper()) for row in self.board.rows(self.state)),
            "gogui-rules_side_to_move": lambda: COLOURS[self.state.to_move],
            "gogui-rules_legal_moves": lambda: "" if self.state.over else self._all_legal(COLOURS[self.state.to_move]),
            "gogui-rules_final_result": lambda: self.position.score() or "" if self.state.over else "",
        }

    @property
    def board(self) -> GtpBoard:
        return self.position.board

    @property
    def state(self) -> State:
        """Current state."""
        return self.position.state

    def answer(self, line: str) -> str:
        """Return the complete response to a line; empty for an empty line."""
        words = IGNORED.sub("", line.replace("\t", " ")).partition("#")[0].split()
        if not words:
            return ""
        number = words.pop(0) if words[0].isascii() and words[0].isdigit() else ""
        try:
            return f"={number} {self._run_command(words)}".rstrip() + "\n\n"
        except (GtpFailure, RamifyError) as error:
            return f"?{number} {' '.join(str(error).split())}\n\n"

    def _run_command(self, words: list[str]) -> str:
        name, *arguments = words or [""]
        if name not in self._commands:
            raise GtpFailure("unknown command")
        command = self._commands[name]
        try:
            inspect.signature(command).bind(*arguments)
        except TypeError:  # too few arguments, or too many
            raise GtpFailure("syntax error") from None
        return command(*arguments)

    def _known_command(self, name: str) -> str:
        return str(name in self._commands).lower()

    def _quit(self) -> str:
        self.over = True
        return ""

    def _boardsize(self, size: str, height: str = "") -> str:
        if not is_whole_number(size) or height not in ("", size):
            raise GtpFailure("unacceptable size")
        try:
            self.position = GtpPosition(self.board.with_parameter("size", int(size)))
        except RamifyError:
            raise GtpFailure("unacceptable size") from None
        self._players.clear()
        return ""

    def _clear_board(self) -> str:
        self.position = GtpPosition(self.board)
        self._players.clear()
        self.timing.restart()
        return ""

    def _komi(self, komi: str) -> str:
        points = _number(komi)
        if self.board.kind == "go":  # other games have none, but front ends set it
            self.position = self.position.on_board(self.board.with_parameter("komi", points))
            self._players.clear()
        return ""

    def _play(self, colour: str, vertex: str) -> str:
        before = self.state
        if not self.position.play(_player(colour), self.board.move(vertex)):
            raise GtpFailure("illegal move")
        if len(self.state.history) <= len(before.history):  # out of turn: restart the searches
            self._players.clear()
            return ""
        name = self.state.history[-1]
        code = next(move.code for move in before.moves() if move.name == name)
        for seated in self._players.values():
            seated.on_move(self.state, code)
        return ""

    def _genmove(self, colour: str) -> str:
        vertex = self._reg_genmove(colour)
        if vertex != "resign" and not self.state.over:
            self._play(colour, vertex)
        return vertex

    def _reg_genmove(self, colour: str) -> str:
        player = _player(colour)
        if self.state.over:
            return self._genmove_after_end(player)
        state = self.position.with_mover(player)
        if state is None:
            raise GtpFailure(f"it is {COLOURS[1 - player]}'s turn")
        if state is not self.state:
            self._players.clear()
        clock, limits = self.timing.for_player(player, self.limits)
        if player not in self._players:
            self._players[player] = SeatedAgent(self.agent, limits, self.seed + player)
        seated = self._players[player]
        seated.clock, seated.limits = clock, limits
        code, _ = seated.choose(state, len(self.position.states))
        return self.board.vertex(state.game.move_name(state.data, code))

    def _genmove_after_end(self, player: int) -> str:
        """Pass in Go; in other games the loser resigns."""
        if self.board.kind == "go":
            return self.board.vertex(PASSING)
        if self.state.scores()[player] == 0.0:
            return "resign"
        raise GtpFailure("the game is over")

    def _undo(self) -> str:
        if not self.position.undo():
            raise GtpFailure("cannot undo")
        self._players.clear()
        return ""

    def _time_settings(self, main: str, byo_yomi: str, stones: str) -> str:
        self.timing.time_settings(_number(main), _number(byo_yomi), int(_number(stones)))
        return ""

    def _time_left(self, colour: str, seconds: str, stones: str) -> str:
        self.timing.time_left(_player(colour), _number(seconds), int(_number(stones)))
        return ""

    def _final_status_list(self, status: str) -> str:
        """Report every stone as alive, as area scoring does."""
        if status not in ("alive", "seki", "dead"):
            raise GtpFailure("invalid status")
        return "\n".join(vertex for _, vertex in self.board.stones(self.state)) if status == "alive" else ""

    def _all_legal(self, colour: str) -> str:
        if self.state.over or _player(colour) != self.state.to_move:
            return ""
        return " ".join(self.board.vertex(move.name) for move in self.state.moves())

    @staticmethod
    def _or_fail(text: str | None, message: str) -> str:
        if text is None:
            raise GtpFailure(message)
        return text


def _player(colour: str) -> int:
    if colour.lower() not in NAMES:
        raise GtpFailure("invalid color")
    return NAMES[colour.lower()]


def _number(text: str) -> float:
    value = real_number(text)
    if value is None or not abs(value) < 1e9:
        raise GtpFailure("syntax error")
    return value
