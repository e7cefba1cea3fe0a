"""A Breakthrough position for figure 5 of Gudmundsson and Björnsson (2013), reconstructed from their text.

The picture is not part of the text. What the text says of the position is proven here by the solver: white has 13
moves; a5a6 wins, all others lose; the captures on a7 and c7 with the pawn on b6 look good, since every reply but one,
the recapture, loses; after a5a6 black cannot keep white from b7, which is reached from a6 or from b6, and from b7
white goes to a8 or c8. That either pawn can reach b7 says that a black pawn stands there: if it stays, a6 takes it; if
it takes a6, b6 steps on. So b6b7 is not among the moves, and a8 and c8 are empty. Black's pawn on a4 is three steps
from winning and meets nobody, which makes every slower move of white's lose.
"""

import ramify
from ramify.experiments.papers.gudmundsson_2013.position import GAME, POSITION
from ramify.solver.solve import Solver


def white_wins(solver, state):
    if state.over:
        return state.scores()[0] == 1.0
    lower, upper = solver.bounds(state, depth=20)
    assert lower == upper
    return lower == 1.0


def test_the_statements_of_the_text():
    state = ramify.load(GAME).position(POSITION)
    solver = Solver(state, memory=64_000_000)
    moves = [move.name for move in state.moves()]
    assert len(moves) == 13
    assert {"a5a6", "b6a7", "b6c7"} <= set(moves)
    assert [name for name in moves if white_wins(solver, state.play(name))] == ["a5a6"]
    for capture, recapture in (("b6a7", "b8a7"), ("b6c7", "b8c7")):
        after = state.play(capture)
        refuting = [move.name for move in after.moves() if not white_wins(solver, after.play(move))]
        assert refuting == [recapture]


def test_b7_cannot_be_prevented():
    """Whatever black replies to a5a6, white has a move to b7, and then wins on a8 or c8 whatever black replies."""
    after = ramify.load(GAME).position(POSITION).play("a5a6")
    for reply in after.moves():
        state = after.play(reply)
        arrivals = [move for move in state.moves() if move.name in ("a6b7", "b6b7")]
        assert any(wins_next(state.play(move)) for move in arrivals), reply


def wins_next(state):
    """Whether white, on b7, gets to a8 or c8 after every reply."""
    for reply in state.moves():
        then = state.play(reply)
        ends = [then.play(move) for move in then.moves() if move.name in ("b7a8", "b7c8")]
        if not any(end.over and end.scores()[0] == 1.0 for end in ends):
            return False
    return True
