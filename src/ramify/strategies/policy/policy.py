"""Selection policies: from an author's plain functions to kernels that choose a child and learn.

A policy is one function. Its parameters are the quantities it needs, by name, followed by its constants with defaults.
There are two forms; docs/policies.md describes both, and every quantity:

* a function that asks for a quantity of one arm (``n``, ``m``, ``s``, ``P``) returns the *index* of that arm. The arm
  of highest index is selected; ties are broken at random. Arms never visited have the index ``fpu``;
* any other function *chooses*: it sees all arms (``means`` and the like are arrays) and returns the number of one, or,
  if it asks for the array ``indices``, fills in the index of each.

A policy ``name`` may have the functions ``name_update``, called for every node where the policy chose, and
``name_after``, called once per simulation. Their parameters that are neither quantities nor constants of the policy are
statistics to keep (``kept``), most of them per arm, initially 0. The policy itself may also ask for them. A policy that
samples from a mixed strategy may also have ``name_average``, called before ``name_update`` if a mixed strategy will be
recommended: it adds that strategy to ``average``, a statistic that is kept only then.
"""

from __future__ import annotations

import inspect
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
from ramify.core.kernels.kernel_names import kernel_name
from ramify.core.kernels.pointers import array, record, records, table
from ramify.core.numbers.draws import unvisited
from ramify.core.numbers.logs import ln
from ramify.core.numbers.rng import below
from ramify.core.search.steps import at_root
from ramify.core.search.tree import NODE, NODE_BYTES
from ramify.core.vector.arm_loops import ArmLoop, argmax_for, four_at_a_time, one_at_a_time
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
    """Return the mean from a sum and a count; ``otherwise`` if the count is 0."""
    m = total / max(n, 1.0)
    return m if n > 0.0 else otherwise


@jit
def deviation(squares: float, total: float, n: float) -> float:
    """Return the standard deviation from sums of squares and of rewards, clipped at 0; 0 if the count is 0."""
    n = max(n, 1.0)
    m = total / n
    return sqrt(max(squares / n - m * m, 0.0))


class _Source(NamedTuple):
    """The source of a kernel."""

    name: str
    function: Callable[..., Any]  # the author's
    source: str
    names: dict[str, Any]  # besides those that every kernel may use


