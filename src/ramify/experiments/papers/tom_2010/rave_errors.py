"""Beyond the thesis: how wrong RAVE's values are in Hex and Go, and what errors of that size do in Sum of Switches."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

from ramify.experiments.figures.curves import Curve, Panel, panels
from ramify.experiments.framework.claims import OURS, Claim, Test, above, all_hold, below, judge_family
from ramify.experiments.framework.estimates import (
    CONFIDENCE,
    Estimate,
    format_interval,
    mean_difference,
    share_difference,
)
from ramify.experiments.framework.experiment import Experiment, Point, Results, Scale
from ramify.experiments.framework.findings import DataTable, Exhibit, FigureSpec, Findings
from ramify.experiments.papers.tom_2010.claims.claim_tests import HALF
from ramify.experiments.papers.tom_2010.figures import MODELS, with_false_updates
from ramify.experiments.papers.tom_2010.rave_error_match import DEPTHS, REAL, SWITCHES, Measured, key, match, nearest
from ramify.experiments.papers.tom_2010.rave_error_trials import RaveErrorTrials
from ramify.experiments.papers.tom_2010.settings import MUS, RAVE, UCT, Setting, point
from ramify.experiments.papers.tom_2010.view import ResultView
from ramify.statistics.inference import Interval

GAMES = {"Hex 7x7": "hex(size=7)", "Go 5x5": "go(size=5)", SWITCHES: "sos(n=10)"}
REFERENCES = {  # both try all moves equally often at the root
    "searches": f"mcts(select_root=round_robin, select=uct_fuego(c={UCT.c}))",
    "playouts": "mcts(select_root=round_robin, select=random, expand_threshold=1000000000)",
}
THESIS = {  # what the thesis says of each model's figure
    "false updates of all moves": "5.7: above UCT up to μ = 0.3",
    "the best move lowered": "5.9: worse than errors in all moves; with 0.2 optimal after 2^13",
    "the best move lowered, shared": "5.12: optimal within 2^16 up to 0.6",
    "the worst move raised": "5.15: costs less than errors in all moves",
    "the worst move raised, shared": "5.21: says nothing",
    "the second-best move raised": "5.18: like the best move lowered, but sooner optimal",
    "the second-best move raised, shared": "5.24: with 1.0 optimal at 2^16",
}


def points(positions: int, simulations: int, per_move: int, trials: int, last: int) -> list[Point]:
    """Return the positions of each game and depth, and SOS(10) under every error model at every probability."""
    measured = [
        Point(
            key(name, depth, reference),
            RaveErrorTrials(game, depth, RAVE.agent, agent, simulations, per_move),
            positions,
        )
        for reference, agent in REFERENCES.items()
        for name, game in GAMES.items()
        for depth in DEPTHS[name]
    ]
    settings = [UCT, RAVE, *(with_false_updates(errors, mu) for errors in MODELS.values() for mu in MUS if mu)]
    return [*measured, *(point(one, trials, last) for one in settings)]


def findings(results: Results) -> Findings:
    view = ResultView(results)
    studies = [Study(Measured(results, reference), view) for reference in REFERENCES]
    families = [one.comparisons() | one.replays() for one in studies]
    verdicts = iter(judge_family([test for family in families for tests in family.values() for test in tests]))
    exhibits: list[Exhibit] = []
    for study, family in zip(studies, families, strict=True):
        claims = [
            Claim(sentence, OURS, all_hold([next(verdicts) for _ in tests]), family="rave-errors")
            for sentence, tests in family.items()
        ]
        exhibits += study.exhibits(claims)
    return Findings(
        exhibits,
        [
            (
                "Our own study. Verdicts are corrected (Holm) for all comparisons of its claims: with probability at"
                " least 95 % all of them are right."
            ),
            (
                f"RAVE's values are those of the thesis's player, {RAVE.agent}. They are compared with the means of"
                f" {REFERENCES['searches']}, and with those of playouts, which is what RAVE's values replace while a"
                " move has few simulations."
            ),
            (
                "Positions come from random games. There is only one at depth 0, so intervals there are over searches."
                " The spread of errors includes the sampling noise of RAVE's values, but not that of the reference."
                " Where two moves are about equally good, the second-best move is not surely the one that ranks second,"
                " and the μ that is matched to its errors is too near 0."
            ),
            (
                "The errors of SOS(10) at depth 0, where no update is false, are subtracted before an error model is"
                " matched. A μ below 0 means that the game has less of that error than SOS(10). The nearest of the"
                " measured μ is replayed. The match is rough, because false updates also change what is searched: with"
                " a true μ of 0.3 it gives 0.22 to 0.30, depending on the model."
            ),
        ],
    )


@dataclass(frozen=True)
class Study:
    """Errors with one reference, and their replay."""

    found: Measured
    view: ResultView

    @property
    def reference(self) -> str:
        return self.found.reference

    def matches(self) -> dict[tuple[str, str], Estimate]:
        """The μ of each game and error model."""
        return {(game, name): match(self.found, one, game) for game in REAL for name, one in MODELS.items()}

    def settings(self) -> dict[tuple[str, str], Setting]:
        """What is replayed: each model at the nearest μ."""
        return {
            (game, name): with_false_updates(MODELS[name], nearest(mu.estimate))
            for (game, name), mu in self.matches().items()
        }

    def comparisons(self) -> dict[str, list[Test]]:
        """Tests of each game's errors against those of SOS(10), by claim."""
        found, versus = self.found, f"than in SOS(10), compared with {self.reference}"

        def excess(role: str, game: str) -> Estimate:
            return mean_difference(found.rows(f"own {role}", game), found.rows(f"own {role}", SWITCHES, 0))

        tests: dict[str, list[Test]] = {}
        for game in REAL:
            loss = share_difference(found.slope(SWITCHES, 0), found.slope(game))
            what = "the difference of own errors"
            tests |= {
                f"{game}: RAVE keeps less of the differences between moves {versus}": [above(loss, 0.0, "the loss")],
                f"{game}: RAVE underestimates the best move more {versus}": [below(excess("best", game), 0.0, what)],
                f"{game}: RAVE overestimates the worst move more {versus}": [above(excess("worst", game), 0.0, what)],
            }
        return tests

    def replays(self) -> dict[str, list[Test]]:
        """Tests of RAVE against UCT under the errors of each game, by claim."""
        exponent = min(HALF, self.view.last)
        settings = self.settings()
        return {
            f"{game}: with its errors compared with {self.reference}, by each model, RAVE is above UCT on SOS(10) at"
            f" 2^{exponent}": [
                above(self.view.gain(settings[game, name], UCT, exponent), 0.0, f"with {name} the gain")
                for name in MODELS
            ]
            for game in REAL
        }

    def exhibits(self, claims: Sequence[Claim]) -> list[Exhibit]:
        """Return the errors and their replay."""
        split = len(self.comparisons())
        found, view, word = self.found, self.view, self.reference
        errors = FigureSpec(f"depth-{word}", f"Errors of RAVE's values against {word}", partial(_depth_figure, found))
        titles = {game: f"UCT+RAVE on SOS(10) with the errors of {game} against {word}" for game in REAL}
        replays = [
            FigureSpec(
                f"replay-{word}-{game.split()[0].lower()}",
                title,
                partial(_replay_figure, view, self.settings(), game, title),
            )
            for game, title in titles.items()
        ]
        return [
            Exhibit(
                f"Errors against {word}",
                f"RAVE's values minus those of {word}, by game and depth",
                claims[:split],
                [_errors_table(found), _roles_table(found)],
                [errors],
            ),
            Exhibit(
                f"Replay of errors against {word}",
                "SOS(10) with the errors of each game",
                claims[split:],
                [_match_table(found), _replay_table(view, self.matches())],
                replays,
            ),
        ]


