"""Presets: named agents with parameters. They are defined in the folder ``presets``."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from ramify.agents import presets as folder
from ramify.grammar import Call, bind, format_value, parse
from ramify.strategies.registry import parse_word


@dataclass(frozen=True)
class Preset:
    """A name with parameters, and the template of its agent."""

    signature: str  # name and default parameters, e.g. "uct(c=0.7)"
    text: str  # template of the agent; "{c}" is replaced by the parameter c
    about: str  # one line, with the paper if there is one
    choices: Mapping[str, Mapping[str, str]] = field(default_factory=dict)  # parameter -> value -> replacement text
    family: str = ""  # shown in lists of names instead of this preset, e.g. "tron_*"

    @property
    def name(self) -> str:
        return parse(self.signature).name

    def expand(self, call: Call) -> Call:
        """Return the call of ``mcts`` for a call of this preset."""
        defaults = {str(key): value for key, value in parse(self.signature).arguments}
        given = bind(call, defaults, "agent")
        selected = {
            key: _fill_in(parse(_chosen_text(options, given[key], key)), given) for key, options in self.choices.items()
        }
        expanded: Call = _fill_in(parse(self.text), given | selected)
        return expanded


def _chosen_text(options: Mapping[str, str], value: Any, parameter: str) -> str:
    word = Call(format_value(value)) if isinstance(value, bool) else value
    return options[parse_word(tuple(options), word, parameter)]


def _fill_in(value: Any, parameters: Mapping[str, Any]) -> Any:
    """Replace placeholders by parameters."""
    if not isinstance(value, Call):
        return value
    if value.name.startswith("{"):
        return parameters[value.name.strip("{}")]
    return Call(value.name, tuple((key, _fill_in(inner, parameters)) for key, inner in value.arguments))


@cache
def presets() -> dict[str, Preset]:
    """Return all presets by name."""
    files = (
        importlib.import_module(f"{folder.__name__}.{info.name}") for info in pkgutil.iter_modules(folder.__path__)
    )
    return {preset.name: preset for file in files for preset in file.PRESETS}
