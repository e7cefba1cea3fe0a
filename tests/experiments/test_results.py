"""The rows in the repository: the code still gives them, and the page of reproductions counts what they say."""

import json
import math
from pathlib import Path

import pytest

from ramify.arena.reports.document import Table, as_markdown
from ramify.experiments.framework.packed_rows import packed_seed, read_packed
from ramify.experiments.framework.page import reproductions, verdict_blocks
from ramify.experiments.framework.plan import SECONDS, SUMS, ExperimentPlan
from ramify.experiments.framework.registry import experiment

ROOT = Path(__file__).parents[2]
RESULTS = ROOT / "results"
TIMED = ("kilothon", "time", "worth")  # experiments with clocks: their trials do not repeat
REPEATED = 1  # chunks of each file, the quickest ones


def packed_files():
    return sorted(RESULTS.glob("*.jsonl.xz"))


def identified(path):
    """The experiment and the scale of a file."""
    return path.name.removesuffix(".jsonl.xz").rsplit("-", 1)


def timeless(sums):
    return {name: value for name, value in json.loads(sums).items() if name != "seconds"}


def equal(one, other):
    """Whether two sums are equal; the last digits of real numbers may depend on the processor."""
    if isinstance(one, dict):
        return one.keys() == other.keys() and all(equal(one[name], other[name]) for name in one)
    if isinstance(one, list):
        return len(one) == len(other) and all(map(equal, one, other))
    return math.isclose(one, other, rel_tol=1e-9, abs_tol=1e-9)


@pytest.mark.compiled_only
@pytest.mark.parametrize("path", packed_files(), ids=lambda path: path.name)
def test_the_code_still_gives_these_rows(path):
    name, scale = identified(path)
    plan = ExperimentPlan.from_experiment(experiment(name), scale, packed_seed(path))
    rows = {row[0]: row for row in read_packed(path, plan)}
    assert rows
    chunks = sorted(
        (chunk for chunk in plan.chunks() if chunk.number in rows), key=lambda one: rows[one.number][SECONDS]
    )
    for chunk in chunks[: 0 if name in TIMED else REPEATED]:
        assert equal(timeless(chunk.run()[SUMS]), timeless(rows[chunk.number][SUMS])), chunk.point


@pytest.fixture(scope="module")
def found():
    return reproductions(ROOT / "out", "quick", pytest.fail, RESULTS)


def test_the_page_counts_what_the_rows_say(found):
    page = (ROOT / "docs" / "reproductions.md").read_text(encoding="utf-8")
    assert as_markdown(verdict_blocks(found)) in page


def test_the_page_of_the_programs_shows_what_the_rows_say(found):
    programs = next(one for one in found if one.experiment.id == "programs")
    effects = programs.findings.tables[0]
    page = (ROOT / "docs" / "programs.md").read_text(encoding="utf-8")
    assert as_markdown([Table(effects.headings, effects.rows, effects.texts)]) in page
