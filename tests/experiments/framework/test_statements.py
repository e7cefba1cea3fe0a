"""The papers' statements: data that is read whole, and outcomes that count every statement once."""

import pytest

from ramify.errors import RamifyError
from ramify.experiments.framework import statements as module
from ramify.experiments.framework.claims import Claim, Source, Verdict
from ramify.experiments.framework.outcomes import count_outcomes, outcomes
from ramify.experiments.framework.statements import papers, statements

TEXT = """
paper = "Somebody 2001"
title = "Coins"
findings = "Coins fall."

[heads]
section = "2"
figure = "Figure 1"
says = "heads are more frequent"
kind = "effect"

[tails]
section = "2"
says = "tails are as frequent as edges"
kind = "null"
bounds = "chosen after looking"

[edges]
section = "3"
says = "edges never occur"
kind = "null"
untested = "not run: needs a thick coin"
"""


@pytest.fixture
def made_up(tmp_path, monkeypatch):
    """The statements of a paper in a folder of its own."""

    def write(text=TEXT):
        (tmp_path / "somebody_2001").mkdir(exist_ok=True)
        (tmp_path / "somebody_2001" / module.FILE).write_text(text, encoding="utf-8")
        monkeypatch.setattr(module, "PAPERS", tmp_path)
        statements.cache_clear()
        return statements("somebody_2001")

    yield write
    statements.cache_clear()


def test_statements_are_sources(made_up):
    read = made_up()
    assert read["heads"] == Source("Somebody 2001", "2", "heads are more frequent", "Figure 1", "effect", "heads")
    assert read["heads"].place == "Figure 1, section 2"
    assert read["tails"].bounds == "chosen after looking"
    assert list(read.sources) == ["heads", "tails", "edges"]
    assert papers() == ["somebody_2001"]


def test_mistakes_get_a_sentence(made_up):
    with pytest.raises(RamifyError, match="unknown statement 'head' of Somebody 2001: did you mean 'heads'"):
        made_up()["head"]
    with pytest.raises(RamifyError, match="no statements of 'somebody': did you mean 'somebody_2001'"):
        statements("somebody")
    with pytest.raises(RamifyError, match=r"'tails' in somebody_2001/statements\.toml has the kind 'nil'"):
        made_up(TEXT.replace('"null"\nbounds', '"nil"\nbounds'))


@pytest.mark.parametrize(
    ("verdicts", "outcome"),
    [
        ([], "undecided"),
        ([(True, "")], "reproduced"),
        ([(None, "")], "undecided"),
        ([(True, ""), (False, "another constant")], "reproduced"),
        ([(False, ""), (True, "another constant")], "not reproduced"),
        ([(True, "another constant")], "undecided"),
        ([(True, ""), (None, "")], "undecided"),
    ],
)
def test_a_statement_counts_once_by_its_main_reading(made_up, verdicts, outcome):
    read = made_up()
    claims = [Claim("more heads", read["heads"], Verdict(holds, ""), reading=reading) for holds, reading in verdicts]
    found = outcomes(read, claims)
    assert found == {"heads": outcome, "tails": "undecided", "edges": "not tested"}
    assert count_outcomes(read, found)[1] == ["nulls", "2", "0", "0", "1", "1"]


@pytest.mark.parametrize("folder", papers())
def test_every_statement_of_a_paper_is_complete(folder):
    read = statements(folder)
    assert read.paper
    assert read.title
    assert len({source.says for source in read.sources.values()}) == len(read.sources)
    for name, source in read.sources.items():
        assert source.says == source.says.strip().rstrip("."), name
        assert source.section
        assert not source.untested or source.untested.startswith(("not testable: ", "not run: ")), name
