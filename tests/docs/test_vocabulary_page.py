"""The page of words lists every old name that texts and commands may contain."""

from pathlib import Path

import pytest

from ramify.old_names import OPTIONS, PARAMETERS, STRATEGIES, VALUES

PAGE = (Path(__file__).parents[2] / "docs" / "vocabulary.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("table", [PARAMETERS, VALUES, STRATEGIES], ids=["parameters", "values", "strategies"])
def test_old_names_in_agent_texts(table):
    for new, old in table.items():
        assert f"| `{old}` | `{new}` |" in PAGE


def test_old_options():
    for command, options in OPTIONS.items():
        for old, new in options.items():
            assert f"| {f'`{command}`' if command else 'every command with a run'} | `{old}` | `{new}` |" in PAGE


def test_words_are_sorted():
    table = PAGE.partition("## Old names")[0].splitlines()
    words = [line.split("|")[1].strip() for line in table if line.startswith("| ") and "meaning" not in line]
    assert words == sorted(words)
    assert len(words) == len(set(words)) > 30
