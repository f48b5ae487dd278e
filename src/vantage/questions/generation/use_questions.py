"""Questions about a thing that is told by its use alone: which thing in the kitchen could I use to cut bread?

The use must single it out for anybody: nothing else in the place that is named is for that use, or might be named for
it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from vantage.questions.generation.drafts import Draft, QuestionScene
from vantage.questions.generation.facts import Facts
from vantage.questions.generation.giveaways import names_answer
from vantage.questions.generation.referring_expressions import Phrase
from vantage.questions.generation.visible_looks import shows_its
from vantage.questions.kinds import OPPOSITES
from vantage.questions.lexicon import Use, gerund, is_for, may_serve, third_person, uses
from vantage.questions.programs import Filter, ObjectSet, Query, Scene, Unique
from vantage.scenes.graph import GraphNode

_ASKED = ("color", "shape", "state")
_FORMS = {"state": "which state"}
_OTHERWISE = 0.4  # share of questions that ask for something else of the thing than what it is


@dataclass(frozen=True)
class _Usable:
    """The one thing for a use, in a room or, where none is named, in the whole scene."""

    obj: GraphNode
    use: Use
    room: str

    @property
    def objects(self) -> ObjectSet:
        told = Filter(Scene(), "use", self.use.name)
        return Filter(told, "room", self.room) if self.room else told

    @property
    def wordings(self) -> tuple[str, ...]:
        """Those of the use that do not name the thing."""
        return tuple(wording for wording in self.use.wordings if not names_answer(wording, self.obj.label))

    @property
    def place(self) -> str:
        return f"in the {self.room}" if self.room else ""


def ask_use(asking: QuestionScene) -> Iterator[Draft]:
    """Which thing in the kitchen could I use to cut bread? What color is the thing that tells the time?"""
    found = [one for use in uses().values() for one in _usable(asking.facts, use)]
    for one in asking.evenly(found, lambda one: one.obj.label):
        attribute = asking.pick(_ASKED) if asking.chance(_OTHERWISE) else "label"
        told = attribute != "label" and _is_told(asking.facts, one, attribute)
        if told:
            yield _what(asking, one, attribute)
        elif one.wordings:
            yield _which(asking, one)


def _usable(facts: Facts, use: Use) -> Iterator[_Usable]:
    """Things that a use singles out in the scene, and in their rooms; none in a container."""
    fitting = [node for node in facts.in_sight if is_for(node.label, use.name) and not facts.is_contained(node)]
    serving = [node for node in facts.truths.objects if may_serve(node.label, use.name)]
    for obj in fitting:
        room = facts.named_room(obj)
        if len(serving) == 1:
            yield _Usable(obj, use, "")
        if room and sum(node.room in (0, obj.room) for node in serving) == 1:
            yield _Usable(obj, use, room)


def _is_told(facts: Facts, one: _Usable, attribute: str) -> bool:
    """Whether an attribute has one word that somebody can see, and that the question does not say."""
    if attribute == "state":
        return len(one.obj.states) == 1 and one.obj.states[0] in OPPOSITES
    if not shows_its(facts, one.obj, attribute):
        return False
    return facts.truths.word(one.obj, attribute) not in ("", one.obj.label)


def _which(asking: QuestionScene, one: _Usable) -> Draft:
    wording = asking.pick(one.wordings)
    parts = {"use": wording, "uses": third_person(wording), "place": one.place, "end": _end(one.use)}
    if one.use.by_itself:
        form = "use itself"
    elif not one.use.ends:
        form = "use"
    else:
        form = "use in" if one.use.is_place else "use with"
    return Draft(asking.worded(form, **parts), Query(Unique(one.objects), "label"), (one.obj.instance_id,))


def _what(asking: QuestionScene, one: _Usable, attribute: str) -> Draft:
    """A question for something else, about "the thing in the kitchen that I could cut bread with"."""
    wording = asking.pick(one.use.wordings)
    clauses: tuple[str, ...]
    if one.use.by_itself:
        clauses = (f"that {third_person(wording)}",)
    else:
        clauses = (f"that I could {wording} {_end(one.use)}".rstrip(), f"for {gerund(wording)}")
        clauses += () if one.use.is_place else (f"that is used to {wording}",)
    phrase = Phrase("thing", one.objects, after=(*((one.place,) if one.place else ()), asking.pick(clauses)))
    first, second = "", ""
    if attribute == "state":
        first, second = asking.shuffled((one.obj.states[0], OPPOSITES[one.obj.states[0]]))
    text = asking.worded(_FORMS.get(attribute, attribute), the=phrase.the, state=first, other=second)
    return Draft(text, Query(phrase.one, attribute), (one.obj.instance_id,))


def _end(use: Use) -> str:
    return use.ends[0] if use.ends else ""
