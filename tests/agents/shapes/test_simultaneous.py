"""Searches of positions where everybody moves at once: what they tell, what they are given, and what is refused."""

import numpy as np
import pytest

import ramify
from ramify import CHANCE, Budget
from ramify.contract.game import JointMove
from ramify.core.kernels.compiling import JIT
from tests import toys
from tests.trusting import trust_all

PAYOFFS = {
    "rps": np.array([[0.5, 0.0, 1.0], [1.0, 0.5, 0.0], [0.0, 1.0, 0.5]]),
    "biased": np.array([[0.5, 0.25, 1.0], [0.75, 0.5, 0.25], [0.0, 0.75, 0.5]]),
    "pennies": np.array([[1.0, 0.0], [0.0, 0.5]]),
}


def rps(wins=2):
    return toys.load(f"rock_paper_scissors(wins={wins})").initial()


def harvest(players=3):
    return toys.load(f"harvest(players={players})").initial().play("sun")


# What is reported.


def test_a_move_is_recommended_to_everybody():
    report = ramify.search(harvest(), simulations=300, seed=1)
    assert report.joint
    assert isinstance(report.move, JointMove)
    assert report.move == report.joint_move
    assert [child.player for child in report.children] == [0] * 2 + [1] * 3 + [2] * 2
    for player in range(3):
        moves = report.children_of(player)
        assert sum(child.visits for child in moves) == 300
        assert report.move[player] == moves[0].move
    assert harvest().play(report.move) == harvest().play(str(report.move))
    assert report.variation[0] == report.move


def test_or_to_the_one_who_searches():
    report = ramify.search(harvest(), simulations=300, seed=1, player=1)
    assert report.move == report.children[0].move == report.joint_move[1]
    assert [child.player for child in report.children] == [1] * 3
    assert report.value == report.children[0].value
    search = ramify.Search(harvest(), seed=1, player=1)
    assert search.choose(Budget(simulations=300)) == report.move.code


def test_as_plain_data():
    rows = ramify.search(harvest(), "mcts(select=exp3, recommend=mixed)", simulations=100, seed=1, player=2).to_dict()
    assert rows["player"] == 2
    assert rows["move"] == rows["players"][2]["move"] == rows["joint_move"].split("+")[2]
    assert sum(child["share"] for child in rows["children"]) == pytest.approx(1.0)
    assert {child["player"] for child in rows["children"]} == {2}
    of_turns = ramify.search(ramify.load("tictactoe").initial(), simulations=10, seed=1, player=1).to_dict()
    assert not {"player", "players", "joint_move"} & of_turns.keys()


def test_the_tree_has_joint_moves():
    report = ramify.search(harvest(), simulations=400, seed=2)
    root = report.tree()
    children = root.children()
    assert sum(child.visits for child in children) == 400
    assert [child.visits for child in children] == sorted((child.visits for child in children), reverse=True)
    for player in range(3):
        for arm in report.children_of(player):
            met = [child for child in children if child.move[player] == arm.move]
            assert sum(child.visits for child in met) == arm.visits
            assert sum(child.visits * child.values[player] for child in met) == pytest.approx(arm.visits * arm.value)
    best = children[0]
    assert best.state == harvest().play(best.move)
    assert best.value == best.values[0]
    assert {node.state.to_move for node in root.walk()} > {CHANCE, ramify.SIMULTANEOUS}
    assert best.variation()[0] == best.children()[0].move


def test_nobody_else_has_moves_there():
    report = ramify.search(harvest(), simulations=10, seed=1)
    with pytest.raises(ramify.RamifyError, match="player 3 has no moves"):
        report.children_of(3)


@pytest.mark.parametrize("player", [-1, 3, True, "1"])
def test_who_searches_is_one_of_the_players(player):
    with pytest.raises(ramify.RamifyError, match="use 0 to 2"):
        ramify.search(harvest(), simulations=10, player=player)


# Budgets, threads, trees that are kept.


def test_chunks_budgets_and_threads():
    whole = ramify.search(rps(), "mcts(select=ucb1_tuned)", simulations=500, seed=3).to_dict()
    search = ramify.Search(rps(), "mcts(select=ucb1_tuned)", seed=3)
    for part in (1, 9, 90, 400):
        report = search.run(Budget(simulations=part))
    assert report.to_dict()["children"] == whole["children"]
    assert ramify.search(rps(), calls=1000, seed=1).stopped == "calls"
    assert ramify.search(rps(), seconds=0.01, seed=1).stopped == "seconds"
    small = ramify.search(rps(), simulations=100_000, memory=60_000, seed=1)
    assert small.stopped == "memory"
    assert small.nodes * 32 <= 60_000
    twice = [ramify.search(rps(), simulations=300, threads=3, seed=5).to_dict()["children"] for _ in range(2)]
    assert twice[0] == twice[1]
    assert sum(child["visits"] for child in twice[0] if child["player"] == 0) == 300


