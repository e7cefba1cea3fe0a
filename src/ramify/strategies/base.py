"""The kinds of strategies besides selection policies, and what each must be able to do.

A strategy is a frozen dataclass in a file of its kind's folder; its fields are the parameters a user may write, each
with a default. Numbers are 0 or more, unless the field's type says otherwise (``Annotated[float, Limits(...)]``). It
declares what it needs, and is refused with a sentence where that is missing. docs/strategies.md shows how to add one
of each kind.
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
    """What all kinds have in common."""

    role: ClassVar[str]  # the name of its folder, and of its parameter in ``mcts(...)``
    fallback: ClassVar[str]  # what every game can do
    needs: ClassVar[tuple[str, ...]] = ()  # optional parts of the game (``contract.parts``)
    needs_every_part: ClassVar[bool] = True  # else one of them is enough
    needs_simulations: ClassVar[bool] = False  # whether the number of simulations must be known beforehand

    def __init_subclass__(cls) -> None:
        adopt_old_members(cls, **old_member_names(cls))
        offer_old_members(cls)

    @classmethod
    def title(cls) -> str:
        """Its name in an agent's text: that of the class, in lower case with underscores."""
        return re.sub(r"(?<!^)(?=[A-Z])", "_", cls.__name__).lower()

    @property
    def batchable(self) -> bool:
        """Whether it goes with many simulations in flight at once (``core.shapes.batch``)."""
        return True

    def nested(self) -> Iterator[Strategy]:
        """This strategy and all those that are among its parameters."""
        yield self
        for name in getattr(self, "__dataclass_fields__", ()):
            inner = getattr(self, name)
            if isinstance(inner, Strategy):
                yield from inner.nested()


@dataclass(frozen=True)
class BoundStrategy:
    """A strategy fitted to a game: its kernel, and the block of memory that the kernel is handed."""

    kernel: Kernel
    block: npt.NDArray[Any] | None = None
    learning: PlayoutTables | None = None  # of a playout that learns
    evaluate: Kernel | None = None  # of a playout that is valued where its limit cuts it
    owned: tuple[Any, ...] = ()  # memory and machine code behind the block's addresses


class LearnedTable:
    """What a playout has learnt, and the kernel ``(block, line)`` that fills it (``core.playouts.move_sequence``)."""

    learn: Kernel
    block: npt.NDArray[Any]

    def __init_subclass__(cls) -> None:
        adopt_old_members(cls, **old_member_names(cls))
        offer_old_members(cls)

    @abstractmethod
    def clear(self) -> None:
        """Forget everything."""

    @abstractmethod
    def decay(self) -> None:
        """A move of the game was played."""

    @property
    @abstractmethod
    def nbytes(self) -> int:
        """How many bytes it takes."""


@dataclass(frozen=True)
class PlayoutTables:
    """The tables of a playout, and the blocks that must know what the search keeps beside its tree."""

    block: npt.NDArray[Any]  # blocks of ``core.playouts.context``
    context: npt.NDArray[Any]
    classes: int  # of moves
    tables: tuple[LearnedTable, ...]


@dataclass(frozen=True)
class BoundPlayoutPolicy:
    """How a playout chooses one move (``core.playouts.context``): functions, the same as a kernel, and their block."""

    policy: PlayoutPolicy
    kernel: Kernel
    block: npt.NDArray[Any] | None = None
    tables: tuple[LearnedTable, ...] = ()
    uses_history: bool = False  # whether it looks at the last two moves
    owned: tuple[Any, ...] = ()  # memory and machine code behind the block's addresses


class Playout(Strategy):
    """How a simulation goes on below the tree; after ``limit`` plies it is cut, and scores 1/2 for everybody."""

    role = "playout"
    fallback = "uniform"
    batchable = False  # unless it draws evenly, or chooses by the listed moves and those made before alone
    traces: ClassVar[bool] = False  # whether it can write down its moves, which all moves as first need
    limit: int

    @abstractmethod
    def bind(self, game: Game, *, traced: bool) -> BoundStrategy:
        """The kernel ``(rules, state, episode, block)`` that plays so; ``traced``: it also writes down its moves."""

    def bind_exact_length(self, game: Game, *, traced: bool) -> BoundStrategy:
        """The same where a reward depends on the plies: those up to the end of the game, which most return anyway."""
        return self.bind(game, traced=traced)

    def policy(self, game: Game) -> BoundPlayoutPolicy:
        """How it chooses a single move, for playouts around it."""
        del game
        raise RamifyError(
            f"playout={self.title()} plays on to the end and does not choose single moves, so it cannot stand within"
            " another one; use then=uniform"
        )


