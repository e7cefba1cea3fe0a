"""Propnets on disk, keyed by a digest of the rules and of the code that builds propnets.

A change of that code changes every key, so a stored propnet is never read by code that would build another one.
"""

from __future__ import annotations

import hashlib
from contextlib import AbstractContextManager, nullcontext
from functools import cache
from pathlib import Path
from time import perf_counter
from typing import NamedTuple

from ramify.core.kernels.cache_location import cache_root
from ramify.ggp.checks import raise_on_errors
from ramify.ggp.grounding import GroundingLimits, ground
from ramify.ggp.propnet.propnet import Propnet, build_propnet
from ramify.ggp.relevant_rules import prepare
from ramify.ggp.rules import Rulesheet

HERE = Path(__file__).parent
BUILDER_SOURCES = (  # files whose contents are part of the key
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
    """A new propnet with the size and the times of building it."""

    propnet: Propnet
    rules: int  # ground rules
    ground_seconds: float
    propnet_seconds: float


def load_or_build(
    rules: Rulesheet, limits: GroundingLimits | None = None, building: AbstractContextManager[object] | None = None
) -> Propnet:
    """Load the propnet of the rules, or build and store it. Raise TooLargeError if it exceeds the limits.

    ``building`` is held while it is built.
    """
    kept = cache_root() / "gdl" / f"{key(rules)}.propnet"
    propnet = Propnet.load(kept)
    if propnet is None:
        with building or nullcontext():
            propnet = build(rules, limits).propnet
        propnet.save(kept)
    return propnet


def build(rules: Rulesheet, limits: GroundingLimits | None = None) -> BuiltPropnet:
    """Build a propnet without reading or writing the disk cache."""
    raise_on_errors(rules)
    ready = prepare(rules)
    began = perf_counter()
    found = ground(ready, limits)
    grounded = perf_counter()
    propnet = build_propnet(ready, found)
    return BuiltPropnet(propnet, len(found.heads), grounded - began, perf_counter() - grounded)


def key(rules: Rulesheet) -> str:
    """Return the stem of the propnet's file name."""
    return hashlib.sha256(f"{_version()} {rules.digest()}".encode()).hexdigest()[:32]


@cache
def _version() -> str:
    digest = hashlib.sha256()
    for name in BUILDER_SOURCES:
        digest.update((HERE / f"{name}.py").read_bytes())
    return digest.hexdigest()
