"""An emulated joint_trajectory_controller with its joint_state_broadcaster, over real DDS."""

from __future__ import annotations

import math
import os
import threading
import time
from collections import deque
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import replace
from itertools import count, pairwise
from typing import Any

import numpy as np
from sensor_msgs.msg import JointState
from trajectory_msgs.msg import JointTrajectory

from vantage.errors import UnknownNameError
from vantage.nodes.rig.emulated_joints import EmulatedJoints, Goal, refusal
from vantage.nodes.rig.endpoint import ControllerNames, Endpoint, publish, read_controller_names
from vantage.recording import read_stamp, read_time
from vantage.registry import did_you_mean
from vantage.spatial import Matrix
from vantage.worlds.rig import Emulator, RigDescription
from vantage.worlds.rig.kinematics import Joint

RATE = 100.0  # states per s
LATE = 0.3  # s that late states are behind
_JUMP = 0.3  # of the way to the farther limit that a restart moves the joints
_WAY = 10.0  # m or rad that stand for it where a limit is infinite
_JOIN = 2.0  # s
_NUMBERS = count(1)


class TrajectoryController(Emulator):
    """See ``Emulator``. Real time; joints have the speed and the travel of the description.

    Faults: ``silent`` (no states), ``stuck_axis`` (the joint that has the farthest to go), ``late_states`` (by 0.3 s),
    ``vanish`` (the node is gone until mended), ``garbage`` (states without a joint, then with NaN, in turn),
    ``duplicate`` (states twice), ``restart`` (other positions, and nothing left to do).

    Attributes:
        longest_queue: longest time, s, from the arrival of a trajectory to its end.
        holds: monotonic times, s, at which trajectories came that only brake or stay.
        trajectories: how many were taken.
        refused: why others were not.
    """

    faults = ("silent", "stuck_axis", "late_states", "vanish", "garbage", "duplicate", "restart")

    def __init__(
        self, joints: tuple[Joint, ...], wiring: ControllerNames, start: Sequence[float] = (), ahead: float = 0.0
    ) -> None:
        """
        Args:
            wiring: names of topics and joints.
            start: positions, m or rad; those nearest to 0 where it is empty.
            ahead: s that the controller's clock is ahead of the system's.
        """
        self._joints, self._wiring, self._ahead = joints, wiring, round(ahead * 1e9)
        self._plant = EmulatedJoints(joints, np.array(start or [0.0] * len(joints), np.float64), self._now)
        self._lock = threading.Lock()
        self._injected: frozenset[str] = frozenset()
        self._waiting: deque[tuple[float, Any]] = deque()
        self._owned: ExitStack | None = None
        self._started = False
        self._number = 0
        self.longest_queue = 0.0
        self.trajectories = 0
        self.holds: list[float] = []
        self.refused: list[str] = []

    @property
    def overrides(self) -> Mapping[str, Any]:
        """See ``Emulator.overrides``."""
        return {"controller": self._wiring.controller, "joint_states": self._wiring.joint_states}

    @property
    def extremes(self) -> tuple[Matrix, Matrix]:
        """Smallest and largest positions (N,) that the joints were sent to, m or rad."""
        return self._plant.extremes

    @property
    def last_motion(self) -> float:
        """Monotonic time, s, at which a joint moved last."""
        return time.monotonic() - (self._now() - self._plant.last_motion) / 1e9

    def start(self) -> None:
        """See ``Emulator.start``."""
        if not self._started:
            self._started = True
            self._appear()

    def close(self) -> None:
        """See ``Emulator.close``."""
        self._started = False
        self._disappear()

    def positions(self) -> Matrix:
        """See ``Emulator.positions``."""
        return self._plant.positions()

    def inject(self, fault: str) -> None:
        """See ``Emulator.inject``."""
        if fault not in self.faults:
            raise UnknownNameError(f"unknown fault of a controller '{fault}'{did_you_mean(fault, list(self.faults))}")
        with self._lock:
            self._injected |= {fault}
        if fault == "stuck_axis":
            self._plant.stick()
        elif fault == "restart":
            self._plant.displace(self._elsewhere())
        elif fault == "vanish":
            self._disappear()

    def mend(self) -> None:
        """See ``Emulator.mend``."""
        with self._lock:
            injected, self._injected = self._injected, frozenset()
            self._waiting.clear()
        self._plant.loosen()
        if "vanish" in injected and self._started:
            self._appear()

    # The node -------------------------------------------------------------------------------------------------------

    def _now(self) -> int:
        return time.time_ns() + self._ahead

    def _appear(self) -> None:
        endpoint = Endpoint(self._wiring.controller.rpartition("/")[2], self._wiring.domain_id)
        publisher = endpoint.node.create_publisher(JointState, self._wiring.joint_states, 10)
        endpoint.node.create_subscription(JointTrajectory, self._wiring.trajectories, self._on_trajectory, 10)
        endpoint.spin()
        gone = threading.Event()
        beat = threading.Thread(target=self._broadcast, args=(publisher, gone), name="broadcaster", daemon=True)
        beat.start()
        self._owned = ExitStack()
        self._owned.callback(endpoint.close)
        self._owned.callback(beat.join, _JOIN)
        self._owned.callback(gone.set)

    def _disappear(self) -> None:
        owned, self._owned = self._owned, None
        if owned is not None:
            owned.close()

    def _on_trajectory(self, message: Any) -> None:
        arrival, now = time.monotonic(), self._now()
        reason = refusal(message, self._wiring.names, now)
        if reason:
            self.refused.append(reason)
            return
        places = [list(message.joint_names).index(name) for name in self._wiring.names]
        begin = read_stamp(message) or now
        goals = [_goal(point, places, begin) for point in message.points]
        self._plant.follow(goals)
        self.trajectories += 1
        self.longest_queue = max(self.longest_queue, (goals[-1].time - now) / 1e9)
        if _only_slows(goals):
            self.holds.append(arrival)

    def _broadcast(self, publisher: Any, gone: threading.Event) -> None:
        """The joint_state_broadcaster."""
        due = time.monotonic()
        while not gone.wait(max(0.0, due - time.monotonic())):
            due = max(due + 1.0 / RATE, time.monotonic())
            for message in self._states():
                publish(publisher, message)

    def _states(self) -> list[Any]:
        """What to tell now."""
        with self._lock:
            faults, ready = self._injected, []
            self._number += 1
            state, now = self._state("garbage" in faults), time.monotonic()
            self._waiting.append((now + (LATE if "late_states" in faults else 0.0), state))
            while self._waiting and self._waiting[0][0] <= now:
                ready.append(self._waiting.popleft()[1])
        return [] if "silent" in faults else ready * (2 if "duplicate" in faults else 1)

    def _state(self, broken: bool) -> Any:
        message = JointState()
        message.header.stamp.sec, message.header.stamp.nanosec = divmod(self._now(), 10**9)
        names, positions = list(self._wiring.names), self.positions().tolist()
        if broken and self._number // 20 % 2:
            positions[-1] = math.nan
        elif broken:
            names, positions = names[1:], positions[1:]
        message.name, message.position = names, positions
        return message

    def _elsewhere(self) -> Matrix:
        now = self.positions()
        low = np.array([max(joint.lower, p - _WAY) for joint, p in zip(self._joints, now, strict=True)])
        high = np.array([min(joint.upper, p + _WAY) for joint, p in zip(self._joints, now, strict=True)])
        return np.asarray(now + _JUMP * np.where(high - now > now - low, high - now, low - now))


