"""Serial chains of many shapes, for tests of kinematics."""

from __future__ import annotations

import math

import numpy as np
from hypothesis import strategies as st

from vantage.spatial import Matrix, rigid
from vantage.worlds.rig.kinematics.chain import PRISMATIC, REVOLUTE, Chain, Joint, turn

X, Y, Z = (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)


def slide(name: str, axis: tuple[float, float, float], low: float = 0.0, high: float = 2.0, **more: object) -> Joint:
    return Joint(name, PRISMATIC, axis, lower=low, upper=high, link=f"{name}_link", **more)  # type: ignore[arg-type]


def hinge(
    name: str, axis: tuple[float, float, float], at: Matrix | None = None, low: float = -3.0, high: float = 3.0
) -> Joint:
    origin = np.eye(4) if at is None else at
    return Joint(name, REVOLUTE, axis, origin, low, high, speed=1.0, link=f"{name}_link")


def moved(x: float = 0.0, y: float = 0.0, z: float = 0.0, roll: float = 0.0) -> Matrix:
    """(4, 4): a translation, m, and a turn about x, rad."""
    return rigid(turn(np.array(X), roll), np.array([x, y, z]))


def gantry(camera: Matrix | None = None) -> Chain:
    """x, y, z, pan and tilt, which looks up for positive angles, as in ``config/rig.yaml``."""
    joints = (
        slide("x", X, 0.01, 1.99),
        slide("y", Y, 0.01, 1.59),
        slide("z", Z, 0.31, 1.49),
        hinge("pan", Z, None, -3.18, 3.18),
        hinge("tilt", (0.0, -1.0, 0.0), None, -1.28, 1.28),
    )
    tip = moved(0.04, 0.0, 0.02) if camera is None else camera
    return Chain(joints, moved(-1.0, -0.8, 0.0), tip)


def arm() -> Chain:
    """Six hinges in the order of the usual arms: base, shoulder, elbow and three in the wrist."""
    quarter = math.pi / 2
    joints = (
        hinge("base", Z, moved(z=0.16), -6.2, 6.2),
        hinge("shoulder", Z, moved(roll=quarter), -6.2, 6.2),
        hinge("elbow", Z, moved(x=-0.425), -3.1, 3.1),
        hinge("wrist_1", Z, moved(x=-0.392, z=0.133), -6.2, 6.2),
        hinge("wrist_2", Z, moved(y=-0.1, roll=quarter), -6.2, 6.2),
        hinge("wrist_3", Z, moved(y=0.1, roll=-quarter), -6.2, 6.2),
    )
    return Chain(joints, T_tip_camera=rigid(turn(np.array(Y), -quarter), np.array([0.0, 0.0, 0.05])))


def slides_and_wrist() -> Chain:
    """Three slides that carry a wrist of three hinges."""
    wrist = (hinge("yaw", Z), hinge("pitch", Y), hinge("roll", X, moved(0.1)))
    return Chain((slide("x", X), slide("y", Y), slide("z", Z), *wrist), T_tip_camera=moved(0.05, 0.01, 0.0))


def on_turntable() -> Chain:
    """A turntable below a gantry with pan and tilt."""
    return Chain((hinge("table", Z), *gantry().joints), T_tip_camera=moved(0.04, 0.0, 0.02))


def seven_hinges() -> Chain:
    """An arm with one joint more than a pose needs."""
    axes = (Z, Y, Z, Y, Z, Y, X)
    lengths = (0.3, 0.0, 0.4, 0.0, 0.4, 0.0, 0.0)
    joints = [hinge(f"j{i}", a, moved(z=z), -2.8, 2.8) for i, (a, z) in enumerate(zip(axes, lengths, strict=True))]
    return Chain(tuple(joints), T_tip_camera=moved(0.1, 0.0, 0.0))


@st.composite
def directions(draw: st.DrawFn) -> tuple[float, float, float]:
    """Unit vectors, those along the axes often."""
    if draw(st.booleans()):
        return draw(st.sampled_from([X, Y, Z, (-1.0, 0.0, 0.0), (0.0, -1.0, 0.0), (0.0, 0.0, -1.0)]))
    height, turned = draw(st.floats(-1.0, 1.0)), draw(st.floats(-math.pi, math.pi))
    level = math.sqrt(1.0 - height**2)
    return level * math.cos(turned), level * math.sin(turned), height


@st.composite
def placements(draw: st.DrawFn, reach: float = 0.5) -> Matrix:
    """Rigid transforms (4, 4)."""
    rotation = turn(np.array(draw(directions())), draw(st.floats(-math.pi, math.pi)))
    return rigid(rotation, np.array([draw(st.floats(-reach, reach)) for _ in range(3)]))


@st.composite
def pan_tilts(draw: st.DrawFn, slides: int = 3) -> Chain:
    """So many slides in independent directions, then two hinges that are not parallel, all mounted at random."""
    joints = []
    for name, axis in zip("xyz"[:slides], (X, Y, Z), strict=False):
        leaning = np.array(axis) + 0.3 * np.array(draw(directions()))
        x, y, z = (float(v) for v in leaning / np.linalg.norm(leaning))
        joints.append(slide(name, (x, y, z), -1.0, draw(st.floats(0.5, 2.0))))
    pan, tilt = draw(directions()), draw(directions())
    between = draw(placements())
    mount = draw(placements())
    if np.linalg.norm(np.cross(pan, between[:3, :3] @ tilt)) < 0.05:
        tilt = tuple(between[:3, :3].T @ _across(np.array(pan)))  # type: ignore[assignment]
    if np.linalg.norm(np.cross(tilt, mount[:3, 0])) < 0.05:
        mount = rigid(np.column_stack([_across(np.array(tilt)), *_others(_across(np.array(tilt)))]), mount[:3, 3])
    joints.append(hinge("pan", pan, draw(placements()), draw(st.floats(-7.0, -1.0)), draw(st.floats(1.0, 7.0))))
    joints.append(hinge("tilt", tilt, between, draw(st.floats(-7.0, -1.0)), draw(st.floats(1.0, 7.0))))
    return Chain(tuple(joints), draw(placements(3.0)), mount)


@st.composite
def arms(draw: st.DrawFn, size: int = 6) -> Chain:
    """Hinges about random axes with random links between them."""
    joints = tuple(hinge(f"j{i}", draw(directions()), draw(placements(0.4)), -2.5, 2.5) for i in range(size))
    return Chain(joints, draw(placements(1.0)), draw(placements(0.2)))


@st.composite
def positions(draw: st.DrawFn, chain: Chain) -> Matrix:
    """(N,) within the limits, on them too."""
    shares = [draw(st.floats(0.0, 1.0)) for _ in range(chain.size)]
    return chain.lower + np.array(shares) * (chain.upper - chain.lower)


def _across(axis: Matrix) -> Matrix:
    """A unit vector at right angles to one."""
    other = np.cross(axis, np.eye(3)[int(np.argmin(np.abs(axis)))])
    return np.asarray(other / np.linalg.norm(other))


def _others(forward: Matrix) -> tuple[Matrix, Matrix]:
    left = _across(forward)
    return left, np.cross(forward, left)
