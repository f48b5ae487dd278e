"""The words that the parser knows by meaning; every other noun is taken as it is."""

from __future__ import annotations

from vantage.questions.kinds import COLORS, MATERIALS


def _table(groups: dict[str, str]) -> dict[str, str]:
    return {word.strip(): meaning for meaning, words in groups.items() for word in words.split(",")}


COLOR_WORDS = {
    **{word: word for word in COLORS},
    **{word: word for word in ("beige", "turquoise", "gold", "silver", "cyan", "magenta")},
    **_table(
        {
            "gray": "grey",
            "purple": "violet, lilac, lavender",
            "gold": "golden",
            "red": "crimson, scarlet",
            "blue": "navy, azure",
        }
    ),
}
SHADES = frozenset({"dark", "light", "bright", "pale", "deep", "vivid"})

MATERIAL_WORDS = {
    **{word: word for word in MATERIALS},
    **{word: word for word in ("stone", "rubber", "concrete", "brick", "marble", "wicker", "bamboo", "wax")},
    **_table(
        {
            "wood": "wooden, timber, oak, pine",
            "metal": "metallic, steel, stainless steel, iron, aluminum, aluminium, brass, copper, chrome",
            "ceramic": "porcelain, ceramics, earthenware, pottery, clay",
            "fabric": "cloth, textile, cotton, wool, woolen, linen",
            "paper": "cardboard",
            "glass": "crystal",
        }
    ),
}

SHAPE_WORDS = _table(
    {
        "round": "round, circular, disc, disk, circle",
        "square": "square, squared",
        "rectangular": "rectangular, rectangle, oblong",
        "cylindrical": "cylindrical, cylinder, tubular, tube",
        "spherical": "spherical, sphere, globular",
        "conical": "conical, cone",
    }
)
SHAPE_NOUNS = _table({"cylindrical": "cylinder, cylinders", "spherical": "sphere, spheres", "conical": "cone, cones"})

SIZE_WORDS = _table(
    {"small": "small, little, tiny, miniature, small-sized", "large": "large, big, huge, giant, sizable, large-sized"}
)

STATE_WORDS = _table(
    {
        "open": "open, opened, ajar, wide open, left open, unlocked",
        "closed": "closed, shut, left closed, left shut",
        "on": "switched on, turned on, lit, illuminated, lit up, powered on, glowing, burning, left on, powered up",
        "off": "switched off, turned off, unlit, powered off, left off, powered down, turned out, switched out",
        "full": "full, filled, filled up",
        "empty": "empty, emptied",
        "dirty": "dirty, filthy, unclean, soiled, unwashed, stained, grubby",
        "clean": "clean, spotless, washed, unsoiled",
    }
)
# What somebody did, and the state that a thing is in if they did.
CHANGE_WORDS = _table(
    {
        "open": "open, opened, unlock, unlocked",
        "closed": "close, closed, shut",
        "on": "turn on, turned on, switch on, switched on, light",
        "off": "turn off, turned off, switch off, switched off, put out",
        "full": "fill, filled, fill up, filled up",
        "empty": "empty, emptied",
        "clean": "clean, cleaned, wash, washed",
    }
)
# These say something of a thing only after "is": "the lamp on" is no lamp that is on.
PREDICATE_STATES = {**STATE_WORDS, "on": "on", "off": "off", "running": "on", "shining": "on", "up and running": "on"}

