"""Eight words of bits at a time: 512 bits, which a processor handles in one to four instructions.

Written out for LLVM, which cannot know by itself that what is read and what is written do not overlap.
"""

import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic, overload

from ramify.core.kernels.compiling import HELPER
from ramify.core.kernels.pointers import array

EIGHT = 8
BYTES = 8 * EIGHT
_WORD = ir.IntType(64)
_WORDS = ir.VectorType(_WORD, EIGHT)


def and_rows(target, one, other, not_one, not_other):
    """Write what two rows of words have in common, each of them inverted by a mask before."""
    array(target, EIGHT, np.uint64)[:] = (array(one, EIGHT, np.uint64) ^ not_one) & (
        array(other, EIGHT, np.uint64) ^ not_other
    )


def copy_row(target, source, inverted):
    """Copy a row, inverted by a mask; what the words have set, in one word."""
    row = array(source, EIGHT, np.uint64) ^ inverted
    array(target, EIGHT, np.uint64)[:] = row
    return np.bitwise_or.reduce(row)


def select_row(target, source, inverted, instead, where):
    """Write a row inverted by a mask, but the word ``instead`` where a row of masks says so."""
    here = array(where, EIGHT, np.uint64)
    array(target, EIGHT, np.uint64)[:] = ((array(source, EIGHT, np.uint64) ^ inverted) & ~here) | (instead & here)


def swap_bits(one, other, shift, mask):
    """Exchange the high bits of one row with the low bits of another: those of the mask, ``shift`` places apart."""
    high, low = array(one, EIGHT, np.uint64), array(other, EIGHT, np.uint64)
    swap = ((high >> shift) ^ low) & mask
    low ^= swap
    high ^= swap << shift


def _load(builder, address):
    return builder.load(builder.inttoptr(address, _WORDS.as_pointer()), align=8)


def _store(builder, value, address):
    builder.store(value, builder.inttoptr(address, _WORDS.as_pointer()), align=8)


def _spread(builder, word):
    """A word in all places."""
    one = builder.insert_element(ir.Constant(_WORDS, ir.Undefined), word, ir.Constant(ir.IntType(32), 0))
    zeros = ir.Constant(ir.VectorType(ir.IntType(32), EIGHT), [0] * EIGHT)
    return builder.shuffle_vector(one, ir.Constant(_WORDS, ir.Undefined), zeros)


@intrinsic
def _both(typingctx, target, one, other, not_one, not_other):
    def generate(context, builder, signature, arguments):
        left = builder.xor(_load(builder, arguments[1]), _spread(builder, arguments[3]))
        right = builder.xor(_load(builder, arguments[2]), _spread(builder, arguments[4]))
        _store(builder, builder.and_(left, right), arguments[0])
        return context.get_dummy_value()

    return types.none(types.int64, types.int64, types.int64, types.uint64, types.uint64), generate


@intrinsic
def _copied(typingctx, target, source, inverted):
    def generate(context, builder, signature, arguments):
        row = builder.xor(_load(builder, arguments[1]), _spread(builder, arguments[2]))
        _store(builder, row, arguments[0])
        some = builder.extract_element(row, ir.Constant(ir.IntType(32), 0))
        for k in range(1, EIGHT):
            some = builder.or_(some, builder.extract_element(row, ir.Constant(ir.IntType(32), k)))
        return some

    return types.uint64(types.int64, types.int64, types.uint64), generate


@intrinsic
def _merged(typingctx, target, source, inverted, instead, where):
    def generate(context, builder, signature, arguments):
        row = builder.xor(_load(builder, arguments[1]), _spread(builder, arguments[2]))
        here = _load(builder, arguments[4])
        kept = builder.and_(row, builder.not_(here))
        _store(builder, builder.or_(kept, builder.and_(_spread(builder, arguments[3]), here)), arguments[0])
        return context.get_dummy_value()

    return types.none(types.int64, types.int64, types.uint64, types.uint64, types.int64), generate


@intrinsic
def _exchanged(typingctx, one, other, shift, mask):
    def generate(context, builder, signature, arguments):
        high, low = _load(builder, arguments[0]), _load(builder, arguments[1])
        places = _spread(builder, arguments[2])
        swap = builder.and_(builder.xor(builder.lshr(high, places), low), _spread(builder, arguments[3]))
        _store(builder, builder.xor(low, swap), arguments[1])
        _store(builder, builder.xor(high, builder.shl(swap, places)), arguments[0])
        return context.get_dummy_value()

    return types.none(types.int64, types.int64, types.uint64, types.uint64), generate


@overload(and_rows, jit_options=HELPER)
def _both_compiled(target, one, other, not_one, not_other):
    return lambda target, one, other, not_one, not_other: _both(target, one, other, not_one, not_other)


@overload(copy_row, jit_options=HELPER)
def _copied_compiled(target, source, inverted):
    return lambda target, source, inverted: _copied(target, source, inverted)


@overload(select_row, jit_options=HELPER)
def _merged_compiled(target, source, inverted, instead, where):
    return lambda target, source, inverted, instead, where: _merged(target, source, inverted, instead, where)


@overload(swap_bits, jit_options=HELPER)
def _exchanged_compiled(one, other, shift, mask):
    return lambda one, other, shift, mask: _exchanged(one, other, shift, mask)
