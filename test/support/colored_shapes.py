"""Pictures of a colored shape on a grey ground, and questions about them with true replies."""

from __future__ import annotations

import random
from dataclasses import dataclass

import cv2
import numpy as np

COLORS = {"red": (220, 20, 20), "green": (20, 180, 40), "blue": (30, 40, 220), "yellow": (230, 220, 30)}
KINDS = ("square", "circle")
LEADS = ("", "", "Look at the image. ", "Answer with one word. ", "You are a robot. ")
ENDS = ("", "", " Answer yes or no.", " Answer with one word.", " Say what you see.")


@dataclass(frozen=True)
class Shape:
    """One shape: the middle (x, y) and the half side, as shares of the picture's side."""

    color: str
    kind: str
    x: float = 0.5
    y: float = 0.5
    half: float = 0.25

    @property
    def label(self) -> str:
        return f"{self.color} {self.kind}"


@dataclass(frozen=True)
class Example:
    """A picture (H, W, 3) uint8, a prompt about it and the true reply."""

    image: np.ndarray
    prompt: str
    reply: str


def picture(*shapes, side=64, seed=0):
    """Shapes on grey noise, later ones in front; (side, side, 3) uint8. A circle has a white middle, like a target."""
    image = np.random.default_rng(seed).integers(90, 160, (side, side, 3), dtype=np.uint8)
    for shape in shapes:
        x, y, half = (round(value * side) for value in (shape.x, shape.y, shape.half))
        color = COLORS[shape.color]
        if shape.kind == "square":
            cv2.rectangle(image, (x - half, y - half), (x + half, y + half), color, -1)
        else:
            cv2.circle(image, (x, y), half, color, -1)
            cv2.circle(image, (x, y), round(0.6 * half), (255, 255, 255), -1)
    return image


def random_shape(rng: random.Random, colors=tuple(COLORS)) -> Shape:
    """One near the middle of the picture."""
    x, y = (rng.uniform(0.38, 0.62) for _ in "xy")
    return Shape(rng.choice(colors), rng.choice(KINDS), x, y, rng.uniform(0.24, 0.34))


def random_example(rng: random.Random) -> Example:
    """One shape, or sometimes none, and a question what it is, which color it has, or whether something is there."""
    shape = random_shape(rng) if rng.random() < 0.9 else None
    image = picture(*([shape] if shape else []), seed=rng.randrange(2**31))
    topic = rng.random()
    if topic < 0.2:
        question, reply = "What is in the image?", shape.label if shape else "nothing"
    elif shape and topic < 0.35:
        question, reply = f"What color is the {shape.kind}?", shape.color
    else:
        question, reply = whether_there(shape, rng)
    return Example(image, f"{rng.choice(LEADS)}{question}{rng.choice(ENDS)}", reply)


def whether_there(shape: Shape | None, rng: random.Random) -> tuple[str, str]:
    """A question for a shape of some or of any color; where there is one, as often to be denied as to be affirmed."""
    color, kind, colored = rng.choice(list(COLORS)), rng.choice(KINDS), rng.random() < 0.7
    if shape and rng.random() < 0.5:
        color, kind = shape.color, shape.kind
    elif shape and colored and rng.random() < 0.6:
        color, kind = rng.choice([other for other in COLORS if other != shape.color]), shape.kind
    elif shape:
        kind = rng.choice([other for other in KINDS if other != shape.kind])
    there = shape is not None and kind == shape.kind and (color == shape.color or not colored)
    return f"Is there a {f'{color} ' if colored else ''}{kind}?", "Yes" if there else "No"
