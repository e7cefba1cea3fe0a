"""Rows that do not fit their run are named and left out; rows of older versions are read with a note."""

import json
import sqlite3
from contextlib import closing
from dataclasses import replace

import pytest

from ramify.agents.budgets.player_limits import PlayerLimits
from ramify.arena.kilothon.contest_game import failed
from ramify.arena.kilothon.kilothon_plan import KilothonSession, plan_kilothon
from ramify.arena.kilothon.rows import KILOTHON_TABLE
from ramify.arena.managed.rows import MATCH_TABLE, MatchRow, PlannedMatches
from ramify.arena.matches.playing.play_game import play
from ramify.arena.matches.rows import GAME_TABLE, GameRow
from ramify.arena.matches.session import MatchSession
from ramify.errors import RamifyError
from ramify.runs.pools.factory import pool_factory
from ramify.runs.row_check import is_intact, left_out_text
from ramify.runs.row_digest import RunDigests, digest_of, ranges
from ramify.runs.salvage.salvage import salvage
from ramify.runs.seeds import derive
from ramify.runs.store import Reader, Store
from tests.arena.games_for_tests import short_plan
from tests.cli.test_arena_commands import ramify
from tests.runs.old_files import without_digests

PLAN = short_plan(games=6)
DESCRIPTION = PLAN.description()
NO_MATCH = "its values do not match its digest"


@pytest.fixture(scope="module")
def records():
    return [play(spec).record() for spec in PLAN.schedule().games(PLAN.pairs)]


@pytest.fixture
def run(tmp_path, records):
    return stored(tmp_path / "run.db", records)


def stored(path, records, description=DESCRIPTION):
    store = Store(path, description, GAME_TABLE)
    store.add(records)
    store.close()
    return path


def spoil(path, statement, *values):
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute(statement, values)


def read(path):
    with Reader(path, GAME_TABLE) as reader:
        return list(reader.records()), dict(reader.left_out), reader.notes()


def seal(path, number):
    """Give a row the digest of its present values, as a mistaken program could."""
    with closing(sqlite3.connect(path)) as connection, connection:
        *record, digest = connection.execute("SELECT * FROM games WHERE number = ?", (number,)).fetchone()
        new = digest_of(digest.partition("-")[0], "games", record)
        connection.execute("UPDATE games SET row_digest = ? WHERE number = ?", (new, number))


def test_a_changed_score_is_left_out_by_all(run, records, tmp_path):
    spoil(run, "UPDATE games SET score = 1 - score, scores = '[0.25, 0.75]' WHERE number = 3")
    others = records[:2] + records[3:]
    note = f"row 3 of {run} is left out: {NO_MATCH}; the run's own command computes it again"
    assert read(run) == (others, {3: NO_MATCH}, [note])
    result = salvage(run, tmp_path / "new.db", (GAME_TABLE,))
    assert (result.saved, result.left_out) == (5, {3: NO_MATCH})
    assert read(tmp_path / "new.db") == (others, {}, [])
    with MatchSession(PLAN, run) as session:
        assert session.notes == [note]
        assert session.driver.done == 5
        session.run(pool_factory(0))
        assert session.driver.played == 1
        assert session.store.notes() == []
    found, left_out, _ = read(run)
    assert [GameRow.from_record(one).scores for one in found] == [GameRow.from_record(one).scores for one in records]
    assert left_out == {}


@pytest.mark.parametrize("column", GAME_TABLE.columns)
def test_every_column_counts(run, records, column):
    place = GAME_TABLE.columns.index(column)
    value = records[1][place]
    other = value + "x" if isinstance(value, str) else value + 1000
    spoil(run, f"UPDATE games SET {column} = ? WHERE number = 2", other)
    found, left_out, _ = read(run)
    assert found == [records[0], *records[2:]]
    assert list(left_out.values()) == [NO_MATCH]


def test_a_row_without_a_digest_does_not_fit_a_new_run(run, records, tmp_path):
    spoil(run, "UPDATE games SET row_digest = '' WHERE number = 2")
    assert read(run)[1] == {2: "it has no digest"}
    assert salvage(run, tmp_path / "new.db", (GAME_TABLE,)).left_out == {2: "it has no digest"}
    spoil(run, "UPDATE run SET value = '{' WHERE key = 'description'")
    result = salvage(run, tmp_path / "newer.db", (GAME_TABLE,))
    assert (result.left_out, result.has_description) == ({2: "it has no digest"}, False)
    assert read(tmp_path / "newer.db")[0] == [records[0], *records[2:]]


