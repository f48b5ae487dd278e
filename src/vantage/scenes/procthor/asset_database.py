"""What the assets and object types of AI2-THOR are: their sizes and materials, and their classes in the catalogue."""

from __future__ import annotations

import math
import os
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from vantage.files import read_json
from vantage.scenes.catalog import CATALOG
from vantage.scenes.generator import design_model
from vantage.scenes.procthor.materials import MaterialDatabase, look_of_asset
from vantage.scenes.spec import decoding
from vantage.types import Point

ROOM_TYPES = {
    "Kitchen": "kitchen",
    "Bathroom": "bathroom",
    "Bedroom": "bedroom",
    "LivingRoom": "living room",
    "Office": "office",
    "Hallway": "hall",
    "Storage": "storage room",
}

_OTHER_NAMES = {
    "Bin": "GarbageCan",
    "Cellphone": "CellPhone",
    "OfficeChair": "Chair",
    "Remote": "RemoteControl",
    "WallDecorPainting": "Painting",
    "WallDecorPhoto": "Painting",
}

MASSES_FILE = "thor_object_masses_kg.json"  # beside the database, where there is one

DATABASE = "ai2thor-assets/asset-database.json"  # in the folder of data

MATERIALS_FILE = "material-database.json"


@dataclass(frozen=True)
class AssetClass:
    """An object type.

    Attributes:
        entry: the catalogue entry that looks like it, or the most like it; empty for none.
        label: the word for it where that is not the entry's.
        size: median extents over the assets of the type: depth (to its front), width and height, m.
        shape: the primitive that stands for it where there is no entry.
    """

    entry: str
    label: str
    size: Point
    shape: str = "box"


def _known(entry: str, depth: float, width: float, height: float) -> AssetClass:
    return AssetClass(entry, "", (depth, width, height))


def _like(entry: str, label: str, depth: float, width: float, height: float) -> AssetClass:
    return AssetClass(entry, label, (depth, width, height))


def _plain(label: str, depth: float, width: float, height: float, shape: str = "box") -> AssetClass:
    return AssetClass("", label, (depth, width, height), shape)