RELATION_WORDS = _table(
    {
        "on": "on, on top of, on the top of, atop, atop of, upon, on the surface of, onto, up on",
        "in": "in, inside, inside of, within, into, in the inside of, on the inside of",
        "at": "at, on or in, in or on, on or inside",
        "under": "under, underneath, beneath, below, under the bottom of",
        "above": "above, over, up above, over the top of, over above",
        "next to": "next to, beside, by, alongside, adjacent to, by the side of, at the side of, besides, "
        "alongside of, to the side of, on the side of, next door to",
        "near": "near, near to, close to, nearby, close by, in the vicinity of, not far from, around, in proximity to",
        "behind": "behind, in back of, at the back of, to the rear of, to the back of",
        "in front of": "in front of, to the front of, at the front of",
        "left of": "left of, to the left of, on the left of, to the left side of, on the left side of, left to, "
        "at the left of, on the left hand side of, to the left hand side of, to the left from, on the left from",
        "right of": "right of, to the right of, on the right of, to the right side of, on the right side of, right to, "
        "at the right of, on the right hand side of, to the right hand side of, to the right from, on the right from",
    }
)
SIDED = ("left of", "right of", "in front of", "behind")
CONVERSE = {"next to": "next to", "near": "near", "under": "above", "above": "under"}

ROOM_WORDS = _table(
    {
        "kitchen": "kitchen, kitchenette",
        "bathroom": "bathroom, bath room, washroom, restroom, rest room, wc, lavatory, powder room, shower room",
        "bedroom": "bedroom, bed room, master bedroom, guest bedroom, sleeping room, guest room",
        "living room": "living room, livingroom, lounge, sitting room, family room, parlor, parlour, front room",
        "office": "office, study, home office, workroom, study room, work room, den",
        "hall": "hall, hallway, corridor, entrance hall, entryway, foyer, entrance, lobby, entry hall, vestibule",
        "storage room": "storage room, storeroom, store room, pantry, utility room, utility, closet room, storage, "
        "larder, storage closet, box room, laundry room, lumber room, store",
        "dining room": "dining room",
        "garage": "garage",
        "basement": "basement, cellar",
        "attic": "attic, loft",
        "balcony": "balcony, terrace, patio",
        "garden": "garden, yard",
    }
)
# Where everything is: to be in one of these says nothing.
EVERYWHERE = frozenset(
    {
        *("house", "home", "apartment", "flat", "room", "scene", "place", "environment", "picture", "image", "view"),
        *("building", "world", "sight", "living space", "household", "surroundings", "entire house", "whole house"),
    }
)
HERE = ("here", "over here", "in here", "there", "over there", "in there", "anywhere", "somewhere", "around", "in view")
THING_WORDS = frozenset({"thing", "things", "object", "objects", "item", "items", "stuff", "article"})
PRONOUN_THINGS = {"something": "a", "anything": "a", "everything": "every"}

MOST_WORDS = {
    **dict.fromkeys(("largest", "biggest"), ("size", False)),
    **dict.fromkeys(("smallest", "littlest", "tiniest"), ("size", True)),
    **dict.fromkeys(("tallest", "highest"), ("height", False)),
    **dict.fromkeys(("shortest", "lowest"), ("height", True)),
    "longest": ("length", False),
    "heaviest": ("mass", False),
    "lightest": ("mass", True),
    "bulkiest": ("volume", False),
    "most voluminous": ("volume", False),
    **dict.fromkeys(("nearest", "closest"), ("distance", True)),
    **dict.fromkeys(("farthest", "furthest", "most distant"), ("distance", False)),
    **{f"{word} away": ("distance", False) for word in ("farthest", "furthest")},
}
MORE_WORDS = {
    **dict.fromkeys(("larger", "bigger"), ("size", False)),
    **dict.fromkeys(("smaller", "littler", "less big", "less large"), ("size", True)),
    **dict.fromkeys(("taller", "higher"), ("height", False)),
    **dict.fromkeys(("shorter", "lower", "less tall"), ("height", True)),
    "longer": ("length", False),
    **dict.fromkeys(("heavier", "more heavy"), ("mass", False)),
    **dict.fromkeys(("lighter", "less heavy"), ("mass", True)),
    **dict.fromkeys(("bulkier", "more voluminous"), ("volume", False)),
    **dict.fromkeys(("nearer", "closer", "less far", "less far away"), ("distance", True)),
    **dict.fromkeys(("farther", "further", "farther away", "further away", "more distant"), ("distance", False)),
}

