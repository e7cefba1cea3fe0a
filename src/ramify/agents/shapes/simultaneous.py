"""Simultaneous shape: a node has one seat per player, whose children are that player's arms."""

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
    """A tree of seats, arms and joint children."""

    example = ("tron(rows=4, columns=4)", "uct")

    def __init__(self, game: Game, agent: Agent, selectors: Selectors, *, traced: bool) -> None:
        super().__init__(game, agent, selectors, traced=traced)
        from ramify.core.shapes.simultaneous import SIMULTANEOUS_BLOCK  # noqa: PLC0415

        self.column_count = int(selectors.squares and agent.deviation == CHILDREN)  # deviations
        self._searcher = 0  # the searching player
        self._codes, self._places = np.zeros(game.players, np.int64), np.zeros(game.players, np.int64)
        joint = game.max_children * (2 * game.players - 2) if game.players > 1 else 1
        self.max_new_nodes = (
            game.players * (1 + game.max_children) + 2 * joint
        )  # seats and arms, two rows of joint children
        self.block = np.zeros(1, SIMULTANEOUS_BLOCK)
        self.block["players"], self.block["max_new_nodes"] = game.players, self.max_new_nodes
        self.block["codes"], self.block["arm_of_player"] = address(self._codes), address(self._places)

    @classmethod
    def fits(cls, agent: Agent, game: Game) -> bool:
        del agent
        return game.has("play_joint")

    @classmethod
    def check_game(cls, agent: Agent, game: Game) -> None:
        """Raise for strategies that need the moves of a single player."""
        policies = (agent.select_root, agent.select)
        amaf = next((one for one in policies if one.policy.needs_amaf), None)
        classes = next((one for one in policies if one.policy.needs_classes), None)
        reader = next((one for one in policies if one.policy.columns), None)
        recommend = agent.recommend
        for found, what, reason in (
            (amaf, f"select={amaf.name if amaf else ''}", "AMAF needs moves of a single player"),
            (classes, f"select={classes.name if classes else ''}", "move classes belong to moves of a single player"),
            (reader, f"select={reader.name if reader else ''}", "the columns of a backup belong to joint moves"),
            (recommend.column, f"recommend={recommend.title()}", "the columns of a backup belong to joint moves"),
            (
                agent.allocation.inspects_root,
                f"allocation={agent.allocation.title()}",
                "it allocates among moves of a single player",
            ),
            (agent.prove, "prove=true", "scores are proven for the player to move"),
            (agent.transpositions != NONE, f"transpositions={agent.transpositions}", "it shares single players' moves"),
        ):
            if found:
                raise RamifyError(
                    f"{what} does not support simultaneous moves ({reason}), which {game.name} has:"
                    " remove it, or use simultaneous=turn_based"
                )

    def make_tree(self, columns: int) -> None:
        self.tree = JointArrays(columns, 2 * self.max_new_nodes)

    def compiled(self) -> Simultaneous:
        from ramify.core.shapes.simultaneous import Simultaneous  # noqa: PLC0415

        return Simultaneous(address(self.block))

    def set_addresses(self, memory: Memory, columns: int) -> None:
        del memory
        self.block["spread"] = columns if self.column_count else 0

    def write_episode(self, episode: npt.NDArray[Any], state: State, player: int | None) -> None:
        """Set the player who draws first: the searching player, else the player to move, else the first."""
        self._searcher = max(state.to_move, 0) if player is None else player
        episode["player"] = self._searcher

    def moves_at_root(self, player: int) -> slice:
        """Return the arms of a player's seat."""
        root = self.tree.nodes[ROOT]
        return self.tree.children(int(root["first"]) + player if root["mover"] == SIMULTANEOUS else ROOT)

    def draw_order(self, player: int) -> int:
        """Return the number of players that draw before ``player``: the searching player is first, then by number."""
        return (player - self._searcher) % self.game.players

    @property
    def plies_per_round(self) -> int:
        """1: all players move in every ply."""
        return 1


class JointArrays(Tree):
    """Tree arrays with seats and joint children. A ply of the path spans several levels of records."""

    def child(self, node: int, code: Code) -> int | None:
        """Return the child; at a simultaneous node ``code`` is a tuple with one move per player."""
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
        """Return the moves to children; at a simultaneous node, the joint moves that were visited."""
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
