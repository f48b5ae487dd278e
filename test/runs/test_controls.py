"""Runs under controls, and agents that models steer: what is run, recorded and told, with a server that may fail."""

from __future__ import annotations

import json
import shutil
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from box_room import BoxRoom, furnished_room
from faulty_server import FaultyServer, Step, completion
from scripted_agent import ScriptedAgent
from small_search import FEW, SMALL, small_search_set

from vantage.benchmarks.sets.episodes_io import load_set, load_truths
from vantage.cli.main import main
from vantage.models.prompts import prompt
from vantage.recording.bags import recorded_setup
from vantage.recording.recordings import read_recording
from vantage.runs import resuming
from vantage.runs.episode import EpisodeRunner
from vantage.spatial import Viewpoint
from vantage.types import Episode, EpisodeState, Question, Verdict
from vantage.worlds.protocol import Overlooked
from vantage.worlds.splat import SplatWorld

PILOT = ("--agent", "pilot", "--model", "openai:x", "--set", "model.retries=0", "--set", "control.retries=1")


@pytest.fixture(scope="module")
def episodes(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two questions in one home."""
    return small_search_set(tmp_path_factory, FEW, max_steps=6)


def run(capsys: pytest.CaptureFixture[str], episodes: Path, out: Path, *words: str) -> tuple[int, str]:
    """Status and what was told to stderr."""
    status = main(["run", "search", "--episodes", str(episodes), "--out", str(out), *words])
    return status, capsys.readouterr().err


def says(action: str, answer: str = "") -> Step:
    return Step(completion(json.dumps({"reasoning": "why", "action": action, "answer": answer})))


def test_an_episode_begins_at_its_goal_where_that_is_asked_for(episodes, tmp_path, capsys):
    for start in ("start", "goal"):
        assert run(capsys, episodes, tmp_path / start, "--agent", "static", "--start", start)[0] == 0
    episode_set = load_set(episodes)
    truths = load_truths(episodes, episode_set.episodes)
    for episode in episode_set.episodes:
        own, goal = (tmp_path / start / episode.episode_id for start in ("start", "goal"))
        assert read_recording(own).episode.start == episode.start
        assert read_recording(goal).episode.start == truths[episode.episode_id].goal
        goal_place = truths[episode.episode_id].goal.position
        assert read_recording(goal).motions[0].reached.position == pytest.approx(goal_place), "it turns on the spot"
        assert recorded_setup(goal)["control.start"] == "goal"
        assert read_recording(goal).control == "start=goal"


def test_lists_are_run_in_all_combinations_that_mean_something(episodes, tmp_path, capsys):
    words = ["--agent", "static,random", "--start", "start,goal", "--frames", "1,3", "--mode", "plain", "--json"]
    status, told = run(capsys, episodes, tmp_path, *words)
    assert status == 0
    assert "left out: frames=3 means nothing to agent 'static'" in told
    assert "left out: frames=3 means nothing to agent 'random'" in told
    assert sorted(folder.name for folder in tmp_path.iterdir()) == [
        "random-plain",
        "random-plain-start-goal",
        "static-plain",
        "static-plain-start-goal",
    ]


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["--agent", "search", "--frames", "3"], "frames=3 means nothing to agent 'search'"),
        (["--agent", "oracle", "--start", "goal"], "start=goal means nothing to agent 'oracle'"),
        (["--agent", "static", "--start", "gaol"], "did you mean 'goal'"),
        (["--agent", "static", "--dof", "x,roll"], "unknown axis 'roll'"),
        (["--agent", "static", "--thinking", "on"], "name a model with --model"),
        (["--agent", "static", "--frames", "many"], "must be of type int"),
        (["--agent", "search", "--prompt", "paper"], "prompt=paper means nothing to agent 'search'"),
        (["--agent", "blind", "--model", "openai:x", "--prompt", "paper"], "prompt=paper means nothing to agent"),
        ([*PILOT, "--prompt", "papr"], "control.prompt is 'papr', expected one of full, paper"),
        ([*PILOT, "--prompt", "full,"], "control.prompt is '', expected one of full, paper"),
        (["--agent", "prior"], "there is none in the set or beside it"),
    ],
)
def test_what_means_nothing_is_refused_before_anything_runs(episodes, tmp_path, capsys, words, sentence):
    status, told = run(capsys, episodes, tmp_path / "bags", *words)
    assert status in (1, 2)
    assert sentence in told
    assert len(told.strip().splitlines()) == 1
    assert not (tmp_path / "bags").exists()


def test_a_look_from_above_shows_the_scene_without_its_ceiling(episodes):
    episode = load_set(episodes).episodes[0]
    settings = replace(SMALL, world=replace(SMALL.world, scenes=str(episodes / "scenes")))
    world = SplatWorld(settings)
    try:
        before = world.reset(episode, 0)
        above = world.look_from_above()
        after = world.observe()
    finally:
        world.close()
    assert before.stamp < above.stamp < after.stamp
    assert after.viewpoint == before.viewpoint == episode.start
    assert above.rgb.shape == before.rgb.shape
    labels = {above.legend[number].label for number in np.unique(above.instances) if number}
    assert "floor" in labels
    assert "ceiling" not in labels
    assert len(labels) > 5
    assert np.isfinite(above.depth).mean() > 0.3


def test_a_world_that_cannot_be_seen_from_above_says_so():
    world = BoxRoom(furnished_room(), 32, 24)
    assert not isinstance(world, Overlooked)
    question = (Question("q", "What is there?"),)
    episode = Episode("e", "search", "boxes", Viewpoint(2.7, 1.6, 1.4, 0.0, 0.0), question, 3)
    outcome = EpisodeRunner(world, ScriptedAgent(), from_above=True).run(episode, 0)
    assert outcome.state == EpisodeState.FAILED
    assert "world 'boxes' cannot be seen from above" in outcome.reason


def test_the_training_set_beside_a_set_tells_what_is_common(episodes, tmp_path, capsys):
    for split in ("train", "test"):
        shutil.copytree(episodes, tmp_path / split)
    assert run(capsys, tmp_path / "test", tmp_path / "beside", "--agent", "prior")[0] == 0
    assert main(["episodes", "prior", str(tmp_path / "train"), "--out", str(tmp_path / "prior.json")]) == 0
    words = ["--agent", "prior", "--set", f"agent.prior={tmp_path / 'prior.json'}"]
    assert run(capsys, tmp_path / "test", tmp_path / "named", *words)[0] == 0
    answers = [
        [read_recording(bag).answers[0] for bag in sorted((tmp_path / name).iterdir())] for name in ("beside", "named")
    ]
    assert [answer.text for answer in answers[0]] == [answer.text for answer in answers[1]]
    assert all(answer.confidence > 0.0 for each in answers for answer in each), "an agent without counts is never sure"
    assert run(capsys, tmp_path / "train", tmp_path / "itself", "--agent", "prior")[0] == 2


@pytest.mark.needs("openai")
def test_a_pilot_runs_over_http_and_what_it_was_told_is_recorded(episodes, tmp_path, capsys):
    with FaultyServer(says("yaw+"), says("yaw+"), says("stop", "red")) as server:
        words = [*PILOT, "--frames", "3", "--set", f"model.url={server.url}"]
        assert run(capsys, episodes, tmp_path / "bags", *words)[0] == 0
        bodies = [body for _, body in server.requests]
    first = read_recording(sorted((tmp_path / "bags").iterdir())[0])
    assert first.control == "frames=3"
    assert first.answers[0].text == "red"
    assert prompt("tiny_picture").text in json.dumps(bodies[0]), "it is shown a tiny picture before anything runs"
    assert bodies[1]["messages"][0]["role"] == "system"
    pictures = [json.dumps(body).count('image_url": {') for body in bodies[1:3]]
    assert pictures == [1, 2]


@pytest.mark.needs("openai")
@pytest.mark.parametrize(
    ("step", "fault"),
    [
        (Step(completion("I would rather not say.")), "prose 2"),
        (says("yaw+, yaw-"), "several actions 2"),
        (says("fly"), "unknown action 2"),
        (Step({"error": {"message": "busy"}}, status=429), "no reply 1"),
        (Step({"error": {"message": "broken"}}, status=500), "no reply 1"),
        (Step(stall=True), "no reply 1"),
        (Step(completion("")), "empty 2"),
    ],
    ids=["prose", "two actions", "unknown", "429", "500", "stall", "empty"],
)
def test_a_reply_that_is_none_costs_no_more_than_its_trials(episodes, tmp_path, capsys, step, fault):
    good = [says("yaw+"), says("stop", "red")]
    steps = [good[0], *([step] * (2 if fault.endswith("2") else 1)), good[1]]
    with FaultyServer(*steps) as server:
        words = [*PILOT, "--set", f"model.url={server.url}", "--set", "model.timeout=1.0"]
        assert run(capsys, episodes, tmp_path / "bags", *words)[0] == 0
    answers = [read_recording(bag).answers[0] for bag in sorted((tmp_path / "bags").iterdir())]
    assert [answer.text for answer in answers] == ["red", "red"]
    assert fault in answers[0].noise.explanation
    assert answers[1].noise.explanation == ""


@pytest.mark.needs("openai")
def test_a_server_that_fails_for_good_is_a_verdict_and_can_be_asked_again(episodes, tmp_path, capsys):
    bags = tmp_path / "bags"
    with FaultyServer(says("yaw+"), Step({"error": {"message": "broken"}}, status=500)) as server:
        assert run(capsys, episodes, bags, *PILOT, "--set", f"model.url={server.url}")[0] == 0
    assert {read_recording(bag).answers[0].verdict for bag in bags.iterdir()} == {Verdict.NEEDS_MODEL}
    with FaultyServer(says("stop", "red")) as server:
        assert run(capsys, episodes, bags, *PILOT, "--set", f"model.url={server.url}", "--resume")[0] == 0
    assert {read_recording(bag).answers[0].text for bag in bags.iterdir()} == {"red"}


@pytest.mark.needs("openai")
def test_one_picture_is_asked_about_from_the_start_the_goal_and_above(episodes, tmp_path, capsys):
    with FaultyServer(Step(completion("red"))) as server:
        words = [
            "--agent",
            "vqa",
            "--model",
            "openai:x",
            "--start",
            "start,goal,bird",
            "--set",
            f"model.url={server.url}",
        ]
        assert run(capsys, episodes, tmp_path / "bags", *words)[0] == 0
        asked = [json.dumps(body) for _, body in server.requests]
    assert sum("from straight above" in each for each in asked) == 2
    names = sorted(folder.name for folder in (tmp_path / "bags").iterdir())
    assert names == ["vqa-nacot", "vqa-nacot-start-bird", "vqa-nacot-start-goal"]
    bird = read_recording(sorted((tmp_path / "bags" / "vqa-nacot-start-bird").iterdir())[0])
    assert (bird.control, len(bird.visibility)) == ("start=bird", 1)
    assert bird.answers[0].evidence[0].viewpoint.pitch == pytest.approx(-np.pi / 2)


def test_a_set_does_not_choose_the_prompt(episodes, tmp_path, capsys):
    folder = tmp_path / "set"
    shutil.copytree(episodes, folder)
    info = json.loads((folder / "set.json").read_text())
    info["settings"]["control.prompt"] = "paper"
    (folder / "set.json").write_text(json.dumps(info))
    status, told = run(capsys, folder, tmp_path / "bags", *PILOT)
    assert status != 0
    assert "says the setting control.prompt, which is for whoever runs it alone to say" in told


@pytest.mark.needs("openai")
def test_bags_say_the_prompt_and_are_gone_on_with_by_the_same_one_alone(episodes, tmp_path, capsys, monkeypatch):
    with FaultyServer(says("stop", "red")) as server:
        words = [*PILOT, "--set", f"model.url={server.url}"]
        assert run(capsys, episodes, tmp_path / "both", *words, "--prompt", "full,paper")[0] == 0
        assert sorted(each.name for each in (tmp_path / "both").iterdir()) == [
            "pilot-nacot",
            "pilot-nacot-prompt-paper",
        ]
        bags = {each.name: sorted(each.iterdir())[0] for each in (tmp_path / "both").iterdir()}
        recordings = {name: read_recording(bag) for name, bag in bags.items()}
        assert {name: each.control for name, each in recordings.items()} == {
            "pilot-nacot": "",
            "pilot-nacot-prompt-paper": "prompt=paper",
        }
        for name, bag in bags.items():
            setup = recorded_setup(bag)
            assert setup["control.prompt"] == ("paper" if "paper" in name else "full")
            assert recordings[name].answers[0].model.endswith(f"#{setup['agent.prompts']}")
        full = bags["pilot-nacot"].parent
        assert run(capsys, episodes, full, *words, "--resume")[0] == 0
        status, told = run(capsys, episodes, full, *words, "--prompt", "paper", "--resume")
        assert (status, "was recorded with control.prompt = 'full'" in told) == (1, True)
        setups = {bag: recorded_setup(bag) for bag in full.iterdir()}
        older = {"agent.prompts", "control.prompt"}  # as bags before there were kinds of prompts lack them
        monkeypatch.setattr(
            resuming,
            "recorded_setup",
            lambda bag: {key: value for key, value in setups[bag].items() if key not in older},
        )
        status, told = run(capsys, episodes, full, *words, "--resume")
        assert (status, "was recorded with agent.prompts = ''" in told) == (1, True)


def test_an_older_bag_of_an_agent_without_prompts_is_gone_on_with(episodes, tmp_path, capsys, monkeypatch):
    assert run(capsys, episodes, tmp_path / "bags", "--agent", "static")[0] == 0
    own = resuming.recorded_setup
    older = {"agent.prompts", "control.prompt"}
    monkeypatch.setattr(
        resuming, "recorded_setup", lambda bag: {key: value for key, value in own(bag).items() if key not in older}
    )
    assert run(capsys, episodes, tmp_path / "bags", "--agent", "static", "--resume")[0] == 0


@pytest.mark.needs("openai")
def test_a_pilot_is_told_by_what_share_its_set_is_judged(episodes, tmp_path, capsys):
    with FaultyServer(says("stop", "red")) as server:
        assert run(capsys, episodes, tmp_path / "bags", *PILOT, "--set", f"model.url={server.url}")[0] == 0
        system = server.requests[-1][1]["messages"][0]["content"]
    assert "at least 15 % of the surface that faces the camera" in system
