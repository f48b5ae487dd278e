"""An action space that is not built in, with a stop and an arm action: in the runner, a set, a bag and a replay."""

import json
from dataclasses import replace

import gripper_actions
import pytest
from gold_bags import record
from gripper_actions import GripperActions
from open_field import START, OpenFieldWorld
from phased import SECRET, PhasedAgent

from vantage.benchmarks.sets.episodes_io import load_set, load_truths, save_set
from vantage.benchmarks.sets.set_info import SceneBounds, SetInfo
from vantage.config import Settings
from vantage.errors import FormatError, UsageError
from vantage.planning.actions import GantryActions, make_actions
from vantage.recording.arm_messages import read_arm_command
from vantage.recording.bags import read_bag
from vantage.recording.recordings import read_recording
from vantage.recording.topics import ARM_COMMAND, REPLAYED, VIEWPOINT_COMMAND
from vantage.registry import AGENTS
from vantage.runs.batch import Job, prepared
from vantage.types import Episode, EpisodePhase, Question, Status, StepResult, Truth, TruthQuestion

gripper_actions.register()
SETTINGS = Settings().with_values(
    {"actions.space": "gripper", "actions.translation": 0.25, "actions.rotation": 0.5, "actions.frame": "heading"},
    "test",
)
EPISODE = Episode.of_phases(
    "grip",
    "search",
    "field",
    START,
    (EpisodePhase("approach", 9), EpisodePhase("answer", 2, (Question("q1", SECRET),))),
)
ACTIONS = ["turn_left", "move_forward", "grip", "turn_right"]


class GripperAgent(PhasedAgent):
    """Plays a script in the action space that its settings name; ``stop`` ends the phase."""

    def __init__(self):
        super().__init__({})
        self._actions = make_actions(SETTINGS.actions)
        self._todo = [*ACTIONS, "stop", "move_forward"]

    def act(self, observation, last):
        if self._todo and (self._episode.phase == "approach" or self._todo[0] != "stop"):
            return self._actions.decision(self._todo.pop(0), observation.viewpoint)
        return super().act(observation, last)


class GripperWorld(OpenFieldWorld):
    """Whose gripper closes at once."""

    def step(self, command):
        if command.arm is None:
            return super().step(command)
        refusal = self._gate.admit(replace(command, target=self._viewpoint, arm=None), self._viewpoint)
        assert refusal is None
        return StepResult(Status.DONE, "", command, self.observe())


@pytest.fixture
def bag(tmp_path, monkeypatch):
    monkeypatch.setattr("gold_bags.OpenFieldWorld", GripperWorld)
    path, outcome = record(tmp_path, "grip", GripperAgent(), None, whole=EPISODE)
    assert outcome.phase_steps == {"approach": 4, "answer": 1}, "stop ends the phase and costs no step"
    return path


def test_its_commands_are_in_the_bag_and_lead_where_they_lead_in_a_replay(bag):
    recording = read_recording(bag)
    assert [motion.action for motion in recording.motions_in("approach")] == ACTIONS
    space = make_actions(SETTINGS.actions)
    aims = space.replay(START, [motion.action for motion in recording.motions])[1:]
    assert [motion.reached for motion in recording.motions] == aims


def test_what_is_replayed_holds_the_arms_command_in_its_turn(bag):
    commands = [message for topic, _, message in read_bag(bag, REPLAYED) if topic in (VIEWPOINT_COMMAND, ARM_COMMAND)]
    assert [int(message.sequence) for message in commands] == [1, 2, 3, 4, 5]
    arm = read_arm_command(commands[2]).arm
    assert (arm.gripper_width, arm.gripper_force) == (0.04, 5.0)


def _saved(folder, space, actions=None):
    bounds = {"field": SceneBounds((0.0, 0.0, 0.0), (4.0, 4.0, 2.0))}
    truth = Truth("grip", (TruthQuestion("q1", "color", "red", phase="answer"),), START, actions, 0.25)
    return save_set(folder, SetInfo("search", space, bounds), [EPISODE], [truth])


def test_a_set_names_its_action_space(tmp_path):
    made = _saved(tmp_path, GripperActions(0.25, 0.5, "heading"), ("move_forward", "turn_left"))
    said = json.loads((tmp_path / "set.json").read_text())["actions"]
    assert (said["space"], said["frame"]) == ("gripper", "heading")
    assert load_set(tmp_path).info.actions == GripperActions(0.25, 0.5, "heading")
    assert load_truths(tmp_path, made.episodes)["grip"].oracle_actions == ("move_forward", "turn_left")
    job, _ = prepared(Job(tmp_path, tmp_path / "out", "none", "blind"))
    assert (job.settings.actions.space, job.setup["actions.space"]) == ("gripper", "gripper")
    assert (job.settings.actions.frame, job.setup["actions.frame"]) == ("heading", "heading")


def test_a_set_that_names_none_is_of_the_gantry(tmp_path):
    made = _saved(tmp_path, GantryActions(0.25, 0.5), ("x+",))
    assert json.loads((tmp_path / "set.json").read_text())["actions"] == {"translation": 0.25, "rotation": 0.5}
    assert made.info.actions == GantryActions(0.25, 0.5)


def test_a_set_of_an_unknown_space_is_refused(tmp_path):
    _saved(tmp_path, GantryActions(0.25, 0.5), ("x+",))
    text = (tmp_path / "set.json").read_text()
    (tmp_path / "set.json").write_text(text.replace('"actions": {', '"actions": {"space": "griper",'))
    with pytest.raises(FormatError, match="unknown action space 'griper'; did you mean 'gripper'"):
        load_set(tmp_path)


def test_a_set_whose_space_does_not_know_its_frame_is_refused(tmp_path):
    _saved(tmp_path, GantryActions(0.25, 0.5), ("x+",))
    text = (tmp_path / "set.json").read_text()
    for frame, why in (("heading", "'gantry' moves along the world axes"), ("north", "expected one of world")):
        (tmp_path / "set.json").write_text(text.replace('"actions": {', f'"actions": {{"frame": "{frame}",'))
        with pytest.raises(FormatError, match=why):
            load_set(tmp_path)


def test_agents_that_plan_views_say_that_they_need_the_lattice():
    agent = AGENTS.create("search", SETTINGS)
    here = replace(EPISODE.in_phase(0), start=replace(START, yaw=0.4))
    with pytest.raises(UsageError, match=r"'gripper' does not move along the world axes with 'move_forward' from any"):
        agent.begin(here, OpenFieldWorld().info, 0)
