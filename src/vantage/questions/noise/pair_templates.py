"""How the questions of pairs are worded: as people ask, in two groups of which one is kept for reported results.

The parser must not know these templates, and does not import them. ``{the}`` stands for the objects, ``{it}`` refers to
them, ``{is}``, ``{does}`` and ``{has}`` agree with their number, and ``{value}`` is what is asked about them.
"""

from __future__ import annotations

from typing import Literal

import numpy as np

from vantage.errors import SceneError
from vantage.questions.lexicon import capitalized

Wording = Literal["dev", "test"]
WORDINGS: tuple[Wording, ...] = ("dev", "test")

FORMS: dict[Wording, dict[str, tuple[str, ...]]] = {
    "dev": {
        "color": (
            "What color {is} {the}?",
            "What is the color of {the}?",
            "Which color {does} {the} have?",
            "Tell me the color of {the}.",
            "Do you know what color {the} {is}?",
        ),
        "material": (
            "What {is} {the} made of?",
            "What material {is} {the}?",
            "Which material {is} {the} made from?",
            "Tell me what {the} {is} made of.",
        ),
        "shape": (
            "What shape {is} {the}?",
            "What is the shape of {the}?",
            "Which shape {does} {the} have?",
        ),
        "place": (
            "Where {is} {the}?",
            "Where can I find {the}?",
            "Can you tell me where {the} {is}?",
            "Could you tell me the place where {the} {is}?",
        ),
        "room": (
            "In which room {is} {the}?",
            "Which room {is} {the} in?",
            "What room do I find {the} in?",
        ),
        "text": (
            "What is written on {the}?",
            "What {does} {the} say?",
            "Which word is printed on {the}?",
        ),
        "is color": (
            "{Is} {the} {value}?",
            "{Is} {the} {value} in color?",
            "Can you check if {the} {is} {value}?",
        ),
        "is material": (
            "{Is} {the} made of {value}?",
            "Is {value} the material of {the}?",
            "Can you check if {the} {is} made of {value}?",
        ),
        "is shape": (
            "{Is} {the} {value}?",
            "{Is} {the} {value} in shape?",
        ),
        "is state": (
            "{Is} {the} {value}?",
            "{Is} {the} {value} right now?",
            "Can you check if {the} {is} {value}?",
        ),
    },
    "test": {
        "color": (
            "Could you tell me what color {the} {is}?",
            "I would like to know the color of {the}.",
            "{The}, what color {is} {it}?",
            "Do you remember what color {the} {is}?",
            "What colour would you say {the} {is}?",
        ),
        "material": (
            "Could you tell me what material {the} {is} made of?",
            "What {is} {the} made from?",
            "I wonder what {the} {is} made of.",
            "What kind of material {is} {the} made out of?",
            "Please tell me what material {the} {is}.",
        ),
        "shape": (
            "Could you tell me what shape {the} {is}?",
            "What shape would you say {the} {is}?",
            "How would you describe the shape of {the}?",
        ),
        "place": (
            "I am looking for {the}, where {is} {it}?",
            "Where exactly {is} {the}?",
            "I can't seem to find {the}, any idea where {it} {is}?",
            "Where did somebody put {the}?",
        ),
        "room": (
            "Could you tell me what room {the} {is} in?",
            "Do you know which room {the} {is} in?",
            "I am trying to find {the}, which room {is} {it} in?",
        ),
        "text": (
            "Could you read me what it says on {the}?",
            "Which word can you read on {the}?",
            "What is printed on {the}?",
        ),
        "is color": (
            "I think {the} {is} {value}, is that right?",
            "Would you say that {the} {is} {value}?",
            "{Is} {the} {value}, by any chance?",
            "Am I right that {the} {is} {value}?",
        ),
        "is material": (
            "I think {the} {is} made of {value}, is that right?",
            "Would you say that {the} {is} made of {value}?",
            "{Is} {the} made out of {value}?",
            "Could it be that {the} {is} made of {value}?",
        ),
        "is shape": (
            "I think {the} {is} {value}, is that right?",
            "Would you say that {the} {is} {value}?",
            "Am I right that {the} {is} {value}?",
        ),
        "is state": (
            "Could it be that {the} {is} {value}?",
            "Would you say that {the} {is} {value}?",
            "Could you have a look whether {the} {is} {value}?",
            "I think {the} {is} {value}, is that right?",
        ),
    },
}

_ONE = {"is": "is", "does": "does", "has": "has", "it": "it"}
_MANY = {"is": "are", "does": "do", "has": "have", "it": "they"}


def pick_form(wording: Wording, kind: str, rng: np.random.Generator) -> str:
    """One of the templates of a group for a kind of question.

    Raises:
        SceneError: no such group.
    """
    if wording not in FORMS:
        raise SceneError(f"there is no group of wordings '{wording}'; choose one of {', '.join(WORDINGS)}")
    forms = FORMS[wording][kind]
    return forms[int(rng.integers(len(forms)))]


def filled(form: str, the: str, several: bool = False, value: str = "") -> str:
    """The sentence that a template makes."""
    words = _MANY if several else _ONE
    parts = {**words, **{name.capitalize(): word.capitalize() for name, word in words.items()}}
    return capitalized(form.format(**parts, the=the, The=capitalized(the), value=value))
