"""Simultaneous moves: a node has a seat for every player, whose children are that player's arms."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from ramify.agents.shapes.graph import NONE
from ramify.agents.shapes.shape import Shape
from ramify.agents.shapes.tree_arrays import Tree
from ramify.contract.game import Code, Game, State
from ramify.core.kernels.pointers import address
from ramify.core.search.plan import Memory
from ramify.core.search.tree import ROOT, SIMULTANEOUS
from ramify.errors import RamifyError
from ramify.strategies.policy.selectors import Selectors

if TYPE_CHECKING:
    from ramify.agents.agent import Agent
    from ramify.core.shapes.simultaneous import Simultaneous

POOLED, CHILDREN = DEVIATIONS = ("pooled", "children")


class SimultaneousShape(Shape):
    """Seats, arms and joint children, with buffers for everybody's moves."""

    example = ("tron(rows=4, columns=4)", "uct")

    def __init__(self, game: Game, agent: Agent, choosers: Selectors, *, traced: bool) -> None:
        super().__init__(game, agent, choosers, traced=traced)
        from ramify.core.shapes.simultaneous import SIMULTANEOUS_BLOCK  # noqa: PLC0415

        self.rows = int(choosers.squares and agent.deviation == CHILDREN)  # the column of deviations
        self._searcher = 0
        self._codes, self._places = np.zeros(game.players, np.int64), np.zeros(game.players, np.int64)
        joint = game.max_children * (2 * game.players - 2) if game.players > 1 else 1
        self.added = game.players * (1 + game.max_children) + 2 * joint  # all seats with their arms, two joint rows
        self.block = np.zeros(1, SIMULTANEOUS_BLOCK)
        self.block["players"], self.block["max_new_nodes"] = game.players, self.added
        self.block["codes"], self.block["arm_of_player"] = address(self._codes), address(self._places)

    @classmethod
    def fits(cls, agent: Agent, game: Game) -> bool:
        """Where everybody moves at once in some position."""
        del agent
        return game.has("play_joint")

    @classmethod
    def check_game(cls, agent: Agent, game: Game) -> None:
        """Reject what does not work where the children of a node are moves of everybody."""
        policies = (agent.select_root, agent.select)
        amaf = next((one for one in policies if one.policy.needs_amaf), None)
        classes = next((one for one in policies if one.policy.needs_classes), None)
        reader = next((one for one in policies if one.policy.columns), None)
        recommend = agent.recommend
        for found, what, reason in (
            (amaf, f"select={amaf.name if amaf else ''}", "all moves as first are moves of one player"),
            (classes, f"select={classes.name if classes else ''}", "move classes are of the moves of one player"),
            (reader, f"select={reader.name if reader else ''}", "a backup keeps its columns for joint moves"),
            (recommend.column, f"recommend={recommend.title()}", "a backup keeps its columns for joint moves"),
            (
                agent.allocation.inspects_root,
                f"allocation={agent.allocation.title()}",
                "it divides the moves of one player",
            ),
            (agent.prove, "prove=true", "a score is proven for the player to move"),
            (agent.transpositions != NONE, f"transpositions={agent.transpositions}", "it shares moves of one player"),
        ):
            if found:
                raise RamifyError(
                    f"{what} is for games of turns, since {reason}, and in {game.name} everybody moves at once;"
                    " leave it out, or search with simultaneous=turn_based"
                )

    def make_tree(self, rows: int) -> None:
        """A tree with seats and joint children."""
        self.tree = JointArrays(rows, 2 * self.added)

    def compiled(self) -> Simultaneous:
        """Where the buffers are."""
        from ramify.core.shapes.simultaneous import Simultaneous  # noqa: PLC0415

        return Simultaneous(address(self.block))

    def set_addresses(self, memory: Memory, columns: int) -> None:
        """The column of deviations."""
        del memory
        self.block["spread"] = columns if self.rows else 0

    def write_episode(self, episode: npt.NDArray[Any], state: State, player: int | None) -> None:
        """The player who searches draws first; nobody in particular: the one to move, or the first."""
        self._searcher = max(state.to_move, 0) if player is None else player
        episode["player"] = self._searcher

    def moves_at_root(self, player: int) -> slice:
        """The arms of a player's seat."""
        root = self.tree.nodes[ROOT]
        return self.tree.children(int(root["first"]) + player if root["mover"] == SIMULTANEOUS else ROOT)

    def draws_after(self, player: int) -> int:
        """The one who searches draws first, then the others in their order."""
        return (player - self._searcher) % self.game.players

    @property
    def turns(self) -> int:
        """One: everybody moves in every ply."""
        return 1


class JointArrays(Tree):
    """A tree with seats and joint children, whose paths are shorter than the records below each other."""

    def child(self, node: int, code: Code) -> int | None:
        """Where everybody moves, ``code`` is a move of each."""
        if not isinstance(code, tuple):
            return super().child(node, code)
        if self.nodes["first"][node] < 0:
            return None
        from ramify.core.shapes.simultaneous import find_joint_child  # noqa: PLC0415

        seats = self.children(node)
        places = np.zeros(len(code), np.int64)
        for player, own in enumerate(code):
            arms = self.children(seats.start + player)
            at = np.flatnonzero(self.nodes["move"][arms] == own)
            if not len(at):
                return None
            places[player] = at[0]
        found = int(find_joint_child(address(self.nodes), node, address(places), len(code)))
        return found if found >= 0 else None

    def moves(self, node: int) -> Iterable[tuple[Code, int, int]]:
        """Where everybody moves, those joint ones that were met."""
        if self.nodes["mover"][node] != SIMULTANEOUS:
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
        from ramify.core.shapes.simultaneous import depth_of  # noqa: PLC0415

        size, _ = super()._copy(*arguments)
        depths, target = np.empty(size, np.int64), arguments[4]
        return size, int(depth_of(target, size, address(depths)))
