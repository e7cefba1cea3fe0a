"""Bonuses for the quality of simulations in six games: Pepels, Tak, Lanctot and Winands 2014, tables 1, 3 and 4."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from ramify.experiments.framework.experiment import Experiment, Part, Point, Results, Scale
from ramify.experiments.framework.findings import Exhibit, Findings
from ramify.experiments.papers.pepels_2014.cells import (
    CELLS,
    CONTROL_PAIRS,
    FIVE,
    PAPER_PAIRS,
    QUICK_PAIRS,
    SLIP_CELLS,
    SLIP_PAIRS,
    Scores,
)
from ramify.experiments.papers.pepels_2014.correlations import Correlations, SimulationTrials
from ramify.experiments.papers.pepels_2014.lengths import lengths_exhibit
from ramify.experiments.papers.pepels_2014.players import (
    GAMES,
    PAPER,
    QUALITATIVE,
    QUICK_PLAYOUTS,
    RELATIVE,
    baseline,
)
from ramify.experiments.papers.pepels_2014.playout_policies import PLAYOUTS, playout_points, playouts_exhibit
from ramify.experiments.papers.pepels_2014.slip import slip_exhibit
from ramify.experiments.papers.pepels_2014.tables import TITLES, table_exhibit

WATCHED = "simulations of "  # beginning of the keys of self-play games


def points(plan: str, games: int, playout_pairs: int, simulations: Mapping[str, int]) -> list[Point]:
    """Return the cells of a plan, ``games`` self-play games of the baseline per game, and matches of playouts."""
    watched = [
        Point(WATCHED + game, SimulationTrials(GAMES[game].rules, baseline(game), count), games)
        for game, count in simulations.items()
    ]
    return [*(cell.point() for cell in CELLS[plan]), *watched, *playout_points(simulations, playout_pairs)]


def _table(number: int) -> Callable[[Results], Exhibit]:
    return lambda results: table_exhibit(number, Scores.from_results(results, CELLS[results.sizes["plan"]]))


def _slip(results: Results) -> Exhibit:
    cells = SLIP_CELLS[results.sizes["plan"]]
    return slip_exhibit(Scores.from_results(results, cells), cells)


def _lengths(results: Results) -> Exhibit:
    keys = [key for key in results if key.startswith(WATCHED)]
    return lengths_exhibit({key.removeprefix(WATCHED): Correlations.from_point(results[key]) for key in keys})


def _is_cell(*kinds: str) -> Callable[[str], bool]:
    return lambda key: key.startswith(tuple(f"{kind}, " for kind in kinds))


def _is_any_cell(key: str) -> bool:
    return not key.startswith((WATCHED, PLAYOUTS))


def _is_slip_cell(key: str) -> bool:
    return any(key == cell.key for cells in SLIP_CELLS.values() for cell in cells)


SCALES = {
    "smoke": Scale({"plan": "smoke", "games": 2, "playout_pairs": 1, "simulations": {"breakthrough": 60}}, 15),
    "quick": Scale({"plan": "quick", "games": 12, "playout_pairs": 40, "simulations": QUICK_PLAYOUTS}, 1500),
    "paper": Scale(
        {
            "plan": "paper",
            "games": 200,
            "playout_pairs": 500,
            "simulations": {game: 1000 * one.speed for game, one in GAMES.items()},
        },
        40_000_000,
    ),
}

NOTES = [
    (
        "The paper's rewards are -1, 0 and 1, ours 0, 1/2 and 1, so its constants are halved: a = 0.25 is a = 0.125,"
        " and C of UCT is c = C / 2. The paper tuned C but does not print it; it is that of its program: "
        + "; ".join(f"{game} {one.c:g}" for game, one in GAMES.items())
        + ". 'ramify reproduce quality-tuning' compares other values."
    ),
    (
        "Rules and playouts are those of the program behind the paper, which the paper does not describe: Amazons 8x8"
        " (the paper says 10x10), Cannon by mate, Checkers with draws, Chinese Checkers without leaving the goal,"
        " Pentalath with swap; a move's weight in a playout depends on what it does. In Amazons, Breakthrough and"
        " Pentalath MAST chooses among these weighted moves. It learns the result, not the bonus. 'decisive' playouts"
        " play a winning move, else prevent one, else play a random move. All players have the solver."
    ),
    (
        "q is that of the program, e.g. lead / 16 in Breakthrough, which may be negative; 'q in [0, 1]' is the game's"
        " own quality, 1/2 + lead / 34. A fixed weight does not depend on this, a' does. 'slip': the program's table of"
        " the sigmoid returns the wrong sign beyond |k x| = 10. 'program': in addition, bonuses start with the 50th"
        " sample of a winner and not in a player's first search, and a' is signed and taken over the whole game."
        " Quality alone is q and -q on [-1, 1], as one version of the program had it; 'b(k q)' is the next version."
    ),
    (
        "Budgets are simulations per move. At the scale quick 1 s is 1000 per move (200 in Cannon and 500 in"
        " Chinese Checkers, whose playouts take longest), and 5 s five times as many. At the scale paper seconds are"
        " read as the simulations that the program ran in them; 1000 simulations and real seconds are shown beside."
    ),
    (
        "Pairs of games per cell at the scale quick: "
        + ", ".join(f"{game} {pairs}" for game, pairs in QUICK_PAIRS.items())
        + f"; a fifth of them for {FIVE} s, and {SLIP_PAIRS} with decisive playouts. At the scale paper"
        f" {PAPER_PAIRS:,}, and {CONTROL_PAIRS} for quality alone."
    ),
    (
        "Our own claims were fixed with the results of a trial program in view, whose games are not among these. In"
        " Breakthrough with decisive playouts and 1000 simulations, without the solver, it scored 0.57 with the"
        " relative bonus, and 0.52 with the relative bonus and the slip."
    ),
    (
        "Where a published interval includes or touches 50 %, the paper shows no clear difference. Such cells are"
        " tested as equivalence: the whole interval within the published half-width of 50 %."
    ),
]


def _part(name: str, shows: str, needs: Callable[[str], bool], exhibit: Callable[[Results], Exhibit]) -> Part:
    return Part(name, shows, needs, lambda results: Findings([exhibit(results)], NOTES))


EXHIBITS: Mapping[str, Callable[[Results], Exhibit]] = {
    **{f"table-{number}": _table(number) for number in TITLES},
    "slip": _slip,
    "lengths": _lengths,
    "playouts": playouts_exhibit,
}


def findings(results: Results) -> Findings:
    """Return all tables, the slip, the correlations and the playouts."""
    return Findings([exhibit(results) for exhibit in EXHIBITS.values()], NOTES)


EXPERIMENT = Experiment(
    id="quality",
    paper=PAPER,
    part="tables 1, 3 and 4",
    shows="Whether bonuses for short simulations and for good final positions make UCT stronger in six games.",
    setup="Cells of the tables, each by pairs of games with swapped seats and a shared opening of two random plies;"
    " for the correlations, {games} self-play games of the baseline in each game; for the playouts, {playout_pairs}"
    " pairs per game.",
    scales=SCALES,
    points=points,
    findings=findings,
    parts={
        "table-1": _part(
            "table 1",
            "Whether a bonus for short simulations makes UCT stronger in six games.",
            _is_cell(RELATIVE),
            EXHIBITS["table-1"],
        ),
        "table-3": _part(
            "table 3",
            "Whether a bonus for good final positions makes UCT stronger in six games.",
            _is_cell(RELATIVE, QUALITATIVE),
            EXHIBITS["table-3"],
        ),
        "table-4": _part(
            "table 4",
            "Whether both bonuses together are better than each, and whether quality can replace the result.",
            _is_any_cell,
            EXHIBITS["table-4"],
        ),
        "slip": _part(
            "our own study of a cell of table 1",
            "Whether a slip of the paper's program explains that the relative bonus gains nothing in Breakthrough.",
            _is_slip_cell,
            EXHIBITS["slip"],
        ),
        "lengths": _part(
            "sections 6.2 and 7",
            "How length and quality of simulations relate to their outcome and to the game.",
            lambda key: key.startswith(WATCHED),
            EXHIBITS["lengths"],
        ),
        "playouts": _part(
            "section 6.1",
            "How much stronger the paper's playouts are than random ones.",
            lambda key: key.startswith(PLAYOUTS),
            EXHIBITS["playouts"],
        ),
    },
)
