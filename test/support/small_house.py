"""A small ProcTHOR house, and how tests change, save and import it."""

from __future__ import annotations

import json

from vantage.scenes.procthor.asset_database import Asset, AssetDatabase
from vantage.scenes.procthor.house_import import import_house

ASSETS = AssetDatabase(
    {
        asset.asset_id: asset
        for asset in (
            Asset("Dining_Table_1", "DiningTable", (0.8, 1.2, 0.7), "white", "wood", 29.0),
            Asset("Dining_Table_2", "DiningTable", (0.9, 2.0, 0.75)),
            Asset("Mug_1", "Mug", (0.08, 0.1, 0.1), "red", "", 0.35),
            Asset("Fridge_1", "Fridge", (0.7, 0.8, 1.8), "", "", 80.0),
            Asset("Egg_1", "Egg", (0.05, 0.05, 0.06), "", "", 0.06),
            Asset("Painting_1", "Painting", (0.03, 0.8, 0.6)),
            Asset("Bed_1", "Bed", (2.0, 1.4, 0.9), "blue"),
            Asset("Doorway_1", "Doorway", (0.15, 1.0, 2.0)),
        )
    }
)


def obj(name, asset, x, y, z, turn=0, children=(), **more):
    """An object of a house; y is up."""
    record = {"id": name, "assetId": asset, "position": {"x": x, "y": y, "z": z}, "kinematic": True, **more}
    return record | {"rotation": {"x": 0, "y": turn, "z": 0}, "children": list(children)}


def wall(room, x0, z0, x1, z1, owner=None, height=2.5):
    corners = [(x0, 0, z0), (x1, 0, z1), (x0, height, z0), (x1, height, z1)]
    return {
        "id": f"wall|{owner or room}|{x0:.2f}|{z0:.2f}|{x1:.2f}|{z1:.2f}",
        "roomId": f"room|{room}",
        "polygon": [dict(zip("xyz", corner, strict=True)) for corner in corners],
        "material": {"name": "PureWhite", "color": {"r": 0.8, "g": 0.7, "b": 0.6}},
    }


def around(room, corners):
    return [wall(room, *a, *b) for a, b in zip(corners, [*corners[1:], corners[0]], strict=True)]


KITCHEN = [(0, 0), (0, 4), (2, 4), (2, 2), (4, 2), (4, 0)]  # clockwise, with one corner inward
BEDROOM = [(4, 0), (4, 2), (7, 2), (7, 0)]


def room(number, kind, corners):
    return {
        "id": f"room|{number}",
        "roomType": kind,
        "floorPolygon": [{"x": x, "y": 0, "z": z} for x, z in corners],
        "floorMaterial": {"name": "WoodFloor"},
    }


def opening(name, wall0, rooms, low, high, **more):
    hole = [{"x": low[0], "y": low[1], "z": 0}, {"x": high[0], "y": high[1], "z": 0}]
    sides = {"room0": f"room|{rooms[0]}", "room1": f"room|{rooms[1]}", "wall0": wall0, "wall1": "wall|exterior|x"}
    return {"id": name, **sides, "holePolygon": hole, **more}


def make_house():
    """An L-shaped kitchen and a bedroom."""
    table = obj("1|0", "Dining_Table_1", 1.0, 0.35, 1.0, 90, [obj("small|1", "Mug_1", 1.1, 0.75, 1.3, 30)])
    egg = obj("small|2", "Egg_1", 0.4, 0.90, 3.0)
    return {
        "rooms": [room(1, "Kitchen", KITCHEN), room(2, "Bedroom", BEDROOM)],
        "walls": [*around(1, KITCHEN), *around(2, BEDROOM), wall(1, 0, 4, 0, 0, "exterior")],
        "doors": [
            opening(
                "door|1|2",
                "wall|2|4.00|0.00|4.00|2.00",
                (2, 1),
                (0.5, 0),
                (1.4, 2.0),
                assetId="Doorway_1",
                openable=True,
                openness=1,
            )
            | {"wall1": "wall|1|4.00|2.00|4.00|0.00"}
        ],
        "windows": [opening("window|1", "wall|1|0.00|0.00|0.00|4.00", (1, 1), (1.0, 0.9), (2.2, 2.0))],
        "objects": [
            table,
            obj("1|1", "Fridge_1", 0.4, 0.9, 3.0, 90, [egg]),
            obj("1|2", "Painting_1", 1.99, 1.6, 3.0, 270),
            obj("2|0", "Bed_1", 5.9, 0.45, 1.0, 270, [obj("small|3", "pillow_9", 6.4, 0.6, 1.0)], isDirty=True),
        ],
        "metadata": {"agent": {}, "schema": "1.0.0"},
    }


def saved(house, tmp_path, name="house.json"):
    path = tmp_path / name
    path.write_text(json.dumps(house))
    return path


def imported(house, tmp_path, assets=ASSETS):
    return import_house(saved(house, tmp_path), 0, assets)


def only(spec, label):
    (found,) = [each for each in spec.objects if each.label == label]
    return found
