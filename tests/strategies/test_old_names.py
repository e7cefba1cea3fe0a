"""Users' strategies and agent texts in old names: they load with a warning and search as the new ones do."""

import warnings
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import pytest

import ramify
from ramify import bandits
from ramify.contract.registry import import_file
from ramify.old_names import MEMBERS
from ramify.strategies import base
from ramify.strategies.base import Allocation, Playout, Recommendation, Reward, Timing
from ramify.strategies.registry import strategies
from tests.processes import ROOT

NEW = f"{ROOT}/examples/own_strategies.py"
OLD_TEXT = Path(__file__).with_name("old_own_strategies.txt").read_text(encoding="utf-8")

AGENTS = {  # of {file}; and the game
    "contempt": ("mcts(reward={file}:contempt(worth=0.2))", "tictactoe"),
    "front": ("mcts(playout={file}:front(width=2))", "connect4"),
    "cautious": ("mcts(recommend={file}:cautious(share=0.9))", "connect4"),
    "half_time": ("mcts(allocation={file}:half_time)", "connect4"),
    "early_bird": ("mcts(select=rave, updates={file}:early_bird)", "hex(size=4)"),
}

TEXTS = {  # old agent texts, and the new ones
    "mcts(at_once=in_turns, lanes=8)": "mcts(simultaneous=turn_based, batch_size=8)",
    "mcts(at_once=jointly)": "mcts(simultaneous=joint)",
    "mcts(chance=open)": "mcts(chance=open_loop)",
    "mcts(playout=ngram(threshold=5, longest=2, start=0.5))": (
        "mcts(playout=ngram(min_visits=5, max_length=2, initial=0.5))"
    ),
    "mcts(playout=mast(start=0.5))": "mcts(playout=mast(initial=0.5))",
    "mcts(playout=decisive(then=mast(start=0.5)))": "mcts(playout=decisive(then=mast(initial=0.5)))",
    "mcts(reward=in_order(first=discount(alone=false), then=reward_is_quality))": (
        "mcts(reward=chain(first=discount(single_player=false), then=quality))"
    ),
    "mcts(reward=reward_is_quality(centred=true))": "mcts(reward=quality(centred=true))",
    "mcts(reward=relative_bonus(slip=true, samples=true))": (
        "mcts(reward=relative_bonus(sign_error=true, wait_for_samples=true))"
    ),
    "mcts(reward=qualitative_bonus(slip=true, samples=true))": (
        "mcts(reward=qualitative_bonus(sign_error=true, wait_for_samples=true))"
    ),
    "uct(timing=fixed(each=2), clock=20)": "uct(timing=fixed(seconds_per_move=2), clock=20)",
    "uct(timing=bonus(least=0.1, most=3), clock=20)": "uct(timing=bonus(min_seconds=0.1, max_seconds=3), clock=20)",
    "uct(timing=share(part=30), clock=20)": "uct(timing=share(divisor=30), clock=20)",
}


@pytest.fixture
def old_file(tmp_path):
    file = tmp_path / "old_strategies.py"
    file.write_text(OLD_TEXT, encoding="utf-8")
    return file


def searched(agent, game):
    search = ramify.Search(ramify.load(game).initial(), agent, seed=1)
    search.run(ramify.Budget(simulations=300))
    worker = search.workers[0]
    return search.report().move, worker.tree.nodes[: int(worker.counters["nodes"][0])].tobytes()


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
@pytest.mark.parametrize("name", AGENTS)
def test_a_strategy_in_old_names_gives_the_same_tree(name, old_file):
    text, game = AGENTS[name]
    assert searched(text.format(file=old_file), game) == searched(text.format(file=NEW), game)


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_a_timing_in_old_names_gives_the_same_seconds(old_file):
    old, new = (
        ramify.agent(f"uct(timing={file}:steady(moves=50), clock=20)").timing.seconds(20.0, 1.0)
        for file in (old_file, NEW)
    )
    assert old == new == 1.4


def test_a_file_in_old_names_warns(old_file):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        import_file(str(old_file))
    notes = [str(one.message) for one in caught if one.category is DeprecationWarning and "called" in str(one.message)]
    assert notes == [
        "'ramify.strategies.base.MOST_PLIES' is now called 'MAX_PLIES'",
        "'ramify.strategies.base.Fitted' is now called 'BoundStrategy'",
        "'Contempt.fit' is now called 'bind'",
        "'Front.fit' is now called 'bind'",
        "'EarlyBird.describe' is now called 'write_fields'",
    ]
    assert {one.filename for one in caught if "fit" in str(one.message)} >= {str(old_file)}


@pytest.mark.parametrize("text", TEXTS)
def test_an_old_text_is_the_same_agent(text):
    with pytest.warns(DeprecationWarning, match="is now called"):
        old = ramify.agent(text)
    new = ramify.agent(TEXTS[text])
    assert replace(old, call=new.call) == new


