"""Games of simultaneous moves solved exactly, and how much a strategy can be exploited."""

import json

import numpy as np
import pytest
from scipy.optimize import linprog
from typer.testing import CliRunner

import ramify
from ramify.cli.main import app
from ramify.solver.backward_induction import BackwardInduction
from ramify.solver.exploitability import best_response, exploitability
from ramify.solver.matrix_games import equilibrium
from tests import toys


def start(name):
    return ramify.load(name).initial()


def test_known_matrix_games():
    value, first, second = equilibrium(np.array([[3.0, -1.0], [-2.0, 1.0]]))  # by hand: x = 3/7, y = 2/7
    assert value == pytest.approx(1 / 7)
    assert first == pytest.approx([3 / 7, 4 / 7])
    assert second == pytest.approx([2 / 7, 5 / 7])
    value, first, second = equilibrium(np.array([[4.0, 2.0, 3.0], [1.0, 0.0, 5.0]]))  # a saddle point
    assert (value, first.tolist(), second.tolist()) == (2.0, [1.0, 0.0], [0.0, 1.0, 0.0])


@pytest.mark.parametrize("shape", [(1, 1), (1, 4), (4, 1), (2, 5), (6, 6)])
def test_nobody_gains_by_another_mixture(shape):
    random = np.random.default_rng(7)
    for _ in range(10):
        payoffs = random.uniform(0, 1, shape)
        value, first, second = equilibrium(payoffs)
        assert (first @ payoffs).min() == pytest.approx(value, abs=1e-9)
        assert (payoffs @ second).max() == pytest.approx(value, abs=1e-9)
        assert first.sum() == pytest.approx(1.0)
        assert second.min() >= 0.0


def shares(mixed):
    return {move.name: p for move, p in mixed.items()}


def test_small_games_with_known_equilibria():
    solution = ramify.solve(start("rock_paper_scissors"))
    assert solution.value == 0.5
    for mixed in solution.strategies:
        assert shares(mixed) == pytest.approx({"rock": 1 / 3, "paper": 1 / 3, "scissors": 1 / 3})
    biased = ramify.solve(start("rock_paper_scissors(rock=50, paper=25, scissors=5)"), moves=True)
    for mixed in biased.strategies:
        assert shares(mixed) == pytest.approx({"rock": 1 / 16, "paper": 10 / 16, "scissors": 5 / 16})
    assert [bounds[0] for bounds in biased.values.values()] == pytest.approx([0.5] * 3)
    pennies = ramify.solve(start("matching_pennies"))
    assert pennies.value == 0.5
    assert [shares(mixed) for mixed in pennies.strategies] == [pytest.approx({"heads": 0.5, "tails": 0.5})] * 2


def test_runners_run():
    solution = ramify.solve(start("runners(distance=6, steps=2, turns=5)"))
    assert solution.value == 0.5
    assert [shares(mixed)["2"] for mixed in solution.strategies] == [1.0, 1.0]


def exact(solver):
    return lambda state, player: shares(solver.strategies(state)[player])


@pytest.mark.parametrize(
    "name",
    [
        "goofspiel(cards=3)",
        'goofspiel(cards=4, order="descending", returns="point_difference")',
        "tron(rows=3, columns=4)",
    ],
)
def test_symmetric_games_are_worth_a_half_and_equilibria_cannot_be_exploited(name):
    state = start(name)
    solver = BackwardInduction(state, 10_000)
    assert solver.value(state) == pytest.approx(0.5, abs=1e-9)
    assert exploitability(state, exact(solver)) == pytest.approx(0.0, abs=1e-7)


def sequence_form_free(state):
    """The value of a game by one linear program over all pairs of pure plans of its first two plies; for tiny games."""
    payoffs = np.array([[state.play((a, b)).scores()[0] for b in state.moves(1)] for a in state.moves(0)])
    rows, columns = payoffs.shape
    found = linprog(
        [0.0] * rows + [-1.0],
        A_ub=np.hstack([-payoffs.T, np.ones((columns, 1))]),
        b_ub=np.zeros(columns),
        A_eq=[[1.0] * rows + [0.0]],
        b_eq=[1.0],
        bounds=[(0, None)] * rows + [(None, None)],
    )
    return -found.fun


def test_positions_of_all_three_kinds():
    """The auction: scores need not add up, which is told; the last bid of a game that is a matrix is one."""
    with pytest.raises(ramify.RamifyError, match="do not always add up to 1"):
        ramify.solve(toys.load("auction").initial())
    with pytest.raises(ramify.RamifyError, match="has 3 players: with simultaneous moves"):
        ramify.solve(start("goofspiel(cards=3, players=3)"))
    tiny = start('goofspiel(cards=2, order="descending", returns="point_difference")')
    assert ramify.solve(tiny).value == pytest.approx(sequence_form_free(tiny))


def test_chance_before_the_first_move():
    state = start("goofspiel(cards=3)")
    solution = ramify.solve(state)
    assert (solution.value, solution.strategies, solution.move) == (0.5, [], None)
    after = ramify.solve(state.play("3"))
    assert len(after.strategies) == 2


