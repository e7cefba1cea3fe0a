"""Backups other than the mean: their kernels and their columns."""

from __future__ import annotations

from ramify.agents.hooks.hook import Hook
from ramify.core.search.plan import Memory
from ramify.strategies.base import Backup, BoundBackup
from ramify.strategies.policy.selectors import Selectors


class BackupHook(Hook):
    """Runs a backup, and passes the addresses of its columns to it and to the policies that read them."""

    def __init__(self, backup: Backup, bound: BoundBackup, selectors: Selectors) -> None:
        self.names, self.column_count = backup.columns, len(backup.columns)
        self.on_expand, self.on_simulation = bound.on_expand, bound.on_simulation
        self.block = bound.block
        self._bound, self._selectors = bound, selectors  # `bound` owns the memory behind the block

    def set_addresses(self, memory: Memory, columns: int) -> None:
        addresses = {name: columns + 8 * memory.stride * k for k, name in enumerate(self.names)}
        for name, address in addresses.items():
            self.block[name] = address
        self._selectors.place_columns(addresses)
