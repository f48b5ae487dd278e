import os
import subprocess
import sys
from pathlib import Path

import pytest

from venv_setup import checks
from venv_setup.errors import SetupError

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.parametrize("version", [(3, 9), (3, 14), (2, 7)])
def test_a_wrong_python_is_named_with_what_to_run(version):
    expected = rf"Python {version[0]}\.{version[1]}.*3\.10 to 3\.13; run: make setup PYTHON="
    with pytest.raises(SetupError, match=expected):
        checks.check_python(version, "/usr/bin/python3")


def test_a_fit_python_passes():
    for minor in range(10, 14):
        checks.check_python((3, minor), "python")


def test_the_script_itself_refuses_a_wrong_python_without_a_traceback(tmp_path):
    """Run under a Python that claims to be another version, as its first lines must work everywhere."""
    code = (
        "import runpy, sys\n"
        "sys.version_info = (3, 9, 1, 'final', 0)\n"
        f"runpy.run_path({str(ROOT / 'tools' / 'bootstrap.py')!r}, run_name='__main__')\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 1
    assert "is Python 3.9, but Vantage needs Python 3.10 to 3.13; " in done.stderr
    assert "Traceback" not in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1


def test_no_compiler_on_path(tmp_path):
    (tmp_path / "python3").touch(mode=0o755)
    with pytest.raises(SetupError, match=r"no C compiler was found \(cc or gcc or clang\).*apt-get install g\+\+"):
        checks.check_compiler({"PATH": str(tmp_path)})
    (tmp_path / "gcc").touch(mode=0o755)
    with pytest.raises(SetupError, match=r"no C\+\+ compiler was found \(c\+\+ or g\+\+ or clang\+\+\)"):
        checks.check_compiler({"PATH": str(tmp_path)})
    (tmp_path / "clang++").touch(mode=0o755)
    checks.check_compiler({"PATH": str(tmp_path)})


def test_a_compiler_named_by_cxx_must_exist(tmp_path):
    for name in ("gcc", "g++"):
        (tmp_path / name).touch(mode=0o755)
    with pytest.raises(SetupError, match="CXX=ccache-g"):
        checks.check_compiler({"PATH": str(tmp_path), "CXX": "ccache-g++ -O1"})
    checks.check_compiler({"PATH": str(tmp_path), "CXX": "g++ -O1"})


def test_a_full_disk_is_told_with_need_and_found(tmp_path):
    with pytest.raises(SetupError, match=r"has 12 MB free, but setup needs 300 MB; free some space"):
        checks.check_space(tmp_path, 300, free=lambda _: 12 * checks.MEGABYTE)
    checks.check_space(tmp_path, 300, free=lambda _: 300 * checks.MEGABYTE)


def test_free_space_of_this_disk_is_measured(tmp_path):
    statistics = os.statvfs(tmp_path)
    assert checks.free_bytes(tmp_path) == pytest.approx(statistics.f_bavail * statistics.f_frsize, rel=0.2)


@pytest.mark.parametrize("missing", ["venv", "ensurepip"])
def test_a_python_without_venv(missing):
    with pytest.raises(SetupError, match=r"apt-get install python3\.\d+-venv"):
        checks.check_venv_module(lambda name: None if name == missing else object())
    checks.check_venv_module(lambda _: object())


def test_missing_headers(tmp_path):
    with pytest.raises(SetupError, match=r"Python\.h is missing.*python3\.11-dev"):
        checks.check_headers(tmp_path, "3.11")
    (tmp_path / "Python.h").touch()
    checks.check_headers(tmp_path, "3.11")


def test_distros_and_machines():
    checks.check_distro("jazzy", "Linux", "x86_64")
    checks.check_distro("none", "Darwin", "arm64")
    with pytest.raises(SetupError, match="ROS_DISTRO=humble has no wheels to set up; choose jazzy, kilted or none"):
        checks.check_distro("humble", "Linux", "x86_64")
    with pytest.raises(SetupError, match="x86-64 Linux only and this is aarch64 Linux"):
        checks.check_distro("jazzy", "Linux", "aarch64")
