"""How generated questions are worded. The parser must not know these templates, and does not import them."""

from __future__ import annotations

import numpy as np

from vantage.questions.lexicon import capitalized

FORMS: dict[str, tuple[str, ...]] = {
    "exist": (
        "Is there {a} {place}?",
        "Do you see {a} {place}?",
        "Can you find {a} {place}?",
        "Are there any {several} {place}?",
    ),
    "exist some": (  # of what nobody counts
        "Is there any {noun} {place}?",
        "Do you see any {noun} {place}?",
        "Can you find {a} {place}?",
        "Is there {a} {place}?",
    ),
    "color": (
        "What color is {the}?",
        "What is the color of {the}?",
        "Which color does {the} have?",
        "Can you tell me the color of {the}?",
        "Can you see what color {the} is?",
    ),
    "material": (
        "What is {the} made of?",
        "What material is {the}?",
        "Which material is {the} made of?",
        "Can you tell me what {the} is made of?",
        "Out of what material is {the} made?",
    ),
    "shape": (
        "What shape is {the}?",
        "What is the shape of {the}?",
        "Which shape does {the} have?",
        "Can you tell me what shape {the} has?",
    ),
    "size": (
        "Is {the} small or large?",
        "What size is {the}, small or large?",
        "Compared with the other {several}, is {the} large or small?",
        "Would you call {the} large or small for a {noun}?",
        "What is the size of {the}: large or small?",
    ),
    "state": (
        "Is {the} {state}?",
        "Can you check whether {the} is {state}?",
        "Is {the} {state} at the moment?",
        "Has {the} been left {state}?",
        "Tell me, is {the} {state}?",
    ),
    "which state": (
        "Is {the} {state} or {other}?",
        "Can you tell me whether {the} is {state} or {other}?",
        "Which is it: is {the} {state} or {other}?",
        "Has {the} been left {state} or {other}?",
    ),
    "text": (
        "What is written on {the}?",
        "What does {the} say?",
        "Which word is printed on {the}?",
        "Can you read what is written on {the}?",
        "What is the text on {the}?",
    ),
    "room": (
        "In which room is {the}?",
        "Which room is {the} in?",
        "What room can I find {the} in?",
        "Can you tell me in which room {the} is?",
        "In what room would I find {the}?",
    ),
    "in room": (
        "Is {the} in the {room}?",
        "Can I find {the} in the {room}?",
        "Would I find {the} in the {room}?",
        "Is the {room} the room with {the} in it?",
    ),
    "location": (
        "Where is {the}?",
        "Where can I find {the}?",
        "Where is {the} located?",
        "Can you tell me where {the} is?",
        "Where would I look for {the}?",
    ),
    "count": (
        "How many {several} are {place}?",
        "How many {several} are there {place}?",
        "What is the number of {several} {place}?",
        "How many {several} do you see {place}?",
        "Can you count the {several} {place}?",
    ),
    "count either": (
        "How many {several} or {others} are {place}?",
        "How many {several} and {others} are there {place} altogether?",
        "What is the total number of {several} and {others} {place}?",
        "Counting both {several} and {others}, how many are {place}?",
    ),
    "what": (
        "What is {place}?",
        "Which thing is {place}?",
        "What do you see {place}?",
        "Can you tell me what is {place}?",
        "What kind of thing is {place}?",
    ),
    "whether": (
        "Is {the} {place}?",
        "Is it true that {the} is {place}?",
        "Would you say that {the} is {place}?",
        "Can you check whether {the} is {place}?",
    ),
    "more": (
        "Are there more {several} than {others} {place}?",
        "Do you see more {several} than {others} {place}?",
        "Does the number of {several} {place} exceed the number of {others}?",
        "Looking at what is {place}, are there more {several} than {others}?",
    ),
    "fewer": (
        "Are there fewer {several} than {others} {place}?",
        "Do you see fewer {several} than {others} {place}?",
        "Is the number of {several} {place} smaller than the number of {others}?",
        "Looking at what is {place}, are there fewer {several} than {others}?",
    ),
    "equal": (
        "Are there as many {several} as {others} {place}?",
        "Do you see as many {several} as {others} {place}?",
        "Is the number of {several} {place} equal to the number of {others}?",
        "Is there the same number of {several} and {others} {place}?",
    ),
    "larger": (
        "Is {the} larger than {other}?",
        "Is {the} bigger than {other}?",
        "Would you say that {the} is larger than {other}?",
        "Compared with {other}, is {the} bigger?",
    ),
    "smaller": (
        "Is {the} smaller than {other}?",
        "Would you say that {the} is smaller than {other}?",
        "Compared with {other}, is {the} smaller?",
        "Can you check whether {the} is smaller than {other}?",
    ),
    "taller": (
        "Is {the} taller than {other}?",
        "Would you say that {the} is taller than {other}?",
        "Compared with {other}, is {the} taller?",
        "Does {the} have a greater height than {other}?",
    ),
    "same": (
        "Is {the} the same {attribute} as {other}?",
        "Does {the} have the same {attribute} as {other}?",
        "Do {the} and {other} have the same {attribute}?",
        "Are {the} and {other} of the same {attribute}?",
    ),
    "count same": (
        "How many other things {place} have the same {attribute} as {the}?",
        "Can you count the other things {place} that share the {attribute} of {the}?",
        "Besides {the}, how many things {place} have the same {attribute}?",
        "How many things {place} are of the same {attribute} as {the}, not counting it?",
    ),
    "most": (
        "What is the {most} thing {place}?",
        "Which thing {place} is the {most}?",
        "Of all the things {place}, which is the {most}?",
        "Can you tell me what the {most} thing {place} is?",
    ),
    "color of most": (
        "What color is the {most} {noun} {place}?",
        "What is the color of the {most} {noun} {place}?",
        "Which color does the {most} {noun} {place} have?",
        "Can you tell me the color of the {most} {noun} {place}?",
    ),
    "use with": (
        "Which thing {place} could I use to {use}?",
        "What would I use {place} to {use}?",
        "What {place} can I {use} {end}?",
        "Which thing {place} would I {use} {end}?",
        "Can you tell me what I could use to {use} {place}?",
    ),
    "use in": (
        "Where could I {use} {place}?",
        "What {place} could I {use} {end}?",
        "Which thing {place} could I {use} {end}?",
        "Can you tell me where I could {use} {place}?",
    ),
    "use itself": (
        "Which thing {place} {uses}?",
        "What {uses} {place}?",
        "Can you tell me which thing {place} {uses}?",
    ),
    "use": (  # of what is eaten, worn or ridden
        "What could I {use} {place}?",
        "Which thing {place} could I {use}?",
        "Can you tell me what I could {use} {place}?",
    ),
    "color of several": ("What color are {the}?", "What is the color of {the}?", "Which color do {the} have?"),
    "material of several": (
        "What are {the} made of?",
        "What material are {the} made of?",
        "Can you tell me what {the} are made of?",
    ),
}
VIEWS = ("seen from {viewer}", "as seen from {viewer}", "when viewed from {viewer}", "looking from {viewer}")


def worded(form: str, rng: np.random.Generator | None, **parts: str) -> str:
    """A question of one of the ``FORMS``; without ``rng``, in the plainest wording.

    Args:
        parts: what fills the gaps of the form; ``place`` may be empty.
    """
    wordings = FORMS[form]
    chosen = wordings[0] if rng is None else wordings[int(rng.integers(len(wordings)))]
    sentence = " ".join(chosen.format(**parts).split()).replace(" ?", "?").replace(" ,", ",")
    return capitalized(sentence)


def seen_from(viewer: str, rng: np.random.Generator) -> str:
    """``as seen from the door``."""
    return VIEWS[int(rng.integers(len(VIEWS)))].format(viewer=viewer)
