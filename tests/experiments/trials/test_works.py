"""The works that experiments share: searches of a position, and pairs of games."""

from time import perf_counter, thread_time

import pytest

import ramify
from ramify.agents.budgets.player_limits import PlayerLimits
from ramify.errors import RamifyError
from ramify.experiments.framework.experiment import Point, PointResult
from ramify.experiments.framework.work import add_sums
from ramify.experiments.trials import paired_games
from ramify.experiments.trials.paired_games import GamesByProcessorTime, PairedGames, paired_results
from ramify.experiments.trials.position import PositionTrials, powers
from ramify.experiments.trials.tree import TreeTrials
from ramify.runs.seeds import derive

POSITION = "moves 4 4 3"
BUDGETS = powers(1, 7)


def trials(agent="uct(c=0.7)", **more):
    return PositionTrials("connect4", POSITION, agent, ("2", "5"), BUDGETS, **more)


@pytest.mark.parametrize(
    "agent", ["uct(c=0.7)", "mcts(select=sufficiency_dynamic, recommend=max)", "mcts(select=exp3)"]
)
def test_a_growing_search_is_the_same_as_separate_ones(agent):
    """Looking at a power of two on the way is a search with that budget and the same seed, also with a used memory."""
    found = trials(agent).run(11, 3, 4)
    state = ramify.load("connect4").position(POSITION)
    hits = [0] * len(BUDGETS)
    moves = {}
    for place, budget in enumerate(BUDGETS):
        for trial in range(3, 7):
            move = ramify.search(state, agent, simulations=budget, seed=derive(11, trial)).move.name
            hits[place] += move in ("2", "5")
            moves.setdefault(move, [0] * len(BUDGETS))[place] += 1
    assert found == {"hits": hits, "moves": moves}
    assert sum(map(sum, found["moves"].values())) == 4 * len(BUDGETS)


def test_trials_add_up():
    assert add_sums([trials().run(1, 0, 2), trials().run(1, 2, 3)]) == trials().run(1, 0, 5)


def test_separate_searches_have_seeds_of_their_own():
    found = trials(separate=True).run(1, 0, 3)
    state = ramify.load("connect4").position(POSITION)
    last = [
        ramify.search(state, "uct(c=0.7)", simulations=128, seed=derive(1, trial, 128)).move.name for trial in range(3)
    ]
    assert {move: counts[-1] for move, counts in found["moves"].items() if counts[-1]} == {
        move: last.count(move) for move in last
    }


@pytest.mark.parametrize(
    ("work", "sentence"),
    [
        (PositionTrials("connect4", "", "uct", ("9",), (1, 2)), "'9' is not a legal move"),
        (PositionTrials("connect4", "", "uct", ("1",), (2, 2)), "invalid budgets .*: use increasing whole numbers"),
        (
            PositionTrials("connect4", "", "mcts(recommend=max_robust)", ("1",), (2,)),
            "may exceed its budget: pass separate=True",
        ),
        (PositionTrials("connect9", "", "uct", ("1",), (2,)), "there is no game 'connect9'"),
        (PairedGames("connect4", "uct", "utc", PlayerLimits(5)), "unknown agent 'utc'"),
    ],
)
def test_mistakes_get_a_sentence(work, sentence):
    with pytest.raises(RamifyError, match=sentence):
        work.prepare()


def test_trees_have_a_choice_and_are_solved():
    """Trials add up; after enough simulations a best move is returned always, as the tree is small."""
    work = TreeTrials("p_game(branching=3, depth=4, seed={seed})", "uct(c=0.7)", (1, 2000))
    work.prepare()
    found = work.run(5, 0, 12)
    assert add_sums([work.run(5, 0, 5), work.run(5, 5, 7)]) == found
    assert found["hits"][1] == 12 > found["hits"][0]
    assert found["trees"] > 12  # in some all moves are as good


def test_pairs_are_those_of_a_match():
    """A point of games has the games of a match with the point's seed."""
    work = PairedGames("tictactoe", "uct(c=0.7)", "uct(c=0)", PlayerLimits(20))
    work.prepare()
    sums = {first: work.run(9, first, 5) for first in (0, 5)}
    match = ramify.match("tictactoe", "uct(c=0.7)", "uct(c=0)", games=20, simulations=20, seed=9, workers=0)
    results = paired_results(PointResult(Point("a", work, 10, 5), sums, 10))
    assert results == match.standing.results
    total = add_sums(sums.values())
    standing = match.standing
    assert (total["wins"], total["draws"], total["losses"]) == (standing.wins, standing.draws, standing.losses)
    assert total["plies"] == sum(row.plies for row in match.rows)


def test_games_by_processor_time(monkeypatch):
    """The games are the same; both agents' seconds are the processor's, and what each spends is summed."""
    clocks, play = [], paired_games.play

    def watched(spec, now):
        clocks.append(now)
        return play(spec, now=now)

    monkeypatch.setattr(paired_games, "play", watched)
    given = ("tictactoe", "uct(c=0.7)", "uct(c=0)", PlayerLimits(30), PlayerLimits(20))
    wall, processor = PairedGames(*given).run(9, 0, 3), GamesByProcessorTime(*given).run(9, 0, 3)
    assert clocks == 6 * [perf_counter] + 6 * [thread_time]
    agents = ("uct(c=0.7, simulations=30)", "uct(c=0, simulations=20)")
    match = ramify.match("tictactoe", *agents, games=6, seed=9, workers=0)
    spent = [
        sum(row.simulations[seat] for row in match.rows for seat in (0, 1) if row.seats[seat] == agent)
        for agent in (0, 1)
    ]
    assert processor.pop("simulations") == spent
    assert min(processor.pop("seconds")) > 0
    assert processor == wall
