"""Whether this machine calculates, to the last bit, as the one that made the nets.

Vector units differ in the last digits of sines and sums, and so do versions of numpy, and OpenCV packs pictures as its
version of zlib does. Bytes are compared only where all of that is alike; values everywhere.
"""

from __future__ import annotations

import hashlib
from functools import cache

import cv2
import llvmlite.binding as llvm
import numpy as np
from numba import config


@cache
def fingerprint() -> str:
    """A hash of the results of a few thousand calculations, of a packed picture, and of the processor's name."""
    processor = f"{config.CPU_NAME or llvm.get_host_cpu_name()} {config.CPU_FEATURES}"
    digest = hashlib.sha256(processor.encode())
    for kind in (np.float32, np.float64):
        x = np.linspace(0.01, 9.0, 1009).astype(kind)
        for function in (np.sin, np.cos, np.arctan, np.exp, np.log, np.sqrt, np.cbrt, np.cumsum, np.tanh):
            digest.update(function(x).tobytes())
        square = np.sin(np.outer(x[:48], x[:48]) + np.arange(48, dtype=kind))
        digest.update((square @ square).tobytes() + np.linalg.svd(square)[1].tobytes() + x.sum().tobytes())
    picture = (127 + 120 * np.sin(np.arange(64 * 48 * 3) / 7.0)).astype(np.uint8).reshape(48, 64, 3)
    digest.update(cv2.imencode(".png", picture)[1].tobytes())
    return digest.hexdigest()