CLASSES: dict[str, AssetClass] = {
    "AlarmClock": _known("alarm clock", 0.09, 0.19, 0.18),
    "AluminumFoil": _plain("foil", 0.06, 0.24, 0.04),
    "Apple": _known("apple", 0.10, 0.10, 0.12),
    "ArmChair": _known("armchair", 0.89, 0.94, 0.88),
    "BaseballBat": _plain("bat", 0.09, 0.08, 0.96, "cylinder"),
    "BasketBall": _known("ball", 0.24, 0.24, 0.24),
    "Bathtub": _known("bathtub", 1.60, 0.75, 0.58),
    "Bed": _known("bed", 2.24, 1.37, 0.91),
    "Blinds": _like("curtain", "blinds", 0.03, 1.10, 0.20),
    "Book": _known("book", 0.27, 0.22, 0.03),
    "Boots": _like("shoe", "boots", 0.22, 0.28, 0.52),
    "Bottle": _known("bottle", 0.11, 0.11, 0.25),
    "Bowl": _known("bowl", 0.20, 0.20, 0.09),
    "Box": _known("box", 0.41, 0.40, 0.28),
    "Bread": _known("bread", 0.29, 0.16, 0.14),
    "ButterKnife": _known("knife", 0.26, 0.01, 0.03),
    "CD": _like("plate", "disc", 0.10, 0.10, 0.005),
    "Cabinet": _known("cabinet", 0.44, 1.00, 0.85),
    "Candle": _known("candle", 0.05, 0.05, 0.17),
    "Cart": _like("rack", "cart", 0.54, 0.71, 1.28),
    "CellPhone": _like("remote", "phone", 0.15, 0.08, 0.01),
    "Chair": _known("chair", 0.54, 0.48, 0.88),
    "Cloth": _like("folded towel", "cloth", 0.18, 0.21, 0.02),
    "ClothesDryer": _known("washing machine", 0.69, 0.68, 1.05),
    "CoffeeMachine": _like("toaster", "coffee machine", 0.44, 0.44, 0.44),
    "CoffeeTable": _known("coffee table", 0.66, 1.13, 0.44),
    "CounterTop": _known("counter", 1.83, 2.44, 0.94),
    "CreditCard": _plain("card", 0.05, 0.09, 0.004),
    "Cup": _known("cup", 0.11, 0.11, 0.15),
    "Desk": _known("desk", 0.62, 1.39, 0.79),
    "DeskLamp": _known("table lamp", 0.29, 0.26, 0.46),
    "Desktop": _like("monitor", "computer", 0.25, 0.88, 0.57),
    "DiningTable": _known("table", 0.96, 1.47, 0.76),
    "DishSponge": _plain("sponge", 0.14, 0.07, 0.03),
    "DogBed": _like("round pillow", "dog bed", 0.83, 0.99, 0.18),
    "Dresser": _known("dresser", 0.51, 1.20, 0.97),
    "Dumbbell": _plain("dumbbell", 0.33, 0.13, 0.13),
    "Egg": _plain("egg", 0.05, 0.05, 0.08, "ellipsoid"),
    "Faucet": _plain("faucet", 0.25, 0.27, 0.22),
    "FloorLamp": _known("floor lamp", 0.51, 0.52, 1.87),
    "Footstool": _known("stool", 0.28, 0.32, 0.43),
    "Fork": _known("fork", 0.23, 0.03, 0.03),
    "Fridge": _known("fridge", 0.72, 1.00, 1.84),
    "GarbageBag": _plain("garbage bag", 0.52, 0.51, 0.56, "ellipsoid"),
    "GarbageCan": _known("bin", 0.37, 0.45, 0.56),
    "HandTowel": _known("towel", 0.04, 0.13, 0.40),
    "HandTowelHolder": _plain("towel holder", 0.05, 0.17, 0.21),
    "HousePlant": _known("plant", 0.39, 0.36, 0.65),
    "Kettle": _known("kettle", 0.21, 0.20, 0.19),
    "KeyChain": _plain("keys", 0.07, 0.13, 0.01),
    "Knife": _known("knife", 0.33, 0.01, 0.05),
    "Ladle": _like("spoon", "ladle", 0.29, 0.08, 0.05),
    "Laptop": _known("laptop", 0.30, 0.40, 0.29),
    "LaundryHamper": _known("laundry basket", 0.43, 0.55, 0.74),
    "Lettuce": _plain("lettuce", 0.24, 0.15, 0.15, "ellipsoid"),
    "LightSwitch": _plain("light switch", 0.03, 0.13, 0.15),
    "Microwave": _known("microwave", 0.36, 0.61, 0.35),
    "Mirror": _known("mirror", 0.03, 0.60, 0.80),
    "Mug": _known("mug", 0.09, 0.13, 0.10),
    "Newspaper": _like("book", "newspaper", 0.13, 0.33, 0.03),
    "Ottoman": _like("bench", "ottoman", 0.52, 0.85, 0.43),
    "Painting": _known("picture", 0.03, 0.81, 0.61),
    "Pan": _known("pan", 0.43, 0.28, 0.05),
    "PaperTowelRoll": _like("toilet paper", "paper towel", 0.06, 0.08, 0.21),
    "Pen": _plain("pen", 0.20, 0.01, 0.01),
    "Pencil": _plain("pencil", 0.18, 0.01, 0.01),
    "PepperShaker": _like("jar", "pepper shaker", 0.07, 0.07, 0.11),
    "Pillow": _known("pillow", 0.35, 0.43, 0.14),
    "Plate": _known("plate", 0.24, 0.24, 0.02),
    "Plunger": _like("broom", "plunger", 0.15, 0.15, 0.54),
    "Pot": _known("pot", 0.31, 0.29, 0.16),
    "Potato": _plain("potato", 0.12, 0.08, 0.08, "ellipsoid"),
    "RemoteControl": _known("remote", 0.21, 0.06, 0.02),
    "RoomDecor": _like("vase", "decoration", 0.37, 0.30, 1.34),
    "Safe": _like("cabinet", "safe", 0.45, 0.40, 0.40),
    "SaltShaker": _like("jar", "salt shaker", 0.07, 0.07, 0.11),
    "ScrubBrush": _like("broom", "brush", 0.13, 0.13, 0.48),
    "ShelvingUnit": _known("rack", 0.34, 0.91, 1.44),
    "ShowerCurtain": _known("curtain", 0.33, 0.34, 1.66),
    "ShowerHead": _plain("shower", 0.25, 0.23, 1.41),
    "SideTable": _known("coffee table", 0.39, 0.62, 0.66),
    "Sink": _known("washbasin", 0.46, 0.66, 0.95),
    "SoapBar": _plain("soap", 0.09, 0.05, 0.02),
    "SoapBottle": _known("soap dispenser", 0.10, 0.12, 0.24),
    "Sofa": _known("sofa", 0.93, 2.40, 0.92),
    "Spatula": _like("spoon", "spatula", 0.30, 0.06, 0.02),
    "Spoon": _known("spoon", 0.21, 0.04, 0.02),
    "SprayBottle": _like("soap dispenser", "spray bottle", 0.11, 0.03, 0.25),
    "Statue": _like("robot", "statue", 0.15, 0.19, 0.35),
    "Stool": _known("stool", 0.32, 0.41, 0.67),
    "StoveBurner": _known("stove", 0.62, 0.76, 0.92),
    "TVStand": _like("bookshelf", "television stand", 0.60, 1.20, 0.71),
    "TableTopDecor": _like("vase", "decoration", 0.31, 0.40, 0.14),
    "TeddyBear": _known("bear", 0.33, 0.47, 0.47),
    "Television": _known("television", 0.31, 1.14, 0.81),
    "TennisRacket": _like("pan", "racket", 0.65, 0.26, 0.04),
    "TissueBox": _plain("tissue box", 0.10, 0.20, 0.15),
    "Toaster": _known("toaster", 0.36, 0.22, 0.21),
    "Toilet": _known("toilet", 0.92, 0.53, 0.99),
    "ToiletPaper": _known("toilet paper", 0.07, 0.07, 0.12),
    "ToiletPaperHanger": _plain("paper holder", 0.10, 0.23, 0.08),
    "Tomato": _like("apple", "tomato", 0.13, 0.12, 0.10),
    "Towel": _known("towel", 0.04, 0.41, 0.59),
    "TowelHolder": _plain("towel holder", 0.11, 0.66, 0.04),
    "VacuumCleaner": _known("vacuum cleaner", 0.31, 0.36, 1.01),
    "Vase": _known("vase", 0.17, 0.18, 0.21),
    "WashingMachine": _known("washing machine", 0.69, 0.68, 1.05),
    "Watch": _plain("watch", 0.05, 0.08, 0.04),
    "WateringCan": _like("teapot", "watering can", 0.27, 0.15, 0.19),
    "WineBottle": _known("bottle", 0.09, 0.09, 0.33),
}


