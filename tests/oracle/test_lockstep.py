"""Our games beside OpenSpiel's: random games move by move, and numbers of move sequences."""

import random
import re
from collections.abc import Callable
from dataclasses import dataclass

import pyspiel
import pytest

import ramify
from ramify.agents.checking.perft import perft as compiled_perft
from tests.oracle.counting import perft, spiel_perft


@dataclass(frozen=True)
class Pair:
    """A game that both have; ``translate`` gives our name for OpenSpiel's name of a move."""

    ours: str
    theirs: str
    translate: Callable[[str], str]
    games: int
    perft: int  # depth
    start: str = "moves"  # our position in which their game starts

    def initial(self):
        if self.ours.split("(")[0] not in ramify.games():
            pytest.skip(f"there is no {self.ours} yet")
        return ramify.load(self.ours).position(self.start), pyspiel.load_game(self.theirs).new_initial_state()


def same(name):
    return name


def tictactoe(name):
    """``x(0,2)``, row and column from the top left."""
    row, column = int(name[2]), int(name[4])
    return "abc"[column] + str(3 - row)


def connect4(name):
    """``x0``, the column."""
    return str(int(name[1:]) + 1)


def breakthrough(rows):
    """``a7b6*``, a star for captures; OpenSpiel's first player starts at the top and ours at the bottom."""

    def translate(name):
        return "".join(column + str(rows + 1 - int(row)) for column, row in (name[:2], name[2:4]))

    return translate


def pig(name):
    """``roll`` and ``stop``, and ``Roll 3`` of the die."""
    return {"stop": "hold"}.get(name, name.removeprefix("Roll "))


def nim(name):
    """``pile:2, take:3;``."""
    pile, taken = re.fullmatch(r"pile:(\d+), take:(\d+);", name).groups()
    return "abcdefgh"[int(pile) - 1] + taken


def pair_of_breakthrough(rows, columns, games, depth):
    # Below six rows OpenSpiel has one row of pawns a side.
    few = ["b" * columns, *["." * columns] * (rows - 2), "w" * columns]
    return Pair(
        f"breakthrough(rows={rows}, columns={columns})",
        f"breakthrough(rows={rows},columns={columns})",
        breakthrough(rows),
        games,
        depth,
        "moves" if rows >= 6 else "/".join(few) + " w",
    )


PAIRS = [
    Pair("tictactoe", "tic_tac_toe", tictactoe, 100, 5),
    Pair("connect4", "connect_four", connect4, 60, 5),
    pair_of_breakthrough(8, 8, 12, 3),
    pair_of_breakthrough(6, 6, 15, 3),
    pair_of_breakthrough(5, 4, 20, 4),
    pair_of_breakthrough(7, 3, 15, 4),
    pair_of_breakthrough(6, 2, 20, 5),
    pair_of_breakthrough(9, 8, 8, 3),  # more than 64 squares: our other representation
    pair_of_breakthrough(6, 13, 6, 2),
    Pair("hex(size=3)", "hex(board_size=3)", same, 30, 4),
    Pair("hex(size=6)", "hex(board_size=6)", same, 15, 2),
    Pair("hex", "hex", same, 2, 2),
    Pair("othello", "othello", same, 20, 5),
    Pair("nim", "nim(is_misere=false)", nim, 100, 5),
    Pair("nim(misere=true)", "nim", nim, 100, 5),
    Pair('nim(heaps="12-1-9")', "nim(pile_sizes=12;1;9,is_misere=false)", nim, 100, 5),
    Pair("pig", "pig", pig, 5, 6),
    Pair("pig(target=20)", "pig(winscore=20)", pig, 25, 6),
    Pair("pig(target=100, horizon=30)", "pig(winscore=100,horizon=30)", pig, 10, 6),
]
IDS = [pair.ours for pair in PAIRS]


def names_of(state, translate):
    """Our names of the legal actions of a ``pyspiel.State``, and the actions."""
    player = state.current_player()
    return {translate(state.action_to_string(player, action)): action for action in state.legal_actions()}


@pytest.mark.parametrize("pair", PAIRS, ids=IDS)
def test_random_games(pair):
    first, other_first = pair.initial()
    choose = random.Random(pair.ours)
    endings = set()
    for _ in range(pair.games):
        state, other = first, other_first.clone()
        while not other.is_terminal():
            assert not state.over
            assert state.to_move == other.current_player()  # CHANCE is the same number
            theirs = names_of(other, pair.translate)
            ours = {move.name: move for move in state.moves()}
            assert set(ours) == set(theirs)
            if state.to_move == ramify.CHANCE:
                mine = {move.name: probability for move, probability in state.chance_outcomes()}
                assert mine == pytest.approx({name: dict(other.chance_outcomes())[a] for name, a in theirs.items()})
            name = choose.choice(sorted(ours))
            state = ramify.State(first.game, first.game.play(state.data, ours[name].code))
            other.apply_action(theirs[name])
        assert state.over
        assert state.moves() == []
        assert state.scores() == [(value + 1.0) / 2.0 for value in other.returns()]
        endings.add(tuple(state.scores()))
    assert len(endings) > 1 or "horizon" in pair.ours


@pytest.mark.parametrize("pair", PAIRS, ids=IDS)
def test_numbers_of_sequences(pair):
    state, other = pair.initial()
    counts = spiel_perft(other, pair.perft)
    assert perft(state, pair.perft) == counts
    assert compiled_perft(state, pair.perft) == counts


KNOWN = {
    "tictactoe": [9, 72, 504, 3024, 15120, 54720, 148176, 200448, 127872],  # together 549945 sequences
    "connect4": [7, 49, 343, 2401, 16807, 117649, 823536],
}


@pytest.mark.parametrize("name", KNOWN)
def test_known_numbers_of_sequences(name):
    pair = next(pair for pair in PAIRS if pair.ours == name)
    state, other = pair.initial()
    depth = len(KNOWN[name])
    assert spiel_perft(other, depth) == KNOWN[name]
    assert perft(state, depth) == KNOWN[name]
    assert compiled_perft(state, depth) == KNOWN[name]
