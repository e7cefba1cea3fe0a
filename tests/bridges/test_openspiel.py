"""OpenSpiel's games through the bridge: which load, what they are called, and that they are searched as ours are."""

import doctest
import gc
import random
import sys
import time
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import open_spiel.python.games  # noqa: F401  (registers the games written in Python)
import pyspiel
import pytest
from open_spiel.python.algorithms import mcts

import ramify
from ramify.bridges.openspiel import OpenSpielRules

PAGE = Path(__file__).parent.parent.parent / "docs" / "openspiel.md"
KINDS = {kind.short_name: kind for kind in pyspiel.registered_games()}


def searchable(kind):
    return (
        kind.default_loadable
        and kind.dynamics == kind.Dynamics.SEQUENTIAL
        and kind.information == kind.Information.PERFECT_INFORMATION
        and kind.chance_mode != kind.ChanceMode.SAMPLED_STOCHASTIC
        and kind.short_name != "python_hangman"  # its states cannot be copied
    )


def at_once(kind):
    return (
        kind.default_loadable
        and kind.dynamics == kind.Dynamics.SIMULTANEOUS
        and kind.information in (kind.Information.PERFECT_INFORMATION, kind.Information.ONE_SHOT)
        and kind.chance_mode != kind.ChanceMode.SAMPLED_STOCHASTIC
    )


JOINT = sorted(name for name, kind in KINDS.items() if at_once(kind))
SEARCHABLE = sorted(name for name, kind in KINDS.items() if searchable(kind))
WITH_PARAMETERS = [
    "breakthrough(columns=5, rows=6)",
    "chess(chess960=true)",
    "chinese_checkers(players=3)",
    "misere(game=hex(board_size=4))",
    "misere(game=morpion_solitaire)",
    "pig(players=1)",
    "pig(players=5)",
    'start_at(game=tic_tac_toe, history="4;0")',
]


def some_position(game, plies=3):
    """A position a few plies into the game, with a player to move."""
    choose = random.Random(1)
    state = game.initial()
    while plies > 0 or state.to_move == ramify.CHANCE:
        state = state.play(choose.choice(state.moves()))
        plies -= 1
    return state


def numbers(report):
    order = {move.name: k for k, move in enumerate(report.tree().state.moves())}
    rows = sorted((order[child.move.name], child.visits, repr(child.value)) for child in report.children)
    return rows, report.nodes, report.calls, report.depth


@pytest.mark.parametrize("name", SEARCHABLE + WITH_PARAMETERS)
def test_every_searchable_game(name):
    game = ramify.load(f"openspiel:{name}")
    assert game.name == f"openspiel:{name}"
    assert ramify.load(game.name).name == game.name
    state = some_position(game)
    names = [move.name for move in state.moves()]
    assert len(set(names)) == len(names)
    assert all(len(one.split()) == 1 for one in names)
    again = game.position(state.text())
    assert (again, again.text()) == (state, state.text())
    report = ramify.search(state, simulations=3, seed=1)
    assert sum(child.visits for child in report.children) == report.simulations == 3
    assert 0.0 <= report.value <= 1.0
    assert report.cut == 0
    assert numbers(report) == numbers(ramify.search(again, simulations=3, seed=1))


def test_most_games_are_searchable():
    assert len(SEARCHABLE) >= 43


@pytest.mark.parametrize("name", JOINT)
def test_every_game_of_simultaneous_moves(name):
    game = ramify.load(f"openspiel:{name}")
    choose = random.Random(1)
    state, seen = game.initial(), 0
    for _ in range(12):
        if state.over:
            break
        assert game.position(state.text()) == state
        if state.to_move == ramify.SIMULTANEOUS:
            lists = [state.moves(player) for player in range(game.players)]
            assert all(len({move.name for move in own}) == len(own) for own in lists)
            assert not any(set("+ ") & set(move.name) for own in lists for move in own)
            report = ramify.search(state, simulations=3, seed=1)
            assert report.simulations == 3
            state, seen = state.play([choose.choice(own) for own in lists]), seen + 1
        else:
            state = state.play(choose.choice(state.moves()))
    assert seen


def test_there_are_games_of_simultaneous_moves():
    assert {"goofspiel", "oshi_zumo", "matrix_rps", "blotto", "markov_soccer"} <= set(JOINT)


