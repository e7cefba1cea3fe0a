"""Sufficiency threshold against UCT on bandits with moving means: ratio of optimal play (section 4.1)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

import numpy as np

from ramify import bandits
from ramify.bandits.arms import PATH
from ramify.experiments.figures.curves import Curve, Panel, panels
from ramify.experiments.framework.claims import OURS, Claim, Test, above, equivalent, judge
from ramify.experiments.framework.estimates import Estimate, bands, format_interval, mean, mean_difference
from ramify.experiments.framework.experiment import Experiment, Part, Point, Results, Scale
from ramify.experiments.framework.findings import DataTable, Exhibit, FigureSpec, Findings
from ramify.experiments.framework.statements import statements
from ramify.experiments.papers.gudmundsson_2013.gains import Floats, Gains
from ramify.experiments.papers.gudmundsson_2013.paper import FOLDER, PAPER
from ramify.experiments.papers.gudmundsson_2013.path_trials import PULLS, PathBandits, key
from ramify.experiments.papers.gudmundsson_2013.readings import (
    READINGS,
    overall,
    reading_points,
    reading_table,
    reading_text,
)

Setting = tuple[int, float]  # arms and share of winners

SETTINGS: list[Setting] = [(arms, winners) for arms in (20, 50) for winners in (0.1, 0.3)]
SMALLEST_SETTING = (20, 0.1)
TABLE_PULLS = (100, 250, 500, 1000, 2000, 3000)  # rows of the table, in pulls
AT = 1000  # pulls after which a gain is quoted
PEAK_PULLS = 500  # the gain is largest about here
LATE = 2500  # pulls after which UCT should have caught up
MUCH = 2  # "much better": more than this many times the gain with 20 arms (our reading)
NEGLIGIBLE = 0.01  # gains up to this are negligible


OURS_KEYS = [key(*setting) for setting in SETTINGS]  # of our reading


def points(models: int, tasks: int, every: int, reading_tasks: int) -> list[Point]:
    """Return a point per setting and per other reading of it. A chunk is one bandit, so intervals are over bandits."""
    ours = [Point(key(*setting), PathBandits(*setting, tasks, every), trials=models) for setting in SETTINGS]
    return [*ours, *reading_points(SETTINGS, models, reading_tasks, every)]


def measured(results: Results, settings: Sequence[Setting] = SETTINGS, reading: str = "") -> dict[Setting, Gains]:
    return {setting: Gains.from_results(results, setting, reading) for setting in settings}


def findings(results: Results) -> Findings:
    """Return the findings of all parts, and the verdicts on what the text says about all settings."""
    parts = (figure_2(results), figure_3(results), figure_4(results))
    exhibits = [one for part in parts for one in part.exhibits]
    exhibits.append(Exhibit("Section 4.1", "the course of the gain", _course(measured(results))))
    return Findings(
        exhibits,
        notes=[
            (
                "The paper prints no numbers for these figures, so its sentences are tested. The overall gain is the"
                f" mean over all pulls from 1 to {PULLS}. Intervals are over bandits, as in the paper."
            ),
            (
                "The text says that the figures show the performance of ST relative to UCT, and also the increase in"
                " the ratio of optimal play; the table has both, as a quotient and as a difference. With 50 arms, 10 %"
                f" winners and {AT} pulls they are about +6 % and +0.03. With more exploration the difference is larger"
                " there: +0.06 +- 0.02 with the term sqrt(2 ln N / n), which is c = 0.57, and +0.08 +- 0.02 with c ="
                " 0.7. We also tried, with c = 0.4, the mean itself as reward, ignoring unpulled arms while an arm is"
                " sufficient, a first-play urgency of 0.5 or 1, and returning the arm pulled most: at most +0.04."
            ),
            (
                "Other readings: with independent random numbers for the two policies gains are much the same. The"
                " paper's interval is over bandits, and nothing says that the policies met the same random numbers; the"
                " interval of two independent groups is 4 to 60 times as wide as ours. By that interval ST gains"
                f" significantly after {PEAK_PULLS} pulls with 50 arms but not with 20, and its small gain with 20 arms"
                " and 10 % winners shows only with common random numbers. With a binomial number of winners, and with"
                " normal rewards of standard deviation 1, gains over all pulls are about the same; with a standard"
                " deviation of 0.1 they come later."
            ),
        ],
    )


def figure_2(results: Results) -> Findings:
    """Return paths of two means, and UCT's curves. The paper says nothing about them that could be tested."""
    words = "paths of two means, and UCT's ratio of optimal play"
    found = measured(results)
    drawn = FigureSpec("figure-2", f"Figure 2: {words}", lambda: _figure_2(found, results.seed))
    return Findings([Exhibit("Figure 2", words, figures=[drawn])])


