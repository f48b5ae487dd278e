"""Which library draws without a screen; asked without loading MuJoCo or making a context."""

from __future__ import annotations

import ctypes
from functools import cache

GL_PACKAGES = "libegl1 libegl-mesa0 libgl1-mesa-dri"  # of Debian; libosmesa6 does as well, where there still is one

_LIBRARIES = {"egl": ("libEGL.so.1", "libEGL.so"), "osmesa": ("libOSMesa.so.8", "libOSMesa.so.6", "libOSMesa.so")}


@cache
def gl_library() -> str | None:
    """``egl``, or else ``osmesa``, as ``MUJOCO_GL`` calls them; None where neither loads."""
    return next((name for name, files in _LIBRARIES.items() if any(map(_loads, files))), None)


def _loads(file: str) -> bool:
    try:
        ctypes.CDLL(file)
    except OSError:
        return False
    return True
