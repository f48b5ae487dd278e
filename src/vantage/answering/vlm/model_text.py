"""Text to and from a model: questions made safe for a prompt, and replies read tolerantly.

A question goes into a prompt as one line of bounded length that cannot end its own marks. A reply is JSON by the
schema, labelled lines, or a bare answer.
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from vantage.bounded_json import check_json
from vantage.types import NoiseType

MOST_CHARACTERS = 1000  # far beyond any question, and too little to bury a prompt
_TAG = re.compile(r"<(?=\s*/?\s*[^\W\d])")  # begins a mark; "x < 3" does not
_ESCAPE = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]?")  # what colors a terminal
_NO_TEXT = ("Cc", "Cf", "Cs", "Co", "Cn")  # Unicode categories: control characters, halves of pairs, unassigned


@dataclass(frozen=True)
class PromptQuestion:
    """
    Attributes:
        text: what is sent; empty where there is nothing to ask.
        note: what was changed, a sentence; empty where nothing was.
    """

    text: str
    note: str = ""


def prompt_question(text: str) -> PromptQuestion:
    """A question without line breaks, control characters and marks, cut to ``MOST_CHARACTERS``.

    Signs that are others in another width or style become those first (Unicode NFKC): a model reads them as the same.
    """
    cut = text[: 4 * MOST_CHARACTERS]  # blanks and marks of a long text need no cleaning
    clean = _plain(unicodedata.normalize("NFKC", cut))
    asked = " ".join(_TAG.sub(" ", clean).split())
    if not any(unicodedata.category(sign)[0] in "LN" for sign in re.sub(r"</?question>", "", clean)):
        return PromptQuestion("", "The question holds no words.")
    notes = []
    if len(asked) > MOST_CHARACTERS or len(text) > len(cut):
        asked = asked[:MOST_CHARACTERS]
        notes.append(f"Only the first {MOST_CHARACTERS} characters of the question were read.")
    if any(_is_no_text(sign) and not sign.isspace() for sign in cut):
        notes.append("Characters of the question that are no text were left out.")
    if _TAG.search(clean):
        notes.append("Marks in the question that might end it for the model were left out.")
    return PromptQuestion(asked, " ".join(notes))


def one_line(text: str, most: int) -> str:
    """What a model said, as one line of at most so many characters, without control characters."""
    clean = _plain(text[: 4 * most])
    return clean if len(clean) <= most else f"{clean[: most - 3].rstrip()}..."


def _plain(text: str) -> str:
    """One line, without what is no text."""
    return " ".join("".join(" " if _is_no_text(sign) else sign for sign in _ESCAPE.sub(" ", text)).split())


def _is_no_text(sign: str) -> bool:
    return unicodedata.category(sign) in _NO_TEXT


_MOST_ANSWER, _MOST_SENTENCE, _MOST_READ = 300, 500, 20_000  # characters
_MOST_OBJECTS = 8
_MOST_BRACES = 32  # places where JSON may begin that are tried

_NOISES = {
    "none": NoiseType.NONE,
    "latent": NoiseType.LATENT,
    "color": NoiseType.COLOR,
    "material": NoiseType.MATERIAL,
    "shape": NoiseType.SHAPE,
    "count": NoiseType.COUNT,
    "position": NoiseType.POSITION,
    "perception": NoiseType.PERCEPTION,
    "semantic": NoiseType.SEMANTIC,
}
_SAME_NOISE = {
    "colour": "color",
    "counting": "count",
    "number": "count",
    "no": "none",
    "nothing": "none",
    "n/a": "none",
}
_SENTENCE = {"type": "string"}
_VERDICT: dict[str, Any] = {
    "noise": {"type": "string", "enum": list(_NOISES)},
    "false_claim": _SENTENCE,
    "correction": _SENTENCE,
    "corrected_question": _SENTENCE,
    "explanation": _SENTENCE,
    "picture": {"type": "integer"},
    "place_shown": {"type": "boolean"},
    "answer": _SENTENCE,
}
_STEPS: dict[str, Any] = {
    "objects": {
        "type": "array",
        "items": {
            "type": "object",
            "properties": {"name": _SENTENCE, "there": {"type": "boolean"}},
            "required": ["name", "there"],
        },
    },
    "attributes": _SENTENCE,
    "function": _SENTENCE,
}


def _schema(properties: dict[str, Any]) -> dict[str, Any]:
    return {"type": "object", "properties": properties, "required": list(properties)}


SCHEMAS = {"nap": _schema(_VERDICT), "nacot": _schema({**_STEPS, **_VERDICT})}

_LINE = re.compile(
    r"^[\s\W\d]*(noise(?: type)?|false claim|correction|corrected question|explanation|picture|place shown|"
    r"(?:final )?answer)"
    r"[\s*_]*:[\s*_]*(.*)$",
    re.IGNORECASE,
)
_PAIR = re.compile(r'"(\w+)"\s*:\s*"([^"\\]*)"')
_BEGINS_JSON = re.compile(r'\s*(?:```\w*\s*)?[{[]+\s*(?:"|$|[{[])')
_ANSWER = re.compile(r"\banswer\s*:", re.IGNORECASE)
_YES_NO = re.compile(r"\W*(yes|no)\b", re.IGNORECASE)
_OBJECTION = re.compile(
    r"\bthere (?:is|are) (?:no|not)\b|\bthere (?:is|are)n['’]t\b|\bno such\b|\b(?:do|does)(?: not|n['’]t) exist\b|"
    r"\b(?:premise|question) is (?:false|wrong|mistaken|incorrect)\b|\bcan(?:not|['’]t) be answered\b",
    re.IGNORECASE,
)
_IGNORANT = re.compile(
    r"\b(?:(?:do(?: not|n['’]t)|cannot|can['’]t|unable to) (?:know|tell|say|see|determine|answer)|"
    r"not (?:sure|certain|visible)|unclear|unknown)\b",
    re.IGNORECASE,
)
_NOTHING = frozenset({"", "none", "n/a", "na", "null", "-", "unknown", "empty", "not applicable", "nothing", "..."})


@dataclass(frozen=True)
class Reply:
    """
    Attributes:
        noise: what is wrong with the question; UNKNOWN where the model objects without saying what kind of object is.
        there, missing: objects that the model named as present and as absent.
        formed: it came in the form that was asked for.
        picture: number of the picture that shows it best, from 1; 0 where that is not said.
        place_shown: whether all of the place is shown where the thing should be; None where that is not said.
    """

    answer: str = ""
    noise: NoiseType = NoiseType.NONE
    false_claim: str = ""
    correction: str = ""
    corrected_question: str = ""
    explanation: str = ""
    there: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()
    formed: bool = True
    picture: int = 0
    place_shown: bool | None = None

    @property
    def cannot_tell(self) -> bool:
        """Whether what stands in the place of the answer says that there is none."""
        return not self.objects and _IGNORANT.search(self.answer) is not None

    @property
    def objects(self) -> bool:
        """Whether it says that something is wrong with the question."""
        return self.noise is not NoiseType.NONE


def bare_reply(text: str) -> Reply:
    """The reply to a prompt that only asks for an answer."""
    return Reply(_answer(text.strip().removeprefix("Answer:")))


def read_reply(text: str) -> Reply:
    """The reply to a prompt that asks for a verdict. Whatever it is, something is made of it."""
    text = text[:_MOST_READ]
    found = _json_object(text) or _cut_json(text)
    if found is not None:
        return _from_fields(found)
    lines: dict[str, Any] = {}
    for line in text.splitlines():
        match = _LINE.match(line)
        if match:
            name = match[1].lower().removeprefix("final ").removesuffix(" type").replace(" ", "_")
            lines[name] = match[2]
    if "noise" in lines or len(lines) > 1:
        return _from_fields(lines)
    return _from_words(text)


def _from_fields(fields: Mapping[str, Any]) -> Reply:
    """Keys of the wrong type count as missing."""
    names = [item for item in _list(fields.get("objects"))[:_MOST_OBJECTS] if isinstance(item, Mapping)]
    missing = tuple(name for item in names if item.get("there") is False and (name := _sentence(item, "name")))
    return Reply(
        answer=_answer(_text(fields.get("answer"))),
        noise=_noise(_text(fields.get("noise"))),
        false_claim=_sentence(fields, "false_claim"),
        correction=_sentence(fields, "correction"),
        corrected_question=_sentence(fields, "corrected_question"),
        explanation=_sentence(fields, "explanation"),
        there=tuple(name for item in names if item.get("there") is True and (name := _sentence(item, "name"))),
        missing=missing,
        formed="answer" in fields and "noise" in fields,
        picture=_number(fields.get("picture")),
        place_shown=_truth(fields.get("place_shown")),
    )


def _from_words(text: str) -> Reply:
    """A reply in free words: a last ``Answer:`` parts what explains from what answers."""
    marks = list(_ANSWER.finditer(text))
    explanation, answer = (text[: marks[-1].start()], text[marks[-1].end() :]) if marks else ("", text)
    explanation, answer = one_line(explanation, _MOST_SENTENCE), _answer(answer)
    objection = explanation if _OBJECTION.search(explanation) else ""
    if not marks and _OBJECTION.search(answer) and not _YES_NO.match(answer):
        objection, answer = one_line(answer, _MOST_SENTENCE), ""
    noise = NoiseType.UNKNOWN if objection else NoiseType.NONE
    return Reply(answer, noise, explanation=objection or explanation, formed=False)


def _json_object(text: str) -> Mapping[str, Any] | None:
    """The first JSON object with an answer or a noise in a text, whatever stands around it."""
    decoder = json.JSONDecoder()
    for match in list(re.finditer(r"\{", text))[:_MOST_BRACES]:
        try:
            value, end = decoder.raw_decode(text, match.start())
            check_json(text[match.start() : end])
        except (ValueError, RecursionError):
            continue
        if isinstance(value, dict) and ("answer" in value or "noise" in value):
            return value
    return None


def _cut_json(text: str) -> Mapping[str, Any] | None:
    """Pairs of words from JSON that was cut or miswritten; None where a text does not set out to be JSON."""
    pairs = {key: value for key, value in _PAIR.findall(text) if key in _VERDICT}
    return pairs if pairs or _BEGINS_JSON.match(text) else None


def _noise(text: str) -> NoiseType:
    """By the first word that names a kind; an objection of a kind that nobody knows is UNKNOWN."""
    if text.strip().lower() in _NOTHING:
        return NoiseType.NONE
    for word in re.findall(r"[a-z/]+", text.lower()):
        kind = _NOISES.get(_SAME_NOISE.get(word, word))
        if kind is not None:
            return kind
    return NoiseType.UNKNOWN


def _answer(text: str) -> str:
    text = one_line(text, _MOST_ANSWER).strip(" *_`\"'")
    text = text[:-1] if text.endswith(".") and not text.endswith("..") else text
    return "" if not any(sign.isalnum() for sign in text) else text


def _sentence(fields: Mapping[str, Any], key: str) -> str:
    text = one_line(_text(fields.get(key)), _MOST_SENTENCE)
    return "" if text.strip(" .").lower() in _NOTHING else text


def _text(value: Any) -> str:
    """Numbers and truth values as words; nothing for what is no single value."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return value if isinstance(value, str) else str(value) if isinstance(value, (int, float)) else ""


def _number(value: Any) -> int:
    """From 1; 0 for what is no such number."""
    found = re.search(r"\d{1,4}", _text(value))
    return int(found[0]) if found else 0


def _truth(value: Any) -> bool | None:
    said = _YES_NO.match(_text(value))
    return None if said is None else said[1].lower() == "yes"


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []
