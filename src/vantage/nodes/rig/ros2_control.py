"""The ``ros2_control`` driver: a joint_trajectory_controller moves the joints, JointState messages say where they are.

Motion is sent in pieces of at most ``QUEUE`` s, each of which ends at rest, and renewed long before that. A program
that dies therefore leaves a standing robot behind. Pieces carry stamps of the controller's own clock, which is learnt
from its states, so that one continues the other whenever it arrives. Stops are sent for "at once".
"""

from __future__ import annotations

import math
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from vantage.decoding import Section
from vantage.errors import HardwareError, StoppedError
from vantage.nodes.rig.endpoint import MEETING, ControllerNames, read_controller_names, topic_name
from vantage.nodes.rig.joint_states import MessageFaults, StateReader
from vantage.nodes.rig.trajectory_follower import BRAKE, Motion, TrajectoryFollower, checked_goal
from vantage.nodes.rig.trajectory_link import TrajectoryLink
from vantage.spatial import Matrix
from vantage.worlds.rig import RigDescription, SystemClock
from vantage.worlds.rig.drivers import Driver, DriverState
from vantage.worlds.rig.kinematics import Joint

PERIOD = 0.04  # s between two renewals of a motion, and between two looks at what may be wrong
_COME_TO_REST = 0.4  # s after the end of braking within which rest is seen
_JOIN = 2.0  # s
_NAMING = 2.0  # s for the name of a node to become known


