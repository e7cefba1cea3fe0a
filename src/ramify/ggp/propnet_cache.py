"""From rules to a network, kept on disk by a digest of the rules and of the code that makes networks."""

from __future__ import annotations

import hashlib
from functools import cache
from pathlib import Path
from time import perf_counter
from typing import NamedTuple

from ramify.core.kernels.disk_cache import cache_root
from ramify.ggp.checks import raise_on_errors
from ramify.ggp.grounding import GroundingLimits, ground
from ramify.ggp.propnet.propnet import Propnet, build_propnet
from ramify.ggp.relevant_rules import prepare
from ramify.ggp.rules import Rulesheet

HERE = Path(__file__).parent
BUILDER_SOURCES = (
    "rules",
    "relevant_rules",
    "clingo/clingo_input",
    "clingo/clause_splitting",
    "clingo/magic_sets",
    "clingo/clingo_process",
    "grounding",
    "propnet/gates",
    "propnet/propnet",
)


class BuiltPropnet(NamedTuple):
    """A network and how it was come by."""

    network: Propnet
    rules: int  # ground rules; 0: it was kept on disk
    ground_seconds: float
    network_seconds: float


def load_or_build(rules: Rulesheet, limits: GroundingLimits | None = None) -> Propnet:
    """The network of the rules: kept, or made within the limits; TooLargeError where it cannot be."""
    kept = cache_root() / "gdl" / f"{key(rules)}.npz"
    network = Propnet.load(kept)
    if network is None:
        network = build(rules, limits).network
        network.save(kept)
    return network


def build(rules: Rulesheet, limits: GroundingLimits | None = None) -> BuiltPropnet:
    """Make the network anew."""
    raise_on_errors(rules)
    ready = prepare(rules)
    began = perf_counter()
    found = ground(ready, limits)
    grounded = perf_counter()
    network = build_propnet(ready, found)
    return BuiltPropnet(network, len(found.heads), grounded - began, perf_counter() - grounded)


def key(rules: Rulesheet) -> str:
    """By what the network of the rules is known on disk."""
    return hashlib.sha256(f"{_version()} {rules.digest()}".encode()).hexdigest()[:32]


@cache
def _version() -> str:
    digest = hashlib.sha256()
    for name in BUILDER_SOURCES:
        digest.update((HERE / f"{name}.py").read_bytes())
    return digest.hexdigest()
