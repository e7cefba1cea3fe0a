import pytest

import ramify
from ramify.arena.matches.playing.openings import check_opening, open_game, read_openings
from ramify.errors import RamifyError
from tests.arena.games_for_tests import DICE


def test_the_same_seed_gives_the_same_opening_and_others_differ():
    game = ramify.load("connect4")
    openings = [open_game(game, "", 4, seed)[1] for seed in range(30)]
    assert openings == [open_game(game, "", 4, seed)[1] for seed in range(30)]
    assert all(len(moves) == 4 for moves in openings)
    assert len({tuple(moves) for moves in openings}) > 20


def test_an_opening_is_legal_and_leaves_something_to_play():
    game = ramify.load("tictactoe")
    for seed in range(50):
        data, moves, _ = open_game(game, "", 7, seed)
        state = game.initial()
        for move in moves:
            state = state.play(move)
        assert not state.over
        assert game.key(data) == game.key(state.data)


def test_an_opening_that_cannot_be_is_refused():
    with pytest.raises(RamifyError, match="9 plies in tictactoe all ended the game: use fewer"):
        open_game(ramify.load("tictactoe"), "", 9, 1)


def test_chance_on_the_way_is_not_counted_as_a_ply(tmp_path):
    path = tmp_path / "dice.py"
    path.write_text(DICE)
    _, moves, _ = open_game(ramify.load(f"{path}"), "", 2, 1)
    decisions = [move for move in moves if move in ("keep", "pass")]
    assert len(decisions) == 2
    assert len(moves) >= 4


def test_a_file_of_positions(tmp_path):
    path = tmp_path / "openings.txt"
    path.write_text("# two of them\n\n.../.x./...\n  moves a1 b2  \n")
    positions = read_openings(path)
    assert positions == (".../.x./...", "moves a1 b2")
    for position in positions:
        check_opening(ramify.load("tictactoe"), position, 0)


def test_bad_positions_are_refused(tmp_path):
    path = tmp_path / "openings.txt"
    path.write_text("# nothing\n")
    with pytest.raises(RamifyError, match="has no positions"):
        read_openings(path)
    with pytest.raises(RamifyError, match="cannot read"):
        read_openings(tmp_path / "missing.txt")
    game = ramify.load("tictactoe")
    with pytest.raises(RamifyError, match="opening 'what'"):
        check_opening(game, "what", 0)
    with pytest.raises(RamifyError, match="the game is over in this position"):
        check_opening(game, "xxx/oo./...", 0)
