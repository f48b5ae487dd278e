"""A renderer of Gaussian clouds for NVIDIA GPUs, through the package gsplat.

Torch and gsplat are imported at the first use; before, ``gpu_obstacle`` tells whether this machine has what they need.
"""

from __future__ import annotations

import ctypes
import importlib
import importlib.util
import shutil
import threading
import weakref
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from vantage.errors import MissingExtraError, VantageError
from vantage.spatial import Intrinsics, Matrix
from vantage.splats.cloud import GaussianCloud
from vantage.splats.rendering.renderer import BLACK, FAR, NEAR, RenderedView, Rgb

INSTEAD = "set world.renderer=cpu to render without a GPU"
_FAINT = 1.0 / 255.0
_CHANNELS = 32  # labels that are voted on at once; gsplat's kernels slow down beyond
_CALL_BYTES = 4 * 2**30  # of intermediates; more cameras than fit are drawn in several calls
_IMAGES = 2 * _CHANNELS  # floats per pixel: the votes of one pass, their comparison, colour, depth, winners


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


@dataclass(frozen=True)
class _OnDevice:
    """A cloud as tensors, without its invisible Gaussians.

    ``slots`` (N,) are indices into the ascending ids ``names`` (V,), which stay on the host.
    """

    means: Any
    quaternions: Any
    scales: Any
    opacities: Any
    sh: Any
    slots: Any
    names: NDArray[np.int32]


