"""The dynamic sufficiency threshold in a search: where it applies, and what it learns from."""

import pytest

import ramify
from ramify.bench.signature.digest import tree
from ramify.contract.load import load

# Each game with the agent's other arguments: a tree, a graph, a nest of halvings, an open loop, simultaneous moves.
SEARCHES = [
    ("connect4", ""),
    ("connect4", ", transpositions=uct2"),
    ("connect4", ", allocation=h_mcts(limit=6)"),
    ("pig", ", chance=open_loop"),
    ("runners", ""),
]
WINS, OTHERS = 0, 2  # places in the policy's memory


def searched(game, agent, simulations=600):
    search = ramify.Search(load(game).initial(), f"mcts({agent})", seed=1)
    search.run(ramify.Budget(simulations=simulations))
    return search


def grown(search):
    """The whole tree."""
    return list(tree(search.workers[0]))


@pytest.mark.compiled_only
@pytest.mark.parametrize("orientation", ["below", "above"])
@pytest.mark.parametrize(("game", "more"), SEARCHES)
def test_exploration_stays_below_the_root(game, more, orientation):
    """As a policy for all nodes it is UCB1 below the root, so that refutations are searched."""
    threshold = f"sufficiency_dynamic(c=0.7, orientation={orientation}"
    everywhere = searched(game, f"select={threshold}){more}")
    at_root = searched(game, f"select_root={threshold}), select=ucb1(c=0.7){more}")
    assert grown(everywhere) == grown(at_root)
    assert grown(everywhere) != grown(searched(game, f"select=ucb1(c=0.7){more}"))
    assert grown(everywhere) != grown(searched(game, f"select={threshold}, nodes=all){more}"))


COUNTING = """from ramify.core.numbers.draws import below


def chosen(K, root, rng, memory):
    memory[0] += root
    memory[1] += 1.0
    return below(rng, K)
"""


@pytest.mark.parametrize(("game", "more"), [one for one in SEARCHES if "allocation" not in one[1]])
def test_every_simulation_meets_the_root_once(game, more, tmp_path):
    """At simultaneous moves only at the seat of the searching player."""
    file = tmp_path / "counting.py"
    file.write_text(COUNTING)
    search = searched(game, f"select={file}:chosen{more}", 200)
    roots, choices = search.workers[0].parts.selectors.root_block["memory"][0][:2]
    assert roots == 200
    assert choices > 400


def trained(search):
    block = search.workers[0].parts.selectors.root_block
    return {name: block[name][0][[WINS, OTHERS]].sum() for name in ("memory", "game_memory")}


def test_training_data_of_a_search_and_of_a_game():
    """All simulations of the same player: of this move, or of the game so far."""
    state = load("breakthrough(rows=5, columns=4)").initial()
    for training, name, sizes in (("search", "memory", (300, 300, 300)), ("game", "game_memory", (300, 600, 300))):
        search = ramify.Search(state, f"mcts(select=sufficiency_dynamic(training={training}), reuse=true)", seed=1)
        now = state
        for size in sizes[:2]:
            search.run(ramify.Budget(simulations=300))
            assert trained(search)[name] == size
            for _ in range(2):
                move = now.moves()[0]
                now = now.play(move)
                search.advance(move)
        search.restart(state, 1)
        search.run(ramify.Budget(simulations=300))
        assert trained(search) == {"memory": 0.0, "game_memory": 0.0} | {name: sizes[2]}


def test_another_player_starts_again():
    state = load("breakthrough(rows=5, columns=4)").initial()
    search = ramify.Search(state, "mcts(select=sufficiency_dynamic(training=game), reuse=true)", seed=1)
    for _ in range(3):
        search.run(ramify.Budget(simulations=300))
        assert trained(search)["game_memory"] == 300
        search.advance(state.moves()[0])
        state = state.play(state.moves()[0])


def test_training_matters():
    def moved(training):
        state = load("connect4").initial()
        search = ramify.Search(state, f"mcts(select=sufficiency_dynamic(training={training}), reuse=true)", seed=1)
        for _ in range(2):
            search.run(ramify.Budget(simulations=300))
            for _ in range(2):
                search.advance(state.moves()[3])
                state = state.play(state.moves()[3])
        search.run(ramify.Budget(simulations=300))
        return grown(search)

    assert moved("game") != moved("search")