class Ros2ControlDriver(Driver):
    """Absolute encoders are assumed: positions can be trusted as soon as states come.

    Faults, by the words that ``notify`` gets: ``silent`` (no states for ``silence`` s), ``late`` and ``incomplete``
    (none that are fit for use), ``garbage``, ``jump``, ``stuck`` (a joint is not where it was sent), ``link`` (nobody
    takes trajectories). The words ``late``, ``incomplete`` and ``repeated`` also tell of messages that are passed
    over, ``lag`` of a motion that had to begin anew, ``stamps`` of a broadcaster without any, and ``mended`` of the
    end of a fault.
    """

    def __init__(
        self,
        joints: tuple[Joint, ...],
        wiring: ControllerNames,
        silence: float = 0.5,
        tolerance: float = 0.05,
        stop_topic: str = "",
        meeting: float = MEETING,
    ) -> None:
        """
        Args:
            silence: s without a state fit for use that are a fault.
            tolerance: m or rad by which a joint may miss the way that it was sent on.
            stop_topic: where a ``std_msgs/Bool`` tells stops as well; empty for none.
            meeting: s for the controller and its states to be found.
        """
        self.joints, self.clock = joints, SystemClock()
        self._silence, self._meeting = silence, meeting
        self._resolution = np.array([joint.resolution for joint in joints])
        self._link = TrajectoryLink(wiring, stop_topic, self._hear)
        self._reader = StateReader(wiring.names, joints, tolerance)
        self._follower = TrajectoryFollower(joints, tolerance, self._send)
        self._changed = threading.Condition()
        self._busy = threading.Lock()
        self._closing = threading.Event()
        self._watch: threading.Thread | None = None
        self._events, self._nuisances = deque[tuple[str, str]](), MessageFaults()
        self._quiet = 0.0  # s since the last good state in which this process was awake
        self._doubt = ("", "")  # what was wrong with the last message
        self._stops, self._cleared, self._fault = 0, 0, ""

    # Driver ---------------------------------------------------------------------------------------------------------

    def connect(self) -> None:
        """See ``Driver.connect``."""
        if self._link.open:
            return
        self._link.start()
        try:
            self._link.meet(self._meeting)
            self._await_states(self._meeting)
            self._link.refuse_rivals(_NAMING)
        except HardwareError:
            self._link.close()
            raise
        self._closing.clear()
        self._watch = threading.Thread(target=self._supervise, name="ros2_control", daemon=True)
        self._watch.start()
        if not self._reader.stamped:
            self.notify("stamps", f"{self._link.wiring.joint_states} has no stamps; its times of arrival are used")

    def home(self, timeout: float) -> None:
        """See ``Driver.home``; nothing moves."""
        with self._one_motion():
            self._await_states(timeout)

    def move(self, target: Matrix, timeout: float, turning: float = math.inf) -> DriverState:
        """See ``Driver.move``."""
        goal = checked_goal(self.joints, target)
        with self._one_motion():
            state = self._go(goal, timeout, None, pressing=False, turning=turning)
        missed = np.abs(state.positions - goal) > self._resolution
        if np.any(missed):
            j = int(np.argmax(missed))
            raise HardwareError(
                f"{self.joints[j].name} came to rest at {state.positions[j]:.5f} instead of {goal[j]:.5f} "
                f"{self.joints[j].unit}, farther off than its resolution; tune the controller or correct 'resolution'"
            )
        return state

    def grasp(self, target: Matrix, effort: float | None, timeout: float) -> DriverState:
        """Like ``move``, but something in the way ends the motion without an error and goes on being pressed.

        Args:
            effort: of every joint, N or N m, added to what the controller does by itself; None for nothing.
                Controllers without an effort command interface refuse trajectories that hold one.
        """
        goal = checked_goal(self.joints, target)
        with self._one_motion():
            return self._go(goal, timeout, effort, pressing=True)

    @property
    def longest_queue(self) -> float:
        """s of motion that ever waited in the controller, at most."""
        return self._follower.longest

    def state(self) -> DriverState:
        """See ``Driver.state``."""
        with self._changed:
            positions = self._follower.positions
            if not self._link.open or positions is None:
                raise HardwareError(f"{self._link.wiring.controller} is not connected; connect first")
            now = time.monotonic()
            stamp = self.clock.now() - round((now - self._follower.seen) * 1e9)
            moving = not self._follower.at_rest(now)
            return DriverState(stamp, positions.copy(), moving, held=self._held, fault=self._fault)

    def stop(self) -> None:
        """See ``Driver.stop``."""
        with self._changed:
            self._stops += 1
            self._follower.brake(time.monotonic())
            self._link.tell_stop(True)
            self._changed.notify_all()

    def clear(self, timeout: float = 10.0) -> None:
        """See ``Driver.clear``."""
        ends, stops = time.monotonic() + timeout, self._stops
        if self._link.broken:
            self.close()
            self.connect()
        self.state()
        self._link.meet(timeout)
        with self._changed:
            self._reader.forget()
        self._await_states(max(0.1, ends - time.monotonic()))
        if not self._await(lambda: self._follower.at_rest(time.monotonic()), ends):
            raise HardwareError("the robot still moves; stop what moves it, then clear again")
        with self._changed:
            mended, self._fault, self._cleared = self._fault, "", stops
            self._follower.forget()
            self._link.tell_stop(self._held)  # another one may have come meanwhile
            if mended:
                self._events.append(("mended", f"{self._link.wiring.controller} can be used again after: {mended}"))

    def close(self) -> None:
        """See ``Driver.close``."""
        with self._changed:
            going = self._follower.going
            if going:
                self._follower.brake(time.monotonic())
            self._closing.set()  # with the lock, so that no motion sets off in between
        if going:
            time.sleep(BRAKE)
        watch, self._watch = self._watch, None
        if watch is not None:
            watch.join(_JOIN)
        self._tell()
        self._link.close()
        with self._changed:
            self._reader.forget()
            self._follower.forget()
            self._changed.notify_all()

    # Motion ---------------------------------------------------------------------------------------------------------

    @contextmanager
    def _one_motion(self) -> Iterator[None]:
        if not self._busy.acquire(blocking=False):
            raise HardwareError("another motion is under way; wait for its end")
        try:
            self.state()
            if self._held:
                raise StoppedError("a stop is in force; clear it first")
            if self._fault:
                raise HardwareError(f"{self._fault}; clear it first")
            self._link.refuse_rivals()
            yield
        except HardwareError:
            raise
        except BaseException:  # such as Ctrl-C
            with self._changed:
                self._follower.brake(time.monotonic())
            raise
        finally:
            self._busy.release()

    def _go(
        self, goal: Matrix, timeout: float, effort: float | None, pressing: bool, turning: float = math.inf
    ) -> DriverState:
        ends = time.monotonic() + timeout
        with self._changed:
            now = time.monotonic()
            if not self._interrupted and not self._follower.set_off(goal, now, effort, pressing, turning):
                self._fail("link", "the motion could not be published")
        self._await(lambda: self._interrupted or self._follower.arrived(time.monotonic()), ends)
        with self._changed:
            if not self._interrupted:
                if self._follower.arrived(time.monotonic()):
                    return self.state()
                self._follower.brake(time.monotonic())
        self._await(lambda: self._follower.at_rest(time.monotonic()), time.monotonic() + BRAKE + _COME_TO_REST)
        if self._fault:
            raise HardwareError(self._fault)
        if self._held:
            raise StoppedError("the motion was stopped")
        if self._closing.is_set():
            raise HardwareError(f"{self._link.wiring.controller} was closed in the middle of a motion")
        raise HardwareError(f"the motion took longer than {timeout:.1f} s and was stopped; allow more time")

    @property
    def _held(self) -> bool:
        return self._stops != self._cleared

    @property
    def _interrupted(self) -> bool:
        return self._held or self._fault != "" or self._closing.is_set()

    def _send(self, motion: Motion, at_once: bool, effort: float | None) -> bool:
        stamp = 0.0 if at_once or not self._reader.stamped else self._reader.clock.there(motion.begin)
        return self._link.send(motion, stamp, effort)

    # Watching -------------------------------------------------------------------------------------------------------

    def _hear(self, message: Any, arrival: float) -> None:
        with self._changed:
            reading = self._reader.read(message, arrival)
            if reading.positions is not None:
                self._follower.hear(reading.time, reading.positions)
            self._doubt = (reading.kind, reading.sentence) if reading.kind != "foreign" else self._doubt
            if reading.kind == "jump" and self._watch is not None:
                self._follower.lose()
            if reading.kind in ("garbage", "jump"):
                self._fail(reading.kind, reading.sentence)
            elif reading.kind:
                if self._watch is not None and self._nuisances.several(reading.kind, arrival):
                    self._events.append((reading.kind, f"{reading.sentence}; such states are passed over"))
            else:
                self._quiet = 0.0
            self._changed.notify_all()

    def _supervise(self) -> None:
        before = time.monotonic()
        while not self._closing.wait(max(0.0, before + PERIOD - time.monotonic())):
            now = time.monotonic()
            with self._changed:
                self._quiet += min(now - before, 2.0 * PERIOD)
                before = now
                if not self._fault:
                    self._check(now)
                trouble = None if self._fault or self._held else self._follower.renew(now)
                if trouble is not None and trouble[0] == "lag":
                    self._events.append(trouble)
                elif trouble is not None:
                    self._fail(*trouble)
                self._changed.notify_all()
            self._tell()

    def _tell(self) -> None:
        while self._events:
            self.notify(*self._events.popleft())

    def _check(self, now: float) -> None:
        topic = self._link.wiring.joint_states
        if self._quiet > self._silence:
            kind, sentence = self._doubt if self._doubt[0] else ("silent", "nothing came")
            self._fail(kind, f"no usable joint state on {topic} for {self._silence:.2f} s: {sentence}")
        elif not self._link.heard_by_controller:
            self._fail("link", f"nobody listens on {self._link.wiring.trajectories} any more")
        elif astray := self._follower.astray(now):
            self._fail("stuck", astray)

    def _fail(self, kind: str, sentence: str) -> None:
        """Stop because of a fault, which is told once."""
        if self._fault or self._watch is None:
            return
        self._fault = sentence
        self._follower.brake(time.monotonic())
        self._events.append((kind, f"{sentence}; the robot was stopped"))

    def _await(self, condition: Callable[[], bool], ends: float) -> bool:
        with self._changed:
            while not condition():
                left = ends - time.monotonic()
                if left <= 0.0:
                    return False
                self._changed.wait(min(left, PERIOD))
            return True

    def _await_states(self, timeout: float) -> None:
        """Until enough states came to know the controller's clock.

        Raises:
            HardwareError: too few came within ``timeout`` s.
        """
        if self._await(lambda: self._reader.clock.settled, time.monotonic() + timeout):
            return
        wiring = self._link.wiring
        raise HardwareError(
            f"no usable joint states came on {wiring.joint_states} within {timeout:.1f} s: "
            f"{self._doubt[1] or self._reader.passed_over or 'nothing came'} (topics with joint states: "
            f"{self._link.states_offered()}); start the joint_state_broadcaster, or correct driver.joint_states or "
            f"driver.names"
        )


def make_ros2_control(section: Section, description: RigDescription) -> Ros2ControlDriver:
    """The factory behind the registered name ``ros2_control``.

    Keys: ``controller`` (``joint_trajectory_controller``), ``joint_states`` (``/joint_states``; the robot's, not the
    relative ``joint_states`` on which Vantage tells its own), ``names`` (of joints in ROS by those in the rig),
    ``tolerance`` (0.05 m or rad), ``stop_topic`` (none) and ``domain_id`` (that of the environment).

    Raises:
        ConfigError: a key is unknown or has a wrong value.
    """
    joints = description.chain.joints
    driver = Ros2ControlDriver(
        joints,
        read_controller_names(section, joints),
        description.watchdog.state,
        section.number("tolerance", 0.05, 1e-4, 1.0),
        topic_name(section, "stop_topic", ""),
    )
    section.done()
    return driver
