import random
from functools import cache

import pytest

import ramify
from ramify.agents.checking.perft import perft
from ramify.core.kernels.compiling import JIT
from ramify.errors import RamifyError
from ramify.games import nogo
from tests.games.driving import Playouts, Table
from tests.games.stones import cells_of, check_chains, dead, name, square, text_of

GAMES = 20_000 if JIT else 50


def moves_of(board, around, player):
    """Naively: the cells where a stone leaves every chain a liberty."""
    for cell in around:
        if cell not in board:
            after = {**board, cell: player}
            if not dead(after, around, 0) and not dead(after, around, 1):
                yield cell


@pytest.mark.parametrize(("size", "games"), [(2, 10), (3, 30), (4, 20), (6, 5), (9, 1)])
def test_random_games_beside_the_naive_rules(size, games):
    chooser = random.Random(size)
    around = square(size)
    for _ in range(games):
        table, board, player = Table(nogo, size=size), {}, 0
        while True:
            moves = {name(cell): cell for cell in moves_of(board, around, player)}
            assert table.names() == set(moves)
            assert table.ask("over") == (not moves)
            if not moves:
                break
            assert table.ask("mover") == player
            chosen = chooser.choice(sorted(moves))
            table.play(chosen)
            board[moves[chosen]] = player
            player = 1 - player
            check_chains(table, list(around), board, around)
            assert table.text() == text_of(board, size)
        assert table.scores() == [float(player == 1), float(player == 0)]


