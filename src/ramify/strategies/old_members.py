"""Old names of strategies' members: users' classes may define them, and may call those of built-in strategies."""

from __future__ import annotations

import inspect
from typing import Any

from ramify.old_names import MEMBERS, note


class OldMember:
    """Finds a member of ``owner`` by its old name. It never returns a subclass's member, so ``super().old()`` works."""

    def __init__(self, owner: type, old: str, new: str) -> None:
        self.owner, self.old, self.new = owner, old, new

    def __get__(self, instance: object | None, kind: type) -> Any:
        note(f"{kind.__name__}.{self.old}", self.new)
        member = vars(self.owner)[self.new]
        return member.__get__(instance, kind) if hasattr(type(member), "__get__") else member


def old_member_names(kind: type) -> dict[str, str]:
    """Return the new name of each old member that a strategy may have. A parameter may be called like an old member."""
    names = {old: new for base in kind.__mro__ for old, new in MEMBERS.get(base.__name__, {}).items()}
    fields = [name for name, hint in inspect.get_annotations(kind).items() if "ClassVar" not in str(hint)]
    return {old: new for old, new in names.items() if old not in fields}


def offer_old_members(kind: type) -> None:
    """Make the members that a class defines available by their old names."""
    for old, new in old_member_names(kind).items():
        if new in vars(kind) and old not in vars(kind):
            setattr(kind, old, OldMember(kind, old, new))
