"""Generated source: a file that shows its lines, also when no file can be written."""

import linecache
import traceback
from pathlib import Path

import pytest

from ramify.core.kernels import disk_cache, generated
from ramify.core.kernels.compile_errors import CompileError
from ramify.core.kernels.compiling import JIT

SOURCE = """
def {name}(number):
    if number < 0:
        raise ValueError("negative")
    return {answer}
"""


def made(name, answer="2 * number", file=__file__):
    return generated.compile_source(
        name, SOURCE.format(name=name, answer=answer), {"__name__": __name__}, generated.KernelOrigin(file, name, {})
    )


def lines_of(kernel):
    with pytest.raises(ValueError, match="negative") as caught:
        kernel(-1)
    return [(frame.filename, frame.line) for frame in traceback.extract_tb(caught.value.__traceback__)]


def test_the_source_stands_in_a_file():
    doubled = made("doubled_in_a_file")
    assert doubled(21) == 42
    file = disk_cache.folder_for(__file__) / "doubled_in_a_file.py"
    assert file.read_text() == SOURCE.format(name="doubled_in_a_file", answer="2 * number")
    assert lines_of(doubled)[-1] == (str(file), 'raise ValueError("negative")')


def test_a_damaged_file_is_written_again(tmp_path):
    for damaged in (b"", b"def other(): pass", b"\xff\xfe"):
        (tmp_path / "name.py").write_bytes(damaged)
        assert Path(generated.write_source("name", SOURCE, tmp_path)).read_text() == SOURCE
    assert [path.name for path in tmp_path.iterdir()] == ["name.py"]


def test_without_a_folder_to_write_to_the_source_is_remembered(tmp_path, monkeypatch):
    """Below a file no folder can be made."""
    (tmp_path / "file").write_text("")
    monkeypatch.setattr(generated, "folder_for", lambda file: tmp_path / "file" / "folder")
    monkeypatch.setattr(disk_cache, "_FOLDER", tmp_path / "file")
    doubled = made("doubled_in_memory")
    assert doubled(21) == 42
    assert lines_of(doubled)[-1] == ("<doubled_in_memory>", 'raise ValueError("negative")')
    assert linecache.getline("<doubled_in_memory>", 5).strip() == "return 2 * number"


@pytest.mark.skipif(not JIT, reason="nothing is compiled")
def test_what_does_not_compile_is_told():
    with pytest.raises(CompileError) as caught:
        made("wrong", "number.bit_count()")
    message = "wrong() in test_generated.py does not compile: int64 has no 'bit_count' in compiled code"
    assert str(caught.value) == message
