"""What can be asked about, as plain data: kinds of questions and the words for colors, materials and numbers.

This is all that the generators of questions and the parser share.
"""

from __future__ import annotations

from enum import Enum

from vantage.scenes.spec import spec as scenes


class QuestionKind(str, Enum):
    """What a question asks for. Values equal ``TruthQuestion.kind``."""

    COLOR = "color"
    LOCATION = "location"
    EXISTENCE = "existence"
    COUNT = "count"
    MATERIAL = "material"
    STATE = "state"
    RELATION = "relation"
    COMPARISON = "comparison"
    ROOM = "room"
    TEXT = "text"
    SHAPE = "shape"
    SAMENESS = "sameness"
    SUPERLATIVE = "superlative"
    SIZE = "size"
    USE = "use"


USUAL_KINDS = tuple(kind for kind in QuestionKind if kind is not QuestionKind.USE)  # asked unless others are wanted

COLORS = ("red", "green", "blue", "yellow", "orange", "purple", "pink", "brown", "black", "white", "gray")

MATERIALS = ("wood", "metal", "plastic", "ceramic", "glass", "fabric", "leather", "paper")

MATERIAL_ADJECTIVES = {material: "wooden" if material == "wood" else material for material in MATERIALS}

OPPOSITES = dict(scenes.OPPOSITES) | {second: first for first, second in scenes.OPPOSITES}

NUMBERS = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")

STRUCTURE = ("floor", "wall", "ceiling", "door", "doorway", "window")

SUPPORTS = (
    "table",
    "desk",
    "bed",
    "sofa",
    "armchair",
    "nightstand",
    "cabinet",
    "bookshelf",
    "chair",
    "stool",
    "chest",
    "counter",
    "dresser",
    "bench",
)

# What nobody tells apart by something small that stands beside it.
FURNITURE = frozenset(
    {
        *("table", "desk", "chair", "stool", "sofa", "armchair", "bed", "bookshelf", "cabinet", "wardrobe", "shelf"),
        *("nightstand", "chest", "rug", "door", "window", "curtain", "fridge", "stove", "counter", "sink", "dresser"),
        *("dishwasher", "toilet", "bathtub", "washing machine", "office chair", "bench", "rack", "coat rack", "wall"),
        *("shoe rack", "doorway", "floor", "ceiling", "cupboard", "sideboard", "whiteboard", "mirror", "ladder"),
        *("picture", "lamp", "plant", "television", "radiator", "fireplace", "stairs", "piano"),
    }
)

PORTABLE = (
    "apple",
    "backpack",
    "ball",
    "banana",
    "bear",
    "book",
    "bottle",
    "bowl",
    "box",
    "camera",
    "candle",
    "car",
    "clock",
    "globe",
    "guitar",
    "hammer",
    "hat",
    "helmet",
    "keyboard",
    "lamp",
    "laptop",
    "mug",
    "pillow",
    "plant",
    "plate",
    "radio",
    "robot",
    "scarf",
    "skateboard",
    "teapot",
    "telephone",
    "toaster",
    "typewriter",
    "umbrella",
    "vase",
    "violin",
)
