"""Every agent under every control over a small set: what is recorded, and that scores keep controls apart."""

from __future__ import annotations

import json
import shutil
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from guide import Guide
from scripted_server import ScriptedServer
from small_e3vs import one_of_each_pair, part_of

from vantage.benchmarks.sets.episodes_io import load_set, load_truths
from vantage.cli.main import main
from vantage.recording.recordings import Recording, read_recording
from vantage.types import EpisodeState, Truth

SEES = ("--set", "agent.min_pixels=8")  # the pictures are small
OWN_EYES = "random,coverage,search,static,oracle,prior,blind"
BY_MODEL = "pilot,pilot_map,vqa,crop,blind"


@pytest.fixture(scope="module")
def episodes(e3vs_splits: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two questions, beside the training set."""
    root = tmp_path_factory.mktemp("sets")
    shutil.copytree(e3vs_splits / "train", root / "train")
    return part_of(e3vs_splits / "test", root / "test", one_of_each_pair(e3vs_splits / "test")[1:3])


@pytest.fixture(scope="module")
def truths(episodes: Path) -> dict[str, Truth]:
    return load_truths(episodes, load_set(episodes).episodes)


def run(episodes: Path, out: Path, *words: str) -> int:
    return main(["run", "e3vs", "--episodes", str(episodes), "--out", str(out), *SEES, *words])


def scored(capsys: pytest.CaptureFixture[str], *folders: Path) -> dict[str, Any]:
    capsys.readouterr()
    assert main(["score", *map(str, folders), "--json"]) == 0
    found: dict[str, Any] = json.loads(capsys.readouterr().out)
    return found


def recordings(folder: Path) -> list[Recording]:
    return [read_recording(bag) for bag in sorted(folder.iterdir())]


def marks(told: dict[str, Any]) -> dict[tuple[str, str], float]:
    """Mean mark by agent and control; every setup has both episodes."""
    found = {}
    for setup in told["e3vs"]["setups"]:
        figure = setup["categories"]["all"]["mark"]
        key = setup["agent"], setup["control"]
        assert figure["n"] == 2, f"{key} has the episodes of several runs, or too few"
        assert key not in found
        found[key] = figure["value"]
    return found


def test_agents_that_ask_no_model_run_under_every_control(
    episodes: Path, truths: dict[str, Truth], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(episodes, tmp_path / "all", "--agent", OWN_EYES, "--start", "start,goal") == 0
    assert run(episodes, tmp_path / "dof", "--agent", "random,coverage,search,static", "--dof", "3") == 0
    walkers = ("random", "coverage", "search", "static")
    expected = {(agent, "") for agent in OWN_EYES.split(",")}
    expected |= {(agent, control) for agent in walkers for control in ("start=goal", "dof=x+y+yaw")}
    found = marks(scored(capsys, tmp_path / "all", tmp_path / "dof"))
    assert set(found) == expected
    assert found["oracle", ""] == 5.0
    assert found["search", ""] >= found["random", ""]
    assert found["prior", ""] == found["blind", ""] == 1.0, "no look grounds what they say"
    for folder in (*(tmp_path / "all").iterdir(), *(tmp_path / "dof").iterdir()):
        for recording in recordings(folder):
            assert recording.state is EpisodeState.FINISHED
            assert len(recording.motions) <= 25
            goal = truths[recording.episode.episode_id].goal
            assert (recording.episode.start == goal) == (recording.control == "start=goal")
            if recording.control == "dof=x+y+yaw":
                start = recording.episode.start
                assert {(each.reached.z, each.reached.pitch) for each in recording.motions} <= {(start.z, start.pitch)}


@pytest.mark.parametrize("more", [(), ("--resume",)], ids=["anew", "resumed"])
def test_another_control_is_not_recorded_over_a_run(
    episodes: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], more: tuple[str, ...]
) -> None:
    out = tmp_path / "bags"
    assert run(episodes, out, "--agent", "oracle") == 0
    before = {path: path.read_bytes() for path in out.rglob("*.mcap")}
    capsys.readouterr()
    assert run(episodes, out, "--agent", "static", "--dof", "3", *more) == 1
    told = capsys.readouterr().err.strip()
    assert len(told.splitlines()) == 1
    assert ("was recorded with" if more else "exists already") in told
    assert {path: path.read_bytes() for path in out.rglob("*.mcap")} == before


# A model ------------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def server(episodes: Path) -> Iterator[ScriptedServer]:
    with ScriptedServer(Guide(episodes)) as found:
        yield found


def asking(server: ScriptedServer, *words: str) -> tuple[str, ...]:
    server.asked.clear()
    return "--model", "openai:guide", "--set", f"model.url={server.url}", *words


@pytest.mark.needs("openai")
def test_agents_that_ask_a_model_run_under_every_control(
    episodes: Path,
    truths: dict[str, Truth],
    server: ScriptedServer,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    words = asking(server, "--agent", BY_MODEL, "--start", "start,goal,bird", "--frames", "1,3,5")
    assert run(episodes, tmp_path, *words) == 0
    pilots = {
        (agent, ",".join(filter(None, (start, frames))))
        for agent in ("pilot", "pilot_map")
        for start in ("", "start=goal")
        for frames in ("", "frames=3", "frames=5")
    }
    from_one = {("vqa", ""), ("crop", ""), ("blind", ""), ("vqa", "start=bird")}
    from_goal = {("vqa", "start=goal"), ("crop", "start=goal")}
    found = marks(scored(capsys, tmp_path))
    assert {key for key, mark in found.items() if mark == 5.0} == pilots | from_goal
    assert {key for key, mark in found.items() if mark == 1.0} == from_one, "right words, but no look that shows it"
    for folder in tmp_path.iterdir():
        for recording in recordings(folder):
            truth = truths[recording.episode.episode_id]
            led = recording.agent.startswith("pilot") and "start=goal" not in recording.control
            assert len(recording.motions) == (len(truth.oracle_actions) if led else 0)
            assert recording.answers[0].noise.explanation == ""
    ways = [len(truth.oracle_actions) for truth in truths.values()]
    shown = Counter(len(asked.pictures) for asked in server.asked if "Current step" in asked.text)
    assert max(shown) == 5
    assert shown[5] == 2 * sum(way + 1 - 4 for way in ways), "of two pilots, from the fifth step on"
    names = {asked.pictures for asked in server.asked if len(asked.pictures) == 3 and "Current step" in asked.text}
    assert names == {("IMAGE_2_STEPS_AGO", "IMAGE_1_STEPS_AGO", "CURRENT_IMAGE")}
    assert {asked.pictures for asked in server.asked if "enlarged" in asked.system} == {
        ("WHOLE_PICTURE",),
        ("WHOLE_PICTURE", "ENLARGED_PART"),
    }


@pytest.mark.needs("openai")
def test_thinking_and_fewer_axes_are_setups_of_their_own(
    episodes: Path, server: ScriptedServer, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(episodes, tmp_path / "plain", *asking(server, "--agent", "pilot,vqa")) == 0
    assert run(episodes, tmp_path / "thinking", *asking(server, "--agent", "pilot,vqa", "--thinking", "on")) == 0
    assert all(asked.body["chat_template_kwargs"] == {"enable_thinking": True} for asked in server.asked)
    words = asking(server, "--agent", "pilot,pilot_map", "--dof", "3", "--set", "control.retries=0")
    assert run(episodes, tmp_path / "dof", *words) == 0
    assert not any("- move_up" in asked.system or "- look_down" in asked.system for asked in server.asked)
    found = marks(scored(capsys, *tmp_path.iterdir()))
    assert set(found) == {
        ("pilot", ""),
        ("vqa", ""),
        ("pilot", "thinking=on"),
        ("vqa", "thinking=on"),
        ("pilot", "dof=x+y+yaw"),
        ("pilot_map", "dof=x+y+yaw"),
    }
    assert found["pilot", "thinking=on"] == 5.0
    truths, told = load_truths(episodes, load_set(episodes).episodes), set()
    for recording in recordings(tmp_path / "dof" / "pilot-nacot"):
        start = recording.episode.start
        assert {(each.reached.z, each.reached.pitch) for each in recording.motions} <= {(start.z, start.pitch)}
        way = truths[recording.episode.episode_id].oracle_actions or ()
        refused = any(action.endswith(("_up", "_down")) for action in way)
        assert ("unknown action" in recording.answers[0].noise.explanation) is refused, "it was told to go up or down"
        told.add(refused)
    assert True in told


@pytest.mark.needs("openai")
def test_two_models_and_two_modes_are_setups_of_their_own(
    episodes: Path, server: ScriptedServer, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ("guide", "other"):
        words = asking(server, "--agent", "blind", "--set", f"agent.model=openai:{name}")
        assert run(episodes, tmp_path / name, *words[2:]) == 0
    assert run(episodes, tmp_path / "modes", "--agent", "search", "--mode", "plain,nacot") == 0
    setups = scored(capsys, *tmp_path.iterdir())["e3vs"]["setups"]
    assert [setup["categories"]["all"]["mark"]["n"] for setup in setups] == [2, 2, 2, 2]
    assert len({(setup["agent"], setup["model"]) for setup in setups}) == 4


@pytest.mark.needs("openai")
def test_kinds_of_prompts_are_setups_of_their_own_and_what_counts_as_shown_is_the_rule_of_the_set(
    episodes: Path, server: ScriptedServer, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = asking(server, "--agent", "pilot,pilot_map,vqa,crop,blind", "--prompt", "full,paper")
    assert run(episodes, tmp_path, *words) == 0
    found = marks(scored(capsys, tmp_path))
    asks = ("pilot", "pilot_map", "vqa", "crop")
    assert set(found) == {("blind", ""), *((agent, control) for agent in asks for control in ("", "prompt=paper"))}
    assert {found[agent, control] for agent in asks[:2] for control in ("", "prompt=paper")} == {5.0}
    least = load_set(episodes).info.thresholds["pixels"]
    told = {asked.system for asked in server.asked if "Current step" in asked.text}
    assert len(told) == 2
    assert sum(f"covers at least {least:.0f} pixels" in system for system in told) == 1
