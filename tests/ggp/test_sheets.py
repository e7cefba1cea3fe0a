"""Our rulesheets: they are sound, their games end, and they play as our own games do."""

from random import Random

import pytest

import ramify
from ramify.errors import RamifyError
from ramify.ggp.checks import check
from ramify.ggp.interpreter import Interpreter
from ramify.ggp.rules import Rulesheet
from ramify.ggp.rulesheets import names, rulesheet, title
from tests.ggp.lockstep import NATIVE, play_in_lockstep

EXPECTED = {
    *("battle", "breakthrough", "checkers", "chinese_checkers", "chinook", "chomp", "clobber", "connect4", "connect5"),
    *(
        "domineering",
        "eight_puzzle",
        "knightthrough",
        "nim",
        "nine_mens_morris",
        "othello",
        "quad",
        "runners",
        "sheep_and_wolf",
    ),
    *("skirmish", "tictactoe", "tictactoe3d", "tron", "ttcc4", "zhadu"),
}
AT_ONCE = {"battle", "chinook", "runners", "tron"}


def interpreter(name):
    return Interpreter(Rulesheet.from_text(rulesheet(name), name))


def test_all_of_them_are_there():
    assert set(names()) == EXPECTED
    assert title("connect4") == "Connect 4"
    with pytest.raises(RamifyError, match="did you mean 'chomp'"):
        rulesheet("chompp")


@pytest.mark.parametrize("name", sorted(EXPECTED))
def test_nothing_is_to_be_said_against_it(name):
    assert check(Rulesheet.from_text(rulesheet(name), name)) == []


@pytest.mark.parametrize("name", sorted(EXPECTED))
def test_a_random_game_is_sound_and_ends(name):
    rules, rng = interpreter(name), Random(1)
    position, plies, choosing = rules.initial(), 0, 0
    while not rules.terminal(position):
        moves = [rules.legal(position, role) for role in rules.roles]
        assert all(moves)
        choosing = max(choosing, sum(len(own) > 1 for own in moves))
        joint = {role: rng.choice(own) for role, own in zip(rules.roles, moves, strict=True)}
        position = rules.next(position, joint)
        plies += 1
        assert plies <= 400
    assert choosing == (2 if name in AT_ONCE else 1)
    assert all(len(rules.goals(position, role)) == 1 for role in rules.roles)


@pytest.mark.parametrize("name", sorted(NATIVE))
def test_in_lockstep_with_our_own_game(name):
    native, name_of = NATIVE[name]
    start = ramify.load(native).initial()
    rules = interpreter(name)
    for seed in range(1 if name in ("chinese_checkers", "nine_mens_morris") else 2):
        assert play_in_lockstep(rules, start, name_of, Random(seed)) > 0


def perft(rules, position, depth):
    """Sequences of joint moves of that length."""
    if depth == 0:
        return 1
    if rules.terminal(position):
        return 0
    joints = [{}]
    for role in rules.roles:
        joints = [joint | {role: move} for joint in joints for move in rules.legal(position, role)]
    return sum(perft(rules, rules.next(position, joint), depth - 1) for joint in joints)


@pytest.mark.parametrize(
    ("name", "counts"),
    [
        ("tictactoe", [9, 72, 504]),
        ("connect4", [7, 49, 343]),
        ("breakthrough", [22, 484]),
        ("checkers", [7, 49, 302]),
        ("tictactoe3d", [64]),
        ("domineering", [30, 800]),
        ("clobber", [49, 2116]),
    ],
)
def test_counts_of_sequences(name, counts):
    rules = interpreter(name)
    assert [perft(rules, rules.initial(), depth + 1) for depth in range(len(counts))] == counts


def test_runners_ends_by_arrival_and_by_the_limit():
    rules = interpreter("runners")
    position = rules.initial()
    for _ in range(4):
        assert not rules.terminal(position)
        position = rules.next(position, {"left": ("forward", "4"), "right": ("forward", "3")})
    assert rules.terminal(position)
    assert [rules.goal(position, role) for role in rules.roles] == [100, 0]
    position = rules.initial()
    for _ in range(40):
        assert not rules.terminal(position)
        position = rules.next(position, {"left": "stay", "right": "stay"})
    assert rules.terminal(position)
    assert [rules.goal(position, role) for role in rules.roles] == [50, 50]
