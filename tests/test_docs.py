"""Every example in the README and the docs runs."""

import os
import re
import shlex
from pathlib import Path

import pytest

from ramify.cli.main import app

pytestmark = pytest.mark.alone  # matches start workers
ROOT = Path(__file__).parent.parent
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
BLOCK = re.compile(r"```(python|console)\n(.*?)```", re.DOTALL)

# Commands that ask a person, measure the machine or build the environment: other tests run them in their own way.
ELSEWHERE = (
    "make",
    "pip",
    "ramify play",
    "ramify gtp",
    "ramify ggp-player",
    "ramify bench",
    "ramify warm",
    "./mygame.py",
)


NEED_A_JAR = ("ludii.md",)


@pytest.fixture(autouse=True)
def _with_a_jar(request):
    """Skip pages of Ludii's games where there is no Ludii."""
    if request.getfixturevalue("page").name in NEED_A_JAR and not os.environ.get("RAMIFY_LUDII_JAR"):
        pytest.skip("RAMIFY_LUDII_JAR does not say where Ludii's jar is")


def blocks(page: Path, kind: str) -> list[str]:
    return [text for found, text in BLOCK.findall(page.read_text(encoding="utf-8")) if found == kind]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_python_examples(page, tmp_path, monkeypatch):
    monkeypatch.chdir(ROOT)
    names = {"__name__": "example"}  # blocks of a page follow each other
    for text in blocks(page, "python"):
        if ">>>" not in text:  # sessions are run by the page's own test
            exec(compile(text, str(page), "exec"), names)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_console_examples(page, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)  # a run that is left from another version must not be met again
    (tmp_path / "out").mkdir()
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    for text in blocks(page, "console"):
        for line in text.splitlines():
            if not line.startswith("$ ") or any(word in line for word in ELSEWHERE):
                continue
            words = shlex.split(line[2:], comments=True)
            assert words[0] == "ramify", line
            app(words[1:], standalone_mode=False)
            assert capsys.readouterr().out
