"""The experiment written on the page of experiments runs, and what the page shows is what comes out."""

import re

import ramify
from tests.processes import ROOT

PAGE = (ROOT / "docs" / "experiments.md").read_text(encoding="utf-8")


def source_of(page):
    """The file doubling.py."""
    found = re.findall(r"```python\n(.*?)```", page, re.DOTALL)
    return next(text for text in found if text.startswith("# doubling.py"))


def test_the_experiment_of_the_page(tmp_path):
    file = tmp_path / "doubling.py"
    file.write_text(source_of(PAGE), encoding="utf-8")
    result = ramify.reproduce(str(file), scale="smoke", out=tmp_path / "out", workers=0)
    assert [claim.status for claim in result.findings.claims] == ["holds", "holds"]
    assert (tmp_path / "out" / "doubling-smoke-shares.png").exists()


def test_the_verdicts_of_the_page():
    claims = ramify.reproduce("boxes", scale="smoke", workers=0).findings.claims[:3]
    shown = re.search(r"```text\n(reproduced - .*?)```", PAGE, re.DOTALL)[1]
    assert "".join(f"{claim.status} - {claim.source.says} - {claim.sentence}\n" for claim in claims) == shown


def test_pictures_are_small():
    for picture in (ROOT / "docs" / "pictures").glob("reproduce-*.png"):
        assert picture.stat().st_size < 60_000, picture.name