class Reward(Strategy):
    """What a finished simulation is worth to each player."""

    role = "reward"
    fallback = "score"
    batchable = False  # unless it asks for scores and plies alone, not for the position at the end
    needs_exact_length: ClassVar[bool] = False  # whether it depends on the plies of a playout
    warm_up: float = 0.0  # the share of a search at whose end `on_warm_up_end` is called; 0: never

    @abstractmethod
    def bind(self, game: Game) -> BoundStrategy | None:
        """The kernel ``(block, episode)`` that changes the scores, also of playouts that were cut; None: they stay."""

    def reset(self, block: npt.NDArray[Any]) -> None:
        """Forget what the block holds of an earlier search; called whenever the root moves."""
        del block

    def on_new_root(self, block: npt.NDArray[Any], state: State, *, same_game: bool) -> None:
        """The same for rewards that must know the new root, and whether it is a later position of the same game."""
        del state, same_game
        self.reset(block)

    def on_warm_up_end(self, block: npt.NDArray[Any]) -> None:
        """Called once a search, as soon as the share ``warm_up`` of its budget is spent."""
        del block


@dataclass(frozen=True)
class BoundBackup:
    """A backup fitted to a game: its block, and kernels that are handed it.

    The address of each column that the backup keeps is written to the block's field of that name, an integer.
    """

    block: npt.NDArray[Any]
    on_simulation: Kernel | None = None  # (block, episode) -> status, for every finished simulation
    on_expand: Kernel | None = None  # (block, episode, first, count), for the new children of a node
    owned: tuple[Any, ...] = ()  # memory and machine code behind the block's addresses


class Backup(Strategy):
    """How the value of a node follows from the simulations below it, and what else is kept beside every node.

    The loop adds each reward to the nodes of its path before it calls ``on_simulation``, which may replace these sums:
    policies take ``total / visits`` for the value of a node. Columns are one number per node, 0 in a new one; they move
    with the nodes. A policy may ask for a column by ``column_`` and its name, a recommendation by its ``column``.
    """

    role = "backup"
    fallback = "mean"
    batchable = False  # simulations of a batch are backed up while others are on their way
    columns: tuple[str, ...] = ()
    replaces_means: ClassVar[bool] = True  # whether it changes the totals of nodes, not only its columns

    @abstractmethod
    def bind(self, game: Game) -> BoundBackup | None:
        """Its kernels; None where the means that the loop keeps are all that is wanted."""


class Recommendation(Strategy):
    """Which move to return when the search ends.

    It is given visits and estimated values of the root's children, values of children never visited being minus
    infinity, and a generator for ties.
    """

    role = "recommend"
    fallback = "robust"
    uses_average_strategy: ClassVar[bool] = False  # whether it is given the average strategy in place of visits
    column: ClassVar[str] = ""  # the backup's column that it is given in place of values; empty: values
    returns_most_visited: ClassVar[bool] = (
        False  # whether a child with more visits than any other is the one, whatever its value
    )

    @abstractmethod
    def choose(self, visits: Floats, values: Floats, rng: PythonGenerator) -> int:
        """The index of the child to return."""

    def settled(self, visits: Floats, values: Floats) -> bool:
        """Whether the search may end here."""
        del visits, values
        return True

    @property
    def extra_budget(self) -> float:
        """How many times its budget the search may go on while it is not settled."""
        return 0.0


def best(rng: PythonGenerator, *keys: Floats) -> int:
    """The index of the largest first key; ties are decided by the next key, in the end by an even draw."""
    among = np.arange(len(keys[0]))
    for key in keys:
        among = among[key[among] == key[among].max()]
    return int(among[rng.below(len(among))] if len(among) > 1 else among[0])


class Updates(Strategy):
    """What the moves of a simulation are credited with (``core.hooks.amaf``)."""

    role = "updates"
    fallback = "true_updates"
    weighted: bool  # whether an early move counts more
    target = ""  # the name of a move of the position searched that is credited in its own way

    @abstractmethod
    def write_fields(self, block: npt.NDArray[Any]) -> None:
        """Write the fields of an AMAF record that say so."""


