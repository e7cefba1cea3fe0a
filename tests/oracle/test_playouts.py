"""Playouts that learn grow the same trees as naive ones, draw for draw, and their tables hold the same sums."""

from copy import deepcopy
from functools import lru_cache

import pytest

import ramify
from ramify.contract.compiled_game import as_record
from ramify.strategies.playout import last_good_reply, ngram
from tests.oracle import naive_playouts as naive
from tests.oracle.test_engine import assert_equal_trees

load = lru_cache(ramify.load)

# An agent's text and what it is naively. In Connect 4 classes are moves; in Breakthrough they depend on the position.
PLAYOUTS = {
    "mast": naive.Mast,
    "mast(epsilon=0, initial=0.5)": lambda: naive.Mast(epsilon=0.0, initial=0.5),
    "mast(epsilon=1)": lambda: naive.Mast(epsilon=1.0),
    "mast(temperature=0.1)": lambda: naive.Mast(temperature=0.1),
    "ngram(min_visits=3, epsilon=0.1)": lambda: naive.Ngram(epsilon=0.1, min_visits=3.0),
    "ngram(max_length=2, temperature=0.2)": lambda: naive.Ngram(temperature=0.2, max_length=2),
    "last_good_reply": naive.LastGoodReply,
    "last_good_reply(moves=1, forget=false, then=mast)": lambda: naive.LastGoodReply(1, False, then=naive.Mast()),
    "decisive": naive.Decisive,
    "decisive(anti=true, then=last_good_reply(then=ngram(min_visits=2)))": lambda: naive.Decisive(
        True, naive.LastGoodReply(then=naive.Ngram(min_visits=2.0))
    ),
}
GAMES = {
    "connect4": 150,
    "breakthrough(rows=5, columns=4)": 100,
    "amazons(size=6, plies=2)": 12,  # a player moves twice
    "hex(size=4)": 80,  # finds moves that win without a list of them
    "pig(target=20)": 60,  # chance
    "tests/toys/last_bean.py": 100,  # three players
    "tests/toys/double_or_add.py": 60,  # one
    "examples/nim_class.py": 60,  # Python objects
}


def tables(search):
    return search.workers[0].parts.playout.learning.tables


def assert_equal_sums(table, chooser, game):
    """Of a table of means, and of the N-grams around it."""
    classes = game.move_classes()
    averages = getattr(table, "averages", table)
    engine = {k: tuple(averages.sums[k]) for k in averages.sums[:, 0].nonzero()[0]}
    assert engine == {p * classes + kind: pair for ((p, kind), *rest), pair in chooser.sums.items() if not rest}
    if isinstance(chooser, naive.Ngram):
        assert table.seen() == naive.by_key(chooser.sums, classes, game.players * classes + 1)


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("playout", PLAYOUTS)
def test_learned_playouts_are_those_of_the_naive_search(game, playout):
    state = load(game).initial()
    search = ramify.Search(state, f"mcts(playout={playout})", seed=5)
    search.run(ramify.Budget(simulations=GAMES[game]))
    chooser = PLAYOUTS[playout]()
    other = naive.Search(state, 5, chooser=chooser).run(GAMES[game])
    assert_equal_trees(search.workers[0], other)
    if isinstance(chooser, naive.Mast):
        assert chooser.sums
        assert_equal_sums(tables(search)[0], chooser, state.game)


@pytest.mark.parametrize(
    ("playout", "chooser"),
    [
        ("ngram(min_visits=3)", naive.Ngram(min_visits=3.0)),
        ("ngram(min_visits=3, temperature=0.2)", naive.Ngram(min_visits=3.0, temperature=0.2)),
        ("last_good_reply", naive.LastGoodReply()),
    ],
)
@pytest.mark.parametrize("room", [0, 30])
def test_tables_that_are_too_large_are_hashed(monkeypatch, playout, chooser, room):
    """With no room at all, and with room for the pairs and four rows of what follows them."""
    monkeypatch.setattr(ngram, "MAX_PAIRS", room**2)
    monkeypatch.setattr(ngram, "MAX_MEANS", room)
    monkeypatch.setattr(last_good_reply, "MAX_PLACES", 0)
    state = load("connect4").initial()
    search = ramify.Search(state, f"mcts(playout={playout})", seed=5)
    other = naive.Search(state, 5, chooser=deepcopy(chooser))
    for move in (3, 3):
        search.run(ramify.Budget(simulations=120))
        other.run(120)
        assert_equal_trees(search.workers[0], other)
        if isinstance(chooser, naive.Ngram):
            (table,) = tables(search)
            assert (table.pairs is None) == (room == 0)
            assert table.block["given"][0] == table.block["max_rows"][0]
        search.advance(str(move + 1))
        other.advance(next(one for one in other.state.moves() if one.code == move))
    if isinstance(chooser, naive.Ngram):
        assert_equal_sums(table, other.chooser, state.game)


