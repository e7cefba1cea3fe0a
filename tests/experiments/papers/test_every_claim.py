"""Every claim says whose it is, stands on an interval, and can come out all three ways: shown with made-up results."""

import math
from dataclasses import replace

import numpy as np
import pytest

from ramify.experiments.framework.claims import Source
from ramify.experiments.framework.experiment import PointResult
from ramify.experiments.framework.published_cells import BETTER, WORSE, shows
from ramify.experiments.framework.registry import experiments
from ramify.experiments.papers.gudmundsson_2013 import st_ggp
from ramify.experiments.papers.gudmundsson_2013.difference_trials import BINS
from ramify.experiments.papers.gudmundsson_2013.position import BEST, TEMPTING
from ramify.experiments.papers.gudmundsson_2013.st_ggp import DIFFERENCES
from ramify.experiments.papers.gudmundsson_2013.st_position import AT_FIRST, ESTIMATES
from ramify.experiments.papers.gudmundsson_2013.threshold_readings import (
    ALL_BELOW,
    ALL_NODES,
    BELOW,
    PRINTED,
    WHOLE_GAME,
)
from ramify.experiments.papers.pepels_2014.cells import CELLS, FIVE, SLIP_CELLS
from ramify.experiments.papers.pepels_2014.players import BOTH, ONLINE, QUALITATIVE, RELATIVE
from ramify.experiments.papers.pepels_2014.quality_ggp import printed_cell
from ramify.experiments.papers.pepels_2014.tables import LONGER
from ramify.experiments.papers.perick_2012.policies import POLICIES as ROBIN
from ramify.experiments.papers.perick_2012.printed_table import printed_share
from ramify.experiments.papers.putrich_2023.box_trials import NAMES
from ramify.experiments.papers.putrich_2023.halving import TABLES
from ramify.experiments.papers.putrich_2023.kilothon import AGENTS as CHALLENGERS
from ramify.experiments.papers.tom_2010 import sos
from ramify.experiments.papers.tom_2010.claims.statements import STATEMENTS
from ramify.experiments.papers.tom_2010.settings import speed_key
from ramify.experiments.papers.tom_2010.view import ResultView
from tests.experiments.papers.made_up import Switches, fitted, results

ALL = {True, False, None}
MARGIN = 0.3  # of the room between a bound and the end of what is possible


def possible(one):
    """The least and the most that a quantity can be, as each of its atoms is between 0 and 1."""
    factors = [factor for factor, _ in one.quantity.atoms]
    return sum(one for one in factors if one < 0), sum(one for one in factors if one > 0)


def inside(one, value):
    """Well within what is claimed, as near to where it is as may be."""
    low, high = (
        pick(ends) for pick, ends in zip((max, min), zip(one.claimed, possible(one), strict=True), strict=True)
    )
    room = min(0.05, MARGIN * (high - low))
    return min(max(value, low + room), high - room)


def outside(one, value):
    """Well outside, on the side that has more room."""
    (low, high), (least, most) = one.claimed, possible(one)
    if low - least > most - high:
        return min(value, low - MARGIN * (low - least))
    return max(value, high + MARGIN * (most - high))


@pytest.mark.parametrize("statement", STATEMENTS, ids=lambda one: f"{one.place}: {one.tested}")
def test_every_statement_about_the_switches(statement):
    """Results in which all tests pass, in which the first is at its bound, and in which it fails."""
    asking = statement.tests

    def at_bound(one, value):
        return next(end for end in one.claimed if math.isfinite(end)) if one is asking[0] else inside(one, value)

    def verdict(wanted, parts=asking):
        view = ResultView(Switches(fitted(parts, wanted)).results(statement.settings))
        return statement.claim(view).verdict

    right, undecided, wrong = verdict(inside), verdict(at_bound), verdict(outside, asking[:1])
    assert right.holds is True, right.reason
    assert undecided.holds is None, undecided.reason
    assert wrong.holds is False, wrong.reason
    assert len(right.estimates) == len(asking)
    assert statement.source is None or isinstance(statement.source, Source)


