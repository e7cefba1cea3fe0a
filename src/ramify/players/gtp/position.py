"""The position of a GTP session: moves can be undone, and in Go anybody may move at any time."""

from __future__ import annotations

from ramify.contract.compiled_game import as_record
from ramify.contract.game import State
from ramify.errors import RamifyError
from ramify.players.gtp.boards import PASSING, GtpBoard

PLAYERS = "BW"


class GtpPosition:
    """A board with all states that led to the present one."""

    def __init__(self, board: GtpBoard) -> None:
        self.board = board
        self.states = [board.game.initial()]

    @property
    def state(self) -> State:
        """The position now."""
        return self.states[-1]

    def on_board(self, board: GtpBoard) -> GtpPosition:
        """The same positions in a game of other parameters."""
        other = GtpPosition(board)
        other.states = [board.game.position(state.text()) for state in self.states]
        return other

    def with_mover(self, player: int) -> State | None:
        """The position with a player to move; None where he cannot be.

        Go's boards may be written with anybody to move, also after two passes. The moves before are then forgotten, so
        that ko does not know them.
        """
        if not self.state.over and self.state.to_move == player:
            return self.state
        if self.board.kind != "go":
            return None
        rows = "/".join(self.board.rows(self.state))
        return self.board.game.position(f"{rows} {'xo'[player]}{'' if self.board.positional else ' 0 -'}")

    def play(self, player: int, name: str) -> bool:
        """Make a move; whether it was legal."""
        before = self.with_mover(player)
        if before is None:
            return False
        try:
            self.states.append(before.play(name))
        except RamifyError:
            return False
        return True

    def undo(self) -> bool:
        """Take the last move back; whether there was one."""
        if len(self.states) == 1:
            return False
        self.states.pop()
        return True

    def score(self) -> str | None:
        """Of Go, the area at any time, every stone being alive; of other games, who has won, once they are over."""
        state = self.state
        while self.board.kind == "go" and not state.over:
            state = state.play(PASSING)
        if not state.over:
            return None
        if self.board.kind == "go":
            margin = float(self.board.game.module.margin(self.board.game.rules, as_record(state.data)))
            return f"{PLAYERS[margin < 0]}+{abs(margin):g}" if margin else "0"
        black, white = state.scores()
        return "0" if black == white else f"{PLAYERS[black < white]}+"