def test_a_row_of_another_run_does_not_fit(run, records, tmp_path):
    other = stored(tmp_path / "other.db", records)
    spoil(run, "DELETE FROM games WHERE number = 4")
    with closing(sqlite3.connect(run)) as connection, connection:
        connection.execute("ATTACH ? AS other", (str(other),))
        connection.execute("INSERT INTO games SELECT * FROM other.games WHERE number = 4")
    assert read(run)[1] == {4: "it belongs to another run"}
    assert salvage(run, tmp_path / "new.db", (GAME_TABLE,)).left_out == {4: "it belongs to another run"}


MISFITS = {
    "game": "connect4",
    "agents": '["uct(c=9)", "uct(c=1.4)"]',
    "limits": '[{"simulations": 7}, {"simulations": 8}]',
    "seats": "[1, 0]",
    "start": "moves 1",
    "opening_plies": 3,
    "pair_seed": 1,
    "seed": 1,
}


@pytest.mark.parametrize("version", ["older", "this"])
@pytest.mark.parametrize("column", MISFITS)
def test_rows_are_compared_with_the_plan(run, records, tmp_path, column, version):
    if version == "older":
        without_digests(run)
    spoil(run, f"UPDATE games SET {column} = ? WHERE number = 1", MISFITS[column])
    if version == "this":
        seal(run, 1)
    why = {1: f"column {column} differs from the plan"}
    assert read(run)[:2] == (records[1:], why)
    assert salvage(run, tmp_path / "new.db", (GAME_TABLE,)).left_out == why
    with MatchSession(PLAN, run) as session:
        assert session.store.left_out == why


def test_numbers_and_pairings_are_compared_with_the_plan(run, records):
    spoil(run, "UPDATE games SET number = 17 WHERE number = 6")
    spoil(run, "UPDATE games SET pairing = 3 WHERE number = 5")
    seal(run, 17)
    seal(run, 5)
    problems = {5: "its pairing is not in the plan", 17: "column number differs from the plan"}
    assert read(run)[:2] == (records[:4], problems)


def test_rows_of_an_older_version_are_read_with_a_note(run, records, tmp_path):
    without_digests(run)
    note = "6 rows were stored by an older version without a digest"
    assert read(run) == (records, {}, [note])
    result = salvage(run, tmp_path / "new.db", (GAME_TABLE,))
    assert (result.saved, result.undigested, result.unread, result.has_description) == (6, 6, 0, True)
    assert "6 of them were stored by an older version without a digest" in str(result)
    assert read(tmp_path / "new.db") == (records, {}, [note])


def test_an_old_description_that_fits_no_row_is_lost(run, records, tmp_path):
    without_digests(run)
    seed = DESCRIPTION["seed"]
    spoil(run, f"UPDATE run SET value = replace(value, '\"seed\": {seed}', '\"seed\": {seed + 1}')")
    assert len(read(run)[1]) == 6
    result = salvage(run, tmp_path / "new.db", (GAME_TABLE,))
    assert (result.saved, result.has_description) == (6, False)
    with MatchSession(PLAN, tmp_path / "new.db") as session:
        assert session.driver.done == 6


def test_an_old_run_resumes_and_only_its_old_rows_may_lack_digests(run, records):
    spoil(run, "DELETE FROM games WHERE number = 2")
    without_digests(run)
    with MatchSession(PLAN, run) as session:
        assert session.notes == ["5 rows were stored by an older version without a digest"]
        session.run(pool_factory(0))
    with closing(sqlite3.connect(run)) as connection:
        digests = dict(connection.execute("SELECT number, row_digest FROM games"))
        assert json.loads(connection.execute("SELECT value FROM run WHERE key = 'undigested'").fetchone()[0]) == [
            [1, 1],
            [3, 6],
        ]
    assert [number for number, digest in digests.items() if digest] == [2]
    assert read(run)[2] == ["5 rows were stored by an older version without a digest"]
    spoil(run, "UPDATE games SET row_digest = '' WHERE number = 2")
    assert read(run)[1] == {2: "it has no digest"}


