"""The classes of what can be carried about."""

from __future__ import annotations

from vantage.scenes.catalog import (
    bathroom,
    devices,
    groceries,
    hall,
    kitchenware,
    luggage,
    office,
    storage,
    toys,
    workshop,
)
from vantage.scenes.catalog import small_objects as things
from vantage.scenes.catalog.object_class import (
    ALWAYS_OPEN,
    BRIGHT,
    CLOTH,
    FILLED,
    OPENS,
    PLAIN,
    SIMILAR,
    SOILED,
    SWITCHED,
    VARIED,
    ObjectClass,
)

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

KITCHEN_THINGS = (
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

BATHROOM_THINGS = (
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

OFFICE_THINGS = (
    ObjectClass("laptop", "laptop", office.laptop, ("gray", "black"), _METAL, SWITCHED, (1.2, 2.6), "", (), SIMILAR),
    ObjectClass("monitor", "monitor", office.monitor, _DEVICES, _PLASTIC, SWITCHED, (3, 7), "rectangular", (), SIMILAR),
    ObjectClass("keyboard", "keyboard", office.keyboard, _DEVICES, _PLASTIC, (), (0.5, 1), "rectangular"),
    ObjectClass("mouse", "mouse", office.mouse, (*_DEVICES, "red", "blue"), _PLASTIC, (), (0.07, 0.14)),
    ObjectClass("printer", "printer", office.printer, _DEVICES, _PLASTIC, (), (5, 9), "rectangular"),
    ObjectClass("binder", "binder", office.binder, BRIGHT, _PAPER, (), (0.6, 2.5), "rectangular", _FILES),
    ObjectClass(
        "folder tray", "tray", office.folder_tray, (*_DEVICES, "blue", "red"), _PLASTIC, FILLED, (0.5, 2), "rectangular"
    ),
    ObjectClass("book", "book", things.book, BRIGHT, _PAPER, (), (0.3, 1.2), "rectangular", (), SIMILAR),
    ObjectClass("standing book", "book", things.standing_book, BRIGHT, _PAPER, (), (0.3, 1.2), "rectangular"),
)

HALL_THINGS = (
    ObjectClass("shoe", "shoe", hall.shoe, PLAIN, ("leather", "fabric"), SOILED, (0.3, 0.6), "", (), SIMILAR),
    ObjectClass("umbrella", "umbrella", hall.umbrella, PLAIN, _FABRIC, (), (0.4, 0.8)),
    ObjectClass("backpack", "backpack", hall.backpack, (*BRIGHT, "gray"), _FABRIC, (), (0.8, 4), "", (), SIMILAR),
    ObjectClass("helmet", "helmet", hall.helmet, PLAIN, _PLASTIC, (), (0.25, 0.45), "round"),
    ObjectClass("hat", "hat", toys.hat, (*_VASES, "black", "brown"), ("fabric", "leather"), (), (0.1, 0.3), "round"),
    ObjectClass(
        "suitcase",
        "suitcase",
        luggage.suitcase,
        (*_VASES, "brown"),
        ("leather", "plastic"),
        OPENS,
        (2.5, 9),
        "rectangular",
    ),
)

WORKSHOP_THINGS = (
    ObjectClass(
        "box", "box", luggage.carton, ("brown", *_TOOLS, "pink"), _PAPER, OPENS, (0.5, 8), "rectangular", _CARTONS
    ),
    ObjectClass("hat box", "box", luggage.hat_box, BRIGHT, _PAPER, (("closed",),), (0.4, 1.2), "round", _KEEPSAKES),
    ObjectClass("toolbox", "toolbox", workshop.toolbox, _TOOLS, _TIN, OPENS, (4, 10), "rectangular", _KITS),
    ObjectClass("ladder", "ladder", workshop.ladder, ("gray", "yellow", "orange"), _METAL, (), (4, 8)),
    ObjectClass("broom", "broom", workshop.broom, _TOOLS, ("wood", "plastic"), (), (0.6, 1.1)),
    ObjectClass("bucket", "bucket", workshop.bucket, _TOOLS, _TIN, FILLED, (0.6, 1.4), "round", (), VARIED),
    ObjectClass("vacuum cleaner", "vacuum cleaner", workshop.vacuum_cleaner, _VASES, _PLASTIC, (), (4, 7)),
    ObjectClass("paint can", "paint can", workshop.paint_can, BRIGHT, _METAL, (), (1.5, 5), "cylindrical", _PAINTS),
    ObjectClass(
        "crate", "crate", workshop.crate, ("brown", *_TOOLS), ("wood", "plastic"), ALWAYS_OPEN, (1.5, 3), "rectangular"
    ),
    ObjectClass("basket", "basket", storage.basket, _WICKER, _WOOD, ALWAYS_OPEN, (0.6, 1.5), "round"),
    ObjectClass("bin", "bin", storage.bin_, ("gray", "black", "red", "green"), _TIN, FILLED, (0.6, 1.6), "cylindrical"),
)

LIVING_THINGS = (
    ObjectClass("floor lamp", "lamp", devices.floor_lamp, (*_LAMPS, "white"), _FABRIC, SWITCHED, (4, 8)),
    ObjectClass("table lamp", "lamp", devices.table_lamp, _LAMPS, _FABRIC, SWITCHED, (0.8, 2), "", (), SIMILAR),
    ObjectClass("lantern", "lantern", devices.lantern, (*_TOOLS, "black"), _METAL, SWITCHED, (0.6, 1.5), "square"),
    ObjectClass("candle", "candle", things.candle, _WAXES, ("",), (), (0.2, 0.5), "cylindrical", (), VARIED),
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
    ObjectClass("guitar", "guitar", toys.guitar, ("brown", "red", "black", "orange"), _WOOD, (), (1.8, 3)),
    ObjectClass("drum", "drum", toys.drum, _VASES, _WOOD, (), (1, 2.5), "cylindrical", (), VARIED),
    ObjectClass("vase", "vase", things.vase, _VASES, ("ceramic", "glass"), (), (0.6, 1.5), "round", (), VARIED),
    ObjectClass("plant", "plant", things.plant, ("green",), ("",), (), (0.6, 1.5), "", (), VARIED),
    ObjectClass("floor plant", "plant", things.floor_plant, ("green",), ("",), (), (8, 18), "", (), SIMILAR),
    ObjectClass(
        "pillow", "pillow", things.pillow, (*BRIGHT, "white"), _FABRIC, (), (0.4, 0.9), "rectangular", (), SIMILAR
    ),
    ObjectClass("round pillow", "pillow", things.round_pillow, BRIGHT, _FABRIC, (), (0.4, 0.8), "round", (), SIMILAR),
    ObjectClass("blanket", "blanket", things.blanket, CLOTH, _FABRIC, (), (0.8, 2), "rectangular"),
    ObjectClass("globe", "globe", toys.globe, ("blue",), _PLASTIC, (), (0.8, 1.6), "spherical", (), VARIED),
    ObjectClass("ball", "ball", toys.sports_ball, BRIGHT, _HIDE, (), (0.3, 0.6), "spherical", (), (0.7, 1.2)),
    ObjectClass("robot", "robot", toys.robot, (*_VASES, "gray"), _TIN, (), (0.3, 0.8), "", (), VARIED),
    ObjectClass("bear", "bear", toys.bear, _BEARS, _FABRIC, (), (0.2, 0.5), "", (), VARIED),
    ObjectClass("car", "car", toys.car, BRIGHT, _TIN, (), (0.15, 0.5), "", (), VARIED),
)
