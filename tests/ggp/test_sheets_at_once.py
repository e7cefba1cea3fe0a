"""Our rulesheets of games where both move at once, and our own games by the same rules, side by side."""

from random import Random

import pytest

import ramify
from ramify.ggp.interpreter import Interpreter
from ramify.ggp.rules import Rulesheet
from ramify.ggp.rulesheets import rulesheet

WAYS = {"up": ("n", 0, 1), "right": ("e", 1, 0), "down": ("s", 0, -1), "left": ("w", -1, 0)}
MAP = "/".join(["." * 10, "." * 10, ".......b..", *["." * 10] * 4, "..a.......", "." * 10, "." * 10])


def interpreter(name):
    return Interpreter(Rulesheet.from_text(rulesheet(name), name))


def ended_alike(rules, position, state):
    assert state.over
    assert rules.terminal(position), state.history
    assert [rules.goal(position, role) for role in rules.roles] == [100 * score for score in state.scores()]


def steps_of(move):
    return 0 if move == "stay" else int(move[1]) if move[0] == "forward" else -int(move[1])


@pytest.mark.parametrize("seed", range(3))
def test_runners(seed):
    """The sheet has no moves beyond the line, where ours end on it."""
    rules, rng = interpreter("runners"), Random(seed)
    position, state = rules.initial(), ramify.load("runners(distance=16, steps=4, turns=40)").initial()
    while not rules.terminal(position):
        assert not state.over
        joint = {}
        for player, role in enumerate(rules.roles):
            moves = {str(steps_of(move)): move for move in rules.legal(position, role)}
            (place,) = (int(fluent[2]) for fluent in position if fluent[:2] == ("at", role))
            names = [move.name for move in state.moves(player)]
            assert sorted(moves) == sorted(name for name in names if place + int(name) <= 16)
            joint[role] = moves[rng.choice(sorted(moves))]
        state = state.play("+".join(str(steps_of(joint[role])) for role in rules.roles))
        position = rules.next(position, joint)
    ended_alike(rules, position, state)


def safe_ways(position, role):
    """The ways of a rider that lead into no wall and no trail."""
    ((column, row),) = ((int(fluent[2]), int(fluent[3])) for fluent in position if fluent[:2] == ("at", role))
    taken = {fluent[-2:] for fluent in position}
    cells = {way: (column + right, row + up) for way, (_, right, up) in WAYS.items()}
    return [way for way, cell in cells.items() if all(1 <= at <= 10 for at in cell) and (*map(str, cell),) not in taken]


@pytest.mark.parametrize("seed", range(6))
def test_tron(seed):
    """A rider who has nowhere to go has lost in our game; by the sheet it goes there and crashes."""
    rules, rng = interpreter("tron"), Random(seed)
    position, state = rules.initial(), ramify.load(f'tron(rows=10, columns=10, map="{MAP}")').initial()
    while not state.over:
        assert not rules.terminal(position), state.history
        safe = {role: safe_ways(position, role) for role in rules.roles}
        for player, role in enumerate(rules.roles):
            assert sorted(WAYS[way][0] for way in safe[role]) == sorted(move.name for move in state.moves(player))
        joint = {role: rng.choice(ways) for role, ways in safe.items()}
        state = state.play("+".join(WAYS[joint[role]][0] for role in rules.roles))
        position = rules.next(position, joint)
    if not rules.terminal(position):
        joint = {role: rng.choice(safe_ways(position, role) or [*WAYS]) for role in rules.roles}
        position = rules.next(position, joint)
    ended_alike(rules, position, state)
