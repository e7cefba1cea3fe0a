"""Results made by hand, for every experiment: what a run would have to bring for its claims to come out or not."""

import itertools
from dataclasses import replace

import numpy as np

from ramify.experiments.framework.experiment import PointResult, Results
from ramify.experiments.framework.registry import experiments
from ramify.experiments.papers.tom_2010.claims.quantities import Atom
from ramify.experiments.papers.tom_2010.settings import point as point_of
from ramify.experiments.papers.tom_2010.view import MAX_EXPONENT

TRIALS, CHUNKS, WOBBLE = 4000, 10, 1e-4


def results(name, sums, scale="quick", trials=None, chunk=None):
    """Results of an experiment in which every chunk of a point has what ``sums`` gives for it and its number.

    ``trials`` and ``chunk`` are how many a point has, and in a chunk, in place of its own.
    """
    one = experiments()[name]
    points = {}
    for point in one.points_of(scale):
        here = replace(point, chunk=chunk or point.chunk)
        count = trials or here.trials
        made = {here.chunk * k: sums(here, k) for k in range(-(-count // here.chunk))}
        points[here.key] = PointResult(replace(here, trials=count), made, count)
    return Results(points, one.scales[scale].sizes, scale, 1)


class Switches:
    """Results of Sum of Switches in which chosen atoms have chosen values, and all others one half.

    Chunks have the same, but for what a move has at the root: that differs by a little, up and down.
    """

    def __init__(self, atoms: dict[Atom, float]) -> None:
        self.atoms = atoms

    def results(self, settings) -> Results:
        points = {}
        for setting in settings:
            size = TRIALS // CHUNKS
            here = replace(point_of(setting, TRIALS, MAX_EXPONENT), chunk=size)
            made = {size * k: self._sums(setting, size, k) for k in range(CHUNKS)}
            points[here.key] = PointResult(here, made, TRIALS)
        return Results(points, {"last": MAX_EXPONENT}, "paper", 1)

    def _sums(self, setting, size, chunk):
        def of(what, exponent, move, unit):
            wobble = 0.0 if what == "share" else WOBBLE * (move + 1) * (-1) ** chunk
            return (self.atoms.get(Atom(setting, what, exponent, move), 0.5) + wobble) * size * unit

        exponents = range(1, MAX_EXPONENT + 1)
        moves = [str(move) for move in range(10)]
        hits = [round(of("share", k, None, 1) * CHUNKS) for k in exponents]
        return {
            "hits": [hit // CHUNKS + (chunk < hit % CHUNKS) for hit in hits],
            "visits": {move: [of("visits", k, int(move), 2**k) for k in exponents] for move in moves},
            "estimates": {move: [of("estimates", k, int(move), 1) for k in exponents] for move in moves},
            "known": {move: [size] * MAX_EXPONENT for move in moves},
        }


def fitted(asking, wanted, rounds=400):
    """Atoms between 0 and 1 at which every quantity is at the value that ``wanted`` gives for it, or as near as can be.

    By S. Kaczmarz's projections (Bull. Acad. Polon. Sci. A35, 1937, 355-357), kept between 0 and 1.
    """
    atoms = {atom: 0.5 for one in asking for _, atom in one.quantity.atoms}
    for _, one in itertools.product(range(rounds), asking):
        parts = one.quantity.atoms
        value = sum(factor * atoms[atom] for factor, atom in parts)
        step = (wanted(one, value) - value) / sum(factor**2 for factor, _ in parts)
        for factor, atom in parts:
            atoms[atom] = float(np.clip(atoms[atom] + factor * step, 0.0, 1.0))
    return atoms
