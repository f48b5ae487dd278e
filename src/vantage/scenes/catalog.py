"""The classes of things: their words, the colors and materials they come in, and how they are built."""

from __future__ import annotations

from dataclasses import dataclass

from vantage.errors import UnknownNameError
from vantage.registry import did_you_mean
from vantage.scenes import fixtures, furniture, storage, things, toys
from vantage.scenes.design import Builder

BRIGHT = ("red", "green", "blue", "yellow", "orange", "purple", "pink")
PLAIN = (*BRIGHT, "white", "black")
TIMBER = ("brown", "white", "black")


@dataclass(frozen=True)
class ObjectClass:
    """One way to build things of a class; several may share a label (a floor lamp and a table lamp are lamps).

    Attributes:
        name: of this entry.
        label: the word by which people call such a thing.
        build: makes its parts from a style.
        colors: it comes in.
        materials: it comes in; ``("",)`` where no word of the vocabulary is right.
        states: it always has.
    """

    name: str
    label: str
    build: Builder
    colors: tuple[str, ...]
    materials: tuple[str, ...]
    states: tuple[str, ...] = ()


_ENTRIES = (
    # Furniture.
    ObjectClass("table", "table", furniture.table, TIMBER, ("wood",)),
    ObjectClass("coffee table", "table", furniture.coffee_table, TIMBER, ("wood",)),
    ObjectClass("desk", "desk", furniture.desk, TIMBER, ("wood",)),
    ObjectClass("chair", "chair", furniture.chair, ("red", "green", "blue", "yellow", "white", "brown"), ("wood",)),
    ObjectClass("stool", "stool", furniture.stool, ("red", "yellow", "green", "blue", "orange"), ("wood", "plastic")),
    ObjectClass("sofa", "sofa", furniture.sofa, ("red", "green", "blue", "purple", "gray"), ("fabric", "leather")),
    ObjectClass("armchair", "armchair", furniture.armchair, ("orange", "yellow", "purple", "green"), ("fabric",)),
    ObjectClass("bed", "bed", furniture.bed, ("red", "green", "blue", "purple", "orange"), ("fabric",)),
    ObjectClass("bookshelf", "bookshelf", storage.bookshelf, TIMBER, ("wood",)),
    ObjectClass("cabinet", "cabinet", storage.cabinet, ("white", "gray", "blue", "green"), ("wood",), ("closed",)),
    ObjectClass("wardrobe", "wardrobe", storage.wardrobe, ("white", "brown", "gray"), ("wood",), ("closed",)),
    ObjectClass("nightstand", "nightstand", storage.nightstand, TIMBER, ("wood",)),
    ObjectClass("chest", "chest", storage.chest, ("brown", "red", "green"), ("wood",), ("closed",)),
    ObjectClass("floor lamp", "lamp", furniture.floor_lamp, ("yellow", "orange", "white", "red"), ("fabric",)),
    ObjectClass("rug", "rug", furniture.rug, ("red", "green", "blue", "purple", "orange"), ("fabric",)),
    ObjectClass("basket", "basket", storage.basket, ("brown", "orange", "white"), ("wood",), ("open",)),
    ObjectClass("bin", "bin", storage.bin_, ("gray", "black", "red", "green"), ("metal", "plastic")),
    # Fixed to walls.
    ObjectClass("shelf", "shelf", storage.wall_shelf, TIMBER, ("wood",)),
    ObjectClass("door", "door", fixtures.door, ("brown", "blue", "green", "red"), ("wood",), ("closed",)),
    ObjectClass("window", "window", fixtures.window, ("white",), ("glass",), ("closed",)),
    ObjectClass("curtain", "curtain", fixtures.curtain, ("red", "green", "blue", "orange", "purple"), ("fabric",)),
    ObjectClass("picture", "picture", fixtures.picture, ("red", "green", "blue", "yellow", "purple"), ("paper",)),
    ObjectClass("mirror", "mirror", fixtures.mirror, ("gray",), ("glass",)),
    ObjectClass("wall clock", "clock", things.wall_clock, ("red", "green", "blue", "yellow"), ("metal",)),
    # Small things.
    ObjectClass("mug", "mug", things.mug, PLAIN, ("ceramic",)),
    ObjectClass("bowl", "bowl", things.bowl, ("white", "blue", "green", "red", "yellow"), ("ceramic", "wood")),
    ObjectClass("plate", "plate", things.plate, ("white", "blue", "green", "red", "pink"), ("ceramic",)),
    ObjectClass("book", "book", things.book, BRIGHT, ("paper",)),
    ObjectClass("standing book", "book", things.standing_book, BRIGHT, ("paper",)),
    ObjectClass("bottle", "bottle", things.bottle, ("green", "blue", "orange", "purple", "red"), ("glass", "plastic")),
    ObjectClass("vase", "vase", things.vase, ("blue", "purple", "green", "red", "orange"), ("ceramic", "glass")),
    ObjectClass("plant", "plant", things.plant, ("green",), ("",)),
    ObjectClass("floor plant", "plant", things.floor_plant, ("green",), ("",)),
    ObjectClass("clock", "clock", things.clock, ("red", "green", "blue", "yellow"), ("metal",)),
    ObjectClass("pillow", "pillow", things.pillow, (*BRIGHT, "white"), ("fabric",)),
    ObjectClass("laptop", "laptop", toys.laptop, ("gray", "black"), ("metal",)),
    ObjectClass("television", "television", toys.television, ("black",), ("plastic",)),
    ObjectClass("apple", "apple", things.apple, ("red", "green"), ("",)),
    ObjectClass("orange", "orange", things.orange, ("orange",), ("",)),
    ObjectClass("banana", "banana", things.banana, ("yellow",), ("",)),
    ObjectClass("candle", "candle", things.candle, ("red", "white", "purple", "orange", "green"), ("",)),
    ObjectClass("box", "box", things.carton, ("brown", "red", "blue", "green", "pink"), ("paper",), ("closed",)),
    ObjectClass("ball", "ball", toys.sports_ball, BRIGHT, ("plastic", "leather")),
    ObjectClass("robot", "robot", toys.robot, ("red", "blue", "green", "orange", "gray"), ("metal", "plastic")),
    ObjectClass("bear", "bear", toys.bear, ("brown", "pink", "white", "purple"), ("fabric",)),
    ObjectClass("car", "car", toys.car, BRIGHT, ("plastic", "metal")),
    ObjectClass("teapot", "teapot", things.teapot, ("white", "blue", "red", "green", "yellow"), ("ceramic", "metal")),
    ObjectClass("hat", "hat", toys.hat, ("red", "blue", "black", "purple", "brown"), ("fabric", "leather")),
    ObjectClass("globe", "globe", toys.globe, ("blue",), ("plastic",)),
    ObjectClass("radio", "radio", toys.radio, ("red", "green", "orange", "brown", "yellow"), ("plastic", "wood")),
    ObjectClass("suitcase", "suitcase", toys.suitcase, ("red", "blue", "orange", "brown"), ("leather", "plastic")),
    ObjectClass("drum", "drum", toys.drum, ("red", "blue", "yellow", "purple"), ("wood",)),
    ObjectClass("table lamp", "lamp", things.table_lamp, ("yellow", "orange", "green", "red"), ("fabric",)),
)

CATALOG: dict[str, ObjectClass] = {entry.name: entry for entry in _ENTRIES}


def labels() -> tuple[str, ...]:
    """Every word for a class of things, sorted, without the building itself."""
    return tuple(sorted({entry.label for entry in _ENTRIES}))


def object_class(name: str) -> ObjectClass:
    """The entry of a name.

    Raises:
        UnknownNameError: there is none; the message proposes the closest one.
    """
    if name not in CATALOG:
        raise UnknownNameError(f"unknown object class '{name}'{did_you_mean(name, sorted(CATALOG))}")
    return CATALOG[name]