COLORS_OF: dict[str, tuple[str, ...]] = {  # that assets come in whose materials name none, unless the entry tells
    "BaseballBat": ("brown",),
    "Blinds": ("white", "gray"),
    "Boots": ("brown", "black"),
    "CD": ("gray",),
    "CoffeeMachine": ("black", "gray", "white"),
    "CreditCard": ("blue", "gray", "black"),
    "DishSponge": ("yellow", "green"),
    "Egg": ("white", "brown"),
    "Faucet": ("gray",),
    "GarbageBag": ("black", "white"),
    "Lettuce": ("green",),
    "LightSwitch": ("white",),
    "Newspaper": ("gray", "white"),
    "PaperTowelRoll": ("white",),
    "Pen": ("blue", "black", "red"),
    "Pencil": ("yellow", "brown", "black"),
    "PepperShaker": ("black", "gray"),
    "Potato": ("brown",),
    "SaltShaker": ("white", "gray"),
    "ShowerHead": ("gray",),
    "SoapBar": ("white", "pink", "green"),
    "TissueBox": ("white", "blue", "green"),
    "ToiletPaperHanger": ("gray", "white"),
    "Tomato": ("red",),
    "Watch": ("black", "brown", "gray"),
}

HANGING = frozenset(  # object types whose assets may be on a wall, above the floor
    [
        "Blinds",
        "HandTowel",
        "HandTowelHolder",
        "LightSwitch",
        "Mirror",
        "Painting",
        "ShowerCurtain",
        "ShowerHead",
        "Television",
        "ToiletPaper",
        "ToiletPaperHanger",
        "Towel",
        "TowelHolder",
    ]
)


def type_in_name(asset_id: str) -> str:
    """The object type that the name of an asset speaks of, such as ``DiningTable`` in ``Dining_Table_218_1``.

    The longest one wins; empty for none.
    """
    name = re.sub(r"[^a-z]", "", asset_id.removeprefix("RoboTHOR_").lower())
    known = {word.lower(): word for word in CLASSES} | {word.lower(): kind for word, kind in _OTHER_NAMES.items()}
    found = max((word for word in known if word in name), key=len, default="")
    return known.get(found, "")


def in_words(name: str) -> str:
    """A name such as ``LivingRoom`` or ``Dining_Table_218_1`` in small letters, without numbers."""
    spaced = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", name)
    return " ".join(re.findall(r"[A-Za-z]+", spaced)).lower()


