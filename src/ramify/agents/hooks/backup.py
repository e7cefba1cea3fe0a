"""The backup of a search: its kernels, and the columns that it keeps beside the tree."""

from __future__ import annotations

from ramify.agents.hooks.hook import Hook
from ramify.core.search.plan import Memory
from ramify.strategies.base import Backup, BoundBackup
from ramify.strategies.policy.selectors import Selectors


class BackupHook(Hook):
    """Calls a backup, and says where its columns are: to itself, and to policies that read them."""

    def __init__(self, backup: Backup, fitted: BoundBackup, choosers: Selectors) -> None:
        self.names, self.rows = backup.columns, len(backup.columns)
        self.on_expand, self.on_simulation = fitted.on_expand, fitted.on_simulation
        self.block = fitted.block
        self._fitted, self._choosers = fitted, choosers  # the first owns the memory behind the block

    def set_addresses(self, memory: Memory, columns: int) -> None:
        """One column after another."""
        addresses = {name: columns + 8 * memory.stride * k for k, name in enumerate(self.names)}
        for name, address in addresses.items():
            self.block[name] = address
        self._choosers.place_columns(addresses)
