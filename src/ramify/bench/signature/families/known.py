"""All families by name, in the order in which ``ramify bench`` prints them."""

from __future__ import annotations

import importlib.util

from ramify.bench.signature.families import shapes, spending, strategies
from ramify.bench.signature.families.making import Family

FAMILIES: dict[str, Family] = {
    "uct": spending.uct,
    "games": spending.games,
    "agents": strategies.agents,
    "policies": strategies.selection_policies,
    "roots": strategies.roots,
    "rave": strategies.all_moves_as_first,
    "updates": strategies.updates,
    "rewards": strategies.rewards,
    "backups": strategies.backups,
    "playouts": strategies.playouts,
    "learning": strategies.learning_playouts,
    "recommend": strategies.recommendations,
    "allocations": strategies.allocations,
    "bandits": strategies.bandits,
    "reuse": shapes.reuse,
    "chance": shapes.chance,
    "open_loop": shapes.open_loop,
    "players": shapes.players,
    "halving": shapes.halving,
    "proofs": shapes.proofs,
    "transpositions": shapes.transpositions,
    "simultaneous": shapes.simultaneous,
    "batch": shapes.batch,
    "growth": shapes.growth,
    "budgets": spending.budgets,
    "pieces": spending.pieces,
    "threads": spending.threads,
}
NEED_CLINGO = ("batch", "growth")


def families() -> dict[str, Family]:
    """Return the families that can run here: rulesheets need clingo, an optional dependency."""
    missing = NEED_CLINGO if importlib.util.find_spec("clingo") is None else ()
    return {name: family for name, family in FAMILIES.items() if name not in missing}
