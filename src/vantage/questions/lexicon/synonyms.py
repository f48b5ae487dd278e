"""Words for the same object: one canonical label for each group, and groups that may stand for each other."""

from __future__ import annotations

_GROUPS = {
    "armchair": ("arm chair", "easy chair", "recliner"),
    "backpack": ("rucksack", "back sack", "knapsack", "school bag", "schoolbag", "back pack"),
    "ball": ("football", "soccer ball", "beach ball", "toy ball", "basketball"),
    "basket": ("wicker basket",),
    "bathtub": ("bath", "tub", "bath tub"),
    "bear": ("teddy bear", "teddy", "stuffed bear", "toy bear"),
    "bin": (
        *("trash can", "garbage can", "trash bin", "waste bin", "dustbin", "wastebasket", "rubbish bin"),
        *(
            "waste basket",
            "trashcan",
            "garbage bin",
            "wastepaper basket",
            "paper basket",
            "litter bin",
            "trash basket",
            "rubbish",
            "garbage pail",
            "kitchen bin",
            "pedal bin",
            "refuse bin",
        ),
    ),
    "binder": ("ring binder", "file binder", "lever arch file"),
    "blanket": ("throw blanket", "duvet", "comforter", "bedspread"),
    "bookshelf": ("bookrack", "bookstand", "bookcase", "book shelf", "book case"),
    "boot": ("boots",),
    "bottle": ("water bottle", "wine bottle"),
    "bowl": ("soup bowl", "salad bowl", "fruit bowl", "cereal bowl", "mixing bowl"),
    "box": ("carton", "cardboard box", "storage box"),
    "bread": ("loaf", "loaf of bread", "bread loaf"),
    "broom": ("sweeping brush",),
    "bucket": ("pail",),
    "can": ("tin", "tin can", "soup can", "food can", "beverage can", "drink can", "soda can"),
    "candle": ("wax candle",),
    "car": ("toy car", "model car", "toy automobile"),
    "cabinet": ("kitchen cabinet", "storage cabinet", "tv cabinet", "telly cabinet", "television cabinet"),
    "calendar": ("wall calendar", "desk calendar"),
    "cereal box": ("box of cereal", "cereal", "cereals", "cornflakes", "cereal packet", "cereal carton"),
    "chair": ("dining chair", "kitchen chair"),
    "chest": ("trunk", "treasure chest"),
    "clock": ("alarm clock", "wall clock", "desk clock", "table clock"),
    "coat rack": ("coat stand", "clothes rack", "coat tree", "coat hanger stand", "hat stand", "coatrack"),
    "counter": ("countertop", "worktop", "counter top", "work surface", "kitchen island"),
    "crate": ("storage crate",),
    "cup": ("tea cup", "teacup", "coffee cup"),
    "curtain": ("window curtain", "drape", "drapery"),
    "cutting board": ("chopping board", "breadboard", "chopping block", "bread board"),
    "door": ("front door", "entrance door", "entry door"),
    "desk": ("writing desk", "writing table", "computer desk", "office desk", "work desk"),
    "dishwasher": ("dish washer", "dishwashing machine"),
    "dresser": ("chest of drawers", "bureau"),
    "floor": ("ground",),
    "globe": ("world globe", "terrestrial globe"),
    "fridge": ("ice box", "refrigerator", "refridgerator", "fridge freezer", "icebox"),
    "glass": ("drinking glass", "water glass", "wine glass", "tumbler"),
    "guitar": ("acoustic guitar",),
    "hat": ("sun hat", "straw hat"),
    "helmet": ("bike helmet", "bicycle helmet", "cycling helmet"),
    "jar": ("jam jar", "storage jar"),
    "kettle": ("electric kettle", "tea kettle", "water kettle", "water boiler"),
    "key": ("keys",),
    "keyboard": ("computer keyboard",),
    "knife": ("kitchen knife", "bread knife"),
    "ladder": ("stepladder", "step ladder"),
    "lamp": (
        *("table lamp", "desk lamp", "floor lamp", "standing lamp", "light", "bedside lamp", "reading lamp"),
        *("standing light", "desk light", "reading light", "night lamp"),
    ),
    "laptop": ("laptop computer", "notebook computer"),
    "laundry basket": (
        "dirty laundry basket",
        "laundry bin",
        "laundry hamper",
        "hamper",
        "washing basket",
        "clothes basket",
        "wash basket",
        "linen basket",
    ),
    "microwave": ("microwave oven",),
    "milk carton": ("milk", "carton of milk", "milk box", "milk container"),
    "mirror": ("looking glass", "wall mirror"),
    "mobile phone": ("mobile", "handset", "cell", "cellphone", "cell phone", "smartphone"),
    "monitor": ("computer monitor", "computer screen", "screen", "computer display"),
    "mouse": ("computer mouse",),
    "mug": ("coffee mug", "tea mug", "drinking mug"),
    "nightstand": (
        "bedstand",
        "bedside stand",
        "bedside locker",
        "night stand",
        "bedside table",
        "night table",
        "bedside cabinet",
    ),
    "office chair": ("desk chair", "swivel chair", "computer chair"),
    "paint can": ("can of paint", "paint tin", "tin of paint", "paint bucket", "paint pot", "bucket of paint"),
    "pan": ("frying pan", "skillet", "saucepan", "fry pan", "frypan"),
    "picture": ("painting", "framed picture", "wall picture"),
    "pillow": ("cushion", "throw pillow"),
    "plant": (
        "flower pot",
        "plant pot",
        "potted plant",
        "houseplant",
        "house plant",
        "pot plant",
        "flowerpot",
        "indoor plant",
    ),
    "plate": ("dinner plate",),
    "pot": ("cooking pot", "stockpot", "casserole", "stew pot"),
    "remote": (
        "zapper",
        "tv control",
        "remote control",
        "tv remote",
        "television remote",
        "remote controller",
        "clicker",
    ),
    "robot": ("toy robot",),
    "rug": ("carpet", "area rug", "floor rug", "throw rug"),
    "shampoo": ("shampoo bottle", "bottle of shampoo"),
    "shelf": ("wall shelf", "floating shelf"),
    "shoe": ("sneaker", "trainer"),
    "shoe rack": ("shoe shelf", "shoe stand"),
    "sink": ("washbasin", "basin", "wash basin", "hand basin", "washbowl"),
    "soap dispenser": ("soap pump", "soap bottle", "hand soap dispenser", "liquid soap", "soap"),
    "sofa": ("davenport", "chesterfield", "sofa couch", "couch", "settee", "divan", "loveseat"),
    "speaker": ("loudspeaker",),
    "stool": ("footstool", "bar stool", "barstool"),
    "stove": (
        "kitchen stove",
        "gas stove",
        "gas cooker",
        "electric stove",
        "oven",
        "cooker",
        "range",
        "cooktop",
        "hob",
        "stovetop",
    ),
    "suitcase": ("luggage", "travel case", "piece of luggage"),
    "table": ("coffee table", "dining table", "dinner table", "side table", "end table"),
    "teapot": ("tea pot",),
    "telephone": ("phone", "landline", "desk phone"),
    "television": ("flat screen", "flat screen tv", "tv", "telly", "tv set", "television set", "flatscreen"),
    "television stand": ("tv stand",),
    "toilet": ("loo", "commode", "toilet bowl"),
    "toilet paper": ("toilet roll", "toilet tissue", "roll of toilet paper", "toilet paper roll", "loo roll"),
    "toolbox": ("tool box", "tool chest", "tool case"),
    "towel": ("bath towel", "hand towel"),
    "tray": ("folder tray", "letter tray", "paper tray", "document tray", "filing tray", "in tray"),
    "umbrella": ("brolly", "parasol"),
    "vacuum cleaner": ("vacuum sweeper", "hoover", "vacuum", "vac"),
    "vase": ("flower vase",),
    "wardrobe": ("clothes cupboard", "closet", "clothes closet", "armoire"),
    "washing machine": ("clothes washing machine", "washer", "clothes washer", "laundry machine"),
    "whiteboard": ("white board", "dry erase board"),
}

