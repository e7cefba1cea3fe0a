"""docs/players.md shows the example as it is."""

import re

from ramify.players.engine import Engine
from ramify.players.engine_process import MAX_LINE_BYTES, MAX_OUTPUT_BYTES, QUIT_SECONDS
from tests.processes import ROOT

PAGE = (ROOT / "docs" / "players.md").read_text(encoding="utf-8")


def test_the_page_shows_the_example():
    source = (ROOT / "examples" / "external_player.py").read_text(encoding="utf-8")
    shown = next(block for block in re.findall(r"```py\n(.*?)```", PAGE, re.DOTALL) if "sys.stdin" in block)
    assert source.endswith(shown)


def test_the_page_has_the_numbers():
    for name in ("startup", "timeout", "grace"):
        assert f"| `{name}={Engine.defaults[name]:g}` |" in PAGE
    assert (MAX_LINE_BYTES, MAX_OUTPUT_BYTES, QUIT_SECONDS) == (64 << 10, 1 << 20, 0.5)
