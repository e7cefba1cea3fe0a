"""Base classes of all strategies except selection policies.

A strategy is a frozen dataclass in the folder of its role. Its fields are its parameters in an agent's text, each with
a default. Numbers must be 0 or more unless the field's type gives a range (``Annotated[float, ValueRange(...)]``). A
strategy declares what it needs; if that is missing, the search raises an error. docs/strategies.md shows how to add one
for each role.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar, NamedTuple, Protocol, Self

import numpy as np
import numpy.typing as npt

from ramify.contract.game import Game, State
from ramify.contract.python_rules import PythonGenerator
from ramify.core.kernels.compiling import Kernel
from ramify.core.playouts.context import PlayoutPolicy
from ramify.errors import RamifyError
from ramify.grammar import Call
from ramify.old_names import adopt_old_members, old_attributes
from ramify.strategies.constants import ValueRange
from ramify.strategies.old_members import offer_old_members, old_member_names

Floats = npt.NDArray[np.float64]
MAX_PLIES = 100_000
PlyLimit = Annotated[int, ValueRange(1, open=False)]


class Strategy(ABC):
    """Base class of the roles below."""

    role: ClassVar[str]  # name of its folder, and of its parameter in ``mcts(...)``
    fallback: ClassVar[str]  # the strategy that works for every game
    needs: ClassVar[tuple[str, ...]] = ()  # optional parts of the game (``contract.parts``)
    needs_every_part: ClassVar[bool] = True  # False: one of ``needs`` is enough
    needs_simulations: ClassVar[bool] = False  # whether the number of simulations must be known in advance

    def __init_subclass__(cls) -> None:
        adopt_old_members(cls, **old_member_names(cls))
        offer_old_members(cls)

    @classmethod
    def title(cls) -> str:
        """Return its name in an agent's text: the class name in snake case."""
        return re.sub(r"(?<!^)(?=[A-Z])", "_", cls.__name__).lower()

    @classmethod
    def is_users(cls) -> bool:
        """Whether it is written in a user's file, so that it may violate its contract."""
        return not cls.__module__.startswith("ramify.")

    @property
    def batchable(self) -> bool:
        """Whether it works with many simulations in flight (``core.shapes.batch``)."""
        return True

    def nested(self) -> Iterator[Strategy]:
        """Yield this strategy and all nested ones."""
        for _, one in self.named_nested(self.role):
            yield one

    def named_nested(self, name: str) -> Iterator[tuple[str, Strategy]]:
        """Yield this strategy and all nested ones, each with the parameter that it is the value of."""
        yield name, self
        for parameter in getattr(self, "__dataclass_fields__", ()):
            inner = getattr(self, parameter)
            if isinstance(inner, Strategy):
                yield from inner.named_nested(parameter)


@dataclass(frozen=True)
class BoundStrategy:
    """A strategy bound to a game: its kernel and the block passed to the kernel."""

    kernel: Kernel
    block: npt.NDArray[Any] | None = None
    learning: PlayoutTables | None = None  # for playouts that learn
    evaluate: Kernel | None = None  # evaluates positions in which the playout's limit cuts it
    owned: tuple[Any, ...] = ()  # keeps memory and machine code behind the block's addresses alive


class LearnedTable:
    """A table that a playout learns, and its kernel ``learn(block, line)`` (``core.playouts.move_sequence``)."""

    learn: Kernel
    block: npt.NDArray[Any]
    learns_result: bool = False  # whether it learns the game's scores, before the reward changes them

    def __init_subclass__(cls) -> None:
        adopt_old_members(cls, **old_member_names(cls))
        offer_old_members(cls)

    @abstractmethod
    def clear(self) -> None: ...

    @abstractmethod
    def decay(self) -> None:
        """Called when a move of the game has been played."""

    @property
    @abstractmethod
    def nbytes(self) -> int: ...


@dataclass(frozen=True)
class PlayoutTables:
    """The tables of a playout, and the blocks into which the search writes its addresses."""

    block: npt.NDArray[Any]  # ``core.playouts.context.PLAYOUT_BLOCK``
    context: npt.NDArray[Any]  # ``core.playouts.context.PLAYOUT_CONTEXT``
    classes: int  # number of move classes
    tables: tuple[LearnedTable, ...]


@dataclass(frozen=True)
class BoundPlayoutPolicy:
    """A playout policy (``core.playouts.context``) bound to a game: as functions, as a kernel, and its block."""

    policy: PlayoutPolicy
    kernel: Kernel
    block: npt.NDArray[Any] | None = None
    tables: tuple[LearnedTable, ...] = ()
    uses_history: bool = False  # whether it uses the last two moves
    owned: tuple[Any, ...] = ()  # keeps memory and machine code behind the block's addresses alive


