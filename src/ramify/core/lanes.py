"""Four floats at a time: a formula written for one arm, compiled for four (docs/policies.md).

``LANES`` is a type of compiled code only. Its arithmetic goes lane by lane, each lane rounded as a single float would
be, so a formula gives the same bits either way. A comparison gives a ``MASK``, yes or no for each lane. There is no
``if`` on these; ``where`` and ``anywhere`` stand for it. ``core.formulas`` tells which functions can be compiled so.
"""

import math
import operator
from itertools import product

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.core.datamodel import PrimitiveModel
from numba.extending import intrinsic, lower_builtin, overload, register_model, type_callable

from ramify.core.bits import ZERO, lowest, nth, popcount
from ramify.core.compiling import INLINED, jit
from ramify.core.logs import KNOWN
from ramify.core.rng import below

WIDTH = 4

_INT = ir.IntType(32)
_WORD = ir.IntType(64)
_FLOAT = ir.DoubleType()
_FLOATS = ir.VectorType(_FLOAT, WIDTH)
_WORDS = ir.VectorType(_WORD, WIDTH)
_ORDER = ir.VectorType(_INT, WIDTH)
_BITS = ir.VectorType(ir.IntType(1), WIDTH)


class Lanes(types.Type):
    """Numba's name for them."""


class Mask(types.Type):
    """The same of a comparison."""


LANES = Lanes("Lanes")
MASK = Mask("Mask")


@register_model(Lanes)
class _Model(PrimitiveModel):
    def __init__(self, manager, kind):
        super().__init__(manager, kind, _FLOATS)


@register_model(Mask)
class _MaskModel(PrimitiveModel):
    def __init__(self, manager, kind):
        super().__init__(manager, kind, _BITS)


def _in_every_lane(builder, number, vector=_FLOATS):
    nothing = ir.Constant(vector, ir.Undefined)
    one = builder.insert_element(nothing, number, _INT(0))
    return builder.shuffle_vector(one, nothing, ir.Constant(_ORDER, [0] * WIDTH))


def _as_lanes(context, builder, kind, value):
    return value if kind == LANES else _in_every_lane(builder, context.cast(builder, value, kind, types.float64))


def _define(function, arity, emit, result=LANES):
    """Let compiled code apply ``function`` to lanes, or to lanes and numbers."""

    def answer(*kinds):
        return result if LANES in kinds and all(isinstance(kind, Lanes | types.Number) for kind in kinds) else None

    @type_callable(function)
    def _typing(context):
        return (lambda a: answer(a)) if arity == 1 else (lambda a, b: answer(a, b))

    def generate(context, builder, signature, values):
        lanes = [_as_lanes(context, builder, *pair) for pair in zip(signature.args, values, strict=True)]
        return emit(builder, *lanes)

    for kinds in product((LANES, types.Number), repeat=arity):
        if LANES in kinds:
            lower_builtin(function, *kinds)(generate)


def _library(name):
    kind = ir.FunctionType(_FLOATS, [_FLOATS])
    return lambda b, x: b.call(cgutils.get_or_insert_function(b.module, kind, f"llvm.{name}.v{WIDTH}f64"), [x])


def _larger(builder, x, y):
    """As Python's ``max``: x unless y is larger."""
    return builder.select(builder.fcmp_ordered(">", y, x), y, x)


def _smaller(builder, x, y):
    return builder.select(builder.fcmp_ordered("<", y, x), y, x)


def _power(builder, x, y):
    """One lane after the other: a call that the compiler does not make before it is wanted, unlike its own power."""
    function = cgutils.get_or_insert_function(builder.module, ir.FunctionType(_FLOAT, [_FLOAT] * 2), "pow")
    powers = ir.Constant(_FLOATS, ir.Undefined)
    for lane in range(WIDTH):
        both = [builder.extract_element(vector, _INT(lane)) for vector in (x, y)]
        powers = builder.insert_element(powers, builder.call(function, both), _INT(lane))
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
_PAIRS = {max: _larger, min: _smaller}
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
    # As of single floats: nothing is equal to NaN, everything unequal.
    _compare = "fcmp_unordered" if _sign == "!=" else "fcmp_ordered"
    _define(_function, 2, lambda b, x, y, how=_compare, sign=_sign: getattr(b, how)(sign, x, y), MASK)


def where(condition, then, otherwise):
    """The one number or the other, by a condition; of four arms at a time for each arm. Both are computed."""
    return then if condition else otherwise


def anywhere(condition):
    """Whether the condition holds; of four arms at a time, whether it does for one of them."""
    return condition


@intrinsic
def _where(typingctx, condition, then, otherwise):
    def generate(context, builder, signature, values):
        lanes = [_as_lanes(context, builder, *pair) for pair in zip(signature.args[1:], values[1:], strict=True)]
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


# What a formula may call: these of two numbers, these of one.
OF_TWO, OF_ONE = tuple(_PAIRS), (abs, math.sqrt, math.log, math.exp)


@intrinsic
def in_every_lane(typingctx, number):
    """The number in every lane."""

    def generate(context, builder, signature, values):
        return _in_every_lane(builder, values[0])

    return LANES(types.float64), generate


def _gather(builder, address, stride, item):
    lanes = ir.Constant(ir.VectorType(item, WIDTH), ir.Undefined)
    for lane in range(WIDTH):
        place = builder.inttoptr(builder.add(address, builder.mul(_WORD(lane), stride)), item.as_pointer())
        lanes = builder.insert_element(lanes, builder.load(place), _INT(lane))
    return lanes