def _places() -> list[tuple[str, int | None]]:
    return [(game, depth) for game in GAMES for depth in (*DEPTHS[game], None)]


def _place_text(depth: int | None) -> str:
    return "all" if depth is None else str(depth)


def _errors_table(found: Measured) -> DataTable:
    rows = [
        [
            game,
            _place_text(depth),
            *(format_interval(found.mean(what, game, depth), sign=what == "error") for what in ("error", "above")),
            format_interval(found.spread(game, depth)),
            format_interval(found.common(game, depth), 2),
            format_interval(found.slope(game, depth), 2),
            format_interval(found.mean("regret", game, depth)),
        ]
        for game, depth in _places()
    ]
    headings = [
        "game",
        "depth",
        "mean error",
        "share above 0",
        "spread of own errors",
        "common share",
        "slope",
        "regret",
    ]
    return DataTable("Errors of all moves, 95 % intervals", headings, rows, texts=1)


def _roles_table(found: Measured) -> DataTable:
    roles = ("best", "second", "worst")
    rows = [
        [
            game,
            _place_text(depth),
            *(format_interval(found.mean(f"own {role}", game, depth), sign=True) for role in roles),
        ]
        for game, depth in _places()
    ]
    return DataTable("Own errors by rank of the move, 95 % intervals", ["game", "depth", *roles], rows, texts=1)


