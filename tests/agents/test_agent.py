"""Agents as data: text, tables and keywords say the same, and every mistake is answered in a sentence."""

import math
import tomllib

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import ramify
from ramify.agents.agent import MCTS_DEFAULTS
from ramify.strategies.recommend.max import Max
from ramify.strategies.recommend.max_robust import MaxRobust
from ramify.strategies.recommend.robust import Robust
from ramify.strategies.recommend.secure import Secure

FULL = (
    "mcts(select=ucb1(c=0.4), select_root=ucb1(c=1.5), playout=uniform(limit=50), reward=score,"
    " recommend=secure(a=1.0), expand_threshold=3, fpu=0.6)"
)
FULL_TABLE = """
name = "mcts"
select = {name = "ucb1", c = 0.4}
select_root = {name = "ucb1", c = 1.5}
playout = {name = "uniform", limit = 50}
reward = "score"
recommend = {name = "secure", a = 1.0}
expand_threshold = 3
fpu = 0.6
"""


def test_text_table_and_keywords_are_the_same_agent():
    text = ramify.agent(FULL)
    table = ramify.agent(tomllib.loads(FULL_TABLE))
    keywords = ramify.agent(
        "mcts",
        select={"name": "ucb1", "c": 0.4},
        select_root="ucb1(c=1.5)",
        playout="uniform(limit=50)",
        reward="score",
        recommend={"name": "secure", "a": 1.0},
        expand_threshold=3,
        fpu=0.6,
    )
    assert text == table == keywords
    assert len({text, table, keywords}) == 1
    assert str(text) == str(table) == str(keywords) == FULL
    assert text.select.constants == (("c", 0.4),)
    assert text.select_root.constants == (("c", 1.5),)
    assert (text.playout.limit, text.expand_threshold, text.fpu) == (50, 3, 0.6)
    assert text.recommend == Secure(a=1.0)


@given(
    c=st.floats(0, 100) | st.integers(0, 100),
    fpu=st.floats(allow_nan=False).filter(lambda x: abs(x) < 1e18 or math.isinf(x)),
    threshold=st.integers(0, 10**6),
    limit=st.integers(1, 10**9),
    recommend=st.sampled_from(["max", "robust", "max_robust(limit=2.5)", "secure(a=0)", "max_robust(0.5)"]),
)
def test_printing_gives_the_text_back(c, fpu, threshold, limit, recommend):
    made = ramify.agent(
        "mcts",
        select={"name": "ucb1", "c": c},
        fpu=fpu,
        expand_threshold=threshold,
        playout={"name": "uniform", "limit": limit},
        recommend=recommend,
    )
    again = ramify.agent(str(made))
    assert again == made
    assert str(again) == str(made)
    assert (again.fpu, again.select.constants[0][1]) == (fpu, c)


@pytest.mark.parametrize("text", ["uct", "uct(0.4)", "uct(c=0.4)", "mcts", "mcts(reuse=true)", "mcts(ucb1(2))", FULL])
def test_an_agent_prints_as_it_was_written(text):
    assert str(ramify.agent(text)) == text


def test_the_preset_is_the_composition_it_stands_for():
    preset, composed = ramify.agent("uct(c=0.4)"), ramify.agent("mcts(select=ucb1(c=0.4))")
    assert {**vars(preset), "call": None} == {**vars(composed), "call": None}
    assert ramify.agent("uct").select == ramify.agent("mcts").select == ramify.agent("uct(0.7)").select


def test_defaults():
    made = ramify.agent("mcts")
    assert (made.select.name, made.select.constants) == ("ucb1", (("c", 0.7),))
    assert made.select_root == made.select
    assert (made.expand_threshold, made.fpu, made.playout.limit) == (1, 10_000.0, 100_000)
    assert made.recommend == Robust()
    assert {field for field in vars(made) if field not in ("call", "limits")} == set(MCTS_DEFAULTS)


