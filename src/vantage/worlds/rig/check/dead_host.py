"""Steps of the check: when the program that drives the rig dies, the rig comes to rest by itself.

Run as a module it is that program: reads what to drive from its standard input, moves the rig along the longest free
way and prints joint positions until it is killed.
"""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from queue import Empty, SimpleQueue
from typing import IO

import numpy as np

from vantage.config import Settings, all_settings
from vantage.decoding import Section
from vantage.errors import HardwareError, VantageError
from vantage.worlds.rig.assembly import HARDWARE, assemble
from vantage.worlds.rig.check.check_report import FailedError, SkipError, require
from vantage.worlds.rig.check.rig_under_test import JointSample, RigUnderTest, fastest
from vantage.worlds.rig.check.stop_steps import require_halt
from vantage.worlds.rig.description import load_rig
from vantage.worlds.rig.drivers import QUEUE, MockDriver
from vantage.worlds.rig.safety import EPISODE

_STARTING = 60.0  # s until another program has opened the rig, beyond the time for homing
_UNDER_WAY = 0.3  # s of a motion, at least, after which the program is killed
_LEFT_ALONE = 1.0  # s: a rig that did not come to rest by itself would be far away by then
_ENDING = 5.0  # s


def waiting(subject: RigUnderTest) -> str:
    """How much motion has waited in the controller at most, all through the check."""
    longest = getattr(subject.rig.emulator or subject.rig.driver, "longest_queue", None)
    if longest is None:
        raise SkipError("the controller does not tell how much motion waits in it")
    told = f"{1e3 * longest:.1f} ms of motion waited in the controller at most, {1e3 * QUEUE:.0f} ms are allowed"
    require(longest <= QUEUE, told)
    return told


def killed(subject: RigUnderTest) -> str:
    """Another program drives the rig along the longest way that is free and is killed in the midst of it."""
    rig = subject.rig
    if not rig.world.real_time or isinstance(rig.driver, MockDriver):
        raise SkipError("these motors live within this program and end with it")
    rig.driver.close()
    try:
        with _other_program(subject) as (program, samples):
            seen = _under_way(subject, samples)
            speed, last = fastest(seen), seen[-1]
            program.send_signal(signal.SIGKILL)
            died = subject.clock.monotonic()
            if rig.emulator is not None:
                words = require_halt(subject, speed, died, subject.sample(), QUEUE)
            else:
                subject.clock.sleep(_LEFT_ALONE)
    finally:
        rig.driver.connect()
    if rig.emulator is None:
        words = require_halt(subject, speed, died, last, QUEUE, watched=False)
    subject.go_on()
    return f"its program was killed: {words}"


@contextmanager
def _other_program(subject: RigUnderTest) -> Iterator[tuple[subprocess.Popen[str], SimpleQueue[JointSample | None]]]:
    """A program that drives the rig while the block runs, and where it sees the joints; None once it has ended."""
    rig = subject.rig
    groups = (
        (f"{group}.{item.name}", getattr(getattr(subject.settings, group), item.name)) for group, item in all_settings()
    )
    order = {
        "file": str(rig.description.path.resolve()),
        "driver": dict(rig.emulator.overrides) if rig.emulator is not None else {},
        "settings": dict(groups),
    }
    command = [sys.executable, "-m", "vantage.worlds.rig.check.dead_host"]
    with (
        tempfile.TemporaryFile("w+") as errors,
        subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=errors, text=True) as program,
    ):
        samples: SimpleQueue[JointSample | None] = SimpleQueue()
        assert program.stdin is not None
        assert program.stdout is not None
        threading.Thread(target=_read, args=(program.stdout, samples), name="other program", daemon=True).start()
        try:
            with program.stdin as order_book:
                json.dump(order, order_book)
            yield program, samples
        except _EndedError as ended:
            if program.wait(_ENDING) == 0:
                raise SkipError("the longest motion that is free is too short to be met on the way") from ended
            errors.seek(0)
            raise FailedError(f"another program could not drive the rig: {_last_line(errors)}") from ended
        finally:
            _end(program)


class _EndedError(Exception):
    """The other program has nothing more to say."""


def _under_way(subject: RigUnderTest, samples: SimpleQueue[JointSample | None]) -> list[JointSample]:
    """Where the joints were in a motion that has got up to speed: as the other program reports, but emulated ones as
    they are seen from here, for that program may have too little time to look.

    Raises:
        _EndedError: the other program has ended.
        FailedError: it reports no motion.
    """
    joints = subject.rig.description.chain.joints
    due = max(_UNDER_WAY, *(2.0 * joint.speed / joint.acceleration for joint in joints))
    ends = time.monotonic() + _STARTING + subject.patience
    seen = [_next(samples, ends)]
    if subject.rig.emulator is not None:
        seen = subject.watch(due, lambda: False)
        while not samples.empty():
            _next(samples, ends)
    while seen[-1][0] - seen[0][0] < due or not samples.empty():
        seen.append(_next(samples, ends))
    return seen


def _next(samples: SimpleQueue[JointSample | None], ends: float) -> JointSample:
    try:
        sample = samples.get(timeout=max(0.0, ends - time.monotonic()))
    except Empty as error:
        raise FailedError("another program did not get the rig to move") from error
    if sample is None:
        raise _EndedError
    return sample


def _read(stream: IO[str], samples: SimpleQueue[JointSample | None]) -> None:
    for line in stream:
        at, positions = json.loads(line)
        samples.put((at, np.array(positions)))
    samples.put(None)


def _end(program: subprocess.Popen[str]) -> None:
    """Ask it to stop the rig and end; insist after a while."""
    if program.poll() is None:
        program.send_signal(signal.SIGINT)
        try:
            program.wait(_ENDING)
        except subprocess.TimeoutExpired:
            program.kill()


def _last_line(errors: IO[str]) -> str:
    return (errors.read().strip().splitlines() or ["it said nothing"])[-1]


_BEAT = 0.02  # s


def main() -> int:
    """Drive until the way is done, the input's orders are wrong, or nobody listens any more."""
    try:
        _drive(json.load(sys.stdin))
    except (VantageError, FailedError) as error:
        print(error, file=sys.stderr)
        return 1
    return 0


def _drive(order: dict[str, object]) -> None:
    """The order names the rig's file, values that the driver's section has instead, and all settings."""
    given = load_rig(str(order["file"]))
    room = "" if given.safety.room == EPISODE else given.safety.room  # which only simulated cameras know
    description = replace(
        given,
        safety=replace(given.safety, room=room),
        driver=given.driver.with_values(**order["driver"]),  # type: ignore[arg-type]
        camera=Section({"name": "mock"}, given.camera.where, given.camera.folder),
        arm=None,
    )
    settings = Settings().with_values(order["settings"], "order")  # type: ignore[arg-type]
    settings = replace(settings, rig=replace(settings.rig, mode=HARDWARE))
    rig = assemble(settings, description, confirmed=True)
    with closing(rig.world):
        rig.world.connect()
        if not rig.driver.state().homed:
            rig.machine.home()
        subject = RigUnderTest(rig, settings)
        with subject.long_move() as motion:
            while not motion.over.is_set():
                at, positions = subject.sample()
                print(json.dumps([at, positions.tolist()]), flush=True)
                motion.over.wait(_BEAT)
        if not motion.done:
            raise HardwareError(motion.words)


if __name__ == "__main__":
    raise SystemExit(main())