@intrinsic
def ints_at(typingctx, address, stride):
    """Four int32 that stand ``stride`` bytes apart."""

    def generate(context, builder, signature, values):
        return builder.sitofp(_gather(builder, *values, _INT), _FLOATS)

    return LANES(types.int64, types.int64), generate


@intrinsic
def floats_at(typingctx, address, stride):
    """The same of float64."""

    def generate(context, builder, signature, values):
        return _gather(builder, *values, _FLOAT)

    return LANES(types.int64, types.int64), generate


@intrinsic
def singles_at(typingctx, address, stride):
    """The same of float32."""

    def generate(context, builder, signature, values):
        return builder.fpext(_gather(builder, *values, ir.FloatType()), _FLOATS)

    return LANES(types.int64, types.int64), generate


@intrinsic
def _looked_up(typingctx, table, lanes):
    """Numbers of a table of float64, at places that are whole numbers."""

    def generate(context, builder, signature, values):
        places = builder.fptosi(values[1], _WORDS)
        found = ir.Constant(_FLOATS, ir.Undefined)
        for lane in range(WIDTH):
            offset = builder.mul(builder.extract_element(places, _INT(lane)), _WORD(8))
            place = builder.inttoptr(builder.add(values[0], offset), _FLOAT.as_pointer())
            found = builder.insert_element(found, builder.load(place), _INT(lane))
        return found

    return LANES(types.int64, LANES), generate


@jit
def ln_of_lanes(table, counts):
    """Logarithms of whole numbers, 0 for 0; ``table`` is the address of ``core.logs.TABLE``."""
    if anywhere(counts >= KNOWN):
        return math.log(max(counts, 1.0))
    return _looked_up(table, counts)


@intrinsic
def write(typingctx, address, lanes):
    """Write four float64 side by side."""

    def generate(context, builder, signature, values):
        builder.store(values[1], builder.inttoptr(values[0], _FLOATS.as_pointer()), align=8)
        return context.get_dummy_value()

    return types.none(types.int64, LANES), generate


@intrinsic
def read(typingctx, address):
    """Read four float64 that stand side by side."""

    def generate(context, builder, signature, values):
        return builder.load(builder.inttoptr(values[0], _FLOATS.as_pointer()), align=8)

    return LANES(types.int64), generate


@intrinsic
def replace_zeros(typingctx, lanes, number, otherwise):
    """The number where a lane is zero, elsewhere the lane of ``otherwise``, or that number."""

    def generate(context, builder, signature, values):
        zero = builder.fcmp_ordered("==", values[0], ir.Constant(_FLOATS, [0.0] * WIDTH))
        other = _as_lanes(context, builder, otherwise, values[2])
        return builder.select(zero, _in_every_lane(builder, values[1]), other)

    return LANES(LANES, types.float64, otherwise), generate


@intrinsic
def only_first(typingctx, lanes, count):
    """The first ``count`` lanes, or the number in them; NaN in the others, which no comparison finds."""

    def generate(context, builder, signature, values):
        limit = _in_every_lane(builder, values[1], _WORDS)
        inside = builder.icmp_signed("<", ir.Constant(_WORDS, list(range(WIDTH))), limit)
        values = _as_lanes(context, builder, lanes, values[0])
        return builder.select(inside, values, ir.Constant(_FLOATS, [math.nan] * WIDTH))

    return LANES(lanes, types.int64), generate


@intrinsic
def largest(typingctx, lanes):
    """The largest lane."""

    def generate(context, builder, signature, values):
        best = values[0]
        for turn in (2, 1):
            order = ir.Constant(_ORDER, [(lane + turn) % WIDTH for lane in range(WIDTH)])
            best = _larger(builder, best, builder.shuffle_vector(best, best, order))
        return builder.extract_element(best, _INT(0))

    return types.float64(LANES), generate


@intrinsic
def equal(typingctx, lanes, number):
    """A bit for every lane that equals the number."""

    def generate(context, builder, signature, values):
        same = builder.fcmp_ordered("==", values[0], _in_every_lane(builder, values[1]))
        return builder.zext(builder.bitcast(same, ir.IntType(WIDTH)), _WORD)

    return types.uint64(LANES, types.float64), generate


@jit
def one_of(rng, hits):
    """The place of a bit; of several, an even draw."""
    ties = popcount(hits)
    if ties > 1:
        return nth(hits, below(rng, ties))
    return lowest(hits) if ties == 1 else 0


@jit
def argmax_of_lanes(rng, values, count, best):
    """The place of ``best``, the largest of the values at an address; of several, an even draw."""
    ties = 0
    winner = 0
    for k in range(0, count, WIDTH):
        hits = equal(read(values + 8 * k), best)
        ties += popcount(hits)
        winner = k + lowest(hits) if hits != ZERO else winner
    if ties <= 1:
        return winner
    chosen = below(rng, ties)
    for k in range(0, count, WIDTH):
        hits = equal(read(values + 8 * k), best)
        here = popcount(hits)
        if chosen < here:
            return k + nth(hits, chosen)
        chosen -= here
    return winner


# What a kernel over lanes uses of this file.
NAMES = (
    "WIDTH",
    "in_every_lane",
    "ints_at",
    "floats_at",
    "singles_at",
    "ln_of_lanes",
    "write",
    "replace_zeros",
    "only_first",
    "largest",
    "equal",
    "one_of",
    "argmax_of_lanes",
)
