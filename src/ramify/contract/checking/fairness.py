"""Whether ``sample`` draws every legal move equally often, and ``playout`` ends like uniform play and as late."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence

import numpy as np
import numpy.typing as npt

from ramify.contract.checking.optional_parts import DRAWING, call_arguments, check_legal, check_playout_end, takes_turns
from ramify.contract.checking.probes.compiled_probe import CompiledProbe, PlayoutResults
from ramify.contract.checking.random_plays import Play, Step
from ramify.contract.checking.result import ContractViolation, FindingLog
from ramify.contract.compiled_game import Data
from ramify.core.kernels.pointers import address
from ramify.core.numbers.rng import generator
from ramify.statistics.chi_square import homogeneity_p, uniformity_p

P_THRESHOLD = 1e-9  # how improbable a fair game's numbers must be before it is called unfair
DRAWS_A_MOVE, MAX_DRAWS = 2000, 20_000
SAMPLED_POSITIONS = 12
PLAYOUTS, PLAYED_POSITIONS = 4000, 3


def check_sample(book: CompiledProbe, notes: FindingLog, plays: list[Play]) -> None:
    """Draw many moves at some positions and compare the counts with even ones."""
    for play, ply in spread(plays, SAMPLED_POSITIONS, lambda step: takes_turns(step) and len(step.look.moves[0]) > 1):
        step = play.steps[ply]
        moves = step.look.moves[0]
        draws = min(DRAWS_A_MOVE * len(moves), MAX_DRAWS)
        state = step.data.copy()
        rng = generator(play.seed, ply)
        kernel = book.game.binding.kernel("sample")
        arguments = (address(book.rules), address(state), address(rng))
        seen = Counter(kernel(*arguments) for _ in range(draws))
        notes.counts["samples"] += draws
        with notes.catching(play.at(ply)):
            check_legal("sample", set(seen), moves)
            p = uniformity_p([seen[move] for move in moves])
            if p < P_THRESHOLD:
                rare, often = (
                    f"{move} {seen[move]}"
                    for move in (min(moves, key=lambda m: seen[m]), max(moves, key=lambda m: seen[m]))
                )
                raise ContractViolation(
                    "sample-uneven",
                    f"sample is not even: of {draws} draws among {len(moves)} moves {rare} times, {often} times;"
                    " all moves must be equally likely",
                )


def check_drawing(book: CompiledProbe, notes: FindingLog, plays: list[Play], name: str) -> None:
    """Draw many moves by ``heuristic`` or the like; each must be legal, though they need not be equally likely."""
    for play, ply in spread(plays, SAMPLED_POSITIONS, lambda step: bool(call_arguments(name, step))):
        step = play.steps[ply]
        state = step.data.copy()
        rng = generator(play.seed, ply)
        kernel = book.game.binding.kernel(name)
        for whose, moves in call_arguments(name, step):
            arguments = (address(book.rules), address(state), *whose, address(rng))
            seen = {kernel(*arguments) for _ in range(DRAWS_A_MOVE)}
            notes.counts[DRAWING[name]] += DRAWS_A_MOVE
            with notes.catching(play.at(ply)):
                check_legal(name, seen, moves)


def check_playout(book: CompiledProbe, notes: FindingLog, plays: list[Play], plies: int) -> None:
    """Compare the results of the game's own playouts, and their lengths, with those of plain uniform play."""
    timed = book.game.binding.has("exact_length_playout")
    kernels = {"playout": "uniform_playout", "uniform play": "plain_playout"}
    kernels |= {"exact_length_playout": "exact_length_playout"} if timed else {}
    for play, ply in spread(plays, PLAYED_POSITIONS, lambda step: not step.look.over):
        data = play.steps[ply].data
        with notes.catching(play.at(ply)):
            found = {
                name: ends(book, notes, (name, kernel), data, generator(play.seed, stream), plies)
                for stream, (name, kernel) in enumerate(kernels.items())
            }
            plain = found.pop("uniform play")
            for name, own in found.items():
                if homogeneity_p(own.scores, plain.scores) < P_THRESHOLD:
                    raise ContractViolation(
                        "playout-unfair",
                        f"{name} ends in other results than uniform play: {mean(own.scores)} against"
                        f" {mean(plain.scores)} on average over {PLAYOUTS} each; their distribution must be the same",
                    )
            name = "exact_length_playout" if timed else "playout"
            own_plies, plain_plies = ([(float(count),) for count in one.plies] for one in (found[name], plain))
            if homogeneity_p(own_plies, plain_plies) < P_THRESHOLD:
                remedy = (
                    "" if timed else "; a playout that goes on after the end needs a exact_length_playout beside it"
                )
                raise ContractViolation(
                    "playout-lengths",
                    f"{name} returns other numbers of plies than uniform play: {mean(own_plies)} against"
                    f" {mean(plain_plies)} on average over {PLAYOUTS} each; their distribution must be the same"
                    + remedy,
                )


def ends(
    book: CompiledProbe, notes: FindingLog, names: tuple[str, str], data: Data, rng: npt.NDArray[np.uint64], plies: int
) -> PlayoutResults:
    """What many playouts come to; ``names`` are the function's and its kernel's."""
    results = book.results(names[1], data, rng, plies, PLAYOUTS)
    notes.counts["playouts"] += PLAYOUTS
    check_playout_end(names[0], results.ended, min(results.plies))
    return results


def spread(plays: list[Play], count: int, wanted: Callable[[Step], bool]) -> list[tuple[Play, int]]:
    """Some of the positions that are wanted, the first among them."""
    places = [(play, ply) for play in plays for ply, step in enumerate(play.steps) if wanted(step)]
    if not places:
        return []
    return [places[k] for k in np.unique(np.linspace(0, len(places) - 1, count).astype(int))]


def mean(results: Sequence[tuple[float, ...]]) -> str:
    """The average result, for people."""
    return "(" + ", ".join(f"{value:.3f}" for value in np.mean(results, axis=0)) + ")"
