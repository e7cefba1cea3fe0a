"""What the programs behind two papers did that the papers do not say, and what each of it changes in a printed table.

A cell of a table is measured with the program, and with the program without one of its peculiarities. Both play the
same openings; their difference is the effect.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial

from ramify.agents.budgets.player_limits import PlayerLimits
from ramify.experiments.figures.curves import PUBLISHED
from ramify.experiments.figures.strips import Strip, strips
from ramify.experiments.framework import published
from ramify.experiments.framework.claims import OURS, Claim, equivalent, judge
from ramify.experiments.framework.estimates import Estimate, format_interval, share_difference
from ramify.experiments.framework.experiment import Experiment, Point, Results, Scale
from ramify.experiments.framework.findings import DataTable, Exhibit, FigureSpec, Findings
from ramify.experiments.framework.published_cells import MARGIN, percent
from ramify.experiments.papers.pepels_2014 import players as pepels
from ramify.experiments.papers.putrich_2023 import players as putrich
from ramify.experiments.trials.paired_games import PairedGames, paired_results, score_estimate

PROGRAM = "the program"
Rivals = tuple[str, str]  # an agent and its opponent


@dataclass(frozen=True)
class Cell:
    """A cell of a published table: the program's players, and the same without a peculiarity, by its name."""

    paper: str
    where: str
    score_of: str
    table: str  # of the published figures
    row: str
    column: str
    rules: str
    simulations: int
    program: Rivals
    without: Mapping[str, Rivals]

    @property
    def game(self) -> str:
        return self.row.replace("_", " ")

    @property
    def name(self) -> str:
        return f"{self.paper}, {self.where.lower()}, {self.game}"

    @property
    def variants(self) -> dict[str, Rivals]:
        return {PROGRAM: self.program, **self.without}

    def key(self, variant: str) -> str:
        return f"{self.name}: {variant}"

    def printed(self) -> Estimate:
        """Return the published figure."""
        row = next(one for one in published.table(self.table) if one["game"] == self.row)
        found = published.percentage(row[self.column])
        assert found is not None
        return found


def _bonus(table: int, row: str, column: str, simulations: int, program: str, without: Mapping[str, str]) -> Cell:
    """Return a cell of Pepels et al.: a player with a reward against the same player without."""
    game = pepels.GAMES[row]
    plain = pepels.baseline(row)
    return Cell(
        "Pepels et al. 2014",
        f"Table {table}",
        "UCT with the bonus against UCT" if table < 4 else "UCT with the quality as reward against UCT",
        f"quality_table{table}",
        row,
        column,
        game.rules,
        simulations,
        (pepels.enhanced(plain, program), plain),
        {name: (pepels.enhanced(plain, reward), plain) for name, reward in without.items()},
    )


def _halving(game: str) -> Cell:
    """Return a cell of table 2 of Putrich and Meneguzzi."""
    agents = putrich.READINGS["program"]
    program, uct = agents[putrich.SQRT_HALVING], agents[putrich.UCT]
    same = f"ucb1(c={0.35 * math.sqrt(2)!r})"
    log2 = f"mcts(allocation=uct_sqrt_sh, select_root=ucb_sqrt(c=0.35), select={same}, {putrich.SIX_HUNDRED})"
    return Cell(
        "Putrich and Meneguzzi 2023",
        "Table 2",
        f"{putrich.SQRT_HALVING} against {putrich.UCT}",
        "sh_table2",
        game,
        "1000",
        putrich.GAMES[game],
        1000,
        (program, uct),
        {
            "the misplaced parenthesis": (log2, uct),
            "unequal constants": (program, f"mcts(select={same}, {putrich.SIX_HUNDRED})"),
        },
    )


def _shot(game: str) -> Cell:
    """Return a cell of table 3 of Putrich and Meneguzzi, where the cut matters."""
    agents = putrich.READINGS["program"]
    return Cell(
        "Putrich and Meneguzzi 2023",
        "Table 3",
        f"{putrich.SHOT} against {putrich.UCT}",
        "sh_table3",
        game,
        "5000",
        putrich.GAMES[game],
        5000,
        (putrich.players(game, "cut")[putrich.SHOT], agents[putrich.UCT]),
        {"the cut after 0.6 s": (agents[putrich.SHOT], agents[putrich.UCT])},
    )


def _early(table: int, game: str, simulations: int, kind: str) -> Cell:
    """Return a cell of Pepels et al. with a = 0.25, and the program without its sign or without its waiting."""
    program = pepels.reward(game, kind, reading=pepels.PROGRAM)
    without = {
        "the sigmoid's sign": program.replace("sign_error=true, ", ""),
        "waiting for 50 samples": pepels.reward(game, kind, reading=pepels.SLIP),
    }
    return _bonus(table, game, "1s_a0.25", simulations, program, without)


