"""``ramify search``."""

from __future__ import annotations

import sys
from time import monotonic
from typing import TYPE_CHECKING, Annotated

import typer

from ramify.cli.interrupts import INTERRUPTED, exit_with_message, graceful_interrupt
from ramify.cli.progress import progress_line
from ramify.cli.shared_options import (
    AgentOption,
    CallsOption,
    GameArgument,
    JsonOption,
    MemoryOption,
    PositionOption,
    SecondsOption,
    SeedOption,
    SimulationsOption,
    ThreadsOption,
    announcing_compilation,
    memory_bytes,
    print_json,
    value_text,
)
from ramify.errors import RamifyError

if TYPE_CHECKING:
    from collections.abc import Callable

    from ramify.agents.budgets.budget import Budget
    from ramify.agents.budgets.move_time import MoveTime
    from ramify.agents.search.report import Child, Report
    from ramify.agents.search.search import Search

MAX_CHILDREN_SHOWN = 12  # children printed
STOP_REASONS = {
    "cancelled": "stopped by Ctrl-C",
    "enough": "stopped because more simulations would change nothing",
    "proven": "stopped because the position is proven",
    "settled": "stopped because the choice was settled",
}
NAMES = {0.0: "loss", 0.5: "draw", 1.0: "win"}


def command(
    game: GameArgument,
    position: PositionOption = None,
    agent: AgentOption = "uct",
    simulations: SimulationsOption = None,
    seconds: SecondsOption = None,
    calls: CallsOption = None,
    memory: MemoryOption = None,
    seed: SeedOption = None,
    threads: ThreadsOption = 1,
    player: Annotated[
        int | None, typer.Option(help="Simultaneous moves: recommend a move for this player, from 1.")
    ] = None,
    json: JsonOption = False,
) -> None:
    """Search a position. Prints the best move, the root's children and the principal variation.

    Example: ramify search connect4 --simulations 10000 --agent 'uct(c=0.7)'

    With simultaneous moves, prints one table per player; --player selects one.
    """
    with announcing_compilation():
        try:
            from ramify.agents.agent import agent as make_agent
            from ramify.agents.budgets.agent_budget import split_agent_budget
            from ramify.agents.search.search import Search, threads_for
            from ramify.contract.load import load

            loaded = load(game)
            state = loaded.initial() if position is None else loaded.position(position)
            made, budget, control = split_agent_budget(
                make_agent(agent), simulations, seconds, calls, memory_bytes(memory)
            )
            if player is not None and not 1 <= player <= loaded.players:
                raise RamifyError(f"invalid --player {player}: use 1 to {loaded.players}")
            who = None if player is None else player - 1
            search = Search(state, made, seed=seed, threads=threads_for(budget, threads), player=who)
        except KeyboardInterrupt:
            exit_with_message("interrupted before the search began")
        report = search_until_interrupt(search, budget, control)
    interrupted = report.stopped == "cancelled"
    if interrupted:
        print("ramify: interrupted; this is the result so far", file=sys.stderr)
    if json:
        print_json(report.to_dict())
    else:
        print(state)
        print()
        print_report(report)
    if report.stopped == "memory" and memory is None:
        print(f"note: {memory_note(search)}", file=sys.stderr)
    if interrupted:
        sys.exit(INTERRUPTED)


def memory_note(search: Search) -> str:
    """Why a search without a memory budget stopped."""
    taken = (search.allowance.known or 0) / 1e6
    return (
        f"stopped because the tree reached half of the memory that was free ({taken:,.0f} megabytes);"
        " --memory MEGABYTES sets the limit"
    )


def search_until_interrupt(search: Search, budget: Budget, control: MoveTime | None) -> Report:
    """Search until the budget is spent or Ctrl-C is pressed."""
    with graceful_interrupt() as stop, progress_line(progress_text(budget)) as show:

        def update(running: Search) -> None:
            if stop.requested:  # not in the signal handler: the search may only just begin
                running.cancel()
            else:
                show(running)

        return search.run(budget, update, control)


