"""What can be asked of the things in a scene for each kind of frames: in plain words, with replies to choose from."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from vantage.questions import PORTABLE
from vantage.questions.lexicon import could_be_called, with_article
from vantage.scenes.catalog import labels
from vantage.scenes.spec import COLORS, MATERIALS, OPPOSITES, ObjectSpec, SceneSpec

_REPLIES = 4  # to choose from, where there are as many
_FLAT = ("rug", "curtain", "door", "doorway", "window", "picture")  # part of the building, or hardly told apart from it
_FEWEST, _MOST = 2, 4  # things that are counted
_WORDS = ("MILK", "SUGAR", "RICE", "TEA")  # printed nowhere in particular: replies where a set prints few words


@dataclass(frozen=True)
class Ask:
    """A question about one scene, of which no view is chosen yet.

    Attributes:
        alike: instance ids of all things that may be called as the targets are, the targets among them.
        replies, answer, targets, truth_kind, program: as of ``Frame``.
    """

    kind: str
    question: str
    replies: tuple[str, ...]
    answer: str
    targets: tuple[int, ...]
    alike: tuple[int, ...]
    truth_kind: str
    program: str = ""


def asks_of(spec: SceneSpec, words: Iterable[str], rng: np.random.Generator) -> dict[str, list[Ask]]:
    """All questions about a scene by kind, in a random order.

    Only things that a label, or a colour and a label, names alone in the scene are asked about.

    Args:
        words: that are printed anywhere, as wrong replies.
    """
    named = _Named(spec)
    printed = sorted({*words, *_WORDS})
    found: dict[str, list[Ask]] = {}
    for ask in (*_of_things(named, printed, rng), *_of_groups(named, rng), *_of_tops(named, rng)):
        found.setdefault(ask.kind, []).append(ask)
    return {kind: [asks[k] for k in rng.permutation(len(asks))] for kind, asks in found.items()}


class _Named:
    """The things of a scene that are small enough to be asked about, and the words that name each alone."""

    def __init__(self, spec: SceneSpec) -> None:
        self.things = [obj for obj in spec.objects if not obj.is_structure and obj.label not in _FLAT]
        self._labels = Counter(obj.label for obj in self.things)
        self._colored = Counter((obj.color, obj.label) for obj in self.things)

    def alone(self, obj: ObjectSpec) -> bool:
        return self._labels[obj.label] == 1

    def name(self, obj: ObjectSpec) -> str:
        """Empty where neither the label nor the colour and the label suffice."""
        if self.alone(obj):
            return obj.label
        return f"{obj.color} {obj.label}" if obj.color and self._colored[obj.color, obj.label] == 1 else ""

    def alike(self, label: str) -> tuple[int, ...]:
        """Ids of what may be called so, such as a laundry basket a basket."""
        return tuple(obj.instance_id for obj in self.things if _share_word(obj.label, label))

    @property
    def absent(self) -> list[str]:
        """Labels by which nothing here may be called, sorted."""
        present = [*self._labels, *_FLAT]
        return [label for label in sorted(set(labels())) if not any(_share_word(label, each) for each in present)]


def _of_things(named: _Named, printed: Sequence[str], rng: np.random.Generator) -> Iterator[Ask]:
    for obj in named.things:
        name = named.name(obj)

        def ask(
            kind: str, question: str, replies: tuple[str, ...], answer: str, asked: str, of: ObjectSpec = obj
        ) -> Ask:
            program = f"query(unique(filter(scene(), 'label', '{of.label}')), '{asked}')" if asked else ""
            targets = (of.instance_id,)
            return Ask(kind, question, replies, answer, targets, named.alike(of.label), asked or "label", program)

        if named.alone(obj):
            for kind in ("size", "hidden"):
                replies = _among(obj.label, named.absent, rng)
                yield ask(kind, "Which of these things does the picture show?", replies, obj.label, "")
            if obj.color in COLORS:
                replies = _among(obj.color, list(COLORS), rng)
                yield ask("colour", f"What colour is the {name}?", replies, obj.color, "color")
            if obj.material in MATERIALS:
                replies = _among(obj.material, list(MATERIALS), rng)
                yield ask("material", f"What is the {name} made of?", replies, obj.material, "material")
        if name and obj.text and obj.text in printed:
            for kind in ("letter", "slant"):
                replies = _among(obj.text, _as_long(obj.text, printed), rng)
                yield ask(kind, f"What is printed on the {name}?", replies, obj.text, "text")
        for state in obj.states if name else ():
            pair = next((each for each in OPPOSITES if state in each), None)
            if pair is not None:
                question = f"Is the {name} {pair[0]} or {pair[1]}?"
                for kind in ("state", *_state_kinds(obj, state)):
                    yield ask(kind, question, pair, state, "state")


def _state_kinds(obj: ObjectSpec, state: str) -> Iterator[str]:
    if state in ("open", "closed") and obj.joints:
        yield "part"
    if state in ("on", "off") and any("screen" in part.look for part in obj.parts):
        yield "front"
    if state in ("full", "empty"):
        yield "contents"


def _of_groups(named: _Named, rng: np.random.Generator) -> Iterator[Ask]:
    """How many things of a label are on or in something."""
    known = {obj.instance_id: obj for obj in named.things}
    groups: dict[tuple[str, str, int], list[int]] = {}
    for obj in named.things:
        groups.setdefault((obj.label, obj.relation, obj.parent), []).append(obj.instance_id)
    for (label, relation, parent), members in groups.items():
        place = named.name(known[parent]) if parent in known else ""
        if not place or not _FEWEST <= len(members) <= _MOST:
            continue
        first = max(1, len(members) - int(rng.integers(0, _REPLIES)))
        replies = tuple(str(first + k) for k in range(_REPLIES))
        question = f"How many things of the kind '{label}' are {relation} the {place}?"
        for kind in ("count", "place") if relation == "on" else ("count",):
            yield Ask(kind, question, replies, str(len(members)), tuple(members), named.alike(label), "count")


def _of_tops(named: _Named, rng: np.random.Generator) -> Iterator[Ask]:
    """Whether something that is nowhere in a scene is on something else, which holds other things."""
    known = {obj.instance_id: obj for obj in named.things}
    present = {obj.label for obj in named.things}
    small = [label for label in PORTABLE if not any(could_be_called(each, label) for each in present)]
    for parent in sorted({obj.parent for obj in named.things if obj.relation == "on" and obj.parent in known}):
        support = known[parent]
        place = named.name(support)
        if place and small:
            asked = small[int(rng.integers(len(small)))]
            program = (
                f"exist(relate(filter(scene(), 'label', '{asked}'), 'on', "
                f"unique(filter(scene(), 'label', '{support.label}'))))"
            )
            question = f"Is there {with_article(asked)} on the {place}?"
            alike = named.alike(support.label)
            yield Ask("top", question, ("yes", "no"), "no", (parent,), alike, "existence", program)


def _as_long(text: str, words: Sequence[str]) -> list[str]:
    """Those of some words whose length is nearest to that of a text, so that the length alone does not tell it."""
    return sorted(words, key=lambda word: abs(len(word) - len(text)))[: 2 * _REPLIES]


def _share_word(first: str, second: str) -> bool:
    return not set(first.split()).isdisjoint(second.split())


def _among(answer: str, others: Sequence[str], rng: np.random.Generator) -> tuple[str, ...]:
    """The answer among some other replies, in a random order."""
    wrong = [reply for reply in others if reply != answer]
    drawn = [wrong[k] for k in rng.permutation(len(wrong))[: _REPLIES - 1]]
    replies = [answer, *drawn]
    return tuple(replies[k] for k in rng.permutation(len(replies)))


def printed_words(specs: Iterable[SceneSpec]) -> list[str]:
    """All words that are printed on things, sorted."""
    return sorted({obj.text for spec in specs for obj in spec.objects if obj.text})
