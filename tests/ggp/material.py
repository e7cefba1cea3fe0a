"""Where public rulesheets are, which tests read and nobody copies; their tests are skipped where they are not.

The folder has ``rulesheets/``, ``unit/`` (rules that other projects test their readers with) and ``traces/`` (random
games by an independent engine). It is beside the checkout, or where RAMIFY_GDL says.
"""

import os
from pathlib import Path

import pytest

from ramify.ggp.rules import Rulesheet

FOLDER = Path(os.environ.get("RAMIFY_GDL") or Path(__file__).parents[3] / "shared" / "gdl")
SHEETS = Path(__file__).parent / "sheets"

needs_material = pytest.mark.skipif(
    not FOLDER.is_dir(), reason=f"no public rulesheets in {FOLDER}: set RAMIFY_GDL to their folder"
)


def sheet(name):
    """Rules of our own."""
    return Rulesheet.from_file(SHEETS / f"{name}.kif")


def public(name):
    """Rules from the folder."""
    return Rulesheet.from_file(FOLDER / "rulesheets" / f"{name}.kif")
