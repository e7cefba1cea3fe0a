"""Files with a checksum: what is not exactly what was written counts as missing."""

import pytest

from ramify.core.kernels import checked_files

CONTENT = bytes(range(40))


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "folder" / "name"
    checked_files.write(path, "a purpose", CONTENT)
    return path


def test_what_was_written_is_read(file):
    assert checked_files.read(file, "a purpose") == CONTENT
    assert [path.name for path in file.parent.iterdir()] == ["name"]


def test_a_file_without_content_has_a_checksum_too(file):
    checked_files.write(file, "a purpose", b"")
    assert checked_files.read(file, "a purpose") == b""
    file.write_bytes(b"")
    assert checked_files.read(file, "a purpose") is None


def test_every_flipped_bit_is_found(file):
    whole = file.read_bytes()
    for place in range(8 * len(whole)):
        damaged = bytearray(whole)
        damaged[place // 8] ^= 1 << place % 8
        file.write_bytes(damaged)
        assert checked_files.read(file, "a purpose") is None, place


def test_every_truncated_file_is_found(file):
    whole = file.read_bytes()
    for size in range(len(whole)):
        file.write_bytes(whole[:size])
        assert checked_files.read(file, "a purpose") is None, size
    file.write_bytes(whole + b"\0")
    assert checked_files.read(file, "a purpose") is None


def test_a_file_for_another_purpose_is_found(file):
    assert checked_files.read(file, "another purpose") is None
    moved = bytes([*CONTENT[1:]])
    assert checked_files.checksum("a", b"b" + moved) != checked_files.checksum("ab", moved)


def test_missing_and_unreadable_files(file):
    assert checked_files.read(file.parent, "a purpose") is None
    assert checked_files.read(file / "below", "a purpose") is None
    assert checked_files.read(file.with_name("missing"), "a purpose") is None


def test_a_failed_write_leaves_nothing(file):
    folder = file.parent
    (folder / "taken").mkdir()
    with pytest.raises(OSError, match="taken"):
        checked_files.write(folder / "taken", "a purpose", CONTENT)
    assert sorted(path.name for path in folder.iterdir()) == ["name", "taken"]
