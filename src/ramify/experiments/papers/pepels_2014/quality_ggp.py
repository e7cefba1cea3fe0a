"""The relative bonus in a general game player, with rulesheets: Pepels, Tak, Lanctot and Winands 2014, table 2."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import partial

from ramify.agents.budgets.player_limits import PlayerLimits
from ramify.experiments.figures.strips import Strip, strips
from ramify.experiments.framework import published
from ramify.experiments.framework.claims import (
    OURS,
    Claim,
    Test,
    above,
    below,
    equivalent,
    judge,
    unmeasured,
    within,
)
from ramify.experiments.framework.estimates import Estimate, format_interval, share_difference
from ramify.experiments.framework.experiment import Experiment, Part, Point, Results, Scale
from ramify.experiments.framework.findings import DataTable, Exhibit, FigureSpec, Findings
from ramify.experiments.framework.published_cells import ALIKE, UNCLEAR, cell_test, margin, mean_of, percent, shows
from ramify.experiments.framework.statements import statements
from ramify.experiments.papers.pepels_2014.counting import at_least
from ramify.experiments.papers.pepels_2014.players import FOLDER, PAPER, A
from ramify.experiments.trials.paired_games import WinLossGames, paired_results, score_estimate


@dataclass(frozen=True)
class TableGame:
    """A game of the table: its rulesheet, its name there, and its size at the scale quick."""

    rules: str
    printed: str
    pairs: int  # of games
    simulations: int = 500  # per move
    simultaneous: bool = False  # simultaneous moves
    native: str = ""  # the same game without a rulesheet, if its propnet is too slow

    @property
    def game(self) -> str:
        """Description of the game, for a match."""
        return self.native or f"gdl:{self.rules}"


# A pair of games takes 0.2 s (TTCC4) to 3 s (Zhadu) of CPU time at 500 simulations. Slower games have fewer simulations
# or pairs: about a minute and a half per cell.
SHEETS = {
    "zhadu": TableGame("zhadu", "zhadu", 30),
    "ttcc4": TableGame("ttcc4", "ttcc4", 150),
    "skirmish": TableGame("skirmish", "skirmish", 6, 100),
    "sheep and wolf": TableGame("sheep_and_wolf", "sheepwolf", 120),
    "quad": TableGame("quad", "quad", 120),
    "merrills": TableGame("nine_mens_morris", "merrils", 12, 200),
    "knightthrough": TableGame("knightthrough", "knightthrough", 120),
    "connect5": TableGame("connect5", "connect5", 100),
    "checkers": TableGame("checkers", "checkers", 16, 200),
    "breakthrough": TableGame("breakthrough", "breakthrough", 60),
    "3D tic-tac-toe": TableGame("tictactoe3d", "3dtictactoe", 150),
    "chinese checkers": TableGame(
        "chinese_checkers", "chinese_checkers", 10, 100, native="chinese_checkers(stay=true, drawn=true)"
    ),
    "battle": TableGame("battle", "battle", 24, simultaneous=True),
    "chinook": TableGame("chinook", "chinook", 24, simultaneous=True),
}
TURNS = tuple(game for game, sheet in SHEETS.items() if not sheet.simultaneous)
KS = (2.0, 1.4)
PANEL_GAMES = 7  # more names would overlap in a figure
HARM = 0.05  # a loss of score above this counts as harm
ROBUST = 0.05  # robust: the scores with the two k differ by at most this
FIXED, CLOCK = "simulations", "seconds"  # readings of the paper's clocks
PAPER_PAIRS, PAPER_SIMULATIONS, PAPER_SECONDS = 475, 1000, 15.0

Played = Mapping[str, tuple[PlayerLimits, int]]  # by game: budget per move, and pairs of games
Cells = dict[tuple[str, float], Estimate]  # by game and k


def player(game: str, k: float | None = None) -> str:
    """CadiaPlayer with N-grams, with the bonus if k is given."""
    given = [] if k is None else [f"bonus=relative_bonus(k={k:g}, a={A})"]
    given += ["playout=uniform"] if SHEETS[game].simultaneous else []
    return f"cadiaplayer_ngrams({', '.join(given)})"


def key(game: str, k: float, reading: str) -> str:
    return f"{game}, k = {k:g}, {reading}"


def points(readings: Mapping[str, Played]) -> list[Point]:
    """Return a point per cell. The two values of k meet the same opponent with the same random numbers."""
    return [
        Point(
            key(game, k, reading),
            WinLossGames(
                SHEETS[game].game,
                player(game, k),
                player(game),
                limits,
                opening_plies=0,
            ),
            pairs,
            stream=f"{game}, {reading}",
        )
        for reading, played in readings.items()
        for game, (limits, pairs) in played.items()
        for k in KS
    ]


def findings(results: Results) -> Findings:
    """Return scores beside the published ones, and verdicts on the text, for each reading of the paper's clocks."""
    exhibits = []
    for reading, played in results.sizes["readings"].items():
        scores = {
            (game, k): score_estimate(paired_results(results[key(game, k, reading)])) for game in played for k in KS
        }
        exhibits.append(_exhibit(reading, played, scores))
    return Findings(exhibits, NOTES)


