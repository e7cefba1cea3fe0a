from collections import Counter
from functools import cache, reduce
from operator import xor

import numpy as np
import pytest

import ramify
from ramify.agents.checking.perft import perft
from ramify.core.kernels.compiling import JIT
from ramify.errors import RamifyError
from ramify.games import nim
from tests.games.driving import Playouts, Table


def bouton(heaps, misere):
    """Whether the player to move wins, by the theorem."""
    if misere and max(heaps) <= 1:
        return sum(heaps) % 2 == 0
    return reduce(xor, heaps) != 0


@pytest.mark.parametrize("misere", [False, True])
def test_who_wins_is_what_the_theorem_says(misere):
    """Every position of three heaps of up to four beans, by trying everything with our rules."""
    game = ramify.load(f'nim(heaps="4-4-4", misere={str(misere).lower()})')
    known = {}

    def won(state):
        """Whether the player to move wins; at the end that is the one who has not taken the last bean."""
        heaps, player = state.text().split()
        if state.over:
            return state.scores()[int(player) - 1] == 1.0
        if heaps not in known:
            after = [ramify.State(game, game.play(state.data, move.code)) for move in state.moves()]
            results = [won(other) for other in after]  # all of them, so that every position is tried
            known[heaps] = not all(results)
        return known[heaps]

    won(game.initial())
    assert len(known) == 5**3 - 1
    assert known == {heaps: bouton([int(n) for n in heaps.split("-")], misere) for heaps in known}


@pytest.mark.parametrize(("misere", "scores"), [(False, [1.0, 0.0]), (True, [0.0, 1.0])])
def test_the_last_bean_decides(misere, scores):
    table = Table(nim, heaps="2-1", misere=misere).play("a1", "b1")
    assert not table.ask("over")
    table.play("a1")
    assert table.ask("over")
    assert table.scores() == scores


def test_any_number_from_one_heap():
    table = Table(nim, heaps="1-3-2").play("b2")
    assert table.names() == {"a1", "b1", "c1", "c2"}
    assert table.ask("draw").splitlines() == ["a o", "b o", "c oo", "player 2 to move"]
    assert table.ask("mover") == 1


def test_the_heaps_of_marienbad():
    assert Table(nim).text() == "1-3-5-7 1"


def test_large_heaps():
    table = Table(nim, heaps="255-255-255-255-255-255-255-255")
    assert len(table.moves()) == 8 * 255
    table.play("h255", "a254", "d100")
    assert table.text() == "1-255-255-155-255-255-255-0 2"
    assert table.reread().state_array == table.state_array


def test_numbers_of_sequences():
    """Those of two of the general game players' games, found by another engine."""
    assert perft(ramify.load('nim(heaps="1-5-4-2")').initial(), 6) == [12, 115, 866, 5082, 23096, 80582]
    assert perft(ramify.load('nim(heaps="11-12-15-25")').initial(), 3) == [63, 3380, 154568]


@cache
def lengths(heaps):
    """How likely uniform play is to take each number of moves. (Who wins is even where a heap has two beans.)"""
    if not any(heaps):
        return {0: 1.0}
    after = [(*heaps[:k], left, *heaps[k + 1 :]) for k, beans in enumerate(heaps) for left in range(beans)]
    found = Counter()
    for one in after:
        for plies, chance in lengths(one).items():
            found[plies + 1] += chance / len(after)
    return found


@pytest.mark.skipif(not JIT, reason="needs many playouts")
@pytest.mark.parametrize("heaps", [(1, 3, 5, 7), (1, 1, 1, 2)])
def test_playouts_last_as_long_as_uniform_play_exactly(heaps):
    games = 20_000
    law = lengths(heaps)
    for kernel in ("uniform_playout", "plain_playout"):
        playouts = Playouts(Table(nim, heaps="-".join(map(str, heaps))), kernel)
        found = Counter(playouts() for _ in range(games))
        assert set(found) <= set(law)
        for plies, chance in law.items():
            assert abs(found[plies] - games * chance) < 4.5 * (games * chance * (1 - chance)) ** 0.5 + 1, plies


@pytest.mark.parametrize(("misere", "position", "best"), [("false", "1-2-2 2", "a1"), ("true", "0-1-3 1", "c3")])
def test_search_finds_the_only_winning_move(misere, position, best):
    """Two heaps of two are lost in normal play; a single bean is lost in misère play."""
    state = ramify.load(f'nim(heaps="1-2-3", misere={misere})').position(position)
    assert ramify.search(state, simulations=5000, seed=1).move.name == best


@np.errstate(over="ignore")
def test_keys_tell_heaps_and_players_apart():
    texts = ["1-3 1", "0-3 2", "1-2 2", "1-1 1", "1-1 2", "0-1 1", "0-1 2", "1-0 1", "1-0 2"]
    assert len({int(Table(nim, text, heaps="1-3").ask("key")) for text in texts}) == len(texts)


@pytest.mark.parametrize(
    "text", ["1-3-5 1", "0-3-5 2", "1-3-4 2", "0-2-5 1", "1-1-5 1", "1-1-5 2", "0-0-0 1", "0-0-0 2"]
)
def test_text_gives_the_position_back(text):
    table = Table(nim, text, heaps="1-3-5")
    assert table.text() == text
    assert table.reread().state_array == table.state_array


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "expected 1 or 2 at the end"),
        ("1-3-5", "expected 1 or 2 at the end"),
        ("1-3-5 0", "expected 1 or 2 at the end"),
        ("1-3 1", "3 heaps"),
        ("1-3-5-0 1", "3 heaps"),
        ("1-3-6 1", "at most 1-3-5"),
        ("1-3-x 1", "3 heaps"),
        ("1--3-5 1", "3 heaps"),
        ("1-03-5 1", "3 heaps"),
        ("1-3-5 2", "after 0 moves"),
        ("0-3-5 1", "after 1 moves"),
        ("0-2-5 2", "after 2 moves"),
    ],
)
def test_impossible_texts_are_refused(text, sentence):
    with pytest.raises(RamifyError, match=sentence):
        Table(nim, text, heaps="1-3-5")


@pytest.mark.parametrize(
    "heaps", ["", "0", "1-0-2", "256", "1-2-3-4-5-6-7-8-9", "1,2", "-1", "two", "²", "1000000000000"]
)
def test_silly_heaps_are_refused(heaps):
    with pytest.raises(RamifyError, match="for nim: use"):
        Table(nim, heaps=heaps)


def test_a_move_that_is_not_there_is_refused():
    with pytest.raises(RamifyError):
        ramify.load("nim").initial().play("a2")
