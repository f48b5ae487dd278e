"""Detects that an answer calls the premise of its question false, in its typed part or in words.

The same test finds a noise that was detected and a false alarm, so that no wording counts as the one on noisy questions
and escapes the other on clean ones.
"""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import pairwise

from vantage.benchmarks.judging.answer_lists import segments
from vantage.benchmarks.judging.answer_names import denies_name, name_places
from vantage.benchmarks.judging.answer_text import (
    LONGEST_ANSWER,
    denies,
    explicit_yes_or_no,
    final_part,
    mention_places,
    mentions,
    words,
)
from vantage.benchmarks.judging.answer_words import COPULAS, NEGATIONS, PREPOSITIONS, VOCABULARIES, vocabulary
from vantage.benchmarks.judging.implied_corrections import implies_correction, opposes
from vantage.benchmarks.judging.polar_questions import asks_presence, gold_stance, leads_with
from vantage.benchmarks.judging.stated_claims import ASKING, difference, object_in, subject
from vantage.benchmarks.judging.stated_corrections import contrasts
from vantage.benchmarks.judging.stated_places import Place, places, places_in, puts_elsewhere
from vantage.types import Answer, NoiseType, TruthQuestion, Verdict

_NOT = r"(?:\b(?:not|cannot|never|no|none|nothing)\b|n['\u2019]t\b)"
_LOOKING = (
    r"(?:see|seen|saw|look|looked|search|searched|explore|explored|check|checked|find|found|visit|visited|inspect|"
    r"inspected|view|viewed|visible|been|cover|covered|observe|observed|scan|scanned)"
)
_WHOLE = r"(?:all|everything|everywhere|every|whole|entire|fully|completely|entirely)"
_OPEN = re.compile(
    rf"{_NOT}[^\n]*\b{_LOOKING}\b[^\n]*\b(?:yet|so far)\b|{_NOT}\s+yet\b|"
    rf"{_NOT}\s+(?:\w+\s+){{0,2}}?(?:{_WHOLE}\s+)?{_LOOKING}\s+(?:\w+\s+)?{_WHOLE}\b|"
    rf"\bnot\s+(?:the\s+)?{_WHOLE}\b[^\n]*\b{_LOOKING}\b|{_NOT}\s+(?:\w+\s+)?(?:fully|completely|entirely)\s+{_LOOKING}\b|"
    rf"{_NOT}\s+(?:\w+\s+){{0,2}}?(?:sure|certain|know|tell|determine|judge)\b",
    re.IGNORECASE,
)
_OPEN_CLAUSE = re.compile(r"([.,;:!?\n]+(?:\s|$)|\b(?:because|since|but|although|though|and)\b)", re.IGNORECASE)


_LONGEST_READ, _LONGEST_CLAUSE = 8000, 200  # characters that are read; a longer clause hedges nothing


def without_open_clauses(text: str) -> str:
    """A text without the clauses that leave something open: "I have not seen all of the desk yet"."""
    parts = _OPEN_CLAUSE.split(text[:_LONGEST_READ])
    kept = [part for part in parts if len(part) > _LONGEST_CLAUSE or not _OPEN.search(part)]
    return "".join(kept) if len(kept) < len(parts) else text


