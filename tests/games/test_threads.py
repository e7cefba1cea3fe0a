"""One game in several Python threads."""

import sys
import threading

import pytest

import ramify
from ramify.contract.python_game import ClassRules
from tests import toys


@pytest.fixture
def quick_switches():
    """Let Python change threads as often as it can."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(before)


def side_by_side(*functions):
    threads = [threading.Thread(target=function) for function in functions]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def test_threads_ask_one_game_for_moves(quick_switches):
    game = ramify.load("connect4")
    states = [game.initial(), game.position("...o.../...x.../...o.../...x.../...o.../...x...")]
    right = [game.legal(state.data) for state in states]
    wrong = []

    def ask(k):
        for _ in range(4000):
            answer = game.legal(states[k].data)
            if answer != right[k]:
                wrong.append(answer)

    side_by_side(lambda: ask(0), lambda: ask(1), lambda: ask(0))
    assert wrong == []


def test_threads_meet_new_moves_at_the_same_time(quick_switches):
    rules = toys.load("nim_class").rules
    rules = ClassRules(rules.make, "Nim")
    numbers = [{} for _ in range(3)]

    def meet(mine):
        for move in range(3000):
            mine[move] = rules.code(move)

    side_by_side(*(lambda mine=mine: meet(mine) for mine in numbers))
    assert numbers[0] == numbers[1] == numbers[2]
    assert len(set(numbers[0].values())) == 3000
    assert [rules.values[numbers[0][move]] for move in range(3000)] == list(range(3000))
