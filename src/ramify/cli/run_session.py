"""Shared by commands that drive a run: live display, Ctrl-C, and the lines at the end."""

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

NOTE_SECONDS = 5.0  # a longer session without --run prints NOT_KEPT_NOTE
NOT_KEPT_NOTE = "note: these games are not stored; with --run FILE they are, and the same command resumes"


class ResultText(Protocol):
    """A result: ``str()`` is for the terminal, ``to_dict()`` for JSON."""

    def to_dict(self) -> dict[str, Any]: ...


def run_with_display(
    session: Session[Any, Any],
    pool: PoolMaker,
    jobs: str,
    line: Callable[[Any], str] | None = None,
    picture: Callable[[Any], object] | None = None,
) -> bool:
    """Run the missing jobs with a live display. Return whether Ctrl-C ended it."""
    from ramify.runs.live_display import duration, live_display

    def plain(driver: Any) -> str:
        return f"{driver.done:,}/{driver.total:,} {jobs}, {duration(driver.seconds_left())} left"

    for note in session.notes:
        print(f"note: {note}", file=sys.stderr)
    if session.driver.done:
        print(f"{session.driver.done:,} of {session.driver.total:,} {jobs} are already stored", file=sys.stderr)
    kept = session.store.name is not None
    try:
        with live_display(line or plain, picture or plain) as on_progress:
            session.run(pool, on_progress if kept else _warning_not_kept(on_progress))
    except KeyboardInterrupt:
        if not kept:
            print(NOT_KEPT_NOTE, file=sys.stderr)
        return True
    return False


def _warning_not_kept(on_progress: Callable[[Any], object]) -> Callable[[Any], object]:
    """Wrap ``on_progress``: print NOT_KEPT_NOTE once, after NOTE_SECONDS."""
    began, warned = monotonic(), False

    def update(driver: Any) -> None:
        nonlocal warned
        if not warned and monotonic() - began > NOTE_SECONDS:
            warned = True
            print(NOT_KEPT_NOTE, file=sys.stderr, flush=True)
        on_progress(driver)

    return update


@contextmanager
def run_games(
    open_session: Callable[..., S],
    make_plan: Callable[[], MatchPlan],
    options: GamesOptions,
    so_far: str = "this is the score so far",
) -> Iterator[S]:
    """Play the missing games and yield the session. After Ctrl-C the command exits at the end of the block."""
    from ramify.arena.reports.live import status, table

    with announcing_compilation():
        session = open_session(make_plan(), options.run, accept_change=options.accept_change)
    with session:
        interrupted = run_with_display(session, options.pool(), "games", status, table)
        if interrupted:
            _print_interrupted(so_far)
        yield session
    if interrupted:
        sys.exit(INTERRUPTED)


def exit_interrupted(what: str) -> NoReturn:
    """Print that Ctrl-C ended the command, and what its output is, then exit with 130."""
    _print_interrupted(what)
    sys.exit(INTERRUPTED)


def _print_interrupted(what: str) -> None:
    print(f"ramify: interrupted; {what}", file=sys.stderr)


def print_outcome(result: ResultText, json: bool, lines: Iterable[str], **more: Any) -> None:
    """Print a result and ``lines`` below it; as JSON, the result and ``more``."""
    if json:
        print_json(result.to_dict() | more)
        return
    print(result)
    for line in lines:
        print(line)


def run_lines(session: Session[Any, Any]) -> list[str]:
    """Seed and file of the run, one line each."""
    name = session.store.name
    return [f"seed      {session.plan.seed}", *([] if name is None else [f"run       {name}"])]


def print_result(result: ResultText, session: MatchSession, json: bool, gap: bool = True) -> None:
    """Print a result, then its speed, seed and file."""
    from ramify.arena.matches.session import stop_reason

    driver = session.driver
    lines = [""] if gap else []
    if driver.played:
        lines.append(f"speed     {driver.played:,} games in this session, {driver.jobs_per_second():.2f} games/s")
    lines += run_lines(session)
    if stop_reason(session) == "interrupted":
        how = "; the same command plays them" if session.store.name is not None else ""
        lines.append(f"          {driver.total - driver.done:,} games missing{how}")
    print_outcome(result, json, lines)