def test_too_little_memory_for_any_tree_says_how_much_it_takes():
    with pytest.raises(ramify.RamifyError, match=r"is too small: .* needs at least"):
        ramify.search(rps(), simulations=10, memory=500)


def test_a_tree_is_kept_below_a_joint_move():
    search = ramify.Search(rps(), seed=4)
    search.run(Budget(simulations=500))
    child = search.report().tree().children()[0]
    known = child.visits
    search.advance(child.move)
    assert search.state == rps().play(child.move)
    assert sum(one.visits for one in search.run(Budget(simulations=1)).children_of(0)) == known
    with pytest.raises(ramify.RamifyError, match="one move per player"):
        search.advance("rock")


def test_a_search_stops_early_when_everybody_has_chosen():
    state = toys.load("auction").initial().play("prize3")
    report = ramify.search(state, "uct(stop_early=true)", simulations=20_000, seed=1)
    whole = ramify.search(state, "uct", simulations=20_000, seed=1)
    assert report.stopped == "settled"
    assert report.simulations < 20_000
    assert report.move == whole.move


def test_a_search_goes_on_until_every_recommendation_is_settled():
    report = ramify.search(harvest(), "mcts(recommend=max_robust(limit=3))", simulations=100, seed=7)
    assert 100 <= report.simulations <= 400


def test_a_cut_playout_counts_as_a_draw():
    """Every playout is cut, where the rules would give each player an eighth of what it has."""
    state = toys.load("harvest(players=3, rounds=20)").initial().play("sun")
    report = ramify.search(state, "mcts(playout=uniform(limit=1))", simulations=50, seed=1)
    assert report.cut == 50
    assert [child.value for child in report.children] == [0.5] * 7


@pytest.mark.skipif(not JIT, reason="compiled code raises otherwise")
def test_what_an_author_raises_tells_where(tmp_path, monkeypatch):
    trust_all(monkeypatch.setattr)
    path = tmp_path / "wrong.py"
    source = (toys.FOLDER / "rock_paper_scissors.py").read_text(encoding="utf-8")
    broken = "    state.rounds += 1\n    if state.rounds == 3:\n        raise ValueError\n"
    path.write_text(source.replace("    state.rounds += 1\n", broken), encoding="utf-8")
    search = ramify.Search(ramify.load(str(path)).initial(), "mcts(playout=uniform(limit=1))", seed=1)
    search.run(Budget(simulations=3))
    with pytest.raises(ramify.RamifyError, match=r"play_joint.*in the position .* after 3 rounds, seed 1"):
        search.run(Budget(simulations=500))
    report = search.report()
    assert sum(child.visits for child in report.children_of(0)) == int(search.workers[0].tree.nodes["visits"][0])


# What does not work.


@pytest.mark.parametrize(
    ("agent", "reason"),
    [
        ("mcts(select=rave)", "select=rave does not support simultaneous moves"),
        ("mcts(select_root=grave)", "select=grave does not support simultaneous moves"),
        ("mcts(allocation=sequential_halving)", "allocation=sequential_halving does not support simultaneous moves"),
        ("mcts(allocation=shot)", "it allocates among moves of a single player"),
        ("mcts(allocation=gumbel)", "remove it, or use simultaneous=turn_based"),
        ("mcts(prove=true)", "prove=true does not support simultaneous moves"),
        ("mcts(transpositions=uct2)", "transpositions=uct2 does not support simultaneous moves"),
        ("mcts(playout=mast)", "playout=mast does not support simultaneous moves"),
        ("mcts(playout=decisive)", "playout=decisive does not support simultaneous moves"),
    ],
)
def test_what_is_for_turns_is_refused(agent, reason):
    with pytest.raises(ramify.RamifyError, match=reason):
        ramify.Search(rps(), agent)
    if "playout" not in agent or "mast" in agent:
        report = ramify.search(rps(), f"{agent[:-1]}, simultaneous=turn_based)", simulations=60, seed=1)
        assert report.simulations == 60 or report.proven is not None


@pytest.mark.parametrize("text", ["mcts(simultaneous=later)", "mcts(deviation=none)"])
def test_words_that_mean_nothing(text):
    with pytest.raises(ramify.RamifyError, match=r"must be (joint or turn_based|pooled or children), not"):
        ramify.agent(text)


# The turn-based treatment.


def test_in_turns_the_others_know_what_one_chose():
    """In one round of rock, paper, scissors whoever chooses first loses; searched jointly, it is even."""
    state = toys.load("matrix").initial()
    for player in (0, 1):
        report = ramify.search(state, "uct(simultaneous=turn_based)", simulations=2000, seed=1, player=player)
        assert report.value < 0.1
        assert report.player == player
        assert report.to_dict()["player"] == player
        assert len(report.children) == 3
        assert [str(move) for move in report.variation] in (
            ["rock", "paper"],
            ["paper", "scissors"],
            ["scissors", "rock"],
        )
    assert ramify.search(state, "uct", simulations=2000, seed=1).value == pytest.approx(0.5, abs=0.05)


