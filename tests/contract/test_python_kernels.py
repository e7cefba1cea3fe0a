"""Python rules behind kernels: what they raise is kept, and nothing is asked of them afterwards."""

import traceback
from pathlib import Path

import pytest

from ramify.contract import python_kernels
from ramify.contract.python_kernels import ARITIES, JOINT_ARITIES, Callbacks
from ramify.core.kernels.pointers import FAILED

NAMES = [*ARITIES, *JOINT_ARITIES]
STATE = 8  # any address


class Broken(Exception):
    """The user's own exception."""


class Refusing:
    """Rules of which every function raises."""

    players, max_children, at_once = 2, 3, True

    def __init__(self):
        self.asked = []

    def __getattr__(self, name):
        def refuse(*arguments):
            self.asked.append(name)
            raise Broken(name)

        return refuse


def kernel_of(name, rules, monkeypatch):
    """One kernel of such rules, called with any numbers; no memory stands behind them."""
    made = Callbacks("toy", rules)
    made.objects[STATE] = "position"
    for views in ("integers", "floats", "results", "joint", "generators", "traces"):
        monkeypatch.setattr(made, views, dict.fromkeys([0, STATE], type("Cell", (list,), {"value": 1})()))
    monkeypatch.setattr(made, "episodes", {STATE: type("Told", (), {"rng": 0, "trace": 0, "classes": 0, "limit": 1})})
    kernel, arity = made.kernels()[name], (ARITIES | JOINT_ARITIES)[name]
    return made, lambda: kernel(*[STATE] * arity)


@pytest.mark.parametrize("name", NAMES)
def test_a_failure_is_kept_and_ends_all_further_questions(name, monkeypatch):
    rules = Refusing()
    made, call = kernel_of(name, rules, monkeypatch)
    assert call() == FAILED
    assert [type(error) for error in made.failures] == [Broken]
    asked = len(rules.asked)
    assert asked == 1
    assert call() == FAILED
    assert (len(rules.asked), len(made.failures)) == (asked, 1)


@pytest.mark.parametrize("name", NAMES)
def test_the_traceback_of_a_failure_leads_through_the_line_of_the_callback(name, monkeypatch):
    made, call = kernel_of(name, Refusing(), monkeypatch)
    call()
    place = traceback.extract_tb(made.failures[0].__traceback__)[0]
    assert (Path(place.filename), place.name) == (Path(python_kernels.__file__), name)
    assert "self.rules." in place.line


def test_every_callback_is_known_to_the_handler_of_signals():
    made = Callbacks("toy", Refusing())
    assert {kernel.function.__code__ for kernel in made.kernels().values()} == python_kernels.codes()
