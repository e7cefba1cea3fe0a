"""Which searches have a number: whatever is found by scanning, and the room of every shape outgrown."""

import pytest

import ramify
from ramify.agents.preset import presets
from ramify.agents.shapes.batch import BatchShape
from ramify.agents.shapes.shot import INITIAL_CAPACITY, ShotShape
from ramify.agents.shapes.tree_arrays import INITIAL_NODES
from ramify.bench.signature.case import SearchCase
from ramify.bench.signature.families.known import FAMILIES
from ramify.bench.signature.families.shapes import batch, growth
from ramify.bench.signature.numbers import combined, family_numbers
from ramify.bench.signature.recorded import differences, read
from ramify.contract.registry import names
from ramify.grammar import parse
from ramify.strategies.policy.policy import policy
from ramify.strategies.policy.registry import policies
from ramify.strategies.registry import strategies

ROLES = ("reward", "backup", "playout", "allocation", "recommend", "updates")


@pytest.fixture(scope="module")
def recorded():
    """Those searches that have a number, by family."""
    known = read()
    found = {name: [case for case in family() if case.name in known[name]] for name, family in FAMILIES.items()}
    return {name: [case for case in cases if isinstance(case, SearchCase)] for name, cases in found.items()}


def agents_of(cases):
    return [ramify.agent(case.agent) for case in cases]


def test_every_game_has_a_number(recorded):
    assert {parse(case.game).name for case in recorded["games"]} == set(names())


def test_every_preset_has_a_number(recorded):
    assert {case.agent for case in recorded["agents"]} == set(presets())


@pytest.mark.parametrize("family", ["policies", "reuse", "chance", "halving", "proofs", "transpositions"])
def test_every_policy_has_a_number(recorded, family):
    assert {agent.select.name for agent in agents_of(recorded[family])} >= set(policies())


def test_every_policy_has_a_number_at_the_root_and_below(recorded):
    agents = [agent for agent in agents_of(recorded["policies"]) if agent.select != agent.select_root]
    for role in ("select", "select_root"):
        assert {getattr(agent, role).name for agent in agents} >= set(policies())


def test_policies_without_a_number_are_those_that_do_not_fit(recorded):
    for family, fits in {
        "simultaneous": lambda one: not (one.needs_amaf or one.needs_classes),
        "open_loop": lambda one: not (one.needs_priors or one.candidates),
        "batch": lambda one: one.batchable,
    }.items():
        known = {agent.select.name for agent in agents_of(recorded[family]) if agent.simultaneous == "joint"}
        assert known >= {name for name, one in policies().items() if fits(one)}, family


@pytest.mark.parametrize("role", ROLES)
def test_every_strategy_has_a_number(recorded, role):
    family = {"reward": "rewards", "playout": "playouts", "allocation": "allocations", "backup": "backups"}.get(
        role, role
    )
    found = {getattr(agent, role).title() for agent in agents_of(recorded[family])}
    assert found == set(strategies(role))


def spread(n, m, c=0.5):
    return m + c / n


def test_a_new_policy_adds_numbers_and_changes_none(monkeypatch):
    monkeypatch.setitem(policies(), "spread", policy(spread))
    new = list(differences(read(), {"halving": family_numbers("halving")}))
    assert len(new) == 1
    assert new[0].startswith("halving: new: connect4: mcts(allocation=h_mcts(limit=10), select=spread)")


def test_two_cases_of_one_name_are_refused(monkeypatch):
    monkeypatch.setitem(FAMILIES, "roots", lambda: [*growth()][:1] * 2)
    with pytest.raises(ValueError, match="duplicate case"):
        family_numbers("roots")


def test_a_family_has_another_number_when_a_case_has():
    before = {"uct": {"a": 1, "b": 2}, "games": {"a": 1}}
    after = {"uct": {"b": 3, "a": 1}, "games": {"a": 1}}
    assert combined(before)["uct"] != combined(after)["uct"]
    assert combined(before)["games"] == combined(after)["games"]
    assert combined(before)["uct"] == combined({"uct": {"b": 2, "a": 1}})["uct"]


@pytest.mark.parametrize("case", [*growth()], ids=lambda case: case.name)
def test_room_is_outgrown(case):
    worker = next(case.run()).workers[0]
    rooms = {
        "nodes": len(worker.tree.nodes) > INITIAL_NODES,
        "frames": isinstance(worker.shape, ShotShape) and len(worker.shape.frames) > INITIAL_CAPACITY,
        "tables": worker.parts.amaf is not None and len(worker.parts.amaf.tables) > 64,
        "learnt": any(
            table.block["capacity"][0] > 1024 for table in learnt(worker) if "capacity" in table.block.dtype.names
        ),
    }
    assert any(rooms.values())


def learnt(worker):
    return [table for one in worker.parts.hooks if hasattr(one, "learning") for table in one.learning.tables]


def test_batches_have_many_slots():
    shapes = {
        case.agent: next(case.run()).workers[0].shape for case in batch() if case.agent.startswith("uct(batch_size")
    }
    assert {agent: shape.slots for agent, shape in shapes.items() if isinstance(shape, BatchShape)} == {
        "uct(batch_size=0)": 30,
        "uct(batch_size=2)": 2,
        "uct(batch_size=16)": 16,
        "uct(batch_size=64)": 64,
        "uct(batch_size=100)": 100,
    }
