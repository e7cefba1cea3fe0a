"""Tournaments from TOML files.

::

    games = ["connect4", "breakthrough"]
    form = "gauntlet"          # or "round-robin"
    games_each = 200
    simulations = 1000         # or seconds, calls, clock; for agents without their own budget
    seed = 1

    [agents]
    plain = "uct(c=0.7)"
    wide = { name = "uct", c = 1.4, simulations = 500 }
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ramify.errors import RamifyError, os_error_text, suggestion
from ramify.grammar import MAX_DIGITS, checked_integer
from ramify.paths import read_text

NUMBERS = ("games_each", "simulations", "seconds", "calls", "opening_plies", "seed")
TEXTS = ("form", "openings", "run", "on_time")
KEYS = ("games", "agents", "clock", *NUMBERS, *TEXTS)


def read_tournament(path: str | Path) -> dict[str, Any]:
    """Read the arguments of ``tournament``. Paths are relative to the file's folder."""
    try:
        table = tomllib.loads(read_text(path))
    except (OSError, UnicodeDecodeError) as error:
        raise RamifyError(f"cannot read {path}: {os_error_text(error)}") from None
    except RecursionError:
        raise RamifyError(f"{path} has too many nested brackets") from None
    except tomllib.TOMLDecodeError as error:
        raise RamifyError(f"{path} is not TOML: {error}") from None
    except ValueError:  # of int(), above 4,300 digits
        raise RamifyError(f"{path} has a number of too many digits: use at most {MAX_DIGITS}") from None
    for key, value in table.items():
        _check(path, key, value)
    for key in ("openings", "run"):
        if key in table:
            table[key] = str(Path(path).parent / table[key])
    return table


def _check(path: str | Path, key: str, value: Any) -> None:
    if key not in KEYS:
        raise RamifyError(f"unknown key '{key}' in {path}: {suggestion(key, KEYS)}")
    if key in NUMBERS and (isinstance(value, bool) or not isinstance(value, int | float)):
        raise RamifyError(f"'{key}' in {path} must be a number, not {value!r}")
    if isinstance(value, int):
        checked_integer(value)
    if key == "clock" and (isinstance(value, bool) or not isinstance(value, int | float | str)):
        raise RamifyError(f"'{key}' in {path} must be a number or a string like \"60+0.5\", not {value!r}")
    if key in TEXTS and not isinstance(value, str):
        raise RamifyError(f"'{key}' in {path} must be a string, not {value!r}")
    if key == "games" and not (isinstance(value, list) and all(isinstance(game, str) for game in value)):
        raise RamifyError(f"'games' in {path} must be a list of names, not {value!r}")
    if key == "agents" and not isinstance(value, list | Mapping):
        raise RamifyError(f"'agents' in {path} must be a list or a table, not {value!r}")