@pytest.mark.parametrize(
    ("text", "rule"),
    [("max", Max()), ("robust", Robust()), ("max_robust", MaxRobust(1.0)), ("secure", Secure(2.0))],
)
def test_recommendations_by_name(text, rule):
    assert ramify.agent("mcts", recommend=text).recommend == rule


def test_an_agent_is_an_agent():
    made = ramify.agent("uct(c=0.4)")
    assert ramify.agent(made) == made
    assert ramify.agent(ramify.agent("mcts"), fpu=0.5) == ramify.agent("mcts(fpu=0.5)")


def test_numbers_of_numpy_print_as_numbers():
    made = ramify.agent("mcts", select={"name": "ucb1", "c": np.float64(0.4)}, expand_threshold=np.int64(2))
    assert str(made) == "mcts(select=ucb1(c=0.4), expand_threshold=2)"
    assert made == ramify.agent(str(made))
    assert ramify.agent("uct", c=np.float32(0.5)) == ramify.agent("uct(c=0.5)")


@pytest.mark.parametrize(
    ("description", "sentence"),
    [
        ("ucb", "unknown agent 'ucb': did you mean 'uct'?"),
        (
            "zzz",
            (
                "unknown agent 'zzz': expected one of cadiaplayer, cadiaplayer_ngrams, fuego_sos, kilothon_uct, mcts,"
                " ramify_ggp, ramify_kilothon, sr_cr, tron_*, uct"
            ),
        ),
        ("by_policy", "unknown agent 'by_policy': 'by_policy' is an allocation: write mcts(allocation=by_policy)"),
        ("mcts(allocation=3)", "an allocation must be written like allocation=name(key=value), not '3'"),
        ("uct(d=1)", "agent 'uct' has no parameter 'd'; expected c"),
        ("uct(c=1, c=2)", "agent 'uct' got 'c' twice"),
        ("uct(1, 2)", "agent 'uct' got too many values: it takes only c"),
        ("uct(c=true)", "'c' must be a number, not 'True'"),
        ("uct(c=ucb1)", "'c' must be a number, not 'ucb1'"),
        ('uct(c="1")', "'c' must be a number, not '1'"),
        ("uct(c=inf)", "'c' must be between -2**60 and 2**60, not inf"),
        ("mcts(selct=ucb1)", "agent 'mcts' has no parameter 'selct'; did you mean 'select'?"),
        ("mcts(select=ucb2)", "unknown selection policy 'ucb2': did you mean 'ucb1'?"),
        ("mcts(select=ucb1(d=1))", "selection policy 'ucb1' has no parameter 'd'; expected c"),
        ("mcts(select=3)", "invalid select '3': use a name, e.g. select=ucb1(c=0.7)"),
        ("mcts(select_root=ucb1x)", "unknown selection policy 'ucb1x': did you mean 'ucb1'?"),
        ("mcts(playout=unifrm)", "unknown playout 'unifrm': did you mean 'uniform'?"),
        ("mcts(playout=uniform(limit=-1))", "'limit' must be at least 1, not -1"),
        ("mcts(playout=uniform(limit=0))", "'limit' must be at least 1, not 0"),
        ("mcts(playout=heuristic(limit=0))", "'limit' must be at least 1, not 0"),
        ("uct(c=-1)", "'c' must be at least 0, not -1"),
        ("mcts(select=uct)", "unknown selection policy 'uct': 'uct' is an agent, whose selection policy is 'ucb1'"),
        ("ucb1", "unknown agent 'ucb1': 'ucb1' is a selection policy: write mcts(select=ucb1)"),
        ("robust", "unknown agent 'robust': 'robust' is a recommendation: write mcts(recommend=robust)"),
        (
            "mcts(select=max)",
            "unknown selection policy 'max': 'max' is a recommendation: write recommend=max",
        ),
        (
            "mcts(recommend=rave)",
            "unknown recommendation 'rave': 'rave' is a selection policy: write select=rave",
        ),
        ("mcts(recommend=uct)", "unknown recommendation 'uct': 'uct' is an agent"),
        ("connect4", "unknown agent 'connect4': 'connect4' is a game"),
        ("mcts(playout=uniform(limit=1.5))", "'limit' must be a whole number, not '1.5'"),
        (
            "mcts(playout=uniform(limit=99999999999999999999))",
            "'limit' must be between -2**60 and 2**60, not 99999999999999999999",
        ),
        ("mcts(reward=skore)", "unknown reward 'skore': did you mean 'score'?"),
        ("mcts(reward=score(3))", "reward 'score' got too many values: it takes no parameters"),
        ("mcts(recommend=robst)", "unknown recommendation 'robst': did you mean 'robust'?"),
        ("mcts(recommend=max_robust(limit=-0.5))", "'limit' must be at least 0, not -0.5"),
        ("mcts(recommend=max_robust(limit=inf))", "'limit' must be between -2**60 and 2**60, not inf"),
        ("mcts(recommend=max(1))", "recommendation 'max' got too many values: it takes no parameters"),
        ("mcts(expand_threshold=-1)", "'expand_threshold' must be at least 0, not -1"),
        ("mcts(expand_threshold=1.5)", "'expand_threshold' must be a whole number, not '1.5'"),
        ("mcts(expand_threshold=1.0)", "'expand_threshold' must be a whole number, not '1.0'"),
        ("mcts(expand_threshold=true)", "'expand_threshold' must be a whole number, not 'True'"),
        ("mcts(fpu=high)", "'fpu' must be a number, not 'high'"),
        ("mcts(reuse=1)", "'reuse' must be true or false, not '1'"),
        ("uct(", "cannot read 'uct(': expected a name or a value before 'the end'"),
        (5, "an agent must be a string or a mapping, not 5"),
        (None, "an agent must be a string or a mapping, not None"),
        ({"c": 1}, "an agent or strategy table needs the key 'name', e.g. {name = \"uct\"}: {'c': 1}"),
        ({"name": "uct", "c": [1]}, "[1] cannot be part of an agent: use numbers, strings and mappings"),
        ({"name": "uct", 1: 2}, "agent 'uct' has no parameter '1'; expected c"),
        ({"name": "uct", "c": math.nan}, "'c' must be between -2**60 and 2**60, not nan"),
        ({"name": "mcts", "fpu": math.nan}, "'fpu' must be between -2**60 and 2**60, not nan"),
        (
            {"name": "mcts", "select": {"c": 1}},
            "an agent or strategy table needs the key 'name', e.g. {name = \"uct\"}: {'c': 1}",
        ),
    ],
)
def test_mistakes(description, sentence):
    with pytest.raises(ramify.RamifyError) as caught:
        ramify.agent(description)
    assert str(caught.value) == sentence


