"""From files to games: what is compiled, and how mistakes are told."""

import numpy as np
import pytest

import ramify
from ramify.core.kernels.compiling import JIT
from ramify.core.kernels.pointers import address
from ramify.core.numbers.rng import generator
from ramify.core.search.episode import episode_of
from tests.toys import FOLDER, load


def changed(folder, name, *changes):
    """A toy with some of its text exchanged; its path."""
    source = (FOLDER / f"{name}.py").read_text(encoding="utf-8")
    for old, new in changes:
        assert old in source
        source = source.replace(old, new)
    path = folder / f"changed_{name}.py"
    path.write_text(source, encoding="utf-8")
    return str(path)


def play_out(game, data):
    """Play a position to its end at random; the plies."""
    moves, rng = np.zeros(game.max_children, np.int64), generator(3)
    episode = episode_of(moves, rng, 100)
    return game.playout()(*[address(array) for array in (game.rules_array, data, episode)], 0)


def test_games_without_turns_need_no_legal_and_play():
    game = load("rock_paper_scissors")
    table = game.table()
    assert (table.legal, table.play, table.chance_outcomes) == (0, 0, 0)
    data = game.start()
    assert 2 <= play_out(game, data) <= 9
    assert game.over(data)


def test_playouts_of_a_game_with_all_kinds_of_turns():
    game = load("auction")
    data = game.start()
    assert 4 <= play_out(game, data) <= 6
    assert game.over(data)


@pytest.mark.skipif(not JIT, reason="nothing is compiled")
def test_what_does_not_compile_is_told_in_a_sentence(tmp_path):
    path = changed(
        tmp_path, "double_or_add", ("state.steps += 1", "state.steps += int(state.steps).bit_count() * 0 + 1")
    )
    state = ramify.load(path).initial()
    with pytest.raises(
        ramify.RamifyError, match=r"^play\(\) in changed_double_or_add.py, line 42, does not compile: int64"
    ):
        state.play("add")


def test_numbers_out_of_range_are_told(tmp_path):
    path = changed(tmp_path, "double_or_add", ("MAX_MOVES = 2", "MAX_MOVES = 0"))
    with pytest.raises(ramify.RamifyError, match=r"MAX_MOVES of game .* must be a whole number from 1, not 0"):
        ramify.load(path)


def test_missing_names_are_told_all_at_once(tmp_path):
    path = changed(tmp_path, "last_bean", ("def scores(", "def results("), ("PLAYERS", "PEOPLE"))
    with pytest.raises(ramify.RamifyError, match=r"has no PLAYERS or players\(rules\) and scores\(rules, state, out\)"):
        ramify.load(path)


def test_players_may_be_a_function_of_the_rules(tmp_path):
    path = changed(tmp_path, "last_bean", ("PLAYERS = 3", "def players(rules):\n    return 3"), ("PLAYERS", "3"))
    assert ramify.load(path).players == 3


def test_a_file_that_exits_is_refused(tmp_path):
    path = tmp_path / "exits.py"
    path.write_text("import sys\nsys.exit(1)\n")
    with pytest.raises(ramify.RamifyError, match="cannot be imported: SystemExit"):
        ramify.load(str(path))


def test_an_edited_file_is_imported_again_even_if_nothing_of_it_was_compiled(tmp_path):
    path = tmp_path / "edited.py"
    for most in (40, 50, 60):
        source = (FOLDER / "nim_class.py").read_text(encoding="utf-8")
        path.write_text(source.replace("players = 2", f"players = 2\n    max_moves = {most}"), encoding="utf-8")
        assert ramify.load(str(path)).max_children == most
