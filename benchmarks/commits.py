"""Compare the speed of two checkouts of the project, as ratios: has a change made anything slower?

    python benchmarks/commits.py OLD NEW                       every game, every policy
    python benchmarks/commits.py OLD NEW --games go hex        these games with uct; without names, all
    python benchmarks/commits.py OLD NEW --policies ucb1       these policies in breakthrough; without names, all
    python benchmarks/commits.py OLD NEW --item hex 'mcts(select=rave)'
    python benchmarks/commits.py OLD NEW --start               whole processes: with a warm cache, and the first of all
    python benchmarks/commits.py OLD NEW --one-shot            what ramify.search costs beyond its simulations
    python benchmarks/commits.py OLD NEW --fresh               a search in fresh memory over the same in warm memory

OLD and NEW are folders with a ``src`` folder each. Each runs on the Python of its ``.venv``, or on this one if it has
none. Each checkout is one process that compiles off the clock and then takes turns (old new, new old) on the same core,
so that a disturbance hits both. A turn repeats its work and reports the best time. A ratio is the speed of NEW over
that of OLD: once for the best turns, once as the median over neighbouring turns. An item counts as slower if both are
below ``--least``: a slower program lowers both, a disturbance seldom does. The exit code is 1 if any item is slower.
"""

from __future__ import annotations

import argparse
import importlib
import itertools
import json
import os
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path
from time import perf_counter, process_time

SIMULATIONS, ONE_SHOT, FRESH = 20_000, (1, 1_000), 200_000
UNITS = {"simulate": "simulations/s", "one_shot": "ms", "fresh": "x warm", "start": "s"}


class Asked:
    """The work of one checkout, inside its process."""

    def __init__(self, wall):
        self.ramify = importlib.import_module("ramify")  # of this checkout; the comparing process imports none
        self.clock = perf_counter if wall else process_time
        self.item, self.warm = None, None  # only the last item's search: others would cost cache misses

    def turn(self, what, seconds, item):
        """The best seconds of a search in warm memory, of its report alone, and of ``ramify.search``; nodes."""
        game, agent, simulations = item
        state, budget, spent, bests = self.ramify.load(game).initial(), self.ramify.Budget(simulations), 0.0, []
        while state.to_move == self.ramify.CHANCE:
            outcomes = getattr(state, "chance_outcomes", None) or state.chances  # its name in older checkouts
            state = state.play(outcomes()[0][0])
        if self.item != item:
            self.item, self.warm = item, self.ramify.Search(state, agent, seed=1)
            self.warm.run(budget)
        while not bests or spent < seconds:
            self.warm.restart(state, 1)
            clocks = [self.clock()]
            nodes = self.warm.run(budget).nodes
            clocks.append(self.clock())
            self.warm.report()
            clocks.append(self.clock())
            if what != "simulate":
                self.ramify.search(state, agent, simulations=simulations, seed=1)
            clocks.append(self.clock())
            spent += clocks[-1] - clocks[0]
            took = [after - before for before, after in itertools.pairwise(clocks)]
            bests = [min(pair) for pair in zip(bests or took, took, strict=True)]
        return bests, nodes


def serve(wall):
    asked = Asked(wall == "True")
    for line in sys.stdin:
        print(json.dumps(asked.turn(*json.loads(line))), flush=True)


class Side:
    """A checkout's process, as the comparing process sees it."""

    def __init__(self, folder, wall):
        own = folder / ".venv" / "bin" / "python"
        if not (folder / "src" / "ramify").is_dir():
            sys.exit(f"{folder} is not a checkout of the project: it has no src/ramify")
        self.python, self.wall = str(own if own.exists() else sys.executable), wall
        self.environment = {**os.environ, "PYTHONPATH": str(folder.resolve() / "src")}
        self.process = None

    def listed(self, what):
        command = [self.python, "-m", "ramify", what, "--json"]
        out = subprocess.run(command, env=self.environment, stdout=subprocess.PIPE, text=True, check=True).stdout
        return [row["name"] for row in json.loads(out)]

    def turn(self, what, seconds, item):
        if what == "start":
            return [self.start(*item)] * 3, None
        if self.process is None:
            command = [self.python, __file__, "serve", str(self.wall)]
            pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
            self.process = subprocess.Popen(command, env=self.environment, **pipes)
        self.process.stdin.write(json.dumps([what, seconds, item]) + "\n")
        self.process.stdin.flush()
        answer = self.process.stdout.readline()
        return json.loads(answer) if answer else sys.exit(f"{self.python} failed at {what} {item}")

    def start(self, cache):
        if cache is None:
            with tempfile.TemporaryDirectory() as empty:
                return self.start(empty)
        command = [self.python, "-m", "ramify", "search", "connect4", "--simulations", "10000", "--seed", "1"]
        began = perf_counter()
        environment = {**self.environment, "NUMBA_CACHE_DIR": cache}
        process = subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode:
            sys.exit(f"{self.python} failed at {command}")
        return perf_counter() - began if self.wall else used.ru_utime + used.ru_stime


