"""What a published cell shows, and what must come out for it."""

import pytest

from ramify.experiments.framework.claims import judge
from ramify.experiments.framework.estimates import share
from ramify.experiments.framework.published import percentage
from ramify.experiments.framework.published_cells import ALIKE, BETTER, UNCLEAR, WORSE, cell_test, shows


@pytest.mark.parametrize(
    ("cell", "shown"),
    [
        ("55.7±1.4", BETTER),
        ("59±9", UNCLEAR),
        ("59±8.9", BETTER),
        ("50±9", ALIKE),
        ("47±9", ALIKE),
        ("44.9±9", UNCLEAR),
        ("50.3±1.4", ALIKE),
        ("51.4±1.4", ALIKE),
        ("38±9", WORSE),
    ],
)
def test_shows(cell, shown):
    assert shows(percentage(cell)) == shown


@pytest.mark.parametrize(
    ("cell", "wins", "games", "holds"),
    [
        ("50±9", 5000, 10_000, True),
        ("50±9", 5300, 10_000, True),
        ("50±9", 50, 100, None),  # as wide as the paper's own
        ("50±9", 5800, 10_000, False),  # inside the paper's interval, but no equivalence
        ("50.3±1.4", 5300, 10_000, False),  # the margin is the paper's, which is narrower
        ("50.3±1.4", 50_100, 100_000, True),
        ("64±9", 5600, 10_000, True),
        ("64±9", 4950, 10_000, None),
    ],
)
def test_no_clear_difference_is_tested_as_equivalence(cell, wins, games, holds):
    test, _ = cell_test(percentage(cell), share(wins, games))
    assert judge(test).holds is holds


def test_the_sentence_has_the_margin():
    assert cell_test(percentage("50±9"), share(5, 10))[1] == "no clear difference, a score within 5 points of 50 %"
    assert cell_test(percentage("50.3±1.4"), share(5, 10))[1].endswith("within 1.4 points of 50 %")
    assert cell_test(percentage("38±9"), share(5, 10), "UCT")[1] == "weaker than UCT"


def test_an_unclear_cell_has_no_test():
    with pytest.raises(ValueError, match=r"59\.0 ± 9\.0 % shows nothing to test"):
        cell_test(percentage("59±9"), share(483, 1000))