def _goal(point: Any, places: Sequence[int], begin: int) -> Goal:
    velocities = np.array(point.velocities)[places] if len(point.velocities) else None
    return Goal(begin + read_time(point.time_from_start), np.array(point.positions)[places], velocities)


def _only_slows(goals: Sequence[Goal]) -> bool:
    speeds = [float(np.max(np.abs(goal.velocities))) for goal in goals if goal.velocities is not None]
    if len(speeds) < max(2, len(goals)):
        return False
    if not any(speeds):
        return all(np.array_equal(goal.positions, goals[0].positions) for goal in goals)
    return all(b < a for a, b in pairwise(speeds))


def make_trajectory_controller(description: RigDescription) -> TrajectoryController:
    """The factory behind the registered name ``ros2_control``: topics of its own, so that no real robot hears them.

    Raises:
        ConfigError: a key of the driver's section that it shares has a wrong value.
    """
    wiring = read_controller_names(description.driver, description.chain.joints)
    space = f"/emulated_{os.getpid()}_{next(_NUMBERS)}"
    apart = replace(
        wiring,
        controller=f"{space}/{wiring.controller.strip('/').rpartition('/')[2]}",
        joint_states=f"{space}/joint_states",
    )
    return TrajectoryController(description.chain.joints, apart)
