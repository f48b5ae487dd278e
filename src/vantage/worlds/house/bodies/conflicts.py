"""What enters each other in a home as it is specified, so that bodies would fly apart."""

from __future__ import annotations

from dataclasses import dataclass

import mujoco

_DEEP = 0.006  # m: what enters another thing by less is pushed out of it


@dataclass(frozen=True)
class Conflicts:
    """Which things enter each other.

    Attributes:
        pairs: ids of two instances and how deep they are in each other, m, deepest first.
        stuck: ids of what could be picked up otherwise.
        passing: names of two bodies that do not collide.
    """

    pairs: tuple[tuple[int, int, float], ...] = ()
    stuck: frozenset[int] = frozenset()
    passing: frozenset[tuple[str, str]] = frozenset()

    @property
    def passed(self) -> frozenset[int]:
        """Ids of all that does not collide with something."""
        return frozenset(int(name.split("/")[1]) for pair in self.passing for name in pair if "/" in name)


NO_CONFLICTS = Conflicts()


def find_conflicts(model: mujoco.MjModel) -> Conflicts:
    """What enters each other where a model without a robot begins."""
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    depths: dict[tuple[int, int], float] = {}
    stuck, passing = set(), set()
    for contact in data.contact:
        if contact.dist > -_DEEP:
            continue
        geoms = [model.geom(int(geom)).name for geom in (contact.geom1, contact.geom2)]
        first, second = (int(name.split("/")[1]) for name in geoms)
        pair = (min(first, second), max(first, second))
        depths[pair] = max(depths.get(pair, 0.0), -float(contact.dist))
        bodies = [_body(model, geom) for geom in geoms]
        loose = [instance for instance, body in zip((first, second), bodies, strict=True) if _is_loose(model, body)]
        if loose:
            stuck.add(min(loose, key=lambda instance: float(model.body(f"object/{instance}").subtreemass[0])))
        passing.add((min(bodies), max(bodies)))
    pairs = sorted(((*pair, depth) for pair, depth in depths.items()), key=lambda each: -each[2])
    return Conflicts(tuple(pairs), frozenset(stuck), frozenset(passing))


def _body(model: mujoco.MjModel, geom: str) -> str:
    """Name of the body of an object that has a geom of this name, be the geom in the world itself."""
    body = int(model.geom_bodyid[model.geom(geom).id])
    return str(model.body(body).name) if body else "/".join(["object", geom.split("/")[1]])


def _is_loose(model: mujoco.MjModel, body: str) -> bool:
    """Whether a body, or the one that it moves on, can be picked up."""
    root = int(model.body_rootid[model.body(body).id])
    joint = int(model.body_jntadr[root])
    return joint >= 0 and int(model.jnt_type[joint]) == int(mujoco.mjtJoint.mjJNT_FREE)
