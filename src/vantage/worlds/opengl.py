"""Which library draws without a screen; asked without loading MuJoCo or making a context."""

from __future__ import annotations

import ctypes
import os
from functools import cache

GL_PACKAGES = "libegl1 libegl-mesa0 libgl1-mesa-dri"  # of Debian; libosmesa6 does as well, where there still is one

_LIBRARIES = {"egl": ("libEGL.so.1", "libEGL.so"), "osmesa": ("libOSMesa.so.8", "libOSMesa.so.6", "libOSMesa.so")}


def gl_library() -> str | None:
    """``egl``, or else ``osmesa``, or what ``MUJOCO_GL`` names of the two; None where that does not load."""
    wanted = os.environ.get("MUJOCO_GL", "").strip().lower()
    kinds = (wanted,) if wanted else tuple(_LIBRARIES)
    return next((kind for kind in kinds if any(map(_loads, _LIBRARIES.get(kind, ())))), None)


@cache
def _loads(file: str) -> bool:
    try:
        ctypes.CDLL(file)
    except OSError:
        return False
    return True
