"""Games written as Python classes: the same engine and the same numbers as the compiled ones."""

import gc
import inspect
import weakref
from pathlib import Path

import numpy as np
import pytest

import ramify
from ramify.contract.python_rules import PythonGenerator
from ramify.core.numbers import rng
from tests.games.python_classes import CoinRace, Digits, Noughts, game_of, numbers

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


def test_a_class_without_a_text_shows_its_attributes():
    """Python's text would be the address of the object."""
    assert str(game_of(Digits).initial().play("3")) == "Digits(named=[3])"


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
    body = inspect.getsource(CoinRace).replace("goal=5", "goal=5, mode=None, pace='slow'")
    file.write_text("import ramify\n\n\n" + body, encoding="utf-8")
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
