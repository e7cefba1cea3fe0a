"""``ramify warm``: compile everything ahead."""

import shutil
from time import perf_counter
from typing import Annotated

import typer


def command(
    games: Annotated[
        list[str] | None, typer.Argument(metavar="[GAME]...", help="Only these games; every built-in one if none.")
    ] = None,
    clear: Annotated[
        bool, typer.Option("--clear", help="Delete everything compiled before, of every version.")
    ] = False,
) -> None:
    """Compile the engine, the policies, the solver and every built-in game, so that later commands start at once.

    The solver and the statistics of random games are compiled once for all games, and serve them all.

    Example: ramify warm

    Example: ramify warm hex ./mygame.py
    """
    from ramify.agents.agent import agent
    from ramify.agents.perft import perft
    from ramify.agents.searcher import search
    from ramify.agents.survey import survey
    from ramify.bandits import bernoulli, boxes, gaussian, means_path, run
    from ramify.contract.load import load
    from ramify.contract.registry import load_call, names
    from ramify.core.kernels.compiling import watching_compilation
    from ramify.core.kernels.disk import cache_folder, cache_root
    from ramify.grammar import Call
    from ramify.solver.solve import solve
    from ramify.strategies.policy.registry import policies

    chosen = {name: load(name) for name in games or names()}
    if clear:
        shutil.rmtree(cache_root(), ignore_errors=True)
    compiled = 0

    def count() -> None:
        nonlocal compiled
        compiled += 1

    def step(title: str, began: float) -> None:
        print(f"{title:14} {perf_counter() - began:6.2f} s", flush=True)

    with watching_compilation(count):
        began = perf_counter()
        load_call(Call("tictactoe")).table()
        for name in policies():
            search(load_call(Call("tictactoe")).initial(), agent(select=name), simulations=1)
        step("engine", began)
        began = perf_counter()
        for bandit in (bernoulli([0.5]), gaussian([0.5]), boxes([0.5]), means_path(1, 1.0)):
            run(bandit, "ucb1", pulls=1)
        step("bandits", began)
        began = perf_counter()
        solve(load_call(Call("tictactoe")).initial(), nodes=1)
        step("solver", began)
        began = perf_counter()
        survey(load_call(Call("tictactoe")).initial(), 1)
        step("statistics", began)
        for name, game in chosen.items():
            began = perf_counter()
            game.warm()
            search(game.initial(), simulations=1)
            perft(game.initial(), 1)
            step(name, began)
    print(f"{compiled} functions compiled; they are kept in {cache_folder()}")
