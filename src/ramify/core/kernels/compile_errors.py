"""Explains Numba's compile errors: the author's function, the line and the reason."""

import re
from collections.abc import Mapping
from pathlib import Path
from types import FunctionType

from ramify.errors import RamifyError

_OPERATORS = {
    "add": "+", "sub": "-", "mul": "*", "truediv": "/", "floordiv": "//", "mod": "%", "pow": "**",
    "and_": "&", "or_": "|", "xor": "^", "lshift": "<<", "rshift": ">>",
    "eq": "==", "ne": "!=", "lt": "<", "le": "<=", "gt": ">", "ge": ">=",
}  # fmt: skip

_MIXED = "words of bits must be np.uint64 on both sides"

# Pattern of Numba's message -> explanation; the first match is used. Braces refer to the groups.
_EXPLANATIONS = (
    (
        r"No implementation of function Function\(.*?\) found for signature:\s*>>> (?:i?)(\w+)\(([^,()]+), ([^,()]+)\)",
        None,
    ),
    (
        r"No implementation of function Function\(.*?\) found for signature:\s*>>> (\S.*)",
        "compiled code has no {0}; use integers, floats, arrays and the Python that Numba supports",
    ),
    (
        r"Cannot unify (.+?) and (.+?) for '([^'.]+)",
        "the variable '{2}' is {0} on one path and {1} on another; give it one type",
    ),
    (r"Unknown attribute '(\w+)' of type (.+)", "{1} has no '{0}' in compiled code"),
    (
        r"Untyped global name '(\w+)':? .*<class '(\w+)'>",
        "'{0}' is a {1}, which compiled code cannot use; numbers, arrays and plain functions are fine",
    ),
    (
        r"The use of a reflected (\w+).*assigned to variable '(\w+)' in globals",
        "the global '{1}' is a {0}, which compiled code cannot use; make it a numpy array or a tuple",
    ),
    (
        r"Cannot modify readonly array",
        "it writes to a global array, which compiled code cannot; write only to arguments",
    ),
    (r"NameError: name '(\w+)' is not defined", "the name '{0}' is not defined"),
    (r"missing a required argument: '(\w+)'", "a call lacks the argument '{0}'"),
    (r"too many positional arguments", "a call gives too many arguments"),
    (r"Casting none to int64", "it returns None, but must return an integer on every path"),
    (r"unsupported opcode \(IMPORT_NAME\)", "compiled code cannot import; import at the top of the file"),
)


class CompileError(RamifyError):
    """A game's function that Numba cannot compile."""

    def __init__(self, file: str, function: str, line: int | None, reason: str) -> None:
        place = f"{function}() in {Path(file).name}" + (f", line {line}," if line else "")
        super().__init__(f"{place} does not compile: {reason}")
        self.function = function
        self.line = line
        self.reason = reason


def explain(error: Exception, file: str, kernel: str, functions: Mapping[str, object]) -> CompileError:
    """Explain a compile error. ``kernel``: the function asked for. ``functions``: all names of the author's file."""
    text = _without_types(str(error))
    inner = text.rpartition("raised a specific error:")[2]
    line = _line(inner, file) if inner != text or "Raised from" in text else None
    function = _function_at(line, file, functions)
    if function is None:
        named = [name for name in re.findall(r">>> (\w+)\(", text) if isinstance(functions.get(name), FunctionType)]
        function = named[-1] if named else kernel
        code = functions.get(function)
        line = code.__code__.co_firstlineno if isinstance(code, FunctionType) else None
    return CompileError(file, function, line, _reason(inner, error))


def _without_types(text: str) -> str:
    """Shorten the names of record types."""
    done = ""
    while "Record(" in text:
        before, _, rest = text.partition("Record(")
        depth = 1
        at = 0
        while depth and at < len(rest):
            depth += {"(": 1, ")": -1}.get(rest[at], 0)
            at += 1
        done += before + "record"
        text = rest[at:]
    return done + text


def _line(text: str, file: str) -> int | None:
    """Return the first line number of the author's file in the text."""
    name = re.escape(Path(file).name)
    found = re.search(rf'File "[^"]*{name}", line (\d+)|{name} \((\d+)\)', text)
    return int(found[1] or found[2]) if found else None


def _function_at(line: int | None, file: str, functions: Mapping[str, object]) -> str | None:
    """Return the name of the function that contains the line."""
    starts = {
        value.__code__.co_firstlineno: name
        for name, value in functions.items()
        if isinstance(value, FunctionType) and value.__code__.co_filename == file
    }
    before = [start for start in starts if line is not None and start <= line]
    return starts[max(before)] if before else None


def _reason(text: str, error: Exception) -> str:
    for pattern, explanation in _EXPLANATIONS:
        found = re.search(pattern, text)
        if found and explanation:
            return explanation.format(*(_plain(group) for group in found.groups()))
        if found and found[1] in _OPERATORS:
            left, right = _plain(found[2]), _plain(found[3])
            hint = f"; {_MIXED}" if "uint64" in (left, right) else ""
            return f"{left} {_OPERATORS[found[1]]} {right} is not possible in compiled code{hint}"
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    shown = [line for line in lines if "Failed in nopython mode" not in line] or [type(error).__name__]
    first = re.sub(r"^\w*Error: ", "", shown[0]).removesuffix(" Raised from None").rstrip(".")
    return first if "numba" in type(error).__module__ else f"Numba fails with {type(error).__name__}: {first}"


def _plain(kind: str) -> str:
    """Return the name of a type in plain words."""
    kind = re.sub(r"Literal\[(\w+)\]\(.*?\)", r"\1", kind.strip())
    return {"unicode_type": "text", "str": "text", "none": "None", "int": "int64"}.get(kind, kind)