def test_one_old_row(run):
    without_digests(run)
    spoil(run, "DELETE FROM games WHERE number > 1")
    assert read(run)[2] == ["1 row was stored by an older version without a digest"]


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE run SET value = replace(value, 'uct(c=0.7)', 'uct(c=0.8)') WHERE key = 'description'",
        "UPDATE run SET value = '[[1, 6]]' WHERE key = 'undigested'",
        "UPDATE run SET value = 'x' || value WHERE key = 'digest'",
        "DELETE FROM run WHERE key = 'digest'",
        "DELETE FROM run WHERE key = 'undigested'",
        "DELETE FROM run WHERE key = 'description'",
    ],
)
def test_a_changed_description_is_refused_and_rows_are_salvaged(run, records, tmp_path, statement):
    before = len(records)
    spoil(run, statement)
    for attempt in (lambda: read(run), lambda: Store(run, DESCRIPTION, GAME_TABLE)):
        with pytest.raises(RamifyError, match=r"is damaged \(its description .*\); `ramify report .* --salvage NEW"):
            attempt()
    result = salvage(run, tmp_path / "new.db", (GAME_TABLE,))
    assert (result.saved, result.has_description) == (before, False)
    with MatchSession(PLAN, tmp_path / "new.db") as session:
        assert session.driver.done == before
    assert read(tmp_path / "new.db") == (records, {}, [])


@pytest.mark.parametrize("column", ["row_digest", "overruns", "faults", "score"])
def test_a_renamed_column_is_damage(run, records, tmp_path, column):
    spoil(run, f"ALTER TABLE games RENAME COLUMN {column} TO other")
    for attempt in (lambda: read(run), lambda: Store(run, DESCRIPTION, GAME_TABLE)):
        with pytest.raises(RamifyError, match=rf"is damaged \(.* column:? {column}\); .* --salvage NEW\.db"):
            attempt()
    assert salvage(run, tmp_path / "new.db", (GAME_TABLE,)).saved == 6
    assert read(tmp_path / "new.db") == (records, {}, [])


def test_another_name_of_the_table_is_damage(run, tmp_path):
    spoil(run, "ALTER TABLE games RENAME TO gamez")
    with pytest.raises(RamifyError, match=r"is damaged \(it has no table games\); .* --salvage NEW\.db"):
        read(run)
    assert salvage(run, tmp_path / "new.db", (GAME_TABLE,)).saved == 6


@pytest.mark.parametrize("schema", [0, 3, 2**30])
def test_another_schema_in_the_header_is_damage(run, tmp_path, schema):
    spoil(run, f"PRAGMA user_version = {schema}")
    with pytest.raises(RamifyError, match=r"is damaged \(its header is not that of a run\); .* --salvage NEW\.db"):
        read(run)
    assert salvage(run, tmp_path / "new.db", (GAME_TABLE,)).saved == 6


def test_a_report_without_any_row_that_fits_names_them(run, tmp_path):
    spoil(run, "UPDATE games SET score = 0.25")
    with pytest.raises(RamifyError, match=r"6 rows of .* are left out \(row 1: its values do not match its digest"):
        ramify("report", run, "--out", tmp_path / "out")


def test_numbers_beyond_those_of_sqlite_have_no_row(run):
    with Reader(run, GAME_TABLE) as reader:
        assert reader.record(10**30) is None


def test_many_rows_are_counted_and_the_first_are_named():
    problems = dict.fromkeys(range(1, 6), "it has no digest")
    assert left_out_text("run.db", problems) == (
        "5 rows of run.db are left out (row 1: it has no digest; row 2: it has no digest; row 3: it has no digest;"
        " ...); the run's own command computes them again"
    )


def test_digests_are_those_of_the_values_that_sqlite_returns(tmp_path, records):
    record = list(records[0])
    record[GAME_TABLE.columns.index("score")] = True  # 1.0 in a column of numbers
    record[GAME_TABLE.columns.index("finished")] = -0.0
    record[GAME_TABLE.columns.index("plies")] = bool(1)
    assert read(stored(tmp_path / "run.db", [tuple(record)]))[1] == {}
    assert not is_intact(GAME_TABLE, (b"bytes",), "x-y")
    assert not is_intact(GAME_TABLE, record, b"bytes")


