"""The page on allocations prints what it says, and knows every allocation."""

import contextlib
import io
import re
from pathlib import Path

from ramify.strategies.registry import strategies

PAGE = (Path(__file__).parents[2] / "docs" / "allocation.md").read_text(encoding="utf-8")


def test_the_worked_examples():
    printed = io.StringIO()
    space = {}
    with contextlib.redirect_stdout(printed):
        for block in re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL):
            exec(compile(block, "allocation.md", "exec"), space)
    assert [printed.getvalue()] == re.findall(r"```text\n(.*?)```", PAGE, re.DOTALL)


def test_every_allocation_is_in_the_table():
    table = PAGE[: PAGE.index("## Sequential halving")]
    assert [name for name in strategies("allocation") if f"| `{name}" not in table] == []
