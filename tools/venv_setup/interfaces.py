"""The generated ROS interfaces: vantage_eqa's own, and tf2_msgs, which the wheels lack."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

from venv_setup import checks
from venv_setup.command import last_lines, run
from venv_setup.context import BUILDING, Context, doing, say
from venv_setup.errors import SetupError
from venv_setup.layout import Layout
from venv_setup.stamps import digest

BUILD_DEADLINE_S = 3600.0
OVERLAY = Path("overlay/tf2_msgs")
INCLUDED = (Path("cmake/mend_wheel_exports.cmake"), Path("cmake/large_units.cmake"))
GENERATOR_START = Path(__file__).with_name("generator_start")
_INPUTS = ("msg/*.msg", "srv/*.srv", "action/*.action", "CMakeLists.txt", "package.xml", f"{OVERLAY}/**/*")


def build_interfaces(context: Context) -> None:
    """Build and install into .venv what ROS code imports, if anything it is made from changed."""
    if not context.with_ros:
        return
    root, stamps = context.layout.root, context.stamps
    files = [path for pattern in _INPUTS for path in root.glob(pattern) if path.is_file()]
    files += [*(root / path for path in INCLUDED), *GENERATOR_START.glob("*.py")]
    wheels = stamps.read(f"list-ros-wheels-{context.distro}") or ""
    value = digest((*context.target, wheels), files, root)
    if stamps.matches("interfaces", value):
        return
    checks.check_compiler(context.environ)
    checks.check_headers(_include_folder(context), context.python)
    checks.check_space(context.layout.venv, checks.NEED_BUILD_MB)
    before = _installed_files(context.layout.build)
    if stamps.read(BUILDING) is not None:
        shutil.rmtree(context.layout.build, ignore_errors=True)
    with doing("building the ROS interfaces (half a minute)"):
        stamps.forget("interfaces")
        stamps.write(BUILDING, "colcon")
        status = _colcon_build(context)
        stamps.forget(BUILDING)
        if status != 0:
            raise _build_error(context)
        _remove(before - _installed_files(context.layout.build), context.layout.venv)
        stamps.write("interfaces", value)


def _include_folder(context: Context) -> Path:
    """Where the environment's Python keeps its headers."""
    log = context.layout.logs / "include-folder.log"
    command = [str(context.layout.python), "-I", "-c", "import sysconfig; print(sysconfig.get_path('include'))"]
    run(
        command,
        what="asking Python for its headers",
        log=log,
        environ=context.venv_environ,
        cwd=context.layout.root,
        deadline_s=60.0 * context.patience,
        say=say,
    )
    return Path((last_lines(log, 1) or [""])[0])


def _colcon_build(context: Context) -> int:
    layout = context.layout
    included = ";".join(str(layout.root / path) for path in INCLUDED)
    command = [str(layout.python), "-m", "colcon", "--log-base", str(layout.logs / "colcon"), "build"]
    command += ["--base-paths", str(OVERLAY), ".", "--packages-select", "tf2_msgs", "vantage_eqa"]
    command += ["--build-base", str(layout.build), "--install-base", str(layout.venv), "--merge-install"]
    command += [
        "--cmake-args",
        "-G",
        "Ninja",
        f"-DCMAKE_PROJECT_INCLUDE={included}",
    ]
    command += [f"-DPython3_EXECUTABLE={layout.python}", "-DBUILD_TESTING=OFF"]
    command += ["-DVANTAGE_CPP_INTERFACES=OFF", "-DVANTAGE_INSTALL_PYTHON=OFF", "-Wno-unused-cli"]
    return run(
        command,
        what="building the ROS interfaces",
        log=layout.logs / "colcon.log",
        environ={**context.venv_environ, **_quick_generators(layout)},
        cwd=layout.root,
        stop=context.stop,
        deadline_s=BUILD_DEADLINE_S * context.patience,
        say=say,
    )


def _quick_generators(layout: Layout) -> dict[str, str]:
    """What has the generators do once what each of them would do again, and write the same files every time."""
    return {
        "PYTHONPATH": str(GENERATOR_START),
        "VANTAGE_PARSED_INTERFACES": str(layout.build / "parsed"),
        "PYTHONHASHSEED": "0",
    }


def _build_error(context: Context) -> SetupError:
    """Name the package that failed and show the end of its own log."""
    log = context.layout.logs / "colcon.log"
    failed = re.search(r"^Failed\s+<<<\s+(\S+)", log.read_text(encoding="utf-8", errors="replace"), re.MULTILINE)
    package = failed[1] if failed else "the ROS interfaces"
    own_log = context.layout.logs / "colcon" / "latest_build" / package / "stdout_stderr.log"
    log = own_log if own_log.is_file() else log
    lines = last_lines(log, 20)
    if any("No space left on device" in line for line in last_lines(log, 200)):
        return SetupError(f"the disk filled up while {package} was built (see {log}); free some space, then run again")
    return SetupError(f"building {package} failed (see {log}); mend what the lines above show, then run again", lines)


def _remove(stale: set[Path], within: Path) -> None:
    """Delete what an interface that is gone had installed, and the folders left empty."""
    for path in stale:
        path.unlink(missing_ok=True)
        for folder in path.parents:
            if folder == within or not folder.is_relative_to(within) or not folder.is_dir() or any(folder.iterdir()):
                break
            folder.rmdir()


def _installed_files(build: Path) -> set[Path]:
    """What CMake's manifests say was installed."""
    manifests = build.glob("*/install_manifest.txt")
    return {Path(line) for manifest in manifests for line in manifest.read_text(encoding="utf-8").splitlines() if line}
