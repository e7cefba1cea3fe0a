"""Every command that opens a run says when it is damaged, and goes on with what was salvaged."""

import json
import sqlite3
from contextlib import closing

import pytest

from ramify.arena.matches.rows import GAME_TABLE
from ramify.errors import RamifyError
from ramify.experiments.framework.work import CHUNK_TABLE
from ramify.runs.store import Reader
from tests.cli.test_arena_commands import MATCH, ramify

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
@pytest.mark.parametrize("damage", ["row", "description"])
def test_damage_is_told_salvaged_and_mended(runs, name, damage, tmp_path):
    run, new = copied(runs, name, tmp_path), tmp_path / "new.db"
    whole = rows(run)
    if damage == "row":
        spoil(run, "UPDATE games SET moves = '[' WHERE number = (SELECT max(number) FROM games)")
    else:
        spoil(run, "UPDATE run SET value = substr(value, 2)")
    words = COMMANDS[name]
    commands = [(*words, run)]
    if name != "tune":  # which `report` refuses
        commands.append(("report", run, "--out", tmp_path / "out"))
    if damage == "row":
        commands.append(("replay", run, whole[-1][0]))
    for command in commands:
        with pytest.raises(RamifyError, match=SENTENCE):
            ramify(*command)
    result = ramify("report", run, "--salvage", new)
    assert "resumes the new file" in result.stdout
    kept = rows(new)
    assert set(kept) <= set(whole)
    assert (kept == whole) == (damage == "description")
    ramify(*words, new)
    assert rows(new) == whole
    assert ramify(*words, new).stdout == ramify(*words, runs / f"{name}.db").stdout.replace(
        str(runs / f"{name}.db"), str(new)
    )


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
    damage = (
        ("UPDATE chunks SET sums = '[]' WHERE number = 1", "row 1 of its chunks is invalid"),
        (
            "UPDATE chunks SET point = 'nowhere' WHERE number = 1",
            "row 1 is of 'nowhere', which the experiment does not",
        ),
        ("UPDATE run SET value = '{'", "its description is missing"),
    )
    for statement, sentence in damage:
        run = copied(runs, "boxes-smoke", tmp_path)
        spoil(run, statement)
        with pytest.raises(RamifyError, match=sentence):
            ramify(*words)
        with pytest.raises(RamifyError, match=sentence):
            ramify("reproduce", "--page", tmp_path / "page.md", "--scale", "smoke", "--out", tmp_path)
    ramify("report", run, "--salvage", new)
    new.replace(run)
    ramify(*words)
    assert rows(run, CHUNK_TABLE) == whole


def test_report_takes_one_run_to_salvage_and_no_tuning(runs, tmp_path):
    with pytest.raises(RamifyError, match="--salvage takes one run, not 2"):
        ramify("report", runs / "match.db", runs / "scale.db", "--salvage", tmp_path / "new.db")
    with pytest.raises(RamifyError, match="is a tuning: `ramify tune` prints its result"):
        ramify("report", runs / "tune.db", "--out", tmp_path)
