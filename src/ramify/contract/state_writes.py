"""Proofs that a function of a user's game does not change the state, from its source.

Kernels check at run time whether a question changes the state (``checked_kernels``), which costs more than a short
question itself. Most files show that none does: a question and the functions that it calls write only to the list that
they fill and to their own variables. What cannot be proved here is checked at run time.
"""

from __future__ import annotations

import ast
import builtins
import math
from functools import cache
from types import FunctionType, ModuleType
from typing import Any

import numpy as np

from ramify.core.kernels.source_digest import syntax
from ramify.core.numbers import bits

# Indices of the parameters that questions write to.
FILLED = {
    "legal": (2,),
    "legal_of": (3,),
    "chance_outcomes": (2, 3),
    "scores": (2,),
    "evaluate": (2,),
    "owners": (2,),
    "priors": (4,),
    "published_moves": (2, 3, 4),  # also the random number generator
    **dict.fromkeys(("sample", "heuristic", "published_heuristic"), (2,)),  # the random number generator
    **dict.fromkeys(("script", "heuristic_of"), (3,)),
}
HARMLESS = frozenset((abs, bool, float, int, len, max, min, range, round))
FRESH = (ast.BinOp, ast.Compare, ast.Constant, ast.UnaryOp)  # expressions whose values are no views of the state
REFUSED = (
    *(ast.AsyncFor, ast.Await, ast.ClassDef, ast.Global, ast.Lambda, ast.ListComp, ast.SetComp, ast.DictComp),
    *(ast.FunctionDef, ast.GeneratorExp, ast.Import, ast.ImportFrom, ast.Match, ast.NamedExpr, ast.Nonlocal),
    *(ast.Starred, ast.With, ast.Yield, ast.YieldFrom),
)

_UNFINISHED: set[object] = set()  # functions whose proofs have begun: recursion is not proved


def keeps_state(module: ModuleType, part: str) -> bool:
    """Return whether it is proved that a function of the game and ``over`` do not change the state."""
    numbers = scalar_fields(module.State, getattr(module, "Rules", None))
    return all(only_fills(getattr(module, name), frozenset(FILLED.get(name, ())), numbers) for name in {part, "over"})


def scalar_fields(*records: np.dtype[Any] | None) -> frozenset[str]:
    """Return the names of fields that are single numbers in every record that has them."""
    fields = [(name, record[name]) for record in records if record is not None for name in record.names or ()]
    return frozenset(name for name, _ in fields) - {name for name, kind in fields if kind.shape or kind.names}


@cache
def only_fills(function: object, filled: frozenset[int], numbers: frozenset[str]) -> bool:
    """Return whether a function writes to no array or record but its parameters of these indices."""
    tree = syntax(function) if isinstance(function, FunctionType) and function.__closure__ is None else None
    if tree is None or tree.args.vararg or tree.args.kwarg or tree.args.kwonlyargs or function in _UNFINISHED:
        return False
    lists = {tree.args.args[k].arg for k in filled if k < len(tree.args.args)}
    proof = _Proof(function, tree, lists, numbers)
    _UNFINISHED.add(function)
    try:
        return all(proof.allows(node) for statement in tree.body for node in ast.walk(statement))
    finally:
        _UNFINISHED.remove(function)


class _Proof:
    """What the statements of one function may do."""

    def __init__(self, function: Any, tree: ast.FunctionDef, lists: set[str], numbers: frozenset[str]) -> None:
        self.function, self.lists, self.numbers = function, lists, numbers
        # Variables that may be views of the state: an operation in place, such as +=, would change it.
        self.views = {argument.arg for argument in tree.args.args}
        for node in ast.walk(tree):
            if isinstance(node, ast.Assign):
                for target in node.targets:
                    self._bind(target, node.value)
            elif isinstance(node, ast.AnnAssign):
                self._bind(node.target, node.value)
            elif isinstance(node, ast.For):
                self._bind(node.target, ast.Constant(0) if self._called(node.iter) is range else None)

    def _bind(self, target: ast.expr, value: ast.expr | None) -> None:
        if isinstance(target, ast.Tuple | ast.List):
            pairs = isinstance(value, ast.Tuple) and len(value.elts) == len(target.elts)
            values = value.elts if pairs and isinstance(value, ast.Tuple) else [None] * len(target.elts)
            for one, its in zip(target.elts, values, strict=True):
                self._bind(one, its)
        elif isinstance(target, ast.Name) and not self._is_fresh(value):
            self.views.add(target.id)

    def _is_fresh(self, value: ast.expr | None) -> bool:
        """Return whether a value is known to be no view of the state or of the rules."""
        if isinstance(value, ast.Attribute):
            return value.attr in self.numbers
        return isinstance(value, FRESH) or self._is_number(self._called(value))

    def _called(self, node: ast.expr | None) -> object:
        """Return what a call calls, or None if that is not known."""
        if not isinstance(node, ast.Call):
            return None
        name, names = node.func, self.function.__globals__
        if isinstance(name, ast.Attribute) and isinstance(name.value, ast.Name):
            owner = None if name.value.id in self.function.__code__.co_varnames else names.get(name.value.id)
            return getattr(owner, name.attr, None) if isinstance(owner, ModuleType) else None
        if isinstance(name, ast.Name) and name.id not in self.function.__code__.co_varnames:
            return names.get(name.id, getattr(builtins, name.id, None))
        return None

    @staticmethod
    def _is_number(called: object) -> bool:
        """Return whether a call of this makes a number."""
        return (
            (isinstance(called, type) and issubclass(called, np.number | np.bool_))
            or called in (bool, float, int, len)
            or getattr(called, "__module__", None) in (math.__name__, bits.__name__)
        )

    def allows(self, node: ast.AST) -> bool:
        if isinstance(node, ast.Attribute | ast.Subscript) and not isinstance(node.ctx, ast.Load):
            return isinstance(node, ast.Subscript) and isinstance(node.value, ast.Name) and node.value.id in self.lists
        if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
            return node.id not in self.lists
        if isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Name):
            return node.target.id not in self.views
        if isinstance(node, ast.Call):
            return self._allows_call(node)
        return not isinstance(node, REFUSED)

    def _allows_call(self, node: ast.Call) -> bool:
        called = self._called(node)
        if called in HARMLESS or self._is_number(called):
            return True
        if not isinstance(called, FunctionType):
            return False
        if node.keywords or any(isinstance(argument, ast.Starred) for argument in node.args):
            return False
        passed = (k for k, one in enumerate(node.args) if isinstance(one, ast.Name) and one.id in self.lists)
        return only_fills(called, frozenset(passed), self.numbers)
