"""Bad calls of the Python API: each raises a RamifyError of one sentence."""

import math
from pathlib import Path

import pytest

import ramify

LINES = (Path(__file__).parent / "bad_calls.txt").read_text(encoding="utf-8").splitlines()
CALLS = [tuple(line.split("  =>  ")) for line in LINES if not line.startswith("#")]
GAME = ramify.load("tictactoe")


def nested(depth, key="name"):
    """A table of an agent in tables."""
    table = {key: "score"}
    for _ in range(depth):
        table = {key: "chain", "first": table}
    return table


def list_in_lists(depth):
    made = []
    for _ in range(depth):
        made = [made]
    return made


NAMES = {
    "ramify": ramify,
    "math": math,
    "Path": Path,
    "game": GAME,
    "start": GAME.initial(),
    "nested": nested,
    "list_in_lists": list_in_lists,
    "over": GAME.position("xxx/oo./..."),
}


@pytest.mark.parametrize(("call", "sentence"), CALLS, ids=[call for call, _ in CALLS])
def test_bad_call(call, sentence):
    with pytest.raises(ramify.RamifyError) as caught:
        eval(call, NAMES)
    assert sentence in str(caught.value)
    assert "\n" not in str(caught.value)
