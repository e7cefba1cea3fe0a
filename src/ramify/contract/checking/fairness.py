"""Whether ``sample`` draws every legal move equally often, and ``playout`` ends like uniform play and as late."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Sequence

import numpy as np
import numpy.typing as npt

from ramify.contract.checking.checked import Flaw, Notes
from ramify.contract.checking.extras import DRAWING, askings, good_playout, refuse_foreign, takes_turns
from ramify.contract.checking.probes.compiled_probe import KernelRecords, PlayoutResults
from ramify.contract.checking.walking import Play, Step
from ramify.contract.compiled import Data
from ramify.core.kernels.pointers import address
from ramify.core.numbers.rng import generator

UNLIKELY = 1e-9  # how improbable a fair game's numbers must be before it is called unfair
DRAWS_A_MOVE, MOST_DRAWS = 2000, 20_000
SAMPLED_POSITIONS = 12
PLAYOUTS, PLAYED_POSITIONS = 4000, 3
BINS = 12  # classes of results, where a game has more


def check_sample(book: KernelRecords, notes: Notes, plays: list[Play]) -> None:
    """Draw many moves at some positions and compare the counts with even ones."""
    for play, ply in spread(plays, SAMPLED_POSITIONS, lambda step: takes_turns(step) and len(step.look.moves[0]) > 1):
        step = play.steps[ply]
        moves = step.look.moves[0]
        draws = min(DRAWS_A_MOVE * len(moves), MOST_DRAWS)
        state = step.data.copy()
        rng = generator(play.seed, ply)
        kernel = book.game.binding.kernel("sample")
        arguments = (address(book.rules), address(state), address(rng))
        seen = Counter(kernel(*arguments) for _ in range(draws))
        notes.counts["samples"] += draws
        with notes.catching(play.at(ply)):
            refuse_foreign("sample", set(seen), moves)
            p = even([seen[move] for move in moves])
            if p < UNLIKELY:
                rare, often = (
                    f"{move} {seen[move]}"
                    for move in (min(moves, key=lambda m: seen[m]), max(moves, key=lambda m: seen[m]))
                )
                raise Flaw(
                    "sample-uneven",
                    f"sample is not even: of {draws} draws among {len(moves)} moves {rare} times, {often} times;"
                    " all moves must be equally likely",
                )


def check_drawing(book: KernelRecords, notes: Notes, plays: list[Play], name: str) -> None:
    """Draw many moves by ``heuristic`` or the like; each must be legal, though they need not be equally likely."""
    for play, ply in spread(plays, SAMPLED_POSITIONS, lambda step: bool(askings(name, step))):
        step = play.steps[ply]
        state = step.data.copy()
        rng = generator(play.seed, ply)
        kernel = book.game.binding.kernel(name)
        for whose, moves in askings(name, step):
            arguments = (address(book.rules), address(state), *whose, address(rng))
            seen = {kernel(*arguments) for _ in range(DRAWS_A_MOVE)}
            notes.counts[DRAWING[name]] += DRAWS_A_MOVE
            with notes.catching(play.at(ply)):
                refuse_foreign(name, seen, moves)


def check_playout(book: KernelRecords, notes: Notes, plays: list[Play], plies: int) -> None:
    """Compare the results of the game's own playouts, and their lengths, with those of plain uniform play."""
    timed = book.game.binding.has("timed_playout")
    kernels = {"playout": "uniform_playout", "uniform play": "plain_playout"}
    kernels |= {"timed_playout": "timed_playout"} if timed else {}
    for play, ply in spread(plays, PLAYED_POSITIONS, lambda step: not step.look.over):
        data = play.steps[ply].data
        with notes.catching(play.at(ply)):
            found = {
                name: ends(book, notes, (name, kernel), data, generator(play.seed, stream), plies)
                for stream, (name, kernel) in enumerate(kernels.items())
            }
            plain = found.pop("uniform play")
            for name, own in found.items():
                if alike(own.scores, plain.scores) < UNLIKELY:
                    raise Flaw(
                        "playout-unfair",
                        f"{name} ends in other results than uniform play: {mean(own.scores)} against"
                        f" {mean(plain.scores)} on average over {PLAYOUTS} each; their distribution must be the same",
                    )
            name = "timed_playout" if timed else "playout"
            own_plies, plain_plies = ([(float(count),) for count in one.plies] for one in (found[name], plain))
            if alike(own_plies, plain_plies) < UNLIKELY:
                remedy = "" if timed else "; a playout that goes on after the end needs a timed_playout beside it"
                raise Flaw(
                    "playout-lengths",
                    f"{name} returns other numbers of plies than uniform play: {mean(own_plies)} against"
                    f" {mean(plain_plies)} on average over {PLAYOUTS} each; their distribution must be the same"
                    + remedy,
                )


def ends(
    book: KernelRecords, notes: Notes, names: tuple[str, str], data: Data, rng: npt.NDArray[np.uint64], plies: int
) -> PlayoutResults:
    """What many playouts come to; ``names`` are the function's and its kernel's."""
    results = book.results(names[1], data, rng, plies, PLAYOUTS)
    notes.counts["playouts"] += PLAYOUTS
    good_playout(names[0], results.ended, min(results.plies))
    return results


def spread(plays: list[Play], count: int, wanted: Callable[[Step], bool]) -> list[tuple[Play, int]]:
    """Some of the positions that are wanted, the first among them."""
    places = [(play, ply) for play in plays for ply, step in enumerate(play.steps) if wanted(step)]
    if not places:
        return []
    return [places[k] for k in np.unique(np.linspace(0, len(places) - 1, count).astype(int))]


def even(counts: Sequence[int]) -> float:
    """How probable counts as uneven as these are, if all classes are equally likely (chi-square)."""
    expected = sum(counts) / len(counts)
    square = sum((count - expected) ** 2 for count in counts) / expected
    return tail(square, len(counts) - 1)


def alike(one: Sequence[tuple[float, ...]], two: Sequence[tuple[float, ...]]) -> float:
    """How probable samples as different as these are, if both come from one distribution (chi-square)."""
    if len({*one, *two}) > BINS:  # many different results: the first player's, in classes of equal size
        edges = np.unique(np.quantile([scores[0] for scores in (*one, *two)], np.linspace(0, 1, BINS + 1)[1:-1]))
        one, two = ([(float(np.searchsorted(edges, scores[0])),) for scores in sample] for sample in (one, two))
    first, second = Counter(one), Counter(two)
    classes = first.keys() | second.keys()
    if len(classes) < 2:
        return 1.0
    square = sum((first[k] - second[k]) ** 2 / (first[k] + second[k]) for k in classes)
    return tail(square, len(classes) - 1)


def tail(square: float, freedom: int) -> float:
    """The probability that chi-square with so many degrees of freedom is at least ``square``.

    Q(s + 1, x) = Q(s, x) + x^s e^-x / Gamma(s + 1), from Q(1, x) = e^-x or Q(1/2, x) = erfc(sqrt x).
    """
    x = square / 2
    if x == 0.0:
        return 1.0
    s, probability = (1.0, math.exp(-x)) if freedom % 2 == 0 else (0.5, math.erfc(math.sqrt(x)))
    while s < freedom / 2:
        probability += math.exp(s * math.log(x) - x - math.lgamma(s + 1))
        s += 1
    return probability


def mean(results: Sequence[tuple[float, ...]]) -> str:
    """The average result, for people."""
    return "(" + ", ".join(f"{value:.3f}" for value in np.mean(results, axis=0)) + ")"