def progress_text(budget: Budget) -> Callable[[Search], str]:
    """Return a function that describes the progress of a search in one line."""
    began = monotonic()

    def line(search: Search) -> str:
        from ramify.runs.live_display import duration

        spent = monotonic() - began
        rate = search.simulations() / spent
        parts = [f"{search.simulations():,} simulations", f"{rate:,.0f}/s"]
        if all(worker.counters["simulations"][0] for worker in search.workers):
            report = search.report()
            parts.append(f"best so far {report.move} ({report.value:.3f})")
        limits = (budget.simulations, search.simulations()), (budget.calls, search.calls()), (budget.seconds, spent)
        left = [spent * (limit - done) / done for limit, done in limits if limit and done]
        if left:
            parts.append(f"{duration(max(0.0, min(left)))} left")
        return ", ".join(parts)

    return line


def print_report(report: Report) -> None:
    """Print a report as a table; with simultaneous moves, one table per player."""
    if report.joint and report.player is None:
        for player in range(len(report.joint_move)):
            print(f"player {player + 1}")
            print_children(report, report.children_of(player))
            print()
    else:
        print_children(report, report.children)
        print()
    rate = report.simulations / report.seconds if report.seconds else 0.0
    whose = "the player to move" if report.player is None else f"player {report.player + 1}"
    if report.joint and report.player is None:
        print(f"best moves  {report.move}  (value {value_text(report.value)} for player 1)")
    else:
        print(f"best move   {report.move}  (value {value_text(report.value)} for {whose})")
    if report.bounds:
        print(f"proven      {proven_text(report.bounds) or 'nothing yet'}")
    print(f"line        {' '.join(str(move) for move in report.variation)}")
    shared = f", {report.transposition_hits:,} transpositions" if report.transposition_hits else ""
    print(f"searched    {report.simulations:,} simulations, {report.nodes:,} nodes, depth {report.depth}{shared}")
    by = f"stopped by {report.stopped}"
    print(f"time        {report.seconds:.3f} s, {rate:,.0f} simulations/s; {STOP_REASONS.get(report.stopped, by)}")
    if report.note:
        print(f"allocation  {report.note}")
    print(f"agent       {report.agent}, seed {report.seed}, threads {report.threads}")


def print_children(report: Report, children: list[Child]) -> None:
    """Print the children, most visited first."""
    width = max(5, *(len(str(child.move)) for child in children[:MAX_CHILDREN_SHOWN]))
    mixed = any(child.estimate != child.value for child in children if child.visits)
    heads = "   estimate" * mixed + ("   proven" if report.bounds else "")
    heads += "   share" * (children[0].probability is not None)
    print(f"{'move':{width}}  {'visits':>10}  value{heads}")
    for child in children[:MAX_CHILDREN_SHOWN]:
        estimate = f"  {value_text(child.estimate):{8 if report.bounds else 0}}" if mixed else ""
        proven = f"  {proven_text(child.bounds)}" if child.bounds else ""
        share = "" if child.probability is None else f"  {child.probability:6.4f}"
        line = f"{child.move!s:{width}}  {child.visits:>10,}  {value_text(child.value):6}{estimate}{proven}{share}"
        print(line.rstrip())
    if len(children) > MAX_CHILDREN_SHOWN:
        print(f"... and {len(children) - MAX_CHILDREN_SHOWN} more")


def proven_text(bounds: tuple[float, float]) -> str:
    """Describe proven bounds, e.g. ``win`` or ``at least draw``; empty if nothing is proven."""
    lower, upper = bounds
    if lower == upper:
        return NAMES.get(lower, f"{lower:z.4f}")
    least = f"at least {NAMES.get(lower, f'{lower:z.4f}')}" if lower > 0.0 else ""
    most = f"at most {NAMES.get(upper, f'{upper:z.4f}')}" if upper < 1.0 else ""
    return ", ".join(part for part in (least, most) if part)
