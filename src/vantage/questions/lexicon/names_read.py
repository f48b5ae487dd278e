"""What a reader may take a name for: the one place that decides whether a thing "could be called" so.

Nobody who reads "the cup" knows that the scene calls the thing beside it a mug. So a name may mean what bears it, what
has a synonym or a wider word for it, and what has a narrower one ("the laundry basket" is a basket). The tables of
synonyms and related kinds decide; kinds that dictionaries keep apart and people in a room do not are listed here.
"""

from __future__ import annotations

from functools import lru_cache

from vantage.questions.lexicon.related_kinds import kind_of, may_be_called

_READ_ALIKE = (
    frozenset({"mug", "cup", "glass"}),
    frozenset({"table", "desk"}),
    frozenset({"table", "nightstand"}),
    frozenset({"chair", "stool"}),
    frozenset({"stool", "ottoman"}),
    frozenset({"sofa", "futon"}),
    frozenset({"bed", "futon"}),
    frozenset({"cabinet", "cupboard", "sideboard", "dresser", "counter", "television stand"}),
    frozenset({"cabinet", "cupboard", "wardrobe"}),
    frozenset({"cabinet", "dresser", "nightstand"}),
    frozenset({"bookshelf", "shelf", "rack", "shoe rack"}),
    frozenset({"bin", "bucket", "basket", "laundry basket"}),
    frozenset({"box", "crate", "chest", "toolbox", "speaker"}),
    frozenset({"suitcase", "briefcase", "toolbox"}),
    frozenset({"backpack", "bag", "handbag"}),
    frozenset({"stove", "oven"}),
    frozenset({"microwave", "oven"}),
    frozenset({"fridge", "freezer"}),
    frozenset({"kettle", "teapot"}),
    frozenset({"pot", "pan", "wok"}),
    frozenset({"jar", "vase", "jug", "pitcher"}),
    frozenset({"jar", "can"}),
    frozenset({"bottle", "shampoo", "soap dispenser", "spray bottle", "thermos"}),
    frozenset({"plate", "saucer", "tray"}),
    frozenset({"book", "binder", "notebook", "folder", "magazine"}),
    frozenset({"television", "monitor", "computer"}),
    frozenset({"laptop", "computer", "tablet"}),
    frozenset({"telephone", "phone"}),
    frozenset({"radio", "speaker"}),
    frozenset({"drum", "stool", "ottoman", "bin"}),
    frozenset({"hat", "cap"}),
    frozenset({"shoe", "boots", "slipper"}),
    frozenset({"picture", "poster"}),
    frozenset({"rug", "mat", "carpet"}),
    frozenset({"blanket", "quilt", "towel", "cloth"}),
    frozenset({"lamp", "lantern"}),
    frozenset({"candle", "candlestick", "lantern"}),
    frozenset({"ball", "football"}),
    frozenset({"bear", "doll"}),
)
_TOLD_APART = (frozenset({"counter", "table"}),)  # though a dictionary has a counter for a kind of table


@lru_cache(maxsize=65_536)
def could_be_called(label: str, name: str) -> bool:
    """Whether a reader may take a name for a thing of a kind; either may be singular or plural."""
    kind, named = kind_of(label), kind_of(name)
    pair = frozenset({kind, named})
    if kind == named or pair in _TOLD_APART:
        return kind == named
    return read_alike(label, name) or may_be_called(kind, named) or may_be_called(named, kind)


@lru_cache(maxsize=65_536)
def read_alike(label: str, name: str) -> bool:
    """Whether people in a room take one of two kinds for the other, whatever dictionaries say."""
    pair = frozenset({kind_of(label), kind_of(name)})
    return any(pair <= group for group in _READ_ALIKE)
