"""What SQLite leaves out of a damaged log (FILE-wal) is noticed; what a kill leaves there is not called damage."""

import struct

import pytest

from ramify.runs.salvage.salvage import salvage
from ramify.runs.salvage.sqlite_pages import read_pages
from ramify.runs.salvage.write_ahead_log import FRAME_HEADER, HEADER, WriteAheadLog
from ramify.runs.session import Session
from ramify.runs.store import Reader
from tests.runs.test_run_file import rows_in, store_in
from tests.runs.test_session import SQUARES, Squares, here

SIZE = 4096
FRAME = FRAME_HEADER + SIZE
ROWS = [(number, number**2) for number in range(1, 9)]


def number_in(data, frame, field):
    """A field of the header of a frame; the frames are counted from 0."""
    return struct.unpack_from(">I", data, HEADER + frame * FRAME + 4 * field)[0]


def frames_in(data):
    return (len(data) - HEADER) // FRAME


@pytest.fixture
def killed(tmp_path):
    """A run whose driver was killed: eight rows in as many transactions, all in the log."""
    store = store_in(tmp_path / "first.db")
    for row in ROWS:
        store.add([row])
        store.flush()
    run = tmp_path / "run.db"
    run.write_bytes((tmp_path / "first.db").read_bytes())
    log_of(run).write_bytes(log_of(tmp_path / "first.db").read_bytes())
    store.close()
    (tmp_path / "first.db").unlink()
    return run


def log_of(run):
    return run.with_name(run.name + "-wal")


def flip(run, place):
    data = bytearray(log_of(run).read_bytes())
    data[place] ^= 1
    log_of(run).write_bytes(data)


def read(run):
    with Reader(run, SQUARES) as reader:
        return list(reader.records()), reader.notes()


def test_an_undamaged_log_has_no_note(killed):
    assert frames_in(log_of(killed).read_bytes()) == len(ROWS)
    assert read(killed) == (ROWS, [])


@pytest.mark.parametrize("place", [0, 4, 8, 15, 16, 23, FRAME_HEADER, FRAME - 1])
@pytest.mark.parametrize("frame", [0, 4])
def test_a_flip_in_a_frame_is_noticed(killed, frame, place):
    flip(killed, HEADER + frame * FRAME + place)
    rows, notes = read(killed)
    assert rows == ROWS[:frame]
    assert notes == [
        (
            f"{8 - frame} frames of {killed}-wal are left out: frame {frame + 1} does not match its checksum;"
            " the run's own command computes their rows again"
        )
    ]


@pytest.mark.parametrize("place", [3, 7, 11, 15, 19, 23, 31])
def test_a_flip_in_the_header_is_noticed(killed, place):
    flip(killed, place)
    rows, notes = read(killed)
    assert not rows
    assert notes == [
        (
            f"8 frames of {killed}-wal are left out: the header does not match its checksum;"
            " the run's own command computes their rows again"
        )
    ]


@pytest.mark.parametrize("place", [0, 4, 16, 23, FRAME_HEADER, FRAME - 1])
def test_a_flip_in_the_last_frame_looks_like_a_kill(killed, place):
    flip(killed, HEADER + 7 * FRAME + place)
    rows, notes = read(killed)
    assert rows == ROWS[:7]
    assert notes == [
        (
            f"1 frame of {killed}-wal is left out: the last transaction is incomplete, as after a kill;"
            " the run's own command computes its rows again"
        )
    ]


def test_a_flip_in_the_salt_of_the_last_frame_does_not(killed):
    flip(killed, HEADER + 7 * FRAME + 8)
    assert "1 frame of" in read(killed)[1][0]
    assert "frame 8 does not match its checksum" in read(killed)[1][0]


