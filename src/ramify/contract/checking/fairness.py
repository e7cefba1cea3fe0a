"""Tests that ``sample`` is uniform and that ``playout`` has the results and lengths of uniform play."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence

import numpy as np
import numpy.typing as npt

from ramify.contract.checking.optional_parts import (
    DRAWING,
    call_arguments,
    check_legal,
    check_playout_end,
    has_single_mover,
)
from ramify.contract.checking.probes.compiled_probe import CompiledProbe, PlayoutResults
from ramify.contract.checking.random_plays import Play, Step
from ramify.contract.checking.result import ContractViolation, FindingLog
from ramify.contract.compiled_game import Data
from ramify.core.kernels.pointers import address
from ramify.core.numbers.rng import generator
from ramify.statistics.chi_square import homogeneity_p, uniformity_p

P_THRESHOLD = 1e-9  # p value below which a game is reported as unfair
DRAWS_PER_MOVE, MAX_DRAWS = 2000, 20_000
SAMPLED_POSITIONS = 12
PLAYOUTS, PLAYED_POSITIONS = 4000, 3
SUSPICIOUS_P, FEW_GAMES = 0.02, 300  # of a first comparison
FIRST_SECONDS, FIRST_GAMES = 0.06, 1000  # of a first comparison, per position


def check_sample(probe: CompiledProbe, log: FindingLog, plays: list[Play], positions: int = SAMPLED_POSITIONS) -> None:
    """Draw many moves at some positions and test the counts for uniformity."""
    for play, ply in spread(plays, positions, lambda step: has_single_mover(step) and len(step.facts.moves[0]) > 1):
        step = play.steps[ply]
        moves = step.facts.moves[0]
        draws = min(DRAWS_PER_MOVE * len(moves), MAX_DRAWS)
        state = step.data.copy()
        rng = generator(play.seed, ply)
        kernel = probe.game.binding.kernel("sample")
        arguments = (address(probe.rules), address(state), address(rng))
        seen = Counter(kernel(*arguments) for _ in range(draws))
        log.counts["samples"] += draws
        with log.catching(play.at(ply)):
            check_legal("sample", set(seen), moves)
            p = uniformity_p([seen[move] for move in moves])
            if p < P_THRESHOLD:
                rare, often = (
                    f"{move} {seen[move]}"
                    for move in (min(moves, key=lambda m: seen[m]), max(moves, key=lambda m: seen[m]))
                )
                raise ContractViolation(
                    "sample-uneven",
                    f"sample is not uniform: in {draws} draws among {len(moves)} moves it drew {rare} times, {often}"
                    " times; all moves must be equally likely",
                )


def check_drawing(probe: CompiledProbe, log: FindingLog, plays: list[Play], name: str) -> None:
    """Draw many moves by a part such as ``heuristic``; each must be legal."""
    for play, ply in spread(plays, SAMPLED_POSITIONS, lambda step: bool(call_arguments(name, step))):
        step = play.steps[ply]
        state = step.data.copy()
        rng = generator(play.seed, ply)
        kernel = probe.game.binding.kernel(name)
        for whose, moves in call_arguments(name, step):
            arguments = (address(probe.rules), address(state), *whose, address(rng))
            seen = {kernel(*arguments) for _ in range(DRAWS_PER_MOVE)}
            log.counts[DRAWING[name]] += DRAWS_PER_MOVE
            with log.catching(play.at(ply)):
                check_legal(name, seen, moves)


def check_playout(probe: CompiledProbe, log: FindingLog, plays: list[Play], plies: int) -> None:
    """Compare results and lengths of the game's own playouts with plain uniform play."""
    exact = probe.game.binding.has("exact_length_playout")
    kernels = {"playout": "uniform_playout", "uniform play": "plain_playout"}
    kernels |= {"exact_length_playout": "exact_length_playout"} if exact else {}
    for play, ply in spread(plays, PLAYED_POSITIONS, lambda step: not step.facts.over):
        data = play.steps[ply].data
        with log.catching(play.at(ply)):
            found = {
                name: ends(probe, log, (name, kernel), data, generator(play.seed, stream), plies)
                for stream, (name, kernel) in enumerate(kernels.items())
            }
            plain = found.pop("uniform play")
            for name, own in found.items():
                if homogeneity_p(own.scores, plain.scores) < P_THRESHOLD:
                    raise ContractViolation(
                        "playout-unfair",
                        f"{name} has other results than uniform play: {mean(own.scores)} against"
                        f" {mean(plain.scores)} on average over {PLAYOUTS} each; their distribution must be the same",
                    )
            name = "exact_length_playout" if exact else "playout"
            own_plies, plain_plies = ([(float(count),) for count in one.plies] for one in (found[name], plain))
            if homogeneity_p(own_plies, plain_plies) < P_THRESHOLD:
                remedy = "" if exact else "; a playout that continues after the end also needs an exact_length_playout"
                raise ContractViolation(
                    "playout-lengths",
                    f"{name} returns other numbers of plies than uniform play: {mean(own_plies)} against"
                    f" {mean(plain_plies)} on average over {PLAYOUTS} each; their distribution must be the same"
                    + remedy,
                )


def is_suspicious(probe: CompiledProbe, plays: list[Play]) -> bool:
    """Return whether a quick comparison of ``playout`` with uniform play calls for ``check_playout``."""
    exact = probe.game.binding.has("exact_length_playout")
    for play, ply in spread(plays, 2, lambda step: not step.facts.over):
        data = play.steps[ply].data
        plain = probe.uniform_results(data, play.seed, FIRST_SECONDS, FIRST_GAMES)
        count = len(plain.plies)
        if count < FEW_GAMES:
            return True
        for kernel in ("uniform_playout", *(("exact_length_playout",) if exact else ())):
            own = probe.results(kernel, data, generator(play.seed), 0, count)
            found = [homogeneity_p(own.scores, plain.scores)]
            if kernel == "exact_length_playout" or not exact:
                found.append(homogeneity_p(*([(float(plies),) for plies in one.plies] for one in (own, plain))))
            if min(found) < SUSPICIOUS_P:
                return True
    return False


def ends(
    probe: CompiledProbe, log: FindingLog, names: tuple[str, str], data: Data, rng: npt.NDArray[np.uint64], plies: int
) -> PlayoutResults:
    """Run many playouts; ``names`` are the part's and its kernel's."""
    results = probe.results(names[1], data, rng, plies, PLAYOUTS)
    log.counts["playouts"] += PLAYOUTS
    check_playout_end(names[0], results.ended, min(results.plies))
    return results


def spread(plays: list[Play], count: int, wanted: Callable[[Step], bool]) -> list[tuple[Play, int]]:
    """Return at most ``count`` positions for which ``wanted`` holds, spread evenly, including the first."""
    places = [(play, ply) for play in plays for ply, step in enumerate(play.steps) if wanted(step)]
    if not places:
        return []
    return [places[k] for k in np.unique(np.linspace(0, len(places) - 1, count).astype(int))]


def mean(results: Sequence[tuple[float, ...]]) -> str:
    """Return the mean result as text."""
    return "(" + ", ".join(f"{value:.3f}" for value in np.mean(results, axis=0)) + ")"
