"""Whether this machine has what gsplat needs."""

from __future__ import annotations

import ctypes
import importlib
import importlib.util
import shutil
from pathlib import Path

from vantage.errors import MissingExtraError, VantageError

INSTEAD = "set world.renderer=cpu to render without a GPU"


def missing_packages() -> list[str]:
    """What gsplat needs and is not installed; imports nothing."""
    return [name for name in ("torch", "gsplat") if importlib.util.find_spec(name) is None]


def gpu_obstacle() -> str | None:
    """Why gsplat cannot draw on this machine, given that it is installed; None if it can.

    torch takes seconds to import, so it is asked only where there is an NVIDIA driver. A package that is there and
    broken is an obstacle like any other.
    """
    if not _has_nvidia_driver():
        return "no NVIDIA driver is loaded"
    package = "torch"
    try:
        torch = importlib.import_module(package)
        if not torch.cuda.is_available():
            built = "a build without CUDA" if torch.version.cuda is None else f"built for CUDA {torch.version.cuda}"
            return f"torch {torch.__version__} ({built}) finds no GPU"
        package = "gsplat"
        importlib.import_module(package)
        if not (importlib.util.find_spec("gsplat.csrc") or _has_cuda_compiler()):
            return "gsplat compiles its kernels at its first use and finds no CUDA toolkit (nvcc) for that"
    except Exception as error:  # importing a damaged installation may fail in any way
        words = str(error).strip().splitlines() or [type(error).__name__]
        return f"the installed {package} does not work ({words[0]})"
    return None


def require_gsplat() -> None:
    """Fail with one sentence where gsplat cannot draw.

    Raises:
        MissingExtraError: it is not installed.
        VantageError: there is no GPU for it.
    """
    missing = missing_packages()
    if missing:
        raise MissingExtraError(
            f"the renderer 'gsplat' needs {' and '.join(missing)}; run 'make setup WITH=gsplat' or "
            f"'pip install .[gsplat]', or {INSTEAD}"
        )
    obstacle = gpu_obstacle()
    if obstacle is not None:
        raise VantageError(f"the renderer 'gsplat' needs an NVIDIA GPU, but {obstacle}; {INSTEAD}")


def _has_nvidia_driver() -> bool:
    if Path("/dev/nvidiactl").exists() or Path("/dev/dxg").exists():  # the latter under Windows
        return True
    try:
        ctypes.CDLL("libcuda.so.1")
    except OSError:
        return False
    return True


def _has_cuda_compiler() -> bool:
    home = importlib.import_module("torch.utils.cpp_extension").CUDA_HOME
    return (home is not None and (Path(home) / "bin" / "nvcc").is_file()) or shutil.which("nvcc") is not None
