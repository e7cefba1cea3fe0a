"""The C++ reference of the benchmarks grows the same tree as the engine, record for record."""

import json
import subprocess

import numpy as np
import pytest

import ramify
from ramify.bridges.benchmark import REFERENCE, compile_reference

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


@pytest.mark.parametrize("name", REFERENCE)
@pytest.mark.parametrize(("seed", "c"), [(1, 0.7), (2, 1.4)])
def test_same_tree(program, name, seed, c):
    search = ramify.Search(ramify.load(name).initial(), f"uct(c={c})", seed=seed)
    search.run(ramify.Budget(simulations=5000))
    worker = search.workers[0]
    used = worker.tree.nodes[: int(worker.counters["nodes"][0])]
    output = subprocess.run(
        [program, name, "5000", str(seed), str(c), "1"], capture_output=True, text=True, check=True
    ).stdout
    told = json.loads(output)
    children = worker.tree.nodes[worker.tree.children()]
    assert told["children"] == [[int(n["move"]), int(n["visits"]), float(n["total"])] for n in children]
    assert told["nodes"] == len(used)
    assert told["calls"] == int(worker.counters["calls"][0])
    words = used.view(np.uint64).reshape(-1, 4)[:, :3].ravel().tolist()
    assert told["hash"] == f"{fnv(words):016x}"
