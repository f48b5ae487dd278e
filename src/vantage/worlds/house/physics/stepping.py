"""Steps of MuJoCo in which what sleeps is woken, however many things lean on each other, and that tell what went wrong.

MuJoCo wakes what is touched, and what sleeps together with it, once in each step. Two things that fell asleep apart
from each other can come to touch all the same: the last step before sleep moves them a little. Woken by a third, the
one then touches the other, which still sleeps, and MuJoCo gives up before the state has changed. Here that other is
marked, so that the next try wakes it, too.
"""

from __future__ import annotations

from collections.abc import Callable

import mujoco
import numpy as np

from vantage.errors import WorldError

_OF_SLEEP = "sleeping"  # in MuJoCo's words
_ARRAYS = ("eq_obj2id", "eq_data")  # of a model: what is tied to what


class PhysicsError(WorldError):
    """MuJoCo could not go on; the state is of no use until it is reset."""


def take_steps(model: mujoco.MjModel, data: mujoco.MjData, count: int) -> None:
    """``count`` physics steps.

    Raises:
        PhysicsError: MuJoCo gave up.
    """
    begin, length = data.time, model.opt.timestep

    def rest() -> None:
        mujoco.mj_step(model, data, count - round((data.time - begin) / length))

    _with_waking(model, data, rest)


def put_in_place(model: mujoco.MjModel, data: mujoco.MjData) -> None:
    """``mj_forward``.

    Raises:
        PhysicsError: as ``take_steps``.
    """
    _with_waking(model, data, lambda: mujoco.mj_forward(model, data))


def begin_anew(model: mujoco.MjModel, data: mujoco.MjData) -> None:
    """``mj_resetData``, after which what sleeps at first sleeps; all bodies that touch must be able to collide.

    Raises:
        PhysicsError: something cannot sleep where the model has it.
    """
    try:
        mujoco.mj_resetData(model, data)
    except mujoco.FatalError as error:
        raise _given_up(data, error) from error


def tied(model: mujoco.MjModel) -> tuple[np.ndarray, ...]:
    """What a model says of what is tied to what, which changes with a grasp."""
    return tuple(getattr(model, name).copy() for name in _ARRAYS)


def tie_as(model: mujoco.MjModel, before: tuple[np.ndarray, ...]) -> None:
    """As ``tied`` told it."""
    for name, values in zip(_ARRAYS, before, strict=True):
        getattr(model, name)[:] = values


def _with_waking(model: mujoco.MjModel, data: mujoco.MjData, work: Callable[[], None]) -> None:
    for _ in range(model.ntree + 1):  # each try wakes one tree of bodies at least
        try:
            work()
        except mujoco.FatalError as error:
            failure = _given_up(data, error)
            if _OF_SLEEP not in str(error) or not _mark_touched(model, data):
                raise failure from error
        else:
            return
    raise failure


def _given_up(data: mujoco.MjData, error: Exception) -> PhysicsError:
    data.pstack = data.pbase = 0  # what was on MuJoCo's stack when it gave up
    return PhysicsError(f"the physics broke down at {data.time:.3f} s: {' '.join(str(error).split())}")


def _mark_touched(model: mujoco.MjModel, data: mujoco.MjData) -> bool:
    """Mark what sleeps and is touched, so that MuJoCo wakes it first of all; whether there was anything."""
    trees = model.body_treeid[model.geom_bodyid[data.contact.geom[: data.ncon]]]
    trees = np.unique(trees[trees >= 0])
    asleep = trees[(data.tree_asleep[trees] >= 0) & (data.tree_awake[trees] == 0)]
    data.tree_awake[asleep] = 1
    return len(asleep) > 0