def test_ranges():
    assert ranges([]) == ()
    assert ranges([5, 1, 2, 3, 9, 8]) == ((1, 3), (5, 5), (8, 9))
    digests = RunDigests("id", ranges([1, 2, 3, 7]))
    assert [number for number in range(10) if digests.may_lack(number)] == [1, 2, 3, 7]
    assert RunDigests.from_entries(digests.entries("{}")) == digests


def test_plans_of_three_players_and_old_descriptions(records):
    """Without the number of players, which old descriptions do not have, the row's own seats count."""
    old = {key: value for key, value in DESCRIPTION.items() if key != "players"}
    misfit = GAME_TABLE.misfit_of(old)
    assert [misfit(record) for record in records] == [None] * 6
    row = GameRow.from_record(records[0])
    assert misfit(replace(row, leg=2).record()) == "its pairing is not in the plan"
    assert misfit(replace(row, seats=(0,)).record()) == "its pairing is not in the plan"
    assert (
        misfit(replace(row, limits=(PlayerLimits(1), PlayerLimits(1))).record())
        == "column limits differs from the plan"
    )


def test_matches_of_players_are_compared_with_the_plan():
    description = {"rules": "r", "digest": "d", "players": ["a:1", "b:2"], "clocks": [5, 1], "seed": 3}
    row = MatchRow(
        *(2, "r", "d", ("x", "o"), ("b:2", "a:1"), 5.0, 1.0, derive(3, 2), "id", (100, 0), "over", 0, (), (0.0, 0.0)),
        *(({}, {}), 0.0, "v"),
    )
    misfit = PlannedMatches(description).misfit
    assert misfit(row.record()) is None
    assert misfit(replace(row, players=("a:1", "b:2")).record()) == "column players differs from the plan"
    assert misfit(replace(row, seed=1).record()) == "column seed differs from the plan"
    assert MATCH_TABLE.is_valid(row.record())


def test_games_of_kilothon_are_compared_with_the_plan_and_salvaged(tmp_path):
    plan = plan_kilothon(["uct"], sources=["native"], games=["nim", "tictactoe"], minute=1, seed=3)
    rows = [failed(spec, "it did not start") for spec in plan.specs()]
    store = Store(tmp_path / "run.db", plan.description(), KILOTHON_TABLE)
    store.add([row.record() for row in rows])
    store.close()
    spoil(tmp_path / "run.db", "UPDATE kilothon_games SET payoff = 1 WHERE number = 2")
    result = json.loads(ramify("report", tmp_path / "run.db", "--salvage", tmp_path / "new.db", "--json").stdout)
    assert (result["rows"], result["saved"], result["left_out"]) == ("kilothon_games", 1, {"2": NO_MATCH})
    with KilothonSession(plan, tmp_path / "new.db") as session:
        assert session.driver.done == 1
    misfit = KILOTHON_TABLE.misfit_of(plan.description())
    assert [misfit(row.record()) for row in rows] == [None, None]
    changes = {"game": "go", "agent": "x", "opponent": "x", "seat": 2, "minute": 2.0, "seed": 1}
    for column, value in changes.items():
        record = replace(rows[0], **{column: value}).record()
        assert misfit(record) == f"column {column} differs from the plan"
        assert plan.misfit(record) == "it is not part of the plan"


@pytest.mark.parametrize(("kind", "other"), [("REAL", "REAN"), ("INTEGER", "INTEGES"), ("TEXT", "TEXU")])
def test_a_column_of_another_type_is_damage(run, kind, other):
    """With such a column SQLite stores 1.0 as 1, and no row would ever match its digest again."""
    data = run.read_bytes()
    schema = data.index(b"CREATE TABLE games")
    place = data.rindex(f" {kind} NOT NULL".encode(), schema, data.index(b"PRIMARY KEY", schema))
    run.write_bytes(data[: place + 1] + other.encode() + data[place + 1 + len(other) :])
    for attempt in (lambda: Reader(run, GAME_TABLE), lambda: Store(run, DESCRIPTION, GAME_TABLE)):
        with pytest.raises(
            RamifyError, match=rf"is damaged \(the column \w+ of its games is not {kind}\); `ramify report"
        ):
            attempt()