@pytest.mark.parametrize(
    ("ours", "theirs"),
    [
        ('goofspiel(cards=5, order="descending")', "goofspiel(num_cards=5,points_order=descending)"),
        ("oshi_zumo(coins=9)", "oshi_zumo(coins=9)"),
    ],
)
def test_the_very_search_of_our_own_game_of_simultaneous_moves(ours, theirs):
    mine, bridged = (
        ramify.Search(ramify.load(name).initial(), "uct", seed=3) for name in (ours, f"openspiel:{theirs}")
    )
    for search in (mine, bridged):
        search.run(ramify.Budget(simulations=400))
    for player in range(2):
        for one, other in zip(mine.statistics(player), bridged.statistics(player), strict=True):
            assert one.tolist() == other.tolist()


@pytest.mark.parametrize("name", sorted(set(KINDS) - set(SEARCHABLE) - set(JOINT)))
def test_every_other_game_is_refused_in_one_sentence(name):
    with pytest.raises(ramify.RamifyError) as caught:
        ramify.load(f"openspiel:{name}")
    assert "\n" not in str(caught.value)
    assert name in str(caught.value)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("kuhn_poker", "it has imperfect information"),
        ("mfg_garnet", "it is a mean-field game"),
        ("stones_and_gems", "its chance outcomes are sampled, not listed (sampled stochastic)"),
        ("gomoku(dims=5, size=17)", "it has 1419857 distinct moves, more than 1048576"),
        ("tictactoe", "OpenSpiel has no game 'tictactoe'; did you mean 'tic_tac_toe'?"),
        ("nope", "OpenSpiel has no game 'nope'; `ramify games --openspiel` lists the supported ones"),
        ("misere(game=hexx)", "OpenSpiel has no game 'hexx'; did you mean 'hex'?"),
        ("breakthrough(rowz=6)", "OpenSpiel game 'breakthrough' has no parameter 'rowz'; did you mean 'rows'?"),
        ("tic_tac_toe(size=4)", "OpenSpiel game 'tic_tac_toe' has no parameter 'size'; it takes none"),
        ("breakthrough(6)", "parameters of OpenSpiel games must be named; those of 'breakthrough' are: columns, rows"),
        ("breakthrough(rows=6.5)", "parameter 'rows' of OpenSpiel game 'breakthrough' must be an integer, not 6.5"),
        ("hex(swap=3)", "parameter 'swap' of OpenSpiel game 'hex' must be true or false, not 3"),
        ("misere(game=3)", "parameter 'game' of OpenSpiel game 'misere' must be a game, not 3"),
        ("misere", "OpenSpiel cannot load 'misere': Missing parameter game"),
        ("breakthrough(rows=6, rows=7)", "duplicate parameter 'rows' of OpenSpiel game 'breakthrough'"),
        ("breakthrough(rows=1)", "OpenSpiel cannot load 'breakthrough(rows=1)'"),
        ("hex(board_size=0)", "it has no moves"),
        ("breakthrough(rows=6", "cannot read 'breakthrough(rows=6'"),
        ("breakthrough(rows=6))", "cannot read 'breakthrough(rows=6))'"),
        ("", "cannot read ''"),
    ],
)
def test_errors(text, message):
    with pytest.raises(ramify.RamifyError) as caught:
        ramify.load(f"openspiel:{text}")
    assert message in str(caught.value)


def test_without_openspiel(monkeypatch):
    monkeypatch.setitem(sys.modules, "pyspiel", None)
    with pytest.raises(ramify.RamifyError, match=r'not installed: pip install "ramify\[openspiel\]"'):
        ramify.load("openspiel:chess")


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("breakthrough(rows=6,columns=5)", "breakthrough(columns=5, rows=6)"),
        (" breakthrough( rows = 6 , columns = 5 ) ", "breakthrough(columns=5, rows=6)"),
        ("tic_tac_toe()", "tic_tac_toe"),
        ("2048(max_tile=64)", "2048(max_tile=64)"),
        ("nim(pile_sizes=1;3;5)", 'nim(pile_sizes="1;3;5")'),
        ("hex(swap=True)", "hex(swap=true)"),
        ("go(komi=7)", "go(komi=7.0)"),
        ("backgammon(scoring_type=full_scoring)", 'backgammon(scoring_type="full_scoring")'),
        ("misere(game=hex(board_size=3))", "misere(game=hex(board_size=3))"),
        ("start_at(history=4;0,game=tic_tac_toe())", 'start_at(game=tic_tac_toe, history="4;0")'),
    ],
)
def test_spellings(text, name):
    game = ramify.load(f"openspiel:{text}")
    assert game.name == f"openspiel:{name}"
    assert ramify.load(game.name).name == game.name


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize(
    ("ours", "theirs"), [("tictactoe", "tic_tac_toe"), ("connect4", "connect_four"), ("pig", "pig")]
)
def test_the_very_report_of_our_own_game(ours, theirs, threads):
    """Both list moves in the same order (Tic-Tac-Toe upside down), so every draw means the same."""
    if ours not in ramify.games():
        pytest.skip(f"there is no {ours} yet")
    mine = ramify.search(ramify.load(ours).initial(), simulations=800, seed=3, threads=threads)
    bridged = ramify.search(ramify.load(f"openspiel:{theirs}").initial(), simulations=800, seed=3, threads=threads)
    assert numbers(bridged) == numbers(mine)