def test_a_mirrored_position_has_the_mirrored_value():
    game = ramify.load('goofspiel(cards=4, order="descending", returns="point_difference")')
    for text, mirror in (("1-2-4/1-3-4 1-2 3 0/0", "1-3-4/1-2-4 1-2 3 0/0"), ("1-2-4/1-2-3 1-2 3 0/4",) * 2):
        if text != mirror:
            here, there = (ramify.solve(game.position(one)).value for one in (text, mirror))
            assert here + there == pytest.approx(1.0)
            assert here != pytest.approx(0.5)


def test_limits():
    state = start("goofspiel(cards=5)")
    few = ramify.solve(state, nodes=100)
    assert (few.value, few.lower, few.upper, few.stopped) == (None, 0.0, 1.0, "nodes")
    with pytest.raises(ramify.RamifyError, match="depth does not apply"):
        ramify.solve(state, depth=3)
    over = start("matching_pennies").play("heads+heads")
    with pytest.raises(ramify.RamifyError, match="the game is over"):
        ramify.solve(over)


def test_too_large_is_told(monkeypatch):
    monkeypatch.setattr("ramify.solver.solve.MAX_POSITIONS", 50)
    with pytest.raises(ramify.RamifyError, match="more than 50 positions from here, too many to solve"):
        ramify.solve(start("goofspiel(cards=4)"))


def test_games_of_openspiel():
    solution = ramify.solve(start("openspiel:matrix_brps"))
    assert shares(solution.strategies[0]) == pytest.approx({"Rock": 1 / 16, "Paper": 10 / 16, "Scissors": 5 / 16})
    ours = ramify.solve(start("oshi_zumo(coins=4, size=1, min_bid=1)").play("2+1")).value
    theirs = ramify.solve(start("openspiel:oshi_zumo(coins=4, size=1, min_bid=1)").play("Bid:_2+Bid:_1")).value
    assert ours == pytest.approx(theirs)


def test_what_can_be_exploited():
    state = start("rock_paper_scissors")
    rock = {"rock": 1.0}
    assert best_response(state, lambda here, player: rock, 0) == 1.0
    assert exploitability(state, lambda here, player: rock) == 0.5
    even = dict.fromkeys(("rock", "paper", "scissors"), 1 / 3)
    assert exploitability(state, lambda here, player: even) == pytest.approx(0.0)
    lopsided = {"rock": 0.5, "paper": 0.25, "scissors": 0.25}  # paper gains a quarter of a win: half of it in score
    assert exploitability(state, lambda here, player: lopsided) == pytest.approx(0.125)
    with pytest.raises(ramify.RamifyError, match="must add up to 1"):
        exploitability(state, lambda here, player: {"rock": 0.5})
    with pytest.raises(ramify.RamifyError, match="exploitability needs two"):
        exploitability(start("goofspiel(cards=3, players=3)"), lambda here, player: {})


def test_the_command():
    done = CliRunner().invoke(app, ["solve", "matching_pennies"])
    assert done.exit_code == 0
    assert "value       0.5 (draws) for the first player" in done.output
    assert "player 1    heads 0.5000, tails 0.5000" in done.output
    done = CliRunner().invoke(app, ["solve", "rock_paper_scissors", "--json"])
    assert json.loads(done.output)["strategies"][0] == pytest.approx(
        dict.fromkeys(("rock", "paper", "scissors"), 1 / 3)
    )
    done = CliRunner().invoke(app, ["solve", "goofspiel(cards=5)", "--nodes", "10"])
    assert done.exit_code == 1


def average_strategies(agent, simulations):
    """What searches of every position asked for make of it."""
    known = {}

    def ask(state, player):
        if state not in known:
            search = ramify.Search(ramify.State(state.game, state.data), agent, seed=1)
            search.run(ramify.Budget(simulations=simulations))
            known[state] = [
                dict(
                    zip(
                        [state.game.move_name(state.data, int(code)) for code in own.codes()],
                        own.average_strategy(),
                        strict=True,
                    )
                )
                for own in search.moves_of_all()
            ]
        return known[state][player]

    return ask


def test_searches_approach_the_equilibrium_of_goofspiel_and_ucb1_does_not():
    """By exploitability of the average strategies, from 135 searches of all positions."""
    state = start('goofspiel(cards=4, order="descending", returns="point_difference")')
    found = {
        (policy, simulations): exploitability(
            state, average_strategies(f"mcts(select={policy}, recommend=mixed)", simulations)
        )
        for policy in ("exp3(g=0.1)", "regret_matching", "ucb1")
        for simulations in (200, 10_000)
    }
    for policy, few, many in (("exp3(g=0.1)", 0.05, 0.03), ("regret_matching", 0.01, 0.005)):
        assert found[policy, 200] > few
        assert found[policy, 10_000] < many
    assert found["ucb1", 10_000] > 0.035
