"""Common knowledge of categories of objects: where they usually are, and which of them hold, hide or carry others.

Nothing here is taken from any one home, nor from what the generator makes.
"""

from __future__ import annotations

from dataclasses import dataclass

WALLS = frozenset({"wall", "walls"})
BUILDING = WALLS | {"floor", "ceiling"}
PLANES = frozenset({"wall", "floor", "ceiling", "rug", "carpet", "mat"})  # each thin along one axis
OPENINGS = frozenset({"door", "doorway", "window"})
STRUCTURE = BUILDING | OPENINGS

# Boards one above the other, open to the front.
SHELVES = frozenset({"shelves", "bookshelf", "bookcase", "rack", "shelving unit", "shoe rack"})

# With a back or a headboard above the level that objects lie on.
SEATS = frozenset({"bed", "sofa", "couch", "chair", "armchair", "bench", "office chair", "crib", "loveseat"})

# Open at the top unless they are said to be closed: what stands within their rim is in them.
CONTAINERS = frozenset(
    {"box", "basket", "bin", "crate", "bucket", "bowl", "trash can", "trash bin", "sink", "bathtub", "laundry basket"}
    | {"pot", "pan", "mug", "cup", "glass", "jar", "paint can"}
)

# Of these, those that keep other objects, so that one looks into them for what is lost.
KEEPING = frozenset(
    {"box", "basket", "bin", "crate", "bucket", "trash can", "trash bin", "laundry basket", "sink", "bathtub"}
)

# With doors, drawers or a lid, which hide what is inside unless they are said to be open.
CLOSABLE = frozenset(
    {"cabinet", "cupboard", "wardrobe", "fridge", "refrigerator", "chest", "drawer", "dresser", "safe", "microwave"}
    | {"stove", "oven", "dishwasher", "washing machine", "toolbox", "suitcase"}
)

# Of these, those with a top on which objects stand, and an inside that is looked into from the front.
ROOFED = frozenset(
    {"cabinet", "cupboard", "wardrobe", "fridge", "refrigerator", "dresser", "safe", "microwave", "nightstand"}
    | {"stove", "oven", "dishwasher", "washing machine", "counter", "desk"}
)

# What is opened at the top, so that one sees from above whether it is open.
LIDDED = frozenset({"box", "chest", "crate", "laundry basket", "suitcase", "toilet", "toolbox", "trash can"})

# What is said to be open or closed, and keeps nothing inside.
FOLDING = frozenset({"laptop", "book", "notebook", "umbrella", "curtain", "blind", "shower curtain", "toilet"})

# What a hand that lifts 5 kg does not lift.
HEAVY = frozenset(
    {"armchair", "bathtub", "bed", "bookshelf", "cabinet", "chest", "coffee table", "counter", "couch", "cupboard"}
    | {"desk", "dishwasher", "door", "dresser", "fridge", "nightstand", "office chair", "oven", "piano", "refrigerator"}
    | {"safe", "sink", "sofa", "stove", "table", "television stand", "toilet", "wardrobe", "washing machine", "window"}
)

HANGING = frozenset(
    {"picture", "painting", "poster", "photo", "calendar", "sign", "mirror", "clock", "shelf", "curtain", "blind"}
    | {"television", "tv", "whiteboard", "radiator", "coat rack", "hook", "switch", "outlet", "thermostat", "towel"}
)

LIMP = frozenset({"curtain", "towel", "blind"})  # of these, those that cannot stand

# On legs or low feet: the floor below goes on, and objects may lie there.
RAISED = SEATS | frozenset({"table", "coffee table", "desk", "stool", "shelf"})

# On these nothing stands; what seems to stands behind them.
TOPPLING = frozenset(
    {"bottle", "can", "candle", "clock", "cup", "fork", "glass", "jar", "knife", "lamp", "lantern", "mouse", "mug"}
    | {"apple", "ball", "banana", "orange", "pen", "plant", "remote", "shampoo", "spoon", "vase"}
    | {"soap dispenser", "toothbrush"}
)

# These lie on furniture as a part of it: what is on them is on that, too.
SOFT = frozenset({"pillow", "cushion", "blanket", "towel", "cloth"})

LAID_OUT = frozenset({"rug", "carpet", "mat"})  # so thin that what stands on them stands on the floor as well


