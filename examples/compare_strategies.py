"""Which search finds the best first move of Sum of Switches, and how soon? (Thesis 001, figures 5.1, 5.4 and 5.5.)

Every strategy searches SOS(10) from the start with 2^4 to 2^12 simulations, many times with different seeds; the only
best first move is 9. Prints a table with 95 % Wilson intervals and draws the curves to out/compare_strategies.png.
"""

import os
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import matplotlib as mpl

mpl.use("Agg")
import matplotlib.pyplot as plt
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table
from scipy.stats import binomtest

import ramify
from ramify.cli.common import saying_when_compiling

GAME, BEST = "sos(n=10)", "9"
STRATEGIES = {
    "UCT, highest value": "mcts(select=ucb1(c=0.7), recommend=max)",
    "UCT, most visits": "mcts(select=ucb1(c=0.7), recommend=robust)",
    "UCT, secure": "mcts(select=ucb1(c=0.7), recommend=secure)",
    "greedy (c = 0)": "mcts(select=ucb1(c=0.0), recommend=max)",
    "expand at once": "mcts(select=ucb1(c=0.7), recommend=max, expand_threshold=0)",
}
BUDGETS = [2**k for k in range(4, 13)]
TRIALS = 200
PICTURE = Path("out/compare_strategies.png")


def successes(agent: str, simulations: int) -> int:
    """How many of the trials return the best move."""
    start = ramify.load(GAME).initial()
    reports = (ramify.search(start, agent, simulations=simulations, seed=seed) for seed in range(TRIALS))
    return sum(str(report.move) == BEST for report in reports)


def measure() -> dict[tuple[str, int], int]:
    """Successes of each strategy at each budget, with a progress bar; the core leaves Python's lock, so threads pay."""
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns) as progress, ThreadPoolExecutor(os.cpu_count()) as pool:
        bar = progress.add_task(f"{GAME}: searching", total=len(STRATEGIES) * len(BUDGETS))

        def one(cell: tuple[str, int]) -> tuple[tuple[str, int], int]:
            found = successes(STRATEGIES[cell[0]], cell[1])
            progress.advance(bar)
            return cell, found

        cells = [(name, budget) for budget in reversed(BUDGETS) for name in STRATEGIES]
        return dict(pool.map(one, cells))


def show(found: dict[tuple[str, int], int]) -> None:
    """The table: share of best moves with its interval."""
    table = Table(title=f"Best first move of {GAME}, share of {TRIALS} trials with 95 % intervals")
    table.add_column("simulations", justify="right")
    for name in STRATEGIES:
        table.add_column(name, justify="center")
    for budget in BUDGETS:
        cells = []
        for name in STRATEGIES:
            low, high = interval(found[name, budget])
            cells.append(f"{found[name, budget] / TRIALS:.2f} [{low:.2f}, {high:.2f}]")
        table.add_row(str(budget), *cells)
    Console().print(table)


def interval(count: int) -> tuple[float, float]:
    """The 95 % Wilson interval of a share."""
    ends = binomtest(count, TRIALS).proportion_ci(method="wilson")
    return float(ends.low), float(ends.high)


def draw(found: dict[tuple[str, int], int]) -> None:
    """The curves with their intervals."""
    figure, axes = plt.subplots(figsize=(7, 4.5), layout="constrained")
    for name in STRATEGIES:
        shares = [found[name, budget] / TRIALS for budget in BUDGETS]
        bounds = [interval(found[name, budget]) for budget in BUDGETS]
        axes.plot(BUDGETS, shares, marker="o", markersize=3, label=name)
        axes.fill_between(BUDGETS, [low for low, _ in bounds], [high for _, high in bounds], alpha=0.15)
    axes.set_xscale("log", base=2)
    axes.set_xlabel("simulations")
    axes.set_ylabel("share of trials that return the best move")
    axes.set_title(f"{GAME}: {TRIALS} trials a point, 95 % intervals")
    axes.legend()
    PICTURE.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(PICTURE, dpi=150)


def main() -> None:
    """Measure, print, draw."""
    with saying_when_compiling():
        ramify.search(ramify.load(GAME).initial(), simulations=1)
    found = measure()
    show(found)
    draw(found)
    print(f"picture: {PICTURE}")


if __name__ == "__main__":
    main()
