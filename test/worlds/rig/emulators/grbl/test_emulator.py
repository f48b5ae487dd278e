"""The emulated controller on its port, in real time, as a host meets it; and everything that can be broken in it."""

import contextlib
import os
import re
import signal
import subprocess
import sys
import time

import numpy as np
import pytest
import serial
from grbl_console import AXES, HOME, read_status

from vantage.errors import ConfigError, HardwareError, UnknownNameError
from vantage.registry import EMULATORS
from vantage.worlds.rig.description import load_rig, rig_file
from vantage.worlds.rig.emulators.grbl.axes import axes_of
from vantage.worlds.rig.emulators.grbl.emulator import GrblEmulator

pytestmark = pytest.mark.real_time
PATIENCE = 20.0  # s that anything may take on a busy machine
HOMED = np.array([0.01, 0.01, 0.4, -np.pi, np.deg2rad(-70.0)])


class Host:
    """A plain program at the other end."""

    def __init__(self, emulator):
        self.serial = serial.Serial(emulator.overrides["port"], 115200, timeout=0.05, write_timeout=PATIENCE)

    def send(self, data):
        self.serial.write(data if isinstance(data, bytes) else f"{data}\n".encode())

    def line(self, seconds=PATIENCE):
        """The next line, or None when none comes in time."""
        end, line = time.monotonic() + seconds, b""
        while time.monotonic() < end and not line.endswith(b"\n"):
            line += self.serial.readline()
        return line.decode("latin1").removesuffix("\r\n") if line.endswith(b"\n") else None

    def until(self, pattern, seconds=PATIENCE):
        """Lines up to one that matches."""
        end, found = time.monotonic() + seconds, []
        while time.monotonic() < end:
            line = self.line(0.2)
            if line is not None:
                found.append(line)
                if re.fullmatch(pattern, line):
                    return found
        raise AssertionError(f"no {pattern} came, but {found}")

    def status(self):
        self.send(b"?")
        return read_status(self.until(r"<.*>")[-1])

    def wait_for(self, state, seconds=PATIENCE):
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            found = self.status()
            if found[0] == state:
                return found
            time.sleep(0.005)
        raise AssertionError(f"never {state}, at last {found}")

    def unlock(self):
        self.send(b"\x18")
        self.until(r"\[MSG:'\$H'.*")
        self.send("$X")
        self.until("ok")


def wait_until(what):
    end = time.monotonic() + PATIENCE
    while not what():
        assert time.monotonic() < end
        time.sleep(0.002)


@pytest.fixture
def emulator():
    with contextlib.closing(GrblEmulator(AXES)) as emulator:
        emulator.start()
        yield emulator


@pytest.fixture
def unlocked(emulator):
    """A host that moves from wherever the axes are, which counts as 0."""
    host = Host(emulator)
    host.send("$X")
    host.until("ok")
    with contextlib.closing(host.serial):
        yield host


@pytest.fixture
def host(unlocked):
    for line in ("$24=6000", "$26=0", "$H"):
        unlocked.send(line)
        unlocked.until("ok")
    return unlocked


def rig(folder, driver="{name: grbl, axes: {x: X, z: Z, pan: A}}"):
    (folder / "rig.yaml").write_text(
        f"""
        rig:
          name: small
          chain:
            joints:
              - {{name: x, type: prismatic, axis: [1, 0, 0], limits: [0.0, 2.0], margin: 0.01, speed: 0.25,
                 acceleration: 1.5, resolution: 0.0000125}}
              - {{name: z, type: prismatic, axis: [0, 0, 2], limits: [0.3, 1.5], speed: 0.15, acceleration: 1.0,
                 resolution: 0.0000025}}
              - {{name: pan, type: revolute, axis: [0, 0, 1], limits: [-3.0, 3.0], speed: 1.5, acceleration: 8.0}}
          driver: {driver}
          camera: {{name: mock}}
        """
    )
    return load_rig(folder / "rig.yaml")


def test_it_is_registered_and_needs_a_start(tmp_path):
    emulator = EMULATORS.create("grbl", rig(tmp_path))
    assert isinstance(emulator, GrblEmulator)
    assert emulator.positions().shape == (3,)
    with pytest.raises(HardwareError, match="start it first"):
        _ = emulator.overrides


def test_axes_of_a_rig(tmp_path):
    axes = axes_of(rig(tmp_path))
    assert [(axis.letter, axis.joint) for axis in axes] == [("X", 0), ("Y", None), ("Z", 1), ("A", 2)]
    assert [axis.homes_up for axis in axes] == [False, False, True, False]
    assert (axes[0].lower, axes[0].upper) == pytest.approx((10.0, 1990.0))
    assert axes[2].steps == pytest.approx(400.0)
    assert axes[3].speed == pytest.approx(np.rad2deg(1.5))
    assert [axis.rotary for axis in axes] == [False, False, False, True]


