"""``vantage run`` with lists of agents, modes and perceptions: every combination, each in a folder of its own."""

from __future__ import annotations

import json
import multiprocessing
import os
import pty
import re
import shutil
import sys
import threading
import time
from pathlib import Path

import pytest
from small_noisyeqa import PAIRS
from small_pictures import SMALL_PICTURES

from vantage.answering.calibration import Judged, calibrate, write_calibration
from vantage.benchmarks.noisyeqa.noisyeqa_benchmark import NoisyEqaBenchmark
from vantage.cli.main import main
from vantage.config import Settings
from vantage.errors import EpisodeError
from vantage.planning.agents.baselines import StaticAgent
from vantage.recording.recordings import read_recording
from vantage.registry import AGENTS, WORLDS
from vantage.runs.batch import Job, run_sets
from vantage.types import Answer, Observation, StepResult
from vantage.worlds.protocol import World
from vantage.worlds.splat import make_splat_world

SIX = [f"{agent}-{mode}" for agent in ("static", "search") for mode in ("plain", "nap", "nacot")]
LISTS = ["--agent", "static,search", "--mode", "plain,nap,nacot"]


class Lost(StaticAgent):
    """Never finds its bearings."""

    def act(self, observation: Observation, last: StepResult | None) -> Answer:
        raise EpisodeError("lost")


