import random
from functools import cache

import numpy as np
import pytest

import ramify
from ramify.agents.checking.perft import perft
from ramify.core.kernels.compiling import JIT
from ramify.core.numbers.rng import generator
from ramify.errors import RamifyError
from ramify.games import atarigo
from tests.games.driving import Playouts, Table
from tests.games.stones import after, cells_of, check_chains, crowded, dead, drawn, even, name, square, text_of

GAMES = 20_000 if JIT else 50


def moves_of(board, around, player):
    """Naively: the empty cells where a stone captures or lives."""
    return [cell for cell in around if cell not in board and after(board, around, cell, player) is not None]


def captured(board, around, cell, player):
    return bool(dead({**board, cell: player}, around, 1 - player))


@pytest.mark.parametrize(("size", "games"), [(2, 20), (3, 30), (4, 20), (6, 6), (9, 2)])
def test_random_games_beside_the_naive_rules(size, games):
    chooser = random.Random(size)
    around = square(size)
    endings = set()
    for _ in range(games):
        table, board, player, won = Table(atarigo, size=size), {}, 0, False
        while not won:
            moves = {name(cell): cell for cell in moves_of(board, around, player)}
            assert table.names() == set(moves)
            assert table.ask("over") == (not moves)
            if not moves:
                break
            assert table.ask("mover") == player
            chosen = chooser.choice(sorted(moves))
            won = captured(board, around, moves[chosen], player)
            table.play(chosen)
            board[moves[chosen]] = player
            player = 1 - player
            check_chains(table, list(around), board, around)
            assert table.text() == text_of(board, size)
        assert table.ask("over")
        assert table.scores() == [float(player == 1), float(player == 0)]
        endings.add((won, player))
    assert len(endings) > 1 or size > 4


def sequences(board, around, player, depth):
    if depth == 0:
        return 1
    total = 0
    for move in moves_of(board, around, player):
        if not captured(board, around, move, player):
            total += sequences({**board, move: player}, around, 1 - player, depth - 1)
        else:
            total += depth == 1
    return total


@pytest.mark.parametrize(("size", "depth"), [(2, 4), (3, 4), (4, 3)])
def test_numbers_of_sequences(size, depth):
    state = ramify.load(f"atarigo(size={size})").initial()
    assert perft(state, depth) == [sequences({}, square(size), 0, n) for n in range(1, depth + 1)]


def test_the_first_capture_wins():
    """x at a1 takes the last liberty of b1."""
    table = Table(
        atarigo,
        "..o"  # 3
        "/.x."
        "/.ox",
        size=3,
    )
    assert not table.ask("over")
    table.play("a1")
    assert table.ask("over")
    assert table.scores() == [1.0, 0.0]


def test_a_stone_is_placed_on_an_empty_point():
    assert Table(atarigo, size=3).play("b2", "a1").names() == {"a2", "a3", "b1", "b3", "c1", "c2", "c3"}


def test_captured_stones_stay_on_the_board():
    table = Table(
        atarigo,
        "..o"  # 3
        "/.x."
        "/.ox",
        size=3,
    )
    assert table.play("a1").text() == "..o/.x./xox"


def test_a_capturing_stone_needs_no_liberty():
    """x at a1 has none, but a2 and b1 lose theirs."""
    table = Table(
        atarigo,
        "x.o"  # 3
        "/ox."
        "/.ox",
        size=3,
    )
    assert table.names() == {"a1", "b3", "c2"}
    table.play("a1")
    assert table.ask("over")
    assert table.scores() == [1.0, 0.0]


def test_suicide_is_illegal():
    """o at a1 would have no liberty."""
    table = Table(
        atarigo,
        "..o"  # 3
        "/x.."
        "/.x.",
        size=3,
    )
    assert table.names() == {"a3", "b3", "b2", "c2", "c1"}


def test_whoever_cannot_move_has_lost():
    """o has a1 and b3 left, and either takes the last liberty of the chain that it would join."""
    table = Table(
        atarigo,
        "o.x"  # 3
        "/xxx"
        "/.oo",
        size=3,
    )
    assert table.names() == set()
    assert table.ask("over")
    assert table.scores() == [1.0, 0.0]
    with np.errstate(over="ignore"):
        assert table.ask("sample", generator(1)) == atarigo.NOWHERE


def test_sample_is_even_where_few_points_are_legal():
    table = Table(atarigo, size=5)
    points = crowded(table, random.Random(1))
    assert even(drawn(table, "sample", 1500), points)


def test_playouts_end_as_naive_uniform_play_does():
    """Share of wins and length from a position on 3x3: exactly by the naive rules, playouts within four deviations."""
    around = square(3)

    @cache
    def chance(board, player):
        """That x wins, and the plies to the end."""
        cells = dict(board)
        moves = moves_of(cells, around, player)
        if not moves:
            return float(player == 1), 0.0
        parts = [
            (float(player == 0), 0.0)
            if captured(cells, around, move, player)
            else chance(frozenset({**cells, move: player}.items()), 1 - player)
            for move in moves
        ]
        return sum(part[0] for part in parts) / len(parts), 1 + sum(part[1] for part in parts) / len(parts)

    for text in ("..o/.x./...", ".../xo./..."):
        wins, length = chance(frozenset(cells_of(text).items()), 0)
        assert 0.05 < wins < 0.95
        playouts = Playouts(Table(atarigo, text, size=3), "uniform_playout")
        plies = won = 0
        for _ in range(GAMES):
            plies += playouts()
            assert playouts.table.ask("over")
            won += playouts.table.scores()[0]
        assert abs(won / GAMES - wins) < 4 * (wins * (1 - wins) / GAMES) ** 0.5
        assert abs(plies / GAMES - length) < 4 * 2.0 / GAMES**0.5


@pytest.mark.parametrize("size", [2, 4, 7])
def test_text_gives_the_position_back(size):
    chooser = random.Random(size)
    for _ in range(2):
        table = Table(atarigo, size=size)
        while not table.ask("over"):
            assert table.reread().state_array == table.state_array
            table.ask("play", chooser.choice(table.moves()))
        assert table.reread().state_array == table.state_array


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "expected 3 rows of 3"),
        (".../...", "expected 3 rows of 3"),
        (".../.../.w.", "expected 3 rows of 3"),
        (".../.o./...", "x moves first"),
        ("xx./.../...", "x moves first"),
        ("xo./ox./..x", "no single move can have captured"),  # suicide of a3
        ("ox../x.../.o.x/..xo", "no single move can have captured"),  # a4 and d1 taken by two moves
    ],
)
def test_impossible_texts_are_refused(text, why):
    with pytest.raises(RamifyError, match=why):
        Table(atarigo, text, size=4 if len(text) > 11 else 3)


def test_silly_sizes_are_refused():
    for size in (-1, 0, 1, 20):
        with pytest.raises(RamifyError, match="for atarigo: use 2 to 19"):
            ramify.load(f"atarigo(size={size})")


def test_illegal_moves_are_refused():
    state = ramify.load("atarigo(size=3)").position("..o/x../.x.")
    with pytest.raises(RamifyError, match="'a1' is not a legal move"):
        state.play("a1")
