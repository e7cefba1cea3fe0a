"""From an author's plain functions to kernels that pick a child and learn.

A policy is one function whose parameters are the quantities it needs, by name, and then its constants with their
defaults. There are two forms; docs/policies.md describes both, and every quantity:

* a function that asks for something of one arm (``n``, ``m``, ``s``, ``P``) gives the *index* of that arm. The arm
  of highest index is taken; equal indices are decided by an even draw. Arms never visited have the index ``fpu``;
* any other function *chooses*: it looks at all arms (``means`` and the like are arrays) and gives the number of one,
  or, if it asks for ``indices``, an array, fills in the index of each.

Beside a policy ``name`` may stand ``name_update``, called for every node where the policy chose, and ``name_after``,
called once a simulation. Parameters of these that are neither quantities nor constants of the policy are statistics
to be kept, most of them for every arm (``kept``), zero at first; the policy itself may ask for them, too. A policy
that draws from a mixed strategy may also have ``name_average``, called before ``name_update`` where a mixed strategy is
to be recommended: it adds that strategy to ``average``, a statistic that is kept only then.
"""

from __future__ import annotations

import inspect
import re
import sys
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property, lru_cache, partial
from math import log, sqrt
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from ramify.contract.author_errors import explaining_errors
from ramify.core.kernels import generated, source_digest
from ramify.core.kernels.compiling import Kernel, jit
from ramify.core.kernels.pointers import array, record, records, table
from ramify.core.numbers.draws import argmax, unvisited
from ramify.core.numbers.logs import ln
from ramify.core.numbers.rng import below
from ramify.core.search.tree import NODE, NODE_BYTES
from ramify.core.vector.arm_loops import ArmLoop, four_at_a_time, one_at_a_time
from ramify.errors import BadChoiceError, RamifyError
from ramify.strategies.constants import Constant, constants_of
from ramify.strategies.policy import block_layout, kernel_source
from ramify.strategies.policy import kept as statistics

Floats = npt.NDArray[np.float64]
AVERAGE = "average"
CANDIDATES = "candidates"
LEARNING_FUNCTIONS = ("_update", "_after", f"_{AVERAGE}", f"_{CANDIDATES}")


@jit
def mean(total: float, n: float, otherwise: float) -> float:
    """Mean from a sum and a count; ``otherwise`` for an arm never visited."""
    m = total / max(n, 1.0)
    return m if n > 0.0 else otherwise


@jit
def deviation(squares: float, total: float, n: float) -> float:
    """Standard deviation from sums of squares and of rewards; rounding never makes it imaginary. 0 if never visited."""
    n = max(n, 1.0)
    m = total / n
    return sqrt(max(squares / n - m * m, 0.0))


class _Source(NamedTuple):
    """The source of a kernel."""

    name: str
    function: Callable[..., Any]  # the author's
    source: str
    names: dict[str, Any]  # beyond those that every kernel may use


