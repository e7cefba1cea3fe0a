"""From files to games: what is compiled, and how mistakes are told."""

import numpy as np
from tests.toys import FOLDER, load

from ramify.core.rng import generator
from ramify.games.compiled import address


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
    arrays = (game.rules_array, data, np.zeros(game.max_children, np.int64), generator(3))
    return game.uniform_playout()(*[address(array) for array in arrays], 100)


def test_games_without_turns_need_no_legal_and_play():
    game = load("rock_paper_scissors")
    table = game.table()
    assert (table.legal, table.play, table.chances) == (0, 0, 0)
    data = game.start()
    assert 2 <= play_out(game, data) <= 9
    assert game.over(data)


def test_playouts_of_a_game_with_all_kinds_of_turns():
    game = load("auction")
    data = game.start()
    assert 4 <= play_out(game, data) <= 6
    assert game.over(data)
