import random
from functools import cache

import numpy as np
import pytest

import ramify
from ramify.agents.checking.perft import perft
from ramify.contract.bind_kernels import Binding
from ramify.core.kernels.compiling import JIT
from ramify.errors import RamifyError
from ramify.games import eight_puzzle as game
from tests.games.driving import Playouts, Table

# Positions of the 8-puzzle at each distance from the solved one, the blank in a corner: Reinefeld 1993; OEIS A089473.
PUBLISHED = [
    1,
    2,
    4,
    8,
    16,
    20,
    39,
    62,
    116,
    152,
    286,
    396,
    748,
    1024,
    1893,
    2512,
    4485,
    5638,
    9529,
    10878,
    16993,
    17110,
]
PUBLISHED += [23952, 20224, 24047, 15578, 14560, 6274, 3910, 760, 221, 2]
FARTHEST = {"8,6,7/2,5,4/3,_,1", "6,4,7/8,5,_/3,2,1"}


@cache
def distances(rows, columns):
    """How far each board is from the solved one: boards as text of letters, straight from the rules."""
    solved = "abcdefghijklmno"[: rows * columns - 1] + "_"
    found = {solved: 0}
    wave = [solved]
    for board in wave:
        blank = board.index("_")
        row, column = divmod(blank, columns)
        for r, c in ((row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1)):
            if 0 <= r < rows and 0 <= c < columns:
                low, high = sorted((blank, r * columns + c))
                after = board[:low] + board[high] + board[low + 1 : high] + board[low] + board[high + 1 :]
                if after not in found:
                    found[after] = found[board] + 1
                    wave.append(after)
    return found


def letters(word, squares):
    """A board of ours as such a text."""
    return "".join("_abcdefghijklmno"[word >> 4 * square & 15] for square in range(squares))


def our_distances(rows, columns):
    """The same with the compiled rules."""
    table = Table(game, rows=rows, columns=columns, limit=10**6)
    binding = Binding(game, 1, 4)
    legal, play = binding.kernel("legal"), binding.kernel("play")
    moves = np.zeros(4, np.int64)
    rules, state, buffer = (array.ctypes.data for array in (table.rules_array, table.state_array, moves))
    solved = int(table.rules.solved)
    table.rules.solved = 0  # no board: moves go on where it is solved
    found = {solved: 0}
    wave = [(solved, rows * columns - 1)]
    boards, blanks = table.state_array["board"], table.state_array["blank"]
    for board, blank in wave:
        boards[0], blanks[0] = board, blank
        for move in moves[: legal(rules, state, buffer)].tolist():
            boards[0], blanks[0] = board, blank
            play(rules, state, move)
            after = int(boards[0])
            if after not in found:
                found[after] = found[board] + 1
                wave.append((after, int(blanks[0])))
    return {letters(board, rows * columns): moves for board, moves in found.items()}


SIZES = [(2, 2, 12, 6), (2, 3, 360, 21), (3, 2, 360, 21), (2, 4, 20160, 36)]  # positions, and the farthest


@pytest.mark.parametrize(("rows", "columns", "positions", "farthest"), SIZES)
def test_distances_of_small_boards(rows, columns, positions, farthest):
    found = our_distances(rows, columns)
    assert (len(found), max(found.values())) == (positions, farthest)
    assert found == distances(rows, columns)


@pytest.mark.skipif(not JIT, reason="half a million moves, which plain Python is too slow for")
def test_distances_of_the_8_puzzle():
    found = our_distances(3, 3)
    assert len(found) == 181440
    counts = [0] * 32
    for moves in found.values():
        counts[moves] += 1
    assert counts == PUBLISHED
    far = {board for board, moves in found.items() if moves == 31}
    assert far == {
        text.replace(",", "").replace("/", "").translate(str.maketrans("12345678", "abcdefgh")) for text in FARTHEST
    }
    assert found == distances(3, 3)


