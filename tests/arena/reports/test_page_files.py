"""Pages replace pages of ours and their pictures, and nothing else."""

import pytest

from ramify.arena.reports.document import Heading, Paragraph, Picture
from ramify.arena.reports.page_files import page_with, write_markdown
from ramify.errors import RamifyError

OURS = b"\x89PNG Software\0Ramify"
IS_OURS = page_with("# Page: ", "written by the tests")


def page(*names, png=OURS):
    return [Heading("Page: one", 1), Paragraph("written by the tests"), *(Picture(name, png, "alt") for name in names)]


def written(folder):
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_a_page_and_its_pictures_are_replaced(tmp_path):
    paths = write_markdown(tmp_path / "page.md", page("a.png", "pictures/b.png"), IS_OURS)
    assert paths == [tmp_path / "page.md", tmp_path / "a.png", tmp_path / "pictures" / "b.png"]
    before = written(tmp_path)
    write_markdown(tmp_path / "page.md", page("c.png"), IS_OURS)
    write_markdown(tmp_path / "page.md", page("a.png", "pictures/b.png"), IS_OURS)  # no longer shown, but marked
    assert written(tmp_path) == before | {"c.png": OURS}


def test_pictures_of_older_versions_have_no_mark_but_their_page_shows_them(tmp_path):
    write_markdown(tmp_path / "page.md", page("a.png", png=b"old"), IS_OURS)
    write_markdown(tmp_path / "page.md", page("a.png"), IS_OURS)
    assert (tmp_path / "a.png").read_bytes() == OURS


@pytest.mark.parametrize("name", ["page.md", "b.png"])
def test_what_is_not_ours_is_kept_and_nothing_is_written(tmp_path, name):
    (tmp_path / name).write_text("# Page: mine")
    with pytest.raises(RamifyError, match=rf"{name} exists, and nothing in it says that Ramify wrote it: choose"):
        write_markdown(tmp_path / "page.md", page("a.png", "b.png"), IS_OURS)
    assert written(tmp_path) == {name: b"# Page: mine"}


def test_a_picture_that_cannot_be_written_leaves_no_draft(tmp_path, monkeypatch):
    def refuse(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("pathlib.Path.replace", refuse)
    with pytest.raises(OSError, match="No space left"):
        write_markdown(tmp_path / "page.md", page("a.png"), IS_OURS)
    assert not written(tmp_path)
