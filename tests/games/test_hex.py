import random
from collections import Counter
from functools import cache

import pytest

import ramify
from ramify.contract.bind_kernels import Binding
from ramify.core.kernels.compiling import JIT
from ramify.core.numbers.rng import generator
from ramify.errors import RamifyError
from ramify.games import hex as game
from ramify.statistics.chi_square import homogeneity_p
from tests.games.drawing import fits
from tests.games.driving import Playouts, Table

GAMES = 20_000 if JIT else 100


def reached(text, player):
    """Naively: the cells of a player's stones joined to the top (x) or the left (o)."""
    rows = text.split("/")
    side = len(rows)
    stones = {(r, c) for r in range(side) for c in range(side) if rows[r][c] == "xo"[player]}
    found = {cell for cell in stones if cell[player] == 0}
    waiting = list(found)
    while waiting:
        r, c = waiting.pop()
        around = {(r, c - 1), (r, c + 1), (r - 1, c), (r - 1, c + 1), (r + 1, c), (r + 1, c - 1)}
        new = (around & stones) - found
        found |= new
        waiting.extend(new)
    return found


def winner(text):
    """Naively: who is joined, or -1."""
    last = text.count("/")
    joined = [player for player in range(2) if any(cell[player] == last for cell in reached(text, player))]
    assert len(joined) <= 1
    return joined[0] if joined else -1


def kept_reach(table, player):
    """What the state says is joined to a player's first edge, as cells of the board."""
    side = int(table.rules.side)
    rows = [int(row) for row in table.state.reach[player]]
    assert rows[0] == 2**side - 1
    assert not any(rows[side + 1 :])
    cells = {(r, c) for r in range(side) for c in range(side) if rows[r + 1] >> c & 1}
    return cells if player == 0 else {(c, r) for r, c in cells}


@pytest.mark.parametrize(("size", "games"), [(2, 20), (3, 20), (5, 20), (8, 5), (11, 3), (19, 1)])
def test_the_winner_and_what_is_joined_at_every_ply(size, games):
    chooser = random.Random(size)
    for _ in range(games):
        table = Table(game, size=size)
        while not table.ask("over"):
            table.ask("play", chooser.choice(table.moves()))
            text = table.text()
            assert table.state.winner == winner(text)
            for player in range(2):
                assert kept_reach(table, player) == reached(text, player)
        assert table.scores() == ([1.0, 0.0] if winner(table.text()) == 0 else [0.0, 1.0])