@pytest.mark.parametrize("size", [11, 19])
def test_large_boards_late_in_the_game(size):
    """The end of a playout, and what it was like some stones earlier."""
    around = square(size)
    playouts = Playouts(Table(nogo, size=size), "uniform_playout")
    playouts()
    board = cells_of(playouts.table.text())
    for lifted in (0, 20):
        for player in range(2):
            for _ in range(lifted // 2):
                del board[next(cell for cell in board if board[cell] == player)]
        table = Table(nogo, text_of(board, size), size=size)
        check_chains(table, list(around), board, around)
        moves = {name(cell) for cell in moves_of(board, around, table.ask("mover"))}
        assert (table.names(), table.ask("over")) == (moves, lifted == 0)


def sequences(board, around, player, depth):
    if depth == 0:
        return 1
    moves = list(moves_of(board, around, player))
    return (
        len(moves)
        if depth == 1
        else sum(sequences({**board, move: player}, around, 1 - player, depth - 1) for move in moves)
    )


@pytest.mark.parametrize(("size", "depth"), [(2, 4), (3, 4), (4, 3)])
def test_numbers_of_sequences(size, depth):
    state = ramify.load(f"nogo(size={size})").initial()
    assert perft(state, depth) == [sequences({}, square(size), 0, n) for n in range(1, depth + 1)]


def test_capturing_is_illegal():
    """x at a1 would take the last liberty of o at b1; o may extend there."""
    table = Table(
        nogo,
        "..."  # 3
        "/.x."
        "/.ox",
        size=3,
    )
    assert table.names() == {"a1", "a2", "a3", "b3", "c3"}  # c2 would capture c1
    assert table.play("a3").names() == {"a2", "b3", "c2", "c3"}


def test_suicide_is_illegal():
    """o at a1 would have no liberty."""
    table = Table(
        nogo,
        "..o"  # 3
        "/x.."
        "/.x.",
        size=3,
    )
    assert table.names() == {"a3", "b3", "b2", "c2", "c1"}


def test_a_stone_breathes_through_its_chain():
    """o at a1 joins b1, which has a liberty at c1."""
    table = Table(
        nogo,
        "..."  # 3
        "/xx."
        "/.o.",
        size=3,
    )
    assert table.names() == {"a1", "a3", "b3", "c3", "c2", "c1"}


def test_the_game_goes_on_while_there_is_a_move():
    """x has a2 and c2; b2 would take the last liberty of b3."""
    table = Table(
        nogo,
        "xox"  # 3
        "/..."
        "/xoo",
        size=3,
    )
    assert not table.ask("over")
    assert table.names() == {"a2", "c2"}


def test_whoever_cannot_move_has_lost():
    """o has a1 and b3 left, and either takes the last liberty of the chain that it would join."""
    table = Table(
        nogo,
        "o.x"  # 3
        "/xxx"
        "/.oo",
        size=3,
    )
    assert table.names() == set()
    assert table.ask("over")
    assert table.scores() == [1.0, 0.0]


def test_a_forbidden_point_stays_forbidden():
    """What playouts rely on: along random games no illegal point becomes legal again."""
    around = square(4)
    chooser = random.Random(1)
    for _ in range(20):
        table, forbidden = Table(nogo, size=4), [set(), set()]
        while not table.ask("over"):
            player, legal = table.ask("mover"), table.names()
            board = cells_of(table.text())
            forbidden[player] |= {name(cell) for cell in around if cell not in board} - legal
            assert not forbidden[player] & legal
            table.play(chooser.choice(sorted(legal)))


def test_playouts_win_as_often_as_uniform_play():
    """Exactly, from a position on 3x3, by the naive rules; the playouts within four standard errors."""
    around = square(3)

    @cache
    def chance(board, player):
        """That x wins, and the plies to the end."""
        cells = dict(board)
        moves = list(moves_of(cells, around, player))
        if not moves:
            return float(player == 1), 0.0
        parts = [chance(frozenset({**cells, move: player}.items()), 1 - player) for move in moves]
        return sum(part[0] for part in parts) / len(parts), 1 + sum(part[1] for part in parts) / len(parts)

    for text in ("..o/.x./...", ".../x../..o"):
        wins, length = chance(frozenset(cells_of(text).items()), 0)
        assert 0.05 < wins < 0.95
        playouts = Playouts(Table(nogo, text, size=3), "uniform_playout")
        plies = won = 0
        for _ in range(GAMES):
            plies += playouts()
            assert playouts.table.ask("over")
            won += playouts.table.scores()[0]
        assert abs(won / GAMES - wins) < 4 * (wins * (1 - wins) / GAMES) ** 0.5
        assert abs(plies / GAMES - length) < 4 * 1.5 / GAMES**0.5


def test_a_search_finds_the_moves_that_win():
    """One or two of x's moves win, by an exhaustive search with the naive rules."""
    around = square(3)

    def wins(board, player):
        return any(not wins({**board, move: player}, 1 - player) for move in moves_of(board, around, player))

    for text in ("x../..o/...", "xo./x.o/...", "xox/.../..o"):
        board = cells_of(text)
        player = len(board) % 2
        good = {name(move) for move in moves_of(board, around, player) if not wins({**board, move: player}, 1 - player)}
        state = ramify.load("nogo(size=3)").position(text)
        report = ramify.search(state, simulations=4000, seed=1)
        assert 1 <= len(good) <= 2
        assert report.move.name in good


@pytest.mark.parametrize("size", [2, 4, 7])
def test_text_gives_the_position_back(size):
    table = Table(nogo, size=size)
    chooser = random.Random(size)
    while not table.ask("over"):
        assert table.reread().state_array == table.state_array
        table.ask("play", chooser.choice(table.moves()))
    assert table.reread().state_array == table.state_array


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "expected 3 rows of 3"),
        (".../...", "expected 3 rows of 3"),
        (".../.../....", "expected 3 rows of 3"),
        (".../.b./...", "expected 3 rows of 3"),
        (".../.o./...", "x moves first"),
        ("xx./.../...", "x moves first"),
        ("ox./x../...", "chain at a3 has no liberty"),
        ("oxx/xo./.o.", "chain at a3 has no liberty"),
    ],
)
def test_impossible_texts_are_refused(text, why):
    with pytest.raises(RamifyError, match=why):
        Table(nogo, text, size=3)


def test_silly_sizes_are_refused():
    for size in (-1, 0, 1, 20):
        with pytest.raises(RamifyError, match="for nogo: use 2 to 19"):
            ramify.load(f"nogo(size={size})")


def test_names_and_drawing_are_those_of_go():
    table = Table(nogo).play("j9", "a1")
    lines = table.ask("draw").splitlines()
    assert lines[0] == " 9 . . . . . . . . x"
    assert lines[-2:] == [" 1 o . . . . . . . .", "   a b c d e f g h j"]
