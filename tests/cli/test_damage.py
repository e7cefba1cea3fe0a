"""Every command that opens a run says when it is damaged, and goes on with what was salvaged."""

import json
import re
import sqlite3
from contextlib import closing, redirect_stderr
from io import StringIO

import pytest

from ramify.arena.matches.rows import GAME_TABLE
from ramify.cli import reproduce
from ramify.errors import RamifyError
from ramify.experiments.framework.work import CHUNK_TABLE
from ramify.runs.store import Reader, Store
from tests.cli.test_arena_commands import MATCH, ramify
from tests.runs.old_files import without_digests

SMALL = ("--simulations", 5, "--seed", 1, "--workers", 0)
TUNE = ("tune", "tictactoe", "uct(c=0.1..2.0)", "--against", "uct", "--trials", 2, "--games", 4, "--confirm", 4)
COMMANDS = {
    "match": (*MATCH, "--run"),
    "tournament": (
        *("tournament", "--game", "tictactoe", "--agent", "uct", "--agent", "uct(c=2)", "--agent", "uct(c=1)"),
        *("--games", 2, *SMALL, "--run"),
    ),
    "scale": ("scale", "tictactoe", "uct", "--doublings", 2, "--games", 2, *SMALL, "--run"),
    "tune": (*TUNE, *SMALL, "--run"),
}
SENTENCE = r"is damaged \(.*\); `ramify report .* --salvage NEW\.db` copies what can still be read to a new file"


def rows(run, table=GAME_TABLE):
    """All columns but the times."""
    with Reader(run, table) as reader:
        return [
            tuple(
                value for name, value in zip(table.columns, record, strict=True) if name not in ("seconds", "finished")
            )
            for record in reader.records()
        ]


@pytest.fixture(scope="module")
def runs(tmp_path_factory):
    """A finished run of each command."""
    folder = tmp_path_factory.mktemp("runs")
    for name, words in COMMANDS.items():
        ramify(*words, folder / f"{name}.db")
    ramify("reproduce", "boxes", "--scale", "smoke", "--workers", 0, "--out", folder)
    return folder


def spoil(run, statement, *values):
    with closing(sqlite3.connect(run)) as connection, connection:
        connection.execute(statement, values)


def copied(runs, name, tmp_path):
    run = tmp_path / f"{name}.db"
    run.write_bytes((runs / run.name).read_bytes())
    return run


@pytest.mark.parametrize("name", COMMANDS)
def test_a_damaged_description_is_told_salvaged_and_mended(runs, name, tmp_path):
    run, new = copied(runs, name, tmp_path), tmp_path / "new.db"
    whole = rows(run)
    spoil(run, "UPDATE run SET value = substr(value, 2)")
    for command in ((*COMMANDS[name], run), ("report", run, "--out", tmp_path / "out"), ("replay", run, whole[-1][0])):
        with pytest.raises(RamifyError, match=SENTENCE):
            ramify(*command)
    assert "resumes the new file" in ramify("report", run, "--salvage", new).stdout
    assert rows(new) == whole
    mended(runs, name, new, whole)


@pytest.mark.parametrize("name", COMMANDS)
@pytest.mark.parametrize("version", ["older", "this"])
def test_a_damaged_row_is_left_out_and_mended(runs, name, version, tmp_path):
    run, new = copied(runs, name, tmp_path), tmp_path / "new.db"
    whole = rows(run)
    last = whole[-1][0]
    if version == "older":
        without_digests(run)
    spoil(run, "UPDATE games SET moves = '[' WHERE number = ?", last)
    why = "it is invalid" if version == "older" else "its values do not match its digest"
    note = f"row {last} of {run} is left out: {why}; the run's own command computes it again"
    if name != "tune":  # which `report` refuses
        reported = ramify("report", run, "--out", tmp_path / "out", code=1)
        assert f"note: {note}" in reported.stderr
        assert f"Note: {note}." in (tmp_path / "out" / "report.md").read_text().replace("\\", "")
        assert json.loads(ramify("report", run, "--out", tmp_path / "out", "--json", code=1).stdout)["left_out"] == 1
    with pytest.raises(RamifyError, match=re.escape(note)):
        ramify("replay", run, last)
    assert "resumes the new file" in ramify("report", run, "--salvage", new).stdout
    assert rows(new) == whole[:-1]
    mended(runs, name, new, whole)
    resumed = ramify(*COMMANDS[name], run)
    assert f"note: {note}" in resumed.stderr
    old = f"note: {len(whole) - 1} rows were stored by an older version without a digest"
    assert (old in resumed.stderr) == (version == "older")
    mended(runs, name, run, whole)


def mended(runs, name, run, whole):
    """The command computes what is missing, and then all is as in the undamaged run."""
    ramify(*COMMANDS[name], run)
    assert rows(run) == whole
    again = ramify(*COMMANDS[name], run)
    assert "left out" not in again.stderr
    assert again.stdout == ramify(*COMMANDS[name], runs / f"{name}.db").stdout.replace(
        str(runs / f"{name}.db"), str(run)
    )