_PREMISE = re.compile(
    r"\bno such\b|(?:does|do|did)(?: not|n['\u2019]t) exist\b|\bnot (?:present|mentioned)\b|"
    r"\b(?:cannot|can['\u2019]t|can not) be answered\b|\bunanswerable\b|\bfalse premise\b|"
    r"\b(?:premise|question) is (?:false|wrong|incorrect|mistaken)\b|\bthe question assumes\b|"
    r"\byou(?:['\u2019]re| are| must be) (?:mistaken|wrong)\b",
    re.IGNORECASE,
)
_ABSENCE = re.compile(
    r"\bthere (?:is|are|was|were) (?:no|not)\b|\bthere['\u2019]s no\b|\bthere (?:is|are|was|were)n['\u2019]t\b",
    re.IGNORECASE,
)
_BESIDES = re.compile(  # "there is nothing else on it" denies no premise
    r"\b(?:no|not|nothing|none|n['\u2019]t)\s+(?:any\s+)?(?:of the\s+)?"
    r"(?:others?|else|more|longer|doubt|further|additional)\b",
    re.IGNORECASE,
)
_RATHER = re.compile(r"\b(?:rather than|instead of)\s+(?:(?:an?|the)\s+)?(?P<other>\w+)", re.IGNORECASE)
_HEDGED = re.compile(
    r"\b(?:maybe|perhaps|possibly|might|may|if|unless|either|not sure|unsure|could be)\b", re.IGNORECASE
)
_CLAUSE = re.compile(r"[.,;!?\n]+(?:\s|$)")
_SENTENCE = re.compile(r"[.;!?\n]+(?:\s|$)")
_LONGEST = 8000  # characters that are read
_EPISTEMIC = vocabulary("know tell say sure answer determine certain sense understand name judge")
_MOST_DENIALS = 4  # in one answer; more are a list of guesses
_COUNTING = ("existence", "count", "comparison", "sameness")  # their answers say that there is no such object
_DESCRIBING = ("color", "material", "shape", "size", "state", "text")  # kinds that ask for no place
_LEADING_NO = re.compile(r"^\s*no\s+(?=(?:the|it|they|this|that|these|those)\b)", re.IGNORECASE)
_VALUES = frozenset().union(*VOCABULARIES) - {"on", "off"}  # mostly prepositions
_SEEING = vocabulary("there see find any")
_PLAIN = COPULAS | PREPOSITIONS | NEGATIONS


def objects_by_verdict(answer: Answer) -> bool:
    """Whether the typed part of an answer calls the premise false."""
    if answer.verdict in (Verdict.CORRECTED, Verdict.UNANSWERABLE):
        return True
    if is_open(answer):
        return False
    return answer.noise.noise_type not in (NoiseType.NONE, NoiseType.UNKNOWN)


def objects_in_words(answer: Answer) -> bool:
    """Whether the text says outright that the premise is false or that something is not there."""
    if is_open(answer):
        return False
    text = _without(_BESIDES, _CLAUSE, answer.text)
    return _PREMISE.search(text) is not None or _ABSENCE.search(text) is not None


def detects(truth: TruthQuestion, answer: Answer) -> bool:
    """Whether an answer to a noisy question recognises that its premise is false."""
    if objects_by_verdict(answer):
        return True
    if is_open(answer):
        return False
    answer = replace(answer, text=without_open_clauses(answer.text))
    if objects_in_words(answer) or denies_claim(truth, answer):
        return True
    if truth.noise_type == NoiseType.LATENT:
        return _says_absent(answer.text, subject(truth.false_claim))
    about = object_in(truth.false_claim)
    text = _LEADING_NO.sub("no, ", _without(_BESIDES, _CLAUSE, answer.text))
    if contrasts(truth, answer.text) or implies_correction(truth, answer.text) or _says_absent(text, about):
        return True
    right = places_in(truth.false_claim)
    return truth.kind in _DESCRIBING and puts_elsewhere(answer.text, about, right, outright=True)


def alarms(truth: TruthQuestion, answer: Answer, correct: bool, question: str = "") -> bool:
    """Whether an answer to a clean question calls its premise false.

    An objection counts beside a right answer too: who objects and answers has not answered. Saying that there is no
    such object is the answer to some questions, and a reason for the answer to others.
    """
    if objects_by_verdict(answer):
        return True
    said = words(answer.text)
    if is_open(answer) or any(said == words(gold) for gold in (truth.answer, *truth.accepted)):
        return False
    answer = replace(answer, text=without_open_clauses(answer.text))
    text, negative = _without(_BESIDES, _CLAUSE, answer.text), is_negative(truth)
    counting = truth.kind in _COUNTING or asks_presence(question)
    if negative and counting:
        return False
    if _PREMISE.search(text) or (not correct and not negative and objects_in_words(answer)):
        return True
    if tells_elsewhere(truth, text, question, outright=True) or opposes(question, text):
        return True
    stance = gold_stance(question, truth.answer)
    if correct and stance and leads_with(answer.text) == stance and not counting:
        refused = any(pair == ("not", word) for pair in pairwise(words(text)) for word in _content(question))
        if stance == "no" or not refused:  # "yes, not red" agrees with nothing
            return _misses_subject(question, text)
    if negative:  # "there is no brown bear" is why the bear is not brown, "there is no bear" is an objection
        parts = [part for part in _CLAUSE.split(text) if not _VALUES.intersection(words(part))]
        return any(_ABSENCE.search(part) for part in parts) or any(
            _is_missed(segment, name) for part in parts for segment in segments(part) for name in _names(question)
        )
    if counting or (stance == "yes" and not correct and explicit_yes_or_no(final_part(text)) == "no"):
        return False
    if not question:
        return truth.answer != "yes" and _ABSENCE.search(text) is not None
    content = _content(question)
    if any(words(match["other"]) in [(word,) for word in content] for match in _RATHER.finditer(text)):
        return True
    return any(denies(text, word) for word in content) or any(
        _says_gone(segment, name) for segment in segments(text) for name in _names(question)
    )