def test_a_torn_write_has_no_note(killed):
    data = log_of(killed).read_bytes()
    for end in range(HEADER, len(data), 997):
        log_of(killed).write_bytes(data[:end])
        with Reader(killed, SQUARES) as reader:
            assert reader.numbers() == set(range(1, (end - HEADER) // FRAME + 1))
            assert not reader.notes()


def test_an_unfinished_transaction_has_no_note(killed):
    """SQLite writes such frames if a transaction is larger than its memory."""
    data = bytearray(log_of(killed).read_bytes())
    assert number_in(data, 7, 1)
    store = store_in(killed)
    store._connection.execute("PRAGMA cache_size = 1")
    store._connection.execute("PRAGMA cache_spill = 1")
    store._connection.execute("BEGIN IMMEDIATE")
    store._connection.executemany(
        SQUARES.insert, [(number, number, f"{number}" + "x" * 400) for number in range(100, 400)]
    )
    written = log_of(killed).read_bytes()
    assert frames_in(written) > 5
    assert not any(number_in(written, frame, 1) for frame in range(frames_in(written)))
    assert WriteAheadLog(killed, SIZE).left_out() is None
    store._connection.execute("ROLLBACK")
    store.add([(9, 81)])
    store.flush()  # over the first of these frames
    after = WriteAheadLog(killed, SIZE).left_out()
    assert after is None or not after.is_damage
    store.close()


def test_frames_of_an_older_log_have_no_note(tmp_path):
    run = tmp_path / "run.db"
    store = store_in(run)
    for row in ROWS[:6]:
        store.add([row])
        store.flush()
    store._connection.execute("PRAGMA wal_checkpoint(RESTART)")
    store.add(ROWS[6:])
    store.flush()
    data = log_of(run).read_bytes()
    assert frames_in(data) == 6
    assert number_in(data, 0, 2) != number_in(data, 1, 2)  # salts
    assert read(run) == (ROWS, [])
    # Killed between the header of a frame and its page.
    log_of(run).write_bytes(data[: HEADER + FRAME] + data[HEADER : HEADER + 24] + data[HEADER + FRAME + 24 :])
    found = WriteAheadLog(run, SIZE).left_out()
    assert (found.frames, found.is_damage) == (1, False)
    log_of(run).write_bytes(data)
    store.close()


def test_a_reader_of_a_live_run_has_no_note(tmp_path):
    store = store_in(tmp_path / "run.db")
    for row in ROWS:
        store.add([row])
        store.flush()
        assert read(tmp_path / "run.db")[1] == []
    store.close()


def test_the_next_session_says_it_once_and_computes_the_rows_again(tmp_path):
    run, copy = tmp_path / "run.db", tmp_path / "copy.db"
    with Session(Squares(6), run) as session:
        session.store.flush()
        for number in range(1, 5):
            session.store.add([(number, number**2)])
            session.store.flush()
        copy.write_bytes(run.read_bytes())
        log_of(copy).write_bytes(log_of(run).read_bytes())
    flip(copy, HEADER + FRAME + 100)
    with Session(Squares(6), copy) as session:
        assert len(session.notes) == 1
        assert "frame 2 does not match its checksum" in session.notes[0]
        assert session.driver.done == 1
        assert log_of(copy).stat().st_size == 0  # nothing that SQLite would append to
        session.run(here)
        assert session.store.notes() == []
    with Session(Squares(6), copy) as session:
        assert session.notes == []
    assert read(copy) == ([(number, number**2) for number in range(1, 7)], [])


def test_a_reader_does_not_delay_the_next_session(killed):
    flip(killed, HEADER + 4 * FRAME)
    with Reader(killed, SQUARES) as reader:
        rows = reader.records()
        assert next(rows) == ROWS[0]  # an open transaction
        store = store_in(killed, ROWS)
        assert list(rows) == ROWS[1:4]
        store.close()
    assert rows_in(killed) == ROWS


@pytest.mark.parametrize("place", [15, HEADER + 9, HEADER + 3 * FRAME + 3000])
def test_salvage_reads_behind_a_damaged_frame(killed, place):
    flip(killed, place)
    result = salvage(killed, killed.with_name("new.db"), [SQUARES])
    assert result.saved == len(ROWS)
    assert result.log.startswith(f"{killed}-wal: ")
    assert f"log       {result.log}; its rows" in str(result)
    assert "no damage found" not in str(result)
    assert rows_in(killed.with_name("new.db")) == ROWS


@pytest.mark.parametrize("byte", [0, 1, 2])
def test_salvage_skips_a_page_with_an_impossible_number(killed, byte):
    """A number with one flipped bit would need up to 8 TiB."""
    flip(killed, HEADER + 3 * FRAME + byte)
    pages = read_pages(killed)
    assert len(pages.pages) < 20
    assert salvage(killed, killed.with_name("new.db"), [SQUARES]).saved == len(ROWS)
