"""Recorded numbers: written, read and compared."""

import pytest

from ramify.bench.signature.recorded import differences, read, write
from ramify.errors import RamifyError

NUMBERS = {"games": {"go: uct, 100 simulations": 7, "hex: uct, 100 simulations": 8}, "uct": {"nim: uct, 9 calls": 9}}


def test_numbers_are_read_as_they_were_written_one_per_line(tmp_path):
    file = tmp_path / "numbers.json"
    write(NUMBERS, file)
    assert read(file) == NUMBERS
    assert '  "hex: uct, 100 simulations": 8\n' in file.read_text()


def test_whatever_differs_is_told():
    now = {"games": {"go: uct, 100 simulations": 7, "hex: uct, 100 simulations": 6, "pig: uct, 100 simulations": 1}}
    assert list(differences(NUMBERS, NUMBERS)) == []
    assert list(differences(NUMBERS, now)) == [
        "games: changed: hex: uct, 100 simulations",
        "games: new: pig: uct, 100 simulations",
    ]
    assert list(differences(NUMBERS, {"uct": {}, "more": {"a": 1}})) == ["uct: gone: nim: uct, 9 calls", "more: new: a"]


@pytest.mark.parametrize("text", ["", "[]", '{"uct": 66394551}'])
def test_another_file_is_refused(tmp_path, text):
    file = tmp_path / "numbers.json"
    file.write_text(text)
    with pytest.raises(RamifyError, match="is not a recorded signature"):
        read(file)


def test_files_that_cannot_be_read_or_written(tmp_path):
    with pytest.raises(RamifyError, match="cannot read"):
        read(tmp_path / "none.json")
    with pytest.raises(RamifyError, match="cannot write"):
        write(NUMBERS, tmp_path / "none" / "numbers.json")
