"""Every built-in game under random legal play and random illegal input: nothing crashes, nothing wrong is accepted."""

import re
import string
from functools import cache
from itertools import islice, product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import ramify
from ramify.contract.game import JointMove
from ramify.core.search.tree import CHANCE, SIMULTANEOUS
from tests.games.stones import cells_of, dead, square

# Smaller forms where the default is slow to walk through in Python.
FORMS = {"amazons": "amazons(size=6)", "go": "go(size=5)", "gomoku": "gomoku(size=7)"}
# Other rules of the same games.
VARIANTS = [
    "cannon(mate=true, corners=true)",
    "checkers(quiet=25, advances=true, duel=true)",
    "chinese_checkers(stay=true, forward=true, drawn=true)",
    'pentalath(board="hexagon", swap=true)',
]
GAMES = [FORMS.get(name, name) for name in ramify.games()] + VARIANTS
MARKS = "xo.wb/-0123456789 abcdefhkWB" + string.punctuation


@cache
def loaded(name):
    return ramify.load(name)


def options(state):
    """The moves, or the outcomes of chance, of a position."""
    if state.to_move == CHANCE:
        return [move for move, _ in state.chance_outcomes()]
    if state.to_move == SIMULTANEOUS:
        lists = [state.moves(player) for player in range(state.game.players)]
        return [JointMove(own) for own in islice(product(*lists), 200)]
    return state.moves()


def walk(game, choices):
    """The positions of a game whose moves are picked by the numbers."""
    state = game.initial()
    yield state
    for choice in choices:
        if state.over:
            return
        moves = options(state)
        state = state.play(moves[choice % len(moves)])
        yield state


def consistent(state):
    """What holds of every position."""
    assert len(state.scores()) == state.game.players if state.over else True
    if state.over:
        assert all(0.0 <= score <= 1.0 for score in state.scores())
        return
    moves = options(state)
    names = [str(move) for move in moves]
    assert moves
    assert len(set(names)) == len(names)
    assert len(names) <= state.game.max_children or state.to_move == SIMULTANEOUS
    for move in (moves[0], moves[-1]):
        state.play(move)


def in_turns(text):
    """As many x as o, or one more."""
    return text.count("x") - text.count("o") in (0, 1)


def at_most(number, first, second):
    """So many of each of two sides' pieces, whatever their kind."""
    return lambda text: all(sum(map(text.split()[0].count, side)) <= number for side in (first, second))


def breathing(text):
    """Every chain has a liberty."""
    board = cells_of(text.split()[0])
    around = square(text.split()[0].count("/") + 1)
    return not dead(board, around, 0) and not dead(board, around, 1)


def one_far(text):
    """At most one man on a far row, so one winner at most."""
    rows = text.split()[0].split("/")
    return rows[0].count("w") + rows[-1].count("b") <= 1


# What is true of every position of a game, as its text shows it.
LAWS = {
    "amazons": [lambda text: text.split()[0].count("w") == text.split()[0].count("b") == 4],
    "atarigo": [in_turns],
    "breakthrough": [at_most(16, "w", "b"), one_far],
    "cannon": [at_most(15, "d", "l"), lambda text: text.count("D") <= 1 and text.count("L") <= 1],
    "checkers": [at_most(12, "bB", "wW")],
    "chinese_checkers": [lambda text: text.split()[0].count("x") == text.split()[0].count("o") == 6],
    "connect4": [in_turns],
    "connect5": [in_turns],
    "eight_puzzle": [lambda text: sorted(text.split()[0].replace("/", ",").split(",")) == [*"12345678", "_"]],
    "go": [breathing],
    "gomoku": [in_turns],
    "hex": [in_turns],
    "knightthrough": [at_most(16, "w", "b"), one_far],
    "nine_mens_morris": [at_most(9, "w", "b")],
    "nogo": [in_turns, breathing],
    "othello": [lambda text: "." not in text[30:32] + text[39:41]],
    "tictactoe": [in_turns],
    "tictactoe3d": [in_turns],
}


def lawful(state):
    """The laws of its game hold in a position."""
    return all(law(state.text()) for law in LAWS.get(state.game.name.partition("(")[0], []))


@pytest.mark.parametrize("name", GAMES)
@settings(max_examples=6, deadline=None)
@given(choices=st.lists(st.integers(0, 1 << 30), max_size=25))
def test_legal_play(name, choices):
    for state in walk(loaded(name), choices):
        consistent(state)
        assert lawful(state)
        assert isinstance(str(state), str)
        assert loaded(name).position(state.text()) == state


@pytest.mark.parametrize("name", GAMES)
@settings(max_examples=10, deadline=None)
@given(choices=st.lists(st.integers(0, 1 << 30), max_size=12), word=st.text(MARKS, max_size=6), code=st.integers())
def test_illegal_moves_are_refused(name, choices, word, code):
    *_, state = walk(loaded(name), choices)
    legal = [] if state.over else options(state)
    names, codes = {move.name for move in legal}, {move.code for move in legal}
    for move in (word, ramify.Move(code=code, name=word), ramify.Move(code=code, name="")):
        known = move in names if isinstance(move, str) else move.code in codes
        if not known:
            with pytest.raises(ramify.RamifyError):
                state.play(move)


@pytest.mark.parametrize("name", GAMES)
def test_endless_numbers_are_refused(name):
    """Python itself reads no number of so many digits."""
    for state in walk(loaded(name), [0, 0]):
        for number in re.finditer(r"\d+", state.text()):
            text = state.text()[: number.start()] + "1" * 5000 + state.text()[number.end() :]
            with pytest.raises(ramify.RamifyError):
                loaded(name).position(text)


@pytest.mark.parametrize("name", GAMES)
@settings(max_examples=25, deadline=None)
@given(data=st.data(), choices=st.lists(st.integers(0, 1 << 30), max_size=12))
def test_changed_and_arbitrary_texts(name, data, choices):
    *_, state = walk(loaded(name), choices)
    text = state.text()
    kind = data.draw(st.sampled_from(["replace", "delete", "insert", "swap", "arbitrary"]))
    place = data.draw(st.integers(0, max(len(text) - 1, 0)))
    mark = data.draw(st.sampled_from(MARKS))
    other = data.draw(st.integers(0, max(len(text) - 1, 0)))
    changed = {
        "replace": text[:place] + mark + text[place + 1 :],
        "delete": text[:place] + text[place + 1 :],
        "insert": text[:place] + mark + text[place:],
        "swap": "".join(text[{place: other, other: place}.get(k, k)] for k in range(len(text))),
        "arbitrary": data.draw(st.text(MARKS, max_size=40)),
    }[kind]
    try:
        read = loaded(name).position(changed)
    except ramify.RamifyError:
        return
    consistent(read)
    assert lawful(read)
    assert loaded(name).position(read.text()) == read