class Playout(Strategy):
    """Continues a simulation below the tree. After ``limit`` plies it is cut and scores 1/2 for each player."""

    role = "playout"
    fallback = "uniform"
    batchable = False  # True if it only uses the listed moves and the moves played before
    traces: ClassVar[bool] = False  # whether it can record its moves, which RAVE needs
    limit: int

    @abstractmethod
    def bind(self, game: Game, *, traced: bool) -> BoundStrategy:
        """Return the playout kernel ``(rules, state, episode, block)``. ``traced``: it also records its moves."""

    def bind_exact_length(self, game: Game, *, traced: bool) -> BoundStrategy:
        """Return a playout kernel that returns the exact number of plies; by default ``bind`` is assumed to."""
        return self.bind(game, traced=traced)

    def policy(self, game: Game) -> BoundPlayoutPolicy:
        """Return the policy that chooses single moves, for playouts that contain this one."""
        del game
        raise RamifyError(
            f"playout={self.title()} plays whole games and does not choose single moves, so no other playout can"
            " contain it: use then=uniform"
        )


class Reward(Strategy):
    """Changes the scores of a finished simulation before they are backed up."""

    role = "reward"
    fallback = "score"
    batchable = False  # True if it only uses scores and plies, not the final position
    needs_exact_length: ClassVar[bool] = False  # whether it depends on the length of a playout
    warm_up: float = 0.0  # share of the budget after which `on_warm_up_end` is called; 0: never

    @abstractmethod
    def bind(self, game: Game) -> BoundStrategy | None:
        """Return the kernel ``(block, episode)`` that changes the scores, also of cut playouts. None: no change."""

    def reset(self, block: npt.NDArray[Any]) -> None:
        """Clear what the block holds from an earlier search. Called for every new root."""
        del block

    def on_new_root(self, block: npt.NDArray[Any], state: State, *, same_game: bool) -> None:
        """Override instead of ``reset`` to see the new root. ``same_game``: it is a later position of the same game."""
        del state, same_game
        self.reset(block)

    def on_warm_up_end(self, block: npt.NDArray[Any]) -> None:
        """Called once per search, as soon as the share ``warm_up`` of its budget is spent."""
        del block


@dataclass(frozen=True)
class BoundBackup:
    """A backup bound to a game: its block and the kernels that receive it.

    The address of each column is written to the block's field of the same name, an int64.
    """

    block: npt.NDArray[Any]
    on_simulation: Kernel | None = None  # (block, episode) -> status, after every simulation
    on_expand: Kernel | None = None  # (block, episode, first, count), for the new children of a node
    owned: tuple[Any, ...] = ()  # keeps memory and machine code behind the block's addresses alive


class Backup(Strategy):
    """Computes the value of a node from the simulations below it, and may keep columns: one number per node.

    The loop adds each reward to the nodes of its path and then calls ``on_simulation``, which may replace these sums:
    policies use ``total / visits`` as the value of a node. Columns are 0 in new nodes and are copied and reordered with
    the nodes. A policy reads the column x as ``column_x``; a recommendation names one in ``column``.
    """

    role = "backup"
    fallback = "mean"
    batchable = False  # simulations of a batch are backed up while others are in flight
    columns: tuple[str, ...] = ()
    replaces_means: ClassVar[bool] = True  # whether it changes the totals of nodes, not only its columns

    @abstractmethod
    def bind(self, game: Game) -> BoundBackup | None:
        """Return its kernels, or None if the means that the loop computes are enough."""


class Recommendation(Strategy):
    """Chooses the move to return when the search ends.

    It receives visits and estimated values of the root's children and a generator for ties. Children that were never
    visited have the value minus infinity.
    """

    role = "recommend"
    fallback = "robust"
    uses_average_strategy: ClassVar[bool] = False  # whether it receives the average strategy instead of visits
    column: ClassVar[str] = ""  # column of the backup that it receives instead of values; empty: values
    # Whether a child with more visits than any other is always returned, whatever its value.
    returns_most_visited: ClassVar[bool] = False

    @abstractmethod
    def choose(self, visits: Floats, values: Floats, rng: PythonGenerator) -> int:
        """Return the index of the child to play."""

    def settled(self, visits: Floats, values: Floats) -> bool:
        """Whether the search may end now."""
        del visits, values
        return True

    @property
    def extra_budget(self) -> float:
        """How far a search that is not settled may exceed its budget, as a multiple of it."""
        return 0.0


def best(rng: PythonGenerator, *keys: Floats) -> int:
    """Return the index of the largest first key. Ties are broken by the next key, and finally at random."""
    among = np.arange(len(keys[0]))
    for key in keys:
        among = among[key[among] == key[among].max()]
    return int(among[rng.below(len(among))] if len(among) > 1 else among[0])


