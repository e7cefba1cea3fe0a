"""What a user reads when a file holds another run."""

from pathlib import Path

import pytest

from ramify.errors import RamifyError
from ramify.runs.messages import RunMessages

MESSAGES = RunMessages(
    {"agents": ("agents are", lambda agents: " and ".join(one["agent"] for one in agents)), "seed": ("seed is", str)},
    mismatch_hint="use another file",
)
WANTED = {"agents": [{"label": "a", "agent": "uct"}], "seed": 1, "pairs": 5}


@pytest.mark.parametrize(
    ("stored", "sentence"),
    [
        ({"seed": 2}, "its seed is 2, not 1"),
        ({"seed": None}, "its seed is none, not 1"),
        ({"agents": [{"label": "a", "agent": "rave"}], "seed": 2}, "its agents are rave, not uct"),
        (
            {"agents": [{"label": "b", "agent": "uct"}]},  # only a label differs, which the phrase leaves out
            "its agents are [{'label': 'b', 'agent': 'uct'}], not [{'label': 'a', 'agent': 'uct'}]",
        ),
        ({"agents": [3]}, "its agents are [3], not uct"),  # as in a damaged file
    ],
)
def test_the_first_difference_is_named(stored, sentence):
    with pytest.raises(RamifyError) as caught:
        MESSAGES.check_descriptions(Path("run.db"), WANTED | stored, WANTED)
    assert str(caught.value) == f"run.db holds another run: {sentence}; use another file"


def test_keys_without_a_title_may_differ():
    MESSAGES.check_descriptions(Path("run.db"), WANTED | {"pairs": 2, "versions": "old"}, WANTED)
