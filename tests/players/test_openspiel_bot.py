"""Our agents in OpenSpiel's loops."""

import numpy as np
import pyspiel
import pytest
from open_spiel.python.algorithms.mcts import MCTSBot, RandomRolloutEvaluator

import ramify
from ramify.errors import RamifyError
from ramify.players.openspiel_bot import RamifyBot
from ramify.runs.seeds import derive


def mcts_bot(game, simulations, seed=1):
    random = np.random.RandomState(seed)
    return MCTSBot(game, 1.4, simulations, RandomRolloutEvaluator(1, random), random_state=random)


def results(game, bots, count=1, first=0):
    return [pyspiel.evaluate_bots(game.new_initial_state(), bots, seed)[first] for seed in range(count)]


@pytest.mark.parametrize("agent", ["uct(c=0.7)", "mcts(select=rave, reuse=true)", "mcts(recommend=max)"])
def test_a_bot_plays_against_openspiels_mcts(agent):
    game = pyspiel.load_game("tic_tac_toe")
    ours, theirs = RamifyBot(game, agent, simulations=1500, seed=1), mcts_bot(game, 30)
    assert min(results(game, [ours, theirs], 4)) >= 0
    assert min(results(game, [theirs, ours], 4, first=1)) >= 0


def test_a_bot_beats_one_of_a_tenth_of_its_simulations():
    game = pyspiel.load_game("connect_four")
    ours, theirs = RamifyBot(game, "uct(c=0.7)", simulations=600, seed=1), mcts_bot(game, 30)
    assert sum(results(game, [ours, theirs], 3)) == 3
    assert sum(results(game, [theirs, ours], 3, first=1)) >= 1


@pytest.mark.parametrize("name", ["pig(players=3,winscore=10)", "python_tic_tac_toe", "breakthrough(rows=6,columns=6)"])
def test_one_bot_may_have_all_seats(name):
    """It plays what bots of the same seed do with a seat each: no seat's tree gets into another's way."""
    import open_spiel.python.games  # noqa: F401, PLC0415

    game = pyspiel.load_game(name)

    def played(bots):
        state = game.new_initial_state()
        pyspiel.evaluate_bots(state, bots, 1)
        return state.history()

    def bot():
        return RamifyBot(game, "mcts(reuse=true)", simulations=20, seed=1)

    assert played([bot()] * game.num_players()) == played([bot() for _ in range(game.num_players())])


def test_a_step_is_the_search_of_its_seed():
    game = pyspiel.load_game("connect_four")
    state = game.new_initial_state()
    for action in (3, 3, 2):
        state.apply_action(action)
    bot = RamifyBot(game, "uct(c=0.7)", simulations=200, seed=5)
    policy, action = bot.step_with_policy(state)
    same = ramify.load("openspiel:connect_four").initial().play("x3").play("o3").play("x2")
    report = ramify.search(same, "uct(c=0.7)", simulations=200, seed=derive(5, 3))
    assert action == report.move.code
    assert dict(policy) == {child.move.code: child.visits / 200 for child in report.children}
    assert [one for one, _ in policy] == state.legal_actions()


def test_a_tree_is_kept_along_the_game_and_forgotten_elsewhere():
    game = pyspiel.load_game("connect_four")
    bot = RamifyBot(game, "mcts(reuse=true)", simulations=300, seed=1)

    def tried(*actions):
        state = game.new_initial_state()
        for action in actions:
            state.apply_action(action)
        bot.step(state)
        return sum(bot._players[state.current_player()].search.statistics()[0])

    assert tried() == 300
    assert tried(3, 3) > 300  # of the first search as well
    assert tried(3, 3, 2) == 300  # the other player's
    assert tried(0, 1) == 300  # another game
    bot.restart()
    assert tried(0, 1, 2, 3) == 300


@pytest.mark.alone
def test_a_clock_is_for_the_whole_game():
    game = pyspiel.load_game("tic_tac_toe")
    bot = RamifyBot(game, clock=0.6, seed=1)
    pyspiel.evaluate_bots(game.new_initial_state(), [bot, bot], 1)
    left = [side.clock.remaining for side in bot._players.values()]
    assert all(0 < one < 0.6 for one in left)
    bot.restart()
    assert not bot._players
    hurried = RamifyBot(game, clock=1e-6, seed=1)
    policy, action = hurried.step_with_policy(game.new_initial_state())
    assert dict(policy)[action] == 1.0


@pytest.mark.parametrize(
    ("name", "more", "sentence"),
    [
        ("kuhn_poker", {"simulations": 5}, "it has imperfect information"),
        ("tic_tac_toe", {}, "uct has no budget: set simulations, seconds, calls or clock"),
        ("tic_tac_toe", {"agent": "uct(simulations=3)", "seconds": 1}, "its text already has one"),
        ("tic_tac_toe", {"agent": "mcts(playout=heuristic)", "seconds": 1}, "has no heuristic"),
        ("tic_tac_toe", {"agent": "nope", "seconds": 1}, "unknown agent 'nope'"),
    ],
)
def test_bad_bots_are_refused(name, more, sentence):
    with pytest.raises(RamifyError, match=sentence):
        RamifyBot(pyspiel.load_game(name), **more)


def test_a_bot_needs_a_game_of_openspiel():
    with pytest.raises(RamifyError, match=r"RamifyBot takes a pyspiel\.Game"):
        RamifyBot("tic_tac_toe", simulations=5)
