"""A game's own playouts return the true number of plies, or the game has an ``exact_length_playout``."""

import pytest

import ramify
from ramify.contract.checking import check_game
from ramify.core.kernels.compiling import JIT
from ramify.statistics.chi_square import homogeneity_p
from tests import toys
from tests.games.driving import Playouts, Table

FORMS = {"amazons": "amazons(size=6)", "cannon": "cannon(plies=60)", "hex": "hex(size=5)"}
PLAYING_ON = {"hex"}  # a playout that fills the board


def own_playouts():
    return [name for name in ramify.games() if ramify.load(name).has("playout")]


def plies(game, kernel, seed):
    """The lengths of many playouts from the start."""
    table = Table(game.module)
    table.rules_array[:] = game.rules_array
    table.state_array[:] = game.start()
    playouts = Playouts(table, kernel, seed)
    return [(float(playouts()),) for _ in range(600)]


@pytest.mark.skipif(not JIT, reason="needs many playouts")
@pytest.mark.parametrize("name", own_playouts())
def test_lengths_are_those_of_play_move_by_move(name):
    game = ramify.load(FORMS.get(name, name))
    own, plain = plies(game, "uniform_playout", 1), plies(game, "plain_playout", 2)
    assert game.has("exact_length_playout") == (name in PLAYING_ON)
    if name in PLAYING_ON:
        assert homogeneity_p(own, plain) < 1e-9
        own = plies(game, "exact_length_playout", 3)
    assert homogeneity_p(own, plain) > 1e-4


def test_untrue_lengths_are_found(tmp_path):
    """Three Heaps with a playout that counts one ply too many; an exact_length_playout that counts truly mends it."""
    text = (toys.FOLDER / "three_heaps.py").read_text()
    play = "\n\ndef {}(rules, state, rng):\n    plies = 0\n    while not over(rules, state):\n"
    play += "        moves = np.zeros(MAX_MOVES, np.int64)\n"
    play += "        play(rules, state, moves[below(rng, legal(rules, state, moves))])\n        plies += 1\n"
    imported = "from ramify.core.numbers.rng import below\n"
    path = tmp_path / "slip.py"
    path.write_text(imported + text + play.format("playout") + "    return plies + 1\n")
    rules = {finding.rule for finding in check_game(str(path), plays=2).findings}
    assert "playout-lengths" in rules
    path.write_text(path.read_text() + play.format("exact_length_playout") + "    return plies\n")
    assert check_game(str(path), plays=2).ok