@pytest.mark.parametrize("size", [2, 3, 5, 8, 11, 14, 19])
def test_a_playout_deals_the_empty_cells_and_finds_the_winner(size):
    table = Table(game, size=size)
    chooser = random.Random(size)
    for _ in range(20):
        if table.ask("over"):
            table = Table(game, size=size)
        playouts = Playouts(table, "uniform_playout", seed=chooser.randrange(1000))
        before = table.text()
        assert playouts() == before.count(".")
        after = playouts.table.text()
        assert all(a in (b, ".") for a, b in zip(before, after, strict=True))
        assert (after.count("x"), after.count("o")) == ((size * size + 1) // 2, size * size // 2)
        assert playouts.table.ask("over")
        assert playouts.table.state.winner == winner(after)
        table.ask("play", chooser.choice(table.moves()))


@pytest.mark.skipif(not JIT, reason="needs many playouts")
@pytest.mark.parametrize(
    ("text", "ways"), [("../..", 6), ("xo./.../xo.", 10), (".x./.../..o", 35), ("x../.../...", 70)]
)
def test_a_playout_deals_every_way_alike(text, ways):
    """Chi-square on the dealt boards: of 4 cells x gets 2, of 5 three, of 7 four, of 8 four."""
    games = 100 * ways
    playouts = Playouts(Table(game, text, size=text.count("/") + 1), "uniform_playout")
    dealt = Counter()
    for _ in range(games):
        playouts()
        dealt[playouts.table.text()] += 1
    assert len(dealt) == ways
    chi_square = sum((count - 100) ** 2 / 100 for count in dealt.values())
    assert chi_square < ways - 1 + 4 * (2 * (ways - 1)) ** 0.5


@cache
def first_wins(text):
    """The exact chance that uniform play ends in a win of the first player."""
    table = Table(game, text, size=text.count("/") + 1)
    if table.ask("over"):
        return table.scores()[0]
    chances = []
    for move in table.moves():
        after = table.copy()
        after.ask("play", move)
        chances.append(first_wins(after.text()))
    return sum(chances) / len(chances)


def win_rate(table, kernel, seed):
    playouts = Playouts(table, kernel, seed)
    wins = 0
    for _ in range(GAMES):
        playouts()
        wins += playouts.table.state.winner == 0
    return wins / GAMES


@pytest.mark.parametrize("text", ["../..", ".x./o../...", "xo./.../...", "x.ox/oxo./.ox./o.x."])
def test_playouts_win_as_often_as_uniform_play_exactly(text):
    table = Table(game, text, size=text.count("/") + 1)
    exact = first_wins(text)
    four_sigma = 4 * (exact * (1 - exact) / GAMES) ** 0.5
    for kernel in ("uniform_playout", "plain_playout"):
        assert abs(win_rate(table, kernel, seed=3) - exact) < four_sigma


@pytest.mark.parametrize(("size", "plies"), [(4, 0), (5, 4), (7, 11), (11, 0), (11, 30)])
def test_playouts_win_as_often_as_plain_uniform_play(size, plies):
    table = Table(game, size=size)
    chooser = random.Random(plies)
    for _ in range(plies):
        table.ask("play", chooser.choice(table.moves()))
    assert not table.ask("over")
    own = win_rate(table, "uniform_playout", seed=5)
    plain = win_rate(table, "plain_playout", seed=6)
    assert abs(own - plain) < 4 * (2 * 0.25 / GAMES) ** 0.5


@cache
def lengths(text):
    """Exactly: how likely uniform play ends with each winner after so many more plies."""
    table = Table(game, text, size=text.count("/") + 1)
    if table.ask("over"):
        return {(int(table.state.winner), 0): 1.0}
    found, moves = Counter(), table.moves()
    for move in moves:
        after = table.copy()
        after.ask("play", move)
        for (winner, plies), chance in lengths(after.text()).items():
            found[winner, plies + 1] += chance / len(moves)
    return found


@pytest.mark.skipif(not JIT, reason="needs many playouts")
@pytest.mark.parametrize("text", ["../..", "x../.../...", ".x./o../...", "xo./.../...", "x.ox/oxo./.ox./o.x."])
def test_timed_playouts_are_as_long_as_uniform_play(text):
    """Chi-square on winner and length against their exact chances."""
    playouts = Playouts(Table(game, text, size=text.count("/") + 1), "exact_length_playout", seed=2)
    counts = Counter()
    for _ in range(GAMES):
        plies = playouts()
        counts[int(playouts.table.state.winner), plies] += 1
    assert fits(counts, lengths(text)) > 1e-4


@pytest.mark.skipif(not JIT, reason="needs many playouts")
@pytest.mark.parametrize(("size", "plies"), [(5, 4), (11, 0), (11, 61), (19, 0)])
def test_timed_playouts_are_as_long_as_play_move_by_move(size, plies):
    table = Table(game, size=size)
    chooser = random.Random(plies)
    for _ in range(plies):
        table.ask("play", chooser.choice(table.moves()))
    games = GAMES // 4 if size < 19 else 2000
    found = []
    for kernel, seed in (("exact_length_playout", 7), ("plain_playout", 8)):
        playouts = Playouts(table, kernel, seed)
        found.append([(float(playouts()),) for _ in range(games)])
    assert homogeneity_p(*found) > 1e-4


@pytest.mark.parametrize("size", [2, 5, 11, 19])
def test_a_timed_playout_leaves_the_board_that_the_playout_leaves(size):
    table = Table(game, size=size)
    chooser = random.Random(size)
    for seed in range(10):
        if table.ask("over"):
            table = Table(game, size=size)
        fast, timed = (Playouts(table, kernel, seed) for kernel in ("uniform_playout", "exact_length_playout"))
        full = fast()
        assert 1 <= timed() <= full
        assert timed.table.state_array == fast.table.state_array
        table.ask("play", chooser.choice(table.moves()))


def test_rewards_that_count_plies_get_true_ones():
    """Discounted wins are worth more than a discount over a board filled to the last cell."""
    state = ramify.load("hex(size=9)").initial()
    report = ramify.search(state, "mcts(reward=discount(factor=0.9))", simulations=300, seed=1)
    assert max(child.value for child in report.children if child.visits) > 0.9**80


def test_sides_and_neighbours():
    """A straight column for x; for o a row; the acute corners a1 and c3 of a 3 x 3 board have two neighbours."""
    assert Table(game, size=3).play("b1", "a1", "b2", "a2", "b3").scores() == [1.0, 0.0]
    assert Table(game, size=3).play("a1", "a2", "b1", "b2", "c3", "c2").scores() == [0.0, 1.0]
    assert Table(game, size=3).play("c1", "a1", "b2", "c3", "a3").scores() == [1.0, 0.0]
    assert not Table(game, size=3).play("a1", "c1", "b2", "a3", "c3").ask("over")


def test_samples_are_every_empty_cell():
    table = Table(game, ".o./x../...", size=3)
    kernel = Binding(game, 2, 9).kernel("sample")
    rng = generator(1)
    addresses = [array.ctypes.data for array in (table.rules_array, table.state_array, rng)]
    drawn = Counter(kernel(*addresses) for _ in range(7000))
    assert set(drawn) == set(table.moves())
    assert all(abs(count - 1000) < 4 * 30 for count in drawn.values())


@pytest.mark.parametrize("size", [2, 5, 11, 19])
def test_text_gives_the_position_back(size):
    table = Table(game, size=size)
    chooser = random.Random(size)
    while not table.ask("over"):
        if size < 11 or chooser.random() < 0.1:
            assert table.reread().state_array == table.state_array
        table.ask("play", chooser.choice(table.moves()))
    assert table.reread().state_array == table.state_array


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "3 rows of 3"),
        ("../..", "3 rows of 3"),
        (".../.../....", "3 rows of 3"),
        (".../.z./...", "3 rows of 3"),
        ("o../.../...", "x moves first"),
        ("xx./.../...", "x moves first"),
        ("xo./xo./xo.", "already won"),
    ],
)
def test_impossible_texts_are_refused(text, sentence):
    with pytest.raises(RamifyError, match=sentence):
        Table(game, text, size=3)


@pytest.mark.parametrize("size", [-3, 0, 1, 20])
def test_sizes_out_of_range_are_refused(size):
    with pytest.raises(RamifyError, match=f"invalid size={size} for hex"):
        Table(game, size=size)


def test_drawing_has_coordinates():
    assert Table(game, size=3).play("b1", "c2").ask("draw").splitlines() == [
        "   a b c",
        " 1 . x .",
        "  2 . . o",
        "   3 . . .",
    ]