class GsplatRenderer:
    """Draws with gsplat's CUDA kernels; a batch of cameras goes to the GPU as one call where its memory allows.

    A cloud is copied to the device at its first rendering and kept there as long as it lives. gsplat has no votes of
    its own, so every id in view becomes a channel that is summed like a colour; hundreds of ids take several passes.

    Args:
        device: as torch names it; gsplat's own kernels need ``cuda``.
        kernels: where ``rasterization`` and ``rasterize_to_pixels`` come from, gsplat itself by default.

    Raises:
        MissingExtraError: gsplat is not installed.
        VantageError: there is no GPU that gsplat could use.
    """

    name = "gsplat"

    def __init__(self, device: str = "cuda", kernels: Any = None) -> None:
        if kernels is None:
            from vantage.splats.rendering.gsplat_renderer import require_gsplat

            require_gsplat()
            kernels = importlib.import_module("gsplat")
        self._torch: Any = importlib.import_module("torch")
        self._kernels = kernels
        self._device = self._torch.device(device)
        self._clouds: weakref.WeakKeyDictionary[GaussianCloud, _OnDevice] = weakref.WeakKeyDictionary()
        self._lock = threading.Lock()

    def prepare(self, cloud: GaussianCloud) -> None:
        """See ``Renderer.prepare``."""
        self._on_device(cloud)

    def close(self) -> None:
        """See ``Renderer.close``."""
        with self._lock:
            self._clouds.clear()
        if self._device.type == "cuda":
            self._torch.cuda.empty_cache()

    def render(
        self,
        cloud: GaussianCloud,
        T_world_camera_optical: Matrix,
        intrinsics: Intrinsics,
        *,
        background: Rgb = BLACK,
        near: float = NEAR,
        far: float = FAR,
        classes: NDArray[np.int32] | None = None,
    ) -> RenderedView:
        """See ``Renderer.render``."""
        return self.render_batch(
            cloud,
            np.asarray(T_world_camera_optical)[None],
            intrinsics,
            background=background,
            near=near,
            far=far,
            classes=classes,
        )[0]

    def render_batch(
        self,
        cloud: GaussianCloud,
        poses: Sequence[Matrix] | NDArray[np.float64],
        intrinsics: Intrinsics,
        *,
        background: Rgb = BLACK,
        near: float = NEAR,
        far: float = FAR,
        classes: NDArray[np.int32] | None = None,
    ) -> list[RenderedView]:
        """See ``Renderer.render_batch``.

        Raises:
            VantageError: the GPU has too little memory.
        """
        cameras = np.asarray(poses, dtype=np.float64).reshape(-1, 4, 4)
        try:
            held = self._on_device(cloud)
            at_once = _cameras_at_once(len(held.means), cloud.sh.shape[1], intrinsics)
            views: list[RenderedView] = []
            for first in range(0, len(cameras), at_once):
                some = cameras[first : first + at_once]
                views += self._draw(held, cloud.degree, some, intrinsics, background, (near, far), classes)
        except self._torch.OutOfMemoryError as error:
            raise VantageError(
                f"the GPU has too little memory for {len(cloud)} Gaussians at {intrinsics.width} x "
                f"{intrinsics.height}; render fewer cameras at once, or set world.renderer=cpu"
            ) from error
        return views

    def _on_device(self, cloud: GaussianCloud) -> _OnDevice:
        with self._lock:
            held = self._clouds.get(cloud)
        if held is None:
            held = self._copied(cloud)
            with self._lock:
                held = self._clouds.setdefault(cloud, held)
        return held

    def _copied(self, cloud: GaussianCloud) -> _OnDevice:
        drawn = cloud.select(cloud.opacities >= _FAINT) if (cloud.opacities < _FAINT).any() else cloud
        names, slots = np.unique(drawn.instances, return_inverse=True)
        return _OnDevice(
            self._tensor(drawn.means),
            self._tensor(drawn.quaternions),
            self._tensor(drawn.scales),
            self._tensor(drawn.opacities),
            self._tensor(drawn.sh),
            self._tensor(slots.reshape(-1)),
            names.astype(np.int32),
        )

    def _draw(
        self,
        held: _OnDevice,
        degree: int,
        cameras: Matrix,
        lens: Intrinsics,
        background: Rgb,
        planes: tuple[float, float],
        classes: NDArray[np.int32] | None,
    ) -> list[RenderedView]:
        torch = self._torch
        if len(held.means) == 0:
            return [_nothing(lens, background, classes is not None) for _ in cameras]
        with torch.no_grad():
            image, alpha, meta = self._kernels.rasterization(
                held.means,
                held.quaternions,
                held.scales,
                held.opacities,
                held.sh,
                self._floats(np.linalg.inv(cameras)),
                self._floats(np.tile(lens.matrix(), (len(cameras), 1, 1))),
                lens.width,
                lens.height,
                near_plane=planes[0],
                far_plane=planes[1],
                sh_degree=degree,
                packed=True,
                render_mode="RGB+ED",
            )
            # gsplat 1.5.3 refuses a background in packed mode
            rgb = image[..., :3] + (1.0 - alpha) * self._floats(np.asarray(background))
            rgb = (rgb.clamp(0.0, 1.0) * 255.0 + 0.5).to(torch.uint8)
            alpha = alpha[..., 0]
            depth = torch.where(alpha > 0, image[..., 3], torch.nan)
            seen = held.slots[meta["gaussian_ids"]]
            instances = self._elect(held.names, seen, meta, alpha.shape)
            kinds = None if classes is None else self._elect(_labels(classes, held.names), seen, meta, alpha.shape)
            images = [None if part is None else part.cpu().numpy() for part in (rgb, depth, alpha, instances, kinds)]
        columns = ([None] * len(cameras) if part is None else part for part in images)
        return [RenderedView(*parts) for parts in zip(*columns, strict=True)]

    def _elect(self, labels: NDArray[np.int32], slots: Any, meta: dict[str, Any], shape: Any) -> Any:
        """(C, H, W) int32: the label, given per slot, with the largest summed weight, the smaller of equals."""
        torch = self._torch
        winner = torch.zeros(shape, dtype=torch.int32, device=self._device)
        if not labels.any() or len(slots) == 0:
            return winner
        voices = self._tensor(labels)[slots]
        most = torch.zeros(shape, device=self._device)
        for some in torch.unique(voices).split(_CHANNELS):
            weights, _ = self._kernels.rasterize_to_pixels(
                meta["means2d"],
                meta["conics"],
                (voices[:, None] == some).float(),
                meta["opacities"],
                meta["width"],
                meta["height"],
                meta["tile_size"],
                meta["isect_offsets"],
                meta["flatten_ids"],
                packed=True,
            )
            top = weights.amax(dim=-1)
            order = torch.arange(len(some), dtype=torch.uint8, device=self._device)  # one byte per vote
            first = torch.where(weights == top[..., None], order, len(some) - 1).amin(dim=-1)
            winner = torch.where(top > most, some[first.long()], winner)
            most = torch.maximum(top, most)
        return winner

    def _tensor(self, values: NDArray[Any]) -> Any:
        return self._torch.tensor(values, device=self._device)

    def _floats(self, values: NDArray[Any]) -> Any:
        return self._tensor(values.astype(np.float32))


def _cameras_at_once(gaussians: int, coefficients: int, lens: Intrinsics) -> int:
    """How many cameras keep within ``_CALL_BYTES`` if each sees every Gaussian; 1 where none does."""
    floats = gaussians * max(_CHANNELS, 3 * coefficients) + lens.width * lens.height * _IMAGES
    return int(max(1, _CALL_BYTES // (4 * floats)))


def _labels(classes: NDArray[np.int32], names: NDArray[np.int32]) -> NDArray[np.int32]:
    """The class of each id."""
    table = np.append(np.asarray(classes, dtype=np.int32), np.int32(0))
    known = (names >= 0) & (names < len(classes))
    return np.asarray(table[np.where(known, names, len(classes))], dtype=np.int32)


def _nothing(lens: Intrinsics, background: Rgb, with_classes: bool) -> RenderedView:
    shape = (lens.height, lens.width)
    color = np.floor(np.clip(background, 0.0, 1.0) * 255.0 + 0.5).astype(np.uint8)
    return RenderedView(
        np.tile(color, (*shape, 1)),
        np.full(shape, np.nan, np.float32),
        np.zeros(shape, np.float32),
        np.zeros(shape, np.int32),
        np.zeros(shape, np.int32) if with_classes else None,
    )