@dataclass(frozen=True)
class Policy:
    """A selection policy: its functions and what they need."""

    name: str
    function: Callable[..., Any]
    update: Callable[..., Any] | None
    after: Callable[..., Any] | None
    average: Callable[..., Any] | None
    candidates: Callable[..., Any] | None  # how many of the children it considers, the first ones
    constants: tuple[Constant, ...]
    quantities: tuple[str, ...]
    kept: tuple[str, ...]
    sizes: tuple[tuple[str, int], ...]  # of what is kept, those that are arrays per arm
    file: str

    @property
    def returns_arm(self) -> bool:
        """Whether it looks at all arms, and chooses among them; otherwise it gives the index of one."""
        return not any(q in block_layout.ARM_QUANTITIES for q in self.quantities)

    @property
    def fills_indices(self) -> bool:
        """Whether it looks at all arms, and fills in their indices."""
        return self.returns_arm and "indices" in self.quantities

    @cached_property
    def requested(self) -> frozenset[str]:
        """Everything that any of its functions asks for."""
        hooks = [parameters(hook) for hook in (self.update, self.after, self.average) if hook]
        return frozenset(self.quantities).union(*hooks)

    @cached_property
    def columns(self) -> tuple[str, ...]:
        """The columns of a backup that it reads."""
        return tuple(q.removeprefix(block_layout.COLUMN) for q in self.quantities if q.startswith(block_layout.COLUMN))

    @property
    def needs_squares(self) -> bool:
        """Whether sums of squared rewards must be kept."""
        return not self.requested.isdisjoint(("s", "deviations"))

    @property
    def needs_priors(self) -> bool:
        """Whether children must be given priors."""
        return not self.requested.isdisjoint(("P", "priors"))

    @property
    def needs_raw(self) -> bool:
        """Whether the game's own scores must be kept where a reward changes them."""
        return "raw" in self.requested and "raw" not in self.kept

    @property
    def needs_met(self) -> bool:
        """Whether it asks what its arms are worth against the moves that the others made, where all move at once."""
        return not self.requested.isdisjoint(block_layout.JOINT_QUANTITIES)

    @property
    def needs_amaf(self) -> bool:
        """Whether it asks for sums over all moves as first."""
        return kernel_source.sees_amaf(self.quantities)

    @property
    def tables(self) -> tuple[str, ...]:
        """What it keeps by move class."""
        return statistics.tables_of(self.kept)

    @property
    def needs_classes(self) -> bool:
        """Whether it asks for the classes of moves, or keeps anything by them."""
        return bool(self.tables) or not self.requested.isdisjoint(block_layout.OF_CLASSES)

    @property
    def needs_made(self) -> bool:
        """Whether it asks for all moves of a simulation, those of the playout included."""
        return "moves_made" in self.requested

    @property
    def uses_ancestor_amaf(self) -> bool:
        """Whether these are an ancestor's: it then says, by its constant ``ref``, of which one."""
        return self.needs_amaf and any(constant.name == "ref" for constant in self.constants)

    @property
    def batchable(self) -> bool:
        """Whether it asks for visits and totals alone, so that it works with many simulations in flight."""
        more = (
            self.needs_squares
            or self.needs_priors
            or self.needs_raw
            or self.needs_amaf
            or self.candidates
            or self.needs_classes
        )
        return not (more or self.kept or self.update or self.after)

    def estimates(self, sums: dict[str, Floats], constants: dict[str, float]) -> Floats:
        """What it takes each arm to be worth: its index without the bonus, that is with c = 0.

        ``sums`` are n, t, S and R of the arms; an arm nothing is known of is worth minus infinity. Where the index
        needs more than these, it is the mean.
        """
        constants = constants | ({"c": 0.0} if "c" in constants else {})
        N = float(max(sums["n"].sum(), 1.0))
        of_node = {"N": N, "lnN": log(N), "K": float(len(sums["n"])), "fpu": 0.0}
        values = np.full(len(sums["n"]), -np.inf)
        if not {*sums, *of_node, "m"}.issuperset(self.quantities):
            visited = sums["n"] > 0
            values[visited] = sums["t"][visited] / sums["n"][visited]
            return values
        for k in np.flatnonzero(sums["n"] + sums["S"]):
            known = {q: float(column[k]) for q, column in sums.items()} | of_node
            known["m"] = known["t"] / max(known["n"], 1.0)
            with explaining_errors():
                values[k] = self.function(*(known[q] for q in self.quantities), **constants)
        return values

    def first_uniform(self, fpu: float) -> bool:
        """Whether its choice among arms that have never been visited is an even draw, and nothing else."""
        if any(constant.name == "fpu" for constant in self.constants) or "fpu" in self.quantities:
            return False
        if self.uses_ancestor_amaf or self.candidates:
            return False
        return (
            kernel_source.needs_all_visited(self.quantities)
            if self.returns_arm and not self.fills_indices
            else fpu >= block_layout.URGENT
        )

    def width(self, players: int) -> int:
        """How many numbers it keeps for each arm in a game of that many players."""
        return statistics.width(self.kept, dict(self.sizes), players) if self.kept else 0

    def needs(self) -> list[str]:
        """What it needs beyond visits and means, in words."""
        found = []
        if self.needs_squares:
            found.append("deviations")
        if self.needs_priors:
            found.append("priors")
        if self.needs_amaf:
            found.append("all moves as first")
        if self.needs_classes:
            found.append("move classes")
        if "rng" in self.requested:
            found.append("draws")
        if self.kept:
            found.append("own statistics of each arm")
        if "memory" in self.requested:
            found.append("own statistics of the search")
        return found

    def formula_and_source(self) -> tuple[str, str]:
        """What its docstring begins with: the formula between double backquotes, a colon, the source."""
        paragraph = " ".join((inspect.getdoc(self.function) or "").partition("\n\n")[0].split())
        formula, mark, rest = paragraph.removeprefix("``").partition("``")
        return (formula, rest.lstrip(": ").rstrip(".")) if mark else ("", paragraph)

    @cached_property
    def four_arm_loop(self) -> ArmLoop | None:
        """How to go over its arms four at a time; None if it is no formula."""
        kinds = kernel_source.parameter_kinds(
            self.quantities, tuple(constant.name for constant in self.constants), self._places()
        )
        return None if self.returns_arm else four_at_a_time(self.function, kinds)

    @cached_property
    def kernel(self) -> Kernel:
        """The compiled choice among children; see ``core.search.plan.Chooser``."""
        if self.four_arm_loop:
            with suppress(RamifyError):  # then the loop over arms will do, or has the better message
                return self._compile(self._index("select_four", self.four_arm_loop))
        return self._compile(self._select())

    @cached_property
    def update_kernel(self) -> Kernel | None:
        """The compiled ``update``; see ``core.hooks.policy_learning``."""
        return self._compile(self._learning_source("update", self.update)) if self.update else None

    @cached_property
    def after_kernel(self) -> Kernel | None:
        """The compiled ``after``; see ``core.hooks.policy_learning``."""
        return self._compile(self._learning_source("after", self.after)) if self.after else None

    @cached_property
    def average_kernel(self) -> Kernel | None:
        """The compiled ``average``; see ``core.hooks.policy_learning``."""
        return self._compile(self._learning_source(AVERAGE, self.average)) if self.average else None

    def sources(self) -> dict[str, str]:
        """The source of each of its kernels, by what it does."""
        found = {"select": self._index("select_four", self.four_arm_loop) if self.four_arm_loop else self._select()}
        for what, function in (("update", self.update), ("after", self.after)):
            if function:
                found[what] = self._learning_source(what, function)
        return {what: made.source for what, made in found.items()}

    def _select(self) -> _Source:
        if not self.returns_arm:
            return self._index("select", one_at_a_time())
        of_all = kernel_source.filling_source if self.fills_indices else kernel_source.choice_source
        return self._source("select", self.function, partial(of_all, limit=self._limit()), self.quantities)

    def _index(self, what: str, loop: ArmLoop) -> _Source:
        make = partial(kernel_source.index_source, limit=self._limit(), loop=loop, four=loop is self.four_arm_loop)
        return self._source(what, self.function, make, self.quantities)._replace(names=loop.names)

    def _limit(self) -> tuple[str, ...] | None:
        """What the function that limits the candidates asks for; None where all children are considered."""
        return parameters(self.candidates) if self.candidates else None

    def _learning_source(self, what: str, function: Callable[..., Any]) -> _Source:
        return self._source(what, function, kernel_source.learning_source, parameters(function))

    def _source(
        self, what: str, function: Callable[..., Any], make: Callable[..., str], asked: tuple[str, ...]
    ) -> _Source:
        """The source of a kernel; its name tells everything that will be compiled into it."""
        stem = re.sub(r"\W", "_", Path(self.file).stem)
        name = f"policy_{stem}_{self.name}_{what}_{source_digest.digest(sys.modules[function.__module__])[:12]}"
        constants = tuple(constant.name for constant in self.constants)
        return _Source(name, function, make(name, asked, constants, self._places()), {})

    def _places(self) -> dict[str, statistics.Kept]:
        """Where each kept statistic stands."""
        return statistics.places(self.kept, dict(self.sizes), average=AVERAGE if self.average else None)

    def _compile(self, made: _Source) -> Kernel:
        module = sys.modules[made.function.__module__]
        source_digest.make_compilable(module)
        author = generated.KernelOrigin(self.file, made.function.__name__, vars(module))
        return generated.compile_source(made.name, made.source, self._namespace(made), author)

    def _namespace(self, made: _Source) -> dict[str, Any]:
        """What the names in the source of a kernel stand for."""
        return {
            "__name__": made.function.__module__,
            "function": compilable(made.function),
            **({"candidates": compilable(self.candidates)} if self.candidates else {}),
            "record": record,
            "records": records,
            "array": array,
            "table": table,
            "below": below,
            "argmax": argmax,
            "unvisited": unvisited,
            "mean": mean,
            "deviation": deviation,
            "NODE": NODE,
            "NODE_BYTES": NODE_BYTES,
            "BLOCK": block_layout.block_type((constant.name for constant in self.constants), self.columns),
            "MEMORY": block_layout.MEMORY,
            "MEMORY_AT": block_layout.MEMORY_AT,
            "URGENT": block_layout.URGENT,
            "CROWD": block_layout.MANY_ARMS,
            "float64": np.float64,
            "int64": np.int64,
            "uint64": np.uint64,
            "inf": np.inf,
            "ln": ln,
            "jit": jit,
            "sqrt": sqrt,
            "BadChoiceError": BadChoiceError,
            **made.names,
        }