class Spent(NamedTuple):
    """What a run of a search has spent so far."""

    simulations: int
    seconds: float
    calls: int


class HalvingSpec(NamedTuple):
    """How a budget is halved in every node of the tree (``core.shapes.shot``)."""

    limit: int = 0  # a node that is given no more spends it as the selection policy says
    carries_over: bool = False  # whether children that had more before get less, as in Cazenave's SHOT


class HalvingProgress(NamedTuple):
    """How far the halving of the root has come."""

    round: int  # 0 before the first; above `rounds` after the last
    rounds: int
    left: int  # children still in; they stand first


class Root(Protocol):
    """What an allocation sees of a search between two rounds: the children of the root that are still live."""

    @property
    def visits(self) -> Floats:
        """How often each was tried."""

    @property
    def values(self) -> Floats:
        """The mean reward of each; minus infinity where it was never tried."""

    @property
    def priors(self) -> Floats:
        """The prior of each, if the allocation ``uses_priors``: they are the game's, or even."""

    @property
    def spent(self) -> Spent:
        """What this run has spent so far."""

    def uniform(self) -> float:
        """A number from 0 to 1, below 1, by the search's own generator."""

    @property
    def halving_progress(self) -> HalvingProgress:
        """How far the last run came, if the allocation halves in every node."""

    def expand(self) -> None:
        """Give the root its children, which it otherwise gets with the first simulation."""

    def keep(self, order: npt.NDArray[np.int64]) -> None:
        """Go on with these children only, given by their place, the first one first; the others are hidden."""

    def add_note(self, note: str) -> None:
        """What the report tells about how the budget was spent; the last note counts."""


class Allocation(Strategy):
    """How a budget is spent at the root, in rounds."""

    role = "allocation"
    fallback = "by_policy"
    chooses_move: ClassVar[bool] = False  # whether the move to return is the first child that it leaves live
    uses_priors: ClassVar[bool] = False  # whether the root's children must be given priors
    inspects_root: ClassVar[bool] = True  # whether it looks at the root, or changes it, between two rounds
    required_roles: ClassVar[tuple[str, ...]] = ()  # roles in which it cannot do with other strategies than it brings

    @property
    def batchable(self) -> bool:
        """Unless it halves in every node, or asks for priors, which are found one position at a time."""
        return self.tree_halving() is None and not self.uses_priors

    def default_strategies(self) -> Mapping[str, Call]:
        """By role (``select``, ``reward``, ...), strategies that go with it where an agent's text names none."""
        return {}

    def tree_halving(self) -> HalvingSpec | None:
        """How a run halves its simulations in every node of the tree; None: it runs the sequential loop."""
        return None

    @abstractmethod
    def spend(self, budget: Any, run: Callable[[Any], str], root: Root) -> str:
        """Spend a ``Budget`` by calls of ``run``, each with a part of it; what the last one said stopped it."""


class Timing(Strategy):
    """How a side divides the time on its clock among its moves.

    ``left`` is what may be used of the clock, without the margin that is kept back. Whatever a timing says, no move
    gets more than a fifth of it (``agents.budgets.move_time``), unless it is ``exact``.
    """

    role = "timing"
    fallback = "share"
    uncapped: ClassVar[bool] = False  # whether a move has what it says while there is so much, and then nothing
    inspects_search: ClassVar[bool] = False  # whether it looks at the running search once half of the seconds are spent

    @abstractmethod
    def seconds(self, left: float, increment: float) -> float:
        """Seconds of a move, to begin with."""

    def extended_seconds(self, seconds: float, left: float, increment: float, moves_left: float) -> float:
        """Seconds of the move in all, once half of ``seconds`` are spent.

        ``moves_left`` is how many moves the side has still to make, this one included, by the playouts so far.
        """
        del left, increment, moves_left
        return seconds

    def scaled(self, factor: float) -> Self:
        """The same for a game that has so many times the time: its constants that are seconds are multiplied."""
        del factor
        return self


offer_old_members(Strategy)
offer_old_members(LearnedTable)

STRATEGY_CLASSES: dict[str, type[Strategy]] = {
    one.role: one for one in (Playout, Reward, Recommendation, Updates, Allocation, Timing, Backup)
}


__getattr__ = old_attributes(__name__)
