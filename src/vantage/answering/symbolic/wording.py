"""Programs and observed objects in words: descriptions, questions in their plainest wording, and choices."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from vantage.answering.symbolic.observed_facts import SeenObject
from vantage.questions import MATERIAL_ADJECTIVES, programs as steps
from vantage.questions.lexicon import gerund, number_word, plural, with_article
from vantage.types import NoiseReport, NoiseType, Verdict

_MOST_NAMES = 4
_BEFORE = ("size", "weight", "state", "shape", "color", "material")  # adjectives in the order in which people say them
_AFTER_STATES = ("on", "off")
_SUPERLATIVES = {
    ("size", False): "largest",
    ("size", True): "smallest",
    ("height", False): "tallest",
    ("height", True): "shortest",
    ("length", False): "longest",
    ("length", True): "shortest",
    ("mass", False): "heaviest",
    ("mass", True): "lightest",
    ("volume", False): "biggest",
    ("volume", True): "smallest",
}
_COMPARATIVES = {
    ("size", False): "larger than",
    ("size", True): "smaller than",
    ("height", False): "taller than",
    ("height", True): "shorter than",
    ("length", False): "longer than",
    ("length", True): "shorter in length than",
    ("mass", False): "heavier than",
    ("mass", True): "lighter than",
    ("volume", False): "bigger than",
    ("volume", True): "smaller than",
    ("distance", False): "farther away than",
    ("distance", True): "nearer than",
}
_QUERIES = {
    "color": "What color {be} {the}?",
    "material": "What {be} {the} made of?",
    "place": "Where {be} {the}?",
    "label": "What {be} {the}?",
    "shape": "What shape {be} {the}?",
    "size": "What size {be} {the}?",
    "weight": "{Be} {the} light or heavy?",
    "state": "What state {be} {the} in?",
    "text": "What is written on {the}?",
    "room": "Which room {be} {the} in?",
}
_EACH = {
    "color": "What colors are {the}?",
    "material": "What materials are {the} made of?",
    "shape": "What are the shapes of {the}?",
    "size": "What are the sizes of {the}?",
    "state": "What states are {the} in?",
    "room": "Which rooms are {the} in?",
}


@dataclass(frozen=True)
class Phrase:
    """A noun with what is said before and after it: ``red mug`` + ``on the table``."""

    noun: str
    before: tuple[tuple[str, str], ...] = ()  # (attribute, adjective)
    after: tuple[str, ...] = ()

    def words(self, number: int = 1, after: bool = True) -> str:
        """Without an article; with ``after=False``, without what follows the noun."""
        ranked = sorted(self.before, key=lambda item: _BEFORE.index(item[0]) if item[0] in _BEFORE else -1)
        noun = self.noun if number == 1 else plural(self.noun)
        return " ".join((*(word for _, word in ranked), noun, *(self.after if after else ())))


def phrase(step: steps.ObjectSet) -> Phrase:
    """The members of a set, in words."""
    if isinstance(step, steps.Scene):
        return Phrase("thing")
    if isinstance(step, steps.Rooms):
        return Phrase("room")
    if isinstance(step, steps.Filter):
        return _filtered(phrase(step.objects), step.attribute, step.value)
    if isinstance(step, steps.Relate):
        return _after(phrase(step.objects), relation(step.relation, the(step.anchor)))
    if isinstance(step, steps.Between):
        return _after(phrase(step.objects), f"between {the(step.first)} and {the(step.second)}")
    if isinstance(step, steps.Compared):
        return _after(phrase(step.objects), comparison(step))
    if isinstance(step, steps.Union):
        first, second = phrase(step.first), phrase(step.second)
        if first.after == second.after:
            return Phrase(f"{first.words(after=False)} or {second.words(after=False)}", (), first.after)
        return Phrase(f"{first.words()} or {second.words()}")
    if isinstance(step, steps.Intersect):
        first, second = phrase(step.first), phrase(step.second)
        noun = first.noun.replace("thing", second.noun) if first.noun.endswith("thing") else first.noun
        before = tuple(dict.fromkeys((*first.before, *second.before)))
        return Phrase(noun, before, tuple(dict.fromkeys((*first.after, *second.after))))
    return Phrase("other thing", (), (f"of the same {_aspect(step.attribute)} as {the(step.one)}",))


def _filtered(base: Phrase, attribute: str, value: str) -> Phrase:
    if attribute == "label":
        return replace(base, noun=value)
    if attribute == "room":
        return _after(base, f"in the {value}")
    if attribute == "text":
        return _after(base, f'that says "{value}"')
    if attribute == "use":
        return _after(base, f"for {gerund(value)}")
    if attribute == "state" and value in _AFTER_STATES:
        return _after(base, f"that is {value}")
    word = MATERIAL_ADJECTIVES.get(value, value) if attribute == "material" else value
    return replace(base, before=(*base.before, (attribute, word)))


def _after(base: Phrase, words: str) -> Phrase:
    return replace(base, after=(*base.after, words))


def the(step: steps.One, number: int = 1) -> str:
    """``the red mug on the table``; of a number other than one, ``the mugs``."""
    if isinstance(step, steps.Unique):
        return f"the {phrase(step.objects).words(number)}"
    if step.quantity == "distance":
        far = "nearest to" if step.least else "farthest from"
        return f"the {phrase(step.objects).words()} {far} {the(step.anchor) if step.anchor is not None else 'you'}"
    return f"the {_SUPERLATIVES[step.quantity, step.least]} {phrase(step.objects).words()}"


def indefinite(step: steps.ObjectSet) -> str:
    """``a red mug on the table``."""
    return with_article(phrase(step).words())


def counted(number: int, step: steps.ObjectSet) -> str:
    """``two red mugs on the table``."""
    return f"{'no' if number == 0 else number_word(number)} {phrase(step).words(number)}"


def there_is(number: int, step: steps.ObjectSet) -> str:
    """``there is a red mug on the table``, ``there are two red mugs on the table``."""
    return f"there is {indefinite(step)}" if number == 1 else f"there {be(number)} {counted(number, step)}"


def relation(name: str, anchor: str) -> str:
    """``to the left of the table``."""
    if name == "at":
        name = "on"
    return f"to the {name} {anchor}" if name in ("left of", "right of") else f"{name} {anchor}"


def comparison(step: steps.Compared) -> str:
    """``heavier than the red mug``."""
    return f"{_COMPARATIVES[step.quantity, step.least]} {the(step.one)}"


def be(number: int) -> str:
    """``is`` or ``are``."""
    return "is" if number == 1 else "are"


def predicate(attribute: str, value: str) -> str:
    """What is said of an object with an attribute: ``blue``, ``made of wood``, ``a mug``, ``in the kitchen``."""
    if attribute == "material":
        return f"made of {value}"
    if attribute == "label":
        return with_article(value)
    if attribute == "room":
        return f"in the {value}"
    if attribute == "use":
        return f"for {gerund(value)}"
    return f'labelled "{value}"' if attribute == "text" else value


def question(program: steps.Program, number: int = 1) -> str:
    """A program as a question in its plainest wording; about several objects where there is a number."""
    if isinstance(program, steps.Exist):
        return f"Is there {indefinite(program.objects)}?"
    if isinstance(program, steps.Count):
        words = phrase(program.objects)
        there = " ".join(words.after) or "there"
        return f"How many {words.words(2, after=False)} are {there}?"
    if isinstance(program, steps.Query):
        verb = be(number)
        return _QUERIES[program.attribute].format(be=verb, Be=verb.capitalize(), the=_the(program.one, number))
    if isinstance(program, steps.QueryEach):
        words = phrase(program.objects)
        if program.attribute == "label":
            return f"What {' '.join((words.words(2, after=False), 'are', *(words.after or ('there',))))}?"
        return _EACH.get(program.attribute, _QUERIES[program.attribute]).format(
            be="are", Be="Are", the=f"the {words.words(2)}"
        )
    if isinstance(program, steps.Verify):
        value = predicate(program.attribute, program.value)
        return f"{be(number).capitalize()} {_the(program.one, number)} {value}?"
    if isinstance(program, steps.Alike):
        objects = _the(program.one, number) if number > 1 else the(program.one, 2)
        return f"Are {objects} of the same {_aspect(program.attribute)}?"
    if isinstance(program, steps.VerifyRelation):
        place = relation(program.relation, the(program.anchor))
        return f"{be(number).capitalize()} {_the(program.one, number)} {place}?"
    if isinstance(program, steps.CompareNumber):
        first, second = phrase(program.first).words(2), phrase(program.second).words(2)
        if program.relation == "equal":
            return f"Are there as many {first} as {second}?"
        return f"Are there {program.relation} {first} than {second}?"
    if isinstance(program, steps.CompareQuantity):
        comparative = _COMPARATIVES[program.quantity, program.least]
        return f"Is {the(program.first)} {comparative} {the(program.second)}?"
    return f"Is {the(program.first)} of the same {_aspect(program.attribute)} as {the(program.second)}?"


def _the(step: steps.One, number: int) -> str:
    if number == 1 or not isinstance(step, steps.Unique):
        return the(step)
    return f"the {counted(number, step.objects)}"


def _aspect(attribute: str) -> str:
    return "kind" if attribute == "label" else attribute


def joined(parts: Sequence[str], last: str = "and") -> str:
    """``a, b and c``."""
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} {last} {parts[-1]}"


def listed(names: Sequence[str], last: str = "or") -> str:
    """Different names, at most four: ``the blue mug, the red mug or one of 7 others``."""
    different = list(dict.fromkeys(names))
    if len(different) > _MOST_NAMES:
        others = f"{len(different) - _MOST_NAMES + 1} others"
        different = [*different[: _MOST_NAMES - 1], f"one of {others}" if last == "or" else others]
    return joined(different, last)


def closed_ones(objects: Sequence[SeenObject]) -> str:
    """``the closed cabinet and the closed chest``, or empty."""
    return listed([f"the closed {obj.label}" for obj in objects], "and") if objects else ""


def finished(explanation: str, answer: str) -> str:
    """``<explanation> Answer: <answer>.``; either part may be empty."""
    if not explanation:
        return answer
    sentence = explanation[0].upper() + explanation[1:]
    sentence = sentence if sentence.endswith((".", "?", "!")) else sentence + "."
    return f"{sentence} Answer: {answer}." if answer else sentence


def explanation(text: str, answer: str) -> str:
    """What a text says besides its answer: the other way round from ``finished``."""
    return "" if text == answer else text.removesuffix(f" Answer: {answer}.")


def taken(corrections: Sequence[tuple[str, str]], text: str, answer: str) -> str:
    """A text with what misspelt words were taken for said first: ``Television, I take it. Answer: on the desk.``."""
    if not corrections:
        return text
    said = f"{joined([meant for _, meant in corrections])}, I take it"
    return finished(said, answer) if text == answer else f"{finished(said, '')} {text}"


def proposes(report: NoiseReport) -> bool:
    """Whether it says what may have been meant, of which a person can say whether it was."""
    return bool(report.corrected_question or (report.correction and report.noise_type is not NoiseType.LATENT))


def asks_consent(verdict: Verdict, report: NoiseReport) -> bool:
    """Whether what was worked out answers another question than was asked, to which a person can agree."""
    return verdict is Verdict.CORRECTED or (verdict is Verdict.NEEDS_CONFIRMATION and proposes(report))


def meant(report: NoiseReport) -> str:
    """What a person may have meant, in quotes: the corrected question, or what is right where there is no question."""
    words = report.corrected_question or report.correction
    return f'"{words}"' if words else "something else"


def proposal(report: NoiseReport) -> str:
    """``The mug on the table is blue, not red. Did you mean: "What is the blue mug on the table made of?"``."""
    return f"{finished(report.explanation, '')} Did you mean: {meant(report)}".strip()


def refused(report: NoiseReport) -> str:
    """What stands when a person does not agree to a correction."""
    return f"{finished(report.explanation, '')} The question as it was asked has no answer."
