"""Elo gained per doubling of the budget, from a chain of pairings in which each budget plays its half."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from ramify.arena.matches.standing import Standing
from ramify.statistics.format import elo_text, is_finite, percent, percent_interval
from ramify.statistics.inference import Interval

SCALE = "scale"  # ``kind`` of such a run


@dataclass(frozen=True)
class Doubling:
    """One doubling: the standing of the doubled budget against its half, and the gain over the first budget."""

    simulations: int  # of the doubled budget
    standing: Standing
    total: Interval  # Elo over the chain's first budget


def doublings_of(standings: Sequence[Standing]) -> list[Doubling]:
    """Make the chain from its standings, smallest budget first."""
    gains = [standing.elo for standing in standings]
    return [
        Doubling(standing.pairing.first.limits.simulations or 0, standing, total(gains[: k + 1]))
        for k, standing in enumerate(standings)
    ]


def total(gains: Sequence[Interval]) -> Interval:
    """Sum independent Elo differences.

    The distance from the sum to each end of its interval is the root of the summed squares of the parts' distances:
    G. Y. Zou and A. Donner, Statistics in Medicine 27 (2008), 1693-1702 (MOVER). This keeps the parts' asymmetry.
    If a clean sweep makes a part infinite, the ends are the sums of the parts' ends.
    """
    estimate = sum(gain.estimate for gain in gains)  # NaN if two clean sweeps have opposite signs
    if math.isfinite(estimate):
        below = math.sqrt(sum((gain.estimate - gain.low) ** 2 for gain in gains))
        above = math.sqrt(sum((gain.high - gain.estimate) ** 2 for gain in gains))
        return Interval(estimate, estimate - below, estimate + above)
    return Interval(estimate, sum(gain.low for gain in gains), sum(gain.high for gain in gains))


def step_cells(step: Doubling) -> list[str]:
    """Row of the table: budgets, games, score, interval, Elo gain, cumulative Elo."""
    standing = step.standing
    finished = bool(standing.results.pairs)
    return [
        f"{standing.pairing.second.limits.simulations:,} to {step.simulations:,}",
        f"{standing.games:,}",
        percent(standing.score),
        percent_interval(standing.interval) if finished else "-",
        elo_text(standing.elo) if finished else "-",
        elo_text(step.total) if finished and not math.isnan(step.total.estimate) else "-",
    ]


HEADINGS = ("simulations", "games", "score", "95%", "elo gain", "cumulative elo")


TOO_FEW_GAMES = "An infinite Elo means too few games."


def any_infinite(chain: Sequence[Doubling]) -> bool:
    return not all(is_finite(step.standing.elo) for step in chain)


def table_lines(chain: Sequence[Doubling]) -> list[str]:
    rows = [list(HEADINGS), *(step_cells(step) for step in chain)]
    widths = [max(len(row[k]) for row in rows) for k in range(len(HEADINGS))]
    lines = ["  ".join(cell.rjust(width) for cell, width in zip(row, widths, strict=True)) for row in rows]
    return [*lines, TOO_FEW_GAMES] if any_infinite(chain) else lines
