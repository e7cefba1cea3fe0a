"""Decides which plain functions can be compiled for four arms at a time (``lanes``), by following their syntax.

A function is vectorizable if it is a formula of lanes and numbers: assignments, arithmetic, ``max``, ``min``, ``abs``,
``sqrt``, ``log``, ``exp``, ``where``, ``anywhere``, and ``if`` on numbers, which are the same for all arms. Anything
else is compiled as a loop over single arms.
"""

import ast
import builtins
import math
from types import ModuleType

import numpy as np

from ramify.core.kernels.source_digest import syntax
from ramify.core.vector.lanes import BINARY_FUNCTIONS, UNARY_FUNCTIONS, anywhere, where

LANES, MASK, NUMBER, ARRAY = "lanes", "mask", "number", "array"

_SIGNS = (ast.Add, ast.Sub, ast.Mult, ast.Div)
_COMPARISONS = (ast.Lt, ast.LtE, ast.Gt, ast.GtE, ast.Eq, ast.NotEq)


class _NotVectorizableError(Exception):
    """The function contains something else."""


def is_vectorizable(function, kinds):
    """Whether a function can be compiled for lanes; ``kinds``: the kind of each parameter."""
    tree = syntax(function)
    if tree is None or tree.decorator_list or set(kinds) != {a.arg for a in tree.args.args}:
        return False
    reader = _Reader(function.__globals__, kinds)
    try:
        ends = reader.block(tree.body, dict(kinds))
    except _NotVectorizableError:
        return False
    return ends and reader.returned in ({LANES}, {NUMBER})


def _need(condition):
    if not condition:
        raise _NotVectorizableError


class _Reader:
    """Follows a function's statements. ``held``: the kind of value of each name at that point."""

    def __init__(self, names, parameters):
        self.names = names
        self.kinds = dict(parameters)
        self.floats = set(parameters)  # names that are always floats
        self.returned = set()

    def block(self, statements, held):
        """Follow statements. Return whether they always end in a ``return``."""
        for statement in statements:
            match statement:
                case ast.Expr(ast.Constant()) | ast.Pass():
                    pass
                case ast.Assign([ast.Name(name)], value):
                    self.assign(name, self.kind(value, held), held)
                case ast.AugAssign(ast.Name(name) as target, sign, value):
                    self.assign(name, self.kind(ast.BinOp(target, sign, value), held), held)
                case ast.Return(value) if value is not None:
                    self.returned.add(self.kind(value, held))
                    return True
                case ast.If(test, body, otherwise):
                    _need(self.kind(test, held) == NUMBER)
                    one, other = dict(held), dict(held)
                    ends = self.block(body, one), self.block(otherwise, other)
                    if all(ends):
                        return True
                    one, other = (other if ends[0] else one), (one if ends[1] else other)
                    held.clear()
                    held.update({name: kind for name, kind in one.items() if other.get(name) == kind})
                case _:
                    raise _NotVectorizableError
        return False

    def assign(self, name, kind, held):
        """Set the kind of a name. A name may not change its kind."""
        _need(self.kinds.setdefault(name, kind) == kind)
        held[name] = kind
        self.floats.discard(name)

    def kind(self, expression, held):  # noqa: PLR0911  (one for each kind of expression)
        """Return the kind of an expression."""
        match expression:
            case ast.Constant(bool() | int() | float()):
                return NUMBER
            case ast.Name(name) if name in held:
                return held[name]
            case ast.Name() | ast.Attribute():
                value = self.value(expression, held)
                _need(isinstance(value, int | float | np.ndarray))
                return ARRAY if isinstance(value, np.ndarray) else NUMBER
            case ast.UnaryOp(sign, value):
                kind = self.kind(value, held)
                _need(kind == NUMBER or (kind == LANES and isinstance(sign, ast.USub)))
                return kind
            case ast.BinOp(left, sign, right):
                kinds = self.kind(left, held), self.kind(right, held)
                exact = isinstance(sign, _SIGNS) or (isinstance(sign, ast.Pow) and self.is_float(right))
                return self.mixed(kinds, exact)
            case ast.Compare(left, [sign], [right]):
                kinds = self.kind(left, held), self.kind(right, held)
                return MASK if self.mixed(kinds, isinstance(sign, _COMPARISONS)) == LANES else NUMBER
            case ast.BoolOp(_, values):
                return self.mixed([self.kind(value, held) for value in values], lanes=False)
            case ast.IfExp(test, then, otherwise):
                kinds = self.kind(then, held), self.kind(otherwise, held)
                _need(self.kind(test, held) == NUMBER and kinds[0] == kinds[1])
                return kinds[0]
            case ast.Subscript(of, place):
                _need(self.kind(of, held) == ARRAY and self.kind(place, held) == NUMBER)
                return NUMBER
            case ast.Call(function, values, []):
                return self.called(self.value(function, held), [self.kind(value, held) for value in values])
        raise _NotVectorizableError

    def called(self, function, kinds):
        """Return the kind of a call."""
        if function is anywhere:
            _need(len(kinds) == 1 and kinds[0] in (MASK, NUMBER))
            return NUMBER
        if function is where:
            _need(len(kinds) == 3 and kinds[0] in (MASK, NUMBER))
            of_both = self.mixed(kinds[1:])
            return LANES if kinds[0] == MASK else of_both
        if any(function is known for known in BINARY_FUNCTIONS):
            return self.mixed(kinds, lanes=len(kinds) == 2)
        if any(function is known for known in UNARY_FUNCTIONS):
            return self.mixed(kinds, lanes=len(kinds) == 1)
        _need(function is float or getattr(math, getattr(function, "__name__", ""), None) is function)
        return self.mixed(kinds, lanes=False)

    def mixed(self, kinds, lanes=True):
        """Return the kind of an operation on numbers and, if ``lanes``, on lanes."""
        _need(all(kind == NUMBER or (lanes and kind == LANES) for kind in kinds))
        return LANES if LANES in kinds else NUMBER

    def is_float(self, expression):
        """Whether a number is certainly a float: integer powers are computed differently."""
        match expression:
            case ast.Constant(value):
                return isinstance(value, float)
            case ast.UnaryOp(ast.USub(), value):
                return self.is_float(value)
            case ast.Name(name):
                return name in self.floats
        return False

    def value(self, expression, held):
        """Return the global value of a name, or of a module's attribute."""
        match expression:
            case ast.Name(name) if name not in held:
                return self.names.get(name, getattr(builtins, name, None))
            case ast.Attribute(ast.Name(name), member) if isinstance(self.names.get(name), ModuleType):
                return getattr(self.names[name], member, None)
        raise _NotVectorizableError
