"""Six well-known searches at two games: who finds the best move, and who wins?

Sum of Switches is a toy whose best first move is known: SOS(10) from the start, searched many times with every budget.
Connect Four is a round robin of all six with equal budgets, in pairs of games with swapped seats. Prints a table and
draws both to out/compare_strategies.png, with 95 % intervals.
"""

import os
import shutil
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import matplotlib as mpl

mpl.use("Agg")
import matplotlib.pyplot as plt
from matplotlib.axes import Axes
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from scipy.stats import binomtest

import ramify
from ramify.cli.shared_options import announcing_compilation

SEARCHES = {
    "UCT": "uct(c=0.7)",
    "UCB1-Tuned": "mcts(select=ucb1_tuned)",
    "Thompson sampling": "mcts(select=thompson)",
    "sufficiency threshold": "mcts(select=sufficiency)",
    "RAVE": "mcts(select=rave)",
    "GRAVE": "mcts(select=grave)",
}
TOY, BEST = "sos(n=10)", "9"
BUDGETS = [2**k for k in range(4, 11)]
TABLED = (64, 512)
TRIALS = 400
GAME, SIMULATIONS, GAMES = "connect4", 300, 60  # games per pairing, of 15
PICTURE = Path("out/compare_strategies.png")

Interval = tuple[float, float, float]  # an estimate and its interval
Shares = dict[tuple[str, int], Interval]  # by search and budget


def share(agent: str, simulations: int) -> Interval:
    """Return the share of searches that found the best move, with Wilson's interval."""
    start = ramify.load(TOY).initial()
    reports = (ramify.search(start, agent, simulations=simulations, seed=seed) for seed in range(TRIALS))
    found = sum(str(report.move) == BEST for report in reports)
    ends = binomtest(found, TRIALS).proportion_ci(method="wilson")
    return found / TRIALS, float(ends.low), float(ends.high)


def search_the_toy(done: Callable[[], object]) -> Shares:
    """Run every search with every budget, in threads: the compiled loop releases the GIL."""
    cells = [(name, budget) for budget in reversed(BUDGETS) for name in SEARCHES]

    def one(cell: tuple[str, int]) -> Interval:
        measured = share(SEARCHES[cell[0]], cell[1])
        done()
        return measured

    with ThreadPoolExecutor(os.cpu_count()) as pool:
        return dict(zip(cells, pool.map(one, cells), strict=True))


def measure() -> tuple[Shares, dict[str, Interval]]:
    """Shares at the toy and Elo ratings at the game, with progress bars."""
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    pairings = len(SEARCHES) * (len(SEARCHES) - 1) // 2
    with Progress(*columns) as progress:
        toy = progress.add_task(f"{TOY}, searches", total=len(SEARCHES) * len(BUDGETS))
        cup = progress.add_task(f"{GAME}, games", total=pairings * GAMES)
        shares = search_the_toy(lambda: progress.advance(toy))
        result = ramify.tournament(
            GAME,
            SEARCHES,
            games_each=GAMES,
            simulations=SIMULATIONS,
            seed=1,
            progress=lambda driver: progress.update(cup, completed=driver.done),
        )
    ratings = result.ratings[GAME]
    return shares, {name: tuple(ratings.interval(name)) for name in SEARCHES}


def show(shares: Shares, elo: dict[str, Interval]) -> None:
    """The table; it fits 80 columns."""
    print(f"{'':21}  {'share of best moves at ' + TOY:>36}  {'Elo at ' + GAME:>17}")
    heads = [*(f"{budget} simulations" for budget in TABLED), f"{SIMULATIONS} per move"]
    print(f"{'search':21}  " + "  ".join(f"{head:>17}" for head in heads))
    for name, (rating, lowest, highest) in elo.items():
        cells = [f"{mean:.2f} [{low:.2f}, {high:.2f}]" for mean, low, high in (shares[name, n] for n in TABLED)]
        cells.append(f"{rating:+z.0f} [{lowest:+z.0f}, {highest:+z.0f}]")
        print(f"{name:21}  " + "  ".join(f"{cell:>17}" for cell in cells))
    print(f"95 % intervals; {TRIALS} searches per share, {GAMES} games per pairing, mean Elo 0")


def draw(shares: Shares, elo: dict[str, Interval]) -> None:
    """Curves with bands for the toy, ratings with bars for the game."""
    figure, (left, right) = plt.subplots(1, 2, figsize=(10, 4), layout="constrained", width_ratios=(3, 2))
    for name in SEARCHES:
        means, lows, highs = zip(*(shares[name, budget] for budget in BUDGETS), strict=True)
        left.plot(BUDGETS, means, marker="o", markersize=3, label=name)
        left.fill_between(BUDGETS, lows, highs, alpha=0.15)
    left.set_xscale("log", base=2)
    left.set_xlabel("simulations")
    left.set_ylabel("share of searches that return the best move")
    left.set_title(f"{TOY}\n{TRIALS} searches per point, 95 % bands")
    left.legend(fontsize=9)
    draw_ratings(right, elo)
    PICTURE.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(PICTURE, dpi=120)


def draw_ratings(axes: Axes, elo: dict[str, Interval]) -> None:
    """Draw one bar per search, in the colours of the curves."""
    for place, (name, (rating, low, high)) in enumerate(elo.items()):
        axes.errorbar(rating, name, xerr=[[rating - low], [high - rating]], fmt="o", capsize=3, color=f"C{place}")
    axes.invert_yaxis()
    axes.axvline(0, color="grey", linewidth=0.8, linestyle=":")
    axes.set_xlabel(f"Elo, mean 0; {SIMULATIONS} simulations per move")
    axes.set_title(f"{GAME}\n{GAMES} games per pairing, 95 % bars")


def main() -> None:
    """Compile, measure, print, draw."""
    with announcing_compilation():
        for game in (TOY, GAME):
            for agent in SEARCHES.values():
                ramify.search(ramify.load(game).initial(), agent, simulations=1)
    shares, elo = measure()
    show(shares, elo)
    draw(shares, elo)
    print(f"picture: {PICTURE}")
    command = "ramify" if shutil.which("ramify") else os.path.relpath(Path(sys.executable).with_name("ramify"))
    print(f"next: {command} match othello uct 'mcts(select=rave)' --simulations 100")


if __name__ == "__main__":
    main()
