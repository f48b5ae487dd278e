"""Whether an answer puts a false premise right: it states what is true instead, alone."""

from __future__ import annotations

from vantage.benchmarks.judging.answer_lists import lists_objects, lists_places, segments
from vantage.benchmarks.judging.answer_names import affirms_name, name_places
from vantage.benchmarks.judging.answer_text import (
    LONGEST_ANSWER,
    agrees,
    mention_places,
    mentions,
    negated,
    singular,
    spoken,
    words,
)
from vantage.benchmarks.judging.answer_words import COPULAS, NEGATIONS, NUMBERS, PREPOSITIONS, VOCABULARIES, vocabulary
from vantage.benchmarks.judging.stated_claims import difference, object_in, subject
from vantage.benchmarks.judging.stated_places import alike, named_kinds, places_in, puts_elsewhere
from vantage.types import Answer, NoiseType, TruthQuestion

_QUOTING = (
    vocabulary("question premise ask asks asked assume assumes assumed claim claims claimed said says say mention")
    | vocabulary("mentions mentioned suppose supposed supposedly supposes presumed presumes if whether you called")
    | vocabulary(
        "like expected instead rather unlike than contrary wrong wrongly mistaken mistakenly mistook false falsely"
    )
)
_WRONG = vocabulary("wrong false incorrect untrue mistaken")
_LOCATIVE = vocabulary("on in under beside behind above over between against at")
_JOINTS = (",", "and", "or")
_VALUES = frozenset().union(*VOCABULARIES)
_ONLY_ONE = frozenset({"1", "single", "only", "just"})


def corrects(truth: TruthQuestion, answer: Answer) -> bool:
    """Whether what is right instead of the false claim is stated, without a list of guesses and without the false claim
    beside it."""
    report = ". ".join(part for part in (answer.noise.correction, answer.noise.corrected_question) if part.strip())
    statement = report if report.strip() else answer.text
    if len(words(statement)) > LONGEST_ANSWER or len(words(answer.text)) > LONGEST_ANSWER:
        return False
    needed, false = difference(truth.correction, truth.false_claim), difference(truth.false_claim, truth.correction)
    if not needed:
        stated = agrees(statement, truth.correction)
    else:
        stated = all(_states(truth, statement, phrase) for phrase in needed)
        misnames = truth.noise_type in (NoiseType.PERCEPTION, NoiseType.SEMANTIC)
        if report.strip() and not misnames and not _names(report, object_in(truth.correction)):
            return False  # put right about something else
    if not stated or any(_asserts(truth, text, phrase) for phrase in false for text in (statement, answer.text)):
        return False
    if truth.noise_type != NoiseType.POSITION and any(_misplaces(truth, text) for text in (statement, answer.text)):
        return False
    return not _guesses(truth, statement, needed)


def contrasts(truth: TruthQuestion, text: str) -> bool:
    """Whether a text sets what is right against the false claim: "the question says red, but the mug is blue"."""
    needed, false = difference(truth.correction, truth.false_claim), difference(truth.false_claim, truth.correction)
    if not needed or len(words(text)) > LONGEST_ANSWER or not all(_states(truth, text, phrase) for phrase in needed):
        return False
    dismissed = any(_mentions(truth, text, phrase) for phrase in false)
    return dismissed and not any(_asserts(truth, text, phrase) for phrase in false)


def _states(truth: TruthQuestion, statement: str, phrase: str) -> bool:
    if truth.noise_type == NoiseType.COUNT and phrase == "1" and _says_only_one(truth, statement):
        return True
    if not affirms_name(statement, phrase):
        return False
    if truth.noise_type not in (NoiseType.PERCEPTION, NoiseType.SEMANTIC):
        return not _is_said_of_another(truth, statement, phrase)
    said = spoken(statement)  # an object that is only the place of others was not named
    places = {*mention_places(statement, phrase), *name_places(statement, phrase)}
    return any(at == 0 or said[at - 1] not in _LOCATIVE for at in places)


def _misplaces(truth: TruthQuestion, text: str) -> bool:
    """Whether a text says of the object that it is elsewhere than the correction has it."""
    return puts_elsewhere(text, object_in(truth.correction), places_in(truth.correction))


def _is_said_of_another(truth: TruthQuestion, statement: str, phrase: str) -> bool:
    """Whether a text says a phrase of other objects alone: "the desk is on the shelf" puts no mug right."""
    telling = [part for part in segments(statement.replace(" but ", ", ")) if affirms_name(" ".join(part), phrase)]
    own = {singular(word) for word in words(phrase)}
    about = object_in(truth.correction)

    def of_another(part: tuple[str, ...]) -> bool:
        kinds = named_kinds(part) - own
        return bool(kinds) and not _names(" ".join(part), about) and not any(alike(kind, about) for kind in kinds)

    return bool(telling) and all(of_another(part) for part in telling)


