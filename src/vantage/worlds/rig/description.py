"""A rig in one YAML file: its chain, driver, camera, safety, watchdog and looks. See ``config/rig.yaml``."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from vantage.decoding import Section
from vantage.errors import ConfigError
from vantage.files import shared_folder
from vantage.registry import CAMERAS, DRIVERS, did_you_mean
from vantage.spatial import Matrix
from vantage.types import Point
from vantage.wording import shown
from vantage.worlds.rig.kinematics import (
    MOST_JOINTS,
    PRISMATIC,
    RESERVED_FRAMES,
    REVOLUTE,
    Chain,
    Joint,
    joints_from_urdf,
    transform,
)


@dataclass(frozen=True)
class Body:
    """A capsule that is part of the rig: from ``start`` to ``end`` (m, in the frame of ``link``) with ``radius`` m.

    Attributes:
        room: whether it is kept out of the map of the room; masts and rails that belong to the room are not.
    """

    name: str
    link: str
    start: Point
    end: Point
    radius: float
    room: bool = True


@dataclass(frozen=True)
class Box:
    """A space between two corners (m, world frame) that no body may enter."""

    name: str
    low: Point
    high: Point


@dataclass(frozen=True)
class SafetyRules:
    """Where the rig must not be.

    Attributes:
        clearance: m that bodies keep from forbidden boxes, from each other and from the room.
        apart: pairs of body names that are checked against each other.
        room: name of a splat scene in ``world.scenes``, or path of one, whose solid parts are kept clear of; empty
            for none. ``episode`` stands for the scene of the running episode.
        from_depth: whether what a depth camera has seen is kept clear of too.
        park: joint positions by name that are tried first where the straight way to a start is barred.
    """

    clearance: float = 0.02
    bodies: tuple[Body, ...] = ()
    boxes: tuple[Box, ...] = ()
    apart: tuple[tuple[str, str], ...] = ()
    room: str = ""
    from_depth: bool = False
    park: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True)
class WatchdogRules:
    """Silences that stop the rig, s; 0 turns one off.

    Attributes:
        frame: age of the newest frame while a motion is on.
        heartbeat: since the last heartbeat of whoever commands; armed by the first one of an episode.
        command: since the last command of a running episode.
        state: age of the controller's newest state while a motion is on.
        clock_jump: largest difference that may grow between the system's clock and a monotonic one within 1 s.
    """

    frame: float = 1.0
    heartbeat: float = 1.0
    command: float = 0.0
    state: float = 0.5
    clock_jump: float = 0.1


@dataclass(frozen=True)
class LookRules:
    """What makes a frame fit to be an observation.

    Attributes:
        settle: s at rest before a frame counts.
        sharpness: least variance of the Laplacian of the grey image (0..255); 0 accepts all.
        dark: a frame whose mean grey is below this is black.
        frozen: identical frames in a row that mean a frozen camera; 0 turns it off.
        retries: further frames that are tried where one is unfit.
        timeout: s for one frame to come.
    """

    settle: float = 0.15
    sharpness: float = 0.0
    dark: float = 2.0
    frozen: int = 3
    retries: int = 5
    timeout: float = 2.0


@dataclass(frozen=True, eq=False)
class RigDescription:
    """Everything that one file says about a rig.

    Attributes:
        scene: the name under which episodes know the place where it stands; empty: that of any scene.
        motion_timeout: s that one motion may take.
        driver, camera, arm: sections that the driver, the camera and the arm read themselves; ``arm`` may be None.
    """

    name: str
    scene: str
    chain: Chain
    driver_name: str
    driver: Section
    camera_name: str
    camera: Section
    safety: SafetyRules
    watchdog: WatchdogRules
    look: LookRules
    motion_timeout: float
    arm: Section | None
    path: Path


def rig_file(name: str) -> Path:
    """The file behind ``rig.file``: a path, the name of one in ``config/rigs``, or the default one.

    Raises:
        ConfigError: there is none.
    """
    if not name:
        return shared_folder("config") / "rig.yaml"
    folder = shared_folder("config") / "rigs"
    try:
        for path in (Path(name).expanduser(), folder / f"{name}.yaml"):
            if path.is_file():
                return path
    except (OSError, RuntimeError):  # too long for a path, or the home of nobody
        pass
    raise ConfigError(
        f"rig.file: {shown(name)} is neither a file nor the name of one in {folder}"
        f"{did_you_mean(name, sorted(known.stem for known in folder.glob('*.yaml')))}"
    )


def load_rig(path: str | Path) -> RigDescription:
    """Read a rig file.

    Raises:
        ConfigError: a key is missing, unknown or has a wrong value; the message names file and key.
    """
    top = Section.of_file(path)
    rig = top.section("rig")
    top.done()
    chain = read_chain(rig.section("chain"))
    driver, camera = rig.section("driver"), rig.section("camera")
    description = RigDescription(
        name=rig.text("name"),
        scene=rig.text("scene", ""),
        chain=chain,
        driver_name=driver.text("name", choices=DRIVERS.names()),
        driver=driver,
        camera_name=camera.text("name", choices=CAMERAS.names()),
        camera=camera,
        safety=read_safety(rig.section("safety", {}), chain),
        watchdog=_watchdog(rig.section("watchdog", {})),
        look=_look(rig.section("look", {})),
        motion_timeout=rig.number("motion_timeout", 60.0, 0.1, 3600.0),
        arm=rig.section("arm") if "arm" in rig else None,
        path=Path(path),
    )
    rig.done()
    return description


def origin(section: Section, key: str) -> Matrix:
    """(4, 4) of ``{xyz: [m], rpy: [rad]}`` as in URDF: fixed axes x, y, z; the identity where the key is absent."""
    part = section.section(key, {})
    xyz, (roll, pitch, yaw) = part.numbers("xyz", 3, (0.0, 0.0, 0.0)), part.numbers("rpy", 3, (0.0, 0.0, 0.0))
    part.done()
    return transform(xyz, roll, pitch, yaw)


def read_chain(section: Section) -> Chain:
    """A chain from ``joints`` or ``urdf``, with ``base`` and ``camera``.

    Raises:
        ConfigError: a key is missing, unknown or has a wrong value.
    """
    T_world_base, T_tip_camera = origin(section, "base"), origin(section, "camera")
    base, key = Chain.base, "joints"
    if "urdf" in section:
        key = "urdf"
        urdf = section.section(key)
        joints, T_last_camera = joints_from_urdf(urdf)
        base, T_tip_camera = urdf.text("base_link"), T_last_camera @ T_tip_camera
    else:
        joints = tuple(_joint(item) for item in section.sections(key))
    if not 1 <= len(joints) <= MOST_JOINTS:
        raise section.error(key, f"expected 1 to {MOST_JOINTS} joints, got {len(joints)}")
    names, links = [joint.name for joint in joints], [base, *(joint.link for joint in joints)]
    for name in (*names, *links):
        if not name or name != "".join(name.split()):
            raise section.error(key, f"expected names without spaces, got '{name}'")
        if name in links and name in RESERVED_FRAMES:
            raise section.error(key, f"'{name}' is a frame that the world publishes itself; give the link another name")
    _distinct(section, key, "joint", names)
    _distinct(section, key, "link", links)
    section.done()
    return Chain(joints, T_world_base, T_tip_camera, base)


def _distinct(section: Section, key: str, kind: str, names: list[str]) -> None:
    for i, name in enumerate(names):
        if name in names[:i]:
            raise section.error(key, f"two are called '{name}'; each {kind} needs a name of its own")


def _joint(section: Section) -> Joint:
    kind = section.text("type", choices=(PRISMATIC, REVOLUTE))
    axis = np.array(section.numbers("axis", 3))
    length = float(np.linalg.norm(axis))
    if length < 1e-9:
        raise section.error("axis", "must not be zero")
    x, y, z = (float(value) for value in axis / length)
    low, high = section.numbers("limits", 2)
    margin = section.number("margin", 0.0, 0.0)
    if not low + margin < high - margin:
        raise section.error("limits", f"[{low:g}, {high:g}] leaves no room inside a margin of {margin:g}")
    name = section.text("name")
    joint = Joint(
        name=name,
        kind=kind,
        axis=(x, y, z),
        T_parent_joint=origin(section, "origin"),
        lower=low + margin,
        upper=high - margin,
        speed=section.number("speed", low=1e-6),
        acceleration=section.number("acceleration", low=1e-6),
        resolution=section.number("resolution", 1e-5, 1e-9, 0.1),
        link=section.text("link", f"{name}_link"),
    )
    section.done()
    return joint


def read_safety(section: Section, chain: Chain) -> SafetyRules:
    """Bodies on the links of a chain, forbidden boxes and pairs of bodies that keep apart.

    Raises:
        ConfigError: a key is missing, unknown or has a wrong value.
    """
    links = (chain.base, *(joint.link for joint in chain.joints))
    bodies, boxes, apart = [], [], []
    for item in section.sections("bodies", []):
        start = _point(item, "from")
        bodies.append(
            Body(
                item.text("name"),
                item.text("link", choices=links),
                start,
                _point(item, "to", start),
                item.number("radius", low=1e-3),
                item.switch("room", True),
            )
        )
        item.done()
    for item in section.sections("boxes", []):
        box = Box(item.text("name"), _point(item, "min"), _point(item, "max"))
        if not all(a < b for a, b in zip(box.low, box.high, strict=True)):
            raise item.error("max", "must be larger than min on every axis")
        boxes.append(box)
        item.done()
    names = [body.name for body in bodies]
    _distinct(section, "bodies", "body", names)
    _distinct(section, "boxes", "box", [box.name for box in boxes])
    for item in section.sections("apart", []):
        pair = (item.text("a", choices=names), item.text("b", choices=names))
        if pair[0] == pair[1]:
            raise item.error("b", f"expected another body than '{pair[0]}'")
        apart.append(pair)
        item.done()
    park = section.section("park", {})
    known = {joint.name: joint for joint in chain.joints}
    for name in park.names():
        if name not in known:
            raise park.error(name, f"no joint has this name (known: {', '.join(known)})")
    positions = {name: park.number(name, low=known[name].lower, high=known[name].upper) for name in park.names()}
    rules = SafetyRules(
        clearance=section.number("clearance", 0.02, 0.0, 1.0),
        bodies=tuple(bodies),
        boxes=tuple(boxes),
        apart=tuple(apart),
        room=section.text("room", ""),
        from_depth=section.switch("from_depth", False),
        park=positions,
    )
    section.done()
    return rules


def _point(section: Section, key: str, default: Point | None = None) -> Point:
    x, y, z = section.numbers(key, 3) if default is None else section.numbers(key, 3, default)
    return x, y, z


def _watchdog(section: Section) -> WatchdogRules:
    rules = WatchdogRules(
        frame=section.number("frame", 1.0, 0.0, 60.0),
        heartbeat=section.number("heartbeat", 1.0, 0.0, 60.0),
        command=section.number("command", 0.0, 0.0, 3600.0),
        state=section.number("state", 0.5, 0.1, 10.0),
        clock_jump=section.number("clock_jump", 0.1, 0.01, 10.0),
    )
    section.done()
    return rules


def _look(section: Section) -> LookRules:
    rules = LookRules(
        settle=section.number("settle", 0.15, 0.0, 10.0),
        sharpness=section.number("sharpness", 0.0, 0.0, math.inf),
        dark=section.number("dark", 2.0, 0.0, 255.0),
        frozen=section.whole("frozen", 3, 0, 1000),
        retries=section.whole("retries", 5, 0, 100),
        timeout=section.number("timeout", 2.0, 0.05, 60.0),
    )
    section.done()
    return rules
