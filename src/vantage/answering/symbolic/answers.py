"""The answer to a program on the observed scene, in words, with the objects that it rests on."""

from __future__ import annotations

from dataclasses import dataclass, replace

from vantage.answering.protocol import LookAt, LookFor
from vantage.answering.symbolic import confidence, wording
from vantage.answering.symbolic.answer_basis import counted_on, objects_shown
from vantage.answering.symbolic.evaluation import Evaluation
from vantage.answering.symbolic.masses import feels, heavier, weigh
from vantage.answering.symbolic.next_views import closer, closer_text, heavy_text, settled, telling, turned_to
from vantage.answering.symbolic.observed_facts import SeenObject
from vantage.answering.symbolic.predicates import PLACED, has, nearer_size, place_of, same, stands, word_of
from vantage.answering.symbolic.three_valued_sets import (
    AmbiguousReferent,
    CannotTell,
    Looks,
    NoReferent,
    NotSeen,
    SearchCompleteness,
    Truth,
    Undecided,
    exceeds,
)
from vantage.questions import inner_steps, programs as steps


@dataclass(frozen=True)
class Finding:
    """An answer.

    Attributes:
        answer: bare, such as ``blue`` or ``yes``.
        explanation: a sentence in front of it, empty where it needs none.
        objects: what it is about, and then what that was described by.
        confidence: 0..1.
        absent: it says that nothing is there.
        look_for: what to look at again to become surer.
        shown: what a view must show for the answer to be read off it.
        attribute: that is told of these.
        place: that things are counted on, or compared.
    """

    answer: str
    explanation: str
    objects: tuple[SeenObject, ...]
    confidence: float
    absent: bool = False
    look_for: Looks = ()
    shown: tuple[SeenObject, ...] = ()
    attribute: str = ""
    place: SeenObject | None = None


def answer(program: steps.Program, number: int | None, evaluation: Evaluation) -> Finding:
    """The answer to a program.

    Args:
        number: claimed of the objects that it is about, or asked about in a count.

    Raises:
        Unsettled: a premise fails, or more must be seen.
    """
    found = _answer(program, number, evaluation)
    try:
        shown = objects_shown(program, found.objects, found.absent, evaluation)
        place = counted_on(program, evaluation)
    except Undecided:  # something that others are compared with is not known
        shown, place = found.objects[:1], None
    asked = program.attribute if isinstance(program, (steps.Query, steps.Verify)) else ""
    if any(getattr(step, "attribute", "") == "text" for step in inner_steps(program)):
        asked = "text"
    sure = min(found.confidence, evaluation.certainty)
    return replace(found, shown=shown, attribute=asked, confidence=sure, place=place)


def _answer(program: steps.Program, number: int | None, evaluation: Evaluation) -> Finding:
    if isinstance(program, steps.Exist):
        return _exist(program, evaluation)
    if isinstance(program, steps.Count):
        return _count(program, number, evaluation)
    if isinstance(program, steps.Query):
        return _query(program, evaluation)
    if isinstance(program, steps.QueryEach):
        return _query_each(program, evaluation)
    if isinstance(program, steps.Alike):  # one of them at a time
        return _query(steps.Query(program.one, program.attribute), evaluation)
    if isinstance(program, steps.Verify):
        return _verify(program, evaluation)
    if isinstance(program, steps.VerifyRelation):
        return _verify_relation(program, evaluation)
    if isinstance(program, steps.CompareNumber):
        return _compare_number(program, evaluation)
    if isinstance(program, steps.CompareQuantity):
        return _compare_quantity(program, evaluation)
    return _compare_attribute(program, evaluation)


def absence(step: steps.ObjectSet, closure: SearchCompleteness) -> str:
    """That there is nothing of the kind, and how far that was looked at."""
    comma = "," if is_partial(closure) else ";"
    return f"there is no {wording.phrase(step).words()}{comma} {closure.said}"


def is_partial(closure: SearchCompleteness) -> bool:
    """Whether a space counts as seen though part of it was not."""
    return closure.said.startswith("as far")