@pytest.mark.parametrize("name", ["", "room"])
def test_the_rigs_that_come_along(name):
    description = load_rig(rig_file(name))
    emulator = EMULATORS.create(description.driver_name, description)
    assert (description.chain.lower <= emulator.positions()).all()
    assert (emulator.positions() <= description.chain.upper).all()


@pytest.mark.parametrize(
    ("driver", "words"),
    [
        ("{name: grbl, axes: {x: X, z: X, pan: A}}", "more than one joint"),
        ("{name: grbl, axes: {x: X}}", "axes.z: is missing"),
        ("{name: grbl, axes: {x: X, z: Z, pan: A, roll: C}}", "axes.roll: unknown key"),
        ("{name: grbl, axes: {x: Q, z: Z, pan: A}}", r"axes\.x: .*'Q'"),
        ("{name: grbl, axes: {x: X, z: Z, pan: A}, zeros: {x: far}}", r"zeros\.x: expected a number"),
        ("{name: grbl}", "driver.axes: is missing"),
    ],
)
def test_letters_that_do_not_fit(tmp_path, driver, words):
    with pytest.raises(ConfigError, match=words):
        axes_of(rig(tmp_path, driver))


def test_machine_coordinates_start_at_the_zeros(tmp_path):
    plain = axes_of(rig(tmp_path))
    shifted = axes_of(rig(tmp_path, "{name: grbl, axes: {x: X, z: Z, pan: A}, zeros: {z: 1.5, pan: 0.5}}"))
    assert shifted[2].upper == pytest.approx(plain[2].upper - 1500.0)
    assert shifted[3].lower == pytest.approx(plain[3].lower - np.rad2deg(0.5))
    assert GrblEmulator(shifted).positions() == pytest.approx(GrblEmulator(plain).positions())


def test_unplugging_before_the_start():
    with pytest.raises(HardwareError, match="start it first"):
        GrblEmulator(AXES).inject("unplug")


def test_a_plain_terminal_sees_the_banner(emulator):
    port = os.open(emulator.overrides["port"], os.O_RDWR | os.O_NOCTTY)
    try:
        heard, end = b"", time.monotonic() + PATIENCE
        while b"unlock]\r\n" not in heard and time.monotonic() < end:
            heard += os.read(port, 100)
    finally:
        os.close(port)
    assert heard == b"\r\nGrbl 1.1h ['$' for help]\r\n[MSG:'$H'|'$X' to unlock]\r\n"


def test_homing_and_a_move_in_real_time(emulator, host):
    assert host.status()[:2] == ("Idle", HOME)
    assert emulator.positions() == pytest.approx(HOMED)
    closed = 150.0 / 150.0 + 150.0 / 2000.0
    begin = time.monotonic()
    host.send("G1X160F9000")
    host.until("ok")
    wait_until(lambda: emulator.velocities[0] == pytest.approx(0.15))
    assert emulator.state == "Run"
    assert 0.01 < emulator.positions()[0] < 0.16
    host.wait_for("Idle")
    took = emulator.rest_times[-1] - begin
    assert closed <= took <= closed + 5.0
    assert emulator.positions() == pytest.approx([0.16, *HOMED[1:]])
    assert emulator.longest_queue == pytest.approx(closed)
    least, most = emulator.extremes
    assert most[0] == pytest.approx(0.16)
    assert least[1] == pytest.approx(0.01)


def test_a_feed_hold_is_seen_and_brakes_in_time(emulator, host):
    host.send("G1X140F9000")
    host.until("ok")
    wait_until(lambda: emulator.velocities[0] == pytest.approx(0.15))
    host.send(b"!")
    host.wait_for("Hold:0")
    (seen,) = emulator.received(b"!")
    rest = emulator.rest_times[-1]
    assert rest - seen == pytest.approx(150.0 / 2000.0)
    place = emulator.positions()
    time.sleep(0.05)
    assert (emulator.positions() == place).all()
    host.send(b"~")
    assert host.wait_for("Idle")[1][0] == 140.0


def test_unknown_faults_are_refused(emulator):
    with pytest.raises(UnknownNameError, match="did you mean 'unplug'"):
        emulator.inject("unplugg")


def test_unplug(emulator, host):
    host.send("G1X140F9000")
    host.until("ok")
    emulator.inject("unplug")
    with pytest.raises((serial.SerialException, OSError)):
        for _ in range(100):
            host.send(b"?")
            host.serial.read(1)
    with pytest.raises(serial.SerialException):
        Host(emulator)
    emulator.mend()
    again = Host(emulator)
    with contextlib.closing(again.serial):
        assert again.wait_for("Idle")[1][0] == 140.0  # it kept its power and went on


def test_garbage(emulator, unlocked):
    emulator.inject("garbage")
    unlocked.serial.timeout = 2.0
    unlocked.send("$G")
    heard = b""
    while not heard.endswith(b"\nok\r\n") and (more := unlocked.serial.read_until(b"ok\r\n")):
        heard += more
    assert len(heard) == len(b"[GC:G0 G54 G17 G21 G90 G94 M5 M9 T0 F0 S0]\r\nok\r\n") + 24
    assert unlocked.status()[0] == "Idle"


def test_lost_and_duplicated_acknowledgements(emulator, unlocked):
    emulator.inject("lost_ack")
    unlocked.send("G0X12")
    assert unlocked.line(0.3) is None
    assert unlocked.wait_for("Idle")[1][0] == 12.0
    emulator.inject("duplicate_ack")
    unlocked.send("G21")
    assert [unlocked.line(), unlocked.line(), unlocked.line(0.2)] == ["ok", "ok", None]
    unlocked.send("G21")
    assert [unlocked.line(), unlocked.line(0.2)] == ["ok", None]


def test_late_replies(emulator, unlocked):
    emulator.inject("late_replies")
    begin = time.monotonic()
    unlocked.send("G21")
    assert unlocked.line() == "ok"
    assert time.monotonic() - begin >= 1.0
    emulator.mend()
    times = []
    for _ in range(3):
        begin = time.monotonic()
        unlocked.send("G21")
        assert unlocked.line() == "ok"
        times.append(time.monotonic() - begin)
    assert min(times) < 0.9


def test_silence(emulator, unlocked):
    emulator.inject("silent")
    unlocked.send("G0X20")
    unlocked.send(b"?")
    assert unlocked.line(0.3) is None
    wait_until(lambda: emulator.positions()[0] == pytest.approx(0.032))
    emulator.mend()
    assert unlocked.status()[0] == "Idle"


def test_truncated_reports(emulator, unlocked):
    emulator.inject("truncated")
    for _ in range(5):
        unlocked.send(b"?")
        line = unlocked.line()
        assert line.startswith("<")
        assert not line.endswith(">")
    unlocked.send("G21")
    assert unlocked.line() == "ok"
    emulator.mend()
    assert unlocked.status()[0] == "Idle"


def test_a_stuck_axis(emulator, host):
    emulator.inject("stuck_axis")
    host.send("G0X30A-170")
    _, position, _ = host.wait_for("Idle")
    assert (position[0], position[3]) == (10.0, -170.0)
    assert emulator.positions()[0] == pytest.approx(0.01)
    emulator.mend()
    host.send("G0X30")
    assert host.wait_for("Idle")[1][0] == 30.0
    assert emulator.positions()[0] == pytest.approx(0.03)


def test_a_restart_in_motion(emulator, host):
    host.send("G1X140F9000")
    host.until("ok")
    wait_until(lambda: emulator.velocities[0] == pytest.approx(0.15))
    emulator.inject("reset")
    assert host.until(r"\[MSG:.*")[-2] == "Grbl 1.1h ['$' for help]"
    state, position, fields = host.status()
    assert (state, position, fields["H"]) == ("Alarm", (0.0,) * 5, "0")
    place = emulator.positions()
    assert 0.01 < place[0] < 0.14
    time.sleep(0.05)
    assert (emulator.positions() == place).all()


def test_a_hard_limit(emulator, unlocked):
    emulator.inject("alarm")
    assert unlocked.until(r"\[MSG:Reset.*") == ["ALARM:1", "[MSG:Reset to continue]"]
    assert unlocked.status()[0] == "Alarm"
    unlocked.unlock()
    assert unlocked.status()[0] == "Idle"


def test_the_door(emulator, host):
    host.send("G1X140F9000")
    host.until("ok")
    emulator.inject("door")
    host.until(r"\[MSG:Check Door\]")
    host.wait_for("Door:1")
    host.send(b"~")
    assert host.status()[0] == "Door:1"
    emulator.mend()
    assert host.status()[0] == "Door:0"
    host.send(b"~")
    assert host.wait_for("Idle")[1][0] == 140.0


def test_closing_twice_and_starting_again():
    emulator = GrblEmulator(AXES)
    emulator.start()
    emulator.start()
    first = emulator.overrides["port"]
    emulator.close()
    emulator.close()
    assert not os.path.lexists(first)
    emulator.mend()
    emulator.start()
    with contextlib.closing(emulator), contextlib.closing(Host(emulator).serial) as port:
        port.write(b"?")
        assert port.read_until(b">").startswith(b"<Alarm|")


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_by_itself(number):
    command = [sys.executable, "-m", "vantage.worlds.rig.emulators.grbl", "--rig", "room"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as program:
        try:
            path = program.stdout.readline().strip()
            with serial.Serial(path, 115200, timeout=PATIENCE) as port:
                port.write(b"?")
                assert b"<Alarm|" in port.read_until(b">")
            program.send_signal(number)
            assert program.wait(PATIENCE) == 0
        finally:
            program.kill()
        assert program.stderr.read() == ""
    assert not os.path.lexists(path)


def test_by_itself_with_a_wrong_rig():
    command = [sys.executable, "-m", "vantage.worlds.rig.emulators.grbl", "--rig", "nowhere"]
    ended = subprocess.run(command, capture_output=True, text=True, timeout=60)
    assert ended.returncode == 2
    assert "'nowhere' is neither a file nor the name of one" in ended.stderr
