"""Adding a strategy of any kind is one file, found in a folder of the user's as ours are found in theirs."""

import textwrap

import pytest

import ramify
from ramify.strategies.base import STRATEGY_CLASSES
from ramify.strategies.registry import strategies

FILES = {
    "playout": """
        from dataclasses import dataclass
        from ramify.core.search.episode import EPISODE
        from ramify.core.kernels.compiling import kernel
        from ramify.core.kernels.pointers import record
        from ramify.strategies.base import BoundStrategy, Playout

        def none(rules, state, episode_, block):
            return -1  # cut after no ply

        @dataclass(frozen=True)
        class Silence(Playout):
            limit: int = 0

            def bind(self, game, *, traced):
                return BoundStrategy(kernel(none))
    """,
    "reward": """
        from dataclasses import dataclass
        import numpy as np
        from ramify.core.search.episode import EPISODE
        from ramify.core.kernels.compiling import kernel
        from ramify.core.kernels.pointers import array, record
        from ramify.strategies.base import BoundStrategy, Reward

        BLOCK = np.dtype([("share", np.float64), ("seen", np.int64)])

        def shrink(block_, episode_):
            block = record(block_, BLOCK)
            episode = record(episode_, EPISODE)
            block.seen += 1
            scores = array(episode.scores, 2, np.float64)
            for player in range(2):
                scores[player] *= block.share
            return 0

        @dataclass(frozen=True)
        class Shrunk(Reward):
            share: float = 0.5

            def bind(self, game):
                return BoundStrategy(kernel(shrink), np.array([(self.share, 0)], BLOCK))

            def reset(self, block):
                block["seen"] = 0
    """,
    "recommend": """
        from dataclasses import dataclass
        from ramify.strategies.base import Recommendation, best

        @dataclass(frozen=True)
        class Timid(Recommendation):
            def choose(self, visits, values, rng):
                return best(rng, -visits)
    """,
    "updates": """
        from dataclasses import dataclass
        from ramify.core.hooks.amaf import INDISCRIMINATE
        from ramify.strategies.base import Updates

        @dataclass(frozen=True)
        class Lies(Updates):
            weighted: bool = False

            def write_fields(self, block):
                block["errors"], block["mu"] = INDISCRIMINATE, 1.0
    """,
    "allocation": """
        from dataclasses import dataclass, replace
        import numpy as np
        from ramify.strategies.base import Allocation

        @dataclass(frozen=True)
        class HalfAtOnce(Allocation):
            needs_simulations = True
            keep: int = 2

            def spend(self, budget, run, root):
                first = budget.simulations // 2
                run(replace(budget, simulations=first))
                root.keep(np.argsort(-root.values)[: self.keep])
                return run(replace(budget, simulations=budget.simulations - first))
    """,
    "backup": """
        from dataclasses import dataclass
        import numpy as np
        from ramify.core.kernels.compiling import kernel
        from ramify.core.kernels.pointers import array, record
        from ramify.core.search.episode import EPISODE
        from ramify.strategies.base import Backup, BoundBackup

        BLOCK = np.dtype([("ends", np.int64), ("seen", np.int64)])

        def note(block_, episode_):
            block, episode = record(block_, BLOCK), record(episode_, EPISODE)
            leaf = array(episode.path, episode.depth + 1, np.int64)[episode.depth]
            array(block.ends + 8 * leaf, 1, np.float64)[0] += 1.0
            block.seen += 1
            return 0

        @dataclass(frozen=True)
        class Ends(Backup):
            columns = ("ends",)
            replaces_means = False

            def bind(self, game):
                return BoundBackup(np.zeros(1, BLOCK), kernel(note))
    """,
    "timing": """
        from dataclasses import dataclass
        from ramify.strategies.base import Timing

        @dataclass(frozen=True)
        class Hasty(Timing):
            most: float = 0.01

            def seconds(self, left, increment):
                return self.most
    """,
}


@pytest.fixture
def written(tmp_path):
    for role, text in FILES.items():
        (tmp_path / f"my_{role}.py").write_text(textwrap.dedent(text), encoding="utf-8")
    return tmp_path


