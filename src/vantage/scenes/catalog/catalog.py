"""The catalogue: every class of object that a generated home can hold, by name, and all words for them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from vantage.errors import UnknownNameError
from vantage.registry import did_you_mean
from vantage.scenes.catalog import (
    bathroom,
    devices,
    fixtures,
    furniture,
    groceries,
    hall,
    kitchen,
    kitchenware,
    office,
    small_objects,
    workshop,
)
from vantage.scenes.geometry import Builder, Design, Style, scaled

BRIGHT = ("red", "green", "blue", "yellow", "orange", "purple", "pink")

PLAIN = (*BRIGHT, "white", "black")

CLOTH = (*BRIGHT, "white", "gray")

COVERS = ("red", "green", "blue", "purple", "orange")

TIMBER = ("brown", "white", "black")

OPENS = (("closed", "open"),)

SWITCHED = (("off", "on"),)

FILLED = (("empty", "full"),)

SOILED = (("clean", "dirty"),)

ALWAYS_OPEN = (("open",),)

VARIED = (0.85, 1.25)  # scales of objects of which people own small and large ones

SIMILAR = (0.88, 1.12)

_DEVICES = ("black", "white", "gray")

_DISHES = ("white", "blue", "green", "red", "yellow")

_LAMPS = ("yellow", "orange", "green", "red")

_CLOCKS = ("red", "green", "blue", "yellow")

_TOOLS = ("red", "blue", "green", "yellow")

_WAXES = ("red", "white", "purple", "orange", "green")

_VASES = ("blue", "purple", "green", "red", "orange")

_BLACK = ("black",)

_WICKER = ("brown", "orange", "white")

_BEARS = ("brown", "pink", "white", "purple")

_WOOD = ("wood",)

_METAL = ("metal",)

_PLASTIC = ("plastic",)

_CERAMIC = ("ceramic",)

_PAPER = ("paper",)

_FABRIC = ("fabric",)

_TIN = ("metal", "plastic")

_HIDE = ("plastic", "leather")

_GLAZED = ("plastic", "ceramic")

_STOCK = ("SUGAR", "FLOUR", "SALT", "RICE", "TEA", "COFFEE", "HONEY", "PASTA")

_TINS = ("SOUP", "BEANS", "CORN", "TUNA", "PEAS")

_CEREALS = ("OATS", "MUESLI", "FLAKES", "CRUNCH", "BRAN")

_DRINKS = ("WATER", "JUICE", "COLA", "OIL", "SYRUP")

_CARTONS = ("BOOKS", "TOYS", "TOOLS", "SHOES", "WINTER", "PHOTOS", "CABLES", "GAMES")

_KEEPSAKES = ("HATS", "LETTERS", "GIFTS", "SEWING")

_FILES = ("BILLS", "TAXES", "2022", "2023", "2024", "HOUSE", "SCHOOL")

_SOAPS = ("SOAP", "CREAM", "ALOE")

_SHAMPOOS = ("SHAMPOO", "REPAIR", "FRESH")

_KITS = ("TOOLS", "CAR", "BIKE")

_PAINTS = ("PAINT", "PRIMER", "VARNISH", "LACQUER")

_SEATS = ("red", "green", "blue", "yellow", "white", "brown")

_UNITS = ("white", "gray", "blue", "green")

_APPLIANCES = ("white", "gray")

_DOORS = ("brown", "blue", "green", "red")

_MONTHS = ("JANUARY", "FEBRUARY", "MARCH", "APRIL", "MAY", "JUNE", "JULY", "AUGUST", "OCTOBER", "NOVEMBER")


@dataclass(frozen=True)
class ObjectClass:
    """One way to build objects of a class; several may share a label (a floor lamp and a table lamp are lamps).

    Attributes:
        name: of this entry.
        label: the word by which people call such an object.
        build: makes its parts from a style.
        colors: it comes in.
        materials: it comes in; ``("",)`` where no word of the vocabulary is right.
        states: it can be in: one of each group, the usual one first.
        mass: least and greatest, kg; 0 where nobody knows it.
        shape: one word, empty where none is right.
        prints: words that may be printed on it, one at a time.
        sizes: smallest and largest scale of what ``build`` makes.
    """

    name: str
    label: str
    build: Builder
    colors: tuple[str, ...]
    materials: tuple[str, ...]
    states: tuple[tuple[str, ...], ...] = ()
    mass: tuple[float, float] = (0.0, 0.0)
    shape: str = ""
    prints: tuple[str, ...] = ()
    sizes: tuple[float, float] = (1.0, 1.0)

    def design(self, style: Style, rng: np.random.Generator) -> Design:
        """An object of this class at a random size."""
        factor = round(float(rng.uniform(*self.sizes)), 3)
        design = self.build(style, rng)
        return design if factor == 1.0 else scaled(design, factor)


KITCHEN_OBJECTS = (
    ObjectClass(
        "toaster", "toaster", kitchenware.toaster, ("white", "gray", "red"), _METAL, SWITCHED, (1, 2), "rectangular"
    ),
    ObjectClass("kettle", "kettle", kitchenware.kettle, ("white", "gray", "red", "blue"), _METAL, (), (0.8, 1.4)),
    ObjectClass("pot", "pot", kitchenware.pot, ("gray", "red", "blue"), _METAL, FILLED, (1, 3), "round", (), VARIED),
    ObjectClass("pan", "pan", kitchenware.pan, ("black", "gray", "red"), _METAL, SOILED, (0.7, 2), "round", (), VARIED),
    ObjectClass("knife", "knife", kitchenware.knife, ("gray", "black"), _METAL, (), (0.08, 0.2)),
    ObjectClass("fork", "fork", kitchenware.fork, ("gray", "red", "blue"), _METAL, (), (0.03, 0.06)),
    ObjectClass("spoon", "spoon", kitchenware.spoon, ("gray", "red", "blue"), _METAL, (), (0.03, 0.06)),
    ObjectClass("cup", "cup", kitchenware.cup, _DISHES, _CERAMIC, FILLED, (0.2, 0.4), "round", (), SIMILAR),
    ObjectClass("mug", "mug", kitchenware.mug, PLAIN, _CERAMIC, FILLED, (0.25, 0.5), "cylindrical", (), VARIED),
    ObjectClass(
        "glass", "glass", kitchenware.glass, ("blue", "green", "pink"), ("glass",), FILLED, (0.15, 0.35), "cylindrical"
    ),
    ObjectClass("bowl", "bowl", kitchenware.bowl, _DISHES, ("ceramic", "wood"), (), (0.4, 0.9), "round", (), VARIED),
    ObjectClass("plate", "plate", kitchenware.plate, _DISHES, _CERAMIC, SOILED, (0.35, 0.7), "round", (), VARIED),
    ObjectClass("teapot", "teapot", kitchenware.teapot, _DISHES, ("ceramic", "metal"), (), (0.6, 1.1), "round"),
    ObjectClass(
        "cutting board", "cutting board", kitchenware.cutting_board, ("brown",), _WOOD, (), (0.8, 1.8), "rectangular"
    ),
    ObjectClass("bread", "bread", groceries.bread, ("brown",), ("",), (), (0.4, 0.8), "", (), SIMILAR),
    ObjectClass("apple", "apple", groceries.apple, ("red", "green"), ("",), (), (0.13, 0.22), "spherical"),
    ObjectClass("orange", "orange", groceries.orange, ("orange",), ("",), (), (0.14, 0.24), "spherical"),
    ObjectClass("banana", "banana", groceries.banana, ("yellow",), ("",), (), (0.1, 0.2)),
    ObjectClass("jar", "jar", groceries.jar, _DISHES, _CERAMIC, (), (0.5, 1.4), "cylindrical", _STOCK),
    ObjectClass("can", "can", groceries.can, _TOOLS, _METAL, (), (0.3, 0.5), "cylindrical", _TINS),
    ObjectClass(
        "cereal box", "cereal box", groceries.cereal_box, BRIGHT, _PAPER, (), (0.3, 0.7), "rectangular", _CEREALS
    ),
    ObjectClass("milk carton", "milk carton", groceries.milk_carton, _DISHES, _PAPER, (), (0.6, 1.1), "", ("MILK",)),
    ObjectClass(
        "bottle", "bottle", groceries.bottle, _VASES, ("glass", "plastic"), (), (0.4, 1.2), "cylindrical", _DRINKS
    ),
)


BATHROOM_OBJECTS = (
    ObjectClass("towel", "towel", bathroom.towel, CLOTH, _FABRIC, SOILED, (0.3, 0.7), "rectangular"),
    ObjectClass("folded towel", "towel", bathroom.folded_towel, CLOTH, _FABRIC, (), (0.3, 0.7), "rectangular"),
    ObjectClass(
        "soap dispenser", "soap dispenser", bathroom.soap_dispenser, CLOTH, _GLAZED, (), (0.2, 0.5), "", _SOAPS
    ),
    ObjectClass("shampoo", "shampoo", bathroom.shampoo, BRIGHT, _PLASTIC, (), (0.25, 0.5), "", _SHAMPOOS),
    ObjectClass(
        "toilet paper",
        "toilet paper",
        bathroom.toilet_paper,
        ("white", "pink"),
        _PAPER,
        (),
        (0.08, 0.15),
        "cylindrical",
    ),
    ObjectClass("toothbrush", "toothbrush", bathroom.toothbrush, BRIGHT, _PLASTIC, (), (0.015, 0.03)),
    ObjectClass(
        "laundry basket", "laundry basket", bathroom.laundry_basket, _WICKER, _WOOD, FILLED, (2, 5), "cylindrical"
    ),
)


OFFICE_OBJECTS = (
    ObjectClass("laptop", "laptop", office.laptop, ("gray", "black"), _METAL, SWITCHED, (1.2, 2.6), "", (), SIMILAR),
    ObjectClass("monitor", "monitor", office.monitor, _DEVICES, _PLASTIC, SWITCHED, (3, 7), "rectangular", (), SIMILAR),
    ObjectClass("keyboard", "keyboard", office.keyboard, _DEVICES, _PLASTIC, (), (0.5, 1), "rectangular"),
    ObjectClass("mouse", "mouse", office.mouse, (*_DEVICES, "red", "blue"), _PLASTIC, (), (0.07, 0.14)),
    ObjectClass("printer", "printer", office.printer, _DEVICES, _PLASTIC, (), (5, 9), "rectangular"),
    ObjectClass("binder", "binder", office.binder, BRIGHT, _PAPER, (), (0.6, 2.5), "rectangular", _FILES),
    ObjectClass(
        "folder tray", "tray", office.folder_tray, (*_DEVICES, "blue", "red"), _PLASTIC, FILLED, (0.5, 2), "rectangular"
    ),
    ObjectClass("book", "book", small_objects.book, BRIGHT, _PAPER, (), (0.3, 1.2), "rectangular", (), SIMILAR),
    ObjectClass("standing book", "book", small_objects.standing_book, BRIGHT, _PAPER, (), (0.3, 1.2), "rectangular"),
)


HALL_OBJECTS = (
    ObjectClass("shoe", "shoe", hall.shoe, PLAIN, ("leather", "fabric"), SOILED, (0.3, 0.6), "", (), SIMILAR),
    ObjectClass("umbrella", "umbrella", hall.umbrella, PLAIN, _FABRIC, (), (0.4, 0.8)),
    ObjectClass("backpack", "backpack", hall.backpack, (*BRIGHT, "gray"), _FABRIC, (), (0.8, 4), "", (), SIMILAR),
    ObjectClass("helmet", "helmet", hall.helmet, PLAIN, _PLASTIC, (), (0.25, 0.45), "round"),
    ObjectClass(
        "hat", "hat", small_objects.hat, (*_VASES, "black", "brown"), ("fabric", "leather"), (), (0.1, 0.3), "round"
    ),
    ObjectClass(
        "suitcase",
        "suitcase",
        small_objects.suitcase,
        (*_VASES, "brown"),
        ("leather", "plastic"),
        OPENS,
        (2.5, 9),
        "rectangular",
    ),
)


WORKSHOP_OBJECTS = (
    ObjectClass(
        "box", "box", small_objects.carton, ("brown", *_TOOLS, "pink"), _PAPER, OPENS, (0.5, 8), "rectangular", _CARTONS
    ),
    ObjectClass(
        "hat box", "box", small_objects.hat_box, BRIGHT, _PAPER, (("closed",),), (0.4, 1.2), "round", _KEEPSAKES
    ),
    ObjectClass("toolbox", "toolbox", workshop.toolbox, _TOOLS, _TIN, OPENS, (4, 10), "rectangular", _KITS),
    ObjectClass("ladder", "ladder", workshop.ladder, ("gray", "yellow", "orange"), _METAL, (), (4, 8)),
    ObjectClass("broom", "broom", workshop.broom, _TOOLS, ("wood", "plastic"), (), (0.6, 1.1)),
    ObjectClass("bucket", "bucket", workshop.bucket, _TOOLS, _TIN, FILLED, (0.6, 1.4), "round", (), VARIED),
    ObjectClass("vacuum cleaner", "vacuum cleaner", workshop.vacuum_cleaner, _VASES, _PLASTIC, (), (4, 7)),
    ObjectClass("paint can", "paint can", workshop.paint_can, BRIGHT, _METAL, (), (1.5, 5), "cylindrical", _PAINTS),
    ObjectClass(
        "crate", "crate", workshop.crate, ("brown", *_TOOLS), ("wood", "plastic"), ALWAYS_OPEN, (1.5, 3), "rectangular"
    ),
    ObjectClass("basket", "basket", furniture.basket, _WICKER, _WOOD, ALWAYS_OPEN, (0.6, 1.5), "round"),
    ObjectClass(
        "bin", "bin", furniture.bin_, ("gray", "black", "red", "green"), _TIN, FILLED, (0.6, 1.6), "cylindrical"
    ),
)


LIVING_OBJECTS = (
    ObjectClass("floor lamp", "lamp", devices.floor_lamp, (*_LAMPS, "white"), _FABRIC, SWITCHED, (4, 8)),
    ObjectClass("table lamp", "lamp", devices.table_lamp, _LAMPS, _FABRIC, SWITCHED, (0.8, 2), "", (), SIMILAR),
    ObjectClass("lantern", "lantern", devices.lantern, (*_TOOLS, "black"), _METAL, SWITCHED, (0.6, 1.5), "square"),
    ObjectClass("candle", "candle", small_objects.candle, _WAXES, ("",), (), (0.2, 0.5), "cylindrical", (), VARIED),
    ObjectClass(
        "television", "television", devices.television, _BLACK, _PLASTIC, SWITCHED, (7, 14), "", (), (0.9, 1.3)
    ),
    ObjectClass("radio", "radio", devices.radio, (*_LAMPS, "brown"), ("plastic", "wood"), (), (0.8, 2), "rectangular"),
    ObjectClass("remote", "remote", devices.remote, _DEVICES, _PLASTIC, (), (0.08, 0.16), "rectangular"),
    ObjectClass(
        "speaker", "speaker", devices.speaker, ("black", "white", "brown"), _WOOD, (), (2, 6), "rectangular", (), VARIED
    ),
    ObjectClass("wall clock", "clock", devices.wall_clock, _CLOCKS, _METAL, (), (0.5, 1.2), "round", (), VARIED),
    ObjectClass("square wall clock", "clock", devices.square_wall_clock, _CLOCKS, _METAL, (), (0.6, 1.4), "square"),
    ObjectClass("clock", "clock", devices.clock, _CLOCKS, _METAL, (), (0.3, 0.8), "round", (), SIMILAR),
    ObjectClass("alarm clock", "clock", devices.alarm_clock, _CLOCKS, _METAL, (), (0.2, 0.4), "round"),
    ObjectClass("guitar", "guitar", small_objects.guitar, ("brown", "red", "black", "orange"), _WOOD, (), (1.8, 3)),
    ObjectClass("drum", "drum", small_objects.drum, _VASES, _WOOD, (), (1, 2.5), "cylindrical", (), VARIED),
    ObjectClass("vase", "vase", small_objects.vase, _VASES, ("ceramic", "glass"), (), (0.6, 1.5), "round", (), VARIED),
    ObjectClass("plant", "plant", small_objects.plant, ("green",), ("",), (), (0.6, 1.5), "", (), VARIED),
    ObjectClass("floor plant", "plant", small_objects.floor_plant, ("green",), ("",), (), (8, 18), "", (), SIMILAR),
    ObjectClass(
        "pillow",
        "pillow",
        small_objects.pillow,
        (*BRIGHT, "white"),
        _FABRIC,
        (),
        (0.4, 0.9),
        "rectangular",
        (),
        SIMILAR,
    ),
    ObjectClass(
        "round pillow", "pillow", small_objects.round_pillow, BRIGHT, _FABRIC, (), (0.4, 0.8), "round", (), SIMILAR
    ),
    ObjectClass("blanket", "blanket", small_objects.blanket, CLOTH, _FABRIC, (), (0.8, 2), "rectangular"),
    ObjectClass("globe", "globe", small_objects.globe, ("blue",), _PLASTIC, (), (0.8, 1.6), "spherical", (), VARIED),
    ObjectClass("ball", "ball", small_objects.sports_ball, BRIGHT, _HIDE, (), (0.3, 0.6), "spherical", (), (0.7, 1.2)),
    ObjectClass("robot", "robot", small_objects.robot, (*_VASES, "gray"), _TIN, (), (0.3, 0.8), "", (), VARIED),
    ObjectClass("bear", "bear", small_objects.bear, _BEARS, _FABRIC, (), (0.2, 0.5), "", (), VARIED),
    ObjectClass("car", "car", small_objects.car, BRIGHT, _TIN, (), (0.15, 0.5), "", (), VARIED),
)


FURNITURE = (
    ObjectClass("table", "table", furniture.table, TIMBER, _WOOD, (), (18, 35), "rectangular"),
    ObjectClass("coffee table", "table", furniture.coffee_table, TIMBER, _WOOD, (), (10, 18), "rectangular"),
    ObjectClass("round table", "table", furniture.round_table, TIMBER, _WOOD, (), (15, 28), "round"),
    ObjectClass("desk", "desk", furniture.desk, TIMBER, _WOOD, OPENS, (28, 45), "rectangular"),
    ObjectClass("chair", "chair", furniture.chair, _SEATS, _WOOD, (), (3.5, 6)),
    ObjectClass("office chair", "office chair", office.office_chair, COVERS, _FABRIC, (), (9, 15)),
    ObjectClass("stool", "stool", furniture.stool, _SEATS, ("wood", "plastic"), (), (2, 4), "round", (), SIMILAR),
    ObjectClass("bench", "bench", hall.bench, TIMBER, _WOOD, (), (8, 15), "rectangular"),
    ObjectClass("sofa", "sofa", furniture.sofa, (*COVERS, "gray"), ("fabric", "leather"), (), (35, 70)),
    ObjectClass("armchair", "armchair", furniture.armchair, (*COVERS, "yellow"), ("fabric", "leather"), (), (18, 30)),
    ObjectClass("bed", "bed", furniture.bed, COVERS, _FABRIC, (), (40, 70), "rectangular"),
    ObjectClass("bookshelf", "bookshelf", furniture.bookshelf, TIMBER, _WOOD, (), (25, 40), "rectangular"),
    ObjectClass("cabinet", "cabinet", furniture.cabinet, _UNITS, _WOOD, OPENS, (25, 40), "rectangular"),
    ObjectClass(
        "wardrobe", "wardrobe", furniture.wardrobe, ("white", "brown", "gray"), _WOOD, OPENS, (45, 80), "rectangular"
    ),
    ObjectClass(
        "dresser", "dresser", furniture.dresser, (*TIMBER, "blue", "green"), _WOOD, OPENS, (30, 55), "rectangular"
    ),
    ObjectClass("nightstand", "nightstand", furniture.nightstand, TIMBER, _WOOD, OPENS, (7, 13), "rectangular"),
    ObjectClass("chest", "chest", furniture.chest, ("brown", "red", "green"), _WOOD, OPENS, (12, 20), "rectangular"),
    ObjectClass("shoe rack", "shoe rack", hall.shoe_rack, TIMBER, ("wood", "metal"), (), (4, 8), "rectangular"),
    ObjectClass("rack", "rack", workshop.rack, ("gray", "black", "blue"), _METAL, (), (10, 18), "rectangular"),
    ObjectClass("rug", "rug", furniture.rug, COVERS, _FABRIC, (), (3, 7), "rectangular"),
    ObjectClass("round rug", "rug", furniture.round_rug, COVERS, _FABRIC, (), (3, 6), "round"),
)


MACHINES = (
    ObjectClass(
        "fridge", "fridge", kitchen.fridge, ("white", "gray", "black", "red"), _METAL, OPENS, (50, 85), "rectangular"
    ),
    ObjectClass("stove", "stove", kitchen.stove, _APPLIANCES, _METAL, (*OPENS, *SWITCHED), (40, 60), "rectangular"),
    ObjectClass("counter", "counter", kitchen.counter, _UNITS, _WOOD, OPENS, (40, 65), "rectangular"),
    ObjectClass("kitchen sink", "sink", kitchen.kitchen_sink, _UNITS, _WOOD, (), (30, 50), "rectangular"),
    ObjectClass("dishwasher", "dishwasher", kitchen.dishwasher, _APPLIANCES, _METAL, OPENS, (35, 50), "rectangular"),
    ObjectClass(
        "microwave", "microwave", kitchen.microwave, ("white", "gray", "red"), _METAL, OPENS, (10, 16), "rectangular"
    ),
    ObjectClass("toilet", "toilet", bathroom.toilet, ("white",), _CERAMIC, OPENS, (25, 40)),
    ObjectClass("bathtub", "bathtub", bathroom.bathtub, ("white",), _CERAMIC, FILLED, (40, 90), "rectangular"),
    ObjectClass("washbasin", "sink", bathroom.washbasin, ("white",), _CERAMIC, (), (12, 22)),
    ObjectClass(
        "washing machine",
        "washing machine",
        bathroom.washing_machine,
        _APPLIANCES,
        _METAL,
        OPENS,
        (55, 75),
        "rectangular",
    ),
)


FIXTURES = (
    ObjectClass("shelf", "shelf", furniture.wall_shelf, TIMBER, _WOOD, (), (3, 6), "rectangular"),
    ObjectClass("door", "door", fixtures.door, _DOORS, _WOOD, OPENS, (20, 35), "rectangular"),
    ObjectClass("mirrored door", "door", fixtures.mirrored_door, _DOORS, _WOOD, OPENS, (20, 35), "rectangular"),
    ObjectClass("doorway", "doorway", fixtures.doorway, ("white", "brown"), _WOOD, (), (8, 14), "rectangular"),
    ObjectClass("window", "window", fixtures.window, ("white",), ("glass",), OPENS, (25, 45), "rectangular"),
    ObjectClass("curtain", "curtain", fixtures.curtain, COVERS, _FABRIC, (), (0.8, 2), "rectangular"),
    ObjectClass("picture", "picture", fixtures.picture, (*COVERS, "yellow"), ("paper",), (), (1, 3), "rectangular"),
    ObjectClass("mirror", "mirror", fixtures.mirror, ("gray",), ("glass",), (), (4, 8), "rectangular"),
    ObjectClass("round mirror", "mirror", fixtures.round_mirror, ("gray",), ("glass",), (), (3, 7), "round"),
    ObjectClass("coat rack", "coat rack", hall.coat_rack, TIMBER, _WOOD, (), (3, 7)),
    ObjectClass("whiteboard", "whiteboard", office.whiteboard, ("white",), _METAL, (), (5, 10), "rectangular"),
    ObjectClass("calendar", "calendar", office.calendar, COVERS, ("paper",), (), (0.2, 0.5), "rectangular", _MONTHS),
)


_ENTRIES = (
    *FURNITURE,
    *MACHINES,
    *FIXTURES,
    *KITCHEN_OBJECTS,
    *BATHROOM_OBJECTS,
    *OFFICE_OBJECTS,
    *HALL_OBJECTS,
    *WORKSHOP_OBJECTS,
    *LIVING_OBJECTS,
)


CATALOG: dict[str, ObjectClass] = {entry.name: entry for entry in _ENTRIES}


def labels() -> tuple[str, ...]:
    """Every word for a class of objects, sorted, without the building itself."""
    return tuple(sorted({entry.label for entry in _ENTRIES}))


def object_class(name: str) -> ObjectClass:
    """The entry of a name.

    Raises:
        UnknownNameError: there is none; the message proposes the closest one.
    """
    if name not in CATALOG:
        raise UnknownNameError(f"unknown object class '{name}'{did_you_mean(name, sorted(CATALOG))}")
    return CATALOG[name]