def boxes(lead, wrong=0):
    """Boxes in which what is said to be more is so by ``lead``, by draws; and so many wrong trials with two boxes."""
    order = {  # of ucb1, sequential halving, ucb_sqrt, uct_sqrt_sh
        "low": {"boxes": (2, 1, 3, 1), "reward": (1, 2, 1, 2)},
        "high": {"boxes": (1, 2, 2, 1), "best": (1, 0, 0, 1), "others": (1, 1, 1, 2)},
    }

    def sums(point, chunk):
        if point.key.startswith("two/"):
            off = chunk < wrong
            return {"ucb1": [2 + off, 1998 - off], "sequential halving": [1000 + off, 1000 - off]}
        ranks = dict.fromkeys(("boxes", "reward", "best", "others"), (0, 0, 0, 0)) | order[point.key.split("/")[0]]
        return {
            name: {
                **{key: 0.2 + rank[k] * lead(chunk) for key, rank in ranks.items()},
                "pulls": [chunk + k] * 30,
            }
            for k, name in enumerate(NAMES)
        }

    return results("boxes", sums)


def bandits(few, some, many, ends, wobble=1e-3):
    """Gains of ST: with 20 arms and 10 % winners, with 20 and 30 %, with 50; and in the first and the last pulls.

    Bandits differ by ``wobble``, up and down.
    """

    def sums(point, chunk):
        looks = np.arange(10, 3001, 10)
        middle = many if point.work.arms == 50 else some if point.work.winners > 0.1 else few
        gain = np.where((looks <= 100) | (looks >= 2500), ends, middle) + wobble * (-1) ** chunk
        return {"uct": [100.0] * len(looks), "st": (100 + point.work.tasks * gain).tolist()}

    return results("st-bandit", sums)


def shares(name, share, **more):
    """Searches that return the best move so often, by point and budget."""

    def sums(point, chunk):
        first, last = chunk * point.chunk, (chunk + 1) * point.chunk
        chances = [share(point.key, budget) for budget in point.work.budgets]
        return {"hits": [round(one * last) - round(one * first) for one in chances], "moves": {}, "trees": 1}

    return results(name, sums, **more)


def won(wins, losses):
    """So many pairs of games, both won or both lost."""
    return {
        "pairs": {key: number for key, number in (("1.0", wins), ("0.0", losses)) if number},
        "games": 2 * (wins + losses),
        "wins": 2 * wins,
        "draws": 0,
        "losses": 2 * losses,
        "plies": 0,
        "simulations": [1.0, 2.0],
        "seconds": [1.0, 1.0],
    }


def games(name, first, scale="quick", trials=None, chunk=None):
    """Pairs of games won by the first agent, with this probability by point."""

    def sums(point, chunk):
        share = first(point)
        wins = sum((chunk * point.chunk + k) * 0.618 % 1 < share for k in range(point.chunk))
        return won(wins, point.chunk - wins)

    return results(name, sums, scale, trials, chunk)


def halving(stronger, weaker, alike, nogo):
    """Halving in cells that are published as a win, as a loss, as neither; each at 1000 playouts, and at more.

    ``nogo`` is the score in NoGo where it is published as a loss.
    """

    def first(point):
        table, game, playouts, _ = point.key.removeprefix("Table ").split()
        paper_table = next(one for one in TABLES if one.number == int(table))
        printed = paper_table.printed(game, int(playouts))
        low, high = round(printed.low, 4), round(printed.high, 4)
        if game == "nogo" and high < 0.5:
            return nogo
        return (stronger if low > 0.5 else weaker if high < 0.5 else alike)[playouts != "1000"]

    return games("halving", first, "paper", trials=40_000, chunk=4000)


LEADERS = {RELATIVE: LONGER, QUALITATIVE: ("breakthrough", "cannon")}


def leading(cell):
    return cell.game in LEADERS.get(cell.kind, ())


def quality(
    stronger,
    weaker,
    alike,
    more=lambda cell: 0.0,
    slip=(0.5, 0.5),
    explained=0.05,
    astray=(2.0, 0.9),
    spread=(0.3, 0.2, 0.1),
    playouts=0.8,
    trials=20_000,
):
    """Bonuses in cells that are published as a win, a loss, neither, and so much more by cell.

    ``slip`` has the scores of the relative bonus without the slip and with it; ``explained`` is what length and quality
    do; ``astray`` how much longer simulations are than games, where the paper says that they are, and elsewhere;
    ``spread`` how much lengths vary there, elsewhere, and in Pentalath.
    """
    cells = {cell.key: cell for cell in CELLS["paper"]}
    slips = dict(zip((cell.key for cell in SLIP_CELLS["paper"]), slip, strict=True))

    def sums(point, chunk):
        wobble = 1 + 1e-3 * (-1) ** chunk
        kind, _, game = point.key.partition(" of ")
        if kind == "simulations":
            measure = {"correlation": 0.1, "explained": explained * wobble}
            return {
                "games": 1,
                "searches": 1,
                "plies": 10,
                "spread": spread[2 if game == "pentalath" else game not in LONGER] * wobble,
                "length": measure,
                "quality": measure,
                "foreseen": 10 * wobble * astray[game not in LONGER],
            }
        if kind == "playouts":
            score = playouts
        elif point.key in slips:
            score = slips[point.key]
        else:
            cell = cells[point.key]
            score = {BETTER: stronger, WORSE: weaker}.get(shows(cell.printed()), alike) + more(cell)
        wins = round(score * point.chunk)
        return won(wins, point.chunk - wins)

    return results("quality", sums, "paper", trials=trials, chunk=trials // 4)


def texts(sign):
    """Differences between cells as the text has them, or the other way round."""

    def more(cell):
        ahead = 0.05 * leading(cell) + 0.1 * (cell.weight == ONLINE) + 0.12 * (cell.kind == BOTH)
        return sign * (ahead + 0.03 * (cell.kind == QUALITATIVE)) - 0.1 * (sign < 0 and cell.seconds == FIVE)

    return more


def rulesheets(stronger, weaker, alike, apart=0.0, trials=20_000):
    """The bonus in cells that are published as a win, a loss, neither; less by ``apart`` with the other k."""

    def first(point):
        game, k, _ = point.key.split(", ")
        shown = shows(printed_cell(game, float(k.removeprefix("k = "))))
        return {BETTER: stronger, WORSE: weaker}.get(shown, alike) - apart * (k != "k = 2")

    return games("quality-ggp", first, trials=trials, chunk=trials // 4)


def thresholds(effect, null, step, distance, wobble=1e-3, trials=20_000):
    """The threshold in cells that are published as a win and as neither; readings differ by ``step``.

    ``distance``: how far differences are from a normal distribution, up and down by ``wobble``.
    """
    better = {WHOLE_GAME: 2, PRINTED: 1, BELOW: 0, ALL_NODES: 0, ALL_BELOW: -1}

    def sums(point, chunk):
        if point.key.startswith(DIFFERENCES):
            return {"histogram": [1] * BINS, "distance": distance + wobble * (-1) ** chunk}
        game, simulations, reading = point.key.split(" ", 2)
        printed = st_ggp.printed_cell(game, int(simulations))
        share = (effect if printed and shows(printed) == BETTER else null) + step * better[reading]
        wins = round((chunk + 1) * share * point.chunk) - round(chunk * share * point.chunk)
        return won(wins, point.chunk - wins)

    return results("st-ggp", sums, trials=trials, chunk=max(1, trials // 4))


def tuned(share, trials=200):
    """Other constants than the program's."""
    return games("quality-tuning", lambda _: share, trials=trials)


def position(uct, st, lead, fall, wobble=1e-3):
    """Shares of UCT and ST; how far the captures lead at first over the winning move and all others, and then fall."""

    def sums(point, chunk):
        first, last = chunk * point.chunk, (chunk + 1) * point.chunk
        if point.key == ESTIMATES:
            off = wobble * (-1) ** chunk
            late = [budget > AT_FIRST for budget in point.work.budgets]
            captured = [0.5 + lead - fall - off if one else 0.5 + lead + off for one in late]
            means = {"f2f3": [0.5] * len(captured), BEST[0]: [0.5] * len(captured)} | dict.fromkeys(TEMPTING, captured)
            return {"means": {move: [point.chunk * one for one in found] for move, found in means.items()}}
        hits = round((uct if point.key == "UCT" else st) * last) - round((uct if point.key == "UCT" else st) * first)
        return {"hits": [hits] * len(point.work.budgets), "moves": {}, "trees": 1}

    return results("st-position", sums)


def doubt(share):
    return shares("rave-doubt", lambda key, _: share if "rave_doubt" in key else 0.5)


def rave_errors(slope, best, worst, rave, wobble=1e-3, positions=20):
    """In Hex and Go, how much of the differences is kept, and own errors of the best and the worst move.

    ``rave`` is RAVE's share on SOS(10), under all errors; UCT's is one half.
    """

    def sums(point, chunk):
        if not point.key.startswith("errors in"):
            size = point.chunk
            share = 0.5 if "uct_fuego" in point.key else rave
            return {"hits": [round((chunk + 1) * share * size) - round(chunk * share * size)] * len(point.work.budgets)}
        real, off = not point.key.startswith("errors in SOS"), wobble * (-1) ** chunk
        roles = {"best": best, "second": 0.0, "worst": worst}
        return {
            **dict.fromkeys(("error", "above", "square", "own_square", "regret"), 0.1 + off),
            "covariance": 0.1 * (slope if real else 0.5) + 0.1 * off,
            "variance": 0.1,
            **{f"{what} {role}": real * one + off for role, one in roles.items() for what in ("errors", "own")},
            **{f"values {role}": 0.5 for role in roles},
        }

    found = results("rave-errors", sums)
    measured = {
        key: one
        if not key.startswith("errors in")
        else PointResult(one.point, dict(list(one.chunks.items())[:positions]), positions)
        for key, one in found.points.items()
    }
    return replace(found, points=measured)


def robins(name, share, trials=400):
    """Decisive games that the first agent wins with this probability by point."""

    def sums(point, chunk):
        won = sum((chunk * point.chunk + k) * 0.618 % 1 < share(point) for k in range(point.chunk))
        return {"wins": won, "losses": point.chunk - won, "draws": 1, "given_up": 0, "plies": 9}

    return results(name, sums, "quick", trials)


def contests(share, trials=300):
    """Games of Kilothon that an agent wins with this probability, and loses otherwise."""

    def sums(point, chunk):
        won = int(chunk * 0.618 % 1 < share[point.key.split(" at ")[0]])
        outcome = {"payoff": 2.0 * won - 1, "won": won, "even": 0, "lost": 1 - won, "failed": 0}
        return outcome | {"seconds": 0.1, "overruns": [0, 0], "causes": {}}

    return results("kilothon", sums, "quick", trials)


# Shares at which everything holds that is said of Kilothon, and ramify_kilothon is the best.
CONTEST = dict(zip(CHALLENGERS, (0.55, 0.75, 0.7, 0.9, 0.3, 0.99), strict=True))

# Strengths at which everything holds that is said of table II, and such at which nothing does.
AS_SAID = dict(zip(ROBIN, (2.4, 2.2, 2.0, 1.8, 0.5, 1.2, 1.2, 0.6, 0.2, 0, 0, -1), strict=True))
OTHERWISE = {name: -strength for name, strength in AS_SAID.items()} | {"ucb_minimal": -6, "ucb1_tuned": -9}


def by_strength(strengths):
    return lambda first, second: 1 / (1 + math.exp(strengths[second] - strengths[first]))


def robin_shares(pair, **others):
    """Shares of a round robin by pair, and those of what is compared beside it by the first word of the key."""

    def share(point):
        first, dash, rest = point.key.removeprefix("ranking, ").partition(" - ")
        return pair(first, rest.split(",")[0]) if dash else others.get(first.split()[0], 0.5)

    return share


def as_printed(first, second):
    """Table II, with exactly one half where it shows no clear difference."""
    shown = printed_share(first, second)
    return 0.5 if shown.low <= 0.5 <= shown.high else shown.estimate


def tron(pair, trials, heuristic, other):
    others = {"heuristic": heuristic, "value": other, "script": other, "formula": other}
    share = robin_shares(pair, **others)

    def sums(point, chunk):
        won = round(share(point) * point.chunk)
        return {"wins": won, "losses": point.chunk - won, "draws": 1, "given_up": 0, "plies": 9}

    return results("tron", sums, "quick", trials, trials // 2)


MADE_UP = {
    "kilothon": lambda: [
        contests(CONTEST),
        contests(dict.fromkeys(CHALLENGERS, 0.5), 10),
        contests({name: 1 - share for name, share in CONTEST.items()}),
    ],
    "tron": lambda: [
        tron(by_strength(AS_SAID), 4000, 0.935, 0.2),
        tron(as_printed, 100_000, 0.935, 0.2),
        tron(by_strength(dict.fromkeys(ROBIN, 0)), 8, 0.75, 0.5),
        tron(lambda first, second: 1 - as_printed(first, second), 4000, 0.1, 0.8),
        tron(by_strength(OTHERWISE), 4000, 0.1, 0.8),
    ],
    "tron-goofspiel": lambda: [
        robins("tron-goofspiel", robin_shares(by_strength(AS_SAID))),
        robins("tron-goofspiel", robin_shares(by_strength(dict.fromkeys(ROBIN, 0))), 10),
        robins("tron-goofspiel", robin_shares(by_strength(OTHERWISE | {"ucb_minimal": -2}))),
    ],
    "tron-tuning": lambda: [robins("tron-tuning", lambda _, one=one: one, 100) for one in (0.9, 0.5, 0.1)],
    "boxes": lambda: [
        boxes(lambda k: 1 + k % 2),
        boxes(lambda k: (-1) ** k, wrong=2),
        boxes(lambda k: -1 - k % 2, wrong=5),
    ],
    "st-bandit": lambda: [
        bandits(0.0, 0.01, 0.04, 0.0),
        bandits(0.0, 0.0, 0.0, 0.0, wobble=0.1),
        bandits(0.05, -0.02, -0.05, 0.05),
    ],
    "st-ggp": lambda: [
        thresholds(0.6, 0.5, 0.006, 0.05),
        thresholds(0.5, 0.5, 0.0, 0.1, wobble=0.1, trials=10),
        thresholds(0.4, 0.8, -0.006, 0.5),
    ],
    "quality-ggp": lambda: [
        rulesheets(0.53, 0.47, 0.5),
        rulesheets(0.5, 0.5, 0.5, trials=20),
        rulesheets(0.4, 0.75, 0.42, apart=0.1),
    ],
    "st-position": lambda: [
        position(0.3, 0.6, 0.3, 0.2),
        position(0.4, 0.5, 0.0, 0.0, wobble=0.3),
        position(0.9, 0.1, -0.3, -0.2),
    ],
    "rave-games": lambda: [games("rave-games", lambda _, one=one: one) for one in (0.9, 0.5, 0.1)],
    "rave-tuning": lambda: [
        games("rave-tuning", lambda point, one=one: one if point.work.first == "uct(c=0.4)" else 0.5)
        for one in (0.9, 0.4, 0.0)
    ],
    "p-games": lambda: [
        shares("p-games", lambda key, budget, late=late, early=early: late if budget > 2**12 else early)
        for early, late in ((0.5, 1.0), (0.98, 0.98), (0.5, 0.5))
    ],
    "score-bonus-go": lambda: [games("score-bonus-go", lambda _, one=one: one, "paper") for one in (0.55, 0.5, 0.3)],
    "halving": lambda: [
        halving((0.6, 0.57), (0.4, 0.3), (0.53, 0.51), 0.02),
        games("halving", lambda _: 0.5, "paper", trials=4),
        halving((0.1, 0.1), (0.9, 0.9), (0.75, 0.95), 0.98),
    ],
    "time": lambda: [games("time", lambda _, one=one: one, trials=50) for one in (0.9, 0.5, 0.1)],
    "quality": lambda: [
        quality(0.7, 0.3, 0.5, slip=(0.6, 0.5)),
        quality(0.6, 0.3, 0.6, texts(1)),
        quality(0.5, 0.5, 0.5, explained=0.01, astray=(1.0, 1.0), spread=(0.2, 0.2, 0.2), playouts=0.57, trials=40),
        quality(
            0.4,
            0.8,
            0.45,
            texts(-1),
            slip=(0.4, 0.6),
            explained=0.001,
            astray=(1.1, 2.0),
            spread=(0.1, 0.2, 0.3),
            playouts=0.4,
        ),
    ],
    "quality-tuning": lambda: [tuned(0.4), tuned(0.6), tuned(0.9)],
    **{
        name: lambda name=name: [games(name, lambda _, one=one: one, trials=50) for one in (0.9, 0.5, 0.1)]
        for name in ("worth", "worth-simulations")
    },
    "programs": lambda: [
        games("programs", lambda point, one=one: one if point.key.endswith(": the program") else 0.5, trials=trials)
        for one, trials in ((0.5, 20_000), (0.5, 10), (0.9, 200))
    ],
    "rave-errors": lambda: [
        rave_errors(0.2, -0.2, 0.2, 0.9),
        rave_errors(0.5, 0.0, 0.0, 0.5, wobble=0.1),
        rave_errors(0.8, 0.2, -0.2, 0.1),
    ],
    "rave-doubt": lambda: [doubt(0.8), doubt(0.5), doubt(0.1)],
}


def test_every_experiment_is_walked():
    alone = {name for name in experiments() if name != "sos" and not name.startswith("sos-")}
    assert set(MADE_UP) == alone
    keys = [point.key for point in sos.EXPERIMENTS[0].points_of("paper")]
    assert speed_key(10) in keys  # measured, and shown without a claim


@pytest.mark.parametrize("name", MADE_UP)
def test_every_claim_can_come_out_all_three_ways(name):
    found = {}
    for made in MADE_UP[name]():
        for place, claim in enumerate(experiments()[name].findings(made).claims):
            assert claim.ours == (claim.source is None)
            if claim.source:
                assert all((claim.source.paper, claim.source.section, claim.source.says))
            assert claim.verdict.estimates
            found.setdefault((place, claim.sentence), set()).add(claim.verdict.holds)
    assert found
    assert {claim: outcomes for claim, outcomes in found.items() if outcomes != ALL} == {}
