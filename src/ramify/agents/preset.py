"""A preset is a name for an agent: text with places for its parameters. The folder ``presets`` has them all."""

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
    """A name with parameters, and the agent that it stands for."""

    signature: str  # the name and the defaults of its parameters, as in "uct(c=0.7)"
    text: str  # the agent; "{c}" stands for the parameter c
    about: str  # one line, with the paper if there is one
    choices: Mapping[str, Mapping[str, str]] = field(default_factory=dict)  # by parameter: its values, and their texts
    family: str = ""  # what lists of names show instead of this one, as in "tron_*"

    @property
    def name(self) -> str:
        """The name alone."""
        return parse(self.signature).name

    def expand(self, call: Call) -> Call:
        """The agent that a call of this name stands for."""
        defaults = {str(key): value for key, value in parse(self.signature).arguments}
        given = bind(call, defaults, "agent")
        selected = {
            key: _filled(parse(_selected(options, given[key], key)), given) for key, options in self.choices.items()
        }
        expanded: Call = _filled(parse(self.text), given | selected)
        return expanded


def _selected(options: Mapping[str, str], value: Any, parameter: str) -> str:
    word = Call(format_value(value)) if isinstance(value, bool) else value
    return options[parse_word(tuple(options), word, parameter)]


def _filled(value: Any, parameters: Mapping[str, Any]) -> Any:
    """The same call with parameters in their places."""
    if not isinstance(value, Call):
        return value
    if value.name.startswith("{"):
        return parameters[value.name.strip("{}")]
    return Call(value.name, tuple((key, _filled(inner, parameters)) for key, inner in value.arguments))


@cache
def presets() -> dict[str, Preset]:
    """Every preset by name."""
    files = (
        importlib.import_module(f"{folder.__name__}.{info.name}") for info in pkgutil.iter_modules(folder.__path__)
    )
    return {preset.name: preset for file in files for preset in file.PRESETS}
