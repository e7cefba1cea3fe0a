"""What can be told from a game file before anything in it runs: names, types and numbers of arguments."""

from __future__ import annotations

import inspect
import keyword
from types import FunctionType, ModuleType
from typing import Any

import numpy as np

from ramify.contract.checking.call_timeout import CallTimeout, error_location
from ramify.contract.checking.result import ContractViolation, FindingLog
from ramify.contract.compiled_game import CompiledGame, as_record
from ramify.contract.parts import PARTS, adopt_old_parts, listed, missing
from ramify.core.search import tree
from ramify.errors import RamifyError, suggestion
from ramify.old_names import NAMES

MAX_PLAYERS = 2**15 - 1  # the tree keeps the mover in 16 bits


def check_layout(module: ModuleType, notes: FindingLog) -> None:
    """Note everything that is missing or has the wrong form."""
    check_old_names(adopt_old_parts(module), module, notes)
    names = vars(module)
    lacking = missing(names)
    if lacking:
        notes.add(
            ContractViolation(
                "missing", f"the file has no {listed(lacking)}{close_matches([p.name for p in lacking], names)}"
            )
        )
    for part in PARTS:
        if part.arguments is not None and part.name in names:
            with notes.catching():
                check_function(part.name, names[part.name], part.arguments)
        elif part.alternative in names:
            with notes.catching():
                check_function(str(part.alternative), names[str(part.alternative)], ("rules",))
    for name in ("State", "Rules"):
        if name in names:
            with notes.catching():
                check_record(name, names[name])
    for name, most in (
        ("PLAYERS", MAX_PLAYERS),
        *((name, 2**20) for name in ("MAX_MOVES", "MAX_CHANCE_OUTCOMES", "MOVE_CLASSES")),
    ):
        value = names.get(name, 1)
        if isinstance(value, bool) or not isinstance(value, int | np.integer) or not 1 <= value <= most:
            notes.add(ContractViolation("constant", f"{name} is {value!r}; it must be a whole number from 1 to {most}"))


def check_old_names(adopted: dict[str, str], module: ModuleType, notes: FindingLog) -> None:
    """Warn about parts and constants that have a new name."""
    constants = {old: new for old, new in NAMES["ramify"].items() if vars(module).get(old) == getattr(tree, new)}
    if renamed := adopted | constants:
        pairs = ", ".join(f"{old} is now {new}" for old, new in renamed.items())
        notes.add(ContractViolation("old-name", f"the file uses old names: {pairs}", severity="warning"))


def close_matches(lacking: list[str], names: dict[str, Any]) -> str:
    """Functions that may have been meant, though called otherwise."""
    known = {part.name for part in PARTS}
    own = [name for name, value in names.items() if isinstance(value, FunctionType) and name not in known]
    pairs = [(name, suggestion(name, own)) for name in lacking]
    hints = [f"for {name}, {hint.rstrip('?')}" for name, hint in pairs if hint.startswith("did you")]
    return "".join(f"; {hint}?" for hint in hints)


def check_function(name: str, function: Any, arguments: tuple[str, ...]) -> None:
    """Refuse anything but a plain function with the right number of arguments."""
    wanted = f"{name}({', '.join(arguments)})"
    if not isinstance(function, FunctionType):
        raise ContractViolation(
            "not-a-function",
            f"{name} is a {type(function).__name__}; it must be a plain function {wanted}, without a decorator:"
            " Ramify compiles it itself",
        )
    line = function.__code__.co_firstlineno
    signature = inspect.signature(function)
    if name == "configure":
        check_configure(signature, line)
        return
    try:
        signature.bind(*arguments)
    except TypeError:
        given = f"{name}{signature}"
        raise ContractViolation(
            "arguments", f"{given} has the wrong number of arguments; it is called as {wanted}", line=line
        ) from None


def check_configure(signature: inspect.Signature, line: int) -> None:
    """Refuse parameters that cannot be given by name, or have no default."""
    parameters = list(signature.parameters.values())
    if not parameters:
        raise ContractViolation(
            "arguments", "configure() has no arguments; it is called as configure(rules, ...)", line=line
        )
    for parameter in parameters[1:]:
        if parameter.kind is not parameter.POSITIONAL_OR_KEYWORD or not isinstance(
            parameter.default, bool | int | float | str
        ):
            raise ContractViolation(
                "parameter",
                f"the parameter '{parameter}' of configure needs a default that is a number, true or false, or text",
                line=line,
            )


def check_parameters(game: CompiledGame, notes: FindingLog, watch: CallTimeout) -> None:
    """Note parameters out of range that make ``configure`` fail otherwise than by RamifyError."""
    for name, value in game.parameters.items():
        if type(value) is int:
            rules = np.zeros(1, game.rules_array.dtype)
            given = {**game.parameters, name: -1}
            with notes.catching():
                try:
                    with np.errstate(all="ignore"):
                        watch(
                            "configure",
                            str(game.module.__file__),
                            lambda r, g: game.module.configure(r, **g),
                            as_record(rules),
                            given,
                        )
                except ContractViolation:
                    raise
                except RamifyError:
                    pass
                except Exception as error:  # noqa: BLE001  (whatever an author's code may raise)
                    line, _ = error_location(error, str(game.module.__file__))
                    told = f"configure raised {type(error).__name__} for {name}=-1: {error}; it must raise RamifyError"
                    raise ContractViolation(
                        "parameter", f"{told} with a sentence that says what is allowed", line=line
                    ) from None


def check_record(name: str, dtype: Any, path: str = "") -> None:
    """Refuse a type that records cannot have, or whose fields cannot be reached by name."""
    if not isinstance(dtype, np.dtype) or dtype.names is None:
        told = f"a {type(dtype).__name__}" if not isinstance(dtype, np.dtype) else f"the dtype {dtype}"
        raise ContractViolation(
            "record", f'{name} is {told}; it must be a dtype with named fields, np.dtype([("turn", np.int64), ...])'
        )
    packed = 0
    for field in dtype.names:
        kind, offset = dtype.fields[field][:2]  # type: ignore[index]
        where = f"{name}.{path}{field}"
        base = kind.base
        if hasattr(np.record, field):
            raise ContractViolation(
                "field-name", f"{where} has the name of something that every numpy record has; call it otherwise"
            )
        if not field.isidentifier() or keyword.iskeyword(field):
            raise ContractViolation(
                "field-name", f"{where} is no Python name; call it so that state.{field} can be written"
            )
        if base.names is not None:
            check_record(name, base, f"{path}{field}.")
        elif base.kind not in "biuf":
            raise ContractViolation(
                "field-type", f"{where} has the type {base}; fields are whole numbers, floats, bools or arrays of them"
            )
        if offset != packed:
            raise ContractViolation(
                "padding",
                f"{where} comes after unused bytes; leave out align=True, for positions are equal when their bytes are",
            )
        packed += kind.itemsize
    if packed != dtype.itemsize:
        raise ContractViolation(
            "padding", f"{name} has unused bytes; leave out align=True, for positions are equal when their bytes are"
        )