def tells_elsewhere(truth: TruthQuestion, text: str, question: str, *, outright: bool = False) -> bool:
    """Whether a text puts what a question asks about, and not for its place, elsewhere than the question does.

    Args:
        outright: only statements count ("the mug is on the sofa"), not descriptions ("the mug on the sofa").
    """
    about, right = _asked_place(question)
    return truth.kind in _DESCRIBING and puts_elsewhere(text, about, right, outright=outright)


def _asked_place(question: str) -> tuple[str, tuple[Place, ...]]:
    """What a question is about and the places that it gives of it: "mug", on the desk, in the kitchen."""
    content = set(_content(question))
    for segment in segments(question):
        for at, word in enumerate(segment):
            if at and word in PREPOSITIONS and segment[at - 1] in content and places(segment[at:]):
                return segment[at - 1], places(segment[at:])
    return "", ()


def _content(question: str) -> list[str]:
    """The words of a question that say what it is about, not those between which it asks to choose."""
    said = words(question)
    offered = {near for at, word in enumerate(said) if word == "or" for near in said[max(0, at - 1) : at + 2]}
    return [word for word in said if word not in ASKING | _PLAIN | offered and not word.isdigit()]


def _names(question: str, most: int | None = None) -> list[str]:
    """The phrases of a question that may name objects: neighbouring words that say what it is about.

    Args:
        most: phrases, from the beginning; all by default.
    """
    content = set(_content(question))
    phrases: list[list[str]] = [[]]
    for word in words(question):
        if word in content:
            phrases[-1].append(word)
        elif phrases[-1]:
            phrases.append([])
    return [" ".join(phrase[start:]) for phrase in phrases[:most] for start in range(len(phrase))]


def denies_claim(truth: TruthQuestion, answer: Answer) -> bool:
    """Whether the text denies what sets the false claim apart ("the mug is not red"), and not everything else too."""
    if is_open(answer) or sum(word in NEGATIONS for word in words(answer.text)) > _MOST_DENIALS:
        return False
    return any(denies(answer.text, phrase) for phrase in difference(truth.false_claim, truth.correction))


def names_absence(truth: TruthQuestion, answer: Answer) -> bool:
    """Whether the absent object is said to be absent, in words or in the noise report, and nothing is made up of it."""
    absent = subject(truth.false_claim)
    if not absent or len(words(answer.text)) > LONGEST_ANSWER or _makes_up(answer.text, absent):
        return False
    if _says_absent(answer.text, absent):
        return True
    reported = answer.noise
    if not objects_by_verdict(answer):
        return False
    claimed = reported.noise_type == NoiseType.LATENT and subject(reported.false_claim) != ""
    return _says_absent(reported.correction, absent) or (
        claimed and bool(mentions(subject(reported.false_claim), absent) or _named(reported.false_claim, absent))
    )


def _without(pattern: re.Pattern[str], end: re.Pattern[str], text: str) -> str:
    """A text without the parts in which a pattern is found."""
    return ". ".join(part for part in end.split(text[:_LONGEST]) if not pattern.search(part))


def _named(claim: str, name: str) -> bool:
    return bool(name_places(subject(claim), name))


