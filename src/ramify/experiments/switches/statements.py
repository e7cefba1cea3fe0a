"""What the thesis says of its figures, and how each sentence is tested."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from ramify.experiments.claims import Claim
from ramify.experiments.switches.figures import CONSTANTS, FINALS, GAMMAS, POLICIES, misled
from ramify.experiments.switches.judging import (
    FAR,
    Test,
    about,
    better,
    close,
    converged,
    each,
    faster,
    leads,
    little_worse,
    no_better,
    not_converged,
    overtakes,
    recovers,
    rises,
    same,
    stays_below,
    worse,
)
from ramify.experiments.switches.settings import (
    INDISCRIMINATE,
    LOWER_BEST,
    LOWER_BEST_SHARED,
    RAISE_SECOND,
    RAISE_SECOND_SHARED,
    RAISE_WORST,
    RAISE_WORST_SHARED,
    RAVE,
    RAVE_MAX,
    RAVE_ONLY,
    UCT,
    Errors,
    Setting,
)
from ramify.experiments.switches.view import Asked, View

SPEEDS = {10: 68_000, 20: 28_000, 30: 16_000, 40: 10_000, 50: 7_000}  # games/s in the thesis, section 5.2


@dataclass(frozen=True)
class Statement:
    """A sentence about a figure, its section, and a test."""

    figure: int
    sentence: str
    section: str
    test: Test

    @property
    def settings(self) -> list[Setting]:
        """The settings that must be measured for it."""
        asked = Asked()
        self.test(asked)
        return asked.settings

    def claim(self, view: View) -> Claim:
        """The sentence with a verdict."""
        return Claim(self.sentence, f"figure 5.{self.figure}, section {self.section}", view.judge(self.test))


def at_mus(errors: Errors, other: Errors, mus: Sequence[float], exponent: int, test: Callable[..., Test]) -> Test:
    """RAVE under one model of errors against RAVE under another, at the same probabilities."""
    return each(*(test(misled(errors, mu), misled(other, mu), exponent) for mu in mus))


def maximum(errors: Errors, mus: Sequence[float], exponent: int, test: Callable[..., Test]) -> Test:
    """RAVE-max against RAVE under one model of errors."""
    return each(*(test(misled(errors, mu, RAVE_MAX), misled(errors, mu), exponent) for mu in mus))


ALL = INDISCRIMINATE
UPPER = (0.7, 0.8, 0.9, 1.0)
LOWERED, LOWERED_SHARED = misled(LOWER_BEST, 0.2), misled(LOWER_BEST_SHARED, 0.6)
WORST, WORST_SHARED = misled(RAISE_WORST, 1.0), misled(RAISE_WORST_SHARED, 1.0)
SECOND, SECOND_SHARED = misled(RAISE_SECOND, 1.0), misled(RAISE_SECOND_SHARED, 1.0)


def basic() -> Iterator[Statement]:
    """Sections 5.1 to 5.5."""
    yield Statement(1, "UCT returns the best move in about half of the trials at 2^7", "5.1.1", about(UCT, 7, 0.51))
    yield Statement(1, "in 0.93 of them at 2^10", "5.1.1", about(UCT, 10, 0.93))
    yield Statement(1, "and always from 2^12 on", "5.2", converged(UCT, 12))
    sizes = {n: replace(UCT, n=n) for n in (5, 10, 20, 30, 40, 50)}
    yield Statement(
        2, "for n up to 10 it converges by 2^12", "5.2", each(converged(sizes[5], 12), converged(sizes[10], 12))
    )
    slower = [better(sizes[a], sizes[b], 10) for a, b in pairwise((10, 20, 30, 40, 50))]
    yield Statement(2, "as n increases, convergence becomes slower", "5.2", each(*slower))
    late = [stays_below(sizes[n]) for n in (30, 40, 50)]
    yield Statement(2, "above 20 it does not converge within the numbers tested", "5.2", each(*late))
    yield Statement(2, "games a second beside those of the thesis", "5.2", faster(SPEEDS))
    finals = {final: replace(RAVE, final=final) for final in FINALS}
    yield Statement(3, "even RWF 2 improves noticeably on UCT", "5.3", better(finals[2], UCT, 7))
    alike = [same(finals[1024], finals[131072], k) for k in (7, 8, 9)]
    yield Statement(3, "RWF 1024 does about as well as 131072", "5.3", each(*alike))
    yield Statement(3, "RWF 32768 has about 0.76 at 2^7", "5.3", about(RAVE, 7, 0.76))
    yield Statement(3, "RAVE only has about 0.80 at 2^7", "5.3", about(RAVE_ONLY, 7, 0.80))
    only = [better(RAVE_ONLY, setting, 8) for setting in finals.values()]
    yield Statement(3, "RAVE only outperforms every RWF", "5.3.1", each(*only))
    value, count = (POLICIES[f"UCT+RAVE, {word}"] for word in ("estimated value", "move count"))
    alike = [same(value, count, 10), same(UCT, POLICIES["UCT, move count"], 10)]
    yield Statement(4, "both policies do about the same (2^10)", "5.4", each(*alike))
    yield Statement(4, "the highest estimate does better while simulations are few", "5.4", better(value, count, 6))
    constants = [same(replace(RAVE, c=c), RAVE, 8) for c in CONSTANTS if c != RAVE.c]
    yield Statement(5, "the exploration constant makes no difference", "5.4", each(*constants))
    bonuses = [no_better(replace(RAVE, gamma=gamma), RAVE, 7) for gamma in GAMMAS]
    yield Statement(6, "no score bonus improves noticeably", "5.5", each(*bonuses))


def indiscriminate() -> Iterator[Statement]:
    """Section 5.6.1."""
    rave = {mu: misled(ALL, mu) for mu in (0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, *UPPER)}
    only = {mu: misled(ALL, mu, RAVE_ONLY) for mu in (0.3, 0.4, 0.5, 0.6, *UPPER)}
    steps = [little_worse(rave[b], rave[a], 9) for a, b in pairwise((0.0, 0.1, 0.2, 0.3, 0.4))]
    yield Statement(7, "up to μ = 0.4 each step costs little", "5.6.1", each(*steps))
    yield Statement(7, "about μ = 0.5 performance drops", "5.6.1", worse(rave[0.6], rave[0.4], 9, FAR))
    ahead = [better(rave[mu], UCT, 8) for mu in (0.0, 0.1, 0.2, 0.3)]
    yield Statement(7, "RAVE outperforms UCT for μ from 0 to 0.3", "5.6.1", each(*ahead))
    yield Statement(7, "with μ = 0.6 it still improves with simulations", "5.6.1", rises(rave[0.6], 8))
    never = [stays_below(rave[mu], 0.1) for mu in UPPER]
    yield Statement(7, "from μ = 0.7 on it does not converge", "5.6.1", each(*never))
    yield Statement(8, "at μ = 0.3 RAVE only is slightly worse than UCT", "5.6.1", worse(only[0.3], UCT, 10))
    far = each(worse(only[0.4], UCT, 10, FAR), worse(only[0.4], rave[0.4], 10, FAR))
    yield Statement(8, "at μ = 0.4 far worse than UCT, and than UCT+RAVE", "5.6.1", far)
    yield Statement(8, "at μ = 0.5 it plays like a random player", "5.6.1", about(only[0.5], 10, 0.1))
    beyond = [worse(only[mu], only[0.5], 10) for mu in (0.6, *UPPER)]
    yield Statement(8, "beyond that even worse", "5.6.1", each(*beyond))
    well = better(misled(ALL, 0.7, RAVE_MAX), rave[0.7], 12, FAR)
    yield Statement(27, "with μ = 0.7 RAVE stays near 0 and RAVE-max well above", "5.6.2", well)
    at_first = maximum(ALL, (0.0, 0.1, 0.2, 0.3), 6, worse)
    yield Statement(28, "RAVE-max is worse at first for μ up to 0.3", "5.6.2", at_first)
    yield Statement(28, "and better for higher μ", "5.6.2", maximum(ALL, (0.5, 0.6, *UPPER), 10, better))


def lowered() -> Iterator[Statement]:
    """Section 5.6.2, strong moves made to look weak."""
    mus = (0.1, 0.2, 0.3, 0.4, 0.5)
    harder = at_mus(LOWER_BEST, ALL, mus, 9, worse)
    yield Statement(9, "lowering the best move costs more than errors in all moves, at the same μ", "5.6.2", harder)
    yield Statement(9, "with μ = 0.2 play becomes optimal, after 2^13", "5.6.2", converged(LOWERED, 15))
    yield Statement(9, "and recovers drastically", "5.6.2", recovers(LOWERED, 10, 14, 0.5))
    turn = overtakes(LOWERED, 9, 8, 12, 14)
    yield Statement(10, "before 2^13 the estimate of move 9 is not the highest, then it is", "5.6.2", turn)
    visits = overtakes(LOWERED, 9, 8, 12, 15, "visits")
    yield Statement(11, "there its simulations pass those of move 8", "5.6.2", visits)
    easier = at_mus(LOWER_BEST_SHARED, LOWER_BEST, mus, 10, better)
    yield Statement(12, "shared false updates cost less", "5.6.2", easier)
    yield Statement(12, "with μ = 0.6 play still becomes optimal", "5.6.2", converged(LOWERED_SHARED, 16))
    stuck = each(*(stays_below(misled(LOWER_BEST_SHARED, mu)) for mu in UPPER))
    yield Statement(12, "and with no higher μ", "5.6.2", stuck)
    yield Statement(13, "the estimate of move 9 becomes the highest", "5.6.2", overtakes(LOWERED_SHARED, 9, 8, 8, 16))
    visits = overtakes(LOWERED_SHARED, 9, 8, 8, 16, "visits")
    yield Statement(14, "and it is then simulated almost alone", "5.6.2", visits)
    gains = maximum(LOWER_BEST, (0.2, 0.4, 0.6, 0.8, 1.0), 10, better)
    yield Statement(29, "RAVE-max improves on RAVE where the best move is lowered", "5.6.2", gains)
    gains = maximum(LOWER_BEST_SHARED, (0.4, 0.6, 0.8, 1.0), 10, better)
    yield Statement(30, "and where that is shared", "5.6.2", gains)
    at_first = maximum(LOWER_BEST_SHARED, (0.0, 0.1, 0.2), 6, worse)
    yield Statement(30, "with a loss at first for μ up to 0.2", "5.6.2", at_first)


def raised() -> Iterator[Statement]:
    """Section 5.6.2, weak moves made to look strong."""
    mus = (0.4, 0.6, 0.8, 1.0)
    easier = at_mus(RAISE_WORST, ALL, (0.6, 0.8, 1.0), 10, better)
    yield Statement(15, "raising the worst move costs less than errors in all moves", "5.6.2", easier)
    others = tuple(range(1, 9))
    yield Statement(16, "move 9 is estimated above all others but move 0", "5.6.2", leads(WORST, 9, others, 5, 14))
    yield Statement(17, "it is simulated most as soon as move 0 has dropped", "5.6.2", _passes(WORST, 0))
    harder = at_mus(RAISE_SECOND, RAISE_WORST, mus, 8, worse)
    yield Statement(18, "raising the second-best move costs more than raising the worst", "5.6.2", harder)
    sooner = at_mus(RAISE_SECOND, LOWER_BEST, (0.6, 1.0), 12, better)
    yield Statement(18, "and less than lowering the best", "5.6.2", sooner)
    yield Statement(19, "move 9 is estimated above all others but move 8", "5.6.2", leads(SECOND, 9, range(8), 5, 14))
    yield Statement(20, "it is simulated most as soon as move 8 has dropped", "5.6.2", _passes(SECOND, 8))
    yield Statement(21, "shared: the worst move leads until 2^9", "5.6.2", overtakes(WORST_SHARED, 9, 0, 8, 10))
    near = each(*(close(WORST_SHARED, 9, 0, k, 0.01) for k in range(4, 15)))
    yield Statement(22, "from 2^4 on move 9 and move 0 are within 0.01", "5.6.2", near)
    yield Statement(23, "in the end move 9 is simulated more", "5.6.2", overtakes(WORST_SHARED, 9, 0, 1, 14, "visits"))
    late = each(not_converged(SECOND_SHARED, 14), converged(SECOND_SHARED, 16))
    yield Statement(24, "shared: raising the second-best move delays convergence to 2^16", "5.6.2", late)
    harder = at_mus(RAISE_SECOND_SHARED, RAISE_WORST_SHARED, mus, 10, worse)
    yield Statement(24, "which is worse than the worst move shared", "5.6.2", harder)
    gap = leads(SECOND_SHARED, 8, (9,), 5, 12)
    yield Statement(25, "move 8 is estimated above move 9 for long", "5.6.2", gap)
    decoy = overtakes(SECOND_SHARED, 9, 7, 11, 16, "visits")
    yield Statement(26, "move 7 is simulated before move 9 is considered again", "5.6.2", decoy)
    gains = maximum(RAISE_WORST, UPPER, 8, better)
    yield Statement(31, "RAVE-max helps where the worst move is raised with μ above 0.6", "5.6.2", gains)
    none = maximum(RAISE_WORST_SHARED, mus, 10, no_better)
    yield Statement(32, "worst move raised and shared: no gain", "5.6.2", none)
    yield Statement(33, "second-best move raised: no gain", "5.6.2", maximum(RAISE_SECOND, mus, 10, no_better))
    none = maximum(RAISE_SECOND_SHARED, mus, 10, no_better)
    yield Statement(34, "second-best move raised and shared: no gain", "5.6.2", none)


def _passes(setting: Setting, other: int) -> Test:
    return overtakes(setting, 9, other, 6, 16, "visits")


STATEMENTS = (*basic(), *indiscriminate(), *lowered(), *raised())
