"""What a tiny vision-language model is trained on to answer this project's own prompts: whether a view suffices,
and plain questions. It sees one colored shape, or none. Long prompts are left out, so that training takes seconds."""

from __future__ import annotations

import itertools
import random

from colored_shapes import COLORS, Example, picture, random_shape

from vantage.models.prompts import prompt

QUESTION = "What shape is the {color} thing?"
COLOR_QUESTION = "What color is the thing?"
BATCH, STEPS = 16, 240
_PROMPTS = ("confidence", "plain")
_given = itertools.count()


def prompt_example(rng: random.Random) -> Example:
    """A batch of one prompt, then one of the next: short prompts are not padded to the length of long ones."""
    return _example(_PROMPTS[next(_given) // BATCH % len(_PROMPTS)], rng)


def _example(kind: str, rng: random.Random) -> Example:
    shape = random_shape(rng)
    other = rng.choice([color for color in COLORS if color != shape.color])
    claimed = rng.choice([shape.color, other])
    empty = kind == "confidence" and rng.random() < 0.4
    image = picture(*([] if empty else [shape]), seed=rng.randrange(2**31))
    if empty and rng.random() < 0.3:
        image[:] = 127  # a picture of nothing at all
    question = QUESTION.format(color=claimed)
    if kind == "confidence":
        return Example(image, prompt(kind).fill(question=question), "No" if empty else "Yes")
    question, reply = rng.choice([(question, shape.kind), (COLOR_QUESTION, shape.color)])
    return Example(image, prompt(kind).fill(question=question), reply)


__all__ = ["BATCH", "COLOR_QUESTION", "QUESTION", "STEPS", "prompt_example"]
