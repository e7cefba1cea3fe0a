"""What a process keeps from job to job: loaded games and agents, searches with their memory.

A pool that outlives a sitting, or works in the user's own process, forgets it first: files may have changed meanwhile.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from functools import _lru_cache_wrapper

_forgetting: list[Callable[[], None]] = []


def clear_between_sessions(*cached: _lru_cache_wrapper[Any]) -> None:
    """Have ``clear_caches`` clear these functions' caches."""
    _forgetting.extend(one.cache_clear for one in cached)


def clear_caches() -> None:
    """Load everything anew when it is next needed."""
    for clear in _forgetting:
        clear()
