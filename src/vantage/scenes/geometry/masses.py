"""What things weigh of which nobody said so: from the material and the volume of their primitives.

Household things are seldom solid. A fridge is sheet metal, a vase a shell, a wardrobe boards. So a primitive has the
volume of its walls where that is less than its own, and of its walls alone where it is hollow, with faces left out.

Densities are those of engineers' tables (kg/m3): pine and particle board 500 to 700, steel 7,850 (so are sheets),
polypropylene and ABS 900 to 1,050, stoneware 2,400, window glass 2,500, granite 2,600, stacked paper 700 to 800,
foam of mattresses and cushions 30 and with cover and frame about 90, potting soil 900 to 1,300, flesh of fruit 900.
Walls are as thick as those of usual goods: sheet metal 0.8 mm, injection moulding 2.5 mm, tableware 5 mm, chipboard
18 mm, cardboard 4 mm.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

from vantage.scenes.spec import AXES, ObjectSpec, Part, SceneSpec

LEAST = 0.005  # kg: of the smallest thing


@dataclass(frozen=True)
class Matter:
    """What a primitive is made of.

    Attributes:
        density: kg/m3.
        shell: thickness of the walls of what is hollow, m.
        wall: the same of what is closed, infinite for what is solid throughout.
    """

    density: float
    shell: float
    wall: float = math.inf


MATTER = {
    "wood": Matter(620, 0.012, 0.018),
    "metal": Matter(7850, 0.0008, 0.0008),
    "plastic": Matter(1000, 0.002, 0.0025),
    "ceramic": Matter(2400, 0.005, 0.006),
    "glass": Matter(2500, 0.003, 0.004),
    "stone": Matter(2600, 0.02, 0.03),
    "fabric": Matter(90, 0.004),
    "leather": Matter(100, 0.003),
    "paper": Matter(750, 0.003, 0.012),
    "wicker": Matter(400, 0.006, 0.006),
    "leaf": Matter(25, 0.001),
    "soil": Matter(1100, 0.01),
    "fruit": Matter(900, 0.01),
    "water": Matter(1000, 0.001),
    "nothing": Matter(0, 0.0),
    "": Matter(600, 0.003, 0.006),  # unknown: about what most goods weigh
}

_MADE_OF = {  # what shows a look, where that tells more than the material of the object
    "pages": "paper",
    "label": "paper",
    "painting": "paper",
    "days": "paper",
    "lines": "paper",
    "rug": "fabric",
    "carpet": "fabric",
    "paint": "wood",
    "boards": "wood",
    "tiles": "ceramic",
    "mirror": "glass",
    "screen": "glass",
    "dark screen": "glass",
    "film": "glass",
    "light": "glass",
    "glow": "fabric",
    "clock face": "paper",
    "keys": "plastic",
    "ball": "plastic",
    "globe": "plastic",
    "mesh": "metal",
    "burner": "metal",
    "skin": "fruit",
    "sky": "nothing",
}


def known_masses(home: SceneSpec) -> SceneSpec:
    """The same home where everything but the building has a mass; what had one keeps it."""
    return replace(
        home,
        objects=tuple(
            obj if obj.is_structure or obj.mass > 0 else replace(obj, mass=estimated_mass(obj)) for obj in home.objects
        ),
    )


def estimated_mass(obj: ObjectSpec) -> float:
    """What an object may weigh by its material and the volume of its primitives, kg, rounded to grams."""
    return max(LEAST, round(sum(part_mass(obj, part) for part in obj.parts), 3))


def part_mass(obj: ObjectSpec, part: Part) -> float:
    """What one primitive of an object may weigh, kg."""
    matter = matter_of(obj, part)
    solid, surface = _volume(part), _surface(part)
    walls = surface * (matter.shell if part.open_faces else matter.wall)
    return matter.density * min(solid, walls)


def matter_of(obj: ObjectSpec, part: Part) -> Matter:
    """What a primitive is made of: by its look, or as its object."""
    look = _MADE_OF.get(part.look, part.look)
    return MATTER[look] if look in MATTER and look else MATTER.get(obj.material, MATTER[""])


def _volume(part: Part) -> float:
    """m3."""
    x, y, z = part.size
    if part.shape == "box":
        return x * y * z
    if part.shape == "ellipsoid":
        return math.pi / 6.0 * x * y * z
    low, high = part.ends if part.shape == "cone" else (1.0, 1.0)
    return math.pi / 4.0 * x * y * z * (low * low + low * high + high * high) / 3.0


def _surface(part: Part) -> float:
    """Of the faces that are there, m2; of round shapes about."""
    x, y, z = part.size
    if part.shape == "box":
        areas = {"x": y * z, "y": x * z, "z": x * y}
        return sum(area for axis, area in areas.items() for sign in "+-" if axis + sign not in part.open_faces)
    if part.shape == "ellipsoid":
        p = 1.6075  # Knud Thomsen's formula
        a, b, c = 0.5 * x, 0.5 * y, 0.5 * z
        return float(4.0 * math.pi * (((a * b) ** p + (a * c) ** p + (b * c) ** p) / 3.0) ** (1.0 / p))
    along = AXES.index(part.axis)
    height = part.size[along]
    a, b = (0.5 * extent for k, extent in enumerate(part.size) if k != along)
    low, high = part.ends if part.shape == "cone" else (1.0, 1.0)
    radius = 0.5 * (a + b)
    side = math.pi * radius * (low + high) * math.hypot(height, radius * (high - low))
    caps = [math.pi * a * b * end * end for end in (low, high)]
    faces = f"{part.axis}-", f"{part.axis}+"
    return side + sum(cap for cap, face in zip(caps, faces, strict=True) if face not in part.open_faces)
