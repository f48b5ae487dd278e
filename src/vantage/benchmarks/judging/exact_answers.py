"""Whether an answer says exactly what a gold answer says."""

from __future__ import annotations

from collections.abc import Sequence

from vantage.benchmarks.judging.answer_forms import alternatives, gold_forms, is_covered, lists_same
from vantage.benchmarks.judging.answer_lists import lists_objects, lists_places
from vantage.benchmarks.judging.answer_names import affirms_name, affirms_place
from vantage.benchmarks.judging.answer_text import (
    LONGEST_ANSWER,
    agrees,
    agrees_in_letters,
    explicit_yes_or_no,
    final_part,
    named_first,
    words,
)
from vantage.benchmarks.judging.answer_words import ALTERNATIVES, PREPOSITIONS, VOCABULARIES
from vantage.benchmarks.judging.polar_questions import (
    alike_yes_or_no,
    gold_stance,
    informative,
    is_about,
    leads_with,
    predicate,
    stated_yes_or_no,
    without_stance,
)
from vantage.benchmarks.judging.quantities import agrees_in_quantity, with_unit
from vantage.benchmarks.judging.several_values import names_all, values_of
from vantage.benchmarks.judging.stated_comparisons import compared_yes_or_no, what_is_more
from vantage.benchmarks.judging.times_of_day import is_time, tells_time
from vantage.types import Answer, TruthQuestion

_VALUES = frozenset({"yes", "no"}).union(*VOCABULARIES)
_OF_VALUES = "query"  # the kind that asks for values, be they one or several
_NAMING = ("relation", "superlative")  # kinds that ask what an object is
_TOLD_OUTRIGHT = ("comparison", "sameness", *_NAMING, "color", "material", "shape", "size", "room")


def is_exact(truth: TruthQuestion, answer: Answer, question: str = "") -> bool:
    """Whether an answer says exactly what a gold answer says; each kind of question is compared in its own way.

    Args:
        question: in the words in which it was put; tells what a statement without yes and no says to it.
    """
    said, golds = final_part(answer.text), (truth.answer, *truth.accepted)
    if truth.kind == "text":
        return any(agrees_in_letters(said, gold) for gold in golds)
    if truth.kind == _OF_VALUES and len(values_of(truth.answer)) > 1:
        return any(names_all(said, gold) for gold in golds)
    stance = gold_stance(question, truth.answer)
    if words(truth.answer) == (stance,):
        return _answers_polar(truth, informative(said), question)
    if stance and explicit_yes_or_no(said) == stance:
        return agrees(said, stance)
    if stance and stated_yes_or_no(question, said) == stance:
        return True
    if {"yes", "no"} == {leads_with(said), leads_with(truth.answer) or stance}:
        return False
    if _asks_what(truth):
        said = named_first(said)
        if "and" in words(said):  # several objects are a list of guesses, unless they are the gold ones
            return any(lists_same(said, gold) for gold in golds)
    if truth.kind == "comparison":
        said = what_is_more(said, question)
    return _agrees_with_one(said, [form for gold in golds for form in gold_forms(gold)])


def _asks_what(truth: TruthQuestion) -> bool:
    """Whether the gold answer says what an object is; of one told by its use, other things may be asked, too."""
    gold = words(truth.answer)
    named = truth.kind == "use" and not _closed(truth.answer) and not PREPOSITIONS.intersection(gold[:1])
    return named or truth.kind in _NAMING


def _answers_polar(truth: TruthQuestion, said: str, question: str) -> bool:
    """Whether a text says the yes or no that a gold answer is: outright, by what it states of what is asked, or by what
    the gold data accept in its place."""
    told = without_stance(said)
    stated = compared_yes_or_no(told, question) or alike_yes_or_no(told, question) or stated_yes_or_no(question, told)
    if stated and (stated,) != words(truth.answer):
        return False
    if stated and not explicit_yes_or_no(said):
        return True
    if explicit_yes_or_no(said) or truth.kind == "existence":
        return agrees(said, truth.answer)
    if truth.accepted or truth.kind in _TOLD_OUTRIGHT:
        return any(agrees(said, gold) for gold in truth.accepted)
    if predicate(question) or not agrees(said, truth.answer):
        return False
    return words(truth.answer) == ("no",) or is_about(question, said)


def _agrees_with_one(said: str, golds: Sequence[str]) -> bool:
    """Whether a text agrees with one of several right answers.

    Of alternatives each must, or mean the same less exactly: "round or spherical" for "round", but not "purple or red"
    for "red".
    """
    if any(_agrees(said, gold) for gold in golds):
        return True
    options = alternatives(said) if len(words(said)) <= LONGEST_ANSWER else ()
    right = [option for option in options if any(_names_only(option, gold) for gold in golds)]
    covered = [option for option in options if any(is_covered(option, gold) for gold in golds)]
    return bool(right) and len(options) > 1 and {*right, *covered} == set(options)


def _names_only(option: str, gold: str) -> bool:
    """Whether an alternative agrees with a gold answer and names no place of something else beside it."""
    said, wanted = words(option), words(gold)
    if PREPOSITIONS.intersection(said).difference(wanted) or (_closed(gold) and said[-1:] != wanted[-1:]):
        return False
    return _agrees(option, gold)


def _agrees(said: str, gold: str) -> bool:
    """As ``agrees``, and also by synonyms of objects and in other units; lists of guesses agree with nothing."""
    if words(said) and words(said) == words(gold):
        return True  # also where a gold answer is a list itself
    if lists_same(said, gold):
        return True
    if is_time(gold):
        return tells_time(said, gold)
    quantity = with_unit(gold)
    if quantity is not None:
        return agrees_in_quantity(said, quantity)
    if lists_places(said, gold) or (not _closed(gold) and lists_objects(said)):
        return False
    if agrees(said, gold):
        return True
    hedged = not said.strip() or len(words(said)) > LONGEST_ANSWER or ALTERNATIVES.intersection(words(said))
    return not hedged and not _closed(gold) and (affirms_name(said, gold) or affirms_place(said, gold))


def _closed(gold: str) -> bool:
    """Whether a gold answer is of a closed vocabulary, which has no synonyms besides its own."""
    return all(word.isdigit() or word in _VALUES for word in words(gold))