@pytest.mark.parametrize("name", ["match", "scale"])
def test_a_damaged_log_is_told_and_mended(runs, name, tmp_path):
    """SQLite silently ignores everything behind a damaged frame."""
    source, run = copied(runs, name, tmp_path), tmp_path / "run.db"
    with Reader(source, GAME_TABLE) as reader:
        whole, description = list(reader.records()), reader.description()
    store = Store(tmp_path / "killed.db", description, GAME_TABLE)
    for record in whole:
        store.add([record])
        store.flush()
    run.write_bytes((tmp_path / "killed.db").read_bytes())
    log = bytearray((tmp_path / "killed.db-wal").read_bytes())
    store.close()
    log[len(log) // 2] ^= 4
    (tmp_path / "run.db-wal").write_bytes(log)
    told = rf"\d+ frames of {run}-wal are left out: frame \d+ does not match its checksum; the run's own command"
    reported = ramify("report", run, "--out", tmp_path / "out", code=1)
    assert re.search(f"note: {told}", reported.stderr)
    assert re.search(f"Note: {told}", (tmp_path / "out" / "report.md").read_text().replace("\\", ""))
    assert json.loads(ramify("report", run, "--out", tmp_path / "out", "--json", code=1).stdout)["left_out_frames"] > 0
    with pytest.raises(RamifyError, match=rf"has no game {whole[-1][0]}: it has \d+ games.*; {told}"):
        ramify("replay", run, whole[-1][0])
    assert re.search(f"note: {told}", ramify(*COMMANDS[name], run).stderr)
    assert "left out" not in ramify(*COMMANDS[name], run).stderr
    assert rows(run) == rows(source)


def test_a_salvaged_run_without_a_description_is_not_mixed_with_another(runs, tmp_path):
    run, new = copied(runs, "match", tmp_path), tmp_path / "new.db"
    spoil(run, "UPDATE run SET value = 'lost'")
    assert json.loads(ramify("report", run, "--salvage", new, "--json").stdout) == {
        "path": str(new),
        "rows": "games",
        "saved": 6,
        "unread": 0,
        "pages": 3,
        "damaged": 0,
        "has_description": False,
        "described": False,  # the old name
        "damage": "",
        "log": "",
        "left_out": {},
        "undigested": 0,
    }
    with pytest.raises(RamifyError, match="was salvaged without its description: resume it with its own command"):
        ramify("report", new, "--out", tmp_path / "out")
    words = [*COMMANDS["match"], new]
    other = ["2" if before == "--seed" else word for before, word in zip(["", *words[:-1]], words, strict=True)]
    with pytest.raises(RamifyError, match="holds another run: row 1 does not belong to this one"):
        ramify(*other)
    at = words.index("--seed")
    with pytest.raises(RamifyError, match="pass its --seed"):
        ramify(*words[:at], *words[at + 2 :])
    ramify(*words)
    ramify(*words[:at], *words[at + 2 :])
    ramify("report", new, "--out", tmp_path / "out")


def test_a_damaged_experiment(runs, tmp_path):
    words = ("reproduce", "boxes", "--scale", "smoke", "--workers", 0, "--out", tmp_path)
    run, new = copied(runs, "boxes-smoke", tmp_path), tmp_path / "new.db"
    whole = rows(run, CHUNK_TABLE)
    for version in ("older", "this"):
        run = copied(runs, "boxes-smoke", tmp_path)
        if version == "older":
            without_digests(run)
        spoil(run, "UPDATE chunks SET point = 'nowhere' WHERE number = 1")
        with pytest.raises(RamifyError, match=r"is not finished: resume it with"):
            ramify("reproduce", "--page", tmp_path / "page.md", "--scale", "smoke", "--out", tmp_path)
        why = "it is not part of the plan" if version == "older" else "its values do not match its digest"
        note = f"row 1 of {run} is left out: {why}; the run's own command computes it again"
        with pytest.raises(RamifyError), redirect_stderr(StringIO()) as told:
            reproduce.command(page=tmp_path / "page.md", scale="smoke", out=tmp_path)
        assert f"note: {run.name}: {note}\n" in told.getvalue()
        assert f"note: {note}\n" in ramify(*words).stderr
        assert rows(run, CHUNK_TABLE) == whole
    spoil(run, "UPDATE run SET value = '{'")
    for command in (words, ("reproduce", "--page", tmp_path / "page.md", "--scale", "smoke", "--out", tmp_path)):
        with pytest.raises(RamifyError, match="its description does not match its digest"):
            ramify(*command)
    ramify("report", run, "--salvage", new)
    new.replace(run)
    ramify(*words)
    assert rows(run, CHUNK_TABLE) == whole


def test_report_takes_one_run_to_salvage_and_no_tuning(runs, tmp_path):
    with pytest.raises(RamifyError, match="--salvage takes one run, not 2"):
        ramify("report", runs / "match.db", runs / "scale.db", "--salvage", tmp_path / "new.db")
    with pytest.raises(RamifyError, match="is a tuning: `ramify tune` prints its result"):
        ramify("report", runs / "tune.db", "--out", tmp_path)
