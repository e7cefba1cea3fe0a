"""``ramify warm``."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial
from itertools import count, islice
from time import perf_counter
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from ramify.runs.jobs import Record

WAIT_SECONDS = 0.25

# A rulesheet to compile with: the game is over after the first move.
SMALL_RULESHEET = """
(role player) (init begun) (legal player up) (legal player down) (<= (next ended) (true begun))
(<= terminal (true ended)) (goal player 100)
"""


def command(
    games: Annotated[
        list[str] | None, typer.Argument(metavar="[GAME]...", help="Only these games. (default: all built-in games)")
    ] = None,
    clear: Annotated[bool, typer.Option("--clear", help="First delete all compiled code, of every version.")] = False,
    workers: Annotated[
        int | None, typer.Option(help="Number of worker processes; 0 compiles in this process. (default: one per core)")
    ] = None,
) -> None:
    """Compile the engine, the policies, the solver and every built-in game, so that later commands start at once.

    Also compiles allocations and bandits. The solver and the statistics of random games are compiled once for all
    games.

    Example: ramify warm

    Example: ramify warm hex ./mygame.py
    """
    from ramify.agents.shapes.factory import shapes
    from ramify.contract.load import load
    from ramify.contract.registry import names
    from ramify.core.kernels import cache_location
    from ramify.core.kernels.disk_cache import cache_folder
    from ramify.runs.pools.factory import cores, pool_factory
    from ramify.strategies.policy.registry import policies
    from ramify.strategies.registry import strategies

    chosen = games or names()
    for name in chosen:
        load(name)
    if clear:
        cache_location.clear(cache_location.cache_root())
    # Small steps last, so that all workers finish at about the same time.
    number = count(1)
    steps = [Step(next(number), name, partial(compile_game, name)) for name in chosen]
    steps += [
        Step(next(number), "bandits", compile_bandits),
        Step(next(number), "solver", compile_solver),
        Step(next(number), "proofs", compile_proofs),
        Step(next(number), "statistics", compile_statistics),
        Step(next(number), "gdl", compile_gdl),
    ]
    steps += [Step(next(number), "shapes", partial(compile_shape, *one.example)) for one in shapes() if one.example]
    steps += [Step(next(number), "policies", partial(compile_policy, name)) for name in policies()]
    steps += [Step(next(number), "allocations", partial(compile_allocation, name)) for name in strategies("allocation")]

    pool = pool_factory(cores() if workers is None else workers)(len(steps))
    try:
        engine = Step(0, "engine", partial(compile_game, "tictactoe"))  # the other steps need it
        _, title, seconds, compiled = engine.run()
        print_time(title, seconds)
        left = Counter(step.title for step in steps)
        spent: Counter[str] = Counter()
        waiting = iter(steps)
        while left:
            pool.submit(list(islice(waiting, pool.capacity())))
            for _, title, seconds, functions in pool.collect(WAIT_SECONDS):
                compiled += functions
                spent[title] += seconds
                left[title] -= 1
                if not left[title]:
                    del left[title]
                    print_time(title, spent[title])
    finally:
        pool.close()
    print(f"{compiled} functions compiled and stored in {cache_folder()}")


def print_time(title: str, seconds: float) -> None:
    print(f"{title:16} {seconds:6.2f} s", flush=True)


@dataclass(frozen=True)
class Step:
    """One job: something to compile."""

    number: int
    title: str
    function: Callable[[], None]
    verb = "compiled"

    @property
    def name(self) -> str:
        return self.title

    def descriptions(self) -> Iterable[str]:
        """Nothing to send: workers on this machine see the user's files."""
        return ()

    def prepare(self) -> None:
        """Nothing to prepare."""

    def expected_seconds(self) -> float:
        """Unknown: it depends on what is compiled already."""
        return math.inf

    def run(self) -> Record:
        """Compile. Return number, title, seconds and the number of functions compiled."""
        from ramify.core.kernels.compiling import on_compilation

        compiled: list[None] = []
        began = perf_counter()
        with on_compilation(lambda: compiled.append(None)):
            self.function()
        return self.number, self.title, perf_counter() - began, len(compiled)


def compile_game(name: str) -> None:
    """Compile a game's kernels, and the engine if it is not yet compiled."""
    from ramify.agents.checking.perft import perft
    from ramify.agents.search.search import search
    from ramify.contract.load import load
    from ramify.core.search.tree import CHANCE

    game = load(name)
    game.warm()
    state = game.initial()
    while state.to_move == CHANCE:
        state = state.play(state.chance_outcomes()[0][0])
    search(state, simulations=1)
    perft(state, 1)


def compile_policy(name: str) -> None:
    from ramify.agents.agent import agent
    from ramify.agents.search.search import search
    from ramify.contract.load import load

    search(load("tictactoe").initial(), agent(select=name), simulations=1)


def compile_bandits() -> None:
    from ramify.bandits import bernoulli, boxes, gaussian, means_path, run, spend

    for bandit in (bernoulli([0.5]), gaussian([0.5]), boxes([0.5]), means_path(1, 1.0)):
        run(bandit, "ucb1", pulls=1)
    spend(bernoulli([0.5, 0.5]), "sequential_halving", pulls=2)


def compile_allocation(name: str) -> None:
    from ramify.agents.agent import agent
    from ramify.agents.search.search import search
    from ramify.contract.load import load

    search(load("tictactoe").initial(), agent(allocation=name), simulations=30)


def compile_solver() -> None:
    from ramify.contract.load import load
    from ramify.solver.solve import solve

    solve(load("tictactoe").initial(), nodes=1)


def compile_proofs() -> None:
    from ramify.agents.agent import agent
    from ramify.agents.search.search import search
    from ramify.contract.load import load

    search(load("tictactoe").initial(), agent(prove=True), simulations=1)


def compile_shape(game: str, agent: str) -> None:
    """Compile the search loop for one shape, and what it runs when the root moves or children are reordered."""
    from ramify.agents.budgets.budget import Budget
    from ramify.agents.search.search import Search
    from ramify.contract.load import load

    search = Search(load(game).initial(), agent, seed=1)
    search.workers[0].runner.expand_root()
    report = search.run(Budget(simulations=30))
    search.advance(report.joint_move if report.joint else report.move)


def compile_gdl() -> None:
    """Compile what rulesheets need, if clingo is installed."""
    import importlib.util

    from ramify.agents.checking.perft import perft
    from ramify.agents.search.search import search
    from ramify.bridges.gdl import build_game
    from ramify.ggp.rules import Rulesheet

    if importlib.util.find_spec("clingo") is None:
        return
    game = build_game(Rulesheet.from_text(SMALL_RULESHEET, "a small game"), "gdl:small")
    game.warm()
    for agent in ("uct", "mcts(playout=mast)", "mcts(playout=mast(temperature=1))", "mcts(playout=ngram)"):
        search(game.initial(), agent, simulations=1000)
    perft(game.initial(), 1)


def compile_statistics() -> None:
    from ramify.agents.checking.survey import survey
    from ramify.contract.load import load

    survey(load("tictactoe").initial(), 1)
