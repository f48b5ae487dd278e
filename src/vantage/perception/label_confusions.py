"""Which labels, colors, materials, shapes and states are mistaken for each other when an object is seen badly."""

from __future__ import annotations

from collections.abc import Iterable

_LABELS = (
    ("mug", "cup", "glass", "jar"),
    ("can", "jar", "paint can", "toilet paper"),
    ("bowl", "plate", "pan"),
    ("pot", "pan", "bucket"),
    ("bottle", "vase", "shampoo", "soap dispenser"),
    ("milk carton", "cereal box", "box"),
    ("vase", "plant"),
    ("kettle", "teapot"),
    ("knife", "fork", "spoon", "toothbrush"),
    ("apple", "orange", "ball"),
    ("ball", "globe"),
    ("banana", "bread"),
    ("bread", "box"),
    ("book", "binder", "tray", "cutting board"),
    ("remote", "mouse"),
    ("candle", "lantern", "lamp"),
    ("clock", "radio"),
    ("radio", "speaker", "toaster"),
    ("microwave", "printer", "toaster"),
    ("laptop", "keyboard"),
    ("monitor", "television", "laptop"),
    ("picture", "mirror", "calendar", "whiteboard"),
    ("robot", "bear", "car"),
    ("hat", "helmet"),
    ("backpack", "suitcase"),
    ("box", "toolbox", "suitcase", "crate"),
    ("basket", "bin", "bucket", "laundry basket"),
    ("crate", "basket"),
    ("drum", "stool"),
    ("chair", "stool", "office chair"),
    ("chair", "armchair"),
    ("sofa", "armchair", "bench"),
    ("table", "coffee table", "desk"),
    ("desk", "counter"),
    ("cabinet", "dresser", "nightstand", "chest"),
    ("cabinet", "wardrobe", "fridge"),
    ("cabinet", "counter"),
    ("stove", "dishwasher", "washing machine"),
    ("bookshelf", "rack", "shoe rack"),
    ("bookshelf", "shelf"),
    ("rug", "blanket", "towel"),
    ("pillow", "blanket"),
    ("broom", "umbrella", "vacuum cleaner"),
    ("sink", "bathtub"),
    ("sink", "bowl"),
)
_COLORS = (
    ("red", "orange"),
    ("red", "pink"),
    ("red", "brown"),
    ("orange", "yellow"),
    ("orange", "brown"),
    ("yellow", "white"),
    ("green", "blue"),
    ("green", "yellow"),
    ("blue", "purple"),
    ("blue", "black"),
    ("purple", "pink"),
    ("pink", "white"),
    ("brown", "black"),
    ("black", "gray"),
    ("gray", "white"),
)
_MATERIALS = (
    ("wood", "leather"),
    ("wood", "paper"),
    ("wood", "plastic"),
    ("metal", "plastic"),
    ("metal", "glass"),
    ("plastic", "ceramic"),
    ("ceramic", "glass"),
    ("fabric", "leather"),
    ("fabric", "paper"),
)
_SHAPES = (
    ("round", "cylindrical", "spherical"),
    ("square", "rectangular"),
    ("conical", "cylindrical"),
)
_STATES = (("open", "closed"), ("on", "off"), ("full", "empty"), ("dirty", "clean"))


def _neighbours(groups: Iterable[tuple[str, ...]]) -> dict[str, tuple[str, ...]]:
    found: dict[str, dict[str, None]] = {}
    for group in groups:
        for word in group:
            found.setdefault(word, {}).update(dict.fromkeys(other for other in group if other != word))
    return {word: tuple(others) for word, others in found.items()}


LABELS = _neighbours(_LABELS)
COLORS = _neighbours(_COLORS)
MATERIALS = _neighbours(_MATERIALS)
SHAPES = _neighbours(_SHAPES)
STATES = _neighbours(_STATES)


def alike(first: str, second: str) -> bool:
    """Whether two labels may have been said of one object."""
    return first == second or second in LABELS.get(first, ())


def mixed_up(first: str, second: str) -> bool:
    """Whether two colors, materials or shapes are taken for each other."""
    return any(second in words.get(first, ()) for words in (COLORS, MATERIALS, SHAPES))


def misread(word: str, neighbours: dict[str, tuple[str, ...]], draw: float) -> str:
    """One of the words that a word is taken for, by a draw in [0, 1); the word itself where there are none."""
    others = neighbours.get(word, ())
    return others[int(draw * len(others))] if others else word


def state_axis(state: str) -> str:
    """The name of what a state tells: of ``open`` and ``closed`` the same, of other words the word itself."""
    return min(state, *STATES.get(state, (state,)))
