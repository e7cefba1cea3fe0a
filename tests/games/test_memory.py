"""What must not happen to memory: more moves or scores than a game has announced."""

import pytest

import ramify
from ramify.contract.python_game import PythonGame
from ramify.grammar import Call


def test_breakthrough_reads_no_more_pawns_than_there_are():
    """Its longest list of moves is that of two full rows."""
    game = ramify.load("breakthrough(rows=8, columns=8)")
    full, none = "w" * 8, "." * 8
    text = "/".join(["b" + "." * 7, none, none, full, none, full, none, full]) + " w"
    with pytest.raises(ramify.RamifyError, match="at most 16 pawns per player"):
        game.position(text)
    text = "/".join(["b" + "." * 7, none, none, none, full, none, full, none]) + " w"
    assert len(game.position(text).moves()) <= game.max_children


@pytest.mark.parametrize(("rows", "pawns"), [(3, 4), (4, 8), (5, 8)])
def test_breakthrough_on_few_rows_starts_with_few_pawns(rows, pawns):
    game = ramify.load(f"breakthrough(rows={rows}, columns=4)")
    start = game.initial().text()
    assert start.count("w") - 1 == start.count("b") == pawns
    assert game.position(start) == game.initial()


class Scored:
    """A game of one move whose scores are as many as asked."""

    players = 2

    def __init__(self, scores=2):
        self.left = 1
        self.count = scores

    def to_move(self):
        return 0

    def moves(self):
        return ["only"]

    def play(self, move):
        self.left -= 1

    def over(self):
        return self.left == 0

    def scores(self):
        return [0.5] * self.count


@pytest.mark.parametrize("count", [0, 1, 3, 500])
def test_a_class_must_give_a_score_to_each_player(count):
    """There is room for one each: more would be written over other memory."""
    game = PythonGame.from_class(Scored, Call("Scored", ((None, count),)))
    with pytest.raises(ramify.RamifyError, match=r"must return 2 numbers in \[0, 1\]"):
        ramify.search(game.initial(), simulations=5)
    with pytest.raises(ramify.RamifyError, match="must return 2 numbers"):
        game.initial().play("only").scores()
    right = PythonGame.from_class(Scored, Call("Scored"))
    assert ramify.search(right.initial(), simulations=5).value == 0.5
