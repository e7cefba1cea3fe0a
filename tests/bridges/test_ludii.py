"""Ludii's games through the bridge: searched as ours are, one call into Java a simulation, and nothing left behind."""

import doctest
import gc
import random
from pathlib import Path

import pytest

import ramify
from ramify.agents.budgets.budget import Budget
from ramify.bridges.ludii import rules as module
from ramify.bridges.ludii.game import LudiiGame
from ramify.bridges.ludii.rules import NO_MOVE, LudiiPosition, LudiiRules
from ramify.errors import RamifyError
from tests.bridges.with_ludii import needs_jar

pytestmark = needs_jar
PAGE = Path(__file__).parent.parent.parent / "docs" / "ludii.md"
AGENT = "mcts(select=ucb1(c=0.7), playout=uniform(limit=100))"
DICE = "20 Squares"


class SlowRules(LudiiRules):
    """The same without anything noted or known: every move is made at once, and a playout begins where it is."""

    def play(self, state, code):
        state.node = self.step(state.node, code)

    def _simulate(self, state, random, limit, *, traced):
        assert state.pending_move == NO_MOVE
        return super()._simulate(state, random, limit, traced=traced)


class Counted:
    """A session that counts its calls."""

    calls = 0

    def __init__(self, session):
        self._session = session

    def __getattr__(self, name):
        Counted.calls += name in ("step", "simulate")
        return getattr(self._session, name)


@pytest.fixture
def counted(monkeypatch):
    """Count the calls into Java that make moves or play out."""
    real = module.java_class

    def watched(name):
        return (lambda *given: Counted(real(name)(*given))) if name == "Session" else real(name)

    monkeypatch.setattr(module, "java_class", watched)
    monkeypatch.setattr(Counted, "calls", 0)


def numbers(report):
    return [(child.move.name, child.visits, repr(child.value)) for child in report.children], report.nodes, report.calls


def played(state, plies, seed=1):
    choose = random.Random(seed)
    for _ in range(plies):
        state = state.play(choose.choice(state.moves()))
    while state.to_move == ramify.CHANCE:
        state = state.play(choose.choice(state.moves()))
    return state


@pytest.mark.parametrize("name", ["Breakthrough", "Amazons", "Tic-Tac-Toe", "Nine Men's Morris", DICE])
def test_the_tree_is_that_of_rules_that_make_every_move_at_once(name):
    game = ramify.load(f"ludii:{name}")
    slow = LudiiGame(game.name, SlowRules(game.rules.game))
    fast = numbers(ramify.search(played(game.initial(), 4), AGENT, simulations=100, seed=3))
    assert fast == numbers(ramify.search(played(slow.initial(), 4), AGENT, simulations=100, seed=3))
    assert fast == numbers(ramify.search(played(game.initial(), 4), AGENT, simulations=100, seed=3))
    assert fast != numbers(ramify.search(played(game.initial(), 4), AGENT, simulations=100, seed=4))


@pytest.mark.parametrize("name", ["Breakthrough", "Amazons", DICE])
def test_a_simulation_is_one_call(counted, name):
    state = played(ramify.load(f"ludii:{name}").initial(), 4)
    Counted.calls = 0
    ramify.search(state, AGENT, simulations=200, seed=1)
    assert 190 <= Counted.calls <= 200  # none where a simulation ends in the tree


def test_positions_are_given_back():
    session = module.java_class("Session")
    game = ramify.load("ludii:Tic-Tac-Toe")
    state = game.initial()

    def rest():
        gc.collect()
        while module._released:
            game.rules._release_handles()
        return int(session.kept())

    before = rest()
    for seed in range(3):
        report = ramify.search(state, AGENT, simulations=400, seed=seed)
    assert rest() >= before
    del report
    assert rest() <= before + 1
    del state
    assert rest() <= before


def test_a_long_line_is_given_back_at_once():
    game = ramify.load("ludii:Amazons")
    state = game.initial()
    data = state.data
    for _ in range(300):
        data = game.play(state.data, game.legal(state.data)[0])
    node = first = data.node.copy()
    for number in range(20_000):  # a chain of places, as deep as no game gets
        after = node.copy()
        node.children[number] = after
        node = after
    del node, first, after
    gc.collect()


def test_the_tree_is_kept_when_the_game_goes_on(counted):
    agent = "mcts(reuse=true, playout=uniform(limit=20))"
    state = ramify.load("ludii:Breakthrough").initial()
    search = ramify.Search(state, agent, seed=1)
    first = search.run(Budget(simulations=300))
    after = state.play(first.move)
    search.advance(first.move)
    Counted.calls = 0
    report = search.run(Budget(simulations=100))
    assert Counted.calls <= 100
    assert sum(child.visits for child in report.children) > 100
    assert {child.move.name for child in report.children} == {move.name for move in after.moves()}


def test_one_player_may_move_twice_in_a_row():
    state = ramify.load("ludii:Amazons").initial()
    assert [played(state, plies).to_move for plies in range(5)] == [0, 0, 1, 1, 0]
    report = ramify.search(state, "mcts(select=ucb1(c=0.1))", simulations=300, seed=1)
    first = report.tree().children()[0]
    assert first.state.to_move == 0
    own = sum(child.value * child.visits for child in first.children() if child.visits)
    assert first.value * first.visits == pytest.approx(own, abs=1.0)  # its first playout went to no child