@pytest.mark.parametrize(
    "name", ["cliff_walking", "2048", "chinese_checkers(players=3)", "dots_and_boxes(utility_margin=true)", "pig"]
)
def test_scores_are_returns_between_the_utilities(name):
    game = ramify.load(f"openspiel:{name}")
    low, high = game.rules.game.min_utility(), game.rules.game.max_utility()
    choose = random.Random(2)
    data = game.start()
    while not game.over(data):
        chance = game.mover(data) == ramify.CHANCE
        codes = [code for code, _ in game.chance_outcomes(data)] if chance else game.legal(data)
        game.rules.play(data, choose.choice(codes))
    assert game.scores(data) == pytest.approx([(value - low) / (high - low) for value in data.returns()])
    assert data.returns() == [data.player_return(player) for player in range(game.players)]


def test_scores_beyond_the_utilities_count_as_the_bound():
    class Loose(OpenSpielRules):
        def __init__(self):
            self.low, self.width, self.players = -1.0, 2.0, 3

    assert Loose().scores(SimpleNamespace(returns=lambda: [-3.0, 0.5, 1.5])) == [0.0, 0.75, 1.0]


def test_chance():
    game = ramify.load("openspiel:pig")
    state = game.initial().play("roll")
    assert state.to_move == ramify.CHANCE
    assert [(move.name, probability) for move, probability in state.chance_outcomes()] == [
        (f"Roll_{k}", pytest.approx(1 / 6)) for k in range(1, 7)
    ]
    with pytest.raises(ramify.RamifyError, match=r"chance is to move"):
        ramify.search(state, simulations=10)
    report = ramify.search(state.play("Roll_6"), simulations=300, seed=1)
    assert {child.move.name for child in report.children} == {"roll", "stop"}
    assert report.depth > 2


def test_ambiguous_names_carry_the_action():
    state = SimpleNamespace(
        current_player=lambda: 0, action_to_string=lambda _, action: ["a b", "a  b", "c"][action % 3]
    )
    rules = OpenSpielRules(pyspiel.load_game("tic_tac_toe"))
    assert rules.move_names(state, [3, 4, 8]) == ["a_b#3", "a_b#4", "c"]


def test_states_outlive_those_they_came_from():
    """A copy in morpion_solitaire points into the state from which it was copied first."""
    game = ramify.load("openspiel:morpion_solitaire")
    for seed in range(5):
        choose = random.Random(seed)
        state = game.initial()
        while not state.over:
            state = state.play(choose.choice(state.moves()))
            gc.collect(0)
        assert state.data.returns() == [len(state.history)]


def test_positions_are_equal_however_they_were_reached():
    game = ramify.load("openspiel:tic_tac_toe")
    one = game.position("moves x(0,0) o(1,1) x(2,2)")
    other = game.position("moves x(2,2) o(1,1) x(0,0)")
    assert one == other
    assert hash(one) == hash(other)
    assert one != game.position("moves x(2,2) o(0,0) x(1,1)")


@pytest.mark.alone
def test_no_slower_than_openspiels_own():
    """Measured ratios stand between 3 (chess) and 14 (pig); here 1 is enough, on any machine."""
    simulations = 200
    state, game = ramify.load("openspiel:connect_four").initial(), pyspiel.load_game("connect_four")
    ramify.search(state, simulations=1, seed=1)
    ours, theirs = [], []
    for seed in range(3):
        draws = np.random.RandomState(seed)
        bot = mcts.MCTSBot(game, 1.4, simulations, mcts.RandomRolloutEvaluator(1, draws), random_state=draws)
        began = time.perf_counter()
        ramify.search(state, simulations=simulations, seed=seed)
        between = time.perf_counter()
        bot.mcts_search(game.new_initial_state())
        ours.append(between - began)
        theirs.append(time.perf_counter() - between)
    assert min(ours) < min(theirs)


def test_the_page_is_true():
    text = "\n".join(block.removeprefix("python\n") for block in PAGE.read_text(encoding="utf-8").split("```")[1::2])
    page = doctest.DocTestParser().get_doctest(text, {}, PAGE.name, str(PAGE), 0)
    assert len(page.examples) >= 9
    assert doctest.DocTestRunner().run(page).failed == 0
