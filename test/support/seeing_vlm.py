"""What a tiny vision-language model is taught, so that it sees and speaks for itself on this project's own prompts.

It sees one colored shape, or none. It is asked whether a view suffices, whether something is there, which of two
statements is truer, and which shape the object of some color has, though the object may have another color or not be
there: plainly, and told that the question may be mistaken (``nap``, ``nacot``). Where a verdict is asked for it says
first what it sees.
"""

from __future__ import annotations

import json
import random
import re
from collections.abc import Collection

from colored_shapes import KINDS, Example, Shape, picture, random_shape
from tiny_vlm import Lesson

from vantage.answering.vlm.model_text import SCHEMAS
from vantage.answering.vlm.view_confidence import filled
from vantage.models.prompts import prompt

COLORS = ("red", "blue")
QUESTION = "What shape is the {} thing?"
_SHORT, _VERDICTS = ("confidence", "presence", "truer_statement", "plain"), ("nap", "nacot")
_EMPTY = 0.25  # share of pictures without a shape


def another(rng: random.Random, of: Collection[str], one: str) -> str:
    return rng.choice([other for other in of if other != one])


def seeing_example(rng: random.Random) -> Example:
    """What is in the picture."""
    shape, image = _scene(rng)
    return Example(image, filled("plain", 1, question="What is there?"), shape.label if shape else "nothing")


def answering_example(rng: random.Random) -> Example:
    """Any of the prompts that an answer is made with; the harder ones more often."""
    return _named(rng.choice((*_SHORT, "truer_statement", *_VERDICTS)), rng)


def _named(name: str, rng: random.Random) -> Example:
    """A prompt of a name about a random picture, and the true reply."""
    shape, image = _scene(rng, 0.0 if name == "truer_statement" else _EMPTY)
    color = shape.color if shape and rng.random() < 0.5 else rng.choice(COLORS)
    return Example(image, *(_statements(shape, rng) if name == "truer_statement" else _asked(name, color, shape, rng)))


def _scene(rng: random.Random, empty: float = _EMPTY) -> tuple[Shape | None, object]:
    """A shape, or sometimes none, and its picture."""
    shape = random_shape(rng, COLORS) if rng.random() >= empty else None
    image = picture(*([shape] if shape else []), seed=rng.randrange(2**31))
    if shape is None and rng.random() < 0.4:
        image[:] = 127  # a picture of nothing at all
    return shape, image


def _statements(shape: Shape, rng: random.Random) -> tuple[str, str]:
    colors = [shape.color, another(rng, COLORS, shape.color)]
    rng.shuffle(colors)
    first, second = (f"the thing is {color}" for color in colors)
    text = filled("truer_statement", 1, first=first, second=second)
    return text, "Yes" if colors[0] == shape.color else "No"


def _asked(name: str, color: str, shape: Shape | None, rng: random.Random) -> tuple[str, str]:
    """A prompt about the object of a color, and the true reply."""
    question = QUESTION.format(color)
    if name == "presence":
        there = shape is not None and shape.color == color
        if rng.random() < 0.3:
            return filled(name, 1, thing="a thing"), "Yes" if shape else "No"
        return filled(name, 1, thing=f"a {color} thing"), "Yes" if there else "No"
    if name == "confidence":
        return filled(name, 1, question=question), "Yes" if shape else "No"
    if name == "plain":
        return filled(name, 1, question=question), shape.kind if shape else "nothing"
    return _verdict_prompt(name, question), _true_verdict(name, color, shape)


def _verdict_prompt(mode: str, question: str) -> str:
    text = filled(mode, 1, question=question, form="")
    return prompt("json_reply").fill(prompt=text, schema=json.dumps(SCHEMAS[mode]))


def _true_verdict(mode: str, color: str, shape: Shape | None) -> str:
    """JSON by the schema of a mode."""
    said = {"noise": "none", "false_claim": "", "correction": "", "corrected_question": ""}
    if shape is None:
        said |= {"noise": "latent", "false_claim": f"there is a {color} thing"}
    elif shape.color != color:
        said |= {"noise": "color", "false_claim": f"the thing is {color}", "correction": f"the thing is {shape.color}"}
        said["corrected_question"] = QUESTION.format(shape.color)
    said |= {"picture": 1, "place_shown": True, "answer": shape.kind if shape else ""}
    seen = f"asked for {color}, seen {shape.color if shape else 'nothing'}"
    steps = {"objects": [{"name": "thing", "there": shape is not None}], "attributes": seen, "function": ""}
    return json.dumps({**(steps if mode == "nacot" else {}), "explanation": seen, **said})


def _fixed_texts() -> list[str]:
    """What stands in every prompt and reply: each of these is one token, so that training takes seconds."""
    fields = {"question": "\0", "thing": "\0", "first": "\0", "second": "\0"}
    texts = [filled(name, 1, **{key: fields[key] for key in prompt(name).fields if key in fields}) for name in _SHORT]
    parts = [part for text in texts for part in text.split("\0")]
    parts += [part for mode in _VERDICTS for part in _verdict_prompt(mode, "\0").split("\0")]
    parts += [*QUESTION.split("{}"), "the thing is "]
    words = rf'\b(?:{"|".join((*COLORS, *KINDS))})\b|(?<="noise": ")\w+'
    for mode in _VERDICTS:
        for color in COLORS:
            for shape in (None, Shape("red", "square"), Shape("blue", "circle")):
                parts += re.split(words, _true_verdict(mode, color, shape))
    return [part for part in dict.fromkeys(parts) if len(part) > 1]


LESSONS = (Lesson(seeing_example, 100, together=4), Lesson(answering_example, 700, together=4))
LEARNED = 0.005  # loss of one that has understood all prompts
FIXED = _fixed_texts()
