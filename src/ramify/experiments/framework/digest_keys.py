"""Texts of works for the digest of an experiment's points, by which a stored run recognizes its experiment.

A class declares the names under which runs store it and its fields, in the order of its fields::

    stored_form = "PositionTrials(game, position, agent, best, budgets, separate)"

Stored names never change; Python names may. A class without a declaration, such as a user's, is stored by its Python
names; inherited fields keep their stored names.
"""

from __future__ import annotations

import inspect
import re
from dataclasses import fields, is_dataclass
from typing import Any

from ramify.old_names import stored_text

FORM = re.compile(r"(\w+)\(([\w, ]*)\)")


def digest_key(value: object) -> str:
    """Return the stored text of a work or of a value in one of its fields.

    An object with a method ``digest_key()`` is stored by what that returns.
    """
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
    return repr(value).replace("SideLimits(", "Limits(")  # the name in stored runs of users' classes that print limits


def _generated(kind: type) -> bool:
    """Whether ``dataclass`` generated the class's ``__repr__``: such functions are compiled from a string."""
    function = inspect.unwrap(vars(kind)["__repr__"])
    return is_dataclass(kind) and inspect.isfunction(function) and function.__code__.co_filename == "<string>"


def _stored_names(kind: Any) -> tuple[str, dict[str, str]]:
    """Return the stored name of a class, and declared stored names of fields by their Python names."""
    name, names = kind.__qualname__, dict[str, str]()
    for one in reversed(kind.__mro__):
        if "stored_form" in vars(one):
            form = FORM.fullmatch(vars(one)["stored_form"])
            assert form is not None, one
            own = (field.name for field in fields(one))
            names |= zip(own, form[2].split(", "), strict=True)
            name = form[1] if one is kind else name
    return name, names