_COOKING = frozenset(
    {"pot", "pan", "kettle", "toaster", "microwave", "teapot", "cutting board", "jar", "can", "coffee machine"}
    | {"ladle", "spatula", "pepper shaker", "salt shaker"}
)
_EATING = frozenset({"mug", "cup", "glass", "plate", "bowl", "knife", "fork", "spoon", "bottle"})
_FOOD = frozenset(
    {"bread", "cereal box", "milk carton", "apple", "orange", "banana", "egg", "lettuce", "potato", "tomato"}
)
_APPLIANCES = frozenset({"fridge", "stove", "dishwasher", "counter", "microwave"})
_WASHING = frozenset({"towel", "soap dispenser", "toilet paper", "shampoo", "toothbrush", "toilet", "bathtub"})
_AT_WATER = frozenset({"faucet", "soap", "sponge", "spray bottle", "plunger", "cloth"})
_LAUNDRY = frozenset({"washing machine", "laundry basket", "bucket"})
_WRITING = frozenset({"monitor", "keyboard", "mouse", "printer", "binder", "laptop", "tray", "whiteboard", "calendar"})
_SLEEPING = frozenset({"bed", "nightstand", "wardrobe", "dresser", "blanket", "pillow"})
_LIVING = frozenset({"sofa", "armchair", "television", "remote", "speaker", "guitar", "rug", "bookshelf", "globe"})
_LEAVING = frozenset({"shoe", "umbrella", "coat rack", "shoe rack", "backpack", "helmet", "bench", "hat"})
_CARRIED = frozenset({"phone", "keys", "watch", "card", "newspaper", "pen", "pencil"})
_ORNAMENTS = frozenset({"statue", "vase", "candle"})
_STORING = frozenset({"toolbox", "ladder", "broom", "paint can", "crate", "vacuum cleaner", "suitcase", "rack"})


# What stands on the floor and is seen from afar: nobody looks for it on a table.
LARGE = frozenset(
    {"armchair", "bathtub", "bed", "bench", "bookshelf", "cabinet", "chair", "chest", "coat rack", "counter", "curtain"}
    | {"desk", "dishwasher", "door", "doorway", "dresser", "fridge", "ladder", "mirror", "nightstand", "office chair"}
    | {"rack", "rug", "shelf", "shoe rack", "sink", "sofa", "stool", "stove", "table", "toilet", "wardrobe"}
    | {"washing machine", "whiteboard", "window"}
)


# What hangs on walls or stands high: nobody looks for it on the floor.
HIGH = frozenset(
    {"calendar", "clock", "curtain", "hat", "lamp", "mirror", "picture", "poster", "shelf", "sign", "television"}
    | {"whiteboard", "window", "cabinet", "bookshelf", "binder", "cereal box", "towel", "book"}
)


@dataclass(frozen=True)
class UsualPlaces:
    """Kinds of rooms, and objects on or in which an object usually is."""

    rooms: frozenset[str]
    supports: frozenset[str]


_EATING_PLACES = frozenset(
    {"counter", "table", "sink", "stove", "dishwasher", "cabinet", "shelf", "fridge", "tray", "cutting board"}
)
_SURFACES = frozenset(
    {"table", "coffee table", "desk", "nightstand", "dresser", "shelf", "bookshelf", "cabinet", "television stand"}
)
_HABITS: tuple[tuple[frozenset[str], UsualPlaces], ...] = (
    (_COOKING | _EATING | _FOOD, UsualPlaces(frozenset({"kitchen", "living room"}), _EATING_PLACES)),
    (_APPLIANCES, UsualPlaces(frozenset({"kitchen"}), frozenset({"counter"}))),
    (
        _WASHING,
        UsualPlaces(frozenset({"bathroom"}), frozenset({"sink", "shelf", "bathtub", "toilet", "washing machine"})),
    ),
    (
        _AT_WATER,
        UsualPlaces(frozenset({"bathroom", "kitchen"}), frozenset({"sink", "counter", "bathtub", "toilet"})),
    ),
    (_CARRIED, UsualPlaces(frozenset(), _SURFACES | {"bed", "sofa", "counter"})),
    (_ORNAMENTS, UsualPlaces(frozenset(), _SURFACES)),
    (_LAUNDRY, UsualPlaces(frozenset({"bathroom", "storage room", "kitchen"}), frozenset({"rack"}))),
    (_WRITING, UsualPlaces(frozenset({"office", "living room", "bedroom"}), frozenset({"desk", "shelf", "bookshelf"}))),
    (_SLEEPING, UsualPlaces(frozenset({"bedroom"}), frozenset({"bed", "sofa"}))),
    (_LIVING, UsualPlaces(frozenset({"living room"}), frozenset({"table", "sofa", "cabinet", "shelf"}))),
    (_LEAVING, UsualPlaces(frozenset({"hall", "storage room"}), frozenset({"bench", "shoe rack", "coat rack"}))),
    (_STORING, UsualPlaces(frozenset({"storage room", "hall"}), frozenset({"rack", "shelf"}))),
    (frozenset({"sink"}), UsualPlaces(frozenset({"kitchen", "bathroom"}), frozenset({"counter"}))),
)
_ANYWHERE = UsualPlaces(frozenset(), frozenset())


def usual_places(label: str) -> UsualPlaces:
    """Where such an object usually is; empty sets where it may be anywhere."""
    return next((habit for labels, habit in _HABITS if label in labels), _ANYWHERE)