@dataclass(frozen=True)
class Asset:
    """An object of the database.

    Attributes:
        asset_id, kind: its name and its object type.
        size: depth (to its front), width and height while closed, m.
        color, material: words, empty where its materials name none.
        mass: kg, 0 where nobody knows.
        entry, label: the catalogue entry that looks like it and the word for it, empty where its type tells.
        text: printed on it, empty where nobody knows.
    """

    asset_id: str
    kind: str
    size: Point
    color: str = ""
    material: str = ""
    mass: float = 0.0
    entry: str = ""
    label: str = ""
    text: str = ""


class AssetDatabase:
    """Assets by name and by object type, and what their materials are."""

    def __init__(self, assets: Mapping[str, Asset], materials: MaterialDatabase | None = None) -> None:
        self._assets = dict(assets)
        self.materials = materials or MaterialDatabase()

    @staticmethod
    def load(path: str | Path) -> AssetDatabase:
        """Read ``asset-database.json``: lists of assets under their object types, the bounding boxes in Unity's axes.

        Masses and categories of materials come from the files beside it, where there are such.

        Raises:
            FormatError: the file is missing, no JSON or of another kind.
        """
        where = str(path)
        masses_file = Path(path).with_name(MASSES_FILE)
        masses = decoding.mapping(read_json(masses_file), str(masses_file)) if masses_file.is_file() else {}
        by_type = {kind.lower(): mass for kind, mass in masses.items()}
        found = {}
        for kind, entries in decoding.mapping(read_json(path), where).items():
            mass = by_type.get(kind.lower(), 0.0)
            for entry in decoding.records({kind: entries}, kind, where):
                asset = _asset(decoding.mapping(entry, f"an asset of {where}"), kind, mass, where)
                found[asset.asset_id] = asset
        materials = Path(path).with_name(MATERIALS_FILE)
        return AssetDatabase(found, MaterialDatabase.load(materials) if materials.is_file() else None)

    @staticmethod
    def find(path: str | Path | None = None) -> AssetDatabase | None:
        """The database in a file, or else in the folder of data that the environment names as ``VANTAGE_DATA``; None
        where there is none.

        Raises:
            FormatError: as ``load``.
        """
        if path:
            return AssetDatabase.load(path)
        folder = os.environ.get("VANTAGE_DATA", "")
        usual = Path(folder) / DATABASE
        return AssetDatabase.load(usual) if folder and usual.is_file() else None

    def get(self, asset_id: str) -> Asset | None:
        """The asset of a name, None when it is missing."""
        return self._assets.get(asset_id)

    def nearest(self, kind: str, size: Point) -> Asset | None:
        """The asset of an object type whose size is the most alike by ratio; None when the type is missing."""
        alike = [asset for asset in self._assets.values() if asset.kind == kind]
        return min(alike, key=lambda asset: _unlike(asset.size, size), default=None)


def guessed_asset(asset_id: str) -> Asset | None:
    """What the name alone tells of an asset: its object type, or the catalogue entry that it has in it, and the usual
    size; None where it names neither."""
    kind = type_in_name(asset_id)
    if kind:
        return Asset(asset_id, kind, CLASSES[kind].size)
    words = f" {in_words(asset_id)} "
    entry = max((name for name in CATALOG if f" {name} " in words), key=len, default="")
    if not entry:
        return None
    (x0, y0, z0), (x1, y1, z1) = design_model(entry, np.random.default_rng(0)).extent()
    return Asset(asset_id, "", (x1 - x0, y1 - y0, z1 - z0), entry=entry)


def _asset(entry: Mapping[str, Any], kind: str, mass: Any, where: str) -> Asset:
    asset_id = decoding.text(entry, "assetId", f"an asset of {where}")
    name = f"asset '{asset_id}' of {where}"
    box = decoding.mapping(decoding.item(entry, "boundingBox", name), f"'boundingBox' of {name}")
    extents = (decoding.number(decoding.item(box, axis, name), f"'{axis}' of {name}") for axis in ("z", "x", "y"))
    depth, width, height = (max(extent, 0.002) for extent in extents)
    pairs = [(str(pair[0]), str(pair[1])) for pair in entry.get("materials") or [] if _is_pair(pair)]
    look = look_of_asset(CLASSES[kind].entry if kind in CLASSES else "", pairs)
    mass = decoding.number(mass, f"the mass of {kind}")
    return Asset(asset_id, kind, (depth, width, height), look.color, look.material, mass)


def _is_pair(value: Any) -> bool:
    return isinstance(value, list) and len(value) == 2


def _unlike(first: Point, second: Point) -> float:
    return sum(abs(math.log(a / max(b, 1e-3))) for a, b in zip(first, second, strict=True))
