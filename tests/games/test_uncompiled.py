"""Games written as Python classes: the same engine, the same numbers, and a user's exceptions as they are."""

import gc
import os
import signal
import threading
import time
import weakref
from functools import partial
from pathlib import Path

import numpy as np
import pytest

import ramify
from ramify.core import rng
from ramify.games.rules import PythonGenerator
from ramify.games.uncompiled import UncompiledGame
from ramify.grammar import Call, parse

LINES = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]


class Noughts:
    """Tic-Tac-Toe with moves in the order of the compiled game: from the bottom row up."""

    max_moves = 9

    def __init__(self):
        self.board = [None] * 9
        self.turn = 0

    def clone(self):
        other = type(self)()
        other.board, other.turn = self.board[:], self.turn
        return other

    def to_move(self):
        return self.turn % 2

    def moves(self):
        return [divmod(k, 3) for k in range(9) if self.board[k] is None]

    def play(self, move):
        self.board[3 * move[0] + move[1]] = self.turn % 2
        self.turn += 1

    def winner(self):
        rows = ({self.board[k] for k in line} for line in LINES)
        return next((row.pop() for row in rows if row in ({0}, {1})), None)

    def over(self):
        return self.turn == 9 or self.winner() is not None

    def scores(self):
        winner = self.winner()
        return [0.5, 0.5] if winner is None else [float(player == winner) for player in (0, 1)]

    def move_name(self, move):
        return "abc"[move[1]] + str(move[0] + 1)

    def __str__(self):
        return "".join("." if mark is None else "xo"[mark] for mark in self.board)


class CoinRace:
    """``coin_race.py`` as a class without ``clone``; its moves are words."""

    players = 3

    def __init__(self, goal=5):
        self.points, self.stake, self.turn, self.goal = [0, 0, 0], 0, 0, goal

    def to_move(self):
        return ramify.CHANCE if self.stake else self.turn % 3

    def moves(self):
        return (word for word in ("one", "two", "three"))  # any iterable will do

    def chances(self):
        kind = 1.0 / (1.0 + self.stake)
        return [("lose", 1.0 - kind), ("win", kind)]

    def play(self, move):
        if self.stake == 0:
            self.stake = ("one", "two", "three").index(move) + 1
        else:
            self.points[self.turn % 3] += self.stake * (move == "win")
            self.stake = 0
            self.turn += 1

    def over(self):
        return self.stake == 0 and (max(self.points) >= self.goal or self.turn == 20)

    def scores(self):
        return [min(points, self.goal) / self.goal for points in self.points]


class Digits:
    """One player names four digits of 0 to 3; the number in base 4 is the result."""

    players = 1

    def __init__(self):
        self.named = []

    def to_move(self):
        return 0

    def moves(self):
        return [0, 1, 2, 3]

    def play(self, move):
        self.named.append(move)

    def over(self):
        return len(self.named) == 4

    def scores(self):
        return [sum(digit * 4**k for k, digit in enumerate(reversed(self.named))) / 255]


def game_of(make, text=None):
    return UncompiledGame.of_class(make, parse(text) if text else Call(make.__name__))


def numbers(report):
    """Everything a search counted; moves by their place in the list, as names differ."""
    order = {move.name: k for k, move in enumerate(report.tree().state.moves())}
    rows = sorted((order[child.move.name], child.visits, repr(child.value)) for child in report.children)
    return rows, report.nodes, report.depth, report.calls, report.simulations, len(report.variation)


AGENTS = ["uct", "mcts(select=ucb1(c=0.4), expand_threshold=3, fpu=0.6)", "mcts(playout=uniform(limit=3))"]


@pytest.mark.parametrize("agent", AGENTS)
@pytest.mark.parametrize("moves", ["moves", "moves b2", "moves a1 b2 c3 a3"])
def test_a_class_gives_the_very_report_of_the_compiled_game(agent, moves):
    ours, compiled = game_of(Noughts).position(moves), ramify.load("tictactoe").position(moves)
    for seed in (1, 2):
        mine = ramify.search(ours, agent, simulations=700, seed=seed)
        theirs = ramify.search(compiled, agent, simulations=700, seed=seed)
        assert numbers(mine) == numbers(theirs)
        assert [str(move) for move in mine.variation] == [str(move) for move in theirs.variation]


@pytest.mark.parametrize("threads", [1, 2])
def test_three_players_and_chance_give_the_very_report_of_the_compiled_game(threads):
    compiled = ramify.load(str(Path(__file__).with_name("coin_race.py")))
    ours = game_of(CoinRace)
    for agent in AGENTS[:2]:
        mine = ramify.search(ours.initial(), agent, simulations=600, seed=5, threads=threads)
        assert numbers(mine) == numbers(
            ramify.search(compiled.initial(), agent, simulations=600, seed=5, threads=threads)
        )


@pytest.mark.parametrize("make", [Noughts, CoinRace, Digits])
def test_the_same_seed_gives_the_same_tree(make):
    def tree(seed, game):
        report = ramify.search(game.initial(), simulations=300, seed=seed)
        return [(str(node.move), node.visits, repr(node.value)) for node in report.tree().walk()]

    game = game_of(make)
    first = tree(1, game)
    assert first == tree(1, game) == tree(1, game_of(make))
    assert first != tree(2, game)