@pytest.mark.parametrize("kind", MEMBERS)
def test_every_old_member_has_a_new_one(kind):
    found = getattr(base, kind.replace("Strategy", "Playout"))
    for old, new in MEMBERS[kind].items():
        with pytest.warns(DeprecationWarning, match=f"'{found.__name__}.{old}' is now called '{new}'"):
            assert getattr(found, old) == getattr(found, new)


def old_classes():
    """Define subclasses by every old name that users' files may define."""

    class Boldest(Recommendation):
        by_visits = True
        mixes = True

        def choose(self, visits, values, rng):
            return 0

        @property
        def extension(self):
            return 2.0

    class Spender(Allocation):
        looks = False
        decides = True
        fixed = ("recommend",)

        def brings(self):
            return {"select_root": "random"}

        def halves(self):
            return None

        def spend(self, budget, run, root):
            return run(budget)

    class Hurry(Timing):
        exact = True
        looks = True

        def seconds(self, left, increment):
            return left

        def extended(self, seconds, left, increment, moves_left):
            return moves_left

    class Fading(Reward):
        flies = True
        timed = True
        instead = "discount"

        def fit(self, game):
            return None

        def move_on(self, block, state, *, same_game):
            block.append(same_game)

        def warmed_up(self, block):
            block.append("warm")

    class Whole(Playout):
        needs_all = False

        def fit(self, game, *, traced):
            return "fast"

        def fit_timed(self, game, *, traced):
            return "timed"

        def choosing(self, game):
            return "one move"

    return Boldest(), Spender(), Hurry(), Fading(), Whole()


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_members_defined_by_old_names_are_used():
    boldest, spender, hurry, fading, whole = old_classes()
    assert boldest.returns_most_visited
    assert boldest.uses_average_strategy
    assert boldest.extra_budget == 2.0
    assert not spender.inspects_root
    assert spender.chooses_move
    assert spender.required_roles == ("recommend",)
    assert spender.default_strategies() == {"select_root": "random"}
    assert spender.tree_halving() is None
    assert hurry.uncapped
    assert hurry.inspects_search
    assert hurry.extended_seconds(1.0, 9.0, 0.0, 5.0) == 5.0
    assert fading.batchable
    assert fading.needs_exact_length
    assert fading.fallback == "discount"
    block = []
    fading.on_new_root(block, None, same_game=True)
    fading.on_warm_up_end(block)
    assert block == [True, "warm"]
    assert not whole.needs_every_part
    assert whole.policy(None) == "one move"
    assert (whole.bind(None, traced=False), whole.bind_exact_length(None, traced=False)) == ("fast", "timed")


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_a_subclass_of_a_built_in_strategy_may_call_it_by_old_names():
    class Louder(strategies("reward")["discount"]):
        def fit(self, game):
            return super().fit(game)

    game = ramify.load("tictactoe")
    assert Louder().bind(game).block == strategies("reward")["discount"]().bind(game).block
    assert Louder().timed
    assert strategies("playout")["uniform"]().flies


def test_a_parameter_may_be_called_like_an_old_member():
    with warnings.catch_warnings():
        warnings.simplefilter("error")

        @dataclass(frozen=True)
        class Parts(Allocation):
            fixed: int = 3

            def spend(self, budget, run, root):
                return run(budget)

    assert Parts().fixed == 3
    assert Parts().required_roles == ()


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_the_root_by_old_names(tmp_path):
    file = tmp_path / "talking.py"
    file.write_text(
        "from dataclasses import dataclass\n"
        "from ramify.strategies.base import Allocation\n"
        "@dataclass(frozen=True)\n"
        "class Talking(Allocation):\n"
        "    def spend(self, budget, run, root):\n"
        "        assert 0.0 <= root.draw() < 1.0\n"
        "        root.say(f'round {root.halved.round}')\n"
        "        return run(budget)\n",
        encoding="utf-8",
    )
    allocation = f"{file}:talking"
    with pytest.warns(DeprecationWarning, match="'LiveRoot.say' is now called 'add_note'"):
        report = ramify.search(
            ramify.load("tictactoe").initial(), f"mcts(allocation={allocation})", simulations=10, seed=1
        )
    assert report.note == "round 0"
    with pytest.warns(DeprecationWarning, match="'LiveRoot.draw' is now called 'uniform'"):
        bandits.spend(bandits.bernoulli([0.4, 0.6]), allocation, pulls=10)


def test_bandits_by_old_names():
    bandit = bandits.bernoulli([0.4, 0.6])
    result = bandits.run(bandit, "ucb1", pulls=50, tasks=4, seed=1)
    for thing, old, new in ((bandit, "worth", "means"), (result, "worth", "means"), (result, "best", "chose_best")):
        with pytest.warns(DeprecationWarning, match=f"{old}' is now called '{new}'"):
            assert np.array_equal(getattr(thing, old), getattr(thing, new))
    with pytest.warns(DeprecationWarning, match="'ramify.bandits.Result' is now called 'BanditResult'"):
        assert bandits.Result is bandits.BanditResult