def figure_3(results: Results) -> Findings:
    """Return the gains with 20 arms by every reading."""

    def claims(found: dict[Setting, Gains], reading: str) -> list[Claim]:
        return [_alike(found[SMALLEST_SETTING], reading), _better(found[20, 0.3], "figure-3b", reading)]

    return _of_arms(results, 20, 3, claims)


def figure_4(results: Results) -> Findings:
    """Return the gains with 50 arms by every reading, and how they compare with those of 20 arms."""

    def claims(found: dict[Setting, Gains], reading: str) -> list[Claim]:
        return [_better(found[50, 0.1], "figure-4a", reading), _better(found[50, 0.3], "figure-4b", reading)]

    return _of_arms(results, 50, 4, claims, _many(measured(results)))


def _of_arms(
    results: Results,
    arms: int,
    number: int,
    claims: Callable[[dict[Setting, Gains], str], list[Claim]],
    more: Sequence[Claim] = (),
) -> Findings:
    settings = [setting for setting in SETTINGS if setting[0] == arms]
    found = measured(results, settings)
    title = f"ST minus UCT with {arms} arms"
    others = [
        claim for reading in READINGS for claim in claims(measured(results, settings, reading), reading_text(reading))
    ]
    return Findings(
        [
            Exhibit(
                f"Figure {number}",
                title,
                [*claims(found, ""), *more],
                [_table(one) for one in found.values()],
                [FigureSpec(f"figure-{number}", f"Figure {number}: {title}", partial(_figure, found, number))],
            ),
            Exhibit(
                f"Figure {number}, other readings",
                "where the text of section 4.1 is ambiguous",
                others,
                [reading_table(results, setting, PEAK_PULLS) for setting in settings],
            ),
        ]
    )


def _overall(one: Gains) -> Floats:
    return one.between(0, PULLS)


def _better(one: Gains, name: str, reading: str) -> Claim:
    return Claim(
        f"{one.name}: the overall gain is above 0",
        statements(FOLDER)[name],
        judge(above(overall(one), 0.0, "the overall gain", 4)),
        reading=reading,
    )


def _alike(one: Gains, reading: str) -> Claim:
    """No significant gain is tested as equivalence: common random numbers make the smallest gain significant."""
    return Claim(
        f"{one.name}: the gain is within {NEGLIGIBLE} of 0, after {AT} pulls and overall",
        statements(FOLDER)["figure-3a"],
        judge(_negligible(one.at(AT, one.gain), f"the gain after {AT} pulls"), _negligible(overall(one), "the gain")),
        reading=reading,
    )


def _negligible(gain: Estimate, what: str) -> Test:
    return equivalent(gain, NEGLIGIBLE, what, around=0.0, digits=4)


def _many(found: dict[Setting, Gains]) -> list[Claim]:
    much = [
        above(
            mean_difference(_overall(found[50, winners]), MUCH * _overall(found[20, winners])),
            0.0,
            f"the overall gain minus {MUCH} times that with 20 arms, {winners:.0%} winners,",
            4,
        )
        for winners in (0.1, 0.3)
    ]
    at = [
        above(found[50, winners].at(AT, found[50, winners].gain), 0.0, f"the gain with {winners:.0%} winners")
        for winners in (0.1, 0.3)
    ]
    return [
        Claim(
            f"the overall gain is more than {MUCH} times that with 20 arms",
            statements(FOLDER)["figure-4-much"],
            judge(*much),
        ),
        Claim(f"50 arms: the gain is above 0 at {AT} pulls", OURS, judge(*at)),
    ]