def test_one_player():
    report = ramify.search(game_of(Digits).initial(), "uct(c=0.2)", simulations=3000, seed=1)
    assert [str(move) for move in report.variation] == ["3", "3", "3", "3"]
    assert report.value > 0.9


def test_three_players_each_for_themselves():
    """In the last turn before the goal, the player to move takes the likelier of the stakes that are enough."""
    state = game_of(CoinRace).initial()
    for name in ("one", "win", "one", "win", "one", "win", "three", "win", "three", "lose", "three", "lose"):
        state = state.play(name)
    assert (state.data.points, state.to_move) == ([4, 1, 1], 0)
    report = ramify.search(state, simulations=4000, seed=2)
    assert str(report.move) == "one"
    assert len(report.tree().children()) == 3


def test_the_generator_is_the_compiled_one():
    compiled, ours = rng.generator(7), PythonGenerator(int(rng.generator(7)[0]))
    weights = np.array([0.25, 0.5, 0.125, 0.125])
    with np.errstate(over="ignore"):
        for n in range(1, 400):
            assert ours.below(n) == rng.below(compiled, n)
            assert ours.word() == rng.word(compiled)
            assert ours.outcome(list(enumerate(weights))) == rng.weighted(compiled, weights, 4)


# What a user's class may do wrong.


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
    make.mended = True
    assert search.run(ramify.Budget(simulations=50)).simulations == 50
    fresh = ramify.search(game_of(Noughts).initial(), simulations=50, seed=3)
    assert numbers(ramify.search(search.state, simulations=50, seed=3)) == numbers(fresh)


def test_an_exception_in_chances():
    class Unkind(CoinRace):
        def chances(self):
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
        (returning("scores", [0.5]), "scores() of class Odd must give 2 numbers in [0, 1], not [0.5]"),
        (returning("scores", [2.0, 0.0]), "not [2.0, 0.0]"),
        (returning("scores", [float("nan"), 0.0]), "not [nan, 0.0]"),
        (returning("moves", []), "has no moves"),
        (returning("to_move", 2), "player 2 is to move, but has 2 players"),
        (type("Odd", (Noughts,), {"max_moves": 8}), "a position with 9 moves, more than the 8 it announced"),
        (returning("chances", [("win", 0.7)], CoinRace), "add up to 0.7, not to 1"),
        (returning("chances", [], CoinRace), "chances() gives none"),
    ],
)
def test_wrong_answers_are_told(make, message):
    with pytest.raises(ramify.RamifyError) as caught:
        ramify.search(game_of(make).initial(), simulations=100, seed=1)
    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("make", "text", "message"),
    [
        (type("Bare", (), {"moves": 1, "play": 1}), "Bare", "class Bare has no method to_move(); it needs to_move,"),
        (type("Odd", (Noughts,), {"players": 0}), "Odd", "'players' of class Odd must be a whole number from 1, not 0"),
        (CoinRace, "CoinRace(gaol=3)", "has no parameter 'gaol'; did you mean 'goal'?"),
        (lambda size: Noughts(), "it", "needs a value for 'size': write it(size=...)"),
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


# Names, parameters, memory.


class Odd(Digits):
    def move_name(self, move):
        return ["go up", "go  up", "", "left\tnow"][move]


def test_names_are_single_words_and_tell_moves_apart():
    state = game_of(Odd).initial()
    assert [move.name for move in state.moves()] == ["go_up#0", "go_up#1", "#2", "left_now"]
    for name in ("left_now", "#2", "go_up#1", "go_up#0"):
        state = state.play(name)
    assert state.text() == "moves left_now #2 go_up#1 go_up#0"
    assert game_of(Odd).position(state.text()).data.named == [3, 2, 1, 0]


def test_any_hashable_move():
    class Mixed(Digits):
        def moves(self):
            return [None, (1, 2), frozenset({3}), "text"]

        def scores(self):
            return [self.named.count("text") / 4]

    report = ramify.search(game_of(Mixed).initial(), simulations=2000, seed=1)
    assert str(report.move) == "text"
    assert {child.move.name for child in report.children} == {"None", "(1,_2)", "frozenset({3})", "text"}


def test_parameters_are_those_of_the_constructor(tmp_path):
    file = tmp_path / "race.py"
    text = Path(__file__).read_text(encoding="utf-8")
    body = text[text.index("class CoinRace") : text.index("class Digits")]
    file.write_text("import ramify\n\n\n" + body.replace("goal=5", "goal=5, mode=None, pace='slow'"), encoding="utf-8")
    game = ramify.load(f"{file}(goal=9, pace=fast)")
    assert game.name == f'{file}(goal=9, pace="fast")'
    assert ramify.load(game.name).name == game.name
    assert game.initial().data.goal == 9


def test_the_states_of_a_search_are_freed_with_it():
    alive = weakref.WeakSet()

    class Counted(Noughts):
        def __init__(self):
            super().__init__()
            alive.add(self)

    game = game_of(Counted)
    for seed in range(20):
        ramify.search(game.initial(), simulations=20, seed=seed)
    gc.collect()
    assert len(alive) <= 1  # the position whose names were asked for last