def _exist(program: steps.Exist, evaluation: Evaluation) -> Finding:
    selection = evaluation.objects(program.objects)
    if selection.sure:
        best = max(selection.sure, key=lambda obj: obj.confidence)
        return _found("yes", "", (best,), evaluation, taken=False)
    closure = settled(program.objects, selection)
    explanation = absence(program.objects, closure)
    return Finding("no", explanation, _around(closure, evaluation), closure.confidence, absent=True)


def _count(program: steps.Count, number: int | None, evaluation: Evaluation) -> Finding:
    selection = evaluation.objects(program.objects)
    closure = settled(program.objects, selection)
    count = len(selection.sure)
    objects = selection.sure or _around(closure, evaluation)
    sure = min((closure.confidence, *(obj.confidence for obj in selection.sure)))
    if number is None:
        return Finding(str(count), "", objects, sure, absent=count == 0)
    explanation = f"there {wording.be(count)} {wording.counted(count, program.objects)}"
    return Finding(yes_or_no(number == count), explanation, objects, sure)


def _query(program: steps.Query, evaluation: Evaluation) -> Finding:
    obj = evaluation.one(program.one)
    attribute = program.attribute
    word = _word(obj, attribute, evaluation)
    found = _found(word, "", (obj, *_rests_on(obj, attribute, evaluation)), evaluation)
    return _agreed(found, obj, attribute)


def _query_each(program: steps.QueryEach, evaluation: Evaluation) -> Finding:
    """All values among several objects, each once, in the order of the alphabet."""
    selection = evaluation.objects(program.objects)
    closure = settled(program.objects, selection)
    if not selection.sure:
        raise NoReferent(steps.Unique(program.objects), closure)
    facts, attribute = evaluation.facts, program.attribute
    if attribute == "text":
        evaluation.need_text()
    told = {obj: word_of(facts, obj, attribute) for obj in selection.sure}
    unknown = [obj for obj, word in told.items() if word is None]
    if unknown and not facts.exhausted:
        looks = tuple(look for obj in unknown for look in telling(facts, obj, attribute))
        raise NotSeen(closer_text(unknown[0]), tuple(dict.fromkeys(looks)))
    words = {word for obj, word in told.items() for word in (obj.states if attribute == "state" else (word,)) if word}
    if not words:
        raise CannotTell(f"I see {wording.counted(len(told), program.objects)}, but no {attribute} that I could name.")
    found = _found(", ".join(sorted(words)), "", selection.sure, evaluation)
    agreed = min(obj.agreement(attribute) for obj, word in told.items() if word)
    found = replace(found, confidence=found.confidence * agreed * (0.5 if unknown else 1.0))
    return replace(found, confidence=min(found.confidence, closure.confidence))


def _word(obj: SeenObject, attribute: str, evaluation: Evaluation) -> str:
    """The value of an attribute.

    Raises:
        NotSeen: it was not made out yet.
        CannotTell: the object has none.
    """
    facts = evaluation.facts
    word = word_of(facts, obj, attribute)
    if word:
        return word
    if attribute == "place" and (word == "" or facts.exhausted):
        room = facts.room_of(obj)
        if room is not None and room is not obj and room.label:
            return f"in the {room.label}"
    if word == "" and attribute == "text" and obj.key not in facts.unprinted and not obj.is_room:
        evaluation.need_text()
        text = f"I see the {obj.label}, but could not read anything on the sides of it that I saw."
        raise NotSeen(text, (closer(obj, attribute),))
    if attribute == "size" and (nearer := nearer_size(facts, obj)):
        if facts.exhausted:
            return nearer
        word = None  # another one of the kind may decide it
    if word == "" or (facts.exhausted and attribute in ("size", "room")):
        none = {
            "weight": "it is neither light nor heavy for one" if feels(facts) else "I cannot see how heavy it is",
            "text": "nothing readable is written on it",
            "size": "I see no other one to compare its size with",
        }
        said = none.get(attribute, f"it has no {attribute} that I could name")
        raise CannotTell(wording.finished(f"I see the {obj.label}, but {said}", ""))
    if attribute == "weight" or (attribute == "size" and facts.hidden):
        looks = telling(facts, obj, attribute)
        unseen = f"I have not seen all that the {attribute} of the {obj.label} is compared with yet."
        raise NotSeen(heavy_text(looks) if looks[0].what is LookAt.WEIGH else unseen, looks)
    if attribute in ("size", "room"):
        look = LookFor(LookAt.ANYWHERE, obj.label)
        raise NotSeen(f"I have not seen enough around the {obj.label} to tell its {attribute} yet.", (look,))
    if attribute == "text":
        evaluation.need_text()
    raise NotSeen(closer_text(obj), (closer(obj, attribute),))