@lru_cache
def compilable(function: Callable[..., Any]) -> Callable[..., Any]:
    """Let compiled code call a policy's function, and the plain functions of the file it stands in."""
    module = sys.modules[function.__module__]
    for value in vars(module).values():
        if inspect.isfunction(value) and value.__module__ == module.__name__ and value is not function:
            jit(value)
    made: Callable[..., Any] = jit(function)
    return made


def parameters(function: Callable[..., Any]) -> tuple[str, ...]:
    """The names of a function's parameters."""
    return tuple(inspect.signature(function).parameters)


def policy(function: Callable[..., Any]) -> Policy:
    """Read a policy off its function, and off the functions beside it that learn."""
    name = function.__name__
    constants = constants_of(function)
    named = [constant.name for constant in constants]
    quantities = tuple(q for q in parameters(function) if q not in named)
    module = vars(sys.modules[function.__module__])
    update, after, average, candidates = (module.get(name + ending) for ending in LEARNING_FUNCTIONS)
    kept: list[str] = []
    for hook in (update, after):
        asked = [q.removeprefix("own_") for q in parameters(hook)] if hook else []
        kept += [q for q in asked if q not in block_layout.LEARNING and q not in named and q not in kept]
    of_all = block_layout.FILLING if "indices" in quantities else block_layout.CHOICE
    form = block_layout.INDEX if any(q in block_layout.ARM_QUANTITIES for q in quantities) else of_all
    line = function.__code__.co_firstlineno
    for q in quantities:
        if q not in form and q not in kept and not q.startswith(block_layout.COLUMN):
            raise RamifyError(
                f"policy '{name}' (line {line}) asks for '{q}'; here it may ask for {', '.join(form)}"
                f"{', ' + ', '.join(kept) if kept else ''}, and its constants need a default"
            )
    file = inspect.getsourcefile(function) or ""
    sizes = tuple(statistics.sizes_of((update, after, average, function)).items())
    for q in parameters(candidates) if candidates else ():
        if q not in block_layout.CANDIDATES and q not in named:
            known = ", ".join([*block_layout.CANDIDATES, *named])
            raise RamifyError(f"{name}_{CANDIDATES} asks for '{q}'; it may ask for {known}")
    hooks = (update, after, average, candidates)
    return Policy(name, function, *hooks, constants, quantities, tuple(kept), sizes, file)
