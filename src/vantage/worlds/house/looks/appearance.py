"""The geoms to see of a MuJoCo house: one mesh for each rigid piece and page, with painted bitmaps as textures.

Bitmaps hold the light of the room, so the materials shine by themselves and the renderer needs no lights.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

import mujoco
import numpy as np
from numpy.typing import NDArray

from vantage.scenes.spec import ObjectSpec, Part, SceneSpec
from vantage.spatial import Matrix, apply
from vantage.worlds.house.looks.bitmaps import rotation_of, turned
from vantage.worlds.house.looks.painting import PlacedChart, paint_home

SEEN, OVERHEAD = 2, 4  # groups of geoms: to see, and ceilings
_CLEAR = 0.72  # opacity of what is of glass
_LAMP = (0.5, 0.5, 0.5)  # light on the robot, whose geoms have no bitmaps


class Appearance:
    """Adds what of a home can be seen to a specification of a MuJoCo model."""

    def __init__(
        self,
        spec: mujoco.MjSpec,
        home: SceneSpec,
        *,
        light_seed: int | None = None,
        texture_seed: int | None = None,
    ) -> None:
        """Paint the home and add its textures and materials.

        Args:
            light_seed: of random brightness and warmth of the light of each room; None for usual light.
            texture_seed: of random grain and tone of things; None for the usual ones.

        Raises:
            SceneError: a part has an unknown look, or a letter that cannot be printed.
        """
        self._spec = spec
        painted = paint_home(home, light_seed, texture_seed)
        self._charts = painted.charts
        for number, page in enumerate(painted.pages):
            _add_page(spec, number, page)
        spec.visual.headlight.ambient[:] = _LAMP
        spec.visual.headlight.diffuse[:] = _LAMP
        spec.visual.headlight.specular[:] = (0.2, 0.2, 0.2)
        spec.visual.quality.shadowsize = 0
        spec.visual.quality.offsamples = 0

    def add(self, body: mujoco.MjsBody, obj: ObjectSpec, parts: Sequence[Part], T_body_object: Matrix) -> None:
        """Add the geoms to see of some parts of an object, which move together.

        They are named ``see/<instance>/<index>`` by the place in ``obj.parts`` of the first part that each shows; the
        parts of a joint have one each, other parts share one where they share a page and are as clear.
        """
        numbers = {id(part): number for number, part in enumerate(obj.parts)}
        moving = {joint.part for joint in obj.joints}
        groups: dict[tuple[int, bool, int], list[tuple[Part, PlacedChart]]] = defaultdict(list)
        first: dict[tuple[int, bool, int], int] = {}
        for part in parts:
            index = numbers[id(part)]
            clear = is_clear(obj, part)
            for placed in self._charts[(obj.instance_id, index)]:
                key = placed.page, clear, index if part.name in moving else -1
                groups[key].append((part, placed))
                first.setdefault(key, index)
        used: set[int] = set()
        for (page, clear, _), members in groups.items():
            index = first[(page, clear, _)]
            name = f"see/{obj.instance_id}/{index}"
            if index in used:  # what is on a second page
                name = f"{name}/{page}"
            used.add(index)
            _add_mesh(self._spec, name, members, T_body_object)
            body.add_geom(
                name=name,
                type=mujoco.mjtGeom.mjGEOM_MESH,
                meshname=name,
                material=_material(page, clear),
                contype=0,
                conaffinity=0,
                mass=0.0,
                group=OVERHEAD if obj.label == "ceiling" else SEEN,
            )


def is_clear(obj: ObjectSpec, part: Part) -> bool:
    """Whether one looks through a part: of glass, and neither a label nor the frame of a pane that shows the sky."""
    is_glass = not part.text and (part.look or obj.material) == "glass"
    return is_glass and not any(other.look == "sky" for other in obj.parts)


def _material(page: int, clear: bool) -> str:
    return f"looks/{page}{'/clear' if clear else ''}"


def _add_page(spec: mujoco.MjSpec, number: int, page: NDArray[np.uint8]) -> None:
    height, width, channels = page.shape
    texture = spec.add_texture(
        name=f"looks/{number}",
        type=mujoco.mjtTexture.mjTEXTURE_2D,
        width=width,
        height=height,
        nchannel=channels,
    )
    texture.data = page.tobytes()
    for clear in (False, True):
        material = spec.add_material(name=_material(number, clear), emission=1.0, specular=0.0, shininess=0.0)
        material.rgba = (1.0, 1.0, 1.0, _CLEAR if clear else 1.0)
        material.textures[mujoco.mjtTextureRole.mjTEXROLE_RGB] = f"looks/{number}"


def _add_mesh(
    spec: mujoco.MjSpec, name: str, members: Sequence[tuple[Part, PlacedChart]], T_body_object: Matrix
) -> None:
    points, normals, places, triangles = [], [], [], []
    count = 0
    for part, placed in members:
        chart = placed.chart
        at, out = chart.place(chart.uv[:, 0], chart.uv[:, 1])
        points.append(turned(part, at))
        normals.append(out @ rotation_of(part).T if any(part.rotation) else out)
        places.append(placed.places)
        triangles.append(chart.triangles + count)
        count += len(at)
    corners = np.concatenate(triangles).ravel()
    mesh = spec.add_mesh(name=name)
    mesh.uservert = apply(T_body_object, np.concatenate(points)).ravel()
    mesh.usernormal = (np.concatenate(normals) @ T_body_object[:3, :3].T).ravel()
    mesh.usertexcoord = np.concatenate(places).ravel()
    mesh.userface = corners
    mesh.userfacenormal = corners
    mesh.userfacetexcoord = corners
    mesh.inertia = mujoco.mjtMeshInertia.mjMESH_INERTIA_SHELL
