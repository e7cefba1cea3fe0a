"""Caches that a process keeps between jobs: loaded games and agents, searches with their memory.

A pool that outlives a session, or works in the user's process, clears them first, because files may have changed.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from functools import _lru_cache_wrapper

_cache_clears: list[Callable[[], None]] = []


def clear_between_sessions(*cached: _lru_cache_wrapper[Any]) -> None:
    """Register functions whose caches ``clear_caches`` clears."""
    _cache_clears.extend(one.cache_clear for one in cached)


def clear_caches() -> None:
    for clear in _cache_clears:
        clear()
