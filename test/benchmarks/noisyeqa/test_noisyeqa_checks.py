"""Validation of a set about false premises: a sound one passes, and each kind of damage is noticed."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from small_noisyeqa import small_noisyeqa

from vantage.benchmarks.noisyeqa.benchmark import NoisyEqaBenchmark
from vantage.benchmarks.sets.episodes_io import EpisodeSet
from vantage.errors import FormatError
from vantage.splats.scene_file import load_graph

Lines = list[dict[str, Any]]


@pytest.fixture
def copied(noisy_set: EpisodeSet, tmp_path: Path) -> Path:
    shutil.copytree(noisy_set.folder, tmp_path / "copy")
    return tmp_path / "copy"


def edited(path: Path, change: Callable[[Lines], Any]) -> None:
    lines = [json.loads(line) for line in path.read_text().splitlines()]
    change(lines)
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))


def problems_of(folder: Path) -> str:
    return "\n".join(small_noisyeqa().validate(folder, workers=1))


def of(noise: str) -> Callable[[Lines], dict[str, Any]]:
    """The question with the first noise of a type."""
    return lambda lines: next(line["questions"][0] for line in lines if line["questions"][0]["noise_type"] == noise)


def test_a_sound_set_is_valid_whatever_the_workers(noisy_set: EpisodeSet) -> None:
    assert small_noisyeqa().validate(noisy_set.folder, workers=1) == []
    assert small_noisyeqa().validate(noisy_set.folder, workers=2) == []


def test_gold_data_that_contradict_the_scene_are_noticed(copied: Path) -> None:
    def spoil(lines: Lines) -> None:
        of("COLOR")(lines).update(correction="the thing is mauve")
        of("SEMANTIC")(lines).update(program="count(scn())")
        of("LATENT")(lines).update(target_instances=[99999])

    edited(copied / "truth.jsonl", spoil)
    found = problems_of(copied)
    assert "the correction 'the thing is mauve' does not say" in found
    assert "unknown step 'scn'" in found
    assert "99999" in found
    assert "content hash" in found


def test_a_half_without_its_twin_is_noticed(copied: Path) -> None:
    for name in ("episodes.jsonl", "truth.jsonl"):
        edited(copied / name, lambda lines: lines.pop(1))
    assert "pair 'home_4000-01' has no clean half" in problems_of(copied)


def test_an_episode_that_is_no_half_is_noticed(copied: Path) -> None:
    for name in ("episodes.jsonl", "truth.jsonl"):
        edited(copied / name, lambda lines: lines[0].update(episode_id="alone"))
    assert "'alone' is no half of a pair" in problems_of(copied)


def test_halves_with_different_starts_are_noticed(copied: Path) -> None:
    edited(copied / "episodes.jsonl", lambda lines: lines[1]["start"].update(yaw=lines[1]["start"]["yaw"] + 0.1))
    assert "differ in their start" in problems_of(copied)


def test_a_start_that_shows_the_answer_is_noticed(copied: Path) -> None:
    goal = json.loads((copied / "truth.jsonl").read_text().splitlines()[0])["goal"]
    edited(copied / "episodes.jsonl", lambda lines: lines[0].update(start=goal))
    assert "shows the answer already" in problems_of(copied)


def test_a_goal_that_shows_nothing_and_an_oracle_that_goes_astray_are_noticed(copied: Path) -> None:
    def look_up(lines: Lines) -> None:
        lines[0]["goal"]["pitch"] = 1.0
        lines[2].update(oracle_actions=["z+"] * 12)

    edited(copied / "truth.jsonl", look_up)
    found = problems_of(copied)
    assert "home_4000-01-noisy': the goal viewpoint does not show" in found
    assert "home_4000-02-noisy': oracle action" in found


def test_a_claimed_place_that_nothing_shows_is_noticed(copied: Path) -> None:
    """No single look shows nearly all of the floor of a furnished room."""

    def with_the_floor(lines: Lines) -> None:
        line = next(line for line in lines if line["questions"][0]["noise_type"] == "POSITION")
        floors = load_graph(copied / "scenes" / line["episode_id"][:9]).by_label("floor")
        line["questions"][0]["target_instances"].append(floors[0].instance_id)

    edited(copied / "truth.jsonl", with_the_floor)
    assert "no viewpoint that can be reached shows the floor" in problems_of(copied)


def test_missing_scenes_and_pictures_are_noticed(copied: Path) -> None:
    shutil.rmtree(copied / "scenes" / "home_4001")
    (copied / "goals" / "home_4000-01-clean.png").unlink()
    found = problems_of(copied)
    assert "the folder of scene 'home_4001' is missing" in found
    assert "'home_4000-01-clean' has no goal image" in found


def test_what_is_no_set_cannot_be_validated(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match=r"set\.json"):
        NoisyEqaBenchmark().validate(tmp_path)
