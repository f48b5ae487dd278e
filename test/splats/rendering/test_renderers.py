"""Which renderer a name gives, and what is said where it cannot be had."""

from __future__ import annotations

import importlib
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from vantage.errors import MissingExtraError, UnknownNameError, VantageError
from vantage.splats.rendering import gsplat_renderer, renderers
from vantage.splats.rendering.cpu import CpuRenderer
from vantage.splats.rendering.gsplat_renderer import gpu_obstacle, require_gsplat
from vantage.splats.rendering.renderer import Renderer
from vantage.splats.rendering.renderers import RENDERERS, make_renderer

INSTALLED: list[str] = []


def fake_torch(available: bool, cuda: str | None) -> SimpleNamespace:
    return SimpleNamespace(
        __version__="2.13.0",
        cuda=SimpleNamespace(is_available=lambda: available),
        version=SimpleNamespace(cuda=cuda),
    )


def test_cpu_by_name() -> None:
    renderer = make_renderer("cpu", threads=3)
    assert isinstance(renderer, CpuRenderer)
    assert isinstance(renderer, Renderer)
    assert renderer.name == "cpu"
    assert renderer.threads == 3


def test_names() -> None:
    assert RENDERERS.names() == ["auto", "cpu", "gsplat"]
    with pytest.raises(UnknownNameError, match=r"unknown renderer 'gsplats'; did you mean 'gsplat'\?"):
        make_renderer("gsplats", 2)


@pytest.mark.parametrize(("missing", "obstacle"), [(["gsplat"], None), ([], "there is no GPU"), (["torch"], "no GPU")])
def test_auto_falls_back_to_cpu(monkeypatch: pytest.MonkeyPatch, missing: list[str], obstacle: str | None) -> None:
    monkeypatch.setattr(renderers, "missing_packages", lambda: missing)
    monkeypatch.setattr(renderers, "gpu_obstacle", lambda: obstacle)
    assert make_renderer("auto", 1).name == "cpu"


def test_auto_takes_gsplat_where_it_can_run(monkeypatch: pytest.MonkeyPatch) -> None:
    chosen = SimpleNamespace(name="gsplat")
    monkeypatch.setattr(renderers, "missing_packages", lambda: INSTALLED)
    monkeypatch.setattr(renderers, "gpu_obstacle", lambda: None)
    monkeypatch.setattr(renderers, "_gsplat", lambda threads: chosen)
    assert make_renderer("auto", 1) is chosen


def test_auto_does_not_wait_for_torch_without_a_driver() -> None:
    if gsplat_renderer._has_nvidia_driver():
        pytest.skip("this machine has an NVIDIA driver")
    words = (
        "import sys; from vantage.splats.rendering.renderers import make_renderer; "
        "assert make_renderer('auto', 1).name == 'cpu'; assert 'torch' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", words], check=True, timeout=120)


def test_gsplat_without_its_packages_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gsplat_renderer.importlib.util, "find_spec", lambda name: None)
    wanted = r"needs torch and gsplat; run 'make setup WITH=gsplat'.*world\.renderer=cpu"
    with pytest.raises(MissingExtraError, match=wanted):
        make_renderer("gsplat", 2)


def test_gsplat_without_a_gpu_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gsplat_renderer, "missing_packages", lambda: INSTALLED)
    monkeypatch.setattr(renderers, "missing_packages", lambda: INSTALLED)
    monkeypatch.setattr(gsplat_renderer, "_has_nvidia_driver", lambda: False)
    with pytest.raises(VantageError, match=r"no NVIDIA driver is loaded; set world\.renderer=cpu"):
        make_renderer("gsplat", 2)


