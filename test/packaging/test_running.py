"""Commands with deadlines, the lock, and what a setup finds after it was interrupted."""

import os
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from venv_setup import main as setup, packages
from venv_setup.command import last_lines, run
from venv_setup.context import INSTALLING, Context
from venv_setup.errors import SetupError
from venv_setup.interfaces import _remove
from venv_setup.layout import Layout
from venv_setup.lock import only_one

TOOLS = Path(__file__).resolve().parents[2] / "tools"


def start(tmp_path, code, deadline_s=30.0):
    return run(
        [sys.executable, "-c", code],
        what="trying",
        log=tmp_path / "log" / "out.log",
        environ=os.environ,
        cwd=tmp_path,
        deadline_s=deadline_s,
        say=lambda _: None,
    )


def test_a_command_gives_its_status_and_its_output(tmp_path):
    assert start(tmp_path, "print('a\\nb\\n\\nc'); raise SystemExit(3)") == 3
    assert last_lines(tmp_path / "log" / "out.log", 2) == ["b", "c"]


@pytest.mark.real_time
def test_a_command_ends_at_its_deadline_with_its_children(tmp_path):
    code = (
        "import subprocess, sys, time\n"
        "child = subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(60)'])\n"
        "print(child.pid, flush=True)\n"
        "time.sleep(60)\n"
    )
    with pytest.raises(SetupError, match=r"trying took longer than 2 s and was stopped; see .*out\.log") as caught:
        start(tmp_path, code, deadline_s=2.0)
    child = int(caught.value.details[-1])
    for _ in range(100):
        if not Path(f"/proc/{child}").exists() or "Z" in Path(f"/proc/{child}/stat").read_text().split()[2]:
            return
        time.sleep(0.05)
    pytest.fail("the child outlived the deadline")


def test_a_command_that_does_not_exist(tmp_path):
    with pytest.raises(SetupError, match="no-such-tool could not be started while trying"):
        run(
            ["no-such-tool"],
            what="trying",
            log=tmp_path / "out.log",
            environ=os.environ,
            cwd=tmp_path,
            deadline_s=1.0,
            say=lambda _: None,
        )


def test_a_command_ends_when_another_step_failed(tmp_path):
    stop = threading.Event()
    threading.Timer(0.3, stop.set).start()
    with pytest.raises(SetupError, match="trying was stopped because another step failed"):
        run(
            [sys.executable, "-c", "import time; time.sleep(60)"],
            what="trying",
            log=tmp_path / "out.log",
            environ=os.environ,
            cwd=tmp_path,
            deadline_s=30.0,
            say=lambda _: None,
            stop=stop,
        )


def test_of_two_steps_at_once_the_one_that_fails_stops_the_other(context):
    stopped = []

    def fail(_):
        raise SetupError("no ROS")

    with pytest.raises(SetupError, match="no ROS"):
        setup._beside(context, lambda context: stopped.append(context.stop.wait(20.0)), fail)
    assert stopped == [True]


def test_two_steps_at_once_both_end(context):
    ended = []
    both = threading.Barrier(2, timeout=20.0)
    steps = [lambda _, name=name: (both.wait(), ended.append(name)) for name in ("one", "other")]
    setup._beside(context, *steps)
    assert sorted(ended) == ["one", "other"]


HOLD = """\
import sys, time
from pathlib import Path
sys.path.insert(0, sys.argv[2])
from venv_setup.lock import only_one
with only_one(Path(sys.argv[1]), 1.0, print):
    print("held", flush=True)
    time.sleep(60)
"""


