"""What a simulation is worth reaches the right player: any number of players, any seat, and chance."""

import re
from functools import cache
from itertools import product
from math import sqrt
from pathlib import Path

import pytest

import ramify
from ramify import CHANCE
from ramify.contract.registry import builtin_module
from tests.toys import FOLDER, load

EXAMPLES = FOLDER.parent.parent / "examples"


@cache
def solve(state):
    """The scores of best play: each player maximises their own (max^n), chance takes its mean."""
    if state.over:
        return tuple(state.scores())
    if state.to_move == CHANCE:
        parts = [[p * score for score in solve(state.play(move))] for move, p in state.chance_outcomes()]
        return tuple(map(sum, zip(*parts, strict=True)))
    return max((solve(state.play(move)) for move in state.moves()), key=lambda scores: scores[state.to_move])


def best_moves(state):
    value = solve(state)[state.to_move]
    return {move.name for move in state.moves() if solve(state.play(move))[state.to_move] == value}


@pytest.mark.parametrize(("beans", "first"), [*product((4, 6, 7), (0,)), (7, 1), (8, 2), (9, 1)])
def test_three_players_each_seek_their_own(beans, first):
    state = load(f"last_bean(beans={beans}, first={first})").initial()
    report = ramify.search(state, "uct(c=0.5)", simulations=4000, seed=beans)
    assert report.move.name in best_moves(state)
    assert report.value == pytest.approx(solve(state)[first], abs=0.05)


def test_values_are_from_the_view_of_whoever_moved():
    state = load("last_bean(beans=2)").initial()
    report = ramify.search(state, simulations=300, seed=1)
    values = {child.move.name: child.value for child in report.children}
    assert values == {"take2": 1.0, "take1": 0.5}
    take1 = next(node for node in report.tree().children() if node.move.name == "take1")
    assert take1.value == 0.5
    assert [node.value for node in take1.children()] == [1.0]


@pytest.mark.parametrize("first", [1, 2])
def test_shifted_seats_give_the_same_tree(first):
    def tree(seat):
        state = load(f"last_bean(beans=9, first={seat})").initial()
        report = ramify.search(state, simulations=700, seed=11)
        return [(str(node.move), node.visits, repr(node.value)) for node in report.tree().walk()]

    assert tree(first) == tree(0)


@pytest.mark.parametrize("target", [5, 17, 24])
def test_one_player_finds_the_best_line(target):
    state = load(f"double_or_add(target={target})").initial()
    (best,) = solve(state)
    report = ramify.search(state, "uct(c=0.3)", simulations=4000, seed=target)
    assert report.move.name in best_moves(state)
    for move in report.variation:
        state = state.play(move)
    assert state.scores() == [best]


def test_chance_is_worth_its_expectation():
    """After the first roll the second player chooses best, so the tree's values tend to the exact ones."""
    state = load("dice_duel").initial()
    for move in state.moves():
        for outcome, _ in state.play(move).chance_outcomes():
            rolled = state.play(move).play(outcome)
            report = ramify.search(rolled, simulations=4000, seed=3)
            for child in report.children:
                exact = solve(rolled.play(child.move))[1]
                assert abs(child.value - exact) < 5 * sqrt(exact * (1 - exact) / child.visits) + 1e-9
    report = ramify.search(state, "uct(c=0.5)", simulations=30_000, seed=4)
    assert report.value == pytest.approx(solve(state)[0], abs=0.02)
    assert report.move.name in best_moves(state)


def test_outcomes_are_drawn_by_their_probabilities():
    report = ramify.search(load("dice_duel").initial(), simulations=20_000, seed=5)
    for node in report.tree().children():
        likely = dict(node.state.chance_outcomes())
        for child in node.children():
            p = likely[child.move]
            assert abs(child.visits - p * node.visits) < 5 * sqrt(p * (1 - p) * node.visits) + 2


def with_swapped_seats(name, folder):
    """A built-in game in which player 0 and player 1 have changed places, and nothing else."""
    source = Path(builtin_module(name).__file__).read_text(encoding="utf-8")
    source = re.sub(r"(?<!\.)\b(mover|scores)\(", r"own_\1(", source)
    source += (
        "\n\ndef mover(rules, state):\n    return 1 - own_mover(rules, state)\n"
        "\n\ndef scores(rules, state, out):\n    own_scores(rules, state, out)\n    out[0], out[1] = out[1], out[0]\n"
    )
    source = source.replace("def owners(", "def own_owners(")  # it would tell of the seats as they were
    path = folder / f"swapped_{name}.py"
    path.write_text(source, encoding="utf-8")
    return ramify.load(str(path))


@pytest.mark.parametrize("name", ["tictactoe", "connect4", "breakthrough"])
def test_swapped_seats_give_the_same_tree(name, tmp_path):
    own, swapped = ramify.load(name), with_swapped_seats(name, tmp_path)
    one, other = own.initial(), swapped.initial()
    for _ in range(3):
        assert other.to_move == 1 - one.to_move
        reports = [ramify.search(state, simulations=400, seed=21) for state in (one, other)]
        first, second = ([(c.move, c.visits, repr(c.value)) for c in report.children] for report in reports)
        assert first == second
        assert reports[0].variation == reports[1].variation
        one, other = one.play(reports[0].move), other.play(reports[0].move)
    while not one.over:
        move = one.moves()[0]
        one, other = one.play(move), other.play(move)
    assert other.scores() == one.scores()[::-1]


def test_a_win_is_a_win_in_either_seat():
    game = ramify.load("tictactoe")
    for text in (".../oo./xx.", "x../oo./xx."):
        report = ramify.search(game.position(text), simulations=500, seed=1)
        assert report.value > 0.9
    assert game.position(".../oo./xx.").to_move == 0
    assert game.position("x../oo./xx.").to_move == 1


def turned(text):
    """A Breakthrough position seen from the other side: the board turned around, colours and mover exchanged."""
    board, side = text.split()
    return board[::-1].translate(str.maketrans("wb", "bw")) + (" b" if side == "w" else " w")


def test_breakthrough_turned_around_is_worth_the_same():
    """Moves are generated in another order, so the trees are not equal; the values are, within their errors."""
    game = ramify.load("breakthrough(rows=5, columns=4)")
    state = game.initial()
    for name in ("b2b3", "c4c3"):
        state = state.play(name)
    opposite = game.position(turned(state.text()))
    assert opposite.to_move == 1 - state.to_move
    values = [ramify.search(each, simulations=20_000, seed=8).value for each in (state, opposite)]
    assert values[0] == pytest.approx(values[1], abs=0.04)


def test_compiled_and_uncompiled_nim_grow_the_same_tree():
    reports = []
    for file in ("nim.py", "nim_class.py"):
        state = ramify.load(str(EXAMPLES / f"{file}(heaps=3, beans=3)")).initial()
        reports.append(ramify.search(state, simulations=600, seed=9))
    first, second = ([(c.move.name, c.visits, c.value) for c in report.children] for report in reports)
    assert first == second
