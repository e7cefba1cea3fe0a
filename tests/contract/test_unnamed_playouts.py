"""Playout policies of one name that are different functions: closures, lambdas and defaults are compiled apart."""

from dataclasses import dataclass, replace

import pytest

import ramify
from ramify.contract.bind_kernels import Binding
from ramify.core.kernels.compiling import jit, kernel
from ramify.core.kernels.pointers import record
from ramify.core.playouts.context import PLAYOUT_CONTEXT, PlayoutPolicy
from ramify.games import tictactoe
from ramify.strategies.base import MAX_PLIES, BoundPlayoutPolicy
from ramify.strategies.policy_playout import PolicyPlayout


def closure(last):
    @jit
    def chosen(_block, context):
        return (record(context, PLAYOUT_CONTEXT).count - 1) * last

    return chosen


def default(last):
    @jit
    def chosen(_block, context, last=last):
        return (record(context, PLAYOUT_CONTEXT).count - 1) * last

    return chosen


def of_functions(last):
    @jit
    def index(count):
        return (count - 1) * last

    @jit
    def chosen(_block, context):
        return index(record(context, PLAYOUT_CONTEXT).count)

    return chosen


def lambdas(last):
    first = jit(lambda _block, context: record(context, PLAYOUT_CONTEXT).count * 0)
    second = jit(lambda _block, context: record(context, PLAYOUT_CONTEXT).count - 1)
    return second if last else first


MAKERS = [closure, default, of_functions, lambdas]


@dataclass(frozen=True)
class Made(PolicyPlayout):
    """Plays always the first, or always the last, of the listed moves."""

    make: object = closure
    last: int = 0
    limit: int = MAX_PLIES

    def policy(self, game):
        choose = self.make(self.last)
        return BoundPlayoutPolicy(PlayoutPolicy(choose), kernel(closure(self.last)))


@pytest.mark.parametrize("make", MAKERS)
def test_each_closure_is_compiled_on_its_own(make):
    start = ramify.load("tictactoe").initial()

    def visits(last, make=make):
        agent = replace(ramify.agent("mcts"), playout=Made(make, last))
        return [child.visits for child in ramify.search(start, agent, simulations=300, seed=1).children]

    assert visits(0) != visits(1)
    assert visits(0) == visits(0, closure)


def test_functions_that_explore_are_part_of_the_policy():
    binding, choose = Binding(tictactoe, 2, 0), closure(1)
    explores = jit(lambda _block, _context: True)
    assert binding.policy_playout(PlayoutPolicy(choose)) is not binding.policy_playout(PlayoutPolicy(choose, explores))


def test_the_same_function_is_compiled_once():
    binding = Binding(tictactoe, 2, 0)
    policy = PlayoutPolicy(closure(1))
    assert binding.policy_playout(policy) is binding.policy_playout(policy)
    assert binding.policy_playout(PlayoutPolicy(closure(1))) is binding.policy_playout(policy)