ATTRIBUTE_NOUNS = _table(
    {
        "color": "color, colors, hue, shade, coloring, tint",
        "material": "material, materials, substance, stuff, kind of material, type of material, sort of material",
        "shape": "shape, form, kind of shape, geometric shape, geometry, type of shape",
        "size": "size, dimensions",
        "state": "state, condition, status",
        "place": "location, position, place, whereabouts, exact location, exact position",
        "room": "room",
        "label": "name, kind of object, kind of thing, type of object, type of thing, sort of thing, sort of object",
    }
)
PRINT_NOUNS = frozenset(
    {
        *("label", "sign", "text", "inscription", "writing", "lettering", "title", "caption", "print", "words", "word"),
        *("tag", "sticker", "note", "letters", "message", "printed text", "written text", "printed label", "brand"),
        *("printed word", "brand name", "printing", "labels", "printed words", "logo", "product name"),
    }
)
FLAT_STRUCTURE = frozenset({"wall", "floor", "ceiling"})
OPENING_PARTS = frozenset({"door", "doors", "lid", "drawer", "drawers", "flap", "cover", "seat"})
OPENERS = frozenset(
    {
        *("fridge", "stove", "dishwasher", "microwave", "washing machine", "cabinet", "wardrobe", "chest", "dresser"),
        *("nightstand", "counter", "toilet", "toolbox", "box", "suitcase", "desk", "cupboard", "sideboard"),
    }
)
FURNITURE = frozenset(
    {
        *("table", "desk", "chair", "stool", "sofa", "armchair", "bed", "bookshelf", "cabinet", "wardrobe", "shelf"),
        *("nightstand", "chest", "rug", "door", "window", "curtain", "fridge", "stove", "counter", "sink", "dresser"),
        *("dishwasher", "toilet", "bathtub", "washing machine", "office chair", "bench", "rack", "coat rack", "wall"),
        *("shoe rack", "doorway", "floor", "ceiling", "cupboard", "sideboard", "whiteboard", "mirror", "ladder"),
        *("picture", "lamp", "plant", "television", "radiator", "fireplace", "stairs", "piano"),
    }
)
COLLECTIVES = frozenset({"pair", "piece", "set", "stack", "pile", "bunch", "roll", "slice", "loaf", "bar", "sheet"})

DEFINITE = frozenset({"the", "that", "this", "these", "those", "my", "our", "your", "their", "his", "her"})
INDEFINITE = frozenset({"a", "an", "any", "some"})
EVERY = frozenset({"all", "every", "each", "all of"})
IDLE = frozenset(
    {
        *("nice", "pretty", "lovely", "beautiful", "old", "new", "visible", "certain", "particular", "specific"),
        *("single", "only", "different", "distinct", "individual", "various", "own", "whole", "entire", "ordinary"),
        *("separate", "actual", "given", "mentioned", "favorite", "favourite", "spare", "extra", "usual", "remaining"),
    }
)
ADVERBS = frozenset(
    {
        *("currently", "presently", "now", "right", "just", "directly", "immediately", "still", "actually", "really"),
        *("exactly", "somewhere", "already", "also", "completely", "both", "mostly", "predominantly", "quite"),
        *("usually", "mainly", "normally", "anywhere", "located", "situated", "positioned", "placed", "primarily"),
        *(
            "standing",
            "sitting",
            "lying",
            "laying",
            "resting",
            "kept",
            "found",
            "put",
            "stored",
            "left",
            "stood",
            "set",
        ),
        *("hanging", "hung", "mounted", "attached", "leaning", "fixed", "stacked", "hidden", "seen", "fastened"),
        *("arranged", "displayed", "visible", "present", "contained", "held", "parked", "perched", "leant", "propped"),
        *("directly", "straight", "there", "lined", "tucked", "stashed", "ever", "waiting", "dropped", "laid"),
        *("together", "altogether", "combined", "total"),
    }
)

