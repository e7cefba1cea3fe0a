"""The arrays of a search tree where everybody may move at once."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from ramify.agents.shapes.tree_arrays import Tree
from ramify.contract.game import Code
from ramify.core.kernels.pointers import address
from ramify.core.search.tree import EVERYBODY
from ramify.core.shapes.simultaneous import depth_of, find_child


class JointTree(Tree):
    """A tree with seats and joint children, whose paths are shorter than the records below each other."""

    def child(self, node: int, code: Code) -> int | None:
        """Where everybody moves, ``code`` is a move of each."""
        if not isinstance(code, tuple):
            return super().child(node, code)
        if self.nodes["first"][node] < 0:
            return None
        seats = self.children(node)
        places = np.zeros(len(code), np.int64)
        for player, own in enumerate(code):
            arms = self.children(seats.start + player)
            at = np.flatnonzero(self.nodes["move"][arms] == own)
            if not len(at):
                return None
            places[player] = at[0]
        found = int(find_child(address(self.nodes), node, address(places), len(code)))
        return found if found >= 0 else None

    def moves(self, node: int) -> Iterable[tuple[Code, int, int]]:
        """Where everybody moves, those joint ones that were met."""
        if self.nodes["mover"][node] != EVERYBODY:
            return super().moves(node)
        seats = self.children(node)
        arms = [self.nodes["move"][self.children(seat)].tolist() for seat in range(seats.start, seats.stop)]
        rows = [self.children(seats.start)]
        for _ in range(max(len(arms) - 1, 1)):
            rows = [self.children(at) for row in rows for at in range(row.start, row.stop)]
        found: list[tuple[Code, int, int]] = []
        for row in rows:
            for child in range(row.start, row.stop, len(arms)):
                if visits := int(self.nodes["visits"][child]):
                    places = self.nodes["move"][child : child + len(arms)].tolist()
                    found.append((tuple(own[place] for own, place in zip(arms, places, strict=True)), child, visits))
        return found

    def _copy(self, *arguments: int) -> tuple[int, int]:
        size, _ = super()._copy(*arguments)
        depths, target = np.empty(size, np.int64), arguments[4]
        return size, int(depth_of(target, size, address(depths)))
