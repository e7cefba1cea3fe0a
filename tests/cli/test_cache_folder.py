"""A command whose cache folder is open to others: one note, and the same results."""

import json

import pytest

from tests import processes

MATCH = ("-m", "ramify", "match", "tictactoe", "uct", "uct(c=1)", "--games", "4", "--simulations", "20", "--seed", "1")


@pytest.mark.alone
@pytest.mark.parametrize("workers", ["0", "2"])
def test_one_note_and_clean_json(tmp_path, workers):
    """Workers use the same folder and do not repeat the note."""
    folder = tmp_path / "shared"
    folder.mkdir()
    folder.chmod(0o777)
    command = (*MATCH, "--workers", workers, "--json")
    out, err = processes.finish(processes.start(*command, NUMBA_CACHE_DIR=str(folder)))
    assert json.loads(out)["games"]
    note = f"note: the cache folder {folder / 'ramify'} is not used because others can write {folder}; using "
    assert err.count(note) == err.count("cache folder") == 1
    assert list(folder.iterdir()) == []
