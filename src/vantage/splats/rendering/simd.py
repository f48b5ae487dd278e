"""Vectors of 16 float32 values inside compiled kernels: each operation becomes vector instructions for certain.

Left to itself, the compiler keeps the renderer's loops scalar. These types are LLVM vectors, which it maps to one
512-bit register, two of 256 bits or four of 128, whatever the machine has. They exist only inside kernels (``jit``);
``+ - * /``, comparisons and ``&`` work between vectors, and between a vector and a scalar. Products and sums may be
fused, nothing is reordered. None of the memory functions checks an index.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

from vantage import jit  # noqa: F401  # before Numba, which it imports faster

# isort: split
import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic, lower_builtin, models, register_model, type_callable

LANES = 16

_FLOAT, _INT, _BIT = ir.FloatType(), ir.IntType(32), ir.IntType(1)
_FLOATS, _INTS = ir.VectorType(_FLOAT, LANES), ir.VectorType(_INT, LANES)
_FUSED = ("contract", "nsz")


def _vector_type(name: str, layout: ir.Type) -> types.Type:
    kind = type(name, (types.Type,), {"__init__": lambda self: types.Type.__init__(self, name=name)})
    model = type(
        f"{name}_model",
        (models.PrimitiveModel,),
        {
            "__init__": lambda self, manager, numba_type: models.PrimitiveModel.__init__(
                self, manager, numba_type, layout
            )
        },
    )
    register_model(kind)(model)
    return kind()


floats = _vector_type("float32x16", _FLOATS)
masks = _vector_type("maskx16", ir.VectorType(_BIT, LANES))

Emit = Callable[..., Any]


def _constant(value: float) -> Any:
    return ir.Constant(_FLOATS, [float(np.float32(value))] * LANES)


def _spread(builder: Any, value: Any) -> Any:
    """One scalar in all lanes."""
    if value.type != _FLOAT:
        value = builder.fptrunc(value, _FLOAT)
    first = builder.insert_element(ir.Constant(_FLOATS, ir.Undefined), value, ir.Constant(_INT, 0))
    return builder.shuffle_vector(first, first, ir.Constant(_INTS, [0] * LANES))


def _built_in(builder: Any, name: str, *arguments: Any) -> Any:
    """A function of LLVM from vectors to a vector, such as ``sqrt``."""
    full = f"llvm.{name}.v{LANES}f32"
    module = builder.module
    function = module.globals.get(full) or ir.Function(
        module, ir.FunctionType(_FLOATS, [_FLOATS] * len(arguments)), full
    )
    return builder.call(function, arguments)


def _define_operator(symbol: Any, result: types.Type, emit: Emit) -> None:
    """Let an operator of Python take two vectors, or a vector and a scalar."""

    @type_callable(symbol)  # type: ignore[untyped-decorator]
    def _type(context: Any) -> Any:
        def typer(x: Any, y: Any) -> Any:
            scalars = isinstance(x, types.Float) or isinstance(y, types.Float)
            return result if (x is floats and y is floats) or (scalars and (x is floats or y is floats)) else None

        return typer

    for x, y in ((floats, floats), (floats, types.Float), (types.Float, floats)):

        @lower_builtin(symbol, x, y)  # type: ignore[untyped-decorator]
        def _lower(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            left, right = (a if a.type == _FLOATS else _spread(builder, a) for a in arguments)
            return emit(builder, left, right)


_define_operator(operator.add, floats, lambda b, x, y: b.fadd(x, y, flags=_FUSED))
_define_operator(operator.sub, floats, lambda b, x, y: b.fsub(x, y, flags=_FUSED))
_define_operator(operator.mul, floats, lambda b, x, y: b.fmul(x, y, flags=_FUSED))
_define_operator(operator.truediv, floats, lambda b, x, y: b.fdiv(x, y, flags=_FUSED))
_define_operator(operator.gt, masks, lambda b, x, y: b.fcmp_ordered(">", x, y))
_define_operator(operator.ge, masks, lambda b, x, y: b.fcmp_ordered(">=", x, y))
_define_operator(operator.lt, masks, lambda b, x, y: b.fcmp_ordered("<", x, y))
_define_operator(operator.le, masks, lambda b, x, y: b.fcmp_ordered("<=", x, y))


@type_callable(operator.and_)  # type: ignore[untyped-decorator]
def _type_and(context: Any) -> Any:
    return lambda x, y: masks if x is masks and y is masks else None


@lower_builtin(operator.and_, masks, masks)  # type: ignore[untyped-decorator]
def _lower_and(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
    return builder.and_(*arguments)


@type_callable(operator.neg)  # type: ignore[untyped-decorator]
def _type_neg(context: Any) -> Any:
    return lambda x: floats if x is floats else None


@lower_builtin(operator.neg, floats)  # type: ignore[untyped-decorator]
def _lower_neg(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
    return builder.fneg(arguments[0])


def _nullary(result: types.Type, emit: Emit) -> Any:
    def function(context: Any) -> Any:
        return result(), lambda _context, builder, _signature, arguments: emit(builder)

    return intrinsic(function)


def _unary(result: types.Type, x: types.Type, emit: Emit) -> Any:
    def function(context: Any, a: Any) -> Any:
        return result(x), lambda _context, builder, _signature, arguments: emit(builder, *arguments)

    return intrinsic(function)


def _binary(result: types.Type, x: types.Type, y: types.Type, emit: Emit) -> Any:
    def function(context: Any, a: Any, b: Any) -> Any:
        return result(x, y), lambda _context, builder, _signature, arguments: emit(builder, *arguments)

    return intrinsic(function)


def _ternary(result: types.Type, x: types.Type, y: types.Type, z: types.Type, emit: Emit) -> Any:
    def function(context: Any, a: Any, b: Any, c: Any) -> Any:
        return result(x, y, z), lambda _context, builder, _signature, arguments: emit(builder, *arguments)

    return intrinsic(function)


def lanes(values: Any) -> Any:
    """A function of no arguments, for use in kernels, that gives 16 fixed values."""
    constant = ir.Constant(_FLOATS, [float(np.float32(value)) for value in values])
    return _nullary(floats, lambda builder: constant)


splat = _unary(floats, types.float32, _spread)
minimum = _binary(floats, floats, floats, lambda b, x, y: b.select(b.fcmp_ordered("<", x, y), x, y))
maximum = _binary(floats, floats, floats, lambda b, x, y: b.select(b.fcmp_ordered(">", x, y), x, y))
square_root = _unary(floats, floats, lambda b, x: _built_in(b, "sqrt", x))
floor = _unary(floats, floats, lambda b, x: _built_in(b, "floor", x))
ceil = _unary(floats, floats, lambda b, x: _built_in(b, "ceil", x))
where = _ternary(floats, masks, floats, floats, lambda b, mask, x, y: b.select(mask, x, y))
"""``where(mask, x, y)``: x in the lanes of the mask, y in the others."""

bits = _unary(types.int64, masks, lambda b, mask: b.zext(b.bitcast(mask, ir.IntType(LANES)), ir.IntType(64)))
"""A mask as an integer, lane 0 in the lowest bit."""

lowest_bit = _unary(types.int64, types.int64, lambda b, x: b.cttz(x, ir.Constant(_BIT, 1)))
"""Index of the lowest bit that is set in an integer that is not zero."""


def _emit_scale(builder: Any, x: Any, shifted: Any) -> Any:
    exponent = builder.shl(builder.bitcast(shifted, _INTS), ir.Constant(_INTS, [23] * LANES))
    return builder.bitcast(builder.add(builder.bitcast(x, _INTS), exponent), _FLOATS)


ROUND = 1.5 * 2**23
"""A float32 plus this is rounded to an integer, which stands in its low bits."""

scale_by_power = _binary(floats, floats, floats, _emit_scale)
"""``scale_by_power(x, ROUND + n)`` is x times 2 to the power of the integer n, where that is finite and not tiny."""


def _pointer(context: Any, builder: Any, array_type: Any, array: Any, index: Any, element: ir.Type) -> Any:
    data = context.make_array(array_type)(context, builder, array).data
    return builder.bitcast(builder.gep(data, [index]), element.as_pointer())


def _reader(result: Any, element: ir.Type, finish: Emit, align: int) -> Any:
    def function(context: Any, array: Any, index: Any) -> Any:
        def emit(_context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            array_value, index_value = arguments
            loaded = builder.load(_pointer(_context, builder, signature.args[0], array_value, index_value, element))
            loaded.align = align
            return finish(builder, loaded)

        return result(array, types.intp), emit

    return intrinsic(function)


def _writer(value_type: Any, align: int) -> Any:
    def function(context: Any, array: Any, index: Any, value: Any) -> Any:
        def emit(_context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            array_value, index_value, stored = arguments
            at = _pointer(_context, builder, signature.args[0], array_value, index_value, stored.type)
            builder.store(stored, at).align = align
            return _context.get_dummy_value()

        return types.void(array, types.intp, value_type), emit

    return intrinsic(function)


load = _reader(floats, _FLOATS, lambda b, x: x, 4)
"""``load(array, index)``: 16 neighbours of a float32 array."""
broadcast = _reader(floats, _FLOAT, _spread, 4)
"""``broadcast(array, index)``: one float32 in all lanes."""
get_float = _reader(types.float32, _FLOAT, lambda b, x: x, 4)
get_int = _reader(types.int32, _INT, lambda b, x: x, 4)
"""The bits of one element of a 4-byte array as an int32."""
get_long = _reader(types.int64, ir.IntType(64), lambda b, x: x, 8)
store = _writer(floats, 4)
"""``store(array, index, vector)``."""
put_float = _writer(types.float32, 4)
put_int = _writer(types.int32, 4)
put_long = _writer(types.int64, 8)


def _prefetch(context: Any, array: Any, index: Any) -> Any:
    def emit(_context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        array_value, index_value = arguments
        at = _pointer(_context, builder, signature.args[0], array_value, index_value, ir.IntType(8))
        name = "llvm.prefetch.p0"
        function = builder.module.globals.get(name) or ir.Function(
            builder.module, ir.FunctionType(ir.VoidType(), [at.type, _INT, _INT, _INT]), name
        )
        builder.call(function, [at, ir.Constant(_INT, 0), ir.Constant(_INT, 3), ir.Constant(_INT, 1)])
        return _context.get_dummy_value()

    return types.void(array, types.intp), emit


prefetch = intrinsic(_prefetch)
"""``prefetch(array, index)``: start to bring an element near."""


def _fetch_next(context: Any, counter: Any) -> Any:
    def emit(_context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        data = _context.make_array(signature.args[0])(_context, builder, arguments[0]).data
        return builder.atomic_rmw("add", data, ir.Constant(ir.IntType(64), 1), "monotonic")

    return types.int64(counter), emit


fetch_next = intrinsic(_fetch_next)
"""The value of an int64 array's first element, which is raised by one: safe between threads."""


