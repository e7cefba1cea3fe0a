"""Presets of general game players: their constants, and what they mean in a search."""

from math import exp

import pytest

import ramify
from ramify.agents.agent import expand_preset
from ramify.agents.budgets.budget import Budget
from ramify.grammar import parse

PLAYOUT = "playout=mast(temperature=0.1, initial=1.0, decay=1.0)"
REWARD = "reward=chain(first=difference, then=score, last=discount(factor=0.999, single_player=false))"
REST = "recommend=max, reuse=true"
ABOVE = "select=sufficiency_dynamic(c=0.4, orientation=above"


@pytest.mark.parametrize(
    ("preset", "full"),
    [
        ("cadiaplayer", f"mcts(select=ucb1(c=0.4), {PLAYOUT}, {REWARD}, {REST})"),
        (
            "cadiaplayer(threshold=above, batch_size=1)",
            f"mcts({ABOVE}, nodes=root, training=search), {PLAYOUT}, {REWARD}, {REST}, batch_size=1)",
        ),
        (
            "cadiaplayer(threshold=above, nodes=all, training=game)",
            f"mcts({ABOVE}, nodes=all, training=game), {PLAYOUT}, {REWARD}, {REST})",
        ),
        (
            "cadiaplayer_ngrams(c=0.3, discount=0.99, bonus=relative_bonus(k=2))",
            (
                "mcts(select=ucb1(c=0.3),"
                " playout=ngram(max_length=3, min_visits=7.0, epsilon=0.2, initial=1.0, decay=1.0),"
                " reward=chain(first=difference, then=relative_bonus(k=2),"
                " last=discount(factor=0.99, single_player=false)),"
                f" {REST})"
            ),
        ),
    ],
)
def test_what_a_preset_stands_for(preset, full):
    assert str(expand_preset(parse(preset))) == full
    assert str(ramify.agent(preset)) == preset


@pytest.mark.parametrize(
    ("preset", "sentence"),
    [
        ("cadiaplayer(threshold=over)", "'threshold' must be none, below or above, not 'over'"),
        ("cadiaplayer(threshold=above, nodes=leaf)", "'nodes' must be one of root, all, not 'leaf'"),
        ("cadiaplayer(bonus=ucb1)", "unknown reward 'ucb1'"),
        ("ramify_ggp(c=1)", "'c'"),
    ],
)
def test_mistakes(preset, sentence):
    with pytest.raises(ramify.RamifyError, match=sentence):
        ramify.agent(preset)


def test_gibbs_sampling_on_goals():
    """exp(goal / 10) on goals from 0 to 100, unseen moves counting 100: but for a factor, the weights of the table."""
    worker = ramify.Search(ramify.load("gdl:tictactoe").initial(), "cadiaplayer", seed=1).workers[0]
    (table,) = worker.parts.playout.learning.tables
    assert set(table.weights) == {1.0}
    worker.run(Budget(simulations=30), lambda: True)
    seen = table.sums[:, 0] > 0
    assert seen.any()
    assert not seen.all()
    for (count, total), weight in zip(table.sums, table.weights, strict=True):
        goal = 100 * total / count if count else 100.0
        assert weight == pytest.approx(exp(goal / 10) / exp(100 / 10))


def test_a_win_at_once_is_discounted_by_one_ply():
    """x has two in a row and moves."""
    state = ramify.load("gdl:tictactoe").initial()
    for cell in ("mark(1,1)", "mark(2,2)", "mark(1,2)", "mark(3,3)"):
        state = state.play(cell)
    report = ramify.search(state, "cadiaplayer", simulations=300, seed=1)
    assert report.children[0].move.name == "mark(1,3)"
    assert report.children[0].value == pytest.approx(0.999)
    assert report.move == max(report.children, key=lambda child: child.value).move


def test_alone_there_is_no_discount():
    plain, cadia = (
        ramify.search(ramify.load("gdl:eight_puzzle").initial(), agent, simulations=100, seed=1)
        for agent in (f"mcts(select=ucb1(c=0.4), {PLAYOUT})", "cadiaplayer")
    )
    assert plain.children == cadia.children


@pytest.mark.parametrize("game", ["gdl:connect4", "gdl:runners", "gdl:battle"])
def test_ramify_ggp_plays_every_kind(game):
    assert ramify.search(ramify.load(game).initial(), "ramify_ggp", simulations=200, seed=1).move