def _match_table(found: Measured) -> DataTable:
    rows = [
        [
            game,
            _place_text(depth),
            *(format_interval(match(found, errors, game, depth), 2) for errors in MODELS.values()),
        ]
        for game, depth in _places()
        if game != SWITCHES
    ]
    return DataTable("μ with the errors of the game, 95 % intervals", ["game", "depth", *MODELS], rows, texts=1)


def _replay_table(view: ResultView, matches: dict[tuple[str, str], Estimate]) -> DataTable:
    """The shares at the nearest μ have intervals; the last column is at the ends of the interval of μ."""
    exponents = [one for one in (HALF, 10) if one <= view.last]
    rows = []
    for (game, name), one in matches.items():
        setting = with_false_updates(MODELS[name], nearest(one.estimate))
        ends = [with_false_updates(MODELS[name], nearest(end)) for end in one.at(CONFIDENCE)[1:]]
        rows.append(
            [
                game,
                name,
                THESIS[name],
                format_interval(one, 2),
                f"{nearest(one.estimate)}",
                *(format_interval(view.share(setting, k)) for k in exponents),
                " to ".join(f"{view.share(end, exponents[-1]).estimate:.3f}" for end in ends),
            ]
        )
    for label, setting in (("UCT", UCT), ("no false updates", RAVE)):
        shares = [format_interval(view.share(setting, k)) for k in exponents]
        rows.append([SWITCHES, label, "", "", "", *shares, ""])
    headings = [
        "errors of",
        "model",
        "figure of the thesis",
        "μ",
        "replayed",
        *(f"2^{k}" for k in exponents),
        "at the ends",
    ]
    return DataTable("Share of best moves on SOS(10), 95 % intervals", headings, rows, texts=3)


def _depth_figure(found: Measured) -> bytes:
    def panel(title: str, y: str, of: Callable[[str, int], Interval], levels: Sequence[float] = ()) -> Panel:
        curves = [Curve.from_intervals(game, DEPTHS[game], [of(game, one) for one in DEPTHS[game]]) for game in GAMES]
        return Panel(title, curves, "depth", y, marked=True, levels=levels)

    return panels(
        [
            panel("Mean error of all moves", f"AMAF minus {found.reference}", partial(found.mean, "error"), (0.0,)),
            panel("Spread of own errors", "standard deviation", found.spread),
            panel(
                "Own error of the best move", f"AMAF minus {found.reference}", partial(found.mean, "own best"), (0.0,)
            ),
            panel("Differences that are kept", "slope", found.slope, (0.0, 1.0)),
        ]
    )


def _replay_figure(view: ResultView, settings: dict[tuple[str, str], Setting], game: str, title: str) -> bytes:
    """Models that are matched to no false updates are left out."""
    budgets = [2**exponent for exponent in view.exponents]
    shown = {"UCT": UCT, "no false updates": RAVE}
    for name in MODELS:
        setting = settings[game, name]
        if setting.mu:
            words = name.removeprefix("the ").replace("-best move", "").replace("best move", "best")
            shown[f"{words.replace('worst move', 'worst')}, μ = {setting.mu}"] = setting
    curves = [Curve.from_intervals(label, budgets, view.shares(setting)) for label, setting in shown.items()]
    return panels([Panel(title, curves, "simulations", "share of best moves", powers=True, limits=(-0.03, 1.03))])


EXPERIMENT = Experiment(
    id="rave-errors",
    paper="",
    part="our own study, with the error models of Tom 2010",
    shows="How wrong RAVE's values are in Hex and Go, and what errors of that size do on Sum of Switches.",
    setup="{positions} positions per game and depth, after random moves; RAVE's values after {simulations}"
    " simulations, minus values from {per_move} simulations per move. Then SOS(10) under each error model;"
    " {trials} searches per setting, up to 2^{last} simulations.",
    scales={
        "smoke": Scale({"positions": 2, "simulations": 1024, "per_move": 64, "trials": 4, "last": 7}, 5),
        "quick": Scale({"positions": 60, "simulations": 1024, "per_move": 4096, "trials": 300, "last": 12}, 400),
        "paper": Scale({"positions": 400, "simulations": 1024, "per_move": 16384, "trials": 1000, "last": 16}, 13_000),
    },
    points=points,
    findings=findings,
)