@pytest.mark.parametrize(
    ("available", "cuda", "compiler", "words"),
    [
        (False, None, True, "a build without CUDA"),
        (False, "12.8", True, "built for CUDA 12.8"),
        (True, "12.8", False, "nvcc"),
    ],
)
def test_each_obstacle_is_named(
    monkeypatch: pytest.MonkeyPatch, available: bool, cuda: str | None, compiler: bool, words: str
) -> None:
    monkeypatch.setattr(gsplat_renderer, "missing_packages", lambda: INSTALLED)
    monkeypatch.setattr(renderers, "missing_packages", lambda: INSTALLED)
    monkeypatch.setattr(gsplat_renderer, "_has_nvidia_driver", lambda: True)
    monkeypatch.setattr(gsplat_renderer, "_has_cuda_compiler", lambda: compiler)
    monkeypatch.setattr(gsplat_renderer.importlib, "import_module", lambda name: fake_torch(available, cuda))
    monkeypatch.setattr(gsplat_renderer.importlib.util, "find_spec", lambda name: None)
    assert words in str(gpu_obstacle())
    with pytest.raises(VantageError, match=words):
        require_gsplat()


@pytest.mark.parametrize(
    "error",
    [
        ImportError("libcudart.so.12: cannot open shared object file"),
        OSError("libcudart.so.12: invalid ELF header"),
        RuntimeError("operator torchvision::nms does not exist, not even libcudart.so.12"),
        ValueError("numpy.dtype size changed in libcudart.so.12"),
    ],
)
@pytest.mark.parametrize("package", ["torch", "gsplat"])
def test_a_broken_installation_is_an_obstacle(monkeypatch: pytest.MonkeyPatch, package: str, error: Exception) -> None:
    def import_module(name: str) -> SimpleNamespace:
        if name == package:
            raise error
        return fake_torch(True, "12.8")

    monkeypatch.setattr(gsplat_renderer, "missing_packages", lambda: INSTALLED)
    monkeypatch.setattr(renderers, "missing_packages", lambda: INSTALLED)
    monkeypatch.setattr(gsplat_renderer, "_has_nvidia_driver", lambda: True)
    monkeypatch.setattr(gsplat_renderer.importlib, "import_module", import_module)
    wanted = rf"the installed {package} does not work \(.*libcudart.*\); set world\.renderer=cpu"
    with pytest.raises(VantageError, match=wanted):
        make_renderer("gsplat", 1)
    assert make_renderer("auto", 1).name == "cpu"


def test_a_package_that_raises_as_it_is_imported(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A file in torch's place, as a damaged installation leaves it; what it says in several lines becomes one."""
    (tmp_path / "torch.py").write_text("raise OSError('libc10.so: file too short\\nadvice\\nmore advice')\n")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "torch", raising=False)
    monkeypatch.setattr(gsplat_renderer, "_has_nvidia_driver", lambda: True)
    importlib.invalidate_caches()
    assert gpu_obstacle() == "the installed torch does not work (libc10.so: file too short)"


def test_a_gpu_that_cannot_be_asked_for_is_an_obstacle(monkeypatch: pytest.MonkeyPatch) -> None:
    def is_available() -> bool:
        raise RuntimeError("CUDA driver initialization failed")

    torch = fake_torch(True, "12.8")
    torch.cuda.is_available = is_available
    monkeypatch.setattr(gsplat_renderer, "_has_nvidia_driver", lambda: True)
    monkeypatch.setattr(gsplat_renderer.importlib, "import_module", lambda name: torch)
    assert "CUDA driver initialization failed" in str(gpu_obstacle())


def test_no_obstacle_where_torch_sees_a_gpu_and_there_is_a_compiler(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gsplat_renderer, "missing_packages", lambda: INSTALLED)
    monkeypatch.setattr(renderers, "missing_packages", lambda: INSTALLED)
    monkeypatch.setattr(gsplat_renderer, "_has_nvidia_driver", lambda: True)
    monkeypatch.setattr(gsplat_renderer, "_has_cuda_compiler", lambda: True)
    monkeypatch.setattr(gsplat_renderer.importlib, "import_module", lambda name: fake_torch(True, "12.8"))
    monkeypatch.setattr(gsplat_renderer.importlib.util, "find_spec", lambda name: None)
    require_gsplat()
