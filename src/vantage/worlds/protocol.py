"""A World turns a Command into a StepResult; every backend is one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol, runtime_checkable

import numpy as np

from vantage.spatial import Matrix, Viewpoint
from vantage.types import Changes, Command, Episode, Event, Observation, Poses, StepResult
from vantage.worlds.limits import MotionLimits
from vantage.worlds.warrants import Warrant


@dataclass(frozen=True)
class WorldInfo:
    """What a world can sense and do.

    Attributes:
        name: the registered name.
        senses: of ``rgb``, ``depth``, ``instances`` and, with an arm, ``touch``.
        acts: of ``viewpoint``, ``arm``.
        body_radius: of the sphere around the camera that must not touch anything, m.
        limits: what the world refuses.
        frame: name of the world frame.
        tolerance: how far from its target a motion may end, m and rad.
        repeatable: whether the same commands give the same poses and images in every run, as in simulation.
        changes: how things in it change. Where that is kinematic, the arm takes actions on things and nothing else.
    """

    name: str
    senses: frozenset[str]
    acts: frozenset[str]
    body_radius: float
    limits: MotionLimits = field(default_factory=MotionLimits)
    frame: str = "map"
    tolerance: float = 0.0
    repeatable: bool = True
    changes: Changes = Changes.NONE


@runtime_checkable
class World(Protocol):
    """A place in which a camera can be moved.

    ``stop`` may be called from any thread at any time. Stamps of observations strictly increase over the life of a
    world, across resets too.
    """

    @property
    def info(self) -> WorldInfo: ...

    def reset(self, episode: Episode, seed: int) -> Observation:
        """Go to the start of an episode; clears the lease and restarts the command sequence. A latched stop stays.

        Where the episode is the running one in a phase that is ``restored``, the world is put back as this call did it
        with the same seed when the episode began, and lease and command sequence run on.

        Raises:
            EpisodeError: the start lies outside the bounds or inside an obstacle, the scene is unknown, the camera
                would have to move while a stop is latched, or the phase is restored and the episode is not running.
        """
        ...

    def step(self, command: Command) -> StepResult:
        """Carry out one command; refusals are results, not exceptions, and say their cause."""
        ...

    def grant(self, warrant: Warrant) -> None:
        """Let the arm do what a warrant allows, in the running episode and until it is restarted or another begins; in
        a phase that is ``restored`` warrants go on. Without one, every command of an arm is refused.

        Raises:
            WarrantError: it cannot be read, is forged, for another episode or source, out of date, or was granted
                before.
        """
        ...

    def observe(self) -> Observation:
        """A fresh look from where the camera is, with a later stamp."""
        ...

    def stop(self, reason: str) -> None:
        """Halt, and refuse motion until ``clear_stop``."""
        ...

    def clear_stop(self) -> None:
        """Allow motion again. Where no command was told of the stop, the next one in its episode still is."""
        ...

    def close(self) -> None:
        """Release everything; calling it twice is harmless."""
        ...


@runtime_checkable
class Overlooked(Protocol):
    """What worlds offer besides in which nothing but a picture is in the way of a look through the ceiling."""

    def look_from_above(self) -> Observation:
        """All of the running episode's scene straight from above, without its ceiling; the camera stays where it is."""
        ...


@runtime_checkable
class Described(Protocol):
    """What worlds with a robot offer besides: what it looks like, to be shown with its joints and transforms."""

    def urdf(self) -> str:
        """The robot as URDF (http://wiki.ros.org/urdf/XML), whose links are those of ``Observation.posture``."""
        ...


@runtime_checkable
class Standing(Protocol):
    """What worlds offer besides whose robot stands on the floor, so that it cannot begin wherever a camera can."""

    def nearest_start(self, scene: str, start: Viewpoint) -> Viewpoint | None:
        """Where the robot begins that shall begin at a viewpoint: there, or at the nearest place where it can stand and
        get about, its camera at its own height; None where there is none.

        Raises:
            VantageError: there is no such scene, or its files are wrong.
        """
        ...


@runtime_checkable
class Changing(Protocol):
    """What worlds offer besides in which things can be moved: where they are, for whoever judges, never for agents."""

    def poses(self) -> Mapping[int, Matrix]:
        """T_world_object (4, 4) of each thing that can be moved, by instance id, as of the newest observation; the
        frame is that in which its specification gives it."""
        ...

    def joint_positions(self) -> Mapping[tuple[int, str], float]:
        """Of each moving part, rad or m, by instance id and name of the part, as of the newest observation."""
        ...


@runtime_checkable
class Kinematic(Changing, Protocol):
    """What worlds offer besides whose things change kinematically (``WorldInfo.changes``).

    What the hand holds is in no picture; ``poses`` has it, and all that is on or in it, far below the floor.
    """

    def switched(self) -> Mapping[int, bool]:
        """Whether each thing is on that can be switched, by instance id, as of the newest observation."""
        ...

    @property
    def held(self) -> int | None:
        """Instance that the hand holds, as of the newest observation."""
        ...


def poses_of(world: Changing) -> Poses:
    """Where everything is that can be moved; stays as it is when the world moves on."""
    things = {key: np.array(pose, np.float64) for key, pose in world.poses().items()}
    joints = {key: float(position) for key, position in world.joint_positions().items()}
    if not isinstance(world, Kinematic):
        return Poses(things, joints, changes=Changes.PHYSICS)
    return Poses(things, joints, dict(world.switched()), world.held or 0, Changes.KINEMATIC)


@runtime_checkable
class Gated(Protocol):
    """What worlds offer besides whose arm takes warrants: people may see what is granted."""

    def warrants(self) -> Sequence[tuple[Warrant, int]]:
        """Those that may still be used, and how many commands each of them still allows."""
        ...


@runtime_checkable
class Supervised(Protocol):
    """What worlds on hardware offer besides: they watch it, and they want to be watched."""

    @property
    def real_time(self) -> bool:
        """Whether stamps are system time; otherwise the world's stamps are the time of everybody."""
        ...

    @property
    def trouble(self) -> str:
        """Why nothing moves at present, in words; empty when it could."""
        ...

    def events(self, since: int) -> Sequence[Event]:
        """What was noticed after the event of this number."""
        ...

    def heartbeat(self) -> None:
        """Whoever commands is alive. From the first one in an episode on, silence stops the motion."""
        ...

    def confirm_motion(self) -> None:
        """A person allows the first motion after connecting."""
        ...
