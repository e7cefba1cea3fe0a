"""The statistics that a policy keeps, declared by the parameters of its learning functions, and their places in memory.

* a plain name is one number per arm;
* a name that ends in ``_each`` is one number per player and arm;
* a name annotated with ``Numbers[8]`` is an array of eight numbers per arm;
* a name that ends in ``_by_class`` is a table of one number per player and move class, for the whole search.

All but the last are columns beside the tree: they are cleared, copied and reordered with the nodes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Annotated, Any, NamedTuple, get_args, get_type_hints

from ramify.errors import RamifyError

EACH, BY_CLASS, OWN = "_each", "_by_class", "own_"
MAX_NUMBERS = 64  # per arm, in one array


@dataclass(frozen=True)
class Numbers:
    """``h: Numbers[8]`` declares an array of eight numbers per arm."""

    count: int

    def __class_getitem__(cls, count: int) -> Any:
        if isinstance(count, bool) or not isinstance(count, int) or not 1 <= count <= MAX_NUMBERS:
            raise RamifyError(f"invalid array Numbers[{count}]: use a whole number from 1 to {MAX_NUMBERS}")
        return Annotated[Any, cls(count)]


class Kept(NamedTuple):
    """One statistic: its first column, as source code, or the index of its table; and its numbers per arm."""

    place: str
    size: int = 0  # 0: not an array


def is_table(name: str) -> bool:
    """Whether a statistic is one number per player and move class."""
    return name.endswith(BY_CLASS)


def sizes_of(functions: Iterable[Callable[..., Any] | None]) -> dict[str, int]:
    """Return the arrays that these functions declare, with their sizes."""
    found: dict[str, int] = {}
    for function in filter(None, functions):
        for parameter, hint in _hints(function).items():
            count = next((part.count for part in get_args(hint) if isinstance(part, Numbers)), 0)
            name = parameter.removeprefix(OWN)
            if count and (name.endswith((EACH, BY_CLASS)) or found.setdefault(name, count) != count):
                raise RamifyError(
                    f"'{parameter}' of {function.__name__} cannot be Numbers[{count}]: an array has one size, and"
                    f" names that end in {EACH} or {BY_CLASS} have another shape"
                )
    return found


def _hints(function: Any) -> dict[str, Any]:
    try:
        return get_type_hints(function, include_extras=True)
    except (NameError, TypeError) as error:
        raise RamifyError(f"cannot read the annotations of '{function.__name__}': {error}") from None


def places(kept: tuple[str, ...], sizes: dict[str, int], *, average: str | None) -> dict[str, Kept]:
    """Return the place of each statistic: single numbers first, then arrays, those per player, and the average last."""
    single = [name for name in kept if not name.endswith((EACH, BY_CLASS)) and name not in sizes]
    each = [name for name in kept if name.endswith(EACH)]
    found = {name: Kept(f"offset + {k}") for k, name in enumerate(single)}
    first = len(single)
    for name in dict.fromkeys(kept):
        if name in sizes:
            found[name] = Kept(f"offset + {first}", sizes[name])
            first += sizes[name]
    found |= {name: Kept(f"offset + {first} + {k} * players") for k, name in enumerate(each)}
    found |= {name: Kept(str(k)) for k, name in enumerate(tables_of(kept))}
    return found | {average: Kept(f"offset + {first} + {len(each)} * players")} if average else found


def tables_of(kept: tuple[str, ...]) -> tuple[str, ...]:
    """Return the statistics that are tables by move class, in order."""
    return tuple(filter(is_table, dict.fromkeys(kept)))


def width(kept: tuple[str, ...], sizes: dict[str, int], players: int) -> int:
    """Return the number of columns that these statistics take."""
    numbers = [name for name in kept if name not in sizes and not is_table(name)]
    arrays = sum(count for name, count in sizes.items() if name in kept)
    return arrays + sum(players if name.endswith(EACH) else 1 for name in numbers)