def test_a_win_is_found_and_goes_to_whoever_moves():
    state = ramify.load("ludii:Tic-Tac-Toe").initial()
    for move in ("A1", "A3", "B1", "B3"):
        state = state.play(next(one for one in state.moves() if one.name.startswith(move)))
    for agent in ("uct", "mcts(prove=true)"):
        report = ramify.search(state, agent, simulations=300, seed=1)
        assert report.move.name.startswith("C1")
        assert report.value > 0.9
    assert state.play(report.move).scores() == [1.0, 0.0]


def test_results_follow_those_who_swapped():
    state = ramify.load('ludii:Hex("Board Size/3x3")').initial()
    state = state.play(state.moves()[0]).play("swap")
    while not state.over:
        mover = state.to_move
        state = state.play(state.moves()[0])
    scores = state.scores()
    assert scores[mover] == 1.0  # in Hex whoever moves last has won
    assert sum(scores) == 1.0


def test_moves_that_mean_the_same_have_the_same_number():
    state = ramify.load("ludii:Gomoku").initial()
    first = {move.name.partition("+")[0]: move.code for move in state.moves()}
    later = {move.name.partition("+")[0]: move.code for move in played(state, 6).moves()}
    assert len(later) == len(first) - 6
    assert later.items() <= first.items()


@pytest.mark.parametrize(
    "agent", ["mcts(select=rave)", "mcts(playout=mast)", "mcts(allocation=shot)", "mcts(select=ucb1_tuned)"]
)
def test_other_searches_work(agent):
    state = played(ramify.load("ludii:Tic-Tac-Toe").initial(), 2)
    report = ramify.search(state, agent, simulations=80, seed=1)
    assert report.move in state.moves()
    again = ramify.search(state, agent, simulations=80, seed=1)
    assert numbers(report) == numbers(again)


def test_threads_have_their_own_sessions():
    state = ramify.load("ludii:Breakthrough").initial()
    report = ramify.search(state, AGENT, simulations=200, seed=1, threads=2)
    assert sum(child.visits for child in report.children) >= 200
    assert numbers(report) == numbers(ramify.search(state, AGENT, simulations=200, seed=1, threads=2))


def test_chance_is_sampled():
    game = ramify.load(f"ludii:{DICE}")
    state = game.initial()
    if state.to_move != ramify.CHANCE:
        state = state.play(state.moves()[0])
    assert state.to_move == ramify.CHANCE
    outcomes = state.chance_outcomes()
    assert sum(probability for _, probability in outcomes) == pytest.approx(1.0)
    assert len({tuple(one.name for one in state.play(move).moves()) for move, _ in outcomes}) > 1
    state = played(state, 9)
    assert game.position(state.text()) == state
    assert str(game.position(state.text())) == str(state)
    assert ramify.search(state, AGENT, simulations=100, seed=1).move in state.moves()


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("Geister", "it has hidden information"),
        ("Tavli", "it is a match of several games"),
        ("Sudoku", "it is a deduction puzzle"),
    ],
)
def test_games_that_cannot_be_searched_are_refused(name, reason):
    with pytest.raises(RamifyError) as told:
        ramify.load(f"ludii:{name}")
    assert str(told.value) == f"ludii:{name} is not supported: {reason}"


def test_names_read_back():
    game = ramify.load("ludii:breakthrough(board_size=6x6)")
    assert game.name == 'ludii:Breakthrough("Board Size/6x6")'
    assert ramify.load(game.name).name == game.name
    assert len(str(game.initial()).splitlines()[0].split()) == 13
    with pytest.raises(RamifyError, match="Breakthrough has no option 'board_size/3x3'; use one of \"Board Size/4x4\""):
        ramify.load("ludii:breakthrough(board_size=3x3)")


def test_what_goes_wrong_in_java_is_a_sentence():
    game = ramify.load("ludii:Tic-Tac-Toe")
    with pytest.raises(RamifyError, match=r"Ludii failed in Tic-Tac-Toe: .*no move has code 12345"):
        game.rules.step(game.initial().data.node, 12345)
    broken = LudiiPosition(game.initial().data.node)
    broken.node.handle = 10**6
    with pytest.raises(RamifyError, match="Ludii failed in Tic-Tac-Toe: "):
        game.rules.mover(broken) if broken.pending_move != NO_MOVE else game.rules.play(broken, 0) or game.rules.mover(
            broken
        )
    broken.node.original = broken.node  # no handle to release


def test_playouts_are_cut_where_they_should_be():
    state = ramify.load("ludii:Breakthrough").initial()
    report = ramify.search(state, "mcts(playout=uniform(limit=5))", simulations=50, seed=1)
    assert {child.value for child in report.children} == {0.5}
    assert report.calls <= 50 * 8


def test_the_page_is_true():
    text = "\n".join(block.removeprefix("python\n") for block in PAGE.read_text(encoding="utf-8").split("```")[1::2])
    page = doctest.DocTestParser().get_doctest(text, {}, PAGE.name, str(PAGE), 0)
    assert len(page.examples) >= 10
    assert doctest.DocTestRunner().run(page).failed == 0
