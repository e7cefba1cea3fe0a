import random
from functools import cache

import numpy as np
import pytest

import ramify
from ramify.agents.checking.perft import perft
from ramify.errors import RamifyError
from ramify.games import chomp
from tests.games.driving import Table


class Bar:
    """Chomp by sets of squares, straight from the rules."""

    def __init__(self, rows, columns):
        self.squares = frozenset((row, column) for row in range(rows) for column in range(columns))
        self.turn = 0
        self.poisoned = None

    def names(self):
        return {"abcdefghijklmnopqrstuvwxyz"[column] + str(row + 1): (row, column) for row, column in self.squares}

    def bite(self, square):
        after = object.__new__(Bar)
        after.squares = frozenset(s for s in self.squares if s[0] < square[0] or s[1] < square[1])
        after.turn = 1 - self.turn
        after.poisoned = self.turn if square == (0, 0) else None
        return after


def count(bar, depth):
    """Sequences of exactly ``depth`` bites; a game that has ended has none."""
    if depth == 0:
        return 1
    return sum(count(bar.bite(square), depth - 1) for square in bar.squares)


@pytest.mark.parametrize(("rows", "columns", "games"), [(7, 8, 40), (2, 2, 20), (1, 5, 20), (8, 8, 20), (16, 4, 10)])
def test_random_games_beside_the_sets(rows, columns, games):
    first = ramify.load(f"chomp(rows={rows}, columns={columns})").initial()
    chooser = random.Random(rows)
    losers = set()
    for _ in range(games):
        state, bar = first, Bar(rows, columns)
        while bar.poisoned is None:
            assert not state.over
            assert state.to_move == bar.turn
            names = bar.names()
            ours = {move.name: move for move in state.moves()}
            assert set(ours) == set(names)
            harmless = sorted(set(names) - {"a1"}) or ["a1"]  # the poison rarely, or games are short
            name = chooser.choice(harmless) if chooser.random() < 0.95 else "a1"
            state, bar = ramify.State(first.game, first.game.play(state.data, ours[name].code)), bar.bite(names[name])
        assert state.over
        assert state.scores() == [float(bar.poisoned != player) for player in range(2)]
        losers.add(bar.poisoned)
    assert losers == {0, 1}


def test_numbers_of_sequences():
    """Those of the general game players' rules, found by another engine; of small bars, by the sets."""
    assert perft(ramify.load("chomp").initial(), 4) == [56, 2128, 63392, 1572004]
    found = perft(ramify.load("chomp(rows=3, columns=4)").initial(), 6)
    assert found == [count(Bar(3, 4), depth) for depth in range(1, 7)]


@cache
def wins(squares):
    """Whether the player to move wins, by trying everything."""
    bar = Bar(1, 1)
    bar.squares = squares
    return any(not wins(bar.bite(square).squares) for square in squares if square != (0, 0))


def solve(rows, columns):
    """The winning first moves, by trying everything with our rules."""
    game = ramify.load(f"chomp(rows={rows}, columns={columns})")
    known = {}

    def won(state):
        """Whether the player to move wins."""
        text, player = state.text().split()
        if state.over:
            return state.scores()[int(player) - 1] == 1.0
        if text not in known:
            known[text] = any(not won(ramify.State(game, game.play(state.data, m.code))) for m in state.moves())
        return known[text]

    return {m.name for m in game.initial().moves() if not won(game.initial().play(m.name))}


@pytest.mark.parametrize(("rows", "columns"), [(r, c) for r in range(1, 6) for c in range(1, 6) if r * c > 1])
def test_the_first_player_wins(rows, columns):
    """By strategy stealing; on two rows by the far corner, on a square by b2, each the only way: Gale 1974."""
    found = solve(rows, columns)
    bar = Bar(rows, columns)
    assert found == {
        name for name, square in bar.names().items() if square != (0, 0) and not wins(bar.bite(square).squares)
    }
    assert found
    if rows == 2 and columns > 1:
        assert found == {"abcde"[columns - 1] + "2"}
    if rows == columns:
        assert found == {"b2"}


def test_the_bar_has_8_columns_of_7_rows():
    assert Table(chomp).text() == "/".join(["oooooooo"] * 7) + " 1"


def test_a_bite_takes_what_is_above_and_to_the_right():
    table = Table(chomp, rows=3, columns=4).play("c2")
    assert table.ask("draw").splitlines() == [
        " 3 o o . .",
        " 2 o o . .",
        " 1 x o o o",
        "   a b c d",
        "player 2 to move",
    ]
    assert table.names() == {"a1", "b1", "c1", "d1", "a2", "b2", "a3", "b3"}


@pytest.mark.parametrize(
    ("moves", "scores"), [(["a1"], [0.0, 1.0]), (["b1", "a2", "a1"], [0.0, 1.0]), (["b2", "a1"], [1.0, 0.0])]
)
def test_the_poison_ends_the_game_and_loses(moves, scores):
    table = Table(chomp, rows=2, columns=2)
    for name in moves:
        assert not table.ask("over")
        table.play(name)
    assert table.ask("over")
    assert table.scores() == scores


def test_search_finds_the_only_winning_bite():
    report = ramify.search(ramify.load("chomp(rows=4, columns=4)").initial(), simulations=20_000, seed=1)
    assert report.move.name == "b2"


@np.errstate(over="ignore")
def test_keys_tell_squares_and_players_apart():
    texts = ["ooo/ooo 1", "oo./ooo 2", "oo./oo. 1", "oo./oo. 2", ".../ooo 1", ".../ooo 2"]
    assert len({int(Table(chomp, text, rows=2, columns=3).ask("key")) for text in texts}) == len(texts)


@pytest.mark.parametrize(
    "text", ["ooo/ooo 1", "oo./ooo 2", "oo./oo. 1", "oo./oo. 2", ".../o.. 1", ".../... 1", ".../... 2"]
)
def test_text_gives_the_position_back(text):
    table = Table(chomp, text, rows=2, columns=3)
    assert table.text() == text
    assert table.reread().state_array == table.state_array


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "expected 1 or 2 at the end"),
        ("ooo/ooo", "expected 1 or 2 at the end"),
        ("ooo/ooo 3", "expected 1 or 2 at the end"),
        ("ooo 1", "2 rows of 3"),
        ("oo/oo 1", "2 rows of 3"),
        ("ooo/oox 1", "2 rows of 3"),
        ("ooo/oo. 1", "everything above"),
        ("o.o/ooo 2", "everything above"),
        ("ooo/ooo 2", "after 0 bites"),  # nobody has moved
        ("oo./ooo 1", "after 1 bites"),
    ],
)
def test_impossible_texts_are_refused(text, sentence):
    with pytest.raises(RamifyError, match=sentence):
        Table(chomp, text, rows=2, columns=3)


@pytest.mark.parametrize(("rows", "columns"), [(1, 1), (0, 5), (-2, -2), (8, 9), (27, 2), (2, 27)])
def test_sizes_out_of_range_are_refused(rows, columns):
    with pytest.raises(RamifyError, match=f"invalid board of {rows} x {columns}"):
        Table(chomp, rows=rows, columns=columns)


def test_a_move_that_is_not_there_is_refused():
    with pytest.raises(RamifyError):
        ramify.load("chomp").initial().play("c2").play("d3")
