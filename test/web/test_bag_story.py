"""What bags tell: whole ones, partial ones, damaged ones; without truth nothing of it."""

from __future__ import annotations

from gold_bags import Telling, gold, record, said

from vantage.types import EpisodeState, Status
from vantage.web.bag_words import fact_rows, told
from vantage.web.bag_story import read_story
from vantage.web.runs_page import parted


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