@pytest.mark.parametrize("fpu", ["inf", "-inf", "0", "-5"])
def test_any_urgency_can_be_searched(fpu):
    """Even one below every index: the first visit must go somewhere."""
    report = ramify.search(ramify.load("tictactoe").initial(), f"mcts(fpu={fpu})", simulations=200, seed=1)
    assert report.simulations == 200
    assert (min(child.visits for child in report.children) > 0) == (fpu == "inf")


# What else a user may get wrong, with the same manners.


def game():
    return ramify.load("tictactoe")


def refusal(function, *arguments, **keywords):
    with pytest.raises(ramify.RamifyError) as caught:
        function(*arguments, **keywords)
    return str(caught.value)


WHOLE = "parameter 'rows' of game 'breakthrough' must be a whole number, not"


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("tictactoo", "there is no game 'tictactoo'; did you mean 'tictactoe'?"),
        ("breakthrough(row=5)", "game 'breakthrough' has no parameter 'row'; did you mean 'rows'?"),
        ("breakthrough(rows=5.0)", f"{WHOLE} '5.0'"),
        ("breakthrough(rows=true)", f"{WHOLE} 'True'"),
        ("breakthrough(rows=many)", f"{WHOLE} 'many'"),
        (
            "breakthrough(rows=0)",
            "invalid board of 0 x 8 for breakthrough: use at least 3 rows, 2 columns and at most 256 squares",
        ),
        ("tictactoe(3)", "game 'tictactoe' got too many values: it takes no parameters"),
        ("openspeel:chess", "unknown bridge 'openspeel': did you mean 'openspiel'?"),
        ("./nowhere.py", "there is no file ./nowhere.py"),
        ("tictactoe(", "cannot read 'tictactoe(': expected a name or a value before 'the end'"),
        (5, "load() takes the name of a game (str), not 5"),
    ],
)
def test_mistakes_in_a_game(name, sentence):
    assert refusal(ramify.load, name) == sentence