def compare(sides, label, what, item, options):
    turns = [[], []]
    found = [side.turn(what, 0, item)[1] for side in sides]  # compiles, and touches the memory
    for number in range(options.rounds):
        for k in (0, 1) if number % 2 == 0 else (1, 0):
            turns[k].append(sides[k].turn(what, options.seconds, item)[0])

    def cost(seconds):
        warm, report, shot = seconds
        return {"simulate": warm - report, "one_shot": shot - warm + report, "fresh": shot / warm}.get(what, warm)

    def shown(seconds):
        return item[2] / cost(seconds) if what == "simulate" else cost(seconds) * (1e3 if what == "one_shot" else 1.0)

    bests = [[min(column) for column in zip(*side, strict=True)] for side in turns]
    medians = [[statistics.median(column) for column in zip(*side, strict=True)] for side in turns]
    figures = [{"best": shown(best), "median": shown(median)} for best, median in zip(bests, medians, strict=True)]
    best = cost(bests[0]) / cost(bests[1])
    median = statistics.median(cost(old) / cost(new) for old, new in zip(*turns, strict=True))
    row = {"item": label, "unit": UNITS[what], "old": figures[0], "new": figures[1], "ratio_of_bests": best}
    row |= {"median_ratio": median, "same_nodes": found[0] == found[1], "slower": max(best, median) < options.least}
    if not options.json:
        places = 0 if what == "simulate" else 3
        numbers = " ".join(f"{side[key]:13,.{places}f}" for side in figures for key in ("best", "median"))
        marks = ["slower"] * row["slower"] + ["another tree"] * (not row["same_nodes"])
        print(f"{label:32} {numbers} {row['unit']:13} {best:7.3f} {median:7.3f}  {', '.join(marks)}", flush=True)
    return row


def items(sides, options):
    def shared(what):
        old = sides[0].listed(what)
        return [name for name in sides[1].listed(what) if name in old]

    modes = (options.games, options.policies, options.item, options.start, options.one_shot, options.fresh)
    everything = all(mode is None for mode in modes)
    if everything or options.games is not None:
        for game in options.games or shared("games"):
            yield f"{game} uct", "simulate", (game, "uct", SIMULATIONS)
    for game, agent in [*(options.item or ()), *([("hex", "mcts(select=rave)")] if everything else ())]:
        yield f"{game} {agent}", "simulate", (game, agent, SIMULATIONS)
    if everything or options.policies is not None:
        for policy in options.policies or shared("policies"):
            yield f"breakthrough {policy}", "simulate", ("breakthrough", f"mcts(select={policy})", SIMULATIONS)
    for game in ("tictactoe", "breakthrough", "go") if options.one_shot else ():
        for simulations in ONE_SHOT:
            yield f"{game} one shot of {simulations}", "one_shot", (game, "uct", simulations)
    if options.fresh:
        yield f"breakthrough fresh of {FRESH}", "fresh", ("breakthrough", "uct", FRESH)
    if options.start:
        with tempfile.TemporaryDirectory() as cache:
            yield "start, warm", "start", (cache,)
        yield "start, first of all", "start", (None,)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("old", type=Path, metavar="OLD")
    parser.add_argument("new", type=Path, metavar="NEW")
    parser.add_argument("--games", nargs="*")
    parser.add_argument("--policies", nargs="*")
    parser.add_argument("--item", nargs=2, action="append", metavar=("GAME", "AGENT"))
    for mode in ("start", "one-shot", "fresh"):
        parser.add_argument(f"--{mode}", action="store_true", default=None)
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--seconds", type=float, default=0.1, help="minimum length of a turn")
    parser.add_argument("--least", type=float, default=0.98, help="the ratio below which an item is slower")
    parser.add_argument("--wall", action="store_true", help="measure wall time (default: processor time)")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    if hasattr(os, "sched_setaffinity"):  # on a core each, one checkout beside itself came to 0.97, on the same to 0.99
        os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    sides = [Side(folder, options.wall) for folder in (options.old, options.new)]
    if not options.json:
        figures = " ".join(f"{word:>13}" for word in ("old best", "median", "new best", "median"))
        print(f"{'':32} {figures} {'ratio of':13} {'bests':>7} {'median':>7}")
    rows = [compare(sides, *item, options) for item in items(sides, options)]
    if options.json:
        print(json.dumps(rows, indent=2))
    return int(any(row["slower"] for row in rows))


if __name__ == "__main__":
    sys.exit(serve(sys.argv[2]) if sys.argv[1:2] == ["serve"] else main())
