"""Four floats at a time: a formula written for one arm, compiled for four (docs/policies.md).

``LANES`` exists only in compiled code. Each lane is rounded like a single float, so a formula gives the same bits
either way. A comparison gives a ``MASK``, one bit per lane. Neither can be tested by ``if``; use ``where`` and
``anywhere``. ``vectorizable`` decides which functions can be compiled for lanes.
"""

import math
import operator
from itertools import product

from llvmlite import ir
from numba import types
from numba.extending import intrinsic, lower_builtin, models, overload, register_model, type_callable

from ramify.core.kernels.compiling import INLINED
from ramify.core.kernels.numba_internals import outer_function

WIDTH = 4

INT = ir.IntType(32)
WORD = ir.IntType(64)
FLOAT = ir.DoubleType()
FLOATS = ir.VectorType(FLOAT, WIDTH)
WORDS = ir.VectorType(WORD, WIDTH)
ORDER = ir.VectorType(INT, WIDTH)
_BITS = ir.VectorType(ir.IntType(1), WIDTH)


class Lanes(types.Type):
    """Numba type of four floats."""


class Mask(types.Type):
    """Numba type of a comparison of lanes."""


LANES = Lanes("Lanes")
MASK = Mask("Mask")


@register_model(Lanes)
class _Model(models.PrimitiveModel):
    def __init__(self, manager, kind):
        super().__init__(manager, kind, FLOATS)


@register_model(Mask)
class _MaskModel(models.PrimitiveModel):
    def __init__(self, manager, kind):
        super().__init__(manager, kind, _BITS)


def splat(builder, number, vector=FLOATS):
    """Emit code that copies a number to every lane."""
    nothing = ir.Constant(vector, ir.Undefined)
    one = builder.insert_element(nothing, number, INT(0))
    return builder.shuffle_vector(one, nothing, ir.Constant(ORDER, [0] * WIDTH))


def as_lanes(context, builder, kind, value):
    """Emit code that converts a number to lanes; lanes are unchanged."""
    return value if kind == LANES else splat(builder, context.cast(builder, value, kind, types.float64))


def _define(function, arity, emit, result=LANES):
    """Define ``function`` for lanes, or for lanes and numbers."""

    def answer(*kinds):
        return result if LANES in kinds and all(isinstance(kind, Lanes | types.Number) for kind in kinds) else None

    @type_callable(function)
    def _typing(context):
        return (lambda a: answer(a)) if arity == 1 else (lambda a, b: answer(a, b))

    def generate(context, builder, signature, values):
        lanes = [as_lanes(context, builder, *pair) for pair in zip(signature.args, values, strict=True)]
        return emit(builder, *lanes)

    for kinds in product((LANES, types.Number), repeat=arity):
        if LANES in kinds:
            lower_builtin(function, *kinds)(generate)


def _library(name):
    kind = ir.FunctionType(FLOATS, [FLOATS])
    return lambda b, x: b.call(outer_function(b.module, kind, f"llvm.{name}.v{WIDTH}f64"), [x])


def larger(builder, x, y):
    """Like Python's ``max``: x unless y is larger."""
    return builder.select(builder.fcmp_ordered(">", y, x), y, x)


def _smaller(builder, x, y):
    return builder.select(builder.fcmp_ordered("<", y, x), y, x)


def _power(builder, x, y):
    """Call ``pow`` per lane. Unlike LLVM's intrinsic, the compiler does not evaluate it speculatively."""
    function = outer_function(builder.module, ir.FunctionType(FLOAT, [FLOAT] * 2), "pow")
    powers = ir.Constant(FLOATS, ir.Undefined)
    for lane in range(WIDTH):
        both = [builder.extract_element(vector, INT(lane)) for vector in (x, y)]
        powers = builder.insert_element(powers, builder.call(function, both), INT(lane))
    return powers


_ARITHMETIC = {
    (operator.add, operator.iadd): lambda b, x, y: b.fadd(x, y),
    (operator.sub, operator.isub): lambda b, x, y: b.fsub(x, y),
    (operator.mul, operator.imul): lambda b, x, y: b.fmul(x, y),
    (operator.truediv, operator.itruediv): lambda b, x, y: b.fdiv(x, y),
    (operator.pow, operator.ipow): _power,
}
_COMPARISONS = {
    operator.lt: "<",
    operator.le: "<=",
    operator.gt: ">",
    operator.ge: ">=",
    operator.eq: "==",
    operator.ne: "!=",
}
_PAIRS = {max: larger, min: _smaller}
_SINGLES = {
    operator.neg: lambda b, x: b.fneg(x),
    abs: _library("fabs"),
    math.sqrt: _library("sqrt"),
    math.log: _library("log"),
    math.exp: _library("exp"),
}

for _functions, _emit in _ARITHMETIC.items():
    for _function in _functions:
        _define(_function, 2, _emit)
for _function, _emit in _PAIRS.items():
    _define(_function, 2, _emit)
for _function, _emit in _SINGLES.items():
    _define(_function, 1, _emit)
for _function, _sign in _COMPARISONS.items():
    # As for single floats: NaN equals nothing and is unequal to everything.
    _compare = "fcmp_unordered" if _sign == "!=" else "fcmp_ordered"
    _define(_function, 2, lambda b, x, y, how=_compare, sign=_sign: getattr(b, how)(sign, x, y), MASK)


def where(condition, then, otherwise):
    """Return ``then`` if the condition holds, else ``otherwise``; per lane for four arms. Both are computed."""
    return then if condition else otherwise


def anywhere(condition):
    """Whether the condition holds; for four arms, whether it holds in any lane."""
    return condition


@intrinsic
def _where(typingctx, condition, then, otherwise):
    def generate(context, builder, signature, values):
        lanes = [as_lanes(context, builder, *pair) for pair in zip(signature.args[1:], values[1:], strict=True)]
        return builder.select(values[0], *lanes)

    return LANES(condition, then, otherwise), generate


@intrinsic
def _anywhere(typingctx, mask):
    def generate(context, builder, signature, values):
        bits = builder.bitcast(values[0], ir.IntType(WIDTH))
        return builder.icmp_unsigned("!=", bits, ir.Constant(bits.type, 0))

    return types.boolean(MASK), generate


@overload(where, jit_options=INLINED)
def _where_compiled(condition, then, otherwise):
    if isinstance(condition, Mask) or LANES in (then, otherwise):
        return lambda condition, then, otherwise: _where(condition, then, otherwise)
    return lambda condition, then, otherwise: then if condition else otherwise


@overload(anywhere, jit_options=INLINED)
def _anywhere_compiled(condition):
    return (lambda condition: _anywhere(condition)) if condition == MASK else (lambda condition: condition)


# Functions that a vectorizable formula may call, of two numbers and of one.
BINARY_FUNCTIONS, UNARY_FUNCTIONS = tuple(_PAIRS), (abs, math.sqrt, math.log, math.exp)
