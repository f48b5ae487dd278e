"""What bags tell: whole ones, partial ones, damaged ones; without truth nothing of it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from gold_bags import CLEAN, CODEC, Telling, gold, record, said
from open_field import OpenFieldWorld, make_episode
from phased import EXPLORE, REENTER, REFINE, PhasedAgent, look_answer_look_again

from vantage.recording import BagWriter, PlannerPublisher, QaPublisher, WorldPublisher
from vantage.runs import EpisodeRunner
from vantage.types import EpisodeState, Link, Status
from vantage.web.bag_story import read_story
from vantage.web.bag_words import fact_rows, told
from vantage.web.places import HOUSE
from vantage.web.runs_page import parted
from vantage.worlds.house import at_home, load_robot, stands_so
from vantage.worlds.house.robot import base_of


def recorded(folder, name="e1", actions=("x+", "yaw+", "x+"), **options):
    return record(folder, name, Telling(actions, said("red"), (0,)), gold(), **options)[0]


def test_a_whole_bag_is_told_step_by_step(tmp_path):
    story = read_story(recorded(tmp_path))
    assert story.problem == ""
    assert story.state is EpisodeState.FINISHED
    assert [step.action for step in story.steps] == ["", "x+", "yaw+", "x+"]
    assert all(step.status is Status.DONE for step in story.steps[1:])
    assert story.steps[1].viewpoint.x > story.steps[0].viewpoint.x
    assert story.step_of(story.answers[0].evidence[0].stamp) == 0
    assert story.steps[0].picture().ndim == 3
    assert told(story, 1).startswith("Step 1 of 3; x+: done")
    assert story.truth is not None


def test_collisions_are_found(tmp_path):
    story = read_story(recorded(tmp_path, actions=("x+",) * 12))
    assert story.collisions
    assert all(story.steps[at].reason for at in story.collisions)


def test_without_truth_nothing_of_it_is_read(tmp_path):
    story = read_story(recorded(tmp_path), with_truth=False)
    assert story.truth is None
    assert not {name for name, _ in fact_rows(story, None)} & {"Gold answer", "Judge", "Not scored", "False premise"}


def test_a_partial_bag_is_told_as_far_as_it_goes(tmp_path):
    recorded(tmp_path, finish=False)
    story = read_story(tmp_path / "e1.partial")
    assert "not finished" in story.problem
    assert [step.action for step in story.steps] == ["", "x+", "yaw+", "x+"]


def test_a_damaged_bag_says_so_and_shows_the_rest(tmp_path):
    bag = recorded(tmp_path)
    file = next(bag.glob("*.mcap"))
    file.write_bytes(file.read_bytes()[:-2000])
    story = read_story(bag)
    assert story.problem
    assert story.steps
    file.write_bytes(b"nothing")
    assert read_story(bag).steps == []


def test_two_runs_part_where_they_first_differ(tmp_path):
    stories = [
        read_story(recorded(tmp_path, name, actions))
        for name, actions in (("a", ("x+", "yaw+")), ("b", ("x+", "x+")), ("c", ("x+", "yaw+", "x+")))
    ]
    assert parted(stories[0], stories[0]) is None
    assert parted(stories[0], stories[1]) == 2
    assert parted(stories[0], stories[2]) == 3


def test_phases_begin_at_a_look_and_all_that_was_asked_is_told(tmp_path):
    whole = look_answer_look_again("four")
    asked = tuple(replace(CLEAN, question_id=key, phase=name) for name in ("answer", REFINE) for key in ("q1", "q2"))
    agent = PhasedAgent({EXPLORE: ["x+", "y+"], REENTER: ["y+", "yaw+"]})
    bag, outcome = record(tmp_path, "four", agent, replace(gold(), questions=asked), whole=whole)
    story = read_story(bag)
    assert [phase.name for phase in story.phases] == list(outcome.phase_steps)
    assert [(phase.step, phase.restored) for phase in story.phases] == [(0, False), (2, False), (3, True), (5, False)]
    assert story.steps[3].viewpoint == story.steps[0].viewpoint  # put back
    assert len([name for name, _ in fact_rows(story, None) if name == "Question"]) == 4
    last = story.phases[-1]
    assert story.phase_of(last.step) == last.name
    assert f"phase {last.name}" in told(story, last.step)
    assert read_story(recorded(tmp_path)).phases == ()


class Robotic(WorldPublisher):
    """Tells that the robot of houses carried the camera."""

    def observed(self, observation):
        where = observation.viewpoint
        posture = at_home(load_robot(), where.x, where.y, where.yaw)
        head = Link("base_link", "camera_link", np.linalg.inv(posture.links[0].T_parent_child) @ where.T_world_body())
        super().observed(replace(observation, posture=replace(posture, links=(*posture.links, head))))


@pytest.mark.parametrize("finish", [True, False])
def test_a_bag_tells_how_a_robot_stood_and_a_partial_one_by_it_that_it_is_of_a_house(tmp_path, finish):
    with BagWriter(tmp_path, "e1") as writer:
        listeners = [
            PlannerPublisher(CODEC, writer.write),
            Robotic(CODEC, writer.write, lambda topic: not topic.optional),
            QaPublisher(CODEC, writer.write),
        ]
        EpisodeRunner(OpenFieldWorld(), Telling(("x+",), said("red")), listeners).run(make_episode("e1"), 0)
        path = writer.finish("e1") if finish else tmp_path / "e1.partial"
    story = read_story(path)
    assert story.world == HOUSE
    for step in story.steps:
        x, y, yaw = base_of(step.posture)
        assert (x, y, yaw) == pytest.approx((step.viewpoint.x, step.viewpoint.y, step.viewpoint.yaw))
        assert stands_so(load_robot(), step.posture)
    assert [step.posture for step in read_story(recorded(tmp_path, "free")).steps] == [None] * 4
    assert read_story(tmp_path / "free").world == ""
