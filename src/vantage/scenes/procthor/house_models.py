"""Objects of the catalogue as large as the assets of a house.

A design is stretched to the box of the asset, and its shelves and seats to the heights at which other objects are on
them; what would still hang in the air gets a board under it.
"""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from vantage.scenes.catalog import CATALOG, ObjectClass
from vantage.scenes.generator import Model, model_of
from vantage.scenes.geometry import Design, Style, box, opened
from vantage.scenes.procthor.asset_database import CLASSES, COLORS_OF, Asset
from vantage.scenes.procthor.fitting import Ledge, fitted, ledges
from vantage.scenes.procthor.house_contents import HouseObject
from vantage.scenes.spec import COLORS, Color, Part, shade
from vantage.types import Point

SNAP = 0.05  # m: how far an object is moved so that it rests on what is under it

_EXACT = 0.002  # m
_STRETCH = 0.25  # of its height: how far a shelf is moved to where objects are
_CARRIED = 0.35  # share of an object's footprint that a shelf must be under
_BOARD = 0.012  # m: thickness of a board
_FRAME = 0.02  # m: thickness of the sides of furniture that no entry of the catalogue shows
_TALL_PLANT = 0.5  # m
_USUAL = 0.6  # share of objects in the first state of two
_DOORS = ("open", "closed")
_USUAL_COLORS = ("gray", "brown", "white", "blue", "green", "red", "yellow", "black")


def shaped(obj: HouseObject) -> tuple[Model, list[HouseObject]]:
    """A model as large as an asset, and the children where they rest on it."""
    size, bottom = obj.asset.size, obj.bottom
    model = _model(obj)
    if any(_is_faucet(child.asset) for child in obj.children):
        model = _without_tap(model)
    carried = [(child, child.footprint(obj), child.bottom - bottom) for child in obj.children]
    design = fitted(model.design, size)
    knots = _knots(ledges(design.parts), [(low, high, z) for _, (low, high), z in carried], size[2])
    if knots:
        design = fitted(model.design, size, knots)
    faces, boards, children = ledges(design.parts), [], []
    tone = design.parts[0].rgb
    for child, (low, high), z in carried:
        face = _face_under(faces, low, high, z)
        middle = z + 0.5 * child.asset.size[2]
        below = [under.z for under in faces if _is_under(under, low, high) and under.z < (z if child.known else middle)]
        if not child.known and below:
            child = child.moved(0.0, 0.0, max(below) - z)  # how high it is, is a guess
        elif face is not None and abs(face.z - z) <= SNAP:
            child = child.moved(0.0, 0.0, face.z - z)
        elif face is not None and face.z < z and len(below) == sum(_is_under(under, low, high) for under in faces):
            child = child.moved(0.0, 0.0, max(below) - z)  # nothing is above it: it falls, as it does in such houses
        elif _BOARD < z < size[2]:
            boards.append(_board(low, high, z, obj, tone))
        children.append(child)
    return replace(model, design=Design((*design.parts, *boards), (), design.joints)), children


def _face_under(faces: Sequence[Ledge], low: tuple[float, float], high: tuple[float, float], z: float) -> Ledge | None:
    """The level face at the height nearest to ``z`` that is under a rectangle."""
    under = [face for face in faces if _is_under(face, low, high)]
    return min(under, key=lambda face: abs(face.z - z), default=None)


def _is_under(face: Ledge, low: tuple[float, float], high: tuple[float, float]) -> bool:
    return face.share_of(low, high) >= _CARRIED


def _knots(
    faces: Sequence[Ledge],
    carried: Sequence[tuple[tuple[float, float], tuple[float, float], float]],
    height: float,
) -> list[tuple[float, float]]:
    """Which heights of a design should be moved to which others, so that objects rest on it."""
    wanted: dict[float, list[float]] = {}
    for low, high, z in carried:
        face = _face_under(faces, low, high, z)
        if face is not None and _EXACT < abs(face.z - z) <= _STRETCH * height and 0.02 < z < height:
            wanted.setdefault(round(face.z, 4), []).append(z)
    knots: list[tuple[float, float]] = []
    for old in sorted(wanted):
        new = float(np.median(wanted[old]))
        at_top = old > height - _EXACT
        rising = not knots or (old > knots[-1][0] + SNAP and new > knots[-1][1] + SNAP)
        if rising and (abs(new - height) <= SNAP if at_top else new < height - _EXACT):
            knots.append((old, new))
    return knots


def _board(low: tuple[float, float], high: tuple[float, float], z: float, obj: HouseObject, tone: Color) -> Part:
    depth, width, _ = obj.asset.size
    corners = [
        (max(min(low[k], 0.49 * side), -0.5 * side), min(max(high[k], -0.49 * side), 0.5 * side))
        for k, side in enumerate((depth, width))
    ]
    (x0, x1), (y0, y1) = corners
    return box(0.5 * (x0 + x1), 0.5 * (y0 + y1), z - _BOARD, x1 - x0, y1 - y0, _BOARD, tone)