CELLS = (
    _early(1, "breakthrough", 1000, pepels.RELATIVE),
    _early(3, "cannon", 500, pepels.QUALITATIVE),
    _bonus(
        *(3, "breakthrough", "1s_online_a", 1000),
        pepels.reward("breakthrough", pepels.QUALITATIVE, pepels.ONLINE),
        {"raw q": pepels.reward("breakthrough", pepels.QUALITATIVE, pepels.ONLINE, pepels.OWN_Q)},
    ),
    _bonus(
        *(4, "pentalath", "1s_reward_is_q", 1000),
        pepels.reward("pentalath", pepels.REPLACED),
        {"q in place of b(k q)": pepels.reward("pentalath", pepels.REPLACED, reading=pepels.SIGMOID)},
    ),
    _halving("pentalath"),
    _halving("breakthrough"),
    _halving("amazons"),
    _shot("pentalath"),
)
PAIRS_FACTOR = {"cannon": 1, "amazons": 1, "pentalath": 2}  # more pairs where games are short: 4


def points(pairs: int, simulations: int | None = None) -> list[Point]:
    """Return a point per cell and variant. ``pairs``: in the slowest games. ``simulations``: instead of the cells'."""
    return [
        Point(
            cell.key(variant),
            PairedGames(cell.rules, *rivals, PlayerLimits(simulations=simulations or cell.simulations)),
            pairs * PAIRS_FACTOR.get(cell.game, 4),
            stream=cell.name,
        )
        for cell in CELLS
        for variant, rivals in cell.variants.items()
    ]


def findings(results: Results) -> Findings:
    """Return the scores of each cell, and the effect of each peculiarity."""
    scores = {
        (cell.name, variant): score_estimate(paired_results(results[cell.key(variant)]))
        for cell in CELLS
        for variant in cell.variants
    }
    effects = {
        (cell.name, variant): share_difference(scores[cell.name, PROGRAM], scores[cell.name, variant])
        for cell in CELLS
        for variant in cell.without
    }
    simulations = results.sizes.get("simulations")
    own = [_exhibit(cell, scores, effects, simulations or cell.simulations) for cell in CELLS]
    return Findings([_summary(effects), *own], NOTES)


Scores = Mapping[tuple[str, str], Estimate]


def _exhibit(cell: Cell, scores: Scores, effects: Scores, simulations: int) -> Exhibit:
    program = scores[cell.name, PROGRAM]
    rows = [
        [
            f"without {variant}",
            format_interval(scores[cell.name, variant]),
            format_interval(effects[cell.name, variant], sign=True),
        ]
        for variant in cell.without
    ]
    name = "-".join([cell.table.replace("_", "-"), cell.game.replace(" ", "-"), *(["a"] * ("online" in cell.column))])
    return Exhibit(
        cell.name,
        cell.score_of,
        [
            Claim(
                f"{cell.game}, {cell.where.lower()}, {variant}: an effect of less than {100 * MARGIN:g} points",
                OURS,
                judge(equivalent(effects[cell.name, variant], MARGIN, "the effect", around=0.0)),
            )
            for variant in cell.without
        ],
        [
            DataTable(
                f"Score of {cell.score_of} at {simulations:,} simulations per move, 95 % intervals;"
                f" published: {percent(cell.printed())} %",
                ["", "score", "effect"],
                [[PROGRAM, format_interval(program), ""], *rows],
            )
        ],
        [FigureSpec(name, f"{cell.name}: score with and without", partial(_figure, cell, scores))],
        assumed_settings="openings: two random plies; and that the sources that were read made the tables",
    )


def _figure(cell: Cell, scores: Scores) -> bytes:
    measured = {
        PROGRAM if variant == PROGRAM else f"without {variant}": scores[cell.name, variant] for variant in cell.variants
    }
    return strips(
        [Strip(cell.name, {"measured": measured, PUBLISHED: {PROGRAM: cell.printed()}}, "score", 0.5)], columns=1
    )


def _summary(effects: Scores) -> Exhibit:
    """Return all effects in one table."""
    rows = [
        [
            f"{cell.paper.split()[0]}, {cell.where.lower()}",
            cell.game,
            variant,
            format_interval(effects[cell.name, variant], 2, sign=True),
        ]
        for cell in CELLS
        for variant in cell.without
    ]
    return Exhibit(
        "All effects",
        "the program's score minus the score without the peculiarity",
        [],
        [DataTable("Effects, 95 % intervals", ["cell", "game", "peculiarity", "effect"], rows, texts=3)],
    )


NOTES = [
    "Our own study. The effect is the program's score minus the score without the peculiarity.",
    "The page on the programs explains each of them.",
]

EXPERIMENT = Experiment(
    id="programs",
    paper="",
    part="our own study of the programs behind two papers",
    shows="What the programs did that the papers do not say, and what it changes in the printed tables.",
    setup="Pairs of games with swapped seats and a shared opening of two random plies: {pairs} in Cannon and Amazons,"
    " twice as many in Pentalath, four times in Breakthrough.",
    scales={
        "smoke": Scale({"pairs": 1, "simulations": 16}, 20),
        "quick": Scale({"pairs": 40}, 1100),
        "paper": Scale({"pairs": 500}, 14_000),
    },
    points=points,
    findings=findings,
)
