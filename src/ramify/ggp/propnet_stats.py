"""Statistics of a propnet: its size, and random games in lanes or by events."""

from __future__ import annotations

from time import process_time
from typing import Any

import numpy as np

from ramify.core.kernels.pointers import address
from ramify.core.numbers.rng import generator
from ramify.core.search.episode import EPISODE
from ramify.errors import RamifyError
from ramify.ggp.grounding import GroundingLimits
from ramify.ggp.kif import write
from ramify.ggp.propnet.evaluator import Evaluator, Wiring
from ramify.ggp.propnet.kernels import kernels, run_random_games
from ramify.ggp.propnet.lane_batch import LaneBatch
from ramify.ggp.propnet_cache import build
from ramify.ggp.rules import Rulesheet

LANES = 512
MAX_STEPS = 100_000


def propnet_stats(rules: Rulesheet, limits: GroundingLimits, playouts: int = 0, seed: int = 1) -> dict[str, Any]:
    """Build the propnet. Return its sizes, build times and, if ``playouts`` > 0, statistics of random games."""
    built = build(rules, limits)
    propnet, wiring = built.propnet, Wiring(built.propnet)
    facts = {
        "roles": [write(role) for role in propnet.roles],
        "rules": built.rules,
        "ground_seconds": built.ground_seconds,
        "network_seconds": built.propnet_seconds,
        "gates": len(propnet.gates),
        "depth": propnet.depth(),
        "whole_gates": wiring.count,
        "levels": wiring.levels,
        "propositions": len(propnet.bases),
        "moves": len(propnet.legal),
        "circle": propnet.circle,
    }
    if playouts < 0:
        raise RamifyError(f"the number of playouts must be at least 0, not {playouts}")
    return facts | (random_games(wiring, playouts, seed) if playouts else {})


def random_games(wiring: Wiring, games: int, seed: int) -> dict[str, Any]:
    """Play at least ``games`` random games in lanes. Return playouts per second of CPU time, mean plies and goals."""
    lanes = max(1, min(LANES, games // 8))
    batch, rng = LaneBatch(wiring, lanes), generator(seed)
    counts, totals = np.zeros(3, np.int64), np.zeros(2 * len(wiring.propnet.roles))
    batch.begin(wiring.start, lanes, address(rng))
    made = batch.kernels
    limits = (-(-games // lanes), MAX_STEPS)
    began = process_time()
    made["playouts"](batch.block, made["step"].address, *limits, address(counts), address(totals))
    seconds = max(process_time() - began, 1e-9)
    played, counted, plies = (int(count) for count in counts)
    if not counted:
        raise RamifyError(f"none of {lanes} random games ended within {MAX_STEPS} joint moves")
    goals = 100 * totals[: len(wiring.propnet.roles)] / counted
    return {
        "playouts": played,
        "playouts_a_second": played / seconds,
        "plies": plies / counted,
        "goals": {write(role): float(goal) for role, goal in zip(wiring.propnet.roles, goals, strict=True)},
    }


def random_games_by_events(wiring: Wiring, games: int, seed: int) -> dict[str, Any]:
    """Play ``games`` random games one at a time, by events. Return the same figures as ``random_games``."""
    evaluator, rng = Evaluator(wiring), generator(seed)
    start = np.zeros(wiring.words + len(wiring.propnet.roles) + 1, np.uint64)
    start[: wiring.words] = wiring.start
    state, scores, totals = start.copy(), np.zeros(len(wiring.role_of)), np.zeros(len(wiring.role_of))
    episode = np.zeros(1, EPISODE)
    episode["rng"], episode["limit"] = address(rng), MAX_STEPS
    made = kernels()
    tools = (made["playout"].address, made["scores"].address)
    places = (evaluator.rules, address(start), address(state), start.nbytes, address(episode))
    began = process_time()
    plies, cut = run_random_games(*tools, *places, games, address(scores), scores, totals)
    seconds = max(process_time() - began, 1e-9)
    if cut:
        raise RamifyError(f"{cut} of {games} random games did not end within {MAX_STEPS} joint moves")
    roles = [wiring.propnet.roles[role] for role in wiring.role_of]
    return {
        "playouts": games,
        "playouts_a_second": games / seconds,
        "plies": plies / games,
        "goals": {write(role): 100 * float(total) / games for role, total in zip(roles, totals, strict=True)},
    }
