"""A user's exceptions, wrong answers and Ctrl-C inside games written as Python classes."""

import os
import signal
import threading
import time
from functools import partial

import pytest

import ramify
from tests.games.python_classes import CoinRace, Digits, Noughts, game_of, numbers


class Broken(Exception):
    """The user's own exception."""


def failing(method, after=400):
    """Noughts whose ``method`` raises from its ``after``-th call on, and how to mend it."""
    calls = []

    class Failing(Noughts):
        mended = False

    def run(self, *arguments):
        calls.append(1)
        if len(calls) > after and not Failing.mended:
            raise Broken(method, threading.current_thread())
        return getattr(Noughts, method)(self, *arguments)

    setattr(Failing, method, run)
    return Failing


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("method", ["to_move", "moves", "play", "over", "scores", "clone"])
def test_an_exception_of_the_class_reaches_the_caller(method, threads):
    make = failing(method)
    search = ramify.Search(game_of(make).initial(), seed=1, threads=threads)
    with pytest.raises(Broken) as caught:
        search.run(ramify.Budget(seconds=30))
    assert caught.value.args[0] == method
    assert any(entry.name == "run" for entry in caught.traceback)  # the traceback leads into the user's code
    for worker in search.workers:  # the simulation that failed has left no trace
        assert worker.tree.nodes["visits"][0] == worker.counters["simulations"][0]
    assert search.simulations() > 0
    make.mended = True
    assert search.run(ramify.Budget(simulations=50)).simulations == 50
    fresh = ramify.search(game_of(Noughts).initial(), simulations=50, seed=3)
    assert numbers(ramify.search(search.state, simulations=50, seed=3)) == numbers(fresh)


def test_an_exception_in_chances():
    class Unkind(CoinRace):
        def chance_outcomes(self):
            raise Broken

    with pytest.raises(Broken):
        ramify.search(game_of(Unkind).initial(), simulations=10, seed=1)


def test_a_failing_search_leaves_another_of_the_same_game_alone():
    stop = threading.Event()

    class Shared(Noughts):
        def play(self, move):
            if threading.current_thread().name == "failing" and stop.is_set():
                raise Broken
            super().play(move)

    game = game_of(Shared)
    seen = []

    def fail():
        with pytest.raises(Broken):
            ramify.search(game.initial(), seconds=30, seed=1)
        seen.append(True)

    thread = threading.Thread(target=fail, name="failing")
    thread.start()
    stop.set()
    report = ramify.search(game.initial(), simulations=2000, seed=1)
    thread.join()
    assert seen == [True]
    assert numbers(report) == numbers(ramify.search(game_of(Noughts).initial(), simulations=2000, seed=1))


def returning(method, value, base=Noughts):
    return type("Odd", (base,), {method: lambda self: value})


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (returning("scores", [0.5]), "scores() of class Odd must return 2 numbers in [0, 1], not [0.5]"),
        (returning("scores", [2.0, 0.0]), "not [2.0, 0.0]"),
        (returning("scores", [float("nan"), 0.0]), "not [nan, 0.0]"),
        (returning("moves", []), "has no moves"),
        (returning("to_move", 2), "2; it has 2 players"),
        (type("Odd", (Noughts,), {"max_moves": 8}), "9 moves in a position, more than the 8 it declares"),
        (returning("chance_outcomes", [("win", 0.7)], CoinRace), "sum to 0.7, not to 1"),
        (returning("chance_outcomes", [], CoinRace), "chance_outcomes() of class Odd returned nothing"),
    ],
)
def test_wrong_answers_are_told(make, message):
    with pytest.raises(ramify.RamifyError) as caught:
        ramify.search(game_of(make).initial(), simulations=100, seed=1)
    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("make", "text", "message"),
    [
        (type("Bare", (), {"moves": 1, "play": 1}), "Bare", "class Bare has no method to_move(): it needs to_move,"),
        (type("Odd", (Noughts,), {"players": 0}), "Odd", "'players' of class Odd must be a whole number from 1, not 0"),
        (CoinRace, "CoinRace(gaol=3)", "has no parameter 'gaol'; did you mean 'goal'?"),
        (lambda size: Noughts(), "it", "needs a value for 'size': use it(size=...)"),
    ],
)
def test_wrong_classes_are_told(make, text, message):
    with pytest.raises(ramify.RamifyError) as caught:
        game_of(make, text)
    assert message in str(caught.value)


# Ctrl-C.


def pressing():
    """Noughts that presses Ctrl-C itself, once."""
    calls = []

    class Pressing(Noughts):
        def moves(self):
            calls.append(1)
            if len(calls) == 500:
                signal.raise_signal(signal.SIGINT)
            return super().moves()

    return Pressing


@pytest.mark.alone
@pytest.mark.usefixtures("ctrl_c")
@pytest.mark.parametrize("threads", [1, 2])
def test_ctrl_c_inside_a_callback(threads):
    handler = signal.getsignal(signal.SIGINT)
    began = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        ramify.search(game_of(pressing()).initial(), seconds=60, seed=1, threads=threads)
    assert time.monotonic() - began < 20
    assert signal.getsignal(signal.SIGINT) is handler


class Wide(Digits):
    """Nearly all the time goes to the choice among the children, in compiled code."""

    max_moves = 20_000

    def moves(self):
        return range(20_000) if not self.named else [0]

    def scores(self):
        return [0.5]

    def clone(self):
        other = Wide()
        other.named = self.named[:]
        return other


@pytest.mark.alone
@pytest.mark.usefixtures("ctrl_c")
@pytest.mark.parametrize("threads", [1, 2])
def test_ctrl_c_at_any_moment(threads):
    """Python runs the signal's handler when a callback is entered; there it must not be lost."""
    state = game_of(Wide).initial()

    def press_after(seconds):
        threading.Timer(seconds, partial(os.kill, os.getpid(), signal.SIGINT)).start()
        ramify.search(state, seconds=60, seed=1, threads=threads)

    for k in range(20 if threads == 1 else 3):
        began = time.monotonic()
        with pytest.raises(KeyboardInterrupt):
            press_after(0.05 + 0.0013 * k)
        assert time.monotonic() - began < 20


@pytest.mark.alone
def test_a_handler_of_the_users_is_left_to_work():
    """One that cancels in place of raising: the report of what was searched remains."""
    search = ramify.Search(game_of(pressing()).initial(), seed=1)
    before = signal.signal(signal.SIGINT, lambda *_: search.cancel())
    try:
        report = search.run(ramify.Budget(seconds=60))
    finally:
        signal.signal(signal.SIGINT, before)
    assert report.stopped == "cancelled"
    assert report.simulations > 0