@pytest.fixture(scope="module")
def episodes(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One pair of questions in one room, for few steps."""
    folder = tmp_path_factory.mktemp("sets") / "noisyeqa"
    sizes = {**PAIRS, "scenes": 1, "pairs": 1, "shares": "color=1"}
    return NoisyEqaBenchmark(SMALL_PICTURES, max_steps=8).make(folder, **sizes).folder


@pytest.fixture(scope="module")
def six(episodes: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The bags of {static, search} x {plain, nap, nacot}."""
    out = tmp_path_factory.mktemp("runs") / "bags"
    assert main([*words(episodes, out), *LISTS]) == 0
    return out


def words(episodes: Path, out: Path) -> list[str]:
    return ["run", "noisyeqa", "--episodes", str(episodes), "--out", str(out)]


def answers(run: Path) -> dict[str, tuple[str, str, str, float]]:
    """Agent, model, text and confidence by episode."""
    found = {}
    for bag in sorted(run.iterdir()):
        recording = read_recording(bag)
        (answer,) = recording.answers
        found[bag.name] = (recording.agent, answer.model, answer.text, answer.confidence)
    return found


def test_every_combination_is_run_and_scored(six: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert sorted(item.name for item in six.iterdir()) == sorted(SIX)
    for name in SIX:
        agent, mode = name.split("-")
        said = answers(six / name)
        assert len(said) == 2
        assert {(who, model) for who, model, _, _ in said.values()} == {(agent, f"symbolic/{mode}")}
    capsys.readouterr()
    assert main(["score", str(six), "--json"]) == 0
    scored = json.loads(capsys.readouterr().out)["episodes"]
    assert {(each["agent"], each["model"]) for each in scored} == {
        (agent, f"symbolic/{mode}") for agent, mode in (name.split("-") for name in SIX)
    }
    assert len(scored) == 12


def test_workers_and_company_change_no_answer(episodes: Path, six: Path, tmp_path: Path) -> None:
    two = ["--agent", "search,static", "--mode", "nap", "--workers", "2"]
    assert main([*words(episodes, tmp_path / "two"), *two]) == 0
    assert main([*words(episodes, tmp_path / "alone"), "--agent", "search", "--mode", "nap"]) == 0
    for name in ("search-nap", "static-nap"):
        assert answers(tmp_path / "two" / name) == answers(six / name)
    assert answers(tmp_path / "alone") == answers(six / "search-nap")


def test_one_world_serves_all_combinations_that_differ_in_the_agent_alone(
    episodes: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[World] = []

    def make(settings: Settings) -> World:
        made.append(make_splat_world(settings))
        return made[-1]

    monkeypatch.setitem(WORLDS._entries, "splat", make)
    assert main([*words(episodes, tmp_path / "modes"), "--agent", "static", "--mode", "plain,nap"]) == 0
    assert len(made) == 1
    wide = Settings().with_values({"camera.width": 64, "camera.height": 24}, "test")
    tall = Settings().with_values({"camera.width": 24, "camera.height": 64}, "test")
    jobs = [Job(episodes, tmp_path / name, "splat", "static", each) for name, each in (("wide", wide), ("tall", tall))]
    assert [job.out.name for job, _, _ in run_sets(jobs)] == ["wide", "wide", "tall", "tall"]
    assert len(made) == 3


def test_one_combination_has_no_folder_of_its_own(
    episodes: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "bags"
    assert main([*words(episodes, out), "--agent", "static,static", "--mode", " nap", "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert [set(row) for row in document["episodes"]] == [{"episode_id", "state", "steps"}] * 2
    assert {model for _, model, _, _ in answers(out).values()} == {"symbolic/nap"}


def test_perceptions_are_in_the_name_where_they_differ(
    episodes: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "bags"
    assert main([*words(episodes, out), "--agent", "static", "--perception", "degraded,privileged", "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    names = ["static-nacot-degraded", "static-nacot-privileged"]
    assert [row["run"] for row in document["episodes"]] == [name for name in names for _ in range(2)]
    assert sorted(item.name for item in out.iterdir()) == names


def test_what_is_complete_is_left_out_of_each_combination(
    episodes: Path, six: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "bags"
    shutil.copytree(six, out)
    again = [*words(episodes, out), *LISTS]
    assert main(again) == 1
    assert "exists already" in capsys.readouterr().err
    lost = sorted((out / "static-nap").iterdir())[0]
    shutil.rmtree(lost)
    shutil.rmtree(out / "static-plain")
    assert main([*again, "--resume"]) == 0
    told = capsys.readouterr()
    assert told.out.startswith("3 episodes in ")
    lacking = r", but 1 of 1 ended with a question that needs a model.*"  # where nothing reads print
    assert re.search(rf"  static-nap: 1 episodes, 0 failed({lacking})?\n", told.out)
    assert "  static-plain: 2 episodes, 0 failed\n" in told.out
    assert "  search-nacot: 0 episodes, 0 failed\n" in told.out
    for name in SIX:
        assert answers(out / name) == answers(six / name)


def test_one_failure_fails_the_command_and_stops_nothing(
    episodes: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(AGENTS._entries, "lost", Lost)
    status = main([*words(episodes, tmp_path / "bags"), "--agent", "lost,static", "--mode", "nap", "--json"])
    document = json.loads(capsys.readouterr().out)
    assert status == 1
    assert [(row["run"], row["state"]) for row in document["episodes"]] == [
        *[("lost-nap", "FAILED")] * 2,
        *[("static-nap", "FINISHED")] * 2,
    ]


@pytest.mark.real_time
def test_a_worker_that_dies_before_the_first_episode_is_told(
    episodes: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def kill() -> None:
        ends = time.monotonic() + 30.0
        while time.monotonic() < ends:
            for child in multiprocessing.active_children():
                child.kill()  # it is still importing
                return
            time.sleep(0.01)

    killer = threading.Thread(target=kill, daemon=True)
    killer.start()
    assert main([*words(episodes, tmp_path / "bags"), "--agent", "static", "--workers", "2"]) == 1
    killer.join()
    assert "a worker process died while its agent was made ready" in capsys.readouterr().err
    assert not list((tmp_path / "bags").glob("*"))


@pytest.mark.parametrize(
    ("lists", "sentence"),
    [
        (["--agent", "static,serch"], "unknown agent 'serch'; did you mean 'search'?"),
        (["--agent", "static,"], "unknown agent ''"),
        (["--mode", "plain,nacott"], "unknown mode 'nacott'; did you mean 'nacot'?"),
        (["--perception", "degraded,priviledged"], "unknown perceiver 'priviledged'; did you mean 'privileged'?"),
        (["--agent", "static,vlm"], "name one with --model NAME:WHICH"),
        (
            ["--mode", "plain,nap", "--set", "agent.mode=nacot"],
            "--set overrides what an option such as --agent or --mode lists",
        ),
    ],
)
def test_a_list_that_cannot_be_run_is_refused_before_anything_runs(
    episodes: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], lists: list[str], sentence: str
) -> None:
    out = tmp_path / "bags"
    assert main([*words(episodes, out), *lists]) == 2
    told = capsys.readouterr()
    assert sentence in told.err
    assert len(told.err.strip().splitlines()) == 1
    assert not out.exists()


def test_one_calibration_does_not_go_with_several_modes(
    episodes: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "c.json"
    write_calibration(path, calibrate([Judged(k / 40, k > 20, str(k)) for k in range(40)], 0.1))
    lists = ["--mode", "plain,nap", "--calibration", str(path)]
    assert main([*words(episodes, tmp_path / "bags"), *lists]) == 2
    assert "for one mode and one perception" in capsys.readouterr().err
    assert not (tmp_path / "bags").exists()


def test_workers_that_cannot_ask_the_person_at_the_terminal_are_refused_in_one_sentence(
    episodes: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    keys, screen = pty.openpty()
    question_services = ["--workers", "2", "--set", "agent.require_confirmation=true"]
    with os.fdopen(screen) as terminal:
        monkeypatch.setattr(sys, "stdin", terminal)
        assert main([*words(episodes, tmp_path / "bags"), *question_services]) == 2
    os.close(keys)
    told = capsys.readouterr().err
    assert "use --workers 1" in told
    assert len(told.strip().splitlines()) == 1
    assert not (tmp_path / "bags").exists()
