"""Speed as ratios: our engine beside OpenSpiel's C++ MCTSBot and beside a C++ program of the same algorithm.

All three search the same game from its start with the same number of simulations, one thread, uniform playouts, in
turns within one run; of each the best of several rounds counts, so that a busy machine disturbs the ratios little.
"""

from __future__ import annotations

import importlib.util
import json
import shutil
import subprocess
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter

from ramify.agents.budget import Budget
from ramify.agents.searcher import Search
from ramify.contract.load import load
from ramify.core.kernels.disk import PACKAGE, cache_root

C = 0.7
SEED = 1
TURN_SECONDS = 0.1  # a search of a few milliseconds is repeated, or a passing disturbance would decide

# Our name -> OpenSpiel's, where the rules are the same.
OPENSPIEL = {
    "amazons": "amazons",
    "breakthrough": "breakthrough",
    "checkers": "checkers",
    "connect4": "connect_four",
    "connect5": "gomoku(size=8)",
    "go": "go(board_size=9)",
    "gomoku": "gomoku",
    "hex": "hex",
    "nim": "nim(is_misere=false)",
    "nine_mens_morris": "nine_mens_morris",
    "othello": "othello",
    "pig": "pig",
    "tictactoe": "tic_tac_toe",
    "tictactoe3d": "gomoku(size=4,connect=4,dims=3)",
}
REFERENCE = ("tictactoe", "connect4", "breakthrough")  # games of benchmarks/reference.cpp
REFERENCE_SOURCE = PACKAGE.parent.parent / "benchmarks" / "reference.cpp"


@dataclass(frozen=True)
class Row:
    """Simulations a second of one game; None where there is no such peer."""

    game: str
    ours: float
    openspiel: float | None
    reference: float | None
    two_threads: float | None

    def ratio(self, peer: float | None) -> float | None:
        """Ours over a peer's."""
        return None if peer is None else self.ours / peer


def measure(name: str, simulations: int, rounds: int, program: Path | None, threads: bool = False) -> Row:
    """Measure one game against whatever peers there are."""
    best: dict[str, float] = {}
    ours, pair = OurRun(name, simulations, 1), OurRun(name, 2 * simulations, 2) if threads else None
    peer = OpenSpielRun(OPENSPIEL[name], simulations) if name in OPENSPIEL and has_openspiel() else None
    for _ in range(rounds):
        runs = {"ours": best_of(ours.seconds)}
        if peer:
            runs["openspiel"] = best_of(peer.seconds)
        if program and name in REFERENCE:
            runs["reference"] = reference_seconds(program, name, simulations)
        if pair:
            runs["pair"] = best_of(pair.seconds)
        best = {key: min(value, best.get(key, value)) for key, value in runs.items()}

    def rate(key: str, count: int = simulations) -> float | None:
        return count / best[key] if key in best else None

    return Row(name, simulations / best["ours"], rate("openspiel"), rate("reference"), rate("pair", 2 * simulations))


def best_of(run: Callable[[], float]) -> float:
    """The best of as many runs as a turn has time for; one at least."""
    best = spent = run()
    while spent < TURN_SECONDS:
        seconds = run()
        best, spent = min(best, seconds), spent + seconds
    return best


class OurRun:
    """Our search, on memory that has been touched before, as the peers' allocators reuse theirs."""

    def __init__(self, name: str, simulations: int, threads: int) -> None:
        self.search = Search(load(name).initial(), f"uct(c={C})", seed=SEED, threads=threads)
        self.budget = Budget(simulations=simulations)
        self.seconds()

    def seconds(self) -> float:
        """Seconds of one search."""
        for worker in self.search.workers:
            worker.reset(self.search.state)
        self.search.reseed(SEED)
        return self.search.run(self.budget).seconds


class OpenSpielRun:
    """OpenSpiel's C++ search with random rollouts, without its solver."""

    def __init__(self, name: str, simulations: int) -> None:
        import pyspiel  # noqa: PLC0415

        self.game = pyspiel.load_game(name)
        evaluator = pyspiel.RandomRolloutEvaluator(1, SEED)
        # Its values lie in [-1, 1], ours in [0, 1]: the same exploration is twice the constant.
        self.bot = pyspiel.MCTSBot(self.game, evaluator, 2 * C, simulations, 4000, False, SEED, False)
        self.seconds()

    def seconds(self) -> float:
        """Seconds of one search."""
        state = self.game.new_initial_state()
        began = perf_counter()
        self.bot.mcts_search(state)
        return perf_counter() - began


def has_openspiel() -> bool:
    """Whether OpenSpiel is installed."""
    return importlib.util.find_spec("pyspiel") is not None


def compile_reference() -> tuple[Path | None, str]:
    """Compile benchmarks/reference.cpp; the program, or None and the reason why not."""
    compiler = shutil.which("c++") or shutil.which("g++") or shutil.which("clang++")
    if not REFERENCE_SOURCE.exists():
        return None, "its source comes with the repository, not with the package"
    if compiler is None:
        return None, "no C++ compiler was found"
    program = cache_root() / "reference"
    program.parent.mkdir(parents=True, exist_ok=True)
    command = [
        compiler,
        "-O3",
        "-march=native",
        "-std=c++17",
        "-ffp-contract=off",
        str(REFERENCE_SOURCE),
        "-o",
        str(program),
    ]
    made = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603
    return (program, "") if made.returncode == 0 else (None, f"it does not compile: {made.stderr[:200]}")


def reference_seconds(program: Path, name: str, simulations: int) -> float:
    """Best seconds of a turn's searches by the C++ reference."""
    command = [str(program), name, str(simulations), str(SEED), str(C), "10"]
    out = subprocess.run(command, capture_output=True, text=True, check=True).stdout  # noqa: S603
    return float(json.loads(out)["seconds"])
