"""What a program comes to, on what was seen: an answer in words with what it rests on."""

from __future__ import annotations

from dataclasses import dataclass, replace

from vantage.answering.assessment import LookAt, LookFor
from vantage.answering.symbolic import confidence, wording
from vantage.answering.symbolic.attributes import has, place_of, same, word_of
from vantage.answering.symbolic.evaluation import Evaluation
from vantage.answering.symbolic.logic import Truth
from vantage.answering.symbolic.next_views import closer, closer_text, settled, turned_to
from vantage.answering.symbolic.observed_facts import Thing
from vantage.answering.symbolic.predicates import PLACED, stands
from vantage.answering.symbolic.three_valued_sets import CannotTell, Closure, Looks, NotSeen, Several
from vantage.questions import programs as steps


@dataclass(frozen=True)
class Finding:
    """An answer.

    Attributes:
        answer: bare, such as ``blue`` or ``yes``.
        explanation: a sentence in front of it, empty where it needs none.
        things: what it is about, and then what that was described by.
        confidence: 0..1.
        absent: it says that nothing is there.
        look_for: what to look at again to become surer.
    """

    answer: str
    explanation: str
    things: tuple[Thing, ...]
    confidence: float
    absent: bool = False
    look_for: Looks = ()


def answer(program: steps.Program, number: int | None, evaluation: Evaluation) -> Finding:
    """The answer to a program.

    Args:
        number: claimed of the things that it is about, or asked about in a count.

    Raises:
        Unsettled: a premise fails, or more must be seen.
    """
    if isinstance(program, steps.Exist):
        return _exist(program, evaluation)
    if isinstance(program, steps.Count):
        return _count(program, number, evaluation)
    if isinstance(program, steps.Query):
        return _query(program, evaluation)
    if isinstance(program, steps.Verify):
        return _verify(program, evaluation)
    if isinstance(program, steps.VerifyRelation):
        return _verify_relation(program, evaluation)
    if isinstance(program, steps.CompareNumber):
        return _compare_number(program, evaluation)
    if isinstance(program, steps.CompareQuantity):
        return _compare_quantity(program, evaluation)
    return _compare_attribute(program, evaluation)


def absence(step: steps.Things, closure: Closure) -> str:
    """That there is nothing of the kind, and how far that was looked at."""
    comma = "," if is_partial(closure) else ";"
    return f"there is no {wording.phrase(step).words()}{comma} {closure.said}"


def is_partial(closure: Closure) -> bool:
    """Whether a space counts as seen though part of it was not."""
    return closure.said.startswith("as far")


def _exist(program: steps.Exist, evaluation: Evaluation) -> Finding:
    selection = evaluation.things(program.things)
    if selection.sure:
        best = max(selection.sure, key=lambda thing: thing.confidence)
        return _found("yes", "", (best,), evaluation, taken=False)
    closure = settled(program.things, selection)
    explanation = absence(program.things, closure)
    return Finding("no", explanation, _around(closure, evaluation), closure.confidence, absent=True)


def _count(program: steps.Count, number: int | None, evaluation: Evaluation) -> Finding:
    selection = evaluation.things(program.things)
    closure = settled(program.things, selection)
    count = len(selection.sure)
    things = selection.sure or _around(closure, evaluation)
    sure = min((closure.confidence, *(thing.confidence for thing in selection.sure)))
    if number is None:
        return Finding(str(count), "", things, sure, absent=count == 0)
    explanation = f"there {wording.be(count)} {wording.counted(count, program.things)}"
    return Finding(_yes(number == count), explanation, things, sure)


def _query(program: steps.Query, evaluation: Evaluation) -> Finding:
    thing = evaluation.one(program.one)
    attribute = program.attribute
    word = _word(thing, attribute, evaluation)
    found = _found(word, "", (thing, *_rests_on(thing, attribute, evaluation)), evaluation)
    return _agreed(found, thing, attribute)


def _word(thing: Thing, attribute: str, evaluation: Evaluation) -> str:
    """The value of an attribute.

    Raises:
        NotSeen: it was not made out yet.
        CannotTell: the thing has none.
    """
    sight = evaluation.sight
    word = word_of(sight, thing, attribute)
    if word:
        return word
    if attribute == "place" and (word == "" or sight.exhausted):
        room = sight.room_of(thing)
        if room is not None and room is not thing and room.label:
            return f"in the {room.label}"
    if word == "" and attribute == "text" and thing.key not in sight.unprinted and not thing.is_room:
        evaluation.need_print()
        text = f"I see the {thing.label}, but could not read anything on the sides of it that I saw."
        raise NotSeen(text, (closer(thing, attribute),))
    if word == "" or (sight.exhausted and attribute in ("size", "room")):
        none = {"text": "nothing readable is written on it", "size": "it is neither small nor large"}
        said = none.get(attribute, f"it has no {attribute} that I could name")
        raise CannotTell(wording.finished(f"I see the {thing.label}, but {said}", ""))
    if attribute in ("size", "room"):
        look = LookFor(LookAt.ANYWHERE, thing.label)
        raise NotSeen(f"I have not seen enough around the {thing.label} to tell its {attribute} yet.", (look,))
    if attribute == "text":
        evaluation.need_print()
    raise NotSeen(closer_text(thing), (closer(thing, attribute),))


def _verify(program: steps.Verify, evaluation: Evaluation) -> Finding:
    sight, thing = evaluation.sight, evaluation.one(program.one)
    attribute, value = program.attribute, program.value
    holds = has(sight, thing, attribute, value)
    if holds is None:
        _word(thing, attribute, evaluation)
    word = word_of(sight, thing, attribute)
    explanation = ""
    if word:
        explanation = f"{wording.the(program.one)} is {wording.predicate(attribute, word)}"
    rests = _rests_on(thing, attribute, evaluation)
    return _agreed(_found(_yes(holds), explanation, (thing, *rests), evaluation), thing, attribute)


