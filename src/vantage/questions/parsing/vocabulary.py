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
            "gray": "grey, grayish, greyish, charcoal",
            "purple": "violet, lilac, lavender, mauve, purplish",
            "gold": "golden",
            "silver": "silvery",
            "red": "crimson, scarlet, maroon, burgundy, reddish",
            "blue": "navy, azure, cobalt, bluish, navy blue, sky blue",
            "green": "greenish, emerald",
            "yellow": "yellowish",
            "brown": "brownish, tan",
            "pink": "pinkish",
            "black": "blackish, jet black",
            "white": "whitish, snow white",
            "orange": "orangey",
        }
    ),
}
SHADES = frozenset({"dark", "light", "bright", "pale", "deep", "vivid"})
INTENSIFIERS = frozenset(
    {"very", "really", "quite", "rather", "fairly", "pretty", "super", "extremely", "so", "somewhat"}
)

MATERIAL_WORDS = {
    **{word: word for word in MATERIALS},
    **{word: word for word in ("stone", "rubber", "concrete", "brick", "marble", "wicker", "bamboo", "wax")},
    **_table(
        {
            "wood": "wooden, timber, oak, pine, mahogany, teak, walnut, birch, beech, plywood, hardwood, maple",
            "metal": "metallic, steel, stainless steel, iron, aluminum, aluminium, brass, copper, chrome, bronze, tin",
            "ceramic": "porcelain, ceramics, earthenware, pottery, clay, terracotta, china, stoneware",
            "fabric": "cloth, textile, cotton, wool, woolen, woollen, linen, velvet, silk, polyester, "
            "denim, felt, satin",
            "leather": "suede",
            "plastic": "acrylic, vinyl, pvc",
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
    {
        "small": "small, little, tiny, miniature, small-sized, wee, teeny, teensy, mini, petite, minuscule, "
        "teeny tiny, "
        "little wee, wee little, tiny little, pint sized, diminutive, compact, itty bitty",
        "large": "large, big, huge, giant, sizable, sizeable, large-sized, massive, enormous, gigantic, humongous, "
        "ginormous, immense, colossal, oversized, great big, big old, whopping, hefty, vast, jumbo",
    }
)

WEIGHT_WORDS = _table(
    {
        "light": "light, lightweight, light weight, featherweight, light as a feather",
        "heavy": "heavy, weighty, heavyweight",
    }
)

STATE_WORDS = _table(
    {
        "open": "open, opened, ajar, wide open, left open, unlocked, flung open, standing open, unfolded, folded out",
        "closed": "closed, shut, left closed, left shut, shut tight, firmly closed, properly closed, fully closed, "
        "closed up, drawn, folded, folded up, folded away",
        "on": "switched on, turned on, lit, illuminated, lit up, powered on, glowing, burning, left on, "
        "powered up, activated",
        "off": "switched off, turned off, unlit, powered off, left off, powered down, turned out, switched out, "
        "shut off, put out, blown out, deactivated",
        "full": "full, filled, filled up, full up, brimming, full to the brim, full of water, filled with water",
        "empty": "empty, emptied, vacant",
        "dirty": "dirty, filthy, unclean, soiled, unwashed, stained, grubby, grimy, mucky, muddy",
        "clean": "clean, spotless, washed, unsoiled, cleaned, immaculate",
    }
)
# What somebody did, and the state that an object is in if they did.
CHANGE_WORDS = _table(
    {
        "open": "open, opened, unlock, unlocked",
        "closed": "close, closed, shut",
        "on": "turn on, turned on, switch on, switched on, light",
        "off": "turn off, turned off, switch off, switched off, put out",
        "full": "fill, filled, fill up, filled up",
        "empty": "empty, emptied, drain, drained, empty out, emptied out",
        "clean": "clean, cleaned, wash, washed, rinse, rinsed, scrub, scrubbed, wash up, washed up, wipe, wiped",
    }
)
# These say something of an object only after "is": "the lamp on" is no lamp that is on.
PREDICATE_STATES = {
    **STATE_WORDS,
    "on": "on",
    "off": "off",
    "running": "on",
    "going": "on",
    "working": "on",
    "shining": "on",
    "up and running": "on",
}

RELATION_WORDS = _table(
    {
        "on": "on, on top of, on the top of, atop, atop of, upon, on the surface of, onto, up on, resting upon, "
        "across, on the very top of, right on top of, up on top of, at the top of, at the very top of",
        "in": "in, inside, inside of, within, into, in the inside of, on the inside of, in the interior of, "
        "at the bottom of, in the bottom of, at the very bottom of, down in, contained by, enclosed by",
        "at": "at, on or in, in or on, on or inside",
        "under": "under, underneath, beneath, below, under the bottom of, down under, right below",
        "above": "above, over, up above, over the top of, over above",
        "next to": "next to, beside, by, alongside, adjacent to, by the side of, at the side of, "
        "against, up against, alongside of, to the side of, on the side of, next door to, right by, close beside",
        "near": "near, near to, close to, nearby, close by, in the vicinity of, not far from, around, in proximity to, "
        "within reach of, close by to, not far away from",
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
        "kitchen": "kitchen, kitchenette, kitchen area",
        "bathroom": "bathroom, bath room, washroom, restroom, rest room, wc, lavatory, powder room, shower room, "
        "ensuite, en suite, master bathroom, guest bathroom, family bathroom",
        "bedroom": "bedroom, bed room, master bedroom, guest bedroom, sleeping room, guest room, bedchamber, "
        "main bedroom, spare bedroom, spare room, nursery",
        "living room": "living room, livingroom, lounge, sitting room, family room, parlor, parlour, front room, "
        "lounge room, drawing room, living area, reception room, sitting area",
        "office": "office, study, home office, workroom, study room, work room, den, workspace",
        "hall": "hall, hallway, corridor, entrance hall, entryway, foyer, entrance, lobby, entry hall, vestibule, "
        "entrance way, front hall, hall way, passage, passageway",
        "storage room": "storage room, storeroom, store room, pantry, utility room, utility, closet room, storage, "
        "larder, storage closet, box room, laundry room, lumber room, store",
        "dining room": "dining room, dining area",
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
        *(
            "property",
            "residence",
            "dwelling",
            "premises",
            "building",
            "world",
            "sight",
            "living space",
            "household",
            "surroundings",
            "entire house",
            "whole house",
        ),
    }
)
HERE = (
    "here",
    "over here",
    "in here",
    "there",
    "over there",
    "in there",
    "anywhere",
    "somewhere",
    "around",
    "in view",
    "about",
    "round here",
    "around here",
    "indoors",
)
OBJECT_WORDS = frozenset({"thing", "things", "object", "objects", "item", "items", "stuff", "article"})
PLACE_NOUNS = ("place", "spot", "location", "position")
PRONOUN_OBJECTS = {"something": "a", "anything": "a", "everything": "every"}

MOST_WORDS = {
    **dict.fromkeys(("largest", "biggest"), ("size", False)),
    **dict.fromkeys(("smallest", "littlest", "tiniest", "least big", "least large"), ("size", True)),
    **dict.fromkeys(("tallest", "highest"), ("height", False)),
    **dict.fromkeys(("shortest", "lowest"), ("height", True)),
    **dict.fromkeys(("longest", "widest", "broadest"), ("length", False)),  # of its sides, the longer one
    "narrowest": ("length", True),
    "weightiest": ("mass", False),
    "most heavy": ("mass", False),
    "least heavy": ("mass", True),
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
    **dict.fromkeys(("longer", "wider", "broader"), ("length", False)),
    **dict.fromkeys(("narrower", "less wide", "less broad", "less long"), ("length", True)),
    **dict.fromkeys(("heavier", "more heavy"), ("mass", False)),
    **dict.fromkeys(("lighter", "less heavy"), ("mass", True)),
    **dict.fromkeys(("bulkier", "more voluminous"), ("volume", False)),
    **dict.fromkeys(("nearer", "closer", "less far", "less far away"), ("distance", True)),
    **dict.fromkeys(("farther", "further", "farther away", "further away", "more distant"), ("distance", False)),
}

ATTRIBUTE_NOUNS = _table(
    {
        "color": "color, colors, hue, shade, coloring, tint, paint color",
        "material": "material, materials, substance, stuff, kind of material, type of material, sort of material",
        "shape": "shape, form, kind of shape, geometric shape, geometric form, outline, geometry, type of shape",
        "size": "size, dimensions",
        "state": "state, condition, status, current state",
        "place": "location, position, place, whereabouts, exact location, exact position",
        "room": "room",
        "label": "name, kind of object, kind of thing, type of object, type of thing, sort of thing, sort of object",
    }
)
PRINT_NOUNS = frozenset(
    {
        *("label", "sign", "text", "inscription", "writing", "lettering", "title", "caption", "print", "words", "word"),
        *("tag", "sticker", "note", "letters", "message", "printed text", "written text", "printed label", "brand"),
        *(
            "name",
            "wording",
            "phrase",
            "slogan",
            "name tag",
            "printed word",
            "brand name",
            "printing",
            "labels",
            "printed words",
            "logo",
            "product name",
            "month",
            "date",
            "year",
            "day",
            "weekday",
            "season",
            "heading",
            "headline",
            "motto",
            "quote",
            "quotation",
            "initials",
            "warning",
            "announcement",
            "address",
            "flavor",
            "greeting",
            "subtitle",
        ),
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
COLLECTIVES = frozenset({"pair", "piece", "set", "stack", "pile", "bunch", "roll", "slice", "loaf", "bar", "sheet"})

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
DRINKS = frozenset({"water", "coffee", "tea", "juice", "wine", "beer", "soda", "lemonade", "milk"})