NOTES = [
    (
        "CadiaPlayer follows its public version of 2012, with N-grams of up to three moves in place of MAST, as the"
        " paper says; it prints none of their constants. An N-gram counts once it was seen seven times, and a fifth of"
        " all playout moves are random. The paper's rewards are -1, 0 and 1, ours from 0 to 1: its a = 0.25 is"
        f" a = {A:g} here. The bonus is applied before the discount of 0.999 per ply. C = 0.4 was not tuned per game."
    ),
    (
        "Battle and Chinook have simultaneous moves and are searched as such: each player chooses by its own"
        " statistics, as in CadiaPlayer. N-grams, which here choose for one player to move, are left out there: both"
        " players have uniform playouts."
    ),
    (
        "The player with the higher goal wins, and equal goals are a draw; in Skirmish goals depend on what was"
        " captured. Rulesheets are our own; the paper's may differ, above all in their limits of length. Chinese"
        " Checkers is played without its rulesheet, by a native game that tests hold in lockstep with it: the propnet"
        " runs 34 simulations per second there, the native game 10 000."
    ),
    (
        "The paper's clocks were 30 s before a match and 15 s per move. Its program, which interpreted rules, ran few"
        " simulations in that time; how many is not printed. Here each game has a fixed number, 1000 at the scale"
        " paper, which also plays 15 real seconds with hundreds of thousands of simulations. Both players run batches"
        " of the same size."
    ),
    (
        "Where a published interval includes or touches 50 %, the paper shows no clear difference. Such cells are"
        " tested as equivalence: the whole interval within the published half-width of 50 %."
    ),
]


def printed_cell(game: str, k: float) -> Estimate:
    """Return the published figure."""
    row = next(one for one in published.table("quality_table2") if one["game"] == SHEETS[game].printed)
    found = published.percentage(row[f"k{k:g}"])
    assert found is not None
    return found


def _exhibit(reading: str, played: Played, scores: Cells) -> Exhibit:
    beside = "" if reading == FIXED else f"clocks read as {reading}"
    rows = [
        [
            game,
            f"{k:g}",
            str(played[game][0]),
            f"{2 * played[game][1]}",
            format_interval(score),
            percent(printed_cell(game, k)),
        ]
        for k in KS
        for (game, one), score in scores.items()
        if one == k
    ]
    return Exhibit(
        f"Table 2, {reading}",
        f"CadiaPlayer with N-grams, with against without the relative bonus, clocks read as {reading}",
        [*_cell_claims(scores, beside), *_text_claims(scores, beside)],
        [
            DataTable(
                "Score with the bonus, 95 % intervals",
                ["game", "k", "budget", "games", "measured", "published"],
                rows,
                3,
            )
        ],
        [
            FigureSpec(
                f"table-2-{reading}",
                f"Scores of the relative bonus in a general game player, clocks read as {reading}, and published",
                partial(_figure, scores),
            )
        ],
        assumed_settings="the number of simulations, openings (here none), constants of the N-grams",
    )


def _cell_claims(scores: Cells, reading: str) -> Iterator[Claim]:
    for (game, k), score in scores.items():
        printed = printed_cell(game, k)
        if shows(printed) == UNCLEAR:
            continue
        test, sentence = cell_test(printed, score)
        name = f"table-2-{SHEETS[game].printed}-k{k:g}".replace("_", "-").replace(".", "-")
        yield Claim(f"{game}, k = {k:g}: {sentence}", statements(FOLDER)[name], judge(test), reading=reading)


