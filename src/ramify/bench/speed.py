"""Speed relative to OpenSpiel's C++ MCTSBot and to a C++ reference implementation of the same algorithm.

All three search the same game from its start with the same number of simulations, one thread and uniform playouts. They
alternate within one run, and the best of several rounds counts, so that a busy machine hardly affects the ratios.
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
from typing import Any, NamedTuple

from ramify.agents.budgets.budget import Budget
from ramify.agents.search.search import Search
from ramify.contract.load import load
from ramify.core.kernels.disk_cache import PACKAGE, cache_folder
from ramify.core.search.tree import CHANCE
from ramify.errors import RamifyError

C = 0.7
SEED = 1
TURN_SECONDS = 0.1  # shorter searches are repeated for this long, so that a short disturbance does not count
WARM_UP = 20_000  # simulations of OpenSpiel's search before the first turn; they also estimate its duration

# Our name -> OpenSpiel's, for games with the same rules.
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
GDL = "gdl:"  # prefix of rulesheet games, which are compared with OpenSpiel's native games
REFERENCE = ("tictactoe", "connect4", "breakthrough", "tron")  # games of benchmarks/reference.cpp
HEURISTIC = ("tron",)  # games whose playouts use their heuristic
REFERENCE_SOURCE = PACKAGE.parent.parent / "benchmarks" / "reference.cpp"


@dataclass(frozen=True)
class Row:
    """Simulations per second in one game, or None if a peer does not have it."""

    game: str
    ours: float
    openspiel: float | None
    reference: float | None
    two_threads: float | None

    def ratio(self, peer: float | None) -> float | None:
        """Return our rate divided by a peer's."""
        return None if peer is None else self.ours / peer


class MeasurementTurn(NamedTuple):
    """A program's turn, reported before it starts. All programs warm up before the first round."""

    game: str
    program: str
    number: int  # of the round
    rounds: int
    seconds: float  # estimated duration


def measure(
    name: str,
    simulations: int,
    rounds: int,
    program: Path | None,
    threads: bool = False,
    progress: Callable[[MeasurementTurn], object] | None = None,
) -> Row:
    """Measure one game against the available peers. ``progress`` is called before every turn."""
    if progress:
        progress(MeasurementTurn(name, "warming up", 0, rounds, 0.0))
    best: dict[str, float] = {}
    took: dict[str, float] = {}
    runs: dict[str, Callable[[], float]] = {"ours": RamifyRun(name, simulations, 1).turn}
    rules = Path(name.removeprefix(GDL)).stem if name.startswith(GDL) else name
    if rules in OPENSPIEL and has_openspiel():
        peer = OpenSpielRun(OPENSPIEL[rules], simulations)
        runs["OpenSpiel"], took["OpenSpiel"] = peer.turn, peer.estimated_seconds
    if program and name in REFERENCE:
        runs["C++"] = lambda: reference_seconds(program, name, simulations)
    if threads:
        runs["two threads"] = RamifyRun(name, 2 * simulations, 2).turn
    for number in range(rounds):
        for key, run in runs.items():
            if progress:
                progress(MeasurementTurn(name, key, number + 1, rounds, took.get(key, 0.0)))
            began = perf_counter()
            seconds = run()
            took[key] = perf_counter() - began
            best[key] = min(seconds, best.get(key, seconds))

    def rate(key: str, count: int = simulations) -> float | None:
        return count / best[key] if key in best else None

    return Row(name, simulations / best["ours"], rate("OpenSpiel"), rate("C++"), rate("two threads", 2 * simulations))


def best_of(run: Callable[[], float]) -> float:
    """Return the best time of the runs that fit in TURN_SECONDS; at least one."""
    best = spent = run()
    while spent < TURN_SECONDS:
        seconds = run()
        best, spent = min(best, seconds), spent + seconds
    return best


def agent_for(name: str, c: float) -> str:
    """Return UCT with the same playouts as the C++ reference."""
    return f"mcts(select=ucb1(c={c}), playout=heuristic)" if name in HEURISTIC else f"uct(c={c})"


class RamifyRun:
    """Our search, in memory that was used before: the peers' allocators also reuse theirs."""

    def __init__(self, name: str, simulations: int, threads: int) -> None:
        state = load(name).initial()
        while state.to_move == CHANCE:
            state = state.play(state.chance_outcomes()[0][0])
        self.search = Search(state, agent_for(name, C), seed=SEED, threads=threads)
        self.budget = Budget(simulations=simulations)
        self.seconds()

    def turn(self) -> float:
        """Return the seconds of the best search of a turn."""
        return best_of(self.seconds)

    def seconds(self) -> float:
        for worker in self.search.workers:
            worker.reset(self.search.state)
        self.search.reseed(SEED)
        return self.search.run(self.budget).seconds


class OpenSpielRun:
    """OpenSpiel's C++ MCTS with random rollouts, without its solver."""

    def __init__(self, name: str, simulations: int) -> None:
        import pyspiel  # noqa: PLC0415

        self.game = pyspiel.load_game(name)
        evaluator = pyspiel.RandomRolloutEvaluator(1, SEED)
        few = min(WARM_UP, simulations)
        # Its values are in [-1, 1], ours in [0, 1], so its exploration constant is doubled.
        self.bot, warmer = (
            pyspiel.MCTSBot(self.game, evaluator, 2 * C, count, 4000, False, SEED, False)
            for count in (simulations, few)
        )
        self.estimated_seconds = self.seconds(warmer) * simulations / few

    def turn(self) -> float:
        """Return the seconds of the best search of a turn."""
        return best_of(lambda: self.seconds(self.bot))

    def seconds(self, bot: Any) -> float:
        state = self.game.new_initial_state()
        began = perf_counter()
        bot.mcts_search(state)
        return perf_counter() - began


def has_openspiel() -> bool:
    return importlib.util.find_spec("pyspiel") is not None


def compile_reference() -> tuple[Path | None, str]:
    """Compile benchmarks/reference.cpp. Return the program, or None and the reason."""
    compiler = shutil.which("c++") or shutil.which("g++") or shutil.which("clang++")
    if not REFERENCE_SOURCE.exists():
        return None, "its source is in the repository, not in the package"
    if compiler is None:
        return None, "no C++ compiler found"
    program = cache_folder() / "reference"
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
    """Return the seconds of the best search of a turn by the C++ reference."""
    command = [str(program), name, str(simulations), str(SEED), str(C), str(TURN_SECONDS)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603
    if done.returncode:
        why = done.stderr.strip().splitlines() or ["it was killed"]
        raise RamifyError(f"the C++ reference failed on {name} with {simulations:,} simulations: {why[-1]}")
    return float(json.loads(done.stdout)["seconds"])
