"""Playouts by a game's own heuristic."""

import pytest

import ramify
from ramify.contract.checking import check_game
from ramify.core.numbers.rng import generator
from tests import toys

BOARDS = {"one word": 8, "beyond one word": 13}


def drawn(name, text, count=300):
    """The names of the moves that the heuristic draws, with how often."""
    game = ramify.load(name)
    state = game.position(text)
    names = {move.code: move.name for move in state.moves()}
    rng = generator(1)
    kernel = game.binding.kernel("heuristic")
    seen = {}
    for _ in range(count):
        move = names[kernel(game.rules_array.ctypes.data, state.data.ctypes.data, rng.ctypes.data)]
        seen[move] = seen.get(move, 0) + 1
    return seen, names.values()


def board(rows, top, bottom, side):
    """A board of 5 columns and so many rows, with some rows given from the top and from the bottom."""
    return "/".join([*top, *["....."] * (rows - len(top) - len(bottom)), *bottom]) + f" {side}"


@pytest.mark.parametrize("rows", BOARDS.values(), ids=BOARDS.keys())
def test_a_pawn_that_can_win_does(rows):
    name = f"breakthrough(rows={rows}, columns=5)"
    seen, _ = drawn(name, board(rows, ["..b..", ".w..."], [".b...", "w...w"], "w"))
    assert set(seen) == {f"b{rows - 1}{file}{rows}" for file in "abc"}  # rather than a1xb2
    assert min(seen.values()) > 60
    seen, _ = drawn(name, board(rows, ["..b..", ".w..."], ["...b.", "..w.."], "b"))
    assert set(seen) == {"d2d1", "d2c1", "d2e1"}


@pytest.mark.parametrize("rows", BOARDS.values(), ids=BOARDS.keys())
def test_a_pawn_about_to_win_is_taken(rows):
    name = f"breakthrough(rows={rows}, columns=5)"
    seen, _ = drawn(name, board(rows, ["..b.."], [".....", ".b.b.", "w.w.."], "w"))
    assert set(seen) == {"a1b2", "c1b2", "c1d2"}
    seen, _ = drawn(name, board(rows, ["b.b..", ".w...", "..w.."], ["....b", "w...."], "b"))
    assert set(seen) == {"e2d1", "e2e1"}  # winning comes first
    seen, _ = drawn(name, board(rows, ["b.b..", ".w..."], ["....b", ".....", "w...."], "b"))
    assert set(seen) == {f"a{rows}b{rows - 1}", f"c{rows}b{rows - 1}"}


@pytest.mark.parametrize("rows", BOARDS.values(), ids=BOARDS.keys())
def test_any_move_otherwise(rows):
    name = f"breakthrough(rows={rows}, columns=5)"
    seen, names = drawn(name, board(rows, ["..b.."], ["..b..", ".....", "w.w.."], "w"), 1000)
    assert set(seen) == set(names)
    assert min(seen.values()) > 120


def test_searches_use_it():
    state = ramify.load("breakthrough(rows=6, columns=5)").initial()
    agents = ("mcts(playout=heuristic)", "mcts(playout=heuristic(limit=3))", "mcts")
    knowing, cut, plain = (ramify.search(state, agent, simulations=400, seed=1) for agent in agents)
    assert [child.visits for child in knowing.children] != [child.visits for child in plain.children]
    assert cut.cut > 300
    assert knowing.cut == 0
    again = ramify.search(state, agents[0], simulations=400, seed=1)
    assert [child.visits for child in again.children] == [child.visits for child in knowing.children]


@pytest.mark.parametrize("name", ["hex(size=3)", str(toys.FOLDER / "nim_class.py")])
def test_a_game_without_one_says_so(name):
    with pytest.raises(
        ramify.RamifyError, match="has no heuristic, which playout=heuristic needs: use playout=uniform"
    ):
        ramify.search(ramify.load(name).initial(), "mcts(playout=heuristic)", simulations=10)


def test_an_illegal_move_is_found(tmp_path):
    text = (toys.FOLDER / "three_heaps.py").read_text()
    path = tmp_path / "slip.py"
    path.write_text(text + "\n\ndef heuristic(rules, state, rng):\n    return 987654\n")
    findings = check_game(str(path), plays=2).findings
    assert any(finding.rule == "heuristic-illegal" for finding in findings)
    path.write_text(text + "\n\ndef heuristic(rules, state, rng):\n    play(rules, state, 0)\n    return 0\n")
    assert any(finding.rule == "changes-state" for finding in check_game(str(path), plays=2).findings)
