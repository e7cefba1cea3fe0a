from dataclasses import replace

import pytest

from ramify.agents.budgets.player_limits import PlayerLimits
from ramify.arena.matches.playing.play_game import play
from ramify.arena.matches.playing.replay import mismatch, plies
from ramify.errors import RamifyError
from tests.arena.games_for_tests import short_plan


@pytest.fixture(scope="module")
def row():
    return play(next(iter(short_plan(game="connect4").schedule().games(1))))


def test_a_game_comes_again_from_its_seed(row):
    assert mismatch(row) is None


def test_plies_tell_who_moved(row):
    told = list(plies(row))
    assert [step.move for step in told] == list(row.moves)
    assert [step.who for step in told[:4]] == ["opening", "opening", row.agents[0], row.agents[1]]
    assert [ply.number for ply in told] == list(range(1, row.plies + 1))
    assert told[-1].after.over


def test_a_timed_game_comes_again(row):
    timed = play(replace(row.spec(), limits=(PlayerLimits(seconds=0.003),) * 2))
    assert mismatch(timed) is None


def test_a_changed_move_is_found(row):
    other = next(name for name in "1234567" if name != row.moves[4])
    changed = replace(row, moves=(*row.moves[:4], other, *row.moves[5:]))
    assert mismatch(changed) == f"ply 5 is {other} in the file but {row.moves[4]} from the seed"


def test_a_changed_result_is_found(row):
    assert "scores is" in mismatch(replace(row, scores=(0.25, 0.75)))
    assert "searched is" in mismatch(replace(row, searched=(0, 0, *(21,) * (row.plies - 2))))


def test_a_changed_seed_is_found_and_other_versions_are_named(row):
    sentence = mismatch(replace(row, seed=row.seed + 1, versions="ramify 0.0.1"))
    assert "the game was played by ramify 0.0.1, this is" in sentence


def test_an_illegal_move_is_found(row):
    with pytest.raises(RamifyError, match="illegal move in game 1 at ply 3: '9' is not a legal move"):
        list(plies(replace(row, moves=(*row.moves[:2], "9", *row.moves[3:]))))
