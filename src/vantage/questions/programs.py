"""Functional programs: what a question asks, step by step, in the manner of CLEVR (Johnson et al. 2017, section 3.3).

A program is a tree of steps. Steps give a set of objects (``ObjectSet``), one object (``One``), a number, a truth value
or a word. ``program_text`` writes it as ``query(unique(filter(scene(), 'label', 'mug')), 'color')``, and
``read_program`` reads that. Rooms are objects too: ``rooms()`` gives them, and their label is the kind of room.

How programs are taken apart, see ``program_parts``.
"""

from __future__ import annotations

import ast
from dataclasses import MISSING, dataclass, fields
from typing import get_args

from vantage.errors import FormatError
from vantage.questions.lexicon import uses
from vantage.registry import did_you_mean

_TOLD = ("label", "color", "material", "shape", "size", "weight", "state", "text", "room")
ATTRIBUTES = (*_TOLD, "use")  # a use is one of ``lexicon.uses``
QUERIES = (*_TOLD, "place")
SAMENESS = ("label", "color", "material", "shape", "size", "state", "room", "place")
RELATIONS = (
    "on",
    "in",
    "at",  # on or in, at any depth: an apple in a bowl on the table is at the table
    "under",
    "above",
    "next to",
    "near",
    "behind",
    "in front of",
    "left of",
    "right of",
)
NUMERIC = ("equal", "more", "fewer")
QUANTITIES = ("size", "height", "length", "mass", "volume", "distance")
SIZES = ("small", "large")
WEIGHTS = ("light", "heavy")  # like small and large, in comparison with others of the label
MAX_LENGTH = 4000  # characters of a program in words
MAX_DEPTH = 40


@dataclass(frozen=True)
class Scene:
    """Every object but the building. Doors and windows count as objects, floors, walls and ceilings do not."""


@dataclass(frozen=True)
class Rooms:
    """Every room."""


@dataclass(frozen=True)
class Filter:
    """Those of ``objects`` whose ``attribute`` (of ``ATTRIBUTES``) has a value; of ``room``: in such a room."""

    objects: ObjectSet
    attribute: str
    value: str


@dataclass(frozen=True)
class Relate:
    """Those of ``objects`` that stand in a relation (of ``RELATIONS``) to ``anchor``.

    ``left of``, ``right of``, ``in front of`` and ``behind`` are as seen by somebody who stands at ``viewer`` and looks
    at the anchor; without a viewer, by the asker, who stands where the episode starts.
    """

    objects: ObjectSet
    relation: str
    anchor: One
    viewer: One | None = None


@dataclass(frozen=True)
class Between:
    """Those of ``objects`` that are between two others."""

    objects: ObjectSet
    first: One
    second: One


@dataclass(frozen=True)
class Compared:
    """Those of ``objects`` with more of a quantity (of ``QUANTITIES``) than ``one``, which is none of them itself.

    As with ``CompareQuantity``, what comes too near to it for anybody to tell does not count; with ``least``, those
    with less.
    """

    objects: ObjectSet
    quantity: str
    one: One
    least: bool = False


@dataclass(frozen=True)
class Union:
    """Objects of either set."""

    first: ObjectSet
    second: ObjectSet


@dataclass(frozen=True)
class Intersect:
    """Objects of both sets."""

    first: ObjectSet
    second: ObjectSet


@dataclass(frozen=True)
class Same:
    """Other objects that share an attribute (of ``SAMENESS``) with ``one``."""

    one: One
    attribute: str


@dataclass(frozen=True)
class Most:
    """Of ``objects``, the one with the most of a quantity (of ``QUANTITIES``), or with the least.

    ``distance`` is that to ``anchor``; without one, to where the episode starts.
    """

    objects: ObjectSet
    quantity: str
    least: bool = False
    anchor: One | None = None


@dataclass(frozen=True)
class Unique:
    """The one object in a set: a premise that there is one, and no second."""

    objects: ObjectSet


@dataclass(frozen=True)
class Count:
    """How many."""

    objects: ObjectSet


@dataclass(frozen=True)
class Exist:
    """Whether there is one."""

    objects: ObjectSet


@dataclass(frozen=True)
class Query:
    """The value of an attribute (of ``QUERIES``); ``place`` is what it is on or in, else its room."""

    one: One
    attribute: str


@dataclass(frozen=True)
class QueryEach:
    """All values that an attribute (of ``QUERIES``) has among several objects, each once; a premise that some exist."""

    objects: ObjectSet
    attribute: str


@dataclass(frozen=True)
class Verify:
    """Whether an attribute (of ``ATTRIBUTES``) has a value."""

    one: One
    attribute: str
    value: str


@dataclass(frozen=True)
class VerifyRelation:
    """Whether ``one`` stands in a relation to ``anchor``; a premise that both exist."""

    one: One
    relation: str
    anchor: One
    viewer: One | None = None


@dataclass(frozen=True)
class CompareNumber:
    """Whether there are as many (``equal``), ``more`` or ``fewer`` in the first set."""

    relation: str
    first: ObjectSet
    second: ObjectSet


@dataclass(frozen=True)
class CompareQuantity:
    """Whether ``first`` has more of a quantity than ``second``; with ``least``, less."""

    quantity: str
    first: One
    second: One
    least: bool = False


@dataclass(frozen=True)
class CompareAttribute:
    """Whether two objects share an attribute (of ``SAMENESS``)."""

    attribute: str
    first: One
    second: One


@dataclass(frozen=True)
class Alike:
    """Whether all objects that a description means share an attribute (of ``QUERIES``): are the two mugs one color."""

    one: One
    attribute: str