@pytest.mark.parametrize(
    "playout", ["mast(decay=0.6)", "ngram(min_visits=3, decay=0.6)", "mast(decay=0)", "mast(decay=1)"]
)
@pytest.mark.parametrize("simulations", [3, 120])  # with few the tree below the move is not kept, the tables are
def test_tables_are_kept_along_a_game(playout, simulations):
    state = load("connect4").initial()
    search = ramify.Search(state, f"mcts(playout={playout})", seed=5)
    constants = dict(part.split("=") for part in playout.partition("(")[2][:-1].split(", "))
    kind = naive.Ngram if playout.startswith("ngram") else naive.Mast
    chooser = kind(**{name: float(value) for name, value in constants.items()})
    other = naive.Search(state, 5, chooser=chooser)
    for move in (3, 3, 2):
        search.run(ramify.Budget(simulations=simulations))
        other.run(simulations)
        assert_equal_trees(search.workers[0], other)
        search.advance(str(move + 1))
        other.advance(next(one for one in other.state.moves() if one.code == move))
        assert_equal_sums(tables(search)[0], chooser, state.game)
    assert bool(chooser.sums) == ("decay=0)" not in playout)


def test_a_restart_forgets_the_tables():
    state = load("breakthrough(rows=5, columns=4)").initial()
    agent = "mcts(playout=decisive(then=last_good_reply(then=ngram(min_visits=2))))"
    budget = ramify.Budget(simulations=200)
    search = ramify.Search(state, agent, seed=1)
    search.run(budget)
    search.restart(state, 7)
    again, fresh = search.run(budget), ramify.Search(state, agent, seed=7).run(budget)
    assert [(c.visits, c.value) for c in again.children] == [(c.visits, c.value) for c in fresh.children]


def test_rave_and_learned_playouts_share_the_moves_made():
    """RAVE's sums at the root count the first occurrence of a move, so they are of moves that were learnt from."""
    state = load("connect4").initial()
    search = ramify.Search(state, "mcts(select=rave, playout=mast(epsilon=1))", seed=1)
    search.run(ramify.Budget(simulations=200))
    S, _ = search.workers[0].view.amaf()
    counts = tables(search)[0].sums[:7, 0]
    assert (counts[: len(S)] >= S).all()
    assert S.sum() > 200


@pytest.mark.parametrize("inner", ["reckless", "cut_off"])
def test_a_playout_without_a_limit_cannot_be_cut(inner):
    with pytest.raises(ramify.RamifyError, match=f"cut_off cannot cut {inner}, which has no limit: use then=uniform"):
        ramify.agent(f"mcts(playout=cut_off(then={inner}))")


def test_a_cut_playout_is_worth_what_the_game_says():
    state = load("breakthrough(rows=5, columns=4)").initial()

    def evaluate(position):
        out = [0.0, 0.0]
        position.game.module.evaluate(position.game.rules, as_record(position.data), out)
        return out

    search = ramify.Search(state, "mcts(playout=cut_off(plies=3, then=mast))", seed=2)
    search.run(ramify.Budget(simulations=100))
    other = naive.Search(state, 2, chooser=naive.Mast(), evaluate=evaluate, limit=3).run(100)
    assert other.cut_playouts > 50
    assert_equal_trees(search.workers[0], other)


@pytest.mark.parametrize(
    ("game", "simulations"),
    [
        ("breakthrough(rows=5, columns=4)", 100),
        ("breakthrough(rows=9, columns=8)", 10),  # not a bitboard
        ("amazons(size=6)", 10),
        ("amazons(size=6, plies=2)", 10),
        ('pentalath(board="hexagon", swap=true)', 10),
    ],
)
@pytest.mark.parametrize("epsilon", [0.0, 0.3])
def test_mast_over_a_published_list_is_that_of_the_naive_search(game, simulations, epsilon):
    state = load(game).initial()
    playout = f"mast(epsilon={epsilon}, initial=0.5, over=heuristic(as_published=true))"
    search = ramify.Search(state, f"mcts(playout={playout})", seed=5)
    search.run(ramify.Budget(simulations=simulations))
    chooser = naive.MastOver(epsilon=epsilon, initial=0.5)
    other = naive.Search(state, 5, chooser=chooser).run(simulations)
    assert_equal_trees(search.workers[0], other)
    assert_equal_sums(tables(search)[0], chooser, state.game)


@pytest.mark.parametrize("playout", ["mast", "ngram", "last_good_reply(then=mast)"])
@pytest.mark.parametrize("reward", ["discount(factor=0.99)", "relative_bonus(k=8)", "quality"])
def test_playouts_learn_the_result_or_the_reward(playout, reward):
    """With epsilon = 1 tables do not change the playouts, so both learn the same simulations."""
    state = load("breakthrough(rows=5, columns=4)").initial()
    found = {}
    for learn in ("", ", learn=result", ", learn=reward"):
        words = playout.replace("mast", f"mast(epsilon=1{learn})").replace("ngram", f"ngram(epsilon=1{learn})")
        search = ramify.Search(state, f"mcts(playout={words}, reward={reward})", seed=1)
        search.run(ramify.Budget(simulations=200))
        table = tables(search)[0]
        found[learn] = getattr(table, "averages", table).sums.copy()
    result, reward_sums = found[", learn=result"], found[", learn=reward"]
    assert (found[""] == result).all()
    assert (result[:, 1] == result[:, 1].round()).all()  # wins
    assert (result[:, 0] == reward_sums[:, 0]).all()
    assert (reward_sums[:, 1] != reward_sums[:, 1].round()).any()
