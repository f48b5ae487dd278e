"""An agent that acts and answers by a checkpoint does over ROS what it does in process."""

from __future__ import annotations

from pathlib import Path

import fake_world
import pytest
from fake_set import phased_set
from phased import look_answer_look_again
from ros_fixtures import new_domain

from vantage.config import Settings
from vantage.nodes.graph import GraphPlan, bring_up
from vantage.planning import make_actions
from vantage.recording.recordings import read_recording
from vantage.reports.scoring import score_bag
from vantage.runs.batch import Job, prepared, run_set
from vantage.spatial import Viewpoint
from vantage.types import EpisodeState

pytestmark = pytest.mark.needs("learning")

fake_world.register()


def test_the_same_commands_and_answers_as_in_process(tmp_path: Path) -> None:
    from made_checkpoints import made_checkpoint

    trained = made_checkpoint(
        tmp_path / "trained", make_actions(Settings().actions).names, ("explore", "answer", "reenter", "refine")
    )
    given = {"agent.name": "learned", "agent.checkpoint": str(trained), "camera.width": 96, "camera.height": 72}
    start = Viewpoint(0.0, 0.0, 1.0, 0.0, 0.0)
    found = phased_set(tmp_path / "set", look_answer_look_again("four", fake_world.SCENE, start))
    job, _ = prepared(Job(found.folder, tmp_path / "here", "fake", "learned", Settings().with_values(given, "test")))
    [(_, alone)] = run_set(job)
    with bring_up(GraphPlan(job.settings, "fake", tmp_path / "there", found.folder), new_domain(), 0.0) as client:
        [item] = client.run(found.episodes)
    assert item.complete, item.remark
    assert (item.outcome.state, item.outcome.phase_steps) == (EpisodeState.FINISHED, alone.phase_steps)
    assert sum(alone.phase_steps.values()) == 4 + 1 + 5
    here, there = (read_recording(tmp_path / folder / "four") for folder in ("here", "there"))
    assert [motion.action for motion in there.motions] == [motion.action for motion in here.motions]
    assert [answer.text for answer in there.answers] == [answer.text for answer in here.answers]
    assert len(there.answers) == 4
    scores = [score_bag(bag.path) for bag in (here, there)]
    assert repr(scores[0]) == repr(scores[1])
    assert scores[0].agent == "novelty+qa"
