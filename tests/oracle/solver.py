"""Perfect play by exhaustion, for small games of two players whose results add up to 1 and where chance has no part."""

from __future__ import annotations

from ramify import Move, State


class Solver:
    """Exact values of positions, each worked out once."""

    def __init__(self) -> None:
        self.known: dict[State, float] = {}

    def value(self, state: State) -> float:
        """The result of the player to move (of the player who would be, at the end), if both play perfectly."""
        if state not in self.known:
            self.known[state] = state.scores()[state.to_move] if state.over else self._best(state)
        return self.known[state]

    def _best(self, state: State) -> float:
        best = 0.0
        for move in state.moves():
            best = max(best, self.worth(state, move))
            if best == 1.0:
                break
        return best

    def worth(self, state: State, move: Move) -> float:
        """The result of the player to move, if this move is played and then both play perfectly."""
        after = state.play(move)
        if after.over:
            return after.scores()[state.to_move]
        value = self.value(after)
        return value if after.to_move == state.to_move else 1.0 - value

    def best_moves(self, state: State) -> list[Move]:
        """Every move that keeps the value of the position."""
        worths = {move: self.worth(state, move) for move in state.moves()}
        return [move for move, worth in worths.items() if worth == max(worths.values())]


def wins_within(state: State, plies: int) -> bool:
    """Whether the player to move can force a win in so many plies, whatever the other does; players take turns."""
    return any(move_wins_within(state, move, plies) for move in state.moves()) if plies > 0 else False


def move_wins_within(state: State, move: Move, plies: int) -> bool:
    """Whether this move forces a win in so many plies, itself included."""
    after = state.play(move)
    if after.over:
        return after.scores()[state.to_move] == 1.0
    return plies > 2 and all(wins_within_after(after, reply, plies) for reply in after.moves())


def wins_within_after(after: State, reply: Move, plies: int) -> bool:
    """Whether the win is still there after a reply."""
    then = after.play(reply)
    return not then.over and wins_within(then, plies - 2)