def _says_only_one(truth: TruthQuestion, statement: str) -> bool:
    """Whether the counted object follows an "only" or the like at once: "just a single chair"."""
    said, counted = spoken(statement), object_in(truth.correction)
    found = {*mention_places(statement, counted), *name_places(statement, counted)}
    return any(
        word in _ONLY_ONE and not negated(said, at) and found.intersection(range(at + 1, at + 4))
        for at, word in enumerate(said)
    )


def _names(statement: str, name: str) -> bool:
    return not name or mentions(statement, name) or bool(name_places(statement, name))


def _mentions(truth: TruthQuestion, text: str, phrase: str) -> bool:
    return mentions(text, _placed(truth.false_claim, phrase)) or bool(name_places(text, phrase))


def _asserts(truth: TruthQuestion, text: str, phrase: str) -> bool:
    """Whether a text states a false phrase as true: not negated, not quoted from the question, not contrasted.

    A color and the like must be said of the object in question, a place with its preposition.
    """
    said = [singular(word) for word in spoken(text)]
    wanted = words(_placed(truth.false_claim, phrase))
    about = singular((subject(truth.correction).split() or [""])[-1])
    value = len(wanted) == 1 and (wanted[0] in _VALUES or wanted[0].isdigit())
    places = mention_places(text, " ".join(wanted))
    if not value and len(wanted) == len(words(phrase)):
        places = sorted({*places, *name_places(text, phrase)})
    quoting = _QUOTING.difference(map(singular, words(truth.false_claim)))  # "the box that says JUICE" quotes nobody
    for at in places:
        clause = _clause_before(said, at)
        after = said[at + 1 :]
        after = after[: after.index(",")] if "," in after else after
        if NEGATIONS.intersection(clause) or quoting.intersection(clause) or "not" in after[:3]:
            continue
        if _WRONG.intersection(after):
            continue
        if not value or _is_said_of(said, at, about):
            return True
    return False


def _is_said_of(said: list[str], at: int, about: str) -> bool:
    """Whether a color or the like is said of an object: "is red", "is blue or red", "red mug", or just "red"."""
    first = at
    while first > 1 and said[first - 1] in _JOINTS and said[first - 2] in _VALUES:
        first -= 2
    if COPULAS.intersection(said[max(0, first - 2) : first]) or about in said[at + 1 : at + 3]:
        return True
    before, after = said[at - 1] if at else ",", said[at + 1] if at + 1 < len(said) else ","
    return before in _JOINTS and after in _JOINTS


def _clause_before(said: list[str], at: int) -> list[str]:
    start = at
    while start > 0 and said[start - 1] not in (",", "but"):
        start -= 1
    return said[start:at]


def _placed(claim: str, phrase: str) -> str:
    """A phrase with the preposition that stands before it in a claim."""
    said, wanted = words(claim), words(phrase)
    for at in range(1, len(said)):
        if said[at : at + len(wanted)] == wanted and said[at - 1] in PREPOSITIONS:
            return " ".join((said[at - 1], *wanted))
    return phrase


def _unquoted(truth: TruthQuestion, statement: str) -> str:
    """A statement without the parts that only quote the false claim: "you said that it is on the table"."""
    false = [_placed(truth.false_claim, phrase) for phrase in difference(truth.false_claim, truth.correction)]
    parts = [" ".join(part) for part in segments(statement.replace(" but ", ", "))]
    quoted = [
        part
        for part in parts
        if _QUOTING.intersection(part.split()) and any(mentions(part, phrase) for phrase in false)
    ]
    return ", ".join(part for part in parts if part not in quoted)


def _guesses(truth: TruthQuestion, statement: str, needed: tuple[str, ...]) -> bool:
    """Whether a statement offers several corrections."""
    known = " ".join((truth.correction, truth.false_claim, truth.corrected_question, truth.answer, *truth.accepted))
    single = [phrase for phrase in needed if len(phrase.split()) == 1]
    for phrase in single:
        for values in (*VOCABULARIES, frozenset(NUMBERS.values()) if phrase.isdigit() else frozenset()):
            if phrase in values and (values.intersection(words(statement)) - {"1"}) - set(words(known)):
                return True
    if lists_places(_unquoted(truth, statement), _placed(truth.correction, needed[-1] if needed else "")):
        return True
    names = any(not _VALUES.issuperset(words(phrase)) and not mentions(phrase, "1") for phrase in needed)
    return names and lists_objects(statement)