@dataclass(frozen=True)
class Policy:
    """A selection policy: its functions and what they need."""

    name: str
    function: Callable[..., Any]
    update: Callable[..., Any] | None
    after: Callable[..., Any] | None
    average: Callable[..., Any] | None
    candidates: Callable[..., Any] | None  # returns how many of the first children it considers
    constants: tuple[Constant, ...]
    quantities: tuple[str, ...]
    kept: tuple[str, ...]
    sizes: tuple[tuple[str, int], ...]  # of the kept statistics that are arrays per arm
    file: str

    @property
    def returns_arm(self) -> bool:
        """Whether it sees all arms and chooses among them; otherwise it returns the index of one arm."""
        return not any(q in block_layout.ARM_QUANTITIES for q in self.quantities)

    @property
    def fills_indices(self) -> bool:
        """Whether it sees all arms and fills in their indices."""
        return self.returns_arm and "indices" in self.quantities

    @cached_property
    def requested(self) -> frozenset[str]:
        """All quantities that its functions ask for."""
        learning = [parameters(function) for function in (self.update, self.after, self.average) if function]
        return frozenset(self.quantities).union(*learning)

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
        """Whether children need priors."""
        return not self.requested.isdisjoint(("P", "priors"))

    @property
    def needs_raw(self) -> bool:
        """Whether the game's scores must be kept if a reward changes them."""
        return "raw" in self.requested and "raw" not in self.kept

    @property
    def needs_met(self) -> bool:
        """Whether it asks for statistics of its arms against the other players' simultaneous moves."""
        return not self.requested.isdisjoint(block_layout.JOINT_QUANTITIES)

    @property
    def needs_amaf(self) -> bool:
        """Whether it asks for AMAF sums."""
        return kernel_source.sees_amaf(self.quantities)

    @property
    def tables(self) -> tuple[str, ...]:
        """The statistics that it keeps by move class."""
        return statistics.tables_of(self.kept)

    @property
    def needs_classes(self) -> bool:
        """Whether it asks for move classes or keeps statistics by them."""
        return bool(self.tables) or not self.requested.isdisjoint(block_layout.OF_CLASSES)

    @property
    def needs_made(self) -> bool:
        """Whether it asks for all moves of a simulation, including those of the playout."""
        return "moves_made" in self.requested

    @property
    def uses_ancestor_amaf(self) -> bool:
        """Whether its AMAF sums are an ancestor's, chosen by its constant ``ref``."""
        return self.needs_amaf and any(constant.name == "ref" for constant in self.constants)

    @property
    def batchable(self) -> bool:
        """Whether it only needs visits and totals, so that it works with many simulations in flight."""
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
        """Return the estimate of each arm: its index without the bonus, i.e. with c = 0.

        ``sums``: n, t, S and R of the arms. An arm with n = S = 0 gets minus infinity. If the index needs more than
        these, the estimate is the mean.
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
        """Whether it chooses uniformly at random among unvisited arms, before all others."""
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
        """Return how many numbers it keeps per arm."""
        return statistics.width(self.kept, dict(self.sizes), players) if self.kept else 0

    def needs(self) -> list[str]:
        """Describe what it needs besides visits and means."""
        found = []
        if self.needs_squares:
            found.append("deviations")
        if self.needs_priors:
            found.append("priors")
        if self.needs_amaf:
            found.append("AMAF")
        if self.needs_classes:
            found.append("move classes")
        if "rng" in self.requested:
            found.append("random numbers")
        if self.kept:
            found.append("statistics per arm")
        if "memory" in self.requested:
            found.append("statistics per search")
        if "game_memory" in self.requested:
            found.append("statistics per game")
        return found

    def formula_and_source(self) -> tuple[str, str]:
        """Return the formula and the source from its docstring, which starts with ``formula``: source."""
        paragraph = " ".join((inspect.getdoc(self.function) or "").partition("\n\n")[0].split())
        formula, mark, rest = paragraph.removeprefix("``").partition("``")
        return (formula, rest.lstrip(": ").rstrip(".")) if mark else ("", paragraph)

    @cached_property
    def four_arm_loop(self) -> ArmLoop | None:
        """The loop over its arms, four at a time, or None if it is not a plain formula."""
        kinds = kernel_source.parameter_kinds(
            self.quantities, tuple(constant.name for constant in self.constants), self._places()
        )
        return None if self.returns_arm else four_at_a_time(self.function, kinds)

    @cached_property
    def kernel(self) -> Kernel:
        """The compiled choice among children; see ``core.search.plan.Selector``."""
        if self.four_arm_loop:
            with suppress(RamifyError):  # the loop over single arms works, or raises the better error
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
        """Return the source of each of its kernels: "select", "update", "after"."""
        found = {"select": self._index("select_four", self.four_arm_loop) if self.four_arm_loop else self._select()}
        for what, function in (("update", self.update), ("after", self.after)):
            if function:
                found[what] = self._learning_source(what, function)
        return {what: made.source for what, made in found.items()}

    def _select(self) -> _Source:
        if not self.returns_arm:
            return self._index("select", one_at_a_time(self.function))
        of_all = kernel_source.filling_source if self.fills_indices else kernel_source.choice_source
        return self._source("select", self.function, partial(of_all, limit=self._limit()), self.quantities)

    def _index(self, what: str, loop: ArmLoop) -> _Source:
        make = partial(kernel_source.index_source, limit=self._limit(), loop=loop, four=loop is self.four_arm_loop)
        return self._source(what, self.function, make, self.quantities)._replace(names=loop.names)

    def _limit(self) -> tuple[str, ...] | None:
        """Return the parameters of the function that limits the candidates, if any."""
        return parameters(self.candidates) if self.candidates else None

    def _learning_source(self, what: str, function: Callable[..., Any]) -> _Source:
        return self._source(what, function, kernel_source.learning_source, parameters(function))

    def _source(
        self, what: str, function: Callable[..., Any], make: Callable[..., str], asked: tuple[str, ...]
    ) -> _Source:
        """Return the source of a kernel. Its name identifies everything that is compiled into it."""
        digest = source_digest.digest(sys.modules[function.__module__])[:12]
        name = kernel_name("policy", Path(self.file).stem, self.name, what, digest)
        constants = tuple(constant.name for constant in self.constants)
        return _Source(name, function, make(name, asked, constants, self._places()), {})

    def _places(self) -> dict[str, statistics.Kept]:
        return statistics.places(self.kept, dict(self.sizes), average=AVERAGE if self.average else None)

    def _compile(self, made: _Source) -> Kernel:
        module = sys.modules[made.function.__module__]
        source_digest.make_compilable(module)
        author = generated.KernelOrigin(self.file, made.function.__name__, vars(module))
        return generated.compile_source(made.name, made.source, self._namespace(made), author)

    def _namespace(self, made: _Source) -> dict[str, Any]:
        """Return the global names of a kernel's source."""
        return {
            "__name__": made.function.__module__,
            "function": compilable(made.function),
            **({"candidates": compilable(self.candidates)} if self.candidates else {}),
            "record": record,
            "records": records,
            "array": array,
            "table": table,
            "below": below,
            "argmax": argmax_for(made.function),
            "unvisited": unvisited,
            "at_root": at_root,
            "mean": mean,
            "deviation": deviation,
            "NODE": NODE,
            "NODE_BYTES": NODE_BYTES,
            "BLOCK": block_layout.block_type((constant.name for constant in self.constants), self.columns),
            "MEMORY": block_layout.MEMORY,
            "MEMORY_AT": block_layout.MEMORY_AT,
            "GAME_MEMORY_AT": block_layout.GAME_MEMORY_AT,
            "URGENT": block_layout.URGENT,
            "MANY_ARMS": block_layout.MANY_ARMS,
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
    """Return a policy's function compiled, together with the plain functions of its file that it may call."""
    module = sys.modules[function.__module__]
    for value in vars(module).values():
        if inspect.isfunction(value) and value.__module__ == module.__name__ and value is not function:
            jit(value)
    made: Callable[..., Any] = jit(function)
    return made


def parameters(function: Callable[..., Any]) -> tuple[str, ...]:
    return tuple(inspect.signature(function).parameters)


def policy(function: Callable[..., Any], name: str = "") -> Policy:
    """Return the policy defined by a function and its learning functions (``LEARNING_FUNCTIONS``).

    ``name`` is its name in its file, which a lambda, a closure or a decorated function does not know.
    """
    name = name or function.__name__
    constants = constants_of(function)
    named = [constant.name for constant in constants]
    quantities = tuple(q for q in parameters(function) if q not in named)
    module = vars(sys.modules[function.__module__])
    update, after, average, candidates = (module.get(name + ending) for ending in LEARNING_FUNCTIONS)
    kept: list[str] = []
    for learning in (update, after):
        asked = [q.removeprefix("own_") for q in parameters(learning)] if learning else []
        kept += [q for q in asked if q not in block_layout.LEARNING and q not in named and q not in kept]
    of_all = block_layout.FILLING if "indices" in quantities else block_layout.CHOICE
    form = block_layout.INDEX if any(q in block_layout.ARM_QUANTITIES for q in quantities) else of_all
    line = function.__code__.co_firstlineno
    for q in quantities:
        if q not in form and q not in kept and not q.startswith(block_layout.COLUMN):
            raise RamifyError(
                f"policy '{name}' (line {line}) asks for '{q}', which is unknown: use {', '.join(form)}"
                f"{', ' + ', '.join(kept) if kept else ''}, or give a constant a default"
            )
    file = inspect.getsourcefile(function) or ""
    sizes = tuple(statistics.sizes_of((update, after, average, function)).items())
    for q in parameters(candidates) if candidates else ():
        if q not in block_layout.CANDIDATES and q not in named:
            known = ", ".join([*block_layout.CANDIDATES, *named])
            raise RamifyError(f"{name}_{CANDIDATES} asks for '{q}', which is unknown: use {known}")
    others = (update, after, average, candidates)
    return Policy(name, function, *others, constants, quantities, tuple(kept), sizes, file)
