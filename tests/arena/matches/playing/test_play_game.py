from dataclasses import replace

import pytest

import ramify
from ramify.agents.budgets.player_limits import PlayerLimits
from ramify.arena.matches.playing.play_game import play, score_of_first
from ramify.arena.matches.rows import GameRow
from ramify.core.search.tree import CHANCE
from ramify.runs.seeds import derive
from ramify.strategies.reward.relative_bonus import RelativeBonus
from tests.arena.games_for_tests import DICE, short_plan, timeless


def games(count, **more):
    plan = short_plan(games=count, **more)
    return list(plan.schedule().games(plan.pairs))


def test_a_game_is_a_function_of_its_specification():
    for spec in games(6, game="connect4"):
        first, second = play(spec), play(spec)
        assert timeless([first.record()]) == timeless([second.record()])
        assert first.spec() == spec


@pytest.mark.parametrize("reuse", ["false", "true"])
def test_searches_know_the_game_they_are_in(reuse, monkeypatch):
    """Each side's first search begins the game, which has an opening of two plies; all others go on with it."""
    spec = replace(games(2, game="connect4")[0], agents=(f"mcts(reward=relative_bonus, reuse={reuse})",) * 2)
    row = play(spec)  # compiles
    told, move_on = [], RelativeBonus.on_new_root

    def listen(self, block, state, *, same_game):
        told.append((len(state.history), same_game))
        move_on(self, block, state, same_game=same_game)

    monkeypatch.setattr(RelativeBonus, "on_new_root", listen)
    assert play(spec).moves == row.moves
    assert [plies for plies, same_game in told if not same_game] == [2, 3]
    assert max(told) == (row.plies - (reuse == "false"), True)


def test_a_row_survives_the_way_through_a_record():
    row = play(games(2)[0])
    assert GameRow.from_record(row.record()) == row


def test_the_moves_are_legal_and_give_the_scores():
    game = ramify.load("connect4")
    for spec in games(4, game="connect4"):
        row = play(spec)
        state = game.initial()
        for move in row.moves:
            state = state.play(move)
        assert state.over
        assert tuple(state.scores()) == row.scores
        assert row.score == row.scores[row.seats.index(0)]
        assert row.plies == len(row.moves) == len(row.searched)
        assert row.searched == (0, 0) + (20,) * (row.plies - 2)
        assert sum(row.simulations) == sum(row.searched)


def test_a_pair_starts_alike():
    first, second = (play(spec) for spec in games(2, opening_plies=5, game="connect4"))
    assert first.moves[:5] == second.moves[:5]


def test_games_start_at_given_positions(tmp_path):
    path = tmp_path / "openings.txt"
    path.write_text("moves 4 4 4\nmoves 1 2\n")
    rows = [play(spec) for spec in games(4, openings=path, game="connect4")]
    assert [row.start for row in rows] == ["moves 4 4 4", "moves 4 4 4", "moves 1 2", "moves 1 2"]
    assert all(row.opening_plies == 0 and row.searched[0] == 20 for row in rows)


def test_a_search_in_a_row_is_the_search_alone():
    spec = games(2, game="connect4", simulations=64)[1]
    row = play(spec)
    state = ramify.load("connect4").initial()
    for ply, move in enumerate(row.moves):
        if row.searched[ply]:
            alone = ramify.search(state, row.agents[state.to_move], simulations=64, seed=derive(spec.seed, ply))
            assert str(alone.move) == move
        state = state.play(move)


def test_budgets_in_calls():
    spec = games(2)[0]
    row = play(replace(spec, limits=(PlayerLimits(calls=300), PlayerLimits(calls=300))))
    for seat in (0, 1):
        searches = len(row.searched[2 + seat :: 2])
        assert 300 * searches <= row.calls[seat] < 310 * searches  # the last simulation may go beyond by its plies
    assert timeless([row.record()]) == timeless([play(row.spec()).record()])


@pytest.mark.parametrize("limits", [PlayerLimits(seconds=0.002), PlayerLimits(clock=0.2), PlayerLimits(clock=0.01)])
def test_a_timed_game_comes_again_from_its_simulations(limits):
    spec = replace(games(2, game="connect4")[0], limits=(limits, limits))
    for agents in (spec.agents, ("mcts(recommend=max_robust)", "mcts(reuse=true)")):
        row = play(replace(spec, agents=agents))
        again = play(row.spec(), row)
        assert (again.moves, again.searched) == (row.moves, row.searched)


def test_an_agent_may_keep_its_tree():
    spec = games(2, game="connect4", simulations=100)[0]
    kept = play(replace(spec, agents=("mcts(reuse=true)", "mcts")))
    fresh = play(replace(spec, agents=("mcts", "mcts")))
    assert kept.moves != fresh.moves
    assert timeless([kept.record()]) == timeless([play(kept.spec()).record()])


def test_three_players_and_chance(tmp_path):
    path = tmp_path / "dice.py"
    path.write_text(DICE)
    specs = games(6, game=str(path))
    assert [spec.seats for spec in specs] == [(0, 1, 1), (1, 0, 1), (1, 1, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)]
    rows = [play(spec) for spec in specs]
    dice = []
    for row in rows:
        state = ramify.load(row.game).initial()
        throws = []
        for move in row.moves:
            if state.to_move == CHANCE:
                throws.append(move)
            state = state.play(move)
        dice.append(throws)
        assert len(row.scores) == 3
    assert all(throws == dice[0] for throws in dice)  # a pair shares its dice as well as its opening


def test_the_score_of_the_first_agent():
    assert score_of_first([1.0, 0.0], (0, 1)) == 1.0
    assert score_of_first([1.0, 0.0], (1, 0)) == 0.0
    assert score_of_first([0.5, 0.5], (0, 1)) == 0.5
    assert score_of_first([0.9, 0.4], (0, 1)) == pytest.approx(0.75)  # scores that do not add up to 1
    # One winner among three equal players: 1/2 on average over the seats.
    wins = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]
    assert sum(score_of_first(scores, (0, 1, 1)) for scores in wins) / 3 == pytest.approx(0.5)