NO_POSITION = "is not a position of tictactoe:"


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (
            "xx",
            f"'xx' {NO_POSITION} expected 3 rows of 3 squares (x, o, .) from the top, separated by /, e.g. .../.x./..o",
        ),
        (
            "xxx/.../...",
            f"'xxx/.../...' {NO_POSITION} x moves first, so x needs as many stones as o, or one more, not 3 and 0",
        ),
        (None, "position() takes a text (str), not None"),
        ("moves b2 b4", "'b4' is not a legal move here; did you mean 'b3'?"),
    ],
)
def test_mistakes_in_a_position(text, sentence):
    assert refusal(game().position, text) == sentence


@pytest.mark.parametrize(
    ("move", "sentence"),
    [
        ("b4", "'b4' is not a legal move here; did you mean 'b3'?"),
        (7, "give one move, not 7"),
        (["b2"], "give one move, not ['b2']"),
        (ramify.Move(99, "d4"), "'d4' is not a legal move here; expected one of a1, a2, a3, b1, b2, b3, c1, c2, c3"),
    ],
)
def test_mistakes_in_a_move(move, sentence):
    assert refusal(game().initial().play, move) == sentence


def test_mistakes_in_the_order_of_things():
    won = game().position("xxx/oo./...")
    assert refusal(won.play, "c3") == "the game is over, so 'c3' cannot be played"
    assert refusal(game().initial().scores) == "the game is not over, so there are no scores yet"
    assert refusal(ramify.Search, won) == "the game is over in this position"


@pytest.mark.parametrize(
    ("keywords", "sentence"),
    [
        ({"simulations": -5}, "the budget 'simulations' must be above zero, not -5"),
        ({}, "a search needs a budget: set simulations, seconds, calls or memory"),
        ({"seconds": math.nan}, "the budget 'seconds' must be a number, not 'nan'"),
        ({"simulations": True}, "the budget 'simulations' must be a number, not 'True'"),
        ({"simulations": 1.5}, "the budget 'simulations' must be an integer, not 1.5"),
        ({"simulations": 5, "threads": 0}, "threads must be an integer from 1 to 1024, not 0"),
        ({"simulations": 5, "threads": True}, "threads must be an integer from 1 to 1024, not True"),
        ({"simulations": 5, "threads": 1.5}, "threads must be an integer from 1 to 1024, not 1.5"),
        ({"simulations": 5, "seed": 1.5}, "the seed must be an integer, not '1.5'"),
        ({"simulations": 5, "seed": "1"}, "the seed must be an integer, not '1'"),
        ({"simulations": 5, "seed": False}, "the seed must be an integer, not 'False'"),
        ({"simulations": 5, "agent": "utc"}, "unknown agent 'utc': did you mean 'uct'?"),
    ],
)
def test_mistakes_in_a_search(keywords, sentence):
    assert refusal(ramify.search, game().initial(), **keywords) == sentence


def test_a_search_of_a_name():
    sentence = "search() takes a State such as load('hex').initial(), not 'tictactoe'"
    assert refusal(ramify.search, "tictactoe", simulations=5) == sentence


def test_numbers_of_numpy_are_seeds():
    one, other = (ramify.search(game().initial(), simulations=50, seed=seed) for seed in (np.int64(7), 7))
    assert one.children == other.children
    assert type(one.seed) is int
