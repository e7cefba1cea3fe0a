import random

import pytest

import ramify
from ramify.agents.checking.perft import perft
from ramify.core.kernels.compiling import JIT
from ramify.errors import RamifyError
from ramify.games import knightthrough
from tests.games.driving import Playouts, Table

GAMES = 40 if JIT else 5


def naive(text):
    """Names of the moves and whether somebody has won, square by square from the rules."""
    board, side = text.split()
    rows = board.split("/")
    knights = {(c, 8 - r): rows[r][c] for r in range(8) for c in range(8) if rows[r][c] != "."}
    up = 1 if side == "w" else -1
    names = set()
    for (column, row), owner in knights.items():
        for aside, ahead in ((1, 2), (-1, 2), (2, 1), (-2, 1)):
            to = (column + aside, row + up * ahead)
            if owner == side and 0 <= to[0] < 8 and 1 <= to[1] <= 8 and knights.get(to) != side:
                names.add("abcdefgh"[column] + str(row) + "abcdefgh"[to[0]] + str(to[1]))
    ended = "w" in rows[0] or "b" in rows[7] or len(set(knights.values())) < 2
    return names, ended


def test_random_games_beside_the_rules():
    chooser = random.Random(2)
    winners = set()
    for _ in range(GAMES):
        table = Table(knightthrough)
        while not table.ask("over"):
            names, ended = naive(table.text())
            assert not ended
            assert table.names() == names
            assert len(table.moves()) == len(names)
            name = chooser.choice(sorted(names))
            before = table.text().split()[0].split("/")
            table.play(name)
            after = table.text().split()[0].split("/")
            square = {f"{'abcdefgh'[c]}{8 - r}": (r, c) for r in range(8) for c in range(8)}
            (r0, c0), (r1, c1) = square[name[:2]], square[name[2:]]
            assert (after[r0][c0], after[r1][c1]) == (".", before[r0][c0])
            changed = sum(before[r][c] != after[r][c] for r in range(8) for c in range(8))
            assert changed == 2
        assert naive(table.text())[1]
        winners.add(tuple(table.scores()))
    assert winners == {(1.0, 0.0), (0.0, 1.0)}


def test_numbers_of_sequences():
    """Counted by another engine from the rules in GDL."""
    assert perft(ramify.load("knightthrough").initial(), 4) == [40, 1600, 63520, 2521306]


def test_two_home_rows_are_full_of_knights():
    rows = ["b" * 8] * 2 + ["." * 8] * 4 + ["w" * 8] * 2
    assert Table(knightthrough).text() == "/".join(rows) + " w"


def test_knights_jump_forward_and_may_capture():
    text = "......../......../..b.w.../.w...b../...w..../......../..w.w.../........ w"
    table = Table(knightthrough, text)
    assert {name for name in table.names() if name.startswith("d4")} == {"d4c6", "d4f5"}  # e6 and b5 are its own
    table.play("d4c6")
    assert table.text() == "......../......../..w.w.../.w...b../......../......../..w.w.../........ b"
    assert table.names() == {"f5d4", "f5h4", "f5e3", "f5g3"}


def test_the_far_row_wins_and_so_does_the_last_capture():
    assert Table(knightthrough, "......../......../..w...../......../.b....../......../......../........ w").play(
        "c6d8"
    ).scores() == [1.0, 0.0]
    table = Table(knightthrough, "......../......../......../.b....../.....w../..w...../......../........ w").play(
        "c3b5"
    )
    assert table.ask("over")
    assert table.scores() == [1.0, 0.0]
    assert table.ask("quality") == 0.5 + 2 / 34


def test_jumps_do_not_wrap_round_the_edge():
    text = "......../......../b......b/......../......../w......w/......../........ {}"
    assert Table(knightthrough, text.format("w")).names() == {"a3b5", "a3c4", "h3g5", "h3f4"}
    assert Table(knightthrough, text.format("b")).names() == {"a6b4", "a6c5", "h6g4", "h6f5"}
    text = "......../......../.b....b./......../......../.w....w./......../........ {}"
    assert Table(knightthrough, text.format("w")).names() == {"b3a5", "b3c5", "b3d4", "g3f5", "g3h5", "g3e4"}
    assert Table(knightthrough, text.format("b")).names() == {"b6a4", "b6c4", "b6d5", "g6f4", "g6h4", "g6e5"}


@pytest.mark.parametrize(
    ("text", "move", "scores"),
    [
        ("......../..w...../......../......../......../......../.....b../........ w", "c7a8", [1.0, 0.0]),
        ("......../..w...../......../......../......../......../.....b../........ b", "f2h1", [0.0, 1.0]),
    ],
)
def test_the_far_row_ends_the_game(text, move, scores):
    table = Table(knightthrough, text)
    assert not table.ask("over")
    assert table.play(move).ask("over")
    assert table.scores() == scores


def test_playouts_end_as_uniform_play_does():
    games = 10_000 if JIT else 20
    means = []
    for kernel, seed in (("uniform_playout", 1), ("plain_playout", 2)):
        playouts = Playouts(Table(knightthrough), kernel, seed)
        plies = wins = 0
        for _ in range(games):
            plies += playouts()
            wins += playouts.table.scores()[0]
        means.append((plies / games, wins / games))
        assert abs(means[-1][0] - 33.66) < 4 * 10 / 1073**0.5 or not JIT  # the other engine's mean of 1073 games
    assert abs(means[0][0] - means[1][0]) < 4 * 10 * (2 / games) ** 0.5
    assert abs(means[0][1] - means[1][1]) < 4 * 0.5 * (2 / games) ** 0.5


def test_text_gives_the_position_back():
    table = Table(knightthrough)
    chooser = random.Random(5)
    while not table.ask("over"):
        assert table.reread().state_array == table.state_array
        table.ask("play", chooser.choice(table.moves()))
    assert table.reread().state_array == table.state_array


EMPTY = "......../......../......../......../......../......../......../........"


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "8 rows of 8"),
        (EMPTY, "8 rows of 8"),
        (EMPTY[1:] + " w", "8 rows of 8"),
        (EMPTY.replace(".", "n", 1) + " w", "8 rows of 8"),
        (EMPTY + " w", "already won"),
        ("w" + EMPTY[1:-1] + "b w", "already won"),
        ("w" + EMPTY[1:-1] + "b b", "already won"),
        ("ww" + EMPTY[2:30] + "b" + EMPTY[31:] + " b", "two knights"),
        (EMPTY[:-26] + "wwwwwwww/wwwwwwww/wwwwwwww w", "at most 16"),
    ],
)
def test_impossible_texts_are_refused(text, sentence):
    with pytest.raises(RamifyError, match=sentence):
        Table(knightthrough, text)
