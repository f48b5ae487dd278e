"""What ``set.json`` may say: nothing that is for whoever runs the set alone to say."""

from __future__ import annotations

import json
import os
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from imported_questions import unseen_set

from vantage.benchmarks.sets import checked_hash, load_set, own_values, save_set
from vantage.benchmarks.sets.episodes_io import load_truths
from vantage.benchmarks.sets.set_info import plain_info
from vantage.config import all_settings
from vantage.errors import FormatError
from vantage.shared_settings import PASSED_OVER, may_say
from vantage.types import FIRST_VIEW_RULE, VIEW_RULE


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return unseen_set(tmp_path, 1)


def say(folder: Path, **changes: Any) -> Path:
    path = folder / "set.json"
    path.write_text(json.dumps({**json.loads(path.read_text()), "content_hash": "", **changes}))
    return folder


def test_a_set_says_no_setting_that_is_not_shared(folder: Path) -> None:
    refused = 0
    for group, item in all_settings():
        key = f"{group}.{item.name}"
        say(folder, settings={"camera.width": 320, key: item.default})
        if may_say(key, item.default):
            assert own_values(load_set(folder).info)["camera.width"] in (320, item.default)
        elif key not in PASSED_OVER:
            refused += 1
            with pytest.raises(FormatError) as caught:
                load_set(folder)
            sentence = str(caught.value)
            assert sentence.startswith(f"{folder / 'set.json'} says the setting {key}, ")
            assert "your own --config or --set" in sentence
    assert refused > 80


def test_what_older_sets_say_of_recording_is_passed_over_and_stays_unchanged(folder: Path) -> None:
    say(folder, settings={"camera.width": 320, "run.jpeg_quality": 50, "run.record_markers": False})
    found = load_set(folder)
    assert found.info.settings == {"camera.width": 320}
    assert found.info.passed_over == ("run.jpeg_quality", "run.record_markers")
    whole = checked_hash(found)
    again = save_set(folder, found.info, found.episodes, tuple(load_truths(folder, found.episodes).values()))
    assert (again.info.settings, again.info.passed_over) == ({"camera.width": 320}, ())
    assert again.info.content_hash != whole
    assert "passed_over" not in json.loads((folder / "set.json").read_text())
    with pytest.raises(FormatError, match="passed_over: unknown key"):
        load_set(say(folder, passed_over=["camera.width"]))


def test_a_set_of_no_version_of_the_view_rule_is_of_the_first(folder: Path) -> None:
    assert load_set(folder).info.view_rule == VIEW_RULE
    plain = json.loads((folder / "set.json").read_text())
    del plain["view_rule"]
    (folder / "set.json").write_text(json.dumps(plain))
    assert load_set(folder).info.view_rule == FIRST_VIEW_RULE
    assert "view_rule" not in plain_info(replace(load_set(folder).info, view_rule=FIRST_VIEW_RULE))
    later = load_set(say(folder, view_rule=3)).info
    assert (later.view_rule, plain_info(later)["view_rule"]) == (3, 3)


@pytest.mark.parametrize("version", [0, -1, 1.5, "1", None, 10**9])
def test_a_version_of_the_view_rule_is_a_number(folder: Path, version: object) -> None:
    with pytest.raises(FormatError, match="view_rule"):
        load_set(say(folder, view_rule=version))


def test_a_set_chooses_no_world_in_which_real_things_move(folder: Path) -> None:
    with pytest.raises(FormatError, match=r"set\.json: world is 'rig', .* add --world rig to your own command"):
        load_set(say(folder, world="rig"))
    assert load_set(say(folder, world="house")).info.world == "house"


@pytest.mark.parametrize("name", ["set.json", "episodes.jsonl", "truth.jsonl", "scenes", "goals"])
def test_no_file_of_a_set_lies_outside_behind_a_link(folder: Path, name: str) -> None:
    path, outside = folder / name, folder.parent / "outside"
    if path.exists():
        path.rename(outside)
    else:
        outside.mkdir()
    path.symlink_to(os.path.relpath(outside, folder))
    with pytest.raises(FormatError, match=rf"{name} is a link that leads out of"):
        load_set(folder)