ObjectSet = Scene | Rooms | Filter | Relate | Between | Compared | Union | Intersect | Same
One = Unique | Most
Program = (
    Count
    | Exist
    | Query
    | QueryEach
    | Verify
    | VerifyRelation
    | CompareNumber
    | CompareQuantity
    | CompareAttribute
    | Alike
)
Step = ObjectSet | One | Program

_NAMES = {
    "scene": Scene,
    "rooms": Rooms,
    "filter": Filter,
    "relate": Relate,
    "between": Between,
    "compared": Compared,
    "union": Union,
    "intersect": Intersect,
    "same": Same,
    "most": Most,
    "unique": Unique,
    "count": Count,
    "exist": Exist,
    "query": Query,
    "query_each": QueryEach,
    "verify": Verify,
    "verify_relation": VerifyRelation,
    "compare_number": CompareNumber,
    "compare_quantity": CompareQuantity,
    "compare_attribute": CompareAttribute,
    "alike": Alike,
}
_WORDS = {kind: name for name, kind in _NAMES.items()}
_CHOICES: dict[tuple[type, str], tuple[str, ...]] = {
    (Filter, "attribute"): ATTRIBUTES,
    (Relate, "relation"): RELATIONS,
    (Compared, "quantity"): QUANTITIES,
    (Same, "attribute"): SAMENESS,
    (Most, "quantity"): QUANTITIES,
    (Query, "attribute"): QUERIES,
    (QueryEach, "attribute"): QUERIES,
    (Verify, "attribute"): ATTRIBUTES,
    (VerifyRelation, "relation"): RELATIONS,
    (CompareNumber, "relation"): NUMERIC,
    (CompareQuantity, "quantity"): QUANTITIES,
    (CompareAttribute, "attribute"): SAMENESS,
    (Alike, "attribute"): QUERIES,
}
_KINDS = {"ObjectSet": get_args(ObjectSet), "One": get_args(One), "Program": get_args(Program)}


def step_kinds() -> dict[str, type]:
    """The step of each name that programs in words use."""
    return dict(_NAMES)


def name_of(kind: type) -> str:
    """As programs in words call a kind of step."""
    return _WORDS[kind]


def program_text(step: Step) -> str:
    """A step in words; trailing arguments that have their default are left out."""
    arguments = [(getattr(step, item.name), item.default) for item in fields(step)]
    while arguments and arguments[-1][0] == arguments[-1][1]:
        arguments.pop()
    shown = [
        repr(value) if value is None or isinstance(value, (str, bool)) else program_text(value)
        for value, _ in arguments
    ]
    return f"{_WORDS[type(step)]}({', '.join(shown)})"


def read_program(text: str) -> Program:
    """The checked inverse of ``program_text``.

    Raises:
        FormatError: it is no program: unknown steps or words, arguments of the wrong kind, or far too long.
    """
    where = "the program"
    if len(text) > MAX_LENGTH:
        raise FormatError(f"{where} has {len(text)} characters; a question needs at most {MAX_LENGTH}")
    try:
        tree = ast.parse(text.strip(), mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        raise FormatError(f"{where} '{text[:80]}' cannot be read: {error}") from error
    step = _read(tree, 0)
    if not isinstance(step, Program):
        raise FormatError(
            f"{where} '{text[:80]}' gives no answer; its outermost step must be one of {_words('Program')}"
        )
    return step


def _read(node: ast.expr, depth: int) -> Step:
    if depth > MAX_DEPTH:
        raise FormatError(f"the program is nested deeper than {MAX_DEPTH} steps; shorten it")
    if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Name) or node.keywords:
        raise FormatError(f"the program holds '{ast.unparse(node)[:80]}', which is no step; write step(argument, ...)")
    kind = _NAMES.get(node.func.id)
    if kind is None:
        raise FormatError(
            f"the program has the unknown step '{node.func.id}'{did_you_mean(node.func.id, list(_NAMES))}"
        )
    expected = fields(kind)
    needed = sum(item.default is MISSING for item in expected)
    if not needed <= len(node.args) <= len(expected):
        raise FormatError(
            f"the step '{node.func.id}' has {len(node.args)} arguments; "
            f"it takes {', '.join(item.name for item in expected)}"
        )
    values = [
        _argument(kind, item.name, str(item.type), argument, depth)
        for item, argument in zip(expected, node.args, strict=False)
    ]
    made: Step = kind(*values)
    if isinstance(made, (Filter, Verify)) and made.attribute == "use" and made.value not in uses():
        raise FormatError(
            f"the program names the unknown use '{made.value[:80]}'{did_you_mean(made.value, list(uses()))}"
        )
    return made


def _argument(kind: type, name: str, wanted: str, node: ast.expr, depth: int) -> object:
    what = f"'{name}' of the step '{_WORDS[kind]}'"
    base = wanted.removesuffix(" | None")
    if base in ("str", "bool") or (base != wanted and isinstance(node, ast.Constant)):
        value: object = node.value if isinstance(node, ast.Constant) else ...
        if base != wanted and value is None:
            return None
        if type(value).__name__ != base:
            raise FormatError(f"{what} must be of type {base}, got '{ast.unparse(node)[:80]}'")
        choices = _CHOICES.get((kind, name))
        if choices is not None and value not in choices:
            raise FormatError(f"{what} is '{value}'{did_you_mean(str(value), list(choices))}")
        return value
    step = _read(node, depth + 1)
    if not isinstance(step, _KINDS[base]):
        raise FormatError(f"{what} must be one of {_words(base)}, got '{_WORDS[type(step)]}'")
    return step


def _words(kind: str) -> str:
    return ", ".join(_WORDS[member] for member in _KINDS[kind])