def _verify(program: steps.Verify, evaluation: Evaluation) -> Finding:
    facts, obj = evaluation.facts, evaluation.one(program.one)
    attribute, value = program.attribute, program.value
    holds = has(facts, obj, attribute, value)
    if holds is None:
        _word(obj, attribute, evaluation)
    word = word_of(facts, obj, attribute)
    explanation = ""
    if word:
        explanation = f"{wording.the(program.one)} is {wording.predicate(attribute, word)}"
    rests = _rests_on(obj, attribute, evaluation)
    found = _found(yes_or_no(holds), explanation, (obj, *rests), evaluation)
    return found if facts.hidden and not word else _agreed(found, obj, attribute)


def _verify_relation(program: steps.VerifyRelation, evaluation: Evaluation) -> Finding:
    """Whether an object is there; at a place that was looked at completely, it need not be found anywhere else."""
    relation = program.relation
    try:
        obj = evaluation.one(program.one)
    except (NotSeen, AmbiguousReferent):
        if relation not in PLACED or not isinstance(program.one, steps.Unique):
            raise
        return _exist(steps.Exist(steps.Relate(program.one.objects, relation, program.anchor)), evaluation)
    anchor = evaluation.anchor(program.anchor)
    viewer = evaluation.viewer(relation, program.viewer)
    holds = stands(evaluation.facts, obj, relation, anchor, viewer, evaluation.loose)
    if holds is None:
        unsure = tuple(closer(each) for each in (obj, anchor))
        raise NotSeen(closer_text(obj), unsure)
    explanation = ""
    if not holds and relation in PLACED:
        place = place_of(evaluation.facts, obj)
        explanation = f"{wording.the(program.one)} is {place}" if place else ""
    return _found(yes_or_no(holds), explanation, (obj, anchor), evaluation)


def _compare_number(program: steps.CompareNumber, evaluation: Evaluation) -> Finding:
    pairs = [(step, evaluation.objects(step)) for step in (program.first, program.second)]
    first, second = (selection.number for _, selection in pairs)
    holds = {
        "more": lambda: first.is_more(second),
        "fewer": lambda: second.is_more(first),
        "equal": lambda: first.is_equal(second),
    }[program.relation]()
    if holds is None:
        for step, selection in pairs:
            settled(step, selection)
    objects = tuple(dict.fromkeys(obj for _, selection in pairs for obj in selection.sure))
    sure = [obj.confidence for obj in objects]
    sure += [selection.closure.confidence for _, selection in pairs if selection.closure.complete]
    counts = [wording.counted(len(selection.sure), step) for step, selection in pairs]
    explanation = (
        f"there {wording.be(len(pairs[0][1].sure))} {' and '.join(counts)}" if first.exact and second.exact else ""
    )
    return Finding(yes_or_no(holds), explanation, objects, min(sure, default=confidence.ASKING_BACK))


