"""Checks a game file before anything in it runs: names, types and numbers of arguments."""

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

MAX_PLAYERS = 2**15 - 1  # the tree stores the mover in 16 bits


def check_layout(module: ModuleType, log: FindingLog) -> None:
    """Log missing parts, and parts of the wrong type or shape."""
    check_old_names(adopt_old_parts(module), module, log)
    names = vars(module)
    lacking = missing(names)
    if lacking:
        log.add(
            ContractViolation(
                "missing", f"the file has no {listed(lacking)}{close_matches([p.name for p in lacking], names)}"
            )
        )
    for part in PARTS:
        if part.arguments is not None and part.name in names:
            with log.catching():
                check_function(part.name, names[part.name], part.arguments)
        elif part.alternative in names:
            with log.catching():
                check_function(str(part.alternative), names[str(part.alternative)], ("rules",))
    for name in ("State", "Rules"):
        if name in names:
            with log.catching():
                check_record(name, names[name])
    for name, most in (
        ("PLAYERS", MAX_PLAYERS),
        *((name, 2**20) for name in ("MAX_MOVES", "MAX_CHANCE_OUTCOMES", "MOVE_CLASSES")),
    ):
        value = names.get(name, 1)
        if isinstance(value, bool) or not isinstance(value, int | np.integer) or not 1 <= value <= most:
            log.add(ContractViolation("constant", f"{name} is {value!r}; it must be a whole number from 1 to {most}"))


def check_old_names(adopted: dict[str, str], module: ModuleType, log: FindingLog) -> None:
    """Warn about parts and constants that have a new name."""
    constants = {old: new for old, new in NAMES["ramify"].items() if vars(module).get(old) == getattr(tree, new)}
    if renamed := adopted | constants:
        pairs = ", ".join(f"{old} is now {new}" for old, new in renamed.items())
        log.add(ContractViolation("old-name", f"the file uses old names: {pairs}", severity="warning"))


def close_matches(lacking: list[str], names: dict[str, Any]) -> str:
    """Return a hint that names functions similar to the missing ones."""
    known = {part.name for part in PARTS}
    others = [name for name, value in names.items() if isinstance(value, FunctionType) and name not in known]
    pairs = [(name, suggestion(name, others)) for name in lacking]
    hints = [f"for {name}, {hint.rstrip('?')}" for name, hint in pairs if hint.startswith("did you")]
    return "".join(f"; {hint}?" for hint in hints)


def check_function(name: str, function: Any, arguments: tuple[str, ...]) -> None:
    """Raise unless ``function`` is a plain function with the right number of arguments."""
    wanted = f"{name}({', '.join(arguments)})"
    if not isinstance(function, FunctionType):
        raise ContractViolation(
            "not-a-function",
            f"{name} is a {type(function).__name__}; it must be a plain function {wanted}, without a decorator:"
            " Ramify compiles it",
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
    """Raise if a parameter cannot be passed by name or has no default."""
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
                f"parameter '{parameter}' of configure needs a default that is a number, true or false, or a string",
                line=line,
            )


def check_parameters(game: CompiledGame, log: FindingLog, watchdog: CallTimeout) -> None:
    """Report out-of-range parameters for which ``configure`` raises anything but RamifyError."""
    for name, value in game.parameters.items():
        if type(value) is int:
            rules = np.zeros(1, game.rules_array.dtype)
            given = {**game.parameters, name: -1}
            with log.catching():
                try:
                    with np.errstate(all="ignore"):
                        watchdog(
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
                except Exception as error:  # noqa: BLE001  (author's code may raise anything)
                    line, _ = error_location(error, str(game.module.__file__))
                    message = (
                        f"configure raised {type(error).__name__} for {name}=-1: {error}; it must raise RamifyError"
                    )
                    raise ContractViolation(
                        "parameter", f"{message} and say which values are allowed", line=line
                    ) from None


def check_record(name: str, dtype: Any, path: str = "") -> None:
    """Raise unless ``dtype`` is a packed record whose fields are attributes."""
    if not isinstance(dtype, np.dtype) or dtype.names is None:
        given = f"a {type(dtype).__name__}" if not isinstance(dtype, np.dtype) else f"the dtype {dtype}"
        raise ContractViolation(
            "record", f'{name} is {given}; it must be a dtype with named fields, np.dtype([("turn", np.int64), ...])'
        )
    packed = 0
    for field in dtype.names:
        kind, offset = dtype.fields[field][:2]  # type: ignore[index]
        where = f"{name}.{path}{field}"
        base = kind.base
        if hasattr(np.record, field):
            raise ContractViolation("field-name", f"{where} has the name of an attribute of numpy records; rename it")
        if not field.isidentifier() or keyword.iskeyword(field):
            raise ContractViolation(
                "field-name", f"{where} is not a valid Python identifier: rename it so that state.{field} works"
            )
        if base.names is not None:
            check_record(name, base, f"{path}{field}.")
        elif base.kind not in "biuf":
            raise ContractViolation(
                "field-type", f"{where} has the type {base}; fields must be integers, floats, bools or arrays of them"
            )
        if offset != packed:
            raise ContractViolation(
                "padding",
                f"{where} follows unused bytes; leave out align=True: positions are compared byte by byte",
            )
        packed += kind.itemsize
    if packed != dtype.itemsize:
        raise ContractViolation(
            "padding", f"{name} has unused bytes; leave out align=True: positions are compared byte by byte"
        )
