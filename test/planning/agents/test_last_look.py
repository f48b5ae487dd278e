"""The look at the end shows what the answer rests on."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from box_room import BoxRoom, furnished_room
from made_detections import detection
from row_tables import each_row

from vantage.answering.protocol import LookAt, LookFor
from vantage.config import Settings
from vantage.planning.agents.last_look import Shown
from vantage.planning.agents.search_agent import SearchAgent
from vantage.runs.episode import EpisodeRunner
from vantage.spatial import Viewpoint
from vantage.types import Episode, Question

START = Viewpoint(0.6, 0.6, 1.2, 2.0, 0.0)
MUG = LookFor(LookAt.OBJECT, "mug", 8, ((2.0, 2.0, 1.0),), 1.0, (0.1, 0.1, 0.12))


def searched(text: str, last_look: bool, steps: int = 40) -> tuple[Any, Any]:
    """How an episode ended, and what was seen last."""
    settings = Settings().with_values({"agent.last_look": last_look}, "test")
    world = BoxRoom(furnished_room())
    episode = Episode("e", "search", "room", START, (Question("q", text),), steps)
    outcome = EpisodeRunner(world, SearchAgent(settings), []).run(episode, 0)
    return outcome, world.observe()


@pytest.mark.parametrize(("text", "instance"), [("What color is the mug?", 8), ("What color is the vase?", 10)])
def test_the_last_look_shows_it_large_and_whole(text: str, instance: int) -> None:
    plain, before = searched(text, False)
    outcome, view = searched(text, True)
    assert outcome.answers[0].text == plain.answers[0].text != ""
    rows, columns = np.nonzero(view.instances == instance)
    assert len(rows) >= 700
    assert rows.min() > 0 < columns.min()
    assert rows.max() < view.instances.shape[0] - 1
    assert columns.max() < view.instances.shape[1] - 1
    assert np.count_nonzero(before.instances == instance) < len(rows), "it was made out from farther"


def test_it_stays_within_the_budget_and_answers_what_is_nowhere() -> None:
    outcome, _ = searched("Where is the guitar?", True, 9)
    assert outcome.steps <= 9
    assert len(outcome.answers) == 1
    outcome, _ = searched("What color is the mug?", True, 3)
    assert outcome.steps <= 3
    assert len(outcome.answers) == 1


@each_row(
    "seen_from, position, within",
    [
        (None, (2.0, 1.1, 1.0), True),
        (None, (2.0, 0.9, 1.0), False),  # 1.1 m away
        ((2.0, 1.0, 1.0), (2.0, 1.2, 1.0), True),
        ((2.0, 1.0, 1.0), (2.0, 2.8, 1.0), False),  # from behind
        ((2.0, 1.0, 1.0), (2.8, 2.0, 1.0), False),  # from the side
    ],
)
def test_places_are_near_and_on_the_side_that_matters(seen_from: Any, position: Any, within: bool) -> None:
    assert Shown(MUG, seen_from).is_well_placed(np.array([position])).tolist() == [[within]]


@each_row(
    "changes, options, shown",
    [
        ({}, {}, True),
        ({"pixels": 699}, {}, False),
        ({"pixels": 699}, {"pixels": 600}, True),
        ({"truncated": True}, {}, False),
        ({"truncated": True}, {"whole": False}, True),
        ({"label": "cup"}, {}, False),
        ({"center": (2.0, 2.5, 1.0)}, {}, False),
        ({}, {"legible": True}, False),
        ({"text": "TEA"}, {"legible": True}, True),
    ],
)
def test_a_frame_shows_it_where_it_was_made_out(changes: Any, options: Any, shown: bool) -> None:
    seen = replace(detection(8, "mug", (1.95, 1.95, 0.94), (2.05, 2.05, 1.06)), **changes)
    assert Shown(MUG, **options).is_among([seen]) is shown