# Words that are never part of a name.
FUNCTION_WORDS = frozenset(
    {
        *("label", "labels", "inscription", "text", "writing", "lettering", "word", "words", "title", "caption"),
        *(*DEFINITE, *INDEFINITE, *IDLE, *ADVERBS, *SHADES, *PRONOUN_THINGS, *MOST_WORDS),
        *("about", "above", "after", "again", "against", "all", "am", "amount", "and", "another"),
        *("anybody", "anyone", "are", "around", "as", "at", "back", "be", "because", "been", "before"),
        *("behind", "below", "beneath", "beside", "besides", "between", "bigger", "but", "by", "called"),
        *("can", "close", "closer", "color", "colored", "contain", "contains", "could", "did", "do"),
        *("does", "each", "else", "equal", "every", "everybody", "everyone", "except", "fewer", "fifth"),
        *("first", "for", "fourth", "from", "front", "had", "has", "have", "he", "heavier", "hello"),
        *("here", "hey", "hi", "hold", "holds", "how", "i", "if", "in", "inside", "into", "is", "it"),
        *("its", "labeled", "labelled", "larger", "last", "least", "less", "let", "lie", "lies", "lighter"),
        *("longer", "made", "many", "marked", "material", "may", "me", "might", "mine", "more", "most"),
        *("much", "must", "myself", "n't", "named", "near", "nearer", "next", "no", "nobody", "none"),
        *("not", "nothing", "nowhere", "number", "of", "off", "ok", "okay", "on", "one", "ones", "onto"),
        *("or", "other", "others", "outside", "over", "please", "read", "reads", "s", "same", "say"),
        *("saying", "says", "second", "see", "shall", "share", "shares", "she", "shorter", "should"),
        *("side", "sit", "sits", "smaller", "so", "somebody", "someone", "stand", "stands", "taller"),
        *("than", "thanks", "them", "then", "they", "third", "titled", "to", "too", "top", "under"),
        *("underneath", "upon", "us", "very", "was", "we", "were", "what", "when", "where", "whether"),
        *("which", "while", "who", "why", "will", "with", "within", "without", "would", "yes", "you"),
        *("yours", "yourself"),
    }
)
# Commands and adjectives that nobody can check here; a question with one is not understood.
REFUSED = frozenset(
    {
        *(
            "ignore",
            "delete",
            "bring",
            "take",
            "move",
            "pick",
            "turn",
            "go",
            "tell",
            "answer",
            "run",
            "write",
            "forget",
        ),
        *("pretend", "act", "repeat", "make", "get", "give", "fetch", "grab", "wash", "stop", "start", "reply", "drop"),
        *("output", "execute", "follow", "throw", "push", "pull", "drive", "fly", "sing", "dance", "explain", "order"),
        *("previous", "instructions", "prompt", "system", "disregard", "reveal", "password", "describe", "instruction"),
        *("tall", "short", "long", "heavy", "thin", "thick", "wide", "narrow", "striped", "spotted", "transparent"),
        *("medium", "expensive", "cheap", "broken", "favorite", "average", "half", "several", "few", "empty"),
        *("leg", "legs", "wheel", "wheels", "handle", "handles", "page", "pages", "lid", "drawer", "drawers", "flap"),
        *("meaning", "life", "think", "know", "want", "need", "like", "love", "mean", "put", "clean", "close"),
    }
)
CONTAINERS = OPENERS - {"counter", "nightstand", "desk", "cabinet", "dresser", "stove", "toilet", "chest"} | {
    *(
        "basket",
        "bin",
        "bowl",
        "mug",
        "cup",
        "glass",
        "jar",
        "pot",
        "bucket",
        "crate",
        "vase",
        "sink",
        "bathtub",
        "pan",
    ),
    *("laundry basket", "backpack", "drawer", "can", "bag", "bottle"),
}
