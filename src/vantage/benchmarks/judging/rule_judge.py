"""A deterministic judge, 1 to 5: NoisyEQA's scale for noisy questions, E3VS-Bench's grounding rule for clean ones.

It compares words only, knows nothing of how an answer was found and shares no code with question answering. Numbers are
compared with their units: "2.5 m", "about 250 centimeters" and "two and a half meters" are the same length.

What an answer says beside the right words counts too where it is clearly false. A question whose premise holds is right
about the colors, materials, shapes and numbers that it gives, so these tell what is false of the objects it is about.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import takewhile

from vantage.benchmarks.judging.answer_lists import lists_objects, lists_places, segments
from vantage.benchmarks.judging.answer_names import affirms_name, affirms_place, same_kind
from vantage.benchmarks.judging.answer_text import (
    LONGEST_ANSWER,
    agrees,
    agrees_in_letters,
    explicit_yes_or_no,
    final_part,
    named_first,
    singular,
    words,
)
from vantage.benchmarks.judging.answer_words import (
    ALTERNATIVES,
    COLORS,
    COPULAS,
    MATERIALS,
    NEGATIONS,
    NUMBERS,
    PREPOSITIONS,
    SHAPES,
    VOCABULARIES,
    vocabulary,
)
from vantage.benchmarks.judging.judges import Case, Judgement
from vantage.benchmarks.judging.objections import alarms, detects, is_open, names_absence, tells_elsewhere
from vantage.benchmarks.judging.stated_claims import ASKING
from vantage.benchmarks.judging.stated_corrections import corrects
from vantage.benchmarks.judging.stated_places import placed
from vantage.questions import SUPPORTS
from vantage.questions.lexicon import appearances, kind_of, table
from vantage.questions.noise import clearly_other
from vantage.types import Answer, NoiseType, TruthQuestion

_OF_OBJECTS = ("color", "material", "shape", "size", "state", "text", "location", "room")  # kinds that ask of them
_EXCLUSIVE = {"color": COLORS, "material": MATERIALS, "shape": SHAPES}
_ADJECTIVES = frozenset().union(*VOCABULARIES) - PREPOSITIONS
_NO_NAMES = ASKING | COPULAS | NEGATIONS | PREPOSITIONS | _ADJECTIVES
_OTHERS = vocabulary("another other others also second both each unlike like than too different")
_RELATIVE = vocabulary("which who whose has have had")
_BESIDES = PREPOSITIONS | vocabulary("by across along")
_ASIDE = re.compile(
    r"\b(?:of|to|from|by|than|with|in|on|under|above|below|over|behind|beside|near) (?:it|them|this one|that one)\b"
    r"|\b(?!colou?r|material|shape|size|made|kind|top)\w+ of (?:an?|the|its|this|these|those)\b",
    re.IGNORECASE,
)  # "right of it", "the handle of the mug": of something else
_ADVERBS = vocabulary("actually really now clearly indeed all")
_LONGEST = 3  # words of a name
_ONE = re.compile(rf"\b({'|'.join(sorted(COLORS | MATERIALS | SHAPES))}) ones?\b", re.IGNORECASE)  # "the blue one"
_FLAT = 0.03  # m: furniture stands on what is no higher
_FITS = 0.6  # of the length of furniture, up to which other furniture may stand on it
_BULK = 1.5  # of the length of an object, beyond which what is broader than that cannot be on or in it


@dataclass(frozen=True)
class _Said:
    """What a text says of an object.

    Attributes:
        values: words for its looks.
        number: how many there are of it, as digits or empty.
        place: the words of the place right behind it.
        first: nothing is said before it.
        outright: "there are" stands before it.
    """

    name: str
    values: frozenset[str]
    number: str = ""
    place: frozenset[str] = frozenset()
    first: bool = False
    outright: bool = False


def says_falsely(truth: TruthQuestion, text: str, question: str) -> bool:
    """Whether a text that answers a question whose premise holds says something that is not so.

    It gives an object of the question another color, material, shape or number than the question does, or puts an
    object where none of its kind can be.
    """
    return truth.kind in _OF_OBJECTS and (_says_otherwise(text, question) or _puts_where_it_cannot_be(text))


def _says_otherwise(text: str, question: str) -> bool:
    if ALTERNATIVES.intersection(words(question)):
        return False  # "is the mug red or blue" says neither
    asked = [said for part in segments(question) for said in _described(part)]
    space = frozenset(singular(word) for word in words(question))
    return any(_contradicts(said, list(_told(text, said)), space) for said in asked)


def _puts_where_it_cannot_be(text: str) -> bool:
    """Whether a text puts an object on or in one that cannot hold it, such as a desk on a table."""
    return any(
        preposition in ("on", "in") and _too_large(kind, anchor)
        for part in segments(text)
        for kind, (preposition, anchor) in placed(part)
    )


def _contradicts(asked: _Said, told: Sequence[_Said], space: frozenset[str]) -> bool:
    """Whether what is told of an object, which must be the one asked about, is not as asked.

    Args:
        space: the words of the question, which tell where objects are counted.
    """
    if asked.number and _counts_otherwise(int(asked.number), [said for said in told if said.number], space):
        return True
    for attribute, known in _EXCLUSIVE.items():
        right = asked.values & known
        stated = [said.values & known for said in told if said.values & known]
        said_right = any(right & values for values in stated)
        if right and not said_right and any(_excludes(attribute, one, right) for values in stated for one in values):
            return True
    return False


def _counts_otherwise(asked: int, told: Sequence[_Said], space: frozenset[str]) -> bool:
    """Whether numbers are given, and neither one of them nor their sum is right; of a wider space there may be more,
    and of a few of the objects there are less."""
    numbers = [int(said.number) for said in told]
    if asked in numbers or sum(numbers) == asked:
        return False
    here = [said for said in told if said.place <= space]
    return any(int(said.number) > asked or said.outright for said in here)


def _excludes(attribute: str, value: str, right: frozenset[str]) -> bool:
    """Whether nobody would say a value of an object with the right ones; both must be words of which that is known."""
    return all(clearly_other(attribute, one, (value,)) and clearly_other(attribute, value, (one,)) for one in right)


def _told(text: str, asked: _Said) -> Iterator[_Said]:
    """What a text states of an object: in its first words, of "it", and of what it names without setting it apart.

    Objects beside which others stand, and objects that it calls others, are left out.
    """
    plain = _ONE.sub(rf"\1 {asked.name}", _ASIDE.sub(" other ", text))
    about, begun = False, False
    for part in segments(plain.replace(" but ", ", ")):
        if NEGATIONS.intersection(part) or _OTHERS.intersection(part):
            about, begun = about and part[0] in COPULAS, True
            continue
        described = list(_described(part, begun))
        begun = begun or bool(described) or not _says_nothing(part)
        meant = [said for said in described if same_kind(said.name, asked.name) and _may_be(said, asked)]
        yield from meant
        if part[0] not in COPULAS:
            about = bool(meant) and meant[0] is described[0] and meant[0].number in ("", asked.number)
        if about:
            yield _Said(asked.name, _predicate(part))


def _may_be(said: _Said, asked: _Said) -> bool:
    """Whether an object must be the one asked about: named first, or with nothing of its own that sets it apart."""
    return said.first or (said.values <= asked.values and (bool(said.number) or not said.place))


def _described(part: Sequence[str], begun: bool = False) -> Iterator[_Said]:
    """Names with the adjectives and the number right before them, unless they are the place of another object.

    Args:
        begun: something was said before this part.
    """
    values: list[str] = []
    at = 0
    while at < len(part):
        if part[at] in _ADJECTIVES or part[at].isdigit():
            values.append(part[at])
            at += 1
            continue
        length = _name_length(part[at:])
        before = part[: at - len(values)]
        if length and not (before and before[-1] in _BESIDES):
            number = next((value for value in values if value.isdigit()), "")
            name = " ".join(singular(word) for word in part[at : at + length])
            first = not begun and _says_nothing(before)
            outright = "there" in before or "only" in before
            place = _place(part[at + length :])
            yield _Said(name, frozenset(values) - {number}, number, place, first, outright)
        values = []
        at += length or 1


def _says_nothing(before: Sequence[str]) -> bool:
    """Whether words only lead up to what is said: "there is", "the color of"."""
    return not any(word in _ADJECTIVES | _BESIDES or word.isdigit() or _name_length([word]) for word in before)


def _place(behind: Sequence[str]) -> frozenset[str]:
    """The words of the place with which words begin, if any."""
    if not behind or behind[0] not in _BESIDES:
        return frozenset()
    return frozenset(singular(word) for word in takewhile(lambda word: word not in _BESIDES | COPULAS, behind[1:]))


def _name_length(said: Sequence[str]) -> int:
    """How many words name a kind that is known; none where they name none."""
    for length in range(min(_LONGEST, len(said)), 0, -1):
        named = said[:length]
        if not _NO_NAMES.intersection(named) and kind_of(" ".join(singular(word) for word in named)) in table():
            return length
    return 0


def _predicate(part: Sequence[str]) -> frozenset[str]:
    """The adjectives right behind the first "is", unless it may be that of another object: "is red", "is of metal"."""
    at = next((at for at, word in enumerate(part) if word in COPULAS), len(part))
    if _RELATIVE.intersection(part[:at]):
        return frozenset()
    return frozenset(takewhile(lambda said: said in _ADJECTIVES | _ADVERBS | COPULAS, part[at:])) & _ADJECTIVES


def _too_large(obj: str, holder: str) -> bool:
    large, small = appearances().get(kind_of(obj)), appearances().get(kind_of(holder))
    if large is None or small is None or small.extents[2] <= _FLAT:
        return False
    if large.extents[1] > _BULK * small.extents[0]:
        return True
    both_furniture = kind_of(obj) in SUPPORTS and kind_of(holder) in SUPPORTS
    return both_furniture and large.extents[0] > _FITS * small.extents[0]


_TOLERANCE = 0.02  # share of the value: roundings of conversions, not of answers
_UNITS = {
    **dict.fromkeys(("m", "meter", "metre"), ("length", 1.0)),
    **dict.fromkeys(("cm", "centimeter", "centimetre"), ("length", 0.01)),
    **dict.fromkeys(("mm", "millimeter", "millimetre"), ("length", 0.001)),
    **dict.fromkeys(("ft", "foot", "feet"), ("length", 0.3048)),
    **dict.fromkeys(("inch", "inche"), ("length", 0.0254)),
    **dict.fromkeys(("kg", "kilogram", "kilo"), ("mass", 1.0)),
    **dict.fromkeys(("g", "gram", "gramme"), ("mass", 0.001)),
    **dict.fromkeys(("lb", "pound"), ("mass", 0.45359237)),
    **dict.fromkeys(("deg", "degree", "\u00b0"), ("angle", math.pi / 180)),
    **dict.fromkeys(("l", "liter", "litre"), ("volume", 0.001)),
    **dict.fromkeys(("h", "hour"), ("time", 3600.0)),
    **dict.fromkeys(("min", "minute"), ("time", 60.0)),
    **dict.fromkeys(("second", "sec"), ("time", 1.0)),
    **dict.fromkeys(("%", "percent"), ("share", 0.01)),
}
_NAMES = "|".join(sorted(NUMBERS, key=len, reverse=True))
_QUANTITY = re.compile(
    rf"(?<![\w.])(?P<number>-?\d+(?:,\d{{3}})*(?:\.\d+)?|\b(?:{_NAMES})\b|\ban?\b(?=\s+(?:half|meter|metre|foot)))"
    r"(?P<half>\s+and\s+a\s+half)?[\s-]*(?P<unit>[a-z]+|%|\u00b0)?",
    re.IGNORECASE,
)


def quantities(text: str) -> list[tuple[float, str]]:
    """(value in SI units, dimension) of the numbers in a text; the dimension is empty for a number without a unit."""
    found = []
    for match in _QUANTITY.finditer(text):
        word = match["number"].casefold()
        if word in ("a", "an"):
            value = 1.0
        else:
            value = float(NUMBERS.get(word, word).replace(",", "")) if len(word) < 40 else math.inf
        unit = (match["unit"] or "").casefold()
        dimension, scale = _UNITS.get(unit) or _UNITS.get(unit.removesuffix("s")) or ("", 1.0)
        found.append(((value + (0.5 if match["half"] else 0.0)) * scale, dimension))
    return found


def with_unit(gold: str) -> tuple[float, str] | None:
    """The quantity that a gold answer is, where it is one number with a unit and little else."""
    found = quantities(gold)
    if len(found) != 1 or not found[0][1] or len(gold.split()) > 5:
        return None
    return found[0]


def agrees_in_quantity(text: str, gold: tuple[float, str]) -> bool:
    """Whether a text gives one quantity of the dimension, and that is the gold one."""
    value, dimension = gold
    said = {number for number, kind in quantities(text) if kind == dimension}
    return len(said) == 1 and math.isclose(said.pop(), value, rel_tol=_TOLERANCE)


_VALUES = frozenset({"yes", "no"}).union(*VOCABULARIES)
_NAMING = ("relation", "superlative")  # kinds that ask what an object is
GROUNDED_AT = 0.15  # least visible fraction at which a target counts as seen


@dataclass(frozen=True)
class RuleJudge:
    """Marks one answer at a time.

    NoisyEQA (arXiv 2412.10726, supplement): 1 noise ignored and answer wrong, 2 noise ignored and answer right by
    chance, 3 noise recognised only, 4 noise corrected and answer partly right or missing, 5 noise corrected and answer
    exact. A question about an absent object (LATENT) has no answer besides its absence, so naming the object is 5.

    E3VS-Bench (arXiv 2604.17969, figure 17): 5 right and visible in what the agent saw last, otherwise 1.

    Attributes:
        grounded_at: least visible fraction at which a target counts as seen; lower than what labels demand, because
            a label has to be easy and a judge fair.
    """

    grounded_at: float = GROUNDED_AT
    name: str = "rules"
    version: str = "1"

    def judge(self, case: Case) -> Judgement:
        """Mark an answer."""
        truth, answer = case.truth, case.answer
        if answer is None:
            return Judgement(1, "no answer was given")
        if not truth.premise_holds:
            return self._noisy(truth, answer)
        return self._clean(truth, answer, case.visible, case.question)

    def _clean(self, truth: TruthQuestion, answer: Answer, visible: float | None, question: str) -> Judgement:
        correct = is_exact(truth, answer)
        grounded = visible is None or visible >= self.grounded_at
        if alarms(truth, answer, correct, question):
            return Judgement(1, "the premise holds, but the answer calls it false", correct, grounded, false_alarm=True)
        if is_open(answer):
            return Judgement(1, f"not answered: {answer.verdict.name.lower().replace('_', ' ')}", False, grounded)
        if not correct:
            return Judgement(1, f"wrong: expected '{truth.answer}'", False, grounded)
        if tells_elsewhere(truth, answer.text, question):
            return Judgement(1, "said of a thing elsewhere than the question has it", False, grounded)
        if says_falsely(truth, answer.text, question):
            return Judgement(1, f"'{truth.answer}', but beside it something that cannot be so", False, grounded)
        if not grounded:
            seen = 0.0 if visible is None else visible
            return Judgement(
                1, f"right, but only {seen:.0%} of the target was visible ({self.grounded_at:.0%} needed)", True, False
            )
        return Judgement(5, "right, and the target was visible", True, True)

    def _noisy(self, truth: TruthQuestion, answer: Answer) -> Judgement:
        correct = is_exact(truth, answer)
        if not detects(truth, answer):
            if is_open(answer):
                return Judgement(1, f"not answered: {answer.verdict.name.lower().replace('_', ' ')}", grounded=True)
            if correct:
                return Judgement(2, "the false premise was ignored, the answer is right by chance", True, True)
            return Judgement(1, "the false premise was ignored and the answer is wrong", False, True)
        if truth.noise_type == NoiseType.LATENT:
            if names_absence(truth, answer):
                return Judgement(5, "the absent object was named as absent", True, True, True, True)
            return Judgement(3, "recognised, without saying what is absent", correct, True, True)
        if not corrects(truth, answer):
            return Judgement(3, "the false premise was recognised, not corrected", correct, True, True)
        if correct:
            return Judgement(5, "the false premise was corrected and the answer is exact", True, True, True, True)
        return Judgement(4, f"corrected, but the answer is not '{truth.answer}'", False, True, True, True)


def is_exact(truth: TruthQuestion, answer: Answer) -> bool:
    """Whether an answer says exactly what a gold answer says; each kind of question is compared in its own way."""
    said, golds = final_part(answer.text), (truth.answer, *truth.accepted)
    if truth.kind == "text":
        return any(agrees_in_letters(said, gold) for gold in golds)
    if truth.answer in ("yes", "no"):
        explicit = explicit_yes_or_no(said)
        if explicit or truth.kind == "existence":
            return agrees(said, truth.answer)
        return any(agrees(said, gold) for gold in truth.accepted)
    if truth.kind in _NAMING:
        said = named_first(said)
        if "and" in words(said):
            return False  # several objects are a list of guesses
    return any(_agrees(said, gold) for gold in golds)


def _agrees(said: str, gold: str) -> bool:
    """As ``agrees``, and also by synonyms of objects and in other units; lists of guesses agree with nothing."""
    if words(said) and words(said) == words(gold):
        return True  # also where a gold answer is a list itself
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
