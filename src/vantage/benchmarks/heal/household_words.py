"""Words for what homes have: other names of the things in the scenes, and things that may be absent from them.

An other name is a familiar noun that WordNet 3.0 has for the same sense ("rucksack" for a backpack) or for a kind of it
("pippin" for an apple), so that whoever asks for the one can be given the other. Things for which no such noun is known
that shares no part of the word and would not misdescribe what stands in a home keep their name. No word of a name
stands in the other name for the same thing (``clashing`` tells).
"""

from __future__ import annotations

import re
from functools import lru_cache

from vantage.goals import object_key

OTHER_NAMES = {
    "apple": "pippin",
    "backpack": "rucksack",
    "basket": "hamper",
    "bed": "bunk",
    "bedroom": "chamber",
    "bin": "trash_can",
    "blender": "liquidizer",
    "book": "volume",
    "bracelet": "bangle",
    "briefcase": "attache",
    "broom": "besom",
    "brush": "scrubber",
    "bucket": "pail",
    "candle": "taper",
    "candy": "bonbon",
    "car": "automobile",
    "cat": "kitty",
    "cheese": "cheddar",
    "chip": "crisp",
    "cleansing_agent": "cleanser",
    "cloth_napkin": "serviette",
    "clothes_pants": "trousers",
    "coffee_cup": "demitasse",
    "computer": "workstation",
    "controller": "regulator",
    "couch": "sofa",
    "cracker": "saltine",
    "cup": "beaker",
    "cupboard": "closet",
    "curtain": "drape",
    "desk": "writing_table",
    "drawing": "sketch",
    "dresser": "bureau",
    "drinking_glass": "tumbler",
    "dryer": "tumble_drier",
    "electric_refrigerator": "fridge",
    "face": "countenance",
    "faucet": "tap",
    "filing_cabinet": "file",
    "fish": "trout",
    "food_cheese": "cheddar",
    "food_kiwi": "chinese_gooseberry",
    "food_vegetable": "greens",
    "gym_shoe": "sneaker",
    "jar": "crock",
    "jewelry": "gem",
    "lettuce": "romaine",
    "mail": "post",
    "marker": "highlighter",
    "mug": "stein",
    "necklace": "choker",
    "newspaper": "gazette",
    "notebook": "jotter",
    "novel": "romance",
    "pan": "skillet",
    "pasta": "spaghetti",
    "pen": "biro",
    "perfume": "cologne",
    "phone": "handset",
    "piece_of_cloth": "duster",
    "pillow": "bolster",
    "pool": "swimming_bath",
    "pop": "soda",
    "powersocket": "outlet",
    "radish": "daikon",
    "salad": "coleslaw",
    "sandwich": "hoagie",
    "sauce": "gravy",
    "seat": "stool",
    "shirt": "jersey",
    "shoe": "sneaker",
    "sink": "washbasin",
    "sofa": "couch",
    "spectacles": "eyeglasses",
    "stove": "kitchen_range",
    "sunglass": "shades",
    "sweater": "pullover",
    "teeth": "dentition",
    "television": "tv",
    "toilet": "lavatory",
    "toilet_paper": "bathroom_tissue",
    "trashcan": "dustbin",
    "tray": "salver",
    "underwear": "lingerie",
    "vegetable_oil": "canola",
    "washer": "washing_machine",
    "washing_machine": "washer",
    "wreath": "garland",
}

UNRENAMED = (  # no such noun is known
    *("alarm", "ball", "bathroom", "bathroom_counter", "bathtub", "bow", "bowl", "button", "cabinet"),
    *("caldron", "carton", "carving_knife", "casserole", "ceiling", "chair", "character", "christmas_tree"),
    *("coffe_maker", "coffee_filter", "coffee_table", "colander", "countertop", "cpuscreen", "date"),
    *("detergent", "dining_room", "dish_soap", "dishrack", "dishtowel", "dishwasher", "door", "doorjamb"),
    *("duffel_bag", "dustpan", "dvd_player", "earphone", "egg", "envelope", "floor", "floor_lamp", "food"),
    *("food_egg", "food_food", "freezer", "grill", "ground_coffee", "hair", "hamburger", "hand_towel"),
    *("hands_both", "hardback", "headset", "highchair", "home_office", "juice", "kettle", "keyboard"),
    *("kitchen_cabinet", "kitchen_counter", "knife", "lamp", "laptop", "laundry_detergent", "lemon", "light"),
    *("mat", "microwave", "milk", "mouse", "mousepad", "oatmeal", "olive", "oven", "paper_towel", "parsley"),
    *("peach", "pencil_box", "plate", "pot", "pot_plant", "printer", "pumpkin", "rag", "receptacle"),
    *("remote_control", "ribbon", "sauce_pan", "scanner", "scraper", "screwdriver", "scrub_brush", "shampoo"),
    *("sheet", "sheets", "shelf", "shower", "snack_food", "soap", "sock", "stereo", "strawberry", "sugar"),
    *("sushi", "table", "tea_bag", "teapot", "toaster", "tomato", "tooth_paste", "toothbrush"),
    *("toothbrush_holder", "toothpaste", "towel", "wall", "wall_clock", "walllamp", "water", "water_glass"),
    *("window", "wrapping"),
)

DISTRACTORS = (
    *("air conditioner", "aquarium", "baby stroller", "barbell", "bicycle", "bird cage", "bookcase", "bread bin"),
    *("camera", "chandelier", "chessboard", "clothesline", "coat rack", "cookbook", "crib", "cutting board"),
    *("dehumidifier", "doormat", "drum kit", "electric fan", "fireplace", "flashlight", "flower vase", "footstool"),
    *("fruit basket", "globe", "guitar", "hair dryer", "hammock", "humidifier", "ironing board", "juicer"),
    *("ladder", "lawn mower", "luggage rack", "magazine stand", "mailbox", "microscope", "mirror", "mop"),
    *("music box", "nightstand", "ottoman", "paint roller", "pepper mill", "photo album", "piano", "pressure cooker"),
    *("radiator", "record player", "rice cooker", "rocking horse", "rolling pin", "sewing machine", "shoehorn"),
    *("skateboard", "stapler", "suitcase", "telescope", "thermostat", "toolbox", "tricycle", "typewriter"),
    *("umbrella", "vacuum cleaner", "violin", "waffle iron", "wardrobe", "watering can", "wheelbarrow", "wine rack"),
)


def clashing(one: str, other: str) -> bool:
    """Whether a word of three letters or more of one name stands in the other."""
    (key, words), (other_key, other_words) = _words(one), _words(other)
    return any(word in other_key for word in words) or any(word in key for word in other_words)


@lru_cache(4096)
def _words(name: str) -> tuple[str, tuple[str, ...]]:
    """A name as names are compared, and its words of three letters or more."""
    key = object_key(name)
    return key, tuple(word for word in re.split(r"[\W_\d]+", key) if len(word) > 2)