def _compare_quantity(program: steps.CompareQuantity, evaluation: Evaluation) -> Finding:
    if program.quantity == "mass":
        return _compare_mass(program, evaluation)
    first, second = evaluation.one(program.first), evaluation.one(program.second)
    spans = [evaluation.measured(obj, program.quantity) for obj in (first, second)]
    more, less = reversed(spans) if program.least else spans
    holds = exceeds(more, less, evaluation.facts.settings.ratio)
    if holds is None:
        raise NotSeen(closer_text(first), (closer(first), closer(second)))
    return _found(yes_or_no(holds), "", (first, second), evaluation)


def _compare_mass(program: steps.CompareQuantity, evaluation: Evaluation) -> Finding:
    if not feels(evaluation.facts):
        raise CannotTell(f"I cannot see which is {'lighter' if program.least else 'heavier'}.")
    first, second = evaluation.one(program.first), evaluation.one(program.second)
    judged = heavier(evaluation.facts, *((second, first) if program.least else (first, second)))
    if judged.truth is None:
        looks = weigh((first, second))
        raise NotSeen(heavy_text(looks), looks)
    evaluation.certainty = min(evaluation.certainty, judged.certainty)
    return _found(yes_or_no(judged.truth), "", (first, second), evaluation)


def _compare_attribute(program: steps.CompareAttribute, evaluation: Evaluation) -> Finding:
    first, second = evaluation.one(program.first), evaluation.one(program.second)
    holds = same(evaluation.facts, first, second, program.attribute)
    words = [word_of(evaluation.facts, obj, program.attribute) for obj in (first, second)]
    if holds is None:
        for obj, word in zip((first, second), words, strict=True):
            if word is None:
                _word(obj, program.attribute, evaluation)
    explanation = ""
    if not holds and all(words):
        names = wording.the(program.first), wording.the(program.second)
        said = [wording.predicate(program.attribute, str(word)) for word in words]
        explanation = f"{names[0]} is {said[0]}, {names[1]} is {said[1]}"
    return _found(yes_or_no(holds), explanation, (first, second), evaluation)


def _found(
    word: str, explanation: str, objects: tuple[SeenObject, ...], evaluation: Evaluation, taken: bool = True
) -> Finding:
    about = tuple(dict.fromkeys((*objects, *evaluation.picked.values())))
    exhausted = evaluation.facts.exhausted or not taken
    sure = confidence.of_objects((obj.confidence for obj in about), exhausted, evaluation.guessed)
    looks = tuple(closer(obj) for obj in about if obj.confidence < confidence.SURE)
    cut_off = [turned_to(obj) for obj in objects if obj.cut_off]
    cut_off += [closer(obj) for obj in objects if obj.glimpsed]
    if cut_off and not evaluation.facts.exhausted:
        sure = min(sure, confidence.CUT_OFF)
        looks += tuple(cut_off)
    if evaluation.rivals:
        sure = min(sure, confidence.ELSEWHERE_OPEN)
        looks += evaluation.rivals
    return Finding(word, explanation, about, sure, look_for=looks)


def _agreed(found: Finding, obj: SeenObject, attribute: str) -> Finding:
    """As sure as views agree on an attribute; another look helps where they do not."""
    agreement = obj.agreement(attribute)
    looks = (closer(obj, attribute),) if agreement < confidence.SURE else found.look_for
    return replace(found, confidence=found.confidence * agreement, look_for=looks)


def _around(closure: SearchCompleteness, evaluation: Evaluation) -> tuple[SeenObject, ...]:
    support = () if closure.support is None else (closure.support,)
    return tuple(dict.fromkeys((*support, *evaluation.picked.values())))


def _rests_on(obj: SeenObject, attribute: str, evaluation: Evaluation) -> tuple[SeenObject, ...]:
    """What else an attribute is told by: a place by a support, and a size by all others of the kind."""
    facts = evaluation.facts
    if attribute == "size":
        return tuple(each for each in (facts.rooms if obj.is_room else facts.objects) if each.kind == obj.kind)
    support = facts.support(obj) if attribute == "place" else None
    return () if support is None else (support,)


def yes_or_no(holds: Truth) -> str:
    """What is said of what holds, and of what does not or is not known."""
    return "yes" if holds else "no"
