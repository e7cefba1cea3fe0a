"""From rules to a propnet, kept on disk by a digest of the rules and of the code that makes propnets."""

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
    """A propnet and how it was come by."""

    propnet: Propnet
    rules: int  # ground rules; 0: it was kept on disk
    ground_seconds: float
    propnet_seconds: float


def load_or_build(rules: Rulesheet, limits: GroundingLimits | None = None) -> Propnet:
    """The propnet of the rules: kept, or made within the limits; TooLargeError where it cannot be."""
    kept = cache_root() / "gdl" / f"{key(rules)}.npz"
    propnet = Propnet.load(kept)
    if propnet is None:
        propnet = build(rules, limits).propnet
        propnet.save(kept)
    return propnet


def build(rules: Rulesheet, limits: GroundingLimits | None = None) -> BuiltPropnet:
    """Make the propnet anew."""
    raise_on_errors(rules)
    ready = prepare(rules)
    began = perf_counter()
    found = ground(ready, limits)
    grounded = perf_counter()
    propnet = build_propnet(ready, found)
    return BuiltPropnet(propnet, len(found.heads), grounded - began, perf_counter() - grounded)


def key(rules: Rulesheet) -> str:
    """By what the propnet of the rules is known on disk."""
    return hashlib.sha256(f"{_version()} {rules.digest()}".encode()).hexdigest()[:32]


@cache
def _version() -> str:
    digest = hashlib.sha256()
    for name in BUILDER_SOURCES:
        digest.update((HERE / f"{name}.py").read_bytes())
    return digest.hexdigest()