def _store_block(context: Any, array: Any, index: Any, stride: Any, value: Any) -> Any:
    def emit(_context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        array_value, index_value, stride_value, vector = arguments
        for row in range(4):
            four = builder.shuffle_vector(
                vector, vector, ir.Constant(ir.VectorType(_INT, 4), [4 * row + i for i in range(4)])
            )
            at = _pointer(_context, builder, signature.args[0], array_value, index_value, four.type)
            builder.store(four, at).align = 4
            index_value = builder.add(index_value, stride_value)
        return _context.get_dummy_value()

    return types.void(array, types.intp, types.intp, floats), emit


store_block = intrinsic(_store_block)
"""``store_block(image, index, stride, vector)``: four rows of four pixels of a flat float32 image."""


def _store_colors(context: Any, array: Any, index: Any, stride: Any, red: Any, green: Any, blue: Any) -> Any:
    def emit(_context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        array_value, index_value, stride_value, *channels = arguments
        byte = ir.IntType(8)
        red_, green_, blue_ = (
            builder.trunc(builder.fptoui(channel, _INTS), ir.VectorType(byte, LANES)) for channel in channels
        )
        both = builder.shuffle_vector(red_, green_, ir.Constant(ir.VectorType(_INT, 32), list(range(32))))
        third = builder.shuffle_vector(blue_, blue_, ir.Constant(ir.VectorType(_INT, 32), [*range(16), *([0] * 16)]))
        for row in range(4):
            order = [base + 4 * row + i for i in range(4) for base in (0, 16, 32)]
            twelve = builder.shuffle_vector(both, third, ir.Constant(ir.VectorType(_INT, 12), order))
            at = _pointer(_context, builder, signature.args[0], array_value, index_value, twelve.type)
            builder.store(twelve, at).align = 1
            index_value = builder.add(index_value, stride_value)
        return _context.get_dummy_value()

    return types.void(array, types.intp, types.intp, floats, floats, floats), emit


store_colors = intrinsic(_store_colors)
"""``store_colors(image, index, stride, r, g, b)``: the same for a flat uint8 image of three channels; 0 to 255."""
