"""The classes of furniture, machines and fixtures."""

from __future__ import annotations

from vantage.scenes.catalog import bathroom, fixtures, furniture, hall, kitchen, office, storage, workshop
from vantage.scenes.catalog.object_class import COVERS, FILLED, OPENS, SIMILAR, SWITCHED, TIMBER, ObjectClass

_SEATS = ("red", "green", "blue", "yellow", "white", "brown")
_UNITS = ("white", "gray", "blue", "green")
_APPLIANCES = ("white", "gray")
_DOORS = ("brown", "blue", "green", "red")
_MONTHS = ("JANUARY", "FEBRUARY", "MARCH", "APRIL", "MAY", "JUNE", "JULY", "AUGUST", "OCTOBER", "NOVEMBER")

_WOOD = ("wood",)
_METAL = ("metal",)
_FABRIC = ("fabric",)
_CERAMIC = ("ceramic",)

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
    ObjectClass("bookshelf", "bookshelf", storage.bookshelf, TIMBER, _WOOD, (), (25, 40), "rectangular"),
    ObjectClass("cabinet", "cabinet", storage.cabinet, _UNITS, _WOOD, OPENS, (25, 40), "rectangular"),
    ObjectClass(
        "wardrobe", "wardrobe", storage.wardrobe, ("white", "brown", "gray"), _WOOD, OPENS, (45, 80), "rectangular"
    ),
    ObjectClass(
        "dresser", "dresser", storage.dresser, (*TIMBER, "blue", "green"), _WOOD, OPENS, (30, 55), "rectangular"
    ),
    ObjectClass("nightstand", "nightstand", storage.nightstand, TIMBER, _WOOD, OPENS, (7, 13), "rectangular"),
    ObjectClass("chest", "chest", storage.chest, ("brown", "red", "green"), _WOOD, OPENS, (12, 20), "rectangular"),
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
    ObjectClass("shelf", "shelf", storage.wall_shelf, TIMBER, _WOOD, (), (3, 6), "rectangular"),
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