_CANONICAL = {word: label for label, words in _GROUPS.items() for word in words}

_LOOSE = (
    frozenset({"mug", "cup"}),
    frozenset({"cabinet", "cupboard", "sideboard"}),
    frozenset({"bookshelf", "shelf"}),
    frozenset({"rack", "shelf"}),
    frozenset({"hat", "cap"}),
    frozenset({"laptop", "computer", "notebook"}),
    frozenset({"picture", "poster", "photo"}),
    frozenset({"chair", "office chair"}),
    frozenset({"chair", "armchair"}),
    frozenset({"box", "crate"}),
    frozenset({"basket", "laundry basket"}),
    frozenset({"lamp", "lantern"}),
    frozenset({"can", "paint can"}),
    frozenset({"dresser", "cabinet"}),
    frozenset({"box", "cereal box"}),
    frozenset({"door", "doorway"}),
    frozenset({"pot", "pan"}),
    frozenset({"stool", "bench"}),
    frozenset({"monitor", "television"}),
    frozenset({"blanket", "quilt"}),
    frozenset({"shoe", "boot"}),
    frozenset({"shampoo", "bottle"}),
)


# Words that say which sort of a kind is meant: a coffee table is a table, and not every table is one.
SORTS = frozenset(
    word for label, words in _GROUPS.items() for word in words if word.endswith(f" {label}") and " of " not in word
)


def canonical(label: str) -> str:
    """The one label of a group of words that name the same object."""
    return _CANONICAL.get(label, label)


def names_of(label: str) -> frozenset[str]:
    """All words for the same object that the table has; none for a word that it lacks."""
    found = canonical(label)
    return frozenset((found, *_GROUPS[found])) if found in _GROUPS else frozenset()


def loosely(label: str) -> frozenset[str]:
    """Other labels that people may mean by this one; for use where nothing bears the label itself."""
    return frozenset().union(*(group for group in _LOOSE if label in group)) - {label}


def names() -> frozenset[str]:
    """Every label and every word for one in the table."""
    return frozenset(_CANONICAL) | frozenset(_GROUPS)