def _text_claims(scores: Cells, reading: str) -> Iterator[Claim]:
    """Yield claims on what the text says about the table as a whole."""

    def claim(name: str, sentence: str, *tests: Test) -> Claim:
        return Claim(sentence, statements(FOLDER)[name], judge(*tests), reading=reading)

    turns = {(game, k): score for (game, k), score in scores.items() if game in TURNS}
    given = [score for (_, k), score in turns.items() if k == KS[0]]
    yield claim(
        "improves-ggp",
        f"k = 2: the mean score over the {len(given)} sequential games is above 0.5",
        *([above(mean_of(given), 0.5, "the mean score")] if given else []),
    )
    yield claim(
        "table-2-robust",
        f"the scores with k = 2 and k = 1.4 are within {ROBUST:g} of each other in every game",
        *(_robust(scores, game) for game in dict.fromkeys(game for game, _ in scores)),
    )
    yield claim(
        "table-2-as-table-1",
        "k = 2: stronger than without in Chinese Checkers and Checkers, no clear difference in Breakthrough",
        *_as_table_1(scores),
    )
    yield Claim(
        "a score above 0.5 with k = 2 or k = 1.4 in at least 7 of 12 sequential games",
        statements(FOLDER)["ggp-seven-of-twelve"],
        at_least(
            7,
            [[above(turns[game, k], 0.5, f"the score in {game}") for k in KS if (game, k) in turns] for game in TURNS],
            either=True,
        ),
        reading=reading,
    )
    yield claim(
        "ggp-one-worse",
        f"quad: weaker than without, with either k; a score above {0.5 - HARM:g} in every other sequential game",
        *(_quad(scores, k) for k in KS),
        *(above(score, 0.5 - HARM, f"the score in {game}") for (game, _), score in turns.items() if _not_quad(game)),
    )
    alike = [game for game in TURNS if all(shows(printed_cell(game, k)) == ALIKE for k in KS)]
    yield Claim(
        "k = 2: sequential games for which the paper shows a gain score higher, on average, than those without one",
        OURS,
        judge(_more({game: score for (game, k), score in turns.items() if k == KS[0]}, alike)),
    )


def _as_table_1(scores: Cells) -> Iterator[Test]:
    """Yield tests of what table 1 shows of these games at 1 s with a = 0.25."""
    for game in ("chinese checkers", "checkers", "breakthrough"):
        score = scores.get((game, KS[0]))
        if score is None:
            yield unmeasured(f"this scale has no {game}")
        elif game == "breakthrough":
            yield equivalent(score, margin(printed_cell(game, KS[0])), f"the score in {game}")
        else:
            yield above(score, 0.5, f"the score in {game}")


def _not_quad(game: str) -> bool:
    return game != "quad"


def _quad(scores: Cells, k: float) -> Test:
    score = scores.get(("quad", k))
    return unmeasured("this scale has no quad") if score is None else below(score, 0.5, f"the score with k = {k:g}")


def _robust(scores: Cells, game: str) -> Test:
    difference = share_difference(scores[game, KS[0]], scores[game, KS[1]])
    return within(difference, -ROBUST, ROBUST, f"k = 2 minus k = 1.4 in {game}")


def _more(turns: Mapping[str, Estimate], alike: list[str]) -> Test:
    gaining = [score for game, score in turns.items() if game not in alike and _not_quad(game)]
    others = [score for game, score in turns.items() if game in alike]
    if not gaining or not others:
        return unmeasured("this scale has too few games")
    return above(share_difference(mean_of(gaining), mean_of(others)), 0.0, "the difference of the means")


def _figure(scores: Cells) -> bytes:
    """Draw panels of at most PANEL_GAMES games for each k, with games along x."""
    given = []
    for k in KS:
        here = {_label(game): (score, printed_cell(game, k)) for (game, one), score in scores.items() if one == k}
        for first in range(0, len(here), PANEL_GAMES):
            games = list(here)[first : first + PANEL_GAMES]
            found = {
                "measured": {game: here[game][0] for game in games},
                "published": {game: here[game][1] for game in games},
            }
            given.append(Strip(f"Table 2: k = {k:g}", found, "score against no bonus", 0.5))
    return strips(given, columns=1)


def _label(game: str) -> str:
    return game.replace("knightthrough", "knight through")  # two lines


EXPERIMENT = Experiment(
    id="quality-ggp",
    paper=PAPER,
    part="table 2",
    shows="Whether a bonus for short simulations makes a general game player stronger on fourteen rulesheets.",
    setup="CadiaPlayer with N-grams, with against without the relative bonus, in pairs of games with swapped seats from"
    " the initial position, for two values of k.",
    scales={
        "smoke": Scale(
            {
                "readings": {
                    FIXED: dict.fromkeys(("sheep and wolf", "quad", "chinook"), (PlayerLimits(simulations=20), 1))
                },
            },
            10,
        ),
        "quick": Scale(
            {
                "readings": {
                    FIXED: {
                        game: (PlayerLimits(simulations=sheet.simulations), sheet.pairs)
                        for game, sheet in SHEETS.items()
                    }
                },
            },
            1200,
        ),
        "paper": Scale(
            {
                "readings": {
                    FIXED: dict.fromkeys(SHEETS, (PlayerLimits(simulations=PAPER_SIMULATIONS), PAPER_PAIRS)),
                    CLOCK: dict.fromkeys(SHEETS, (PlayerLimits(seconds=PAPER_SECONDS), PAPER_PAIRS)),
                },
            },
            12_000_000,
        ),
    },
    points=points,
    findings=findings,
    parts={
        "table-2": Part(
            "table 2",
            "Whether a bonus for short simulations makes a general game player stronger on fourteen rulesheets.",
            lambda _: True,
            findings,
        )
    },
)
