"""The C++ reference of the benchmarks grows the same tree as the engine, record for record."""

import json
import subprocess

import numpy as np
import pytest

import ramify
from ramify.bench.speed import REFERENCE, agent_for, compile_reference, reference_seconds

MASK = (1 << 64) - 1


@pytest.fixture(scope="module")
def program():
    path, reason = compile_reference()
    if path is None:
        pytest.skip(reason)
    return path


def fnv(words):
    hashed = 0xCBF29CE484222325
    for word in words:
        hashed = (hashed ^ word) * 0x100000001B3 & MASK
    return hashed


def told_by(program, name, simulations, seed, c):
    command = [program, name, str(simulations), str(seed), str(c), "0"]
    return json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)


def check_same_work(told, worker):
    children = worker.tree.nodes[worker.tree.children()]
    assert told["children"] == [[int(n["move"]), int(n["visits"]), float(n["total"])] for n in children]
    assert told["nodes"] == int(worker.counters["nodes"][0])
    assert told["calls"] == int(worker.counters["calls"][0])


@pytest.mark.parametrize("name", REFERENCE)
@pytest.mark.parametrize(("seed", "c"), [(1, 0.7), (2, 1.4)])
def test_same_tree(program, name, seed, c):
    search = ramify.Search(ramify.load(name).initial(), agent_for(name, c), seed=seed)
    search.run(ramify.Budget(simulations=5000))
    worker = search.workers[0]
    told = told_by(program, name, 5000, seed, c)
    check_same_work(told, worker)
    used = worker.tree.nodes[: told["nodes"]]
    words = used.view(np.uint64).reshape(-1, 4)[:, :3].ravel().tolist()
    assert told["hash"] == f"{fnv(words):016x}"


def test_a_large_tree(program):
    search = ramify.Search(ramify.load("breakthrough").initial(), "uct(c=2)", seed=1)
    search.run(ramify.Budget(simulations=400_000))
    assert search.workers[0].counters["nodes"][0] > 3_000_000  # 100 MB, far more than 20 000 simulations need
    check_same_work(told_by(program, "breakthrough", 400_000, 1, 2), search.workers[0])


def test_a_tree_larger_than_memory_is_refused_in_a_sentence(program):
    with pytest.raises(ramify.RamifyError, match=r"breakthrough .* there is not enough memory for the tree"):
        reference_seconds(program, "breakthrough", 10**12)