def search(agent, game="connect4", **budget):
    found = ramify.Search(ramify.load(game).initial(), agent, seed=1)
    found.run(ramify.Budget(**(budget or {"simulations": 200})))
    return found


def test_every_kind_has_a_file_here():
    assert set(FILES) == set(STRATEGY_CLASSES)


def test_a_playout(written):
    found = search(f"mcts(playout={written}/my_playout.py)")
    report = found.report()
    assert report.cut > 150  # the others ended in the tree
    assert 0.4 < report.value < 0.6


def test_a_backup_with_a_column(written):
    worker = search(f"mcts(backup={written}/my_backup.py)").workers[0]
    used = int(worker.counters["nodes"][0])
    ends = worker.view.column("ends", slice(0, used))
    assert int(worker.parts.backup.block["seen"][0]) == ends.sum() == 200
    unexpanded = worker.tree.nodes["first"][:used] < 0
    assert (ends[unexpanded] == worker.tree.nodes["visits"][:used][unexpanded]).all()


def test_a_reward_with_a_memory_of_its_own(written):
    found = search(f"mcts(reward={written}/my_reward.py:shrunk(share=0.25))")
    assert max(child.value for child in found.report().children) <= 0.25
    block = found.workers[0].reward_block
    assert int(block["seen"][0]) == 200
    found.advance("4")
    assert int(block["seen"][0]) == 0


def test_a_reward_is_asked_about_playouts_that_were_cut(written):
    found = search(f"mcts(playout=uniform(limit=3), reward={written}/my_reward.py)")
    assert found.report().cut > 100
    assert int(found.workers[0].reward_block["seen"][0]) == 200


def test_a_recommendation(written):
    report = search(f"mcts(recommend={written}/my_recommend.py)").report()
    assert next(c.visits for c in report.children if c.move == report.move) == min(c.visits for c in report.children)


def test_updates(written):
    honest, lies = (
        search(f"mcts(select=rave, updates={u})") for u in ("true_updates", f"{written}/my_updates.py:lies")
    )
    assert int(lies.workers[0].parts.amaf.block["errors"][0]) == 1
    assert honest.workers[0].rng[0] != lies.workers[0].rng[0]


def test_an_allocation(written):
    name = f"{written}/my_allocation.py:half_at_once(keep=1)"
    found = search(f"mcts(allocation={name})")
    report = found.report()
    assert report.simulations == 200
    assert report.children[0].visits >= 100 + 100 // 7
    with pytest.raises(ramify.RamifyError, match="half_at_once needs a number of simulations"):
        search(f"mcts(allocation={name})", seconds=0.1)
    both = ramify.search(found.state, f"mcts(allocation={name})", simulations=200, seed=1, threads=2)
    assert both.simulations == 200


def test_a_timing(written):
    report = ramify.search(
        ramify.load("connect4").initial(), f"uct(timing={written}/my_timing.py:hasty(most=0.002), clock=60)"
    )
    assert report.stopped == "seconds"
    assert report.seconds < 1.0


def test_parameters_and_names_are_checked(written):
    with pytest.raises(ramify.RamifyError, match="has no allocation 'half'"):
        search(f"mcts(allocation={written}/my_allocation.py:half)")
    with pytest.raises(ramify.RamifyError, match="'keep' must be a whole number"):
        search(f"mcts(allocation={written}/my_allocation.py(keep=1.5))")
    with pytest.raises(ramify.RamifyError, match="unknown recommendation 'robbust': did you mean 'robust'"):
        search("mcts(recommend=robbust)")


@pytest.mark.parametrize("role", STRATEGY_CLASSES)
def test_what_every_game_can_do_is_there(role):
    assert STRATEGY_CLASSES[role].fallback in strategies(role)


@pytest.mark.parametrize(
    ("agent", "sentence"),
    [
        ("mcts(playout=heuristic)", r"connect4 has no heuristic, which playout=heuristic needs: use playout=uniform"),
        ("mcts(reward=score_bonus)", r"connect4 has no margin, which reward=score_bonus needs: use reward=score"),
    ],
)
def test_a_game_that_lacks_a_part_is_refused(agent, sentence):
    with pytest.raises(ramify.RamifyError, match=sentence):
        search(agent)
