"""Which small things belong into each kind of room, and on, in, under or beside what."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Lot:
    """Some things of one kind.

    Attributes:
        name: catalog entry.
        place: ``on``, ``in``, ``under``, ``beside`` or ``behind``.
        hosts: labels of what they are put there, in order of preference where ``ordered``.
        count: least and largest number.
        chance: that a room has them.
        alike: chance that all of several are of one color.
        turn: by how much each is turned at most, rad.
        ordered: whether the first host that is there is taken, rather than any.
        surface: the only one of a host's surfaces that will do, empty where all will.
        pair: whether it is two alike side by side, whatever the count.
    """

    name: str
    place: str
    hosts: tuple[str, ...]
    count: tuple[int, int] = (1, 1)
    chance: float = 0.5
    alike: float = 0.4
    turn: float = 0.5
    ordered: bool = False
    surface: str = ""
    pair: bool = False


_PRINT = 0.25  # rad: printed things face their room

BELONGINGS: dict[str, tuple[Lot, ...]] = {
    "kitchen": (
        Lot("microwave", "on", ("counter", "cabinet", "dishwasher"), chance=0.6, turn=0.0, ordered=True),
        Lot("toaster", "on", ("counter", "cabinet", "dishwasher"), chance=0.7, turn=0.1),
        Lot("pot", "on", ("stove",), (1, 2), 0.9, turn=3.0),
        Lot("pan", "on", ("stove", "counter"), chance=0.7, turn=0.3, ordered=True),
        Lot("kettle", "on", ("counter", "stove", "dishwasher"), chance=0.7),
        Lot("cutting board", "on", ("counter", "dishwasher", "table"), chance=0.6, turn=0.1, ordered=True),
        Lot("bread", "on", ("cutting board", "counter", "table"), chance=0.6, ordered=True),
        Lot("knife", "on", ("cutting board", "counter", "table"), chance=0.7, ordered=True),
        Lot("bowl", "on", ("table", "counter"), chance=0.8, ordered=True),
        Lot("apple", "in", ("bowl",), (2, 3), 0.6, 0.6, 3.0),
        Lot("orange", "in", ("bowl",), (1, 3), 0.4, 0.6, 3.0),
        Lot("banana", "on", ("table", "counter"), chance=0.4, turn=3.0),
        Lot("plate", "on", ("table", "counter"), (2, 3), 0.8, 0.5),
        Lot("mug", "on", ("shelf", "counter", "table", "dishwasher"), (2, 4), 0.9),
        Lot("glass", "on", ("table", "counter", "shelf"), (1, 3), 0.6),
        Lot("fork", "on", ("table", "counter"), (1, 2), 0.6, 0.8, 0.2),
        Lot("spoon", "on", ("table", "counter"), (1, 2), 0.5, 0.8, 0.2),
        Lot("soap dispenser", "on", ("sink",), chance=0.7, turn=_PRINT),
        Lot("jar", "on", ("shelf", "counter", "cabinet"), (2, 3), 0.8, 0.2, _PRINT),
        Lot("cereal box", "on", ("counter", "fridge", "shelf", "cabinet"), (1, 2), 0.6, 0.1, _PRINT),
        Lot("milk carton", "in", ("fridge",), (1, 2), 0.8, 0.5, _PRINT),
        Lot("bottle", "in", ("fridge",), (1, 2), 0.7, 0.3, _PRINT),
        Lot("apple", "in", ("fridge",), (1, 2), 0.4, 0.5, 3.0),
        Lot("can", "in", ("counter", "cabinet"), (1, 3), 0.6, 0.3, _PRINT),
        Lot("plate", "in", ("dishwasher", "counter"), (1, 2), 0.5, 0.6),
        Lot("cup", "in", ("dishwasher", "counter", "microwave"), (1, 2), 0.6),
        Lot("pot", "in", ("stove", "counter"), chance=0.3),
        Lot("teapot", "on", ("shelf", "counter", "cabinet"), chance=0.5),
        Lot("can", "on", ("counter", "shelf"), (1, 2), 0.4, 0.3, _PRINT),
        Lot("candle", "on", ("table",), chance=0.3),
        Lot("plant", "on", ("counter", "shelf", "fridge"), chance=0.3),
        Lot("crate", "beside", ("fridge", "counter", "bin"), chance=0.3),
        Lot("bottle", "in", ("crate",), (1, 3), 0.9, 0.3),
    ),
    "bathroom": (
        Lot("toilet paper", "on", ("toilet", "shelf", "washing machine"), (1, 2), 0.9, ordered=True),
        Lot("soap dispenser", "on", ("sink", "shelf"), chance=0.9, turn=_PRINT, ordered=True),
        Lot("toothbrush", "on", ("sink", "shelf"), (1, 2), 0.5, 0.1, 0.2),
        Lot("cup", "on", ("shelf", "sink", "washing machine"), chance=0.5),
        Lot("shampoo", "on", ("shelf", "washing machine", "cabinet", "stool"), (1, 2), 0.9, 0.1, _PRINT),
        Lot("folded towel", "on", ("washing machine", "stool", "shelf", "cabinet"), (1, 2), 0.6, 0.4, 0.1),
        Lot("folded towel", "in", ("washing machine", "cabinet"), chance=0.4),
        Lot("candle", "on", ("shelf", "cabinet"), chance=0.3),
        Lot("plant", "on", ("shelf", "washing machine", "cabinet"), chance=0.25),
        Lot("toilet paper", "beside", ("toilet",), chance=0.35),
        Lot("bucket", "beside", ("washing machine", "bathtub", "laundry basket"), chance=0.3),
    ),
    "bedroom": (
        Lot("pillow", "on", ("bed",), (1, 2), 1.0, 0.4, 0.15, surface="head"),
        Lot("blanket", "on", ("bed", "armchair"), chance=0.5, turn=0.1),
        Lot("table lamp", "on", ("nightstand", "dresser"), (1, 2), 0.8, 0.6, 0.3),
        Lot("alarm clock", "on", ("nightstand", "shelf", "dresser"), chance=0.6, turn=_PRINT, ordered=True),
        Lot("book", "on", ("nightstand", "bed", "dresser", "stool"), (1, 2), 0.8, 0.1),
        Lot("bear", "on", ("bed", "armchair", "shelf", "chest"), chance=0.5, turn=0.3),
        Lot("pillow", "on", ("armchair",), chance=0.5, turn=0.2),
        Lot("hat", "on", ("dresser", "wardrobe", "stool", "chest"), chance=0.4),
        Lot("suitcase", "on", ("wardrobe",), chance=0.35, turn=0.05),
        Lot("hat", "in", ("wardrobe", "dresser"), chance=0.5),
        Lot("box", "in", ("wardrobe", "chest"), chance=0.5, turn=0.1),
        Lot("drum", "in", ("wardrobe", "chest"), chance=0.3),
        Lot("hat box", "on", ("wardrobe", "dresser", "shelf"), chance=0.35, turn=_PRINT),
        Lot("folded towel", "in", ("dresser", "wardrobe", "chest"), (1, 2), 0.6, 0.3, 0.1),
        Lot("book", "in", ("nightstand", "dresser"), chance=0.5, turn=0.1),
        Lot("glass", "on", ("nightstand", "dresser"), chance=0.4),
        Lot("vase", "on", ("dresser", "chest", "shelf"), chance=0.4),
        Lot("candle", "on", ("dresser", "shelf", "nightstand", "chest"), (1, 2), 0.4),
        Lot("radio", "on", ("dresser", "shelf", "nightstand"), chance=0.3, turn=0.2),
        Lot("robot", "on", ("shelf", "dresser", "chest"), chance=0.25),
        Lot("car", "in", ("basket",), chance=0.5, turn=3.0),
        Lot("ball", "in", ("basket",), chance=0.4, turn=3.0),
        Lot("box", "under", ("bed",), chance=0.5),
        Lot("suitcase", "beside", ("wardrobe", "dresser"), chance=0.25),
        Lot("shoe", "beside", ("bed", "wardrobe", "chest"), chance=0.4, turn=0.1, pair=True),
    ),
    "living room": (
        Lot("pillow", "on", ("sofa",), (1, 3), 0.9, 0.3, 0.15),
        Lot("round pillow", "on", ("sofa", "armchair"), chance=0.4, turn=0.2),
        Lot("pillow", "on", ("armchair",), chance=0.4, turn=0.2),
        Lot("blanket", "on", ("sofa", "armchair"), chance=0.25, turn=0.1),
        Lot("remote", "on", ("table", "sofa"), chance=0.8, turn=0.8, ordered=True),
        Lot("mug", "on", ("table",), (1, 3), 0.7),
        Lot("book", "on", ("table", "armchair", "stool", "sofa"), (1, 2), 0.8, 0.1),
        Lot("bowl", "on", ("table", "cabinet"), chance=0.6, ordered=True),
        Lot("orange", "in", ("bowl",), (2, 3), 0.5, 1.0, 3.0),
        Lot("apple", "in", ("bowl",), (2, 3), 0.5, 0.7, 3.0),
        Lot("vase", "on", ("table", "cabinet", "shelf", "bookshelf"), chance=0.6),
        Lot("candle", "on", ("cabinet", "shelf", "table", "bookshelf"), (1, 3), 0.6),
        Lot("lantern", "on", ("chest", "bookshelf", "cabinet", "shelf"), chance=0.4),
        Lot("globe", "on", ("bookshelf", "cabinet", "shelf"), chance=0.4),
        Lot("radio", "on", ("bookshelf", "cabinet", "shelf"), chance=0.4, turn=0.2),
        Lot("clock", "on", ("bookshelf", "shelf", "cabinet"), chance=0.4, turn=0.2),
        Lot("robot", "on", ("bookshelf", "shelf", "chest"), chance=0.3),
        Lot("teapot", "on", ("table", "cabinet", "bookshelf"), chance=0.35),
        Lot("plant", "on", ("shelf", "cabinet", "bookshelf", "chest"), chance=0.5),
        Lot("bottle", "on", ("table", "cabinet", "shelf"), (1, 2), 0.4, 0.2, _PRINT),
        Lot("box", "in", ("cabinet", "chest"), chance=0.5, turn=0.1),
        Lot("drum", "in", ("cabinet", "chest"), chance=0.4),
        Lot("vase", "in", ("cabinet",), chance=0.3),
        Lot("plate", "in", ("cabinet",), (1, 3), 0.4, 0.6),
        Lot("car", "in", ("basket", "chest"), chance=0.6, turn=3.0, ordered=True),
        Lot("bear", "in", ("basket", "chest"), chance=0.5, turn=3.0, ordered=True),
        Lot("ball", "in", ("basket",), chance=0.4, turn=3.0),
        Lot("ball", "behind", ("armchair",), chance=0.8),
        Lot("drum", "beside", ("bookshelf", "chest", "cabinet"), chance=0.2),
        Lot("book", "under", ("table",), chance=0.15),
        Lot("plate", "on", ("table",), (1, 3), 0.35, 0.5),
    ),
    "office": (
        Lot("printer", "on", ("desk", "cabinet"), chance=0.45, turn=0.05, ordered=True),
        Lot("table lamp", "on", ("desk", "cabinet"), chance=0.5, ordered=True),
        Lot("mug", "on", ("desk", "cabinet"), (1, 2), 0.7),
        Lot("folder tray", "on", ("desk", "cabinet", "bookshelf"), chance=0.6, turn=0.1),
        Lot("binder", "on", ("bookshelf", "shelf", "cabinet"), (2, 4), 0.8, 0.3, 0.05),
        Lot("book", "on", ("desk", "armchair", "cabinet"), (1, 2), 0.6, 0.1),
        Lot("globe", "on", ("bookshelf", "cabinet", "shelf"), chance=0.4),
        Lot("radio", "on", ("shelf", "bookshelf"), chance=0.3, turn=0.2),
        Lot("plant", "on", ("cabinet", "shelf", "bookshelf"), chance=0.5),
        Lot("clock", "on", ("shelf", "bookshelf", "desk"), chance=0.3, turn=0.2),
        Lot("pillow", "on", ("armchair",), chance=0.5, turn=0.2),
        Lot("box", "in", ("cabinet",), chance=0.6, turn=0.1),
        Lot("binder", "in", ("cabinet",), (1, 2), 0.5, 0.4, 0.05),
        Lot("bottle", "in", ("cabinet",), chance=0.3),
        Lot("robot", "in", ("cabinet",), chance=0.3),
        Lot("backpack", "beside", ("desk", "bookshelf"), chance=0.5),
        Lot("box", "under", ("desk",), chance=0.5),
        Lot("box", "beside", ("bookshelf", "cabinet"), chance=0.2),
    ),
    "hall": (
        Lot("shoe", "on", ("shoe rack",), chance=0.9, turn=0.05, pair=True),
        Lot("shoe", "on", ("shoe rack",), chance=0.6, turn=0.05, pair=True),
        Lot("shoe", "under", ("bench",), chance=0.8, turn=0.05, pair=True),
        Lot("helmet", "on", ("shoe rack", "cabinet", "chest"), chance=0.5, turn=0.05),
        Lot("hat", "on", ("shoe rack", "cabinet", "chest"), chance=0.4, turn=0.05),
        Lot("umbrella", "beside", ("coat rack", "shoe rack", "bench"), chance=0.7, ordered=True),
        Lot("backpack", "beside", ("bench", "shoe rack", "coat rack"), chance=0.6),
        Lot("lantern", "on", ("cabinet", "chest", "shoe rack"), chance=0.2),
        Lot("suitcase", "beside", ("bench", "chest", "coat rack"), chance=0.2),
        Lot("ball", "in", ("chest", "cabinet"), chance=0.6, turn=3.0),
        Lot("box", "under", ("bench",), chance=0.3),
    ),
    "storage room": (
        Lot("toolbox", "on", ("rack",), chance=0.9, turn=0.1),
        Lot("paint can", "on", ("rack", "shelf"), (2, 3), 0.9, 0.1, _PRINT),
        Lot("box", "on", ("rack",), (1, 2), 0.8, 0.2, 0.1),
        Lot("crate", "on", ("rack",), chance=0.5, turn=0.1),
        Lot("jar", "on", ("rack", "shelf"), (1, 3), 0.6, 0.2, _PRINT),
        Lot("can", "on", ("rack", "shelf"), (2, 4), 0.7, 0.2, _PRINT),
        Lot("lantern", "on", ("rack", "shelf"), chance=0.4),
        Lot("helmet", "on", ("rack", "shelf"), chance=0.4),
        Lot("suitcase", "on", ("rack",), chance=0.4, turn=0.05),
        Lot("bottle", "on", ("rack", "shelf"), (1, 3), 0.5, 0.3, _PRINT),
        Lot("drum", "on", ("rack",), chance=0.3),
        Lot("bottle", "in", ("crate",), (1, 3), 0.8, 0.3),
        Lot("ball", "in", ("crate", "chest"), chance=0.5, turn=3.0),
        Lot("basket", "on", ("rack",), chance=0.3),
        Lot("apple", "in", ("basket",), (2, 3), 0.6, 0.6, 3.0),
        Lot("shoe", "under", ("rack",), chance=0.3, turn=0.05, pair=True),
    ),
}
