"""Worker processes end with the process that started them, whatever ended that one."""

from __future__ import annotations

import os
import shutil
import signal
import sys
import time
from pathlib import Path

import pytest
from marked_processes import Marked, until

from vantage.errors import VantageError
from vantage.files import try_lock
from vantage.recording.folder_lock import LOCK, FolderLock
from vantage.workers import WorkerPool

SLEEPING = """
import sys, time
from vantage.recording.folder_lock import FolderLock
from vantage.workers import WorkerPool
if __name__ == "__main__":
    with FolderLock(sys.argv[1]) as claim, WorkerPool(2, claim) as pool:
        sleeping = [pool.submit(time.sleep, 600) for _ in range(2)]
        print("asleep", flush=True)
        time.sleep(600)
"""


STARTING = """
import subprocess, sys, time
from vantage.workers import ending_with_this_process
command = [sys.executable, "-c", "print('awake', flush=True); import time; time.sleep(600)"]
subprocess.Popen(ending_with_this_process(command))
time.sleep(600)
"""


def start(folder: Path) -> Marked:
    """Two workers that sleep for long."""
    script = folder / "sleeping.py"
    script.write_text(SLEEPING)
    started = Marked([sys.executable, str(script), str(folder / "bags")])
    assert started.process.stdout is not None
    assert started.process.stdout.readline() == "asleep\n"
    return started


@pytest.mark.parametrize("early", [True, False])
def test_none_outlives_a_process_that_was_killed(tmp_path: Path, early: bool) -> None:
    with start(tmp_path) as started:
        until(lambda: early or len(started.workers()) == 2)
        started.process.kill()
        assert started.is_gone()


@pytest.mark.skipif(shutil.which("setpriv") is None, reason="setpriv is not installed (util-linux)")
def test_a_command_ends_with_the_process_that_started_it() -> None:
    with Marked([sys.executable, "-c", STARTING]) as started:
        assert started.process.stdout is not None
        assert started.process.stdout.readline() == "awake\n"
        assert len(started.pids) == 2
        started.process.kill()
        assert started.is_gone(within=10.0)


def test_a_folder_stays_claimed_until_the_last_worker_is_gone(tmp_path: Path) -> None:
    lock = tmp_path / "bags" / LOCK
    with start(tmp_path) as started:
        until(lambda: len(started.workers()) == 2)
        worker = started.workers()[0]
        os.kill(worker, signal.SIGSTOP)
        started.process.kill()
        until(lambda: started.process.poll() is not None)
        until(lambda: set(started.workers()) <= {worker})
        assert try_lock(lock) is None, "the worker may still be writing"
        os.kill(worker, signal.SIGCONT)
        assert started.is_gone()
    with FolderLock(tmp_path / "bags"):
        pass


@pytest.mark.parametrize("group", [True, False])
def test_an_interrupt_ends_all_at_once_and_workers_say_nothing(tmp_path: Path, group: bool) -> None:
    with start(tmp_path) as started:
        until(lambda: len(started.workers()) == 2)
        if group:
            started.kill_group(signal.SIGINT)
        else:
            started.process.send_signal(signal.SIGINT)
        assert started.is_gone()
        _, told = started.process.communicate()
        assert told.count("Traceback") == 1, "that of the script itself"
        assert not (tmp_path / "bags").exists()


@pytest.mark.real_time
def test_what_runs_is_waited_for_when_the_block_ends(tmp_path: Path) -> None:
    with WorkerPool(1) as pool:
        running = pool.submit(time.sleep, 0.2)
        while not running.running():
            time.sleep(0.01)
    assert running.result() is None


def test_what_waits_is_not_started_after_an_error() -> None:
    with pytest.raises(ZeroDivisionError), WorkerPool(1) as pool:
        futures = [pool.submit(time.sleep, 0.1) for _ in range(50)]
        until(futures[0].done)
        _ = 1 / 0
    assert sum(future.cancelled() for future in futures) > 40
    assert all(future.done() for future in futures)


def test_results_come_in_the_order_of_the_arguments() -> None:
    with WorkerPool(2) as pool:
        assert list(pool.map(pow, [2, 3, 5], [3, 2, 1])) == [8, 9, 5]


def test_a_worker_that_dies_is_told() -> None:
    with pytest.raises(VantageError, match="a worker process died"), WorkerPool(1) as pool:
        list(pool.map(os._exit, [3]))