def _course(found: dict[Setting, Gains]) -> list[Claim]:
    early = [
        _negligible(
            mean(one.between(0, 2 * arms), grain=one.grain),
            f"the mean gain over the first {2 * arms} pulls with {one.name}",
        )
        for (arms, _), one in found.items()
    ]
    late = []
    for (arms, winners), one in found.items():
        end = one.between(LATE, PULLS)
        what = f"the gain after {LATE} pulls with {one.name}"
        late.append(_negligible(mean(end, grain=one.grain), what))
        if (arms, winners) != SMALLEST_SETTING:
            earlier = mean(one.between(arms, AT) - end, grain=one.grain)
            late.append(above(earlier, 0.0, f"the gain up to {AT} pulls minus that, with {one.name},", 4))
    return [
        Claim(
            f"the mean gain over the first two pulls per arm is at most {NEGLIGIBLE}",
            statements(FOLDER)["no-information-at-first"],
            judge(*early),
        ),
        Claim(
            f"after {LATE} pulls the gain is at most {NEGLIGIBLE}, and less than the gain up to {AT}, if there was one",
            statements(FOLDER)["uct-catches-up"],
            judge(*late),
        ),
    ]


def _table(one: Gains) -> DataTable:
    rows = [
        [
            f"{pulls:,}",
            format_interval(one.at(pulls, one.uct)),
            format_interval(one.at(pulls, one.gain), sign=True),
            format_interval(one.relative(pulls), 2, sign=True),
        ]
        for pulls in TABLE_PULLS
    ]
    return DataTable(
        f"Ratio of optimal play, {one.name}", ["pulls", "UCT", "ST minus UCT", "ST / UCT - 1"], rows, texts=0
    )


def _figure_2(found: dict[Setting, Gains], seed: int) -> bytes:
    bandit = bandits.means_path(20, 0.5, seed=seed)
    paths = [
        Curve(word, np.arange(1, PATH + 1), bandit.parameters[np.flatnonzero(bandit.means == worth)[0]])
        for word, worth in (("win", 1.0), ("loss", 0.0))
    ]
    curves = [Curve(one.name, one.checkpoints, *bands(one.uct)) for one in found.values()]
    return panels(
        [
            Panel("Figure 2a: paths of two means", paths, "pulls of the arm", "mean", limits=(-0.03, 1.03)),
            Panel(
                "Figure 2b: UCT, with 95 % bands over bandits",
                curves,
                "pulls",
                "ratio of optimal play",
                limits=(0, 1.03),
            ),
        ]
    )


def _figure(found: dict[Setting, Gains], number: int) -> bytes:
    return panels(
        [
            Panel(
                f"Figure {number}{letter}: {one.name}",
                [Curve("", one.checkpoints, *bands(one.gain))],
                "pulls",
                "ST minus UCT",
                levels=(0.0,),
                limits=(-0.05, 0.13),
            )
            for letter, one in zip("ab", found.values(), strict=True)
        ]
    )


EXPERIMENT = Experiment(
    id="st-bandit",
    paper=PAPER,
    part="figures 2 to 4",
    shows="Whether unplugging exploration while an arm looks good enough (ST) finds winning arms sooner than UCT.",
    setup="Mean's-path bandits of 20 and 50 arms with 10 % and 30 % winners, {models} bandits of {tasks} tasks each,"
    " 3000 pulls examined every {every}; ucb1(c=0.4) against sufficiency(c=0.4, alpha=0.6), returning the arm of"
    " highest mean. Other readings of the text with {reading_tasks} tasks each.",
    scales={
        "smoke": Scale({"models": 4, "tasks": 5, "every": 10, "reading_tasks": 2}, 4),
        "quick": Scale({"models": 50, "tasks": 200, "every": 10, "reading_tasks": 50}, 110),
        "paper": Scale({"models": 50, "tasks": 200, "every": 1, "reading_tasks": 200}, 350),
    },
    points=points,
    findings=findings,
    parts={
        "figure-2": Part(
            "figure 2", "Two mean's paths, and UCT's ratio of optimal play.", lambda key: key in OURS_KEYS, figure_2
        ),
        "figure-3": Part("figure 3", "The gain of ST with 20 arms.", lambda key: key.startswith("20 arms"), figure_3),
        "figure-4": Part(
            "figure 4",
            "The gain of ST with 50 arms.",
            lambda key: key in OURS_KEYS or key.startswith("50 arms"),
            figure_4,
        ),
    },
)