def _verify_relation(program: steps.VerifyRelation, evaluation: Evaluation) -> Finding:
    """Whether a thing is there; at a place that was looked at completely, it need not be found anywhere else."""
    relation = program.relation
    try:
        thing = evaluation.one(program.one)
    except (NotSeen, Several):
        if relation not in PLACED or not isinstance(program.one, steps.Unique):
            raise
        return _exist(steps.Exist(steps.Relate(program.one.things, relation, program.anchor)), evaluation)
    anchor = evaluation.anchor(program.anchor)
    viewer = evaluation.viewer(relation, program.viewer)
    holds = stands(evaluation.sight, thing, relation, anchor, viewer, evaluation.loose)
    if holds is None:
        unsure = tuple(closer(each) for each in (thing, anchor))
        raise NotSeen(closer_text(thing), unsure)
    explanation = ""
    if not holds and relation in PLACED:
        place = place_of(evaluation.sight, thing)
        explanation = f"{wording.the(program.one)} is {place}" if place else ""
    return _found(_yes(holds), explanation, (thing, anchor), evaluation)


def _compare_number(program: steps.CompareNumber, evaluation: Evaluation) -> Finding:
    pairs = [(step, evaluation.things(step)) for step in (program.first, program.second)]
    first, second = (selection.number for _, selection in pairs)
    holds = {
        "more": lambda: first.is_more(second),
        "fewer": lambda: second.is_more(first),
        "equal": lambda: first.is_equal(second),
    }[program.relation]()
    if holds is None:
        for step, selection in pairs:
            settled(step, selection)
    things = tuple(dict.fromkeys(thing for _, selection in pairs for thing in selection.sure))
    sure = [thing.confidence for thing in things]
    sure += [selection.closure.confidence for _, selection in pairs if selection.closure.complete]
    counts = [wording.counted(len(selection.sure), step) for step, selection in pairs]
    explanation = (
        f"there {wording.be(len(pairs[0][1].sure))} {' and '.join(counts)}" if first.exact and second.exact else ""
    )
    return Finding(_yes(holds), explanation, things, min(sure, default=confidence.ASKING_BACK))


def _compare_quantity(program: steps.CompareQuantity, evaluation: Evaluation) -> Finding:
    sight = evaluation.sight
    if program.quantity == "mass":
        raise CannotTell(f"I cannot see which is {'lighter' if program.least else 'heavier'}.")
    first, second = evaluation.one(program.first), evaluation.one(program.second)
    spans = [evaluation.measured(thing, program.quantity) for thing in (first, second)]
    more, less = reversed(spans) if program.least else spans
    ratio = sight.settings.ratio
    holds: Truth = None
    if more[0] > less[1] and more[0] >= ratio * less[1]:
        holds = True
    elif more[1] <= less[0] or more[1] < ratio * less[0]:
        holds = False
    if holds is None:
        raise NotSeen(closer_text(first), (closer(first), closer(second)))
    return _found(_yes(holds), "", (first, second), evaluation)


def _compare_attribute(program: steps.CompareAttribute, evaluation: Evaluation) -> Finding:
    first, second = evaluation.one(program.first), evaluation.one(program.second)
    holds = same(evaluation.sight, first, second, program.attribute)
    words = [word_of(evaluation.sight, thing, program.attribute) for thing in (first, second)]
    if holds is None:
        for thing, word in zip((first, second), words, strict=True):
            if word is None:
                _word(thing, program.attribute, evaluation)
    explanation = ""
    if not holds and all(words):
        names = wording.the(program.first), wording.the(program.second)
        said = [wording.predicate(program.attribute, str(word)) for word in words]
        explanation = f"{names[0]} is {said[0]}, {names[1]} is {said[1]}"
    return _found(_yes(holds), explanation, (first, second), evaluation)


def _found(
    word: str, explanation: str, things: tuple[Thing, ...], evaluation: Evaluation, taken: bool = True
) -> Finding:
    about = tuple(dict.fromkeys((*things, *evaluation.picked.values())))
    exhausted = evaluation.sight.exhausted or not taken
    sure = confidence.of_things((thing.confidence for thing in about), exhausted, evaluation.guessed)
    looks = tuple(closer(thing) for thing in about if thing.confidence < confidence.SURE)
    cut_off = [turned_to(thing) for thing in things if thing.cut_off]
    cut_off += [closer(thing) for thing in things if thing.glimpsed]
    if cut_off and not evaluation.sight.exhausted:
        sure = min(sure, confidence.CUT_OFF)
        looks += tuple(cut_off)
    if evaluation.rivals:
        sure = min(sure, confidence.ELSEWHERE_OPEN)
        looks += evaluation.rivals
    return Finding(word, explanation, about, sure, look_for=looks)


def _agreed(found: Finding, thing: Thing, attribute: str) -> Finding:
    """As sure as views agree on an attribute; another look helps where they do not."""
    agreement = thing.agreement(attribute)
    looks = (closer(thing, attribute),) if agreement < confidence.SURE else found.look_for
    return replace(found, confidence=found.confidence * agreement, look_for=looks)


def _around(closure: Closure, evaluation: Evaluation) -> tuple[Thing, ...]:
    support = () if closure.support is None else (closure.support,)
    return tuple(dict.fromkeys((*support, *evaluation.picked.values())))


def _rests_on(thing: Thing, attribute: str, evaluation: Evaluation) -> tuple[Thing, ...]:
    support = evaluation.sight.support(thing) if attribute == "place" else None
    return () if support is None else (support,)


def _yes(holds: Truth) -> str:
    return "yes" if holds else "no"
