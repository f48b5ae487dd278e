"""What killed processes leave in /dev/shm is removed; what a living one uses stays, and works."""

from __future__ import annotations

import fcntl
import json
import os
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import pytest
from ros_fixtures import eventually, new_domain

from vantage.cli.main import main
from vantage.errors import UsageError
from vantage.nodes.runtime import shared_memory
from vantage.nodes.runtime.shared_memory import FOLDER, find_leftovers, remove_leftovers

pytestmark = pytest.mark.real_time

PROCESS = """
import sys, threading
from rclpy.node import Node
from std_msgs.msg import String
from vantage.nodes.runtime.running import Spinner, ros_context
role = sys.argv[1]
with ros_context([]) as context:
    node = Node(role, context=context)
    said = node.create_publisher(String, f"of_{role}", 10)
    other = "asker" if role == "echo" else "echo"
    got = threading.Semaphore(0)
    def hear(message):
        said.publish(message) if role == "echo" else got.release()
    node.create_subscription(String, f"of_{other}", hear, 10)
    spinner = Spinner([node], context)
    print("up", flush=True)
    for line in sys.stdin:
        while not got.acquire(timeout=0.2):
            said.publish(String(data="x" * 100_000))
        print("heard", flush=True)
    spinner.close()
"""


def start(role: str, domain: int) -> subprocess.Popen[str]:
    process = subprocess.Popen(
        [sys.executable, "-c", PROCESS, role],
        env=os.environ | {"ROS_DOMAIN_ID": str(domain)},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert line(process) == "up\n"
    return process


def line(process: subprocess.Popen[str]) -> str:
    assert process.stdout is not None
    return process.stdout.readline()


def talks(process: subprocess.Popen[str]) -> bool:
    assert process.stdin is not None
    process.stdin.write("\n")
    process.stdin.flush()
    return line(process) == "heard\n"


def mapped(pid: int) -> set[Path]:
    """Files of Fast DDS that a process uses, by what it has open and mapped."""
    names = set()
    for text in Path(f"/proc/{pid}/maps").read_text().splitlines():
        names.add(text.split(maxsplit=5)[-1])
    for descriptor in Path(f"/proc/{pid}/fd").iterdir():
        names.add(os.readlink(descriptor))
    return {Path(name) for name in names if name.startswith("/dev/shm/") and ("fastrtps" in name or "fastdds" in name)}


def in_use(without: tuple[int, ...] = ()) -> set[Path]:
    """Files of Fast DDS that any process uses, but for those named."""
    used: set[Path] = set()
    for process in Path("/proc").iterdir():
        if process.name.isdigit() and int(process.name) not in without:
            with suppress(OSError):  # it ended meanwhile, or is another user's
                used |= mapped(int(process.name))
    return used


def test_a_killed_process_leaves_nothing_and_its_neighbour_goes_on() -> None:
    domain = new_domain()
    with start("echo", domain) as echo, start("asker", domain) as asker, start("bystander", domain) as killed:
        try:
            assert talks(asker)
            own = mapped(killed.pid) - mapped(echo.pid) - mapped(asker.pid)
            locks = {path for path in own if path.name.endswith("_el")}
            assert len(locks) >= 2, "a segment and a port at least"
            living = mapped(echo.pid) | mapped(asker.pid)
            killed.kill()
            killed.wait(10)
            assert locks <= set(FOLDER.iterdir())
            # The neighbours let go of what they had mapped of it when its lease of 20 s is over. Ports from 7000 on are
            # numbered across domains: a process of another test may take the number of the killed one's at any time.
            neighbours = (echo.pid, asker.pid)
            eventually(
                lambda: (
                    remove_leftovers(young=0.0) and not ((own - in_use(neighbours)) & set(FOLDER.iterdir()) - locks)
                ),
                60.0,
            )
            assert living <= set(FOLDER.iterdir())
            assert talks(asker)
            with start("echo2", domain):  # who comes later takes up a free port and disturbs nobody
                assert talks(asker)
        finally:
            for process in (echo, asker, killed):
                process.kill()
                process.wait(10)
    remove_leftovers(young=0.0)  # the neighbours' looks at the killed process's locks made these anew, empty
    left = own & set(FOLDER.iterdir()) - in_use()  # other tests may have come to use a port of the same number
    assert not left, left


def make(folder: Path, *names: str) -> None:
    for name in names:
        (folder / name).write_bytes(b"x" * 5000)


SEGMENT = ("fastrtps_0123456789abcdef", "fastrtps_0123456789abcdef_el")
PORT = ("fastdds_port7412", "fastdds_port7412_sl", "sem.fastdds_port7412_mutex")
STRANGE = ("fastrtps_0123", "fastrtps_port7412_other", "sem.mp-1mb9rchc", "fast_datasharing_1", "my_fastrtps_port1")


def test_only_whole_names_of_fast_dds_that_nobody_has_locked_mapped_or_just_made(tmp_path: Path) -> None:
    make(tmp_path, *SEGMENT, *PORT, *STRANGE)
    assert remove_leftovers(tmp_path).files == 0, "too young to tell"
    with open(tmp_path / SEGMENT[1]) as lock, open(tmp_path / PORT[2]):
        fcntl.flock(lock, fcntl.LOCK_EX)
        found = remove_leftovers(tmp_path, young=0.0)
        assert (found.files, found.kept) == (0, 5), "one is locked, one is open"
    assert (
        find_leftovers(tmp_path, young=0.0).files
        == len({*SEGMENT, *PORT} & {path.name for path in tmp_path.iterdir()})
        == 5
    ), "looking removes nothing"
    found = remove_leftovers(tmp_path, young=0.0)
    assert (found.files, found.kept) == (5, 0)
    assert found.size == 5 * 8192
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted(STRANGE)


def test_a_link_or_a_folder_in_the_place_of_a_file_is_left_alone(tmp_path: Path) -> None:
    shared, outside = tmp_path / "shm", tmp_path / "outside"
    shared.mkdir()
    outside.write_text("mine")
    (shared / PORT[1]).symlink_to(outside)
    (shared / SEGMENT[0]).mkdir()
    assert remove_leftovers(shared, young=0.0).files == 0
    assert outside.read_text() == "mine"
    assert remove_leftovers(tmp_path / "none").kept == 0


@pytest.mark.skipif(os.geteuid() != 0, reason="only root may remove files of another user")
def test_files_of_a_user_whose_processes_do_not_tell_stay(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    make(tmp_path, *SEGMENT)
    other = 54_321
    for name in SEGMENT:
        os.chown(tmp_path / name, other, other)

    def refuse(*_: object, **__: object) -> str:
        raise PermissionError(13, "Permission denied")

    with monkeypatch.context() as patch:
        patch.setattr(Path, "read_text", refuse)
        patch.setattr(shared_memory, "_owner", lambda process: other)
        assert remove_leftovers(tmp_path, young=0.0).kept == 2
    assert remove_leftovers(tmp_path, young=0.0).files == 2


def test_files_of_another_user_are_left_to_that_user(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    make(tmp_path, *SEGMENT)
    monkeypatch.setattr(os, "geteuid", lambda: 54_321)
    assert remove_leftovers(tmp_path, young=0.0).kept == 2


def test_doctor_says_how_much_there_is_and_cleans(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    make(tmp_path, *SEGMENT)
    for name in ("find_leftovers", "remove_leftovers"):
        function = getattr(shared_memory, name)
        monkeypatch.setattr(f"vantage.cli.doctor.{name}", lambda function=function: function(tmp_path, young=0.0))
    main(["doctor", "--json"])
    checks = {check["name"]: check for check in json.loads(capsys.readouterr().out)["checks"]}
    assert "2 files of killed processes, 0.0 MB" in checks["shared memory"]["detail"]
    assert checks["shared memory"]["mend"] == "vantage doctor --clean"
    assert main(["doctor", "--clean", "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == {
        "schema": "vantage.doctor/1",
        "ok": True,
        "removed_files": 2,
        "removed_bytes": 2 * 8192,
        "kept_files": 0,
    }
    assert main(["doctor", "--clean"]) == 0
    assert (
        capsys.readouterr().out
        == "removed 0 files of killed processes, 0.0 MB; 0 of living processes or younger " + ("than 10 s kept\n")
    )


def test_up_sweeps_before_the_graph_takes_its_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    make(tmp_path, *SEGMENT)
    order = []

    def swept() -> shared_memory.LeftoverFiles:
        order.append("sweep")
        return remove_leftovers(tmp_path, young=0.0)

    def refuse(*_: object) -> None:
        order.append("up")
        raise UsageError("enough")

    monkeypatch.setattr("vantage.nodes.runtime.remove_leftovers", swept)
    monkeypatch.setattr("vantage.nodes.bring_up", refuse)
    assert main(["up", "--world", "none", "--agent", "blind"]) == 2
    assert order == ["sweep", "up"]
    assert "shared memory: removed 2 files of killed processes" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []
