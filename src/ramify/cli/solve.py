"""``ramify solve``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from ramify.cli.interrupts import exit_with_message
from ramify.cli.progress import progress_line
from ramify.cli.shared_options import (
    GameArgument,
    JsonOption,
    announcing_compilation,
    memory_bytes,
    print_json,
    reject_endless_budget,
)

if TYPE_CHECKING:
    from ramify.solver.backward_induction import BackwardInduction
    from ramify.solver.solution import Solution
    from ramify.solver.solver import Solver

WORDS = {0.0: "loses", 0.5: "draws", 1.0: "wins"}


def command(
    game: GameArgument,
    position: Annotated[
        str | None,
        typer.Argument(metavar="[POSITION]", help="As the game prints it, or 'moves ...'. (default: the start)"),
    ] = None,
    moves: Annotated[bool, typer.Option("--moves", help="Also print the value of every move.")] = False,
    memory: Annotated[
        float, typer.Option(help="Size of the hash table, in megabytes.", callback=reject_endless_budget)
    ] = 128.0,
    nodes: Annotated[int | None, typer.Option(help="Maximum number of positions to search.")] = None,
    depth: Annotated[int | None, typer.Option(help="Maximum length of a line, in plies.")] = None,
    exact: Annotated[
        bool, typer.Option("--exact", help="Compare whole positions in the hash table, not only hashes.")
    ] = False,
    json: JsonOption = False,
) -> None:
    """Solve a position: print its value under perfect play, an optimal move and a principal variation.

    For games of one or two players without chance. With simultaneous moves, prints an equilibrium: the probability of
    each move. Exits with 1 if the limits are too tight for a proof.

    Example: ramify solve tictactoe 'moves b2 a1' --moves
    """
    seen: list[Solver | BackwardInduction] = []
    try:
        with announcing_compilation(), progress_line(progress_text) as show:
            from ramify.contract.load import load
            from ramify.solver.solve import solve

            def update(solver: Solver | BackwardInduction) -> None:
                seen[:] = [solver]
                show(solver)

            loaded = load(game)
            state = loaded.initial() if position is None else loaded.position(position)
            solution = solve(
                state,
                moves=moves,
                memory=memory_bytes(memory) or 0,
                nodes=nodes,
                depth=depth,
                exact=exact,
                progress=update,
            )
    except KeyboardInterrupt:
        after = f" after {seen[-1].nodes:,} positions" if seen else ""
        exit_with_message(f"interrupted{after}; the position is not solved")
    if json:
        print_json(solution.to_dict())
    else:
        print(state)
        print()
        print_solution(solution, simultaneous=state.to_move < 0)
    if not solution.solved:
        raise typer.Exit(1)


def progress_text(solver: Solver | BackwardInduction) -> str:
    from ramify.solver.backward_induction import BackwardInduction

    if isinstance(solver, BackwardInduction):
        return f"{solver.nodes:,} positions"
    lines = "lines to their end" if solver.plies is None else f"lines of {solver.plies} plies"
    return f"{solver.nodes:,} positions, {lines}"


def print_solution(solution: Solution, *, simultaneous: bool = False) -> None:
    """Print a solution; ``simultaneous``: the value is the first player's."""
    if solution.values:
        width = max(5, *(len(move.name) for move in solution.values))
        for move, bounds in sorted(solution.values.items(), key=lambda item: (-item[1][0], -item[1][1])):
            print(f"{move!s:{width}}  {bounds_text(*bounds)}")
        print()
    whose = "the first player" if simultaneous else "the player to move"
    print(f"value       {bounds_text(solution.lower, solution.upper)} for {whose}")
    for number, mixed in enumerate(solution.strategies, 1):
        likely = sorted(mixed.items(), key=lambda item: -item[1])
        print(f"player {number}    " + ", ".join(f"{move} {p:.4f}" for move, p in likely if p > 0))
    if solution.move is not None:
        print(f"best move   {' '.join(str(move) for move in solution.best)}")
    if solution.variation:
        print(f"line        {' '.join(str(move) for move in solution.variation)}")
    rate = solution.nodes / solution.seconds if solution.seconds else 0.0
    print(f"searched    {solution.nodes:,} positions, lines of up to {solution.depth} plies")
    print(f"time        {solution.seconds:.3f} s, {rate:,.0f} positions/s; stopped by: {solution.stopped}")


def bounds_text(lower: float, upper: float) -> str:
    if lower < upper:
        return f"between {lower:g} and {upper:g}"
    return f"{lower:g} ({WORDS[lower]})" if lower in WORDS else f"{lower:g}"
