"""Finds OpenGL without a screen: EGL, else OSMesa, or what ``MUJOCO_GL`` names. Import before any other of MuJoCo's."""

from __future__ import annotations

import atexit
import os
import weakref
from contextlib import suppress
from typing import Any

from vantage.errors import UsageError, WorldError
from vantage.worlds.opengl import GL_PACKAGES

KINDS = ("egl", "osmesa")
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
    if wanted and wanted not in KINDS:
        raise UsageError(f"{VARIABLE} is '{wanted}', which draws no pictures here; unset it or set it to egl or osmesa")
    reasons = []
    for kind in (wanted,) if wanted else KINDS:
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
        f"{GL_PACKAGES}, or libosmesa6 where there is one"
    )


class Release:
    """Gives an OpenGL context, and what MuJoCo keeps in it, back: when called, when its owner is gone, or at the end.

    At the end means before EGL itself is shut down, after which nothing can be given back without complaints.
    """

    def __init__(self, owner: object, gl: Any, context: Any) -> None:
        if not _RELEASES:
            atexit.register(_release_all)
        self._finish = weakref.finalize(owner, _give_back, gl, context)
        self._finish.atexit = False
        _RELEASES.append(self._finish)

    def __call__(self) -> None:
        """Do it now, once."""
        self._finish()
        _RELEASES[:] = [each for each in _RELEASES if each.alive]


_RELEASES: list[Any] = []


def _release_all() -> None:
    for finish in _RELEASES:
        finish()


def _give_back(gl: Any, context: Any) -> None:
    with suppress(Exception):  # whatever EGL complains about when it is being shut down
        gl.make_current()
        context.free()
    with suppress(Exception):
        gl.free()
    gl._context = None  # or it would try again when it is collected


def _context_class(kind: str) -> Any:
    if kind == "egl":
        from mujoco.egl import GLContext
    else:
        from mujoco.osmesa import GLContext
    return GLContext
