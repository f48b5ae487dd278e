"""Rigs with an emulated controller behind ``world_node``, whoever commands them, and a way to reach their parts."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
from rclpy.context import Context
from rclpy.node import Node
from ros_fixtures import eventually, parameters, spinning
from small_rig import START, lab_episode, rig_values, write_rig
from std_msgs.msg import Bool
from std_srvs.srv import Trigger
from vantage_eqa.srv import ResetWorld

from vantage.config import Settings
from vantage.nodes.runtime.rclpy_messages import RclpyFactory, interface
from vantage.nodes.runtime.topics import profile
from vantage.nodes.world.world_node import WorldNode
from vantage.recording.to_messages import Codec
from vantage.recording.topics import (
    CLOCK,
    COMMAND_RESULT,
    DIAGNOSTICS,
    ESTOP,
    IMAGE,
    JOINT_STATES,
    TF,
    TF_STATIC,
    VIEWPOINT_COMMAND,
    Topic,
)
from vantage.registry import WORLDS
from vantage.spatial import Viewpoint
from vantage.types import Command, EpisodeState
from vantage.worlds.rig.assembly import Assembly, assemble
from vantage.worlds.rig.description import load_rig
from vantage.worlds.rig.emulators.grbl.emulator import GrblEmulator, make_grbl_emulator
from vantage.worlds.rig.world import RigWorld

CODEC = Codec(RclpyFactory())
KEPT = "kept_rig"  # name of a world: the rig, whose parts are in ``kept``
AXES = {"x": "X", "y": "Y", "z": "Z", "pan": "A", "tilt": "B"}
_TOLD = (CLOCK, COMMAND_RESULT, DIAGNOSTICS, IMAGE, JOINT_STATES, TF, TF_STATIC, VIEWPOINT_COMMAND)

kept: list[Assembly] = []


def _make_kept(settings: Settings) -> RigWorld:
    rig = assemble(settings)
    rig.world.connect()
    kept.append(rig)
    return rig.world


def register() -> None:
    """Make ``kept_rig`` a world that can be named."""
    if KEPT not in WORLDS.names():
        WORLDS.register(KEPT, _make_kept)


def write_grbl_rig(folder: Path, port: str = "", speed: float = 0.5, turns: bool = False, **changes: Any) -> Path:
    """The small rig with a Grbl controller, so narrow that it is soon at a start after homing.

    Args:
        speed: of its slides, m/s.
        turns: whether its pan turns all around.
    """
    chain = rig_values()["rig"]["chain"]
    for joint in chain["joints"][:3]:
        joint.update(speed=speed, acceleration=8.0 * speed)
    _, y, z, pan, tilt = chain["joints"]
    y["limits"], z["limits"], tilt["limits"] = [0.12, 0.5], [0.4, 0.7], [-0.8, 0.8]
    if not turns:
        pan["limits"] = [-0.8, 0.8]
    driver = {"name": "grbl", "port": port, "axes": AXES}
    return write_rig(folder, **{"chain": chain, "driver": driver, **changes})


@contextmanager
def controller(folder: Path, **changes: Any) -> Iterator[tuple[GrblEmulator, Path]]:
    """An emulated controller that outlives worlds, and the file of a rig that is plugged into it."""
    emulator = make_grbl_emulator(load_rig(write_grbl_rig(folder, **changes)))
    emulator.start()
    try:
        yield emulator, write_grbl_rig(folder, port=emulator.overrides["port"], **changes)
    finally:
        emulator.close()


class Operator(Node):
    """Commands a rig over topics and keeps what it tells; sends no heartbeats."""

    def __init__(self, context: Context) -> None:
        super().__init__("operator", context=context)
        self.heard: dict[Topic, list[Any]] = defaultdict(list)
        for topic in _TOLD:
            self.create_subscription(
                interface(topic.type), topic.name, self.heard[topic].append, profile(topic, depth=50)
            )
        self._told = {
            topic: self.create_publisher(interface(topic.type), topic.name, profile(topic))
            for topic in (VIEWPOINT_COMMAND, ESTOP)
        }
        self._clients_by_name: dict[str, Any] = {}
        self._sequence = 0

    def meet(self) -> None:
        """Wait until the rig hears and is heard."""
        for publisher in self._told.values():
            eventually(lambda publisher=publisher: publisher.get_subscription_count() > 0)
        for topic in (COMMAND_RESULT, DIAGNOSTICS):
            eventually(lambda topic=topic: self.count_publishers(topic.name) > 0)

    def reset(self, start: Viewpoint = START) -> Any:
        """The answer of ``reset_world``."""
        self._sequence = 0
        self.heard[COMMAND_RESULT].clear()
        episode = CODEC.episode(0, lab_episode(start), EpisodeState.PENDING)
        asked = self.ask(ResetWorld, "reset_world", episode=episode, seed=1)
        return eventually(lambda: asked.done() and asked.result(), 30.0)

    def ask(self, kind: Any, name: str, **request: Any) -> Any:
        """The answer of a service that may take its time, as a future."""
        if name not in self._clients_by_name:
            self._clients_by_name[name] = self.create_client(kind, name)
        client = self._clients_by_name[name]
        assert client.wait_for_service(timeout_sec=10.0), name
        return client.call_async(kind.Request(**request))

    def trigger(self, name: str, timeout: float = 15.0) -> Any:
        """The answer of ``stop``, ``clear_stop`` or ``confirm_motion``."""
        asked = self.ask(Trigger, name)
        return eventually(lambda: asked.done() and asked.result(), timeout)

    def send(self, target: Viewpoint, allow_unwind: bool = False) -> int:
        """Command a motion and return its number at once."""
        self._sequence += 1
        sent = Command(target, "", None, "e1", "operator", self._sequence, allow_unwind)
        self._told[VIEWPOINT_COMMAND].publish(CODEC.viewpoint_command(0, sent))
        return self._sequence

    def result(self, sequence: int, timeout: float = 20.0) -> Any:
        """What became of a command."""
        return eventually(
            lambda: next((r for r in self.heard[COMMAND_RESULT] if r.sequence == sequence), None), timeout
        )

    def go(self, target: Viewpoint) -> Any:
        return self.result(self.send(target))

    def estop(self) -> None:
        self._told[ESTOP].publish(Bool(data=True))

    def events(self, level: int = 0) -> list[str]:
        """What the world told of its hardware on /diagnostics, from a level on."""
        return [
            f"{status.name}: {status.message}"
            for message in list(self.heard[DIAGNOSTICS])
            for status in message.status
            if status.name.startswith("world: ") and status.level[0] >= level
        ]

    def health(self) -> str:
        """What world_node said of itself last."""
        told = [status for message in list(self.heard[DIAGNOSTICS]) for status in message.status]
        return next((status.message for status in reversed(told) if status.name == "world_node"), "")


@contextmanager
def rig_graph(
    context: Context, path: Path, mode: str = "emulated", **values: Any
) -> Iterator[tuple[Operator, Assembly]]:
    """A world_node with a rig and an operator who has met it."""
    register()
    values = {"world": KEPT, "rig__file": str(path), "rig__mode": mode, "run__rate_hz": 20.0, **values}
    node, operator = WorldNode(context, parameters(**values)), Operator(context)
    with spinning(context, node, operator):
        operator.meet()
        yield operator, kept[-1]


def moving(emulator: Any) -> bool:
    return bool(np.abs(emulator.velocities).max() > 1e-3)


def rest_after(emulator: Any, begun: float, timeout: float = 5.0) -> float:
    """s from ``begun`` (monotonic) until the emulated motors came to rest."""
    eventually(lambda: not moving(emulator) and any(at >= begun for at in emulator.rest_times), timeout)
    return float(max(emulator.rest_times) - begun)


def wait_until_moving(emulator: Any) -> None:
    """Until a motion is well under way: 2 cm or radians of it are done."""
    begun = emulator.positions()
    eventually(lambda: moving(emulator) and np.abs(emulator.positions() - begun).max() > 0.02)