def test_two_setups_wait_for_each_other(tmp_path):
    path, said = tmp_path / "lock", []
    other = subprocess.Popen([sys.executable, "-c", HOLD, str(path), str(TOOLS)], stdout=subprocess.PIPE, text=True)
    try:
        assert other.stdout.readline() == "held\n"
        with (
            pytest.raises(SetupError, match=rf"another setup \(process \d+\) has held {path}"),
            only_one(path, 0.3, said.append, poll_s=0.05),
        ):
            pytest.fail("both held the lock")
        assert len(said) == 1
    finally:
        other.kill()
        other.wait(timeout=10)
        other.stdout.close()
    with only_one(path, 5.0, said.append):
        assert path.read_text() == f"{os.getpid()}\n"


@pytest.fixture
def context(tmp_path):
    return Context(layout=Layout(tmp_path), python="3.11", distro="jazzy", tests=False, extras=(), environ={})


def made_venv(context, version="3.11.4"):
    venv = context.layout.venv
    (venv / "bin").mkdir(parents=True)
    (venv / "bin" / "python").touch()
    (venv / "pyvenv.cfg").write_text(f"version = {version}\n")
    context.stamps.write("target", " ".join(context.target))


def test_a_whole_environment_is_kept(context):
    assert packages.reason_to_start_anew(context) is None
    made_venv(context)
    assert packages.reason_to_start_anew(context) is None


def test_an_interrupted_setup_starts_anew(context):
    made_venv(context)
    context.stamps.write(INSTALLING, "installing packages")
    assert packages.reason_to_start_anew(context) == "an earlier setup was interrupted"


def test_another_python_place_or_distro_starts_anew(context):
    made_venv(context, version="3.12.1")
    assert packages.reason_to_start_anew(context) == "it has Python 3.12, not 3.11"
    (context.layout.venv / "pyvenv.cfg").write_text("version = 3.11.2\n")
    context.stamps.write("target", f"3.11 jazzy {context.layout.venv}-moved")
    assert "another place or another ROS distro" in packages.reason_to_start_anew(context)
    context.layout.python.unlink()
    assert packages.reason_to_start_anew(context) == "its Python is gone"


def test_a_foreign_folder_named_venv_is_not_deleted(context):
    context.layout.venv.mkdir()
    (context.layout.venv / "thesis.txt").touch()
    with pytest.raises(SetupError, match="not a virtual environment that setup made; move it away"):
        packages.prepare_venv(context)
    assert (context.layout.venv / "thesis.txt").exists()


def test_a_full_disk_stops_before_anything_is_made(context, monkeypatch):
    monkeypatch.setattr(packages.checks, "check_space", lambda *_: (_ for _ in ()).throw(SetupError("full")))
    with pytest.raises(SetupError, match="full"):
        packages.prepare_venv(context)
    assert not context.layout.venv.exists()


def test_an_unknown_list_is_named(context):
    made_venv(context)
    with pytest.raises(SetupError, match=r"there is no list .*requirements/core\.txt"):
        packages.install_requirements(context, ["core"])


def test_files_of_a_removed_interface_go_with_their_empty_folders(tmp_path):
    kept, stale = tmp_path / "lib" / "kept.so", tmp_path / "share" / "old" / "msg" / "Old.msg"
    for path in (kept, stale):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()
    _remove({stale, tmp_path / "lib" / "gone.so"}, tmp_path)
    assert kept.exists()
    assert not (tmp_path / "share").exists()


@pytest.mark.parametrize(
    ("error", "expected"),
    [
        (OSError(28, "No space left on device", "/x/.venv"), "the disk filled up at /x/.venv"),
        (OSError(13, "Permission denied", "/x/.venv"), "/x/.venv may not be written"),
        (OSError(5, "Input/output error", "/x"), "/x: Input/output error"),
    ],
)
def test_errors_of_the_system_are_sentences_too(error, expected, monkeypatch, capsys):
    def fail(*_):
        raise error

    monkeypatch.setattr(setup, "_set_up", fail)
    monkeypatch.setattr(setup.signal, "signal", lambda *_: None)
    assert setup.main([]) == 1
    said = capsys.readouterr().err
    assert said.startswith(f"setup: error: {expected}")
    assert len(said.splitlines()) == 1
