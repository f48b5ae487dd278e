"""Print where people must look for it: on the tops of things, in open containers, and large on posters and rugs.

Words are put on parts that objects have already, so that nothing is in the way that was not there before.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from vantage.scenes.spec import ObjectSpec, Part, SceneSpec

_POSTERS = ("CINEMA", "JAZZ", "CIRCUS", "OPERA", "ALPS", "SURF", "MUSEUM", "THEATRE")
_MATS = ("WELCOME", "HOME", "HELLO")
_COVERS = ("ATLAS", "POEMS", "BIRDS", "TRAVEL", "MYTHS", "STARS", "ROSES", "CHESS")
_TAGS = ("SPARE", "LOT 42", "KEEP DRY", "SIZE L", "NO 7", "OAK", "MADE IN ITALY", "FRAGILE")
_BY_LABEL = {"picture": _POSTERS, "rug": _MATS, "book": _COVERS}
_INSIDE = frozenset({"basket", "crate", "chest", "box", "bin", "laundry basket", "suitcase", "toolbox", "cabinet"})
_INSIDE |= {"wardrobe", "fridge", "dresser", "nightstand"}
_BEHIND_DOORS = frozenset({"cabinet", "wardrobe", "fridge"})
_POSTER_LETTER, _MAT_LETTER, _TOP_LETTER = (0.05, 0.10), (0.08, 0.12), (0.02, 0.045)  # m, least and most
_FLAT = 0.03  # m: thicker parts are no boards
_BROAD = 0.05  # m: the shorter side of a part that is printed on, at least
_RIM = 0.004  # m by which other parts may stand out above it
_TOUCH = 5e-4  # m between faces of one height
_PRINTED = 0.7  # share of the things with a place for print that bear some


@dataclass(frozen=True)
class _Place:
    """Where an object can bear print: the number of a part, the face, and the least and largest letters, m."""

    part: int
    face: str
    letter: tuple[float, float]


def with_prints(spec: SceneSpec) -> SceneSpec:
    """A home with such print, by lot from its seed; no words are there twice where they are of one kind."""
    rng = np.random.default_rng([spec.seed, len(spec.rooms), len(spec.objects)])
    carrying = {obj.parent for obj in spec.objects if obj.relation == "on"}
    piles: dict[tuple[str, ...], list[str]] = {}
    objects = []
    for obj in spec.objects:
        place = None if obj.is_structure else _place(obj, obj.instance_id in carrying)
        drawn, share = float(rng.random()), float(rng.random())
        words = ""
        if place is not None and drawn < _PRINTED:
            words = obj.text or _drawn(piles, _BY_LABEL.get(obj.label, _TAGS), rng)
        if place is None or not words:
            objects.append(obj)
            continue
        low, high = place.letter
        objects.append(_printed(obj, place, words, round(low + share * (high - low), 3)))
    return replace(spec, objects=tuple(objects))


def _drawn(piles: dict[tuple[str, ...], list[str]], words: tuple[str, ...], rng: np.random.Generator) -> str:
    """The next of some words in a random order, empty once all were used."""
    pile = piles.setdefault(words, [words[int(k)] for k in rng.permutation(len(words))])
    return pile.pop() if pile else ""


def _place(obj: ObjectSpec, carries: bool) -> _Place | None:
    if obj.label == "picture":
        return _broadest(obj, "x+", [k for k, part in enumerate(obj.parts) if part.look == "painting"], _POSTER_LETTER)
    if obj.label == "rug":
        return None if carries else _broadest(obj, "z+", range(len(obj.parts)), _MAT_LETTER)
    if obj.label in _INSIDE and "open" in obj.states:
        return _inside(obj)
    if carries or obj.relation == "in" or not (obj.label == "book" or (obj.text and "closed" in obj.states)):
        return None
    tops = [part.center[2] + 0.5 * part.size[2] for part in obj.parts]
    level = max((top for part, top in zip(obj.parts, tops, strict=True) if min(part.size[:2]) >= _BROAD), default=0.0)
    if level < max(tops) - _RIM:
        return None
    return _broadest(obj, "z+", [k for k, top in enumerate(tops) if top > level - _TOUCH], _TOP_LETTER)


def _inside(obj: ObjectSpec) -> _Place | None:
    """The inside of an open container: the bottom of its open drawer, its back behind open doors, or its bottom."""
    moved = {joint.part for joint in obj.joints if joint.position > joint.low}
    drawers = [k for k, part in enumerate(obj.parts) if part.name in moved and part.size[2] < _FLAT]
    found = _broadest(obj, "z+", drawers, _TOP_LETTER)
    if found is not None:
        return found
    body = [k for k, part in enumerate(obj.parts) if part.name not in moved]
    if obj.label in _BEHIND_DOORS:
        back = min((obj.parts[k].center[0] for k in body if obj.parts[k].size[0] < _FLAT), default=0.0)
        return _broadest(obj, "x+", [k for k in body if obj.parts[k].center[0] < back + _TOUCH], _POSTER_LETTER)
    boards = [k for k in body if obj.parts[k].size[2] < _FLAT and "z+" not in obj.parts[k].open_faces]
    lowest = min((obj.parts[k].center[2] for k in boards), default=0.0)
    return _broadest(obj, "z+", [k for k in boards if obj.parts[k].center[2] < lowest + 0.01], _TOP_LETTER)


def _broadest(obj: ObjectSpec, face: str, parts: Sequence[int], letter: tuple[float, float]) -> _Place | None:
    """The part with the largest area to print on, of some; None where none is broad enough."""
    sides = {k: (obj.parts[k].size[1], obj.parts[k].size[2 if face == "x+" else 0]) for k in parts}
    bearing = ("box", "cylinder") if face == "z+" else ("box",)
    fitting = [k for k in parts if obj.parts[k].shape in bearing and min(sides[k]) >= _BROAD]
    best = max(fitting, key=lambda k: sides[k][0] * sides[k][1], default=None)
    return None if best is None else _Place(best, face, letter)


def _printed(obj: ObjectSpec, place: _Place, words: str, letter: float) -> ObjectSpec:
    """The object with its only print at a place; a look that would cover words is taken off."""

    def made(number: int, part: Part) -> Part:
        if number != place.part:
            return replace(part, text="", print_face="x+", letter=0.0)
        return replace(part, text=words, print_face=place.face, letter=letter, look="label")

    return replace(obj, parts=tuple(made(number, part) for number, part in enumerate(obj.parts)))
