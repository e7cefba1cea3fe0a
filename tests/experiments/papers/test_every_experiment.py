"""The experiments of the papers at their smallest scale, and what is known of them for certain."""

import html
import json
import re
from functools import cache, partial

import pytest

import ramify
from ramify.cli.main import app
from ramify.cli.reproduce import duration_text
from ramify.experiments.framework import published
from ramify.experiments.framework.experiment import SCALES
from ramify.experiments.framework.registry import experiments

# The figures of a group are run together; tests/experiments/papers/test_tom_2010.py has two of them alone.
ALONE = [name for name in experiments() if not name.startswith("sos-")]


@pytest.fixture(scope="module")
def runs(tmp_path_factory):
    """A folder, and an experiment at the scale smoke in it: run when it is first asked for."""
    folder = tmp_path_factory.mktemp("runs")
    return folder, cache(partial(ramify.reproduce, scale="smoke", out=folder, workers=0))


@pytest.mark.parametrize("name", list(experiments()))
def test_an_experiment_is_described(name):
    one = experiments()[name]
    assert one.id == name
    for scale in SCALES:
        assert one.setup.format(**one.scales[scale].sizes)
        assert one.scales[scale].seconds > 0
        assert one.points_of(scale)


@pytest.mark.parametrize("name", ALONE)
def test_smoke(name, runs):
    folder, run = runs
    result = run(name)
    assert result.complete
    assert result.findings.claims
    assert json.loads(json.dumps(result.to_dict()))["complete"]
    page = (folder / f"{name}-smoke.md").read_text(encoding="utf-8")
    assert all(claim.sentence.split("(")[0].strip()[:20] in page.replace("\\", "") for claim in result.findings.claims)
    assert "too few trials for verdicts" in page
    pictures = re.findall(r"\]\((.*\.png)\)", page)
    assert len(pictures) == len(result.findings.figures) > 0
    assert page.count("<details") == page.count("</details>") == len(result.findings.exhibits) + 1  # and the notes
    for picture in pictures:
        assert (folder / picture).read_bytes().startswith(b"\x89PNG")


def test_table_1_of_the_boxes(runs):
    """2 / 1998 with the constant of the program, 7 / 1993 with the printed one; 1000 / 1000 by halving."""
    result = runs[1]("boxes")
    rows = {(row[0], row[1]): row[2:] for row in result.findings.tables[0].rows}
    assert rows["ucb1", "the program's constants"] == ["2 / 1998", "2 / 1998"]
    assert rows["ucb1", "the printed constants"] == ["7 / 1993", "2 / 1998"]
    assert rows["sequential halving", "none"] == ["1000 / 1000", "1000 / 1000"]
    assert [claim.status for claim in result.findings.claims[:3]] == [
        "reproduced",
        "not reproduced",
        "reproduced",
    ]


def test_published_tables_are_shipped():
    assert published.tables() == [
        *(f"quality_table{k}" for k in range(1, 5)),
        "sh_figure4",
        *(f"sh_table{k}" for k in (1, 2, 3, 4, 6)),
        "st_table1",
        "tron_table1",
        "tron_table2",
    ]
    rows = {row["game"]: row for row in published.table("st_table1")}
    assert published.percentage(rows["breakthrough"]["1000"]) == pytest.approx((0.573, 0.524, 0.622))
    assert published.percentage(rows["breakthrough"]["10000"]) is None
    with pytest.raises(ramify.RamifyError, match="unknown published table 'st_table2': did you mean 'st_table1'"):
        published.table("st_table2")


def test_the_page(runs, tmp_path, capsys):
    folder, run = runs
    results = {name: run(name) for name in ALONE}
    page = tmp_path / "docs" / "reproductions.md"
    app(["reproduce", "--page", str(page), "--out", str(folder), "--scale", "smoke"], standalone_mode=False)
    text = page.read_text(encoding="utf-8")
    for name, result in results.items():
        assert f"\n### {name}: " in text
        assert all(f"<summary>{name}, {html.escape(one.title)}</summary>" in text for one in result.findings.exhibits)
        assert f"ramify reproduce {name} --scale smoke" in text
        assert f"Run on {result.day}" in text
    assert str(folder) not in text
    pictures = re.findall(r"\]\((.*\.png)\)", text)
    assert len(pictures) == sum(len(result.findings.figures) for result in results.values())
    for picture in pictures:
        assert picture.startswith("pictures/reproduce-")
        assert 0 < (page.parent / picture).stat().st_size < 100_000  # noise is dear; docs/pictures have less of it
    assert "kB" in capsys.readouterr().out
    with pytest.raises(ramify.RamifyError, match="no finished run of scale 'quick' in"):
        app(["reproduce", "--page", str(page), "--out", str(folder)], standalone_mode=False)


def test_the_list(capsys):
    app(["reproduce", "--list"], standalone_mode=False)
    text = capsys.readouterr().out
    app(["reproduce", "--list", "--json"], standalone_mode=False)
    told = json.loads(capsys.readouterr().out)
    assert [one["id"] for one in told] == list(experiments(parts=True))
    assert max(map(len, text.splitlines())) <= 80
    words = " ".join(text.split())
    assert all(one["id"] in words and one["paper"] in words for one in told)
    assert all(one["shows"] in words for one in told if one["whole"] is None)
    assert "(2 minutes; 20 minutes)" in words


def test_the_list_of_what_matches(capsys):
    app(["reproduce", "--list", "tom", "figure", "5.7"], standalone_mode=False)
    assert "sos-5.7" in capsys.readouterr().out
    with pytest.raises(ramify.RamifyError, match="no experiment matches 'mozart'"):
        app(["reproduce", "--list", "mozart"], standalone_mode=False)


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (3, "3 seconds"),
        (120, "2 minutes"),
        (3700, "62 minutes"),
        (10_440, "3 hours"),
        (150_000, "2 days"),
        (12_000_000, "5 months"),
        (4e8, "13 years"),
    ],
)
def test_durations_are_in_words(seconds, text):
    assert duration_text(seconds) == text


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ([], "name an experiment; run `ramify reproduce --list`"),
        (["boxs"], "did you mean 'boxes'"),
        (["boxes", "--scale", "smok"], "did you mean 'smoke'"),
        (["boxes", "--page", "x.md"], "remove the name"),
    ],
)
def test_mistakes_get_a_sentence(words, sentence, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(ramify.RamifyError, match=sentence):
        app(["reproduce", *words], standalone_mode=False)
    assert list(tmp_path.iterdir()) == []
