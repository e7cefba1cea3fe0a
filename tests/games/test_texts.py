"""Texts of positions: what a game reads is what can come up in it, and nothing else.

For small forms of the games every text there is (or one in seven) is tried, and those accepted must be just the
positions that play can reach. Larger games get texts that each break one law of the game.
"""

from itertools import islice, product

import pytest

import ramify
from ramify.errors import RamifyError


def reachable(game):
    """Every position that play from the start can lead to."""
    found = {game.initial()}
    waiting = list(found)
    while waiting:
        state = waiting.pop()
        for move in [] if state.over else state.moves():
            after = ramify.State(game, game.play(state.data, move.code))  # no need to look whether it is legal
            if after not in found:
                found.add(after)
                waiting.append(after)
    return found


def accepted(game, texts):
    """The positions of all texts that are not refused."""
    found = set()
    for text in texts:
        try:
            found.add(game.position(text))
        except RamifyError:
            continue
    return found


def boards(rows, columns, marks, rest=("",)):
    """Every board of these marks, with each of the endings."""
    for cells in product(marks, repeat=rows * columns):
        board = "/".join("".join(cells[k : k + columns]) for k in range(0, rows * columns, columns))
        for end in rest:
            yield board + end


def in_turns(texts):
    """Those with as many x as o, or one more."""
    return (text for text in texts if text.count("x") - text.count("o") in (0, 1))


def some(texts):
    """One in seven."""
    return islice(texts, 0, None, 7)


def heaps(most, count):
    """Every number of heaps up to a size."""
    return ("-".join(map(str, sizes)) + end for sizes in product(range(most + 1), repeat=count) for end in (" 1", " 2"))


EVERY = {
    "tictactoe": (boards(3, 3, ".xo"), 5478),
    "nogo(size=2)": (boards(2, 2, ".xo"), None),
    "nogo(size=3)": (some(in_turns(boards(3, 3, ".xo"))), None),
    "atarigo(size=2)": (boards(2, 2, ".xo"), None),
    "hex(size=2)": (boards(2, 2, ".xo"), None),
    "hex(size=3)": (some(in_turns(boards(3, 3, ".xo"))), None),
    "chomp(rows=2, columns=3)": (boards(2, 3, ".o", (" 1", " 2")), None),
    'nim(heaps="2-1-2")': (heaps(3, 3), None),
}


@pytest.mark.parametrize("name", EVERY)
def test_exactly_the_positions_of_the_game_are_read(name):
    game = ramify.load(name)
    texts, count = EVERY[name]
    texts = list(texts)
    positions = {state.text() for state in reachable(game)}
    assert {state.text() for state in accepted(game, texts)} == positions & set(texts)
    assert count is None or len(positions) == count


def test_no_position_of_breakthrough_is_refused():
    """Of the others some are: whether play can lead to the rest is not looked into."""
    game = ramify.load("breakthrough(rows=3, columns=2)")
    positions = reachable(game)
    read = accepted(game, boards(3, 2, ".wb", (" w", " b")))
    assert positions <= read
    assert len(positions) < len(read) < 2 * 3**6 / 4


EMPTY = "......../......../......../"
IMPOSSIBLE = [
    # Rows of four that share no last stone, a last stone below others, stones in the wrong order.
    ("connect4", "......./......./x.....x/x.....x/xoo.o.x/xoo.oox", "no single move"),
    ("connect4", "......./......./......./......./.x...../xxxx.oo", "x moves first"),
    ("connect4", "......./......./......./......./oooxxx./xxxxooo", "no single move"),
    ("connect4", "......./......./......./......./xx...../oo.....", "no alternating sequence"),
    ("connect4", "......./......./......./x....../o....../o......", "x moves first"),
    ("connect4", "......./......./......./x....../x....../oo.....", "no alternating sequence"),
    # Two chains of the winner's, each across the board.
    ("hex(size=4)", "x.x./xox./xox./xoxo", "x moves first"),
    ("hex(size=4)", "x..x/xo.x/xoox/xo.x", "x moves first"),
    ("hex(size=4)", "xoox/xoox/xoox/xo.x", "no single move"),
    # Discs that are never there.
    ("othello", EMPTY + "......../......../......../......../........ x", "never empty"),
    ("othello", EMPTY + "...o..../...xo.../......../......../........ x", "never empty"),
    ("othello", EMPTY + "...xx.../..xxx.../......../......../........ x", "o has a disc"),
    ("othello", EMPTY + "...ox.../...xo.../......../......../........ o", "before the first move"),
    ("othello", EMPTY + "...xo.../...ox.../......../......../........ x", "before the first move"),
    # Pawns: too many, two where one has ended the game, or steps that turns do not allow.
    ("breakthrough(rows=3, columns=3)", "bbb/w../www w", "at most 3 pawns"),
    ("breakthrough(rows=5, columns=3)", "w.w/b.b/.../.../... b", "two pawns on the far row"),
    ("breakthrough(rows=5, columns=2)", "bb/bb/w./.w/ww w", "1 steps of white and 0 of black"),
    ("breakthrough(rows=6, columns=2)", "bb/bb/w./w./../ww b", "cannot leave b to move"),
    # Men gone before a mill can have taken them.
    ("nine_mens_morris", "w../.../.../....../.../.../... b 3", "too few"),
    ("nine_mens_morris", "www/.../.../....../.../.../... b 7", "too few"),
]


@pytest.mark.parametrize(("name", "text", "sentence"), IMPOSSIBLE)
def test_a_text_that_breaks_a_law_of_the_game_is_refused(name, text, sentence):
    with pytest.raises(RamifyError, match=sentence):
        ramify.load(name).position(text)
