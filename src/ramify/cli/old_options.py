"""Old names on the command line: old options still work, and every old name is noted once on standard error."""

from __future__ import annotations

import re
import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from typer.core import TyperCommand

from ramify.old_names import OPTIONS

OLD_NAME = r"\S+ is now (called )?\S+$"  # the message of a warning about an old name


class Command(TyperCommand):
    """A command that also accepts the old names of its options; ``--help`` lists the new ones only."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Replace old options, then parse."""
        known = {option for parameter in self.params for option in parameter.opts}
        new_options = {**OPTIONS[""], **OPTIONS.get(self.name or "", {})}
        noted: set[str] = set()
        for place, word in enumerate(args):
            if word == "--":
                break
            old, equals, value = word.partition("=")
            new = new_options.get(old)
            if new in known:
                args = [*args[:place], f"{new}{equals}{value}", *args[place + 1 :]]
                if old not in noted:
                    noted.add(old)
                    print(f"note: {old} is now called {new}", file=sys.stderr)
        return super().parse_args(ctx, args)


@contextmanager
def old_name_notes() -> Iterator[None]:
    """Print each warning about an old name as one line on standard error: ``note: 'lanes' is now called ...``."""
    noted: set[str] = set()

    def show(message: Warning | str, category: type[Warning], *where: Any, **more: Any) -> None:
        text = str(message)
        if not (issubclass(category, DeprecationWarning) and re.match(OLD_NAME, text)):
            before(message, category, *where, **more)
        elif text not in noted:
            noted.add(text)
            print(f"note: {text}", file=sys.stderr)

    with warnings.catch_warnings():
        warnings.filterwarnings("always", message=OLD_NAME, category=DeprecationWarning)
        before, warnings.showwarning = warnings.showwarning, show
        yield
