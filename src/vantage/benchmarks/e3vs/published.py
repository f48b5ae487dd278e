"""What E3VS-Bench (arXiv 2604.17969, version 2) published of agents, and under what conditions.

They come from the paper's text and a third party's reading note of the whole of it. What is in neither is None or left
out: steps and collisions of single agents, and the values behind figure 6.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

SOURCE = "arXiv 2604.17969, version 2: its text, and a third party's reading note of the whole of it"
JUDGE = "GPT-5.1"
SPEARMAN = 0.54  # of the judge's marks with those of people
TEST_SCENES, TEST_EPISODES, TEST_PAIRS = 21, 377, 258
TEST_CATEGORIES: Mapping[str, int] = {"OS": 116, "OST": 44, "OA": 55, "CGS": 30, "SR": 32, "CNT": 100}  # episodes


@dataclass(frozen=True)
class PublishedAgent:
    """A row of the main results: mean marks, 1 to 5, by category of question and over the test split.

    Attributes:
        here: name of the agent here that does the same; empty where there is none.
    """

    name: str
    marks: Mapping[str, float]
    mean: float
    here: str


@dataclass(frozen=True)
class PublishedControl:
    """Mean marks, 1 to 5, under one control.

    Attributes:
        low, high: the least and the greatest of the models that were tried; one number where they are equal.
        here: name of the agent here that is run so.
        start: the ``start`` of its control; empty for the episode's own.
        thinking: the ``thinking`` of its control; None where the figure is of either.
    """

    name: str
    low: float
    high: float
    here: str
    start: str = ""
    thinking: str | None = None


def _row(name: str, here: str, *marks: float) -> PublishedAgent:
    return PublishedAgent(name, dict(zip(TEST_CATEGORIES, marks, strict=False)), marks[-1], here)


PILOT = "pilot"
MAIN: Sequence[PublishedAgent] = (
    _row("Random", "random", 2.38, 2.18, 2.60, 2.20, 2.50, 2.00, 2.28),
    _row("Gemini 2.5 Pro", PILOT, 3.14, 2.36, 2.45, 2.60, 2.25, 2.04, 2.54),
    _row("Gemini 3.0 Flash", PILOT, 3.21, 2.82, 3.18, 3.53, 2.75, 1.88, 2.79),
    _row("Gemini 3.0 Pro", PILOT, 3.07, 2.55, 3.18, 3.40, 3.00, 1.96, 2.75),
    _row("GPT-5.1", PILOT, 2.90, 2.18, 2.53, 2.73, 2.25, 1.88, 2.42),
    _row("Qwen3-VL-8B", PILOT, 2.86, 2.36, 2.60, 3.13, 1.88, 1.96, 2.46),
    _row("Qwen3-VL-30B", PILOT, 2.67, 2.09, 2.60, 2.47, 2.25, 1.84, 2.32),
    _row("InternVL3.5-8B", PILOT, 2.66, 2.18, 2.24, 2.60, 2.12, 1.60, 2.21),
    _row("Step3-VL-10B", PILOT, 2.38, 2.27, 2.38, 3.13, 2.50, 1.64, 2.24),
    _row("Human", "", 3.12, 3.59, 4.06, 4.06, 3.35, 3.59, 3.53),
)
CONTROLS: Sequence[PublishedControl] = (
    PublishedControl("Blind", 1.67, 1.82, "blind"),
    PublishedControl("VQA at the start", 2.14, 2.14, "vqa"),
    PublishedControl("VQA from a bird's-eye view", 1.48, 1.59, "vqa", "bird"),
    PublishedControl("VQA at the goal", 3.58, 3.58, "vqa", "goal"),
    PublishedControl("VQA at the goal, human", 4.12, 4.12, ""),
    PublishedControl("2D search in the start view", 1.68, 1.86, "crop"),
    PublishedControl("Start at the goal", 3.38, 3.41, PILOT, "goal"),
    PublishedControl("GPT-5.1 without thinking", 2.42, 2.42, PILOT, thinking="off"),
    PublishedControl("GPT-5.1 with thinking", 2.70, 2.70, PILOT, thinking="on"),
)
FRAMES = {"mark": "alike", "steps": "fewer", "collisions": "fewer"}  # of 3 and 5 frames against 1, figure 6 in words


def published_json() -> dict[str, Any]:
    """All of it as plain data."""
    return {
        "source": SOURCE,
        "judge": JUDGE,
        "spearman_with_people": SPEARMAN,
        "test": {
            "scenes": TEST_SCENES,
            "episodes": TEST_EPISODES,
            "pairs": TEST_PAIRS,
            "categories": dict(TEST_CATEGORIES),
        },
        "main": [asdict(each) for each in MAIN],
        "controls": [asdict(each) for each in CONTROLS],
        "more_frames": dict(FRAMES),
    }