def _model(obj: HouseObject) -> Model:
    """An object of the catalogue, or a plain shape, with the words of the asset; equal assets look alike."""
    asset, seed = obj.asset, zlib.crc32(obj.asset.asset_id.encode())
    rng = np.random.default_rng(seed)
    known = CLASSES.get(asset.kind)
    entry = asset.entry or ("" if known is None else known.entry)
    if known is not None and entry == "plant" and asset.size[2] >= _TALL_PLANT:
        entry = "floor plant"
    label = asset.label or ("" if known is None else known.label)
    if entry not in CATALOG:
        return _plain_model(obj, label or asset.kind, known.shape if known is not None else "box", rng)
    kind = _kind(entry, label, asset)
    states = _states(obj, kind)
    text = asset.text if asset.text in kind.prints else ""
    model = model_of(kind, rng, states=states, text=text)
    if obj.open_parts:
        closed = ["closed", *(state for state in states if state != "open")]
        shut = model_of(kind, np.random.default_rng(seed), states=closed, text=text)
        names = {joint.part for joint in shut.design.joints} & set(obj.open_parts)
        model = replace(model, design=opened(shut.design, names)) if names else model
    shown = tuple(state for state in model.style.states if kind.label == CATALOG[entry].label or state in _DOORS)
    return replace(model, style=replace(model.style, states=shown), mass=asset.mass or model.mass)


def _kind(entry: str, label: str, asset: Asset) -> ObjectClass:
    """The entry of the catalogue in the color and the material of an asset, where it tells them.

    An asset of another class has the shape of the entry and none of the entry's other words.
    """
    kind = CATALOG[entry]
    colors = (asset.color,) if asset.color in COLORS else COLORS_OF.get(asset.kind, kind.colors)
    if label in ("", kind.label):
        return replace(kind, colors=colors, materials=(asset.material,) if asset.material else kind.materials)
    other = replace(kind, label=label, colors=colors, materials=(asset.material,), prints=(), mass=(0.0, 0.0))
    return replace(other, shape="")


def _states(obj: HouseObject, kind: ObjectClass) -> list[str]:
    """One state of each group of a kind: what the house says, closed rather than open, and otherwise by chance."""
    rng, states = np.random.default_rng(zlib.crc32(obj.name.encode())), []
    for axis in kind.states:
        usual = "closed" if "closed" in axis else axis[0 if rng.random() < _USUAL else -1]
        states.append(next((state for state in obj.states if state in axis), usual))
    return states


def _is_faucet(asset: Asset) -> bool:
    return asset.kind.lower() == "faucet"


def _without_tap(model: Model) -> Model:
    """A basin whose house has a faucet of its own."""
    parts = tuple(part for part in model.design.parts if part.look != "metal")
    return replace(model, design=replace(model.design, parts=parts)) if parts else model


def _tap(size: Point, rgb: Color) -> tuple[Part, ...]:
    """A plate with a column at its back and a spout to the front."""
    depth, width, height = size
    plate, thick, spout = 0.15 * height, min(0.3 * depth, 0.3 * width), 0.15 * height
    back = -0.5 * depth + 0.5 * thick
    return (
        box(back, 0, 0, thick, width, plate, rgb, "metal"),
        box(back, 0, plate, thick, thick, height - plate, rgb, "metal"),
        box(0.5 * thick, 0, height - spout, depth - thick, 0.6 * thick, spout, rgb, "metal"),
    )


def _plain_model(obj: HouseObject, label: str, shape: str, rng: np.random.Generator) -> Model:
    """A single primitive, or a tap; a frame with an open front where other objects are inside."""
    asset = obj.asset
    usual = COLORS_OF.get(asset.kind, _USUAL_COLORS)
    color = asset.color or usual[int(rng.integers(len(usual)))]
    rgb = shade(COLORS[color], float(rng.uniform(0.95, 1.04)))
    depth, width, height = asset.size
    inside = any(child.bottom < obj.bottom + height - SNAP for child in obj.children)
    parts: tuple[Part, ...] = (Part(shape, (0.0, 0.0, 0.5 * height), asset.size, rgb),)
    if _is_faucet(asset):
        parts = _tap(asset.size, rgb)
    if inside and min(asset.size) > 4 * _FRAME:
        parts = (
            box(0, 0, 0, depth, width, _FRAME, rgb),
            box(0, 0, height - _FRAME, depth, width, _FRAME, rgb),
            box(-0.5 * (depth - _FRAME), 0, _FRAME, _FRAME, width, height - 2 * _FRAME, rgb),
            *(
                box(0, sy * 0.5 * (width - _FRAME), _FRAME, depth, _FRAME, height - 2 * _FRAME, shade(rgb, 0.95))
                for sy in (-1, 1)
            ),
        )
    design = Design(parts)
    kind = ObjectClass(label, label, lambda style, rng: design, (color,), (asset.material,))
    kind = replace(kind, name="")
    return Model(kind, Style(color, asset.material, rgb), design, asset.mass)