def _says_absent(text: str, absent: str) -> bool:
    """Whether a text says that an object is not there, without hedging and without denying half the world."""
    plain = _without(_HEDGED, _SENTENCE, text)
    if sum(word in NEGATIONS for word in words(plain)) > _MOST_DENIALS:
        return False
    for segment in segments(plain):
        part = " ".join(segment)
        if _EPISTEMIC.intersection(segment):
            continue
        if denies(part, absent) or _says_gone(segment, absent):
            return True
    return False


def _says_gone(segment: tuple[str, ...], name: str) -> bool:
    """Whether a part of a sentence says of an object, by whatever name, that it is not there."""
    part = " ".join(segment)
    if denies_name(part, name):
        return not _EPISTEMIC.intersection(segment)
    return (mentions(part, name) or bool(name_places(part, name))) and _gone(segment)


def _is_missed(segment: tuple[str, ...], name: str) -> bool:
    """Such as "I see no mug", "the mug is missing"."""
    part = " ".join(segment)
    if not (mentions(part, name) or name_places(part, name)):
        return False
    unseen = ("see", "no") in pairwise(segment)
    return unseen or bool({"absent", "missing", "nonexistent"}.intersection(segment))


def _misses_subject(question: str, text: str) -> bool:
    """Whether a text says that the object with which a question begins is not there: "no, I see no mug", "the mug is
    missing". Other objects may well be absent: "yes, there is nothing on the table", "no, there is no one in them"."""
    names = _names(question, 1)
    parts = [part for part in _CLAUSE.split(text) if not _VALUES.intersection(words(part))]
    return any(_lacks(segment, name) for part in parts for segment in segments(part) for name in names)


def _lacks(segment: tuple[str, ...], name: str) -> bool:
    part = " ".join(segment)
    for at in {*mention_places(part, name), *name_places(part, name)}:
        before, after = segment[:at], segment[at:]
        governing = next((word for word in reversed(before) if word not in _SEEING), "")
        if governing in ("no", "without") or (governing == "not" and _SEEING.intersection(before)):
            return True
        if not PREPOSITIONS.intersection(before) and _gone(after):
            return True
    return False


def _gone(segment: tuple[str, ...]) -> bool:
    """Such as "the mug is absent", "the mug does not exist", "the mug is not here"."""
    if {"absent", "missing", "nonexistent"}.intersection(segment):
        return True
    after = segment[segment.index("not") + 1 :] if "not" in segment else ()
    return bool(vocabulary("exist present there here visible found anywhere").intersection(after[:3]))


def _makes_up(text: str, absent: str) -> bool:
    """Whether a text says something about the absent object besides its absence: "There is no piano. It is brown." """
    told = re.compile(
        rf"\b(?:it|they|(?:the|this|that) (?:\w+ )?{re.escape(absent)}s?)"
        r"(?:['\u2019]s| is| are| was| were| looks?| appears?| stands?| lies)\s+(?P<rest>[\w\s]{0,40})",
        re.IGNORECASE,
    )
    plain = _without(_HEDGED, _SENTENCE, text)
    for match in told.finditer(plain):
        rest = match["rest"].casefold().split()
        before = plain[: match.start()].casefold().split()[-3:]
        denied = {"not", "no", "absent", "missing", "nowhere", "false", "wrong", "that", "clear", "true", "possible"}
        if rest and not denied.intersection(rest[:3]) and not {"if", "see", "that"}.intersection(before):
            return True
    said = final_part(text)
    if not said or said == text.strip():
        return False
    negative = words(said) in (("no",), ("0",), ("none",), ("nothing",), ())
    return not (negative or _PREMISE.search(said) or _ABSENCE.search(said) or _says_absent(said, absent))


def is_open(answer: Answer) -> bool:
    """Whether an answer only says that there is none yet."""
    return answer.verdict in (Verdict.NEEDS_LOOK, Verdict.NEEDS_MODEL)


def is_negative(truth: TruthQuestion) -> bool:
    """Whether the gold answer itself says that there is nothing of the kind, or that something is not so."""
    gold = words(truth.answer)
    return gold == ("0",) or bool(NEGATIONS.intersection(gold))
