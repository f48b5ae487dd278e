"""Which labels name what holds things, hides them, hangs or belongs to the building: more than seeing alone tells."""

from __future__ import annotations

WALLS = frozenset({"wall", "walls"})
BUILDING = WALLS | {"floor", "ceiling"}
PLANES = frozenset({"wall", "floor", "ceiling", "rug", "carpet", "mat"})  # each thin along one axis
OPENINGS = frozenset({"door", "doorway", "window"})
STRUCTURE = BUILDING | OPENINGS

# Boards one above the other, open to the front.
SHELVES = frozenset({"shelves", "bookshelf", "bookcase", "rack", "shelving unit", "shoe rack"})

# With a back or a headboard above the level that things lie on.
SEATS = frozenset({"bed", "sofa", "couch", "chair", "armchair", "bench", "office chair", "crib", "loveseat"})

# Open at the top unless they are said to be closed: what stands within their rim is in them.
CONTAINERS = frozenset(
    {"box", "basket", "bin", "crate", "bucket", "bowl", "trash can", "trash bin", "sink", "bathtub", "laundry basket"}
    | {"pot", "pan", "mug", "cup", "glass", "jar", "paint can"}
)

# Of these, those that keep other things, so that one looks into them for what is lost.
KEEPING = frozenset(
    {"box", "basket", "bin", "crate", "bucket", "trash can", "trash bin", "laundry basket", "sink", "bathtub"}
)

# With doors, drawers or a lid, which hide what is inside unless they are said to be open.
CLOSABLE = frozenset(
    {"cabinet", "cupboard", "wardrobe", "fridge", "refrigerator", "chest", "drawer", "dresser", "safe", "microwave"}
    | {"stove", "oven", "dishwasher", "washing machine", "toolbox", "suitcase"}
)

# Of these, those with a top on which things stand, and an inside that is looked into from the front.
ROOFED = frozenset(
    {"cabinet", "cupboard", "wardrobe", "fridge", "refrigerator", "dresser", "safe", "microwave", "nightstand"}
    | {"stove", "oven", "dishwasher", "washing machine", "counter", "desk"}
)

HANGING = frozenset(
    {"picture", "painting", "poster", "photo", "calendar", "sign", "mirror", "clock", "shelf", "curtain", "blind"}
    | {"television", "tv", "whiteboard", "radiator", "coat rack", "hook", "switch", "outlet", "thermostat", "towel"}
)

LIMP = frozenset({"curtain", "towel", "blind"})  # of these, those that cannot stand

# On legs or low feet: the floor below goes on, and things may lie there.
RAISED = SEATS | frozenset({"table", "coffee table", "desk", "stool", "shelf"})

# On these nothing stands; what seems to stands behind them.
TOPPLING = frozenset(
    {"bottle", "can", "candle", "clock", "cup", "fork", "glass", "jar", "knife", "lamp", "lantern", "mouse", "mug"}
    | {"apple", "ball", "banana", "orange", "pen", "plant", "remote", "shampoo", "spoon", "vase"}
    | {"soap dispenser", "toothbrush"}
)

LAID_OUT = frozenset({"rug", "carpet", "mat"})  # so thin that what stands on them stands on the floor as well
