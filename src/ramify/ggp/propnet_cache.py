"""From rules to a network, kept on disk by a digest of the rules and of the code that makes networks."""

from __future__ import annotations

import hashlib
from functools import cache
from pathlib import Path
from time import perf_counter
from typing import NamedTuple

from ramify.core.kernels.disk_cache import cache_root
from ramify.ggp.checks import refuse_bad
from ramify.ggp.grounding import Limits, ground
from ramify.ggp.propnet.propnet import Network, network_of
from ramify.ggp.relevant_rules import prepared
from ramify.ggp.rules import Rules

HERE = Path(__file__).parent
MAKERS = (
    "rules",
    "prepare",
    "clingo/clingo_input",
    "clingo/clause_splitting",
    "clingo/magic_sets",
    "clingo/clingo_process",
    "grounding",
    "network/gates",
    "network/network",
)


class Made(NamedTuple):
    """A network and how it was come by."""

    network: Network
    rules: int  # ground rules; 0: it was kept on disk
    ground_seconds: float
    network_seconds: float


def network_for(rules: Rules, limits: Limits | None = None) -> Network:
    """The network of the rules: kept, or made within the limits; TooLargeError where it cannot be."""
    kept = cache_root() / "gdl" / f"{key(rules)}.npz"
    network = Network.load(kept)
    if network is None:
        network = make(rules, limits).network
        network.save(kept)
    return network


def make(rules: Rules, limits: Limits | None = None) -> Made:
    """Make the network anew."""
    refuse_bad(rules)
    ready = prepared(rules)
    began = perf_counter()
    found = ground(ready, limits)
    grounded = perf_counter()
    network = network_of(ready, found)
    return Made(network, len(found.heads), grounded - began, perf_counter() - grounded)


def key(rules: Rules) -> str:
    """By what the network of the rules is known on disk."""
    return hashlib.sha256(f"{_version()} {rules.digest()}".encode()).hexdigest()[:32]


@cache
def _version() -> str:
    digest = hashlib.sha256()
    for name in MAKERS:
        digest.update((HERE / f"{name}.py").read_bytes())
    return digest.hexdigest()
