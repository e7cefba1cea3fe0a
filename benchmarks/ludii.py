"""Compare UCT through the bridge with Ludii's UCT and with our compiled games of the same rules.

    RAMIFY_LUDII_JAR=Ludii.jar python benchmarks/ludii.py [--rounds 9] [--seconds 1] [GAME]...

Each game runs in its own process, because Java's memory fills up. There the programs take turns on one thread, with the
same constant, from the start of the same game, with uniform playouts cut after 200 plies as Ludii's are. Processor time
includes Java's compiler and collector, but not what was compiled before the first turn. The figure of a program is its
median over the rounds.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import os
import statistics
import time
from multiprocessing.connection import Connection
from typing import Any

from ramify.agents.budgets.budget import Budget
from ramify.agents.search.search import Search
from ramify.bridges.ludii.jvm import start_jvm
from ramify.contract.load import load

AGENT = "mcts(select=ucb1(c=0.70710678), playout=uniform(limit=200))"  # sqrt 2 on [-1, 1]
UNCUT = "mcts(select=ucb1(c=0.70710678))"
SHORT = {"nogo"}  # at most 81 plies; its own fast playouts cannot be cut
# Our game -> Ludii's game with the same rules as far as speed is concerned; its playouts take 0.1 ms or more.
GAMES = {
    "amazons(plies=2)": "Amazons",
    "atarigo(size=9)": 'Atari Go("Board Size/9x9")',
    "breakthrough": "Breakthrough",
    "cannon": "Cannon",
    "checkers": "English Draughts",
    "chinese_checkers(stay=true)": 'Chinese Checkers("Players/2 (a)", "Board Size/3")',
    "go(size=9)": 'Go("Board Size/9x9")',
    "gomoku": "Gomoku",
    "hex": 'Hex("Swap Rules/Off")',
    "knightthrough": "Knightthrough",
    "nine_mens_morris": "Nine Men's Morris",
    "nogo": 'NoGo("Board Size/9x9")',
    "othello": "Reversi",
    "pentalath": "Pentalath",
}
WARM_SECONDS = 5.0  # processor seconds until Java has compiled what matters


class Ours:
    """Our search of a game, in memory that has been touched before."""

    def __init__(self, name: str) -> None:
        self.search = Search(load(name).initial(), UNCUT if name in SHORT else AGENT, seed=1)

    def run(self, simulations: int) -> None:
        for worker in self.search.workers:
            worker.reset(self.search.state)
        self.search.run(Budget(simulations=simulations))


class Theirs:
    """Ludii's UCT, with a new tree each time."""

    def __init__(self, name: str) -> None:
        self.rules = load(f"ludii:{name}").rules.game
        self.uct = start_jvm().JClass("search.mcts.MCTS").createUCT()
        self.uct.setNumThreads(1)

    def run(self, simulations: int) -> None:
        context = self.rules.start(1)
        self.uct.initAI(self.rules.game, 1)
        self.uct.selectAction(self.rules.game, context, 1e6, simulations, -1)

    def playout_seconds(self) -> float:
        """Return the seconds of one uniform playout from the start."""
        random = start_jvm().JClass("java.util.Random")(1)
        count, began = 0, time.process_time()
        while time.process_time() - began < 0.5:
            context = self.rules.start(1)
            self.rules.game.playout(context, None, 1.0, None, 0, 200, random)
            count += 1
        return (time.process_time() - began) / count


def rate(program: Any, simulations: int) -> float:
    """Simulations per second of processor time."""
    began = time.process_time()
    program.run(simulations)
    return simulations / (time.process_time() - began)


def warm(program: Any, seconds: float) -> float:
    """Run for this long. Return simulations per second at the end."""
    simulations, last = 50, 1.0
    end = time.process_time() + seconds
    while time.process_time() < end:
        last = rate(program, simulations)
        simulations = max(50, int(last * 0.5))
    return last


def measure(native: str, name: str, rounds: int, seconds: float, warm_seconds: float) -> dict[str, Any]:
    """Measure one game: the rates of all three, and a playout's time."""
    programs = {"bridge": Ours(f"ludii:{name}"), "ludii": Theirs(name), "native": Ours(native)}
    known = {key: warm(program, warm_seconds * (0.1 if key == "native" else 1.0)) for key, program in programs.items()}
    counts = {key: max(20, int(one * seconds)) for key, one in known.items()}
    counts["bridge"] = counts["ludii"]  # the same tree's size
    rates: dict[str, list[float]] = {key: [] for key in programs}
    for number in range(rounds):
        order = list(programs) if number % 2 == 0 else list(programs)[::-1]
        for key in order:
            rates[key].append(rate(programs[key], counts[key]))
    middle = {key: statistics.median(values) for key, values in rates.items()}
    pairs = [ours / theirs for ours, theirs in zip(rates["bridge"], rates["ludii"], strict=True)]
    return {
        "native": native,
        "game": f"ludii:{name}",
        "playout_ms": 1000 * programs["ludii"].playout_seconds(),  # type: ignore[attr-defined]
        "ludii": middle["ludii"],
        "bridge": middle["bridge"],
        "ratio": statistics.median(pairs),
        "least": min(pairs),
        "most": max(pairs),
        "native_over_ludii": middle["native"] / middle["ludii"],
    }


def alone(pipe: Connection, *given: Any) -> None:
    """Measure a game and end at once: Ludii's threads would keep the process."""
    pipe.send(measure(*given))
    os._exit(0)


def measured(*given: Any) -> dict[str, Any]:
    """Measure a game in its own process."""
    processes = multiprocessing.get_context("spawn")
    here, there = processes.Pipe(duplex=False)
    process = processes.Process(target=alone, args=(there, *given))
    process.start()
    there.close()
    row = here.recv()
    process.join()
    return row


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("games", nargs="*", help="our games (default: all)")
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--seconds", type=float, default=1.0)
    parser.add_argument("--warm", type=float, default=WARM_SECONDS, help="seconds before the first round")
    parser.add_argument("--json", action="store_true")
    chosen = parser.parse_args()
    rows = []
    for native, name in GAMES.items():
        if chosen.games and native.partition("(")[0] not in chosen.games:
            continue
        row = measured(native, name, chosen.rounds, chosen.seconds, chosen.warm)
        rows.append(row)
        if not chosen.json:
            print(
                f"{row['game']:36} playout {row['playout_ms']:6.3f} ms  Ludii {row['ludii']:8.0f}/s"
                f"  bridge {row['bridge']:8.0f}/s  ratio {row['ratio']:.2f} ({row['least']:.2f} to {row['most']:.2f})"
                f"  native {row['native_over_ludii']:6.1f}x",
                flush=True,
            )
    middle = statistics.median(row["ratio"] for row in rows)
    load_average = os.getloadavg()[0]
    if chosen.json:
        print(json.dumps({"rows": rows, "median": middle, "load": load_average}, indent=2))
    else:
        print(f"median of the ratios {middle:.2f}; load of the machine {load_average:.1f}")


if __name__ == "__main__":
    main()
