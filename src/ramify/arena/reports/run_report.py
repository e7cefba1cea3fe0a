"""Reports of runs, as one self-contained HTML file and as Markdown with pictures."""

from __future__ import annotations

import math
import os
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

from ramify.agents.budgets.player_limits import PlayerLimits
from ramify.arena.matches.doubling import HEADINGS, SCALE, TOO_FEW_GAMES, any_infinite, doublings_of, step_cells
from ramify.arena.matches.irregular_losses import ENDING_TEXT
from ramify.arena.matches.rows import GAME_TABLE
from ramify.arena.matches.standing import Standing, test_text
from ramify.arena.reports import charts
from ramify.arena.reports.document import Block, Code, Heading, Paragraph, Picture, Table, as_html
from ramify.arena.reports.page_files import page_with, write_markdown
from ramify.arena.reports.run_command import run_command
from ramify.arena.reports.summary import Lengths, RunSummary, summarize
from ramify.errors import RamifyError, os_error_text
from ramify.output_files import check_replaceable, write_output
from ramify.paths import exists, is_folder
from ramify.players.endings import LIMIT, RESIGNED
from ramify.runs.store import Reader
from ramify.statistics.format import elo_line, elo_text, percent, percent_interval
from ramify.statistics.inference import Interval, holm, paired_p_value

Run = str | Path | Reader

HTML, MARKDOWN = "report.html", "report.md"
TITLE, GUIDE = "Report: ", "How to read this"  # in every report


def _is_html_report(data: bytes) -> bool:
    return f"<title>{TITLE}".encode() in data and f"<h2>{GUIDE}</h2>".encode() in data


_is_markdown_report = page_with(f"# {TITLE}", f"\n## {GUIDE}\n")


@dataclass(frozen=True)
class ReportFiles:
    """Paths of a report's files."""

    html: Path
    markdown: Path
    pictures: tuple[Path, ...]
    left_out: int = 0  # rows that do not fit their run
    left_out_frames: int = 0  # of damaged write-ahead logs
    notes: tuple[str, ...] = ()  # on what was left out or cannot be verified


def write_report(runs: Run | Sequence[Run], out: str | Path) -> ReportFiles:
    """Write a report of runs, finished or not, to the folder ``out``. The folder is created if needed."""
    given = [runs] if isinstance(runs, str | Path | Reader) else list(runs)
    if not given:
        raise RamifyError("a report needs a run")
    check_report_folder(out)
    summaries = [_read(run) for run in given]
    written = _write(Path(out), list(_page(summaries)))
    return replace(
        written,
        left_out=sum(summary.left_out for summary in summaries),
        left_out_frames=sum(summary.left_out_frames for summary in summaries),
        notes=tuple(note for summary in summaries for note in summary.notes),
    )


def _read(run: Run) -> RunSummary:
    if isinstance(run, Reader):
        return summarize(run)
    with Reader(run, GAME_TABLE) as reader:
        return summarize(reader)


def check_folder(out: str | Path) -> None:
    """Raise if the folder cannot be written."""
    folder = Path(out)
    if exists(folder) and not is_folder(folder):
        raise RamifyError(f"{folder} is a file: choose a folder for the report")
    there = next((place for place in (folder, *folder.absolute().parents) if exists(place)), folder)
    if not is_folder(there) or not os.access(there, os.W_OK | os.X_OK):
        raise RamifyError(f"cannot write the report to {folder}: {there} is not a writable folder")


def check_report_folder(out: str | Path) -> None:
    """Raise if the folder cannot be written, or has files that a report would replace and that are not of Ramify."""
    check_folder(out)
    try:
        check_replaceable(Path(out) / HTML, _is_html_report)
        check_replaceable(Path(out) / MARKDOWN, _is_markdown_report)
    except (OSError, RamifyError) as error:
        raise _not_written(Path(out), error) from None


def _write(folder: Path, blocks: list[Block]) -> ReportFiles:
    title = next(block.text for block in blocks if isinstance(block, Heading))
    try:
        markdown, *pictures = write_markdown(folder / MARKDOWN, blocks, _is_markdown_report)
        write_output(folder / HTML, as_html(blocks, title).encode(), _is_html_report)
    except (OSError, RamifyError) as error:
        raise _not_written(folder, error) from None
    return ReportFiles(folder / HTML, markdown, tuple(pictures))


def _not_written(folder: Path, error: OSError | RamifyError) -> RamifyError:
    return RamifyError(f"cannot write the report to {folder}: {os_error_text(error)}")


def _page(summaries: Sequence[RunSummary]) -> Iterator[Block]:
    games = dict.fromkeys(game for summary in summaries for game in summary.description["games"])
    yield Heading(f"{TITLE}{', '.join(games)}", 1)
    adjusted = _adjusted([one for summary in summaries if summary.kind != SCALE for one in summary.standings])
    for number, summary in enumerate(summaries, 1):
        yield from _run(summary, number, adjusted)
    yield Heading(GUIDE)
    yield Paragraph(
        "Scores are the first agent's, from 0 to 100 %. The 95 % intervals come from the spread between pairs of games"
        " that share an opening (with more than two players: blocks over all seats). With a sequential test the"
        " interval is valid at any stopping time. Elo is the score on the logistic scale. p is the probability of a"
        " result at least as one-sided between equal agents (sign-flip test over pairs). The adjusted p (Holm) accounts"
        f" for all {len(adjusted)} comparisons of this report; there is none for sequential tests. Games of unfinished"
        " pairs count only in the score."
    )


def _adjusted(standings: Sequence[Standing]) -> dict[int, tuple[float, float]]:
    """Return p and Holm-adjusted p by ``id`` of the standing, for standings without a sequential test."""
    tested = [standing for standing in standings if standing.test is None and standing.results.pairs]
    raw = [paired_p_value(standing.results) for standing in tested]
    return {id(one): pair for one, pair in zip(tested, zip(raw, holm(raw), strict=True), strict=True)}


def _run(summary: RunSummary, number: int, adjusted: dict[int, tuple[float, float]]) -> Iterator[Block]:
    title = {SCALE: "Doubling the budget", "match": "Match"}.get(summary.kind, f"Tournament ({summary.kind})")
    yield Heading(f"{title}: {Path(summary.path).name}" if summary.path != ":memory:" else title)
    if not summary.complete:
        yield Paragraph(
            f"Unfinished: {summary.stored:,} of {summary.planned:,} games are stored;"
            " the original command plays the rest.",
            warning=True,
        )
    for note in summary.notes:
        yield Paragraph(f"Note: {note}.", warning=summary.left_out + summary.left_out_frames > 0)
    yield from _run_details(summary)
    for game in summary.lengths:
        if len(summary.lengths) > 1:
            yield Heading(game, 3)
        yield from _game(summary, game, f"{number}-{_slug(game)}", adjusted)


def _run_details(summary: RunSummary) -> Iterator[Block]:
    description = summary.description
    budgets = list(dict.fromkeys(str(PlayerLimits(**budget)) for budget in description["budgets"]))
    pairs = sum(standing.results.pairs for standing in summary.standings)
    counted = sum(standing.games for standing in summary.standings)
    begun, ended = (f"{datetime.fromtimestamp(moment, UTC):%Y-%m-%d %H:%M:%S}" for moment in summary.finished)
    rows = [
        ["games", ", ".join(description["games"])],
        ["budget", "; ".join(budgets)],
        ["seed", str(description["seed"])],
        ["openings", _openings(summary)],
        ["played", f"{summary.stored:,} of {summary.planned:,} games; {counted:,} count, in {pairs:,} finished pairs"],
        ["finished", f"first game {begun}, last {ended} (UTC)"],
        ["versions", "; ".join(f"{text} ({count:,} games)" for text, count in summary.versions.most_common())],
    ]
    yield Table(["", "run"], rows, texts=2)
    yield Table(
        ["agent", "description", "budget"],
        [
            [agent["label"], agent["agent"], str(PlayerLimits(**budget))]
            for agent, budget in zip(description["agents"], description["budgets"], strict=True)
        ],
        texts=3,
    )
    command, notes = run_command(description, summary.pairings)
    if command is not None:
        yield Paragraph("To repeat it:")
        yield Code(command)
    if notes:
        yield Paragraph(" ".join(notes))


def _openings(summary: RunSummary) -> str:
    plies, positions = summary.description["opening_plies"], summary.description["positions"]
    start = "the game's start" if positions is None else f"a file of positions (digest {positions})"
    return f"{plies} random plies from {start}" if plies else f"from {start}"


def _game(summary: RunSummary, game: str, name: str, adjusted: dict[int, tuple[float, float]]) -> Iterator[Block]:
    standings = summary.standings_at(game)
    labels = list(dict.fromkeys(e.label for s in standings for e in (s.pairing.first, s.pairing.second)))
    if summary.kind == SCALE:
        chain = doublings_of(standings)
        yield Table(HEADINGS, [step_cells(step) for step in chain])
        if any_infinite(chain):
            yield Paragraph(TOO_FEW_GAMES)
        first = standings[0].pairing.second.limits.simulations or 1
        words = f"Elo of {standings[0].pairing.first.agent} at {game} as its simulations double"
        yield Picture(f"{name}-scale.png", charts.scale_curve(first, chain), words)
    else:
        yield _pairings(standings, adjusted)
        yield from _strength(summary, game, name, labels)
    lengths = summary.lengths[game]
    drawn = charts.lengths(lengths.plies, lengths.seconds, lengths.simulations)
    yield Picture(f"{name}-lengths.png", drawn, f"Distributions of plies, seconds and simulations of games of {game}")
    yield from _irregular_ends(lengths)
    yield _spent(summary, game, labels)


def _irregular_ends(lengths: Lengths) -> Iterator[Block]:
    """Numbers of games that did not end by their rules."""
    if lengths.ends[LIMIT]:
        yield Paragraph(f"{lengths.ends[LIMIT]:,} games reached the length limit and count as draws.", warning=True)
    for ended, text in ENDING_TEXT.items():
        if lengths.ends[ended]:
            yield Paragraph(f"{lengths.ends[ended]:,} games were {text}.", warning=ended != RESIGNED)
    if lengths.faults:
        rows = [[fault, f"{count:,}"] for fault, count in lengths.faults.most_common()]
        yield Table(["fault of an engine", "games"], rows)


def _strength(summary: RunSummary, game: str, name: str, labels: list[str]) -> Iterator[Block]:
    standings = summary.standings_at(game)
    pool = summary.ratings.get(game)
    if pool is not None and len(labels) > 2:
        labels = [label for label in pool.players if label in labels]
        rows = [[label, elo_text(pool.interval(label))] for label in labels]
        yield Table(["agent", "elo (Bradley-Terry, mean 0)"], rows)
        yield Picture(f"{name}-ratings.png", charts.ratings(pool), f"Ratings at {game} with 95% intervals")
    cells: dict[tuple[int, int], Interval] = {}
    for standing in standings:
        i, j = labels.index(standing.pairing.first.label), labels.index(standing.pairing.second.label)
        _, low, high = standing.interval
        cells[i, j] = Interval(standing.score, low, high)
        cells[j, i] = Interval(1 - standing.score, 1 - high, 1 - low)
    yield Picture(f"{name}-scores.png", charts.cross_table(labels, cells), f"Cross-table of scores at {game}")
    if len(standings) == 1 and standings[0].results.pairs:
        drawn = charts.pair_scores(standings[0].results.histogram)
        yield Picture(f"{name}-pairs.png", drawn, f"Histogram of pair scores at {game}")


def _pairings(standings: Sequence[Standing], adjusted: dict[int, tuple[float, float]]) -> Table:
    tested = any(standing.test for standing in standings)
    headings = ["first", "second", "games", "won", "drawn", "lost", "score", "95%", "elo", "p", "adjusted p"]
    rows = []
    for standing in standings:
        raw, holms = adjusted.get(id(standing), (math.nan, math.nan))
        finished = bool(standing.results.pairs)
        rows.append(
            [
                standing.pairing.first.label,
                standing.pairing.second.label,
                *(f"{count:,}" for count in (standing.games, standing.wins, standing.draws, standing.losses)),
                percent(standing.score),
                percent_interval(standing.interval) if finished else "-",
                elo_line(standing.elo) if finished else "-",
                _p_text(raw),
                _p_text(holms),
                *([test_text(standing)] if tested else []),
            ]
        )
    return Table([*headings, *(["test"] if tested else [])], rows, texts=2)


def _p_text(p: float) -> str:
    return "-" if math.isnan(p) else "< 0.0001" if p < 0.0001 else f"{p:.4f}"


def _spent(summary: RunSummary, game: str, labels: Sequence[str]) -> Table:
    rows = []
    for label in labels:
        spent = summary.spent.get((game, label))
        if spent is None:
            continue
        speed = f"{spent.simulations / spent.seconds:,.0f}" if spent.seconds else "-"
        means = (spent.simulations / spent.seats, spent.calls / spent.seats)
        rows.append([label, *(f"{mean:,.0f}" for mean in means), f"{spent.seconds / spent.seats:,.3g}", speed])
    headings = ["agent (means per game and seat)", "simulations", "calls", "seconds", "simulations per second"]
    return Table(headings, rows)


def _slug(text: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-")[:40] or "game"
