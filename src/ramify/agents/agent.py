"""An agent is data: the strategies of one search, with their parameters.

``agent("uct(c=0.4)")`` and ``agent("mcts(select=ucb1(c=0.4), recommend=robust)")`` parse the grammar of
``ramify.grammar``; mappings (TOML tables) and keyword arguments are equivalent. ``str(agent)`` returns the text as it
was written. An agent's text can include a budget: ``uct(c=0.4, simulations=2000)``.
"""

from __future__ import annotations

import reprlib
from collections.abc import Mapping
from dataclasses import dataclass
from numbers import Integral, Real
from typing import Any

from ramify.agents.budgets.agent_budget import without_budget
from ramify.agents.budgets.player_limits import PlayerLimits
from ramify.agents.preset import presets
from ramify.agents.shapes.batch_slots import MAX_BATCH
from ramify.agents.shapes.factory import check_shapes
from ramify.agents.shapes.graph import VARIANTS
from ramify.agents.shapes.open_loop import CHANCE_MODES
from ramify.agents.shapes.simultaneous import DEVIATIONS
from ramify.contract.game import Game
from ramify.errors import RamifyError, suggestion
from ramify.grammar import MAX_DEPTH, Call, bind, checked_integer, format_value, parse, too_deep
from ramify.numpy_scalars import plain
from ramify.old_names import PARAMETERS, current_name
from ramify.strategies.base import Allocation, Backup, Playout, Recommendation, Reward, Timing, Updates
from ramify.strategies.constants import ValueRange
from ramify.strategies.name_hints import AGENT, hint_for_other_role
from ramify.strategies.policy.registry import Selection
from ramify.strategies.policy.registry import resolve as selection
from ramify.strategies.registry import NOT_NEGATIVE, parse_bool, parse_number, parse_word, resolve

Argument = int | float | bool | str | Call


@dataclass(frozen=True)
class Agent:
    """The strategies of one search. Use ``agent`` to create one."""

    select: Selection
    select_root: Selection  # at the root; `select` by default
    allocation: Allocation
    playout: Playout
    reward: Reward
    backup: Backup
    recommend: Recommendation
    updates: Updates  # updates of the RAVE statistics
    expand_threshold: int  # visits that a leaf needs before it is expanded
    fpu: float  # first-play urgency: the index of an unvisited child
    timing: Timing  # how it divides its clock among its moves
    prove: bool  # prove scores (MCTS-Solver)
    stop_early: bool  # stop once the choice can no longer change
    simultaneous: str  # how simultaneous moves are searched, one of SIMULTANEOUS_MODES
    deviation: str  # deviation of a player's simultaneous move, one of DEVIATIONS
    chance: str  # whether chance outcomes are nodes, one of CHANCE_MODES
    transpositions: str  # how transpositions are shared, one of VARIANTS
    batch_size: int  # simulations per batch; 0: depends on the budget
    reuse: bool  # keep the subtree of the moves played for the next search of the game
    limits: PlayerLimits | None  # the budget in its text
    call: Call  # the text as it was written

    def __str__(self) -> str:
        return str(self.call)

    @property
    def needs_exact_length(self) -> bool:
        """Whether the reward depends on the number of plies of a simulation."""
        return any(one.needs_exact_length for one in self.reward.nested() if isinstance(one, Reward))

    def check(self, game: Game) -> None:
        """Raise if the game lacks a part that a strategy needs."""
        for strategy in (self.allocation, self.playout, self.reward, self.backup, self.recommend, self.updates):
            for name, one in strategy.named_nested(strategy.role):
                missing = [part for part in one.needs if not game.has(part)]
                if missing and (one.needs_every_part or missing == list(one.needs)):
                    raise RamifyError(
                        f"{game.name} has no {missing[0]}, which {name}={one.title()} needs: use {name}={one.fallback}"
                    )


MCTS_DEFAULTS: dict[str, Any] = {
    "select": Call("ucb1"),
    "select_root": None,
    "allocation": Call("by_policy"),
    "playout": Call("uniform"),
    "reward": Call("score"),
    "backup": Call("mean"),
    "recommend": Call("robust"),
    "updates": Call("true_updates"),
    "expand_threshold": 1,
    "fpu": 10_000.0,
    "prove": False,
    "timing": Call("share"),
    "stop_early": False,
    "simultaneous": Call("joint"),
    "deviation": Call("pooled"),
    "chance": Call("explicit"),
    "transpositions": Call("none"),
    "batch_size": 0,
    "reuse": False,
}


NOT_GIVEN = object()
JOINT, TURN_BASED = SIMULTANEOUS_MODES = ("joint", "turn_based")


PRESET_OPTIONS = ("timing", "stop_early", "prove", "simultaneous", "chance", "batch_size")  # parameters of `mcts`


def expand_preset(call: Call) -> Call:
    """Expand a call of a preset to a call of ``mcts``."""
    arguments = tuple((key and current_name(key, PRESET_OPTIONS, PARAMETERS), value) for key, value in call.arguments)
    options = tuple((key, value) for key, value in arguments if key in PRESET_OPTIONS)
    parameters = tuple((key, value) for key, value in arguments if key not in PRESET_OPTIONS)
    full = presets()[call.name].expand(Call(call.name, parameters))
    given = {key for key, _ in options}
    return Call(full.name, tuple(one for one in full.arguments if one[0] not in given) + options)


