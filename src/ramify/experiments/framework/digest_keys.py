"""The text of a work in the digest of an experiment's points, by which a run on the disk is known again.

A class declares the names under which runs store it and its fields, in the order of its fields::

    stored_form = "PositionTrials(game, position, agent, best, budgets, separate)"

Stored names never change; the names in Python may. A class that declares nothing, such as a user's, is stored by its
names in Python; fields that it inherits keep their stored names.
"""

from __future__ import annotations

import inspect
import re
from dataclasses import fields, is_dataclass
from typing import Any

from ramify.old_names import stored_text

FORM = re.compile(r"(\w+)\(([\w, ]*)\)")


def digest_key(value: object) -> str:
    """A work, or a value in one of its fields, as runs store it; a part may write itself by ``digest_key()``."""
    kind = type(value)
    if hasattr(value, "digest_key"):
        return str(value.digest_key())
    if kind is str:
        return repr(stored_text(str(value)))
    if isinstance(value, tuple) and kind is tuple:
        parts = [digest_key(one) for one in value]
        return f"({parts[0]},)" if len(parts) == 1 else f"({', '.join(parts)})"
    printing: Any = next(one for one in kind.__mro__ if "__repr__" in vars(one))
    if _generated(printing):
        name, stored = _stored_names(kind)
        shown = [field.name for field in fields(printing) if field.repr]
        return f"{name}({', '.join(f'{stored.get(one, one)}={digest_key(getattr(value, one))}' for one in shown)})"
    return repr(value).replace("SideLimits(", "Limits(")  # their name in the runs of users' classes that print them


def _generated(kind: type) -> bool:
    """Whether a class prints its fields as ``dataclass`` has it, by a function made from a string."""
    function = inspect.unwrap(vars(kind)["__repr__"])
    return is_dataclass(kind) and inspect.isfunction(function) and function.__code__.co_filename == "<string>"


def _stored_names(kind: Any) -> tuple[str, dict[str, str]]:
    """The stored name of a class, and those of its fields by their names in Python, as far as they are declared."""
    name, names = kind.__qualname__, dict[str, str]()
    for one in reversed(kind.__mro__):
        if "stored_form" in vars(one):
            form = FORM.fullmatch(vars(one)["stored_form"])
            assert form is not None, one
            own = (field.name for field in fields(one))
            names |= zip(own, form[2].split(", "), strict=True)
            name = form[1] if one is kind else name
    return name, names
