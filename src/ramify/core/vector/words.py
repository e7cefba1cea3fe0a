"""Bit operations on rows of eight words (512 bits), which take one to four CPU instructions.

Emitted as LLVM vectors, because LLVM cannot infer that the rows read and written do not overlap.
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
    """Write ``(one ^ not_one) & (other ^ not_other)`` to ``target``, word by word."""
    array(target, EIGHT, np.uint64)[:] = (array(one, EIGHT, np.uint64) ^ not_one) & (
        array(other, EIGHT, np.uint64) ^ not_other
    )


def copy_row(target, source, inverted):
    """Copy a row XORed with ``inverted``. Return the OR of its words."""
    row = array(source, EIGHT, np.uint64) ^ inverted
    array(target, EIGHT, np.uint64)[:] = row
    return np.bitwise_or.reduce(row)


def select_row(target, source, inverted, instead, where):
    """Write a row XORed with ``inverted``, but with the bits of ``instead`` where the mask row ``where`` is set."""
    here = array(where, EIGHT, np.uint64)
    array(target, EIGHT, np.uint64)[:] = ((array(source, EIGHT, np.uint64) ^ inverted) & ~here) | (instead & here)


def swap_bits(one, other, shift, mask):
    """Swap the bits ``mask << shift`` of one row with the bits ``mask`` of another."""
    high, low = array(one, EIGHT, np.uint64), array(other, EIGHT, np.uint64)
    swap = ((high >> shift) ^ low) & mask
    low ^= swap
    high ^= swap << shift


def _load(builder, address):
    return builder.load(builder.inttoptr(address, _WORDS.as_pointer()), align=8)


def _store(builder, value, address):
    builder.store(value, builder.inttoptr(address, _WORDS.as_pointer()), align=8)


def _splat(builder, word):
    """Copy a word to all lanes."""
    one = builder.insert_element(ir.Constant(_WORDS, ir.Undefined), word, ir.Constant(ir.IntType(32), 0))
    zeros = ir.Constant(ir.VectorType(ir.IntType(32), EIGHT), [0] * EIGHT)
    return builder.shuffle_vector(one, ir.Constant(_WORDS, ir.Undefined), zeros)


@intrinsic
def _and_rows(typingctx, target, one, other, not_one, not_other):
    def generate(context, builder, signature, arguments):
        left = builder.xor(_load(builder, arguments[1]), _splat(builder, arguments[3]))
        right = builder.xor(_load(builder, arguments[2]), _splat(builder, arguments[4]))
        _store(builder, builder.and_(left, right), arguments[0])
        return context.get_dummy_value()

    return types.none(types.int64, types.int64, types.int64, types.uint64, types.uint64), generate


@intrinsic
def _copy_row(typingctx, target, source, inverted):
    def generate(context, builder, signature, arguments):
        row = builder.xor(_load(builder, arguments[1]), _splat(builder, arguments[2]))
        _store(builder, row, arguments[0])
        some = builder.extract_element(row, ir.Constant(ir.IntType(32), 0))
        for k in range(1, EIGHT):
            some = builder.or_(some, builder.extract_element(row, ir.Constant(ir.IntType(32), k)))
        return some

    return types.uint64(types.int64, types.int64, types.uint64), generate


@intrinsic
def _select_row(typingctx, target, source, inverted, instead, where):
    def generate(context, builder, signature, arguments):
        row = builder.xor(_load(builder, arguments[1]), _splat(builder, arguments[2]))
        here = _load(builder, arguments[4])
        kept = builder.and_(row, builder.not_(here))
        _store(builder, builder.or_(kept, builder.and_(_splat(builder, arguments[3]), here)), arguments[0])
        return context.get_dummy_value()

    return types.none(types.int64, types.int64, types.uint64, types.uint64, types.int64), generate


@intrinsic
def _swap_bits(typingctx, one, other, shift, mask):
    def generate(context, builder, signature, arguments):
        high, low = _load(builder, arguments[0]), _load(builder, arguments[1])
        places = _splat(builder, arguments[2])
        swap = builder.and_(builder.xor(builder.lshr(high, places), low), _splat(builder, arguments[3]))
        _store(builder, builder.xor(low, swap), arguments[1])
        _store(builder, builder.xor(high, builder.shl(swap, places)), arguments[0])
        return context.get_dummy_value()

    return types.none(types.int64, types.int64, types.uint64, types.uint64), generate


@overload(and_rows, jit_options=HELPER)
def _and_rows_compiled(target, one, other, not_one, not_other):
    return lambda target, one, other, not_one, not_other: _and_rows(target, one, other, not_one, not_other)


@overload(copy_row, jit_options=HELPER)
def _copy_row_compiled(target, source, inverted):
    return lambda target, source, inverted: _copy_row(target, source, inverted)


@overload(select_row, jit_options=HELPER)
def _select_row_compiled(target, source, inverted, instead, where):
    return lambda target, source, inverted, instead, where: _select_row(target, source, inverted, instead, where)


@overload(swap_bits, jit_options=HELPER)
def _swap_bits_compiled(one, other, shift, mask):
    return lambda one, other, shift, mask: _swap_bits(one, other, shift, mask)
