"""Finds OpenGL without a screen: EGL, else OSMesa, or what ``MUJOCO_GL`` names. Import before any other of MuJoCo's."""

from __future__ import annotations

import os
from typing import Any

from vantage.errors import UsageError, WorldError

PACKAGES = {"egl": "libegl1 libegl-mesa0 libgl1-mesa-dri", "osmesa": "libosmesa6"}
VARIABLE = "MUJOCO_GL"


def make_context(width: int, height: int) -> Any:
    """A current OpenGL context of this thread, with ``make_current`` and ``free``.

    Raises:
        UsageError: ``MUJOCO_GL`` names something without pictures.
        WorldError: there is no OpenGL.
    """
    # Software rendering draws in the thread that asks; more threads would only take turns.
    os.environ.setdefault("LP_NUM_THREADS", "0")
    wanted = os.environ.get(VARIABLE, "").strip().lower()
    if wanted and wanted not in PACKAGES:
        raise UsageError(f"{VARIABLE} is '{wanted}', which draws no pictures here; unset it or set it to egl or osmesa")
    reasons = []
    for kind in (wanted,) if wanted else PACKAGES:
        os.environ[VARIABLE] = kind
        try:
            context = _context_class(kind)(width, height)
            context.make_current()
        except Exception as error:  # PyOpenGL raises whatever comes, AttributeError included
            os.environ.pop("PYOPENGL_PLATFORM", None)
            reasons.append(f"{kind}: {error}")
            continue
        return context
    if not wanted:
        os.environ.pop(VARIABLE, None)
    raise WorldError(
        f"the pictures of a house need OpenGL, and there is none ({'; '.join(reasons)}); install the Debian packages "
        f"{PACKAGES['egl']}, or {PACKAGES['osmesa']}"
    )


def _context_class(kind: str) -> Any:
    if kind == "egl":
        from mujoco.egl import GLContext
    else:
        from mujoco.osmesa import GLContext
    return GLContext