@pytest.mark.parametrize(("rows", "columns", "limit"), [(3, 3, 60), (2, 2, 9), (4, 4, 80), (2, 8, 30), (3, 5, 60)])
def test_random_games_beside_a_list_of_tiles(rows, columns, limit):
    """Moves, their effect and the score, at every ply of random games."""
    solved = [*map(str, range(1, rows * columns)), "_"]
    first = ramify.load(f"eight_puzzle(rows={rows}, columns={columns}, limit={limit}, scramble=2, seed=3)").initial()
    chooser = random.Random(rows)
    endings = set()
    for _ in range(30):
        state = first
        tiles = state.text().split()[0].replace("/", ",").split(",")
        made = 0
        while tiles != solved and made < limit:
            assert not state.over
            assert state.to_move == 0
            row, column = divmod(tiles.index("_"), columns)
            near = [(row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1)]
            beside = {tiles[r * columns + c] for r, c in near if 0 <= r < rows and 0 <= c < columns}
            assert {move.name for move in state.moves()} == beside
            name = chooser.choice(sorted(beside))
            state = state.play(name)
            here, blank = tiles.index(name), tiles.index("_")
            tiles[here], tiles[blank] = "_", name
            made += 1
            text = "/".join(",".join(tiles[k : k + columns]) for k in range(0, len(tiles), columns))
            assert state.text() == f"{text} {made}"
        assert state.over
        endings.add(tiles == solved)
        way = 0
        for place, tile in enumerate(tiles):
            goal = place if tile == "_" else int(tile) - 1
            way += abs(place // columns - goal // columns) + abs(place % columns - goal % columns)
        longest = rows * columns * (rows + columns - 2)
        assert state.scores() == pytest.approx([1 - made / (2 * limit) if tiles == solved else (1 - way / longest) / 2])
    assert endings == {True, False}


def test_numbers_of_sequences():
    """Those of the general game players' rules, found by another engine."""
    assert perft(ramify.load("eight_puzzle").initial(), 9) == [2, 6, 16, 48, 128, 384, 1024, 3072, 8192]


def test_solved_sooner_is_better_and_nearer_is_better():
    def score(text):
        return Table(game, text, limit=10).scores()[0]

    assert score("1,2,3/4,5,6/7,8,_ 0") == 1.0
    assert score("1,2,3/4,5,6/7,8,_ 4") == pytest.approx(0.8)
    assert score("1,2,3/4,5,6/7,8,_ 10") == 0.5
    assert 0.0 < score("8,6,7/2,5,4/3,_,1 10") < score("1,2,3/4,5,6/7,_,8 10") < 0.5


def test_it_ends_solved_or_at_the_limit():
    assert Table(game, "1,2,3/4,5,6/7,8,_ 0").ask("over")
    assert not Table(game, "1,2,3/4,5,6/7,_,8 59").ask("over")
    assert Table(game, "1,2,3/4,5,6/7,_,8 60").ask("over")
    assert not Table(game, "1,2,3/4,5,6/7,_,8 60", limit=61).ask("over")


def test_a_tile_slides_into_the_blank():
    table = Table(game, "1,2,3/4,_,6/7,5,8 3")
    assert table.names() == {"2", "4", "6", "5"}
    table.play("5")
    assert table.ask("draw").splitlines() == ["  1  2  3", "  4  5  6", "  7  _  8", "4 of 60 moves"]
    assert table.names() == {"5", "7", "8"}
    assert table.play("8").ask("over")


@pytest.mark.parametrize(
    ("sizes", "text"),
    [
        ({}, "8,7,6/5,4,3/2,1,_ 0"),
        ({"rows": 4, "columns": 4}, "15,14,13,12/11,10,9,8/7,6,5,4/3,1,2,_ 0"),
        ({"rows": 2, "columns": 2}, "3,1/2,_ 0"),
    ],
)
def test_the_start_is_the_reverse_or_next_to_it(sizes, text):
    assert Table(game, **sizes).text() == text


def test_scrambles_repeat_differ_and_are_not_solved():
    """On 2 x 2 squares twelve moves in one direction lead back: then one more is made."""
    texts = [Table(game, scramble=40, seed=seed).text() for seed in (1, 1, 2)]
    assert texts[0] == texts[1] != texts[2]
    for rows, columns, scramble in ((2, 2, 12), (2, 2, 24), (3, 3, 31), (4, 4, 500)):
        table = Table(game, rows=rows, columns=columns, scramble=scramble)
        assert not table.ask("over")
        assert game.solvable(table.rules, game.unpack(table.rules, table.state.board))
    far = Table(game, scramble=7, seed=5).text().split()[0].replace("_", "0").replace("/", ",").split(",")
    assert distances(3, 3)["".join("_abcdefgh"[int(tile)] for tile in far)] in (1, 3, 5, 7)


@pytest.mark.parametrize("seed", range(1, 11))
def test_a_scramble_takes_no_move_back(seed):
    """So after two moves the puzzle is two moves from being solved, never solved again."""
    for moves in (1, 2):
        far = Table(game, scramble=moves, seed=seed).text().split()[0].replace("/", ",").split(",")
        assert distances(3, 3)["".join("_" if tile == "_" else "_abcdefgh"[int(tile)] for tile in far)] == moves


def test_search_solves_what_is_near():
    """Eight moves away, in eight moves; the search is asked move by move."""
    state = ramify.load("eight_puzzle(scramble=8, seed=1, limit=20)").initial()
    made = 0
    while not state.over:
        state = state.play(ramify.search(state, "uct(c=0.4)", simulations=3000, seed=made).move.name)
        made += 1
    assert state.scores() == [0.8]


def test_playouts_end_solved_or_at_the_limit():
    playouts = Playouts(Table(game, "1,2,3/4,5,6/_,7,8 0", limit=12), "uniform_playout")
    lengths = set()
    for _ in range(200 if JIT else 20):
        plies = playouts()
        assert playouts.table.ask("over")
        assert playouts.table.state.moves == plies
        assert (playouts.table.scores()[0] >= 0.5) == (playouts.table.text().startswith("1,2,3/4,5,6/7,8,_"))
        lengths.add(plies)
    assert 12 in lengths
    assert min(lengths) < 12


@np.errstate(over="ignore")
def test_keys_tell_boards_and_moves_apart():
    texts = ["8,7,6/5,4,3/2,1,_ 0", "8,7,6/5,4,3/2,1,_ 2", "8,7,6/5,4,3/2,_,1 1", "1,2,3/4,5,6/7,8,_ 0"]
    assert len({int(Table(game, text).ask("key")) for text in texts}) == len(texts)


@pytest.mark.parametrize("text", ["8,7,6/5,4,3/2,1,_ 0", "8,6,7/2,5,4/3,_,1 17", "1,2,3/4,5,6/7,8,_ 60"])
def test_text_gives_the_position_back(text):
    table = Table(game, text)
    assert table.text() == text
    assert table.reread().state_array == table.state_array


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "3 rows of 3"),
        ("8,7,6/5,4,3/2,1,_", "3 rows of 3"),
        ("8,7,6/5,4,3 0", "3 rows of 3"),
        ("8,7,6,5,4,3,2,1,_ 0", "3 rows of 3"),
        ("8,7,6/5,4,3/2,1,0 0", "3 rows of 3"),
        ("8,7,6/5,4,3/2,2,_ 0", "once each"),
        ("8,7,6/5,4,3/2,9,_ 0", "once each"),
        ("8,7,6/5,4,3/2,1,_ x", "invalid number of moves"),
        ("8,7,6/5,4,3/2,1,_ -1", "invalid number of moves"),
        ("8,7,6/5,4,3/2,1,_ 61", "expected 0 to 60"),
        ("1,2,3/4,5,6/8,7,_ 0", "cannot be solved"),
        ("8,7,6/5,4,3/1,2,_ 0", "cannot be solved"),
    ],
)
def test_impossible_texts_are_refused(text, sentence):
    with pytest.raises(RamifyError, match=sentence):
        Table(game, text)


@pytest.mark.parametrize(
    "parameters",
    [{"rows": 1}, {"columns": 1}, {"rows": 4, "columns": 5}, {"limit": 0}, {"scramble": -1}, {"limit": 10**7}],
)
def test_silly_parameters_are_refused(parameters):
    with pytest.raises(RamifyError, match=r"invalid .* for eight_puzzle: use"):
        Table(game, **parameters)


def test_a_move_that_is_not_there_is_refused():
    with pytest.raises(RamifyError):
        ramify.load("eight_puzzle").initial().play("8")
