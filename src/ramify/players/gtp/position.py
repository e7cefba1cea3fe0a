"""The position of a GTP session: moves can be undone, and in Go either player may move at any time."""

from __future__ import annotations

from ramify.contract.compiled_game import as_record
from ramify.contract.game import State
from ramify.errors import RamifyError
from ramify.players.gtp.boards import PASSING, GtpBoard

PLAYERS = "BW"


class GtpPosition:
    """A board and all states of the game so far."""

    def __init__(self, board: GtpBoard) -> None:
        self.board = board
        self.states = [board.game.initial()]

    @property
    def state(self) -> State:
        """Current state."""
        return self.states[-1]

    def on_board(self, board: GtpBoard) -> GtpPosition:
        """Return the same states in a game with other parameters."""
        other = GtpPosition(board)
        other.states = [board.game.position(state.text()) for state in self.states]
        return other

    def with_mover(self, player: int) -> State | None:
        """Return the position with ``player`` to move, or None if that is impossible.

        In Go either player may move at any time, even after two passes. The history is then lost, so ko ignores it.
        """
        if not self.state.over and self.state.to_move == player:
            return self.state
        if self.board.kind != "go":
            return None
        rows = "/".join(self.board.rows(self.state))
        return self.board.game.position(f"{rows} {'xo'[player]}{'' if self.board.positional else ' 0 -'}")

    def play(self, player: int, name: str) -> bool:
        """Play a move. Return False if it is not legal."""
        before = self.with_mover(player)
        if before is None:
            return False
        try:
            self.states.append(before.play(name))
        except RamifyError:
            return False
        return True

    def undo(self) -> bool:
        """Take back the last move. Return False at the start of the game."""
        if len(self.states) == 1:
            return False
        self.states.pop()
        return True

    def score(self) -> str | None:
        """Return the score: in Go the area with all stones alive, at any time; in other games the winner at the end.

        None if the game is not over.
        """
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
