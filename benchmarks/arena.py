"""What a match costs beside its searches.

    python benchmarks/arena.py speedup   two workers against one, and the driver's share of the time
    python benchmarks/arena.py many      10 000 short games: does it slow down?

Other programs on the machine disturb the figures, so the workers are compared in turns, and the share of the wall
time that workers spent inside searches (``busy``) is printed too.
"""

from __future__ import annotations

import argparse
import resource
import statistics
import tempfile
import time
from pathlib import Path

import ramify


def timed_match(game, simulations, games, workers, run):
    """Games a second since the first finished, busy share of the workers, driver's CPU share."""
    marks = {}

    def watch(driver):
        if driver.played and "first" not in marks:
            marks.update(first=driver.played, wall=time.perf_counter(), cpu=time.process_time())

    result = ramify.match(
        game,
        "uct(c=0.7)",
        "uct(c=1.0)",
        games=games,
        simulations=simulations,
        seed=1,
        workers=workers,
        run=run,
        progress=watch,
    )
    wall, cpu = time.perf_counter() - marks["wall"], time.process_time() - marks["cpu"]
    later = sorted(result.rows, key=lambda row: row.finished)[marks["first"] :]
    busy = sum(sum(row.seconds) for row in later) / (workers * wall)
    return (len(result.rows) - marks["first"]) / wall, busy, cpu / wall, result


def speedup(options):
    rates = {1: [], 2: []}
    for turn in range(options.turns):
        for workers in (1, 2):
            with tempfile.TemporaryDirectory() as folder:
                rate, busy, driver, _ = timed_match(
                    "breakthrough", 1000, options.games * workers, workers, Path(folder) / "run.db"
                )
            rates[workers].append(rate)
            print(
                f"turn {turn + 1}, {workers} workers: {rate:.2f} games/s, "
                f"busy {busy:.1%}, driver CPU {driver:.2%} of wall"
            )
    one, two = (statistics.median(rates[workers]) for workers in (1, 2))
    print(f"medians {one:.2f} and {two:.2f} games/s: {two / one:.2f} times")


def many(options):
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "run.db"
        rate, busy, driver, result = timed_match("tictactoe", 50, options.games, 2, path)
        size = path.stat().st_size
        began = time.perf_counter()
        text = str(result)
        print(f"{rate:.0f} games/s over all, busy {busy:.1%}, driver CPU {driver:.2%} of wall, {size / 1e6:.1f} MB")
        print(f"report from memory in {time.perf_counter() - began:.3f} s")
        began = time.perf_counter()
        again = ramify.match(
            "tictactoe", "uct(c=0.7)", "uct(c=1.0)", games=options.games, simulations=50, seed=1, run=path
        )
        print(f"report from the file in {time.perf_counter() - began:.2f} s, equal: {str(again) == text}")
    ends = sorted(row.finished for row in result.rows)
    for name, part in (("first", ends[:1000]), ("last", ends[-1000:])):
        print(f"{name} thousand: {(len(part) - 1) / (part[-1] - part[0]):.0f} games/s")
    print(f"peak memory of the driver {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MB")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=("speedup", "many"))
    parser.add_argument("--games", type=int)
    parser.add_argument("--turns", type=int, default=5)
    options = parser.parse_args()
    options.games = options.games or {"speedup": 20, "many": 10_000}[options.what]
    {"speedup": speedup, "many": many}[options.what](options)


if __name__ == "__main__":
    main()