def test_in_turns_it_is_a_game_of_turns():
    """The same tree as of a game that is written so: one player after the other, and what they chose in the state."""
    report = ramify.search(harvest(), "uct(simultaneous=turn_based)", simulations=300, seed=2, player=1)
    root = report.tree()
    assert root.state.to_move == 1
    following = root.children()[0]
    assert following.state.to_move == 2
    assert following.children()[0].state.to_move == 0
    last = following.children()[0].children()[0]
    codes = [0] * 3
    node = last
    for player in (0, 2, 1):
        codes[player] = node.move.code
        node = node._origin
    after = harvest().game.play_joint(harvest().data, codes)
    assert last.state.data["worth"].tolist() == after["worth"].tolist()
    assert last.state.data["turns_codes"].tolist() == [[0, 0, 0]]


def test_in_turns_a_tree_is_kept():
    search = ramify.Search(harvest(), "uct(simultaneous=turn_based)", seed=3, player=2)
    search.run(Budget(simulations=500))
    node = search.report().tree()
    codes = [0] * 3
    for player in (2, 0, 1):
        node = node.children()[0]
        codes[player] = node.move.code
    known = node.visits
    move = [next(m for m in harvest().moves(player) if m.code == codes[player]) for player in range(3)]
    search.advance(move)
    assert search.state == harvest().play(move)
    assert int(search.workers[0].tree.nodes["visits"][0]) == known
    search.run(Budget(simulations=10))


@pytest.mark.parametrize("playout", ["uniform", "heuristic", "mast", "uniform(limit=3)"])
def test_in_turns_with_other_playouts(playout):
    agent = f"mcts(simultaneous=turn_based, playout={playout})"
    assert ramify.search(harvest(), agent, simulations=100, seed=1).simulations == 100


# Mixed strategies.


def strategies(kind, select, simulations=60_000, seed=1):
    """What everybody is recommended in a matrix game."""
    state = toys.load(f'matrix(kind="{kind}")').initial()
    report = ramify.search(state, f"mcts(select={select}, recommend=mixed)", simulations=simulations, seed=seed)
    found = []
    for player in (0, 1):
        shares = {child.move.code: child.probability for child in report.children_of(player)}
        found.append(np.array([shares[code] for code in sorted(shares)]))
    return found


def exploitability(kind, select, **settings):
    """What both together could gain by playing the best reply; 0 in equilibrium."""
    first, second = strategies(kind, select, **settings)
    return float((PAYOFFS[kind] @ second).max() - (first @ PAYOFFS[kind]).min())


@pytest.mark.skipif(not JIT, reason="too many simulations for plain Python")
@pytest.mark.parametrize("kind", PAYOFFS)
def test_exp3_and_regret_matching_approach_the_equilibrium(kind):
    for select, most in (("exp3(g=0.05)", 0.05), ("regret_matching(g=0.02)", 0.02)):
        assert exploitability(kind, select) < most
        assert exploitability(kind, select) < exploitability(kind, select, simulations=300)


@pytest.mark.skipif(not JIT, reason="too many simulations for plain Python")
def test_the_equilibria_are_those_on_paper():
    for select in ("exp3(g=0.05)", "regret_matching(g=0.02)"):
        for strategy in strategies("biased", select, simulations=200_000):
            assert strategy == pytest.approx([0.25, 0.5, 0.25], abs=0.04)
        for strategy in strategies("pennies", select, simulations=200_000):
            assert strategy == pytest.approx([1 / 3, 2 / 3], abs=0.04)


@pytest.mark.skipif(not JIT, reason="too many simulations for plain Python")
@pytest.mark.parametrize("kind", ["biased", "pennies"])
def test_ucb1_does_not_mix_as_it_should(kind):
    """It gets no nearer, however long it searches: its choices answer those of the other player, in step."""
    worst = max(exploitability(kind, "ucb1", seed=seed) for seed in range(3))
    assert worst > 0.1
    assert max(exploitability(kind, "ucb1", simulations=600_000, seed=seed) for seed in range(3)) > 0.1


def test_a_mixed_strategy_is_drawn_by_the_generator():
    """Each player draws by itself; the same search draws the same move again and another seed another."""
    state = toys.load("matrix").initial()
    agent = "mcts(select=regret_matching, recommend=mixed)"
    drawn = [str(ramify.search(state, agent, simulations=400, seed=seed).move) for seed in range(40)]
    assert drawn == [str(ramify.search(state, agent, simulations=400, seed=seed).move) for seed in range(40)]
    assert len(set(drawn)) >= 7
    search = ramify.Search(state, agent, seed=1)
    assert search.run(Budget(simulations=100)).move == search.report().move


def test_without_a_strategy_of_its_own_a_policy_mixes_by_visits():
    report = ramify.search(rps(), "mcts(recommend=mixed)", simulations=200, seed=1)
    for child in report.children:
        assert child.probability == child.visits / 200
    tictactoe = ramify.search(ramify.load("tictactoe").initial(), "mcts(recommend=mixed)", simulations=90, seed=1)
    assert sum(child.probability for child in tictactoe.children) == pytest.approx(1.0)