def agent(description: str | Mapping[str, Any] | Call | Agent = "mcts", **arguments: Any) -> Agent:
    """Create an agent from text, from a mapping with the key ``name`` (a TOML table) or from keyword arguments."""
    description = plain(description)
    if isinstance(description, Agent):
        if not arguments:
            return description
        call = description.call
    elif isinstance(description, Call):
        call = description
    elif isinstance(description, str):
        call = parse(description)
    elif isinstance(description, Mapping):
        call = _parse_table(description)
    else:
        raise RamifyError(f"an agent must be a string or a mapping, not {reprlib.repr(description)}")
    extra = tuple((key, _argument(value)) for key, value in arguments.items())
    return build(Call(call.name, call.arguments + extra))


def _parse_table(table: Mapping[str, Any], depth: int = 1) -> Call:
    if depth > MAX_DEPTH:
        raise too_deep(str(table.get("name")))
    if "name" not in table:
        raise RamifyError(
            f"an agent or strategy table needs the key 'name', e.g. {{name = \"uct\"}}: {reprlib.repr(dict(table))}"
        )
    arguments = ((str(key), _argument(value, depth)) for key, value in table.items() if key != "name")
    return Call(str(table["name"]), tuple(arguments))


def _argument(value: Any, depth: int = 0) -> Argument:
    value = plain(value)
    if isinstance(value, Mapping):
        return _parse_table(value, depth + 1)
    if isinstance(value, str):
        return parse(value)
    if isinstance(value, bool | Call):
        return value
    if isinstance(value, Integral):
        return checked_integer(int(value))
    if isinstance(value, Real):
        return float(value)
    raise RamifyError(f"{reprlib.repr(value)} cannot be part of an agent: use numbers, strings and mappings")


def build(call: Call) -> Agent:
    """Build an agent from a call. Raise for unknown names and values out of range."""
    known = {"mcts", *presets()}
    if call.name not in known:
        listed = {"mcts", *(one.family or one.name for one in presets().values())}
        hint = hint_for_other_role(call.name, AGENT) or suggestion(
            call.name, known, "expected one of " + ", ".join(sorted(listed))
        )
        raise RamifyError(f"unknown agent '{call.name}': {hint}")
    plain, limits = without_budget(call)
    full = expand_preset(plain) if call.name in presets() else plain
    given = _with_allocation_defaults(bind(full, dict.fromkeys(MCTS_DEFAULTS, NOT_GIVEN), "agent"))
    select = _selection(given["select"], "select")
    root = given["select_root"]
    made = Agent(
        select=select,
        select_root=select if root is None else _selection(root, "select_root"),
        allocation=given["allocation"],
        **{
            role: resolve(role, given[role])
            for role in ("playout", "reward", "backup", "recommend", "updates", "timing")
        },
        expand_threshold=int(parse_number(given["expand_threshold"], int, "expand_threshold", NOT_NEGATIVE)),
        fpu=parse_number(given["fpu"], float, "fpu", infinite=True),
        prove=parse_bool(given["prove"], "prove"),
        stop_early=parse_bool(given["stop_early"], "stop_early"),
        simultaneous=parse_word(SIMULTANEOUS_MODES, given["simultaneous"], "simultaneous"),
        deviation=parse_word(DEVIATIONS, given["deviation"], "deviation"),
        chance=parse_word(CHANCE_MODES, given["chance"], "chance"),
        transpositions=parse_word(VARIANTS, given["transpositions"], "transpositions"),
        batch_size=int(parse_number(given["batch_size"], int, "batch_size", ValueRange(0, MAX_BATCH, open=False))),
        reuse=parse_bool(given["reuse"], "reuse"),
        limits=limits,
        call=call,
    )
    if made.stop_early:
        _check_stop_early(made)
    check_shapes(made)
    return made


def _check_stop_early(made: Agent) -> None:
    """Reject stop_early if a lead in visits does not settle the choice."""
    if made.allocation.inspects_root:
        raise RamifyError(
            "stop_early=true needs allocation=by_policy:"
            f" allocation={made.allocation.title()} must spend its whole budget"
        )
    if not made.recommend.returns_most_visited:
        raise RamifyError(
            "stop_early=true needs recommend=robust: a lead in visits does not settle what"
            f" recommend={made.recommend.title()} returns"
        )
    if made.prove:
        raise RamifyError(
            "prove=true does not support stop_early=true, because a proof can overturn a lead in visits:"
            " remove one of them"
        )


def _with_allocation_defaults(given: dict[str, Any]) -> dict[str, Any]:
    """Fill in the defaults of ``mcts``. Defaults of the allocation take precedence over MCTS_DEFAULTS."""
    allocation = MCTS_DEFAULTS["allocation"] if given["allocation"] is NOT_GIVEN else given["allocation"]
    made: Allocation = resolve("allocation", allocation)
    for role in made.required_roles:
        if given[role] is not NOT_GIVEN:
            raise RamifyError(
                f"allocation={made.title()} has its own {role}: remove {role}={format_value(given[role])}"
            )
    found: dict[str, Any] = (
        MCTS_DEFAULTS
        | dict(made.default_strategies())
        | {key: value for key, value in given.items() if value is not NOT_GIVEN}
    )
    return found | {"allocation": made}


def _selection(value: Any, what: str) -> Selection:
    if not isinstance(value, Call):
        raise RamifyError(f"invalid {what} '{value}': use a name, e.g. {what}=ucb1(c=0.7)")
    return selection(value)
