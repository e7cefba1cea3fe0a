"""What commands that work at a run have in common: the watcher's view, Ctrl-C, and how they end."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from time import monotonic
from typing import TYPE_CHECKING, Any, NoReturn, Protocol, TypeVar

from ramify.cli.interrupts import INTERRUPTED
from ramify.cli.options import GamesOptions
from ramify.cli.shared_options import announcing_compilation, print_json

if TYPE_CHECKING:
    from ramify.arena.matches.match_plan import MatchPlan
    from ramify.arena.matches.session import MatchSession
    from ramify.runs.pools.pool import PoolMaker
    from ramify.runs.session import Session

S = TypeVar("S", bound="Session[Any, Any]")

NOTE_SECONDS = 5.0  # a sitting that lasts longer than this is worth a word about what is kept
NOT_KEPT_NOTE = (
    "note: these games are not kept; --run FILE keeps them, and the same command then goes on where it stopped"
)


class ResultText(Protocol):
    """What came out; its text is for the terminal."""

    def to_dict(self) -> dict[str, Any]:
        """As plain data."""


def run_with_display(
    sitting: Session[Any, Any],
    pool: PoolMaker,
    jobs: str,
    line: Callable[[Any], str] | None = None,
    picture: Callable[[Any], object] | None = None,
) -> bool:
    """Do what is missing, with a table or lines to be seen; whether Ctrl-C ended it."""
    from ramify.runs.live_display import duration, live_display

    def plain(driver: Any) -> str:
        return f"{driver.done:,}/{driver.total:,} {jobs}, {duration(driver.seconds_left())} left"

    for note in sitting.notes:
        print(f"note: {note}", file=sys.stderr)
    if sitting.driver.done:
        print(f"{sitting.driver.done:,} of {sitting.driver.total:,} {jobs} are there already", file=sys.stderr)
    kept = sitting.store.name is not None
    try:
        with live_display(line or plain, picture or plain) as watch:
            sitting.run(pool, watch if kept else _warn_not_kept(watch))
    except KeyboardInterrupt:
        if not kept:
            print(NOT_KEPT_NOTE, file=sys.stderr)
        return True
    return False


def _warn_not_kept(watch: Callable[[Any], object]) -> Callable[[Any], object]:
    """A watcher that says once, when it gets long, that nothing is kept."""
    began, told = monotonic(), False

    def look(driver: Any) -> None:
        nonlocal told
        if not told and monotonic() - began > NOTE_SECONDS:
            told = True
            print(NOT_KEPT_NOTE, file=sys.stderr, flush=True)
        watch(driver)

    return look


@contextmanager
def run_games(
    open_sitting: Callable[..., S],
    make_plan: Callable[[], MatchPlan],
    options: GamesOptions,
    so_far: str = "this is the score so far",
) -> Iterator[S]:
    """A sitting whose games were played, or some of them: after Ctrl-C the command ends with the block."""
    from ramify.arena.reports.live import status, table

    with announcing_compilation():
        sitting = open_sitting(make_plan(), options.run, accept_change=options.accept_change)
    with sitting:
        interrupted = run_with_display(sitting, options.pool(), "games", status, table)
        if interrupted:
            _tell_interrupted(so_far)
        yield sitting
    if interrupted:
        sys.exit(INTERRUPTED)


def exit_interrupted(what: str) -> NoReturn:
    """Leave after Ctrl-C, and say what there is."""
    _tell_interrupted(what)
    sys.exit(INTERRUPTED)


def _tell_interrupted(what: str) -> None:
    print(f"ramify: interrupted; {what}", file=sys.stderr)


def print_outcome(outcome: ResultText, json: bool, lines: Iterable[str], **more: Any) -> None:
    """The outcome with the lines below it; or as JSON, with ``more`` in it."""
    if json:
        print_json(outcome.to_dict() | more)
        return
    print(outcome)
    for line in lines:
        print(line)


def run_lines(sitting: Session[Any, Any]) -> list[str]:
    """What it takes to have the same run again: seed and file."""
    name = sitting.store.name
    return [f"seed      {sitting.plan.seed}", *([] if name is None else [f"run       {name}"])]


def print_result(result: ResultText, sitting: MatchSession, json: bool, gap: bool = True) -> None:
    """The result, and below it seed, speed and file."""
    from ramify.arena.matches.session import stop_reason

    driver = sitting.driver
    lines = [""] if gap else []
    if driver.played:
        lines.append(f"speed     {driver.played:,} games in this sitting, {driver.jobs_per_second():.2f} games/s")
    lines += run_lines(sitting)
    if stop_reason(sitting) == "interrupted":
        how = "; the same command plays them" if sitting.store.name is not None else ""
        lines.append(f"          {driver.total - driver.done:,} games are missing{how}")
    print_outcome(result, json, lines)
