"""What can be asked about, as plain data: kinds of questions and the words for colors, materials and numbers.

This is all that the generators of questions and the parser share.
"""

from __future__ import annotations

from enum import Enum


class QuestionKind(str, Enum):
    """What a question asks for. Values equal ``TruthQuestion.kind``."""

    EXISTENCE = "existence"
    COLOR = "color"
    MATERIAL = "material"
    COUNT = "count"
    LOCATION = "location"


COLORS = ("red", "green", "blue", "yellow", "orange", "purple", "pink", "brown", "black", "white", "gray")

MATERIALS = ("wood", "metal", "plastic", "ceramic", "glass", "fabric", "leather", "paper")

MATERIAL_ADJECTIVES = {material: "wooden" if material == "wood" else material for material in MATERIALS}

NUMBERS = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")

STRUCTURE = ("floor", "wall", "ceiling", "door", "window")

SUPPORTS = ("table", "desk", "bed", "sofa", "armchair", "nightstand", "cabinet", "bookshelf", "chair", "stool", "chest")

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