class Updates(Strategy):
    """Decides what the moves of a simulation are credited with in RAVE's sums (``core.hooks.amaf``)."""

    role = "updates"
    fallback = "true_updates"
    weighted: bool  # whether early moves weigh more
    target = ""  # name of a root move that is credited differently

    @abstractmethod
    def write_fields(self, block: npt.NDArray[Any]) -> None:
        """Write its settings to the fields of an AMAF record."""


class Spent(NamedTuple):
    """What a search has spent so far."""

    simulations: int
    seconds: float
    calls: int


class HalvingSpec(NamedTuple):
    """How a budget is halved in every node of the tree (``core.shapes.shot``)."""

    limit: int = 0  # a node with at most this budget spends it by the selection policy
    carries_over: bool = False  # whether earlier visits of a child count against its budget, as in Cazenave's SHOT
    stop: int = 0  # the search ends after this many playouts, whatever its budget; 0: never
    warm_up: str = "halving"  # what measures the speed: a short search by halving, or nodes in an order


class HalvingProgress(NamedTuple):
    """Progress of the halving at the root."""

    round: int  # 0 before the first round, above `rounds` after the last
    rounds: int
    left: int  # children still in the race; they come first


class Root(Protocol):
    """The root as an allocation sees it between two rounds. Arrays have one entry per live child."""

    @property
    def visits(self) -> Floats: ...

    @property
    def values(self) -> Floats:
        """Mean reward of each child; minus infinity if it was never visited."""

    @property
    def priors(self) -> Floats:
        """Prior of each child, if the allocation ``uses_priors``: the game's, or uniform."""

    @property
    def spent(self) -> Spent:
        """What this search has spent so far."""

    def uniform(self) -> float:
        """Return a random number in [0, 1) from the search's generator."""

    @property
    def halving_progress(self) -> HalvingProgress:
        """Progress of the last run, if the allocation halves in every node."""

    def discover_next(self, order: str) -> None:
        """Let the next run give one playout to each new node, if the allocation halves in every node.

        ``order``: "depth_first" or "breadth_first", from the root.
        """

    def expand(self) -> None:
        """Expand the root now; otherwise the first simulation does."""

    def keep(self, order: npt.NDArray[np.int64]) -> None:
        """Keep these children live, in this order, given by their indices. The others are hidden from policies."""

    def add_note(self, note: str) -> None:
        """Describe in the report how the budget was spent. A later note replaces an earlier one."""


class Allocation(Strategy):
    """Spends a budget at the root, in rounds."""

    role = "allocation"
    fallback = "by_policy"
    chooses_move: ClassVar[bool] = False  # whether the first child that it leaves live is the move to return
    uses_priors: ClassVar[bool] = False  # whether the root's children need priors
    inspects_root: ClassVar[bool] = True  # whether it inspects or changes the root between rounds
    required_roles: ClassVar[tuple[str, ...]] = ()  # roles in which only its default strategies are allowed

    @property
    def batchable(self) -> bool:
        """Unless it halves in every node, or needs priors, which are computed one position at a time."""
        return self.tree_halving() is None and not self.uses_priors

    def default_strategies(self) -> Mapping[str, Call]:
        """Return, by role (``select``, ``reward``, ...), the strategies used unless the agent's text names others."""
        return {}

    def tree_halving(self) -> HalvingSpec | None:
        """Return how simulations are halved in every node of the tree; None: the search is sequential."""
        return None

    @abstractmethod
    def spend(self, budget: Any, run: Callable[[Any], str], root: Root) -> str:
        """Spend a ``Budget`` by calls of ``run``, each with a part of it. Return the last stop reason."""


class Timing(Strategy):
    """Divides the time on a player's clock among its moves.

    ``left`` is the usable time, without the safety margin. No move gets more than a fifth of it
    (``agents.budgets.move_time``), unless the timing is ``uncapped``.
    """

    role = "timing"
    fallback = "share"
    uncapped: ClassVar[bool] = False  # whether a move may use all the time that is left
    inspects_search: ClassVar[bool] = False  # whether ``extended_seconds`` is called after half of the seconds

    @abstractmethod
    def seconds(self, left: float, increment: float) -> float:
        """Return the seconds initially planned for a move."""

    def extended_seconds(self, seconds: float, left: float, increment: float, moves_left: float) -> float:
        """Return the total seconds for the move, once half of ``seconds`` is spent.

        ``moves_left``: the player's remaining moves including this one, estimated from the playouts so far.
        """
        del left, increment, moves_left
        return seconds

    def scaled(self, factor: float) -> Self:
        """Return this timing for a game with ``factor`` times the time: constants in seconds are multiplied."""
        del factor
        return self


offer_old_members(Strategy)
offer_old_members(LearnedTable)

STRATEGY_CLASSES: dict[str, type[Strategy]] = {
    one.role: one for one in (Playout, Reward, Recommendation, Updates, Allocation, Timing, Backup)
}


__getattr__ = old_attributes(__name__)
