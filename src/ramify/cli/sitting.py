"""What commands that work at a run have in common: the watcher's view, Ctrl-C, and the lines below a table."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import monotonic
from typing import TYPE_CHECKING, Any, Protocol

from ramify.cli.common import print_json, saying_when_compiling
from ramify.cli.ctrl_c import INTERRUPTED
from ramify.cli.options import GamesOptions

if TYPE_CHECKING:
    from ramify.arena.matches.plan import MatchPlan
    from ramify.arena.matches.sitting import MatchSitting
    from ramify.runs.sitting import Sitting

NOTE_SECONDS = 5.0  # a sitting that lasts longer than this is worth a word about what is kept
NOT_KEPT = "note: these games are not kept; --run FILE keeps them, and the same command then goes on where it stopped"


class Outcome(Protocol):
    """What came out; its text is for the terminal."""

    def data(self) -> dict[str, Any]:
        """As plain data."""


def watched(
    sitting: Sitting[Any, Any],
    work: Callable[[Callable[[Any], object]], None],
    line: Callable[[Any], str],
    picture: Callable[[Any], object],
    jobs: str,
) -> bool:
    """Have ``work`` done, which gets the watcher, with a table or lines to be seen; whether Ctrl-C ended it."""
    from ramify.runs.watching import watching

    for note in sitting.notes:
        print(f"note: {note}", file=sys.stderr)
    if sitting.driver.done:
        print(f"{sitting.driver.done:,} of {sitting.driver.total:,} {jobs} are there already", file=sys.stderr)
    kept = sitting.store.name is not None
    try:
        with watching(line, picture) as watch:
            work(watch if kept else _telling(watch))
    except KeyboardInterrupt:
        if not kept:
            print(NOT_KEPT, file=sys.stderr)
        return True
    return False


def _telling(watch: Callable[[Any], object]) -> Callable[[Any], object]:
    """A watcher that says once, when it gets long, that nothing is kept."""
    began, told = monotonic(), False

    def look(driver: Any) -> None:
        nonlocal told
        if not told and monotonic() - began > NOTE_SECONDS:
            told = True
            print(NOT_KEPT, file=sys.stderr, flush=True)
        watch(driver)

    return look


@contextmanager
def played(make_plan: Callable[[], MatchPlan], options: GamesOptions) -> Iterator[MatchSitting]:
    """A sitting whose games were played, or some of them: after Ctrl-C the command ends with the block."""
    from ramify.arena.matches.sitting import MatchSitting
    from ramify.arena.reports.live import status, table

    with saying_when_compiling():
        sitting = MatchSitting(make_plan(), options.run, accept_change=options.accept_change)
    with sitting:
        pool = options.pool()
        interrupted = watched(sitting, lambda watch: sitting.run(pool, watch), status, table, "games")
        if interrupted:
            print("ramify: interrupted; this is the score so far", file=sys.stderr)
        yield sitting
    if interrupted:
        sys.exit(INTERRUPTED)


def print_result(result: Outcome, sitting: MatchSitting, json: bool, gap: bool = True) -> None:
    """The result, and below it seed, speed and file."""
    from ramify.arena.matches.sitting import stopped

    if json:
        print_json(result.data())
        return
    print(result)
    if gap:
        print()
    driver = sitting.driver
    if driver.played:
        print(f"speed     {driver.played:,} games in this sitting, {driver.rate():.2f} games/s")
    print(f"seed      {sitting.plan.seed}")
    if sitting.store.name is not None:
        print(f"run       {sitting.store.name}")
    if stopped(sitting) == "interrupted":
        how = "; the same command plays them" if sitting.store.name is not None else ""
        print(f"          {driver.total - driver.done:,} games are missing{how}")
