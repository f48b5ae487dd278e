"""Words for the same thing: one canonical label for each group, and groups that may stand for each other."""

from __future__ import annotations

_GROUPS = {
    "sofa": ("couch", "settee", "divan"),
    "television": ("tv", "telly", "tv set", "television set"),
    "bookshelf": ("bookcase", "book shelf", "book case", "bookshelves"),
    "fridge": ("refrigerator",),
    "bin": (
        "trash can",
        "garbage can",
        "trash bin",
        "waste bin",
        "dustbin",
        "wastebasket",
        "rubbish bin",
        "waste basket",
        "trashcan",
        "garbage bin",
    ),
    "rug": ("carpet",),
    "nightstand": ("night stand", "bedside table", "night table"),
    "picture": ("painting",),
    "bear": ("teddy bear", "teddy", "stuffed bear"),
    "car": ("toy car",),
    "robot": ("toy robot",),
    "plant": ("potted plant", "houseplant", "house plant", "pot plant", "flowerpot"),
    "box": ("carton", "cardboard box"),
    "pillow": ("cushion", "throw pillow"),
    "stool": ("footstool",),
    "curtain": ("drape", "drapery"),
    "backpack": ("rucksack",),
    "telephone": ("phone",),
    "mobile phone": ("cellphone", "cell phone", "smartphone"),
    "table": ("coffee table", "dining table"),
    "desk": ("writing desk", "computer desk", "office desk"),
    "armchair": ("arm chair",),
    "lamp": ("table lamp", "desk lamp", "floor lamp", "standing lamp"),
    "laptop": ("laptop computer", "notebook computer"),
    "shelf": ("wall shelf",),
    "floor": ("ground",),
    "clock": ("alarm clock", "wall clock"),
    "basket": ("wicker basket",),
    "ball": ("football", "soccer ball"),
    "teapot": ("tea pot",),
    "suitcase": ("luggage", "travel case"),
    "chest": ("trunk", "treasure chest"),
}

_CANONICAL = {word: label for label, words in _GROUPS.items() for word in words}

_LOOSE = (
    frozenset({"mug", "cup"}),
    frozenset({"wardrobe", "closet"}),
    frozenset({"cabinet", "cupboard", "sideboard"}),
    frozenset({"bookshelf", "shelf"}),
    frozenset({"hat", "cap"}),
    frozenset({"laptop", "computer", "notebook"}),
    frozenset({"vase", "flower vase"}),
    frozenset({"sofa", "loveseat"}),
    frozenset({"picture", "poster", "photo"}),
)


def canonical(label: str) -> str:
    """The one label of a group of words that name the same thing."""
    return _CANONICAL.get(label, label)


def loosely(label: str) -> frozenset[str]:
    """Other labels that people may mean by this one; for use where nothing bears the label itself."""
    return frozenset().union(*(group for group in _LOOSE if label in group)) - {label}
