"""The words of answers: closed vocabularies, and one spelling for each group of words that mean the same."""

from __future__ import annotations


def vocabulary(listed: str) -> frozenset[str]:
    return frozenset(listed.split())


COLORS = vocabulary(
    "red orange yellow green blue purple violet pink brown black white gray silver gold beige turquoise cyan "
    "magenta teal navy cream maroon olive tan"
)
MATERIALS = vocabulary(
    "wood metal plastic glass ceramic fabric leather paper stone rubber cardboard cotton wool porcelain concrete brick "
    "wicker steel marble clay wax foam oak pine walnut bamboo aluminum iron copper velvet linen denim"
)
ROOMS = vocabulary("kitchen bathroom bedroom livingroom office hall storageroom")
SHAPES = vocabulary("round square rectangular cylindrical spherical conical triangular oval")
SIZES = vocabulary("small large")
STATES = vocabulary("open closed on off full empty dirty clean")
VOCABULARIES = (COLORS, MATERIALS, ROOMS, SHAPES, SIZES, STATES)
OPPOSITES = {
    "open": frozenset({"closed"}),
    "closed": frozenset({"open"}),
    "on": frozenset({"off"}),
    "off": frozenset({"on"}),
    "full": frozenset({"empty"}),
    "empty": frozenset({"full", "occupied"}),
    "occupied": frozenset({"empty"}),
    "clean": frozenset({"dirty"}),
    "dirty": frozenset({"clean"}),
}
# What the first word says of an object the second says too, less exactly: definitions, not likeness.
WIDER = {
    "spherical": "round",
    "square": "rectangular",
    "maroon": "red",
    "navy": "blue",
    "olive": "green",
    "tan": "brown",
    "violet": "purple",
    "porcelain": "ceramic",
    "steel": "metal",
    "cotton": "fabric",
    "wool": "fabric",
    "cardboard": "paper",
    "marble": "stone",
    **dict.fromkeys(("oak", "pine", "walnut", "bamboo"), "wood"),
    **dict.fromkeys(("aluminum", "iron", "copper"), "metal"),
    **dict.fromkeys(("velvet", "linen", "denim"), "fabric"),
}


SYNONYMS = {
    "grey": "gray",
    "silvery": "silver",
    "golden": "gold",
    "wooden": "wood",
    "metallic": "metal",
    "woollen": "wool",
    "woolen": "wool",
    "shut": "closed",
    "opened": "open",
    "big": "large",
    "little": "small",
    "aluminium": "aluminum",
    "circular": "round",
    "circle": "round",
    "triangle": "triangular",
    "rectangle": "rectangular",
    "cylinder": "cylindrical",
    "sphere": "spherical",
    "cone": "conical",
    "lounge": "livingroom",
    "hallway": "hall",
    "corridor": "hall",
    "study": "office",
    "storeroom": "storageroom",
    "couch": "sofa",
    "bookcase": "bookshelf",
    "painting": "picture",
    "carpet": "rug",
    "washbasin": "sink",
    "basin": "sink",
    "cooker": "stove",
    "oven": "stove",
    "tv": "television",
    "fridge": "refrigerator",
    "inside": "in",
    "within": "in",
    "underneath": "under",
    "beneath": "under",
    "below": "under",
    "near": "beside",
    "atop": "on",
    "upon": "on",
    "yeah": "yes",
    "yep": "yes",
    "yup": "yes",
    "nope": "no",
    "nah": "no",
    "cannot": "not",
    "dozen": "12",
}
PHRASES = (
    (("do", "not", "think", "so"), ("no",)),
    (("not", "that", "i", "can", "see"), ("no",)),
    (("i", "think", "so"), ("yes",)),
    (("anything", "but"), ("not",)),
    (("everything", "but"), ("not",)),
    (("a", "pair"), ("2",)),
    (("a", "couple"), ("2",)),
    (("a", "single"), ("1",)),
    (("on", "top", "of"), ("on",)),
    (("in", "of"), ("in",)),
    (("next", "to"), ("beside",)),
    (("close", "to"), ("beside",)),
    (("trash", "can"), ("bin",)),
    (("garbage", "can"), ("bin",)),
    (("trash", "bin"), ("bin",)),
    (("dust", "bin"), ("bin",)),
    (("book", "shelf"), ("bookshelf",)),
    (("living", "room"), ("livingroom",)),
    (("storage", "room"), ("storageroom",)),
    (("bath", "room"), ("bathroom",)),
    (("bedside", "table"), ("nightstand",)),
    (("night", "stand"), ("nightstand",)),
    (("chest", "of", "drawers"), ("dresser",)),
    (("remote", "control"), ("remote",)),
)
_COUNTED = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen "
    "seventeen eighteen nineteen twenty"
)
_TENS = "thirty forty fifty sixty seventy eighty ninety"
NUMBERS = {word: str(value) for value, word in enumerate(_COUNTED.split())} | {
    word: str(10 * value) for value, word in enumerate(_TENS.split(), start=3)
}
FILLERS = vocabulary("a an the of it its this that these those s")
NEGATIONS = vocabulary("no not never none nothing without neither nor")
PREPOSITIONS = vocabulary("on in under beside behind above over between against from to at with")
COPULAS = vocabulary("is are was were be being looks look appears appear seems seem colored made")
ALTERNATIVES = frozenset({"or", "either"})
MODALS = vocabulary("may might could maybe perhaps possibly")
BOUNDS = frozenset({("at", "least"), ("at", "most"), ("more", "than"), ("less", "than"), ("fewer", "than")})
