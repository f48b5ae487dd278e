"""The look at the end shows what the answer rests on."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from box_room import BoxRoom, furnished_room
from made_detections import detection, remembered

from vantage.answering.protocol import Assessment, Basis
from vantage.config import Settings
from vantage.perception.map.coverage import FREE, OCCUPIED, CoverageMap
from vantage.perception.print_spot import PrintSpot
from vantage.planning.actions import GantryActions
from vantage.planning.agents.last_look import LastLook
from vantage.planning.agents.search_agent import SearchAgent
from vantage.planning.view_planning.view_planner import ViewPlanner
from vantage.reader_thresholds import (
    COLOUR_PIXELS,
    CONTENTS_ELEVATION,
    FRONT_ANGLE,
    LETTER_PIXELS,
    PRINT_ANGLE,
    SIZE_PIXELS,
)
from vantage.recording.events import EpisodeListener
from vantage.runs.episode import EpisodeRunner
from vantage.spatial import Intrinsics, Viewpoint
from vantage.types import Episode, Observation, Question, Verdict
from vantage.worlds.limits import MotionLimits
from vantage.worlds.protocol import WorldInfo

START = Viewpoint(0.6, 0.6, 1.2, 2.0, 0.0)


def searched(text: str, last_look: bool, steps: int = 40) -> tuple[Any, Any]:
    """How an episode ended, and what was seen last."""
    settings = Settings().with_values({"agent.last_look": last_look}, "test")
    world = BoxRoom(furnished_room())
    episode = Episode("e", "search", "room", START, (Question("q", text),), steps)
    outcome = EpisodeRunner(world, SearchAgent(settings), []).run(episode, 0)
    return outcome, world.observe()


@pytest.mark.parametrize(("text", "instance"), [("What is the mug made of?", 8), ("Where is the mug?", 8)])
def test_the_last_look_shows_it_large_and_whole(text: str, instance: int) -> None:
    plain, before = searched(text, False)
    outcome, view = searched(text, True)
    assert outcome.answers[0].text == plain.answers[0].text != ""
    rows, columns = np.nonzero(view.instances == instance)
    assert len(rows) >= 1.1 * SIZE_PIXELS
    assert rows.min() > 0 < columns.min()
    assert rows.max() < view.instances.shape[0] - 1
    assert columns.max() < view.instances.shape[1] - 1
    assert np.count_nonzero(before.instances == instance) < len(rows), "it was made out from farther"


def test_what_shows_well_enough_when_it_is_found_is_answered_at_once() -> None:
    plain, before = searched("What color is the vase?", False)
    outcome, view = searched("What color is the vase?", True)
    assert (outcome.steps, view.viewpoint) == (plain.steps, before.viewpoint)


def test_it_stays_within_the_budget_and_answers_what_is_nowhere() -> None:
    outcome, _ = searched("Where is the guitar?", True, 9)
    assert outcome.steps <= 9
    assert len(outcome.answers) == 1
    outcome, _ = searched("What color is the mug?", True, 3)
    assert outcome.steps <= 3
    assert len(outcome.answers) == 1


def test_it_says_what_it_goes_to_show() -> None:
    doing = []

    class Told(EpisodeListener):
        def thought(self, view: Any, detections: Any, observation: Any) -> None:
            doing.append(view.doing)

    settings = Settings().with_values({"agent.last_look": True}, "test")
    question = Question("q", "What is the mug made of?")
    episode = Episode("e", "search", "room", START, (question,), 40)
    EpisodeRunner(BoxRoom(furnished_room()), SearchAgent(settings), [Told()]).run(episode, 0)
    assert "showing mug" in doing


ROOM = (0.0, 0.0, 0.0), (4.0, 4.0, 2.5)
LENS = Intrinsics.from_fov(512, 512, math.pi / 2)
WORLD = WorldInfo("drawn", frozenset(), frozenset(), 0.1, MotionLimits((0.2, 0.2, 0.2), (3.8, 3.8, 2.3)))
HERE = Viewpoint(1.0, 2.0, 1.2, math.pi, 0.0)


class Knowing:
    """An answering that was told what there is to say."""

    def __init__(self, *found: Assessment) -> None:
        self.found, self.memory = list(found), remembered(detection(8, "mug", *MUG))

    def assess(self, text: str, exhausted: bool = False) -> Assessment:
        return self.found[-1 if exhausted else 0]


MUG = (2.9, 1.9, 0.9), (3.1, 2.1, 1.1)
RED = Assessment("red", Verdict.ANSWERED, 0.9, "red", rests_on=(Basis(8, "mug", *MUG),))
OPEN = Assessment("I have not seen it.", Verdict.NEEDS_LOOK, 0.0)


def last_look(*found: Assessment) -> LastLook:
    coverage = CoverageMap(*ROOM)
    coverage._states[:] = FREE
    return LastLook(ViewPlanner(GantryActions(0.25, math.pi / 6), WORLD, HERE, coverage), Knowing(*found))


def seen(look: LastLook, viewpoint: Viewpoint, depth: float = 9.0, pixels: int = 0) -> Observation:
    """A view that was taken in; ``pixels`` of the mug were detected in it, ``depth`` m away is what all of it shows."""
    picture = np.zeros((512, 512, 3), np.uint8)
    view = Observation(1, viewpoint, LENS, picture, np.full((512, 512), depth, np.float32))
    found = [replace(detection(8, "mug", *MUG), pixels=pixels)] if pixels else []
    look._qa.memory.newest = (8,) * len(found)
    look.take_in(view, found)
    return view


def test_an_answer_is_held_back_until_a_frame_shows_what_it_rests_on() -> None:
    look = last_look(RED)
    look.begin("what", False)
    goal = look.goal(seen(look, HERE), "what", 25)
    assert goal is not None
    assert len(goal.actions) <= 8
    assert look.goal(seen(look, goal.viewpoint, pixels=1500), "what", 25 - len(goal.actions)) is None
    assert look.view(goal, "what").doing == "showing mug"


def test_it_goes_by_the_pixels_that_were_detected() -> None:
    look = last_look(RED)
    look.begin("what", False)
    goal = look.goal(seen(look, HERE), "what", 25)
    assert goal is not None
    for pixels in (round(SIZE_PIXELS), 0):
        assert look.goal(seen(look, goal.viewpoint, pixels=pixels), "what", 17) is not None, (
            "it is too small, or missed"
        )


def test_a_color_is_told_of_what_is_too_small_to_be_recognised() -> None:
    pixels = round(0.5 * (COLOUR_PIXELS + SIZE_PIXELS))
    for attribute, is_enough in (("color", True), ("", False)):
        look = last_look(replace(RED, rests_on=(Basis(8, "mug", *MUG, attribute=attribute),)))
        look.begin("what", False)
        ahead = seen(look, replace(HERE, yaw=0.0), pixels=pixels)
        assert (look.goal(ahead, "what", 25) is None) is is_enough


def test_a_way_is_gone_to_its_end() -> None:
    look = last_look(RED)
    look.begin("what", False)
    here, left = HERE, 25
    goal = look.goal(seen(look, here), "what", left)
    assert goal is not None
    first = goal
    for number in range(1, len(first.actions)):
        assert goal is not None
        here, left = goal.path[1], left - 1
        goal = look.goal(seen(look, here), "what", left)
        assert goal is not None
        assert (goal.viewpoint, goal.actions) == (first.viewpoint, first.actions[number:])
    elsewhere = look.goal(seen(look, HERE), "what", left)
    assert elsewhere is not None
    assert elsewhere.path[0] == HERE, "a way that did not lead here is no way"


def test_a_view_that_showed_it_before_is_taken_again() -> None:
    coverage = CoverageMap(*ROOM)
    coverage._states[:] = FREE
    coverage._states[24:26] = OCCUPIED  # so that nobody would expect to see it from this side
    look = LastLook(ViewPlanner(GantryActions(0.25, math.pi / 6), WORLD, HERE, coverage), Knowing(RED))
    good = Viewpoint(1.75, 2.0, 1.2, 0.0, 0.0)
    seen(look, good, pixels=1500)
    look.begin("what", False)
    goal = look.goal(seen(look, Viewpoint(1.5, 2.0, 1.2, 0.0, 0.0)), "what", 25)
    assert goal is not None
    assert goal.viewpoint == good


def test_a_view_that_does_not_show_it_is_not_taken_again() -> None:
    look = last_look(RED)
    look.begin("what", False)
    first = look.goal(seen(look, HERE), "what", 25)
    assert first is not None
    second = look.goal(seen(look, first.viewpoint, depth=0.3), "what", 20)  # something hides all
    assert second is not None
    assert second.viewpoint != first.viewpoint


def test_what_cannot_be_reached_or_is_not_known_is_answered_at_once() -> None:
    unread = replace(RED, rests_on=tuple(Basis(key, "mug", *MUG, attribute="text") for key in (8, 9)))
    look = last_look(RED)
    look.begin("what", False)
    assert look.goal(seen(look, HERE), "what", 2) is None
    for found in (OPEN, replace(RED, rests_on=()), unread):
        look = last_look(found)
        look.begin("what", False)
        assert look.goal(seen(look, HERE), "what", 25) is None


def test_it_is_due_when_the_actions_left_just_lead_there() -> None:
    look = last_look(OPEN, RED)
    look_on = seen(look, HERE)
    needed = next(left for left in range(25, 0, -1) if look.is_due(look_on, "what", left))
    assert not look.is_due(look_on, "what", needed + 1)
    look.begin("what", False)
    goal = look.goal(look_on, "what", needed)
    assert goal is not None
    assert needed - 2 <= len(goal.actions) <= needed
    shown = seen(look, goal.viewpoint, pixels=1500)
    assert not look.is_due(shown, "what", 5), "it is shown now: there is time to look on"
    assert look.is_due(shown, "what", 2)


def test_an_answer_that_changes_on_the_way_ends_it() -> None:
    look = last_look(RED)
    look.begin("what", False)
    assert look.is_ending("what")
    assert not look.is_ending("another question")
    look.begin("what", False)
    look._qa.found[:] = [replace(RED, answer="blue")]
    assert not look.is_ending("what")


@pytest.mark.parametrize(("letter", "within"), [(0.01, 0.711), (0.016, 1.138)])
def test_print_is_shown_from_before_it_and_as_near_as_its_letters_are_small(letter: float, within: float) -> None:
    look = last_look(replace(RED, rests_on=(Basis(8, "mug", *MUG, attribute="text"),)))
    seen_mug = look._qa.memory.get(8)
    seen_mug.print_spot = PrintSpot((3.0, 1.9, 1.0), (0.0, -1.0, 0.0), letter)
    look.begin("what", False)
    goal = look.goal(seen(look, HERE), "what", 25)
    assert goal is not None
    way = goal.viewpoint.position - np.array(seen_mug.print_spot.middle)
    assert within == pytest.approx(letter * LENS.fx / LETTER_PIXELS, abs=1e-3)
    distance = float(np.linalg.norm(way))
    cosine = -way[1] / distance
    assert cosine >= math.cos(PRINT_ANGLE)
    assert distance <= within * math.sqrt(cosine), "nearer where it is seen aslant"


def test_one_sees_into_what_is_full_or_empty_from_above() -> None:
    look = last_look(replace(RED, rests_on=(Basis(8, "mug", *MUG, attribute="state"),)))
    look._qa.memory = remembered(replace(detection(8, "mug", *MUG), states=("empty",)))
    look.begin("what", False)
    goal = look.goal(seen(look, HERE), "what", 25)
    assert goal is not None
    way = goal.viewpoint.position - np.array([3.0, 2.0, 1.1])
    assert way[2] / np.linalg.norm(way) >= math.sin(CONTENTS_ELEVATION)


@pytest.mark.parametrize(
    ("label", "state", "low", "high"),
    [("toilet", "closed", (2.8, 1.8, 0.0), (3.2, 2.2, 0.5)), ("plate", "dirty", (2.9, 1.9, 0.8), (3.1, 2.1, 0.85))],
)
def test_lids_and_stains_show_from_above(label: str, state: str, low: Any, high: Any) -> None:
    look = last_look(replace(RED, rests_on=(Basis(8, label, low, high, attribute="state"),)))
    look._qa.memory = remembered(replace(detection(8, label, low, high), states=(state,)))
    look.begin("what", False)
    goal = look.goal(seen(look, HERE), "what", 25)
    assert goal is not None
    way = goal.viewpoint.position - np.array([3.0, 2.0, high[2]])
    assert way[2] / np.linalg.norm(way) >= math.sin(CONTENTS_ELEVATION)


def test_doors_and_screens_show_to_the_side_that_looks_away_from_a_wall() -> None:
    cabinet = (2.6, 3.3, 0.0), (3.4, 3.8, 1.0)
    look = last_look(replace(RED, rests_on=(Basis(8, "cabinet", *cabinet, attribute="state"),)))
    wall = detection(9, "wall", (0.0, 3.9, 0.0), (4.0, 4.0, 2.5))
    look._qa.memory = remembered(replace(detection(8, "cabinet", *cabinet), states=("closed",)), wall)
    look.begin("what", False)
    beside = replace(HERE, y=3.5)
    goal = look.goal(seen(look, beside), "what", 25)
    assert goal is not None
    way = goal.viewpoint.position - np.array([3.0, 3.55, 0.5])
    assert -way[1] / np.linalg.norm(way) >= math.cos(FRONT_ANGLE)
