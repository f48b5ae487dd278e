"""Small scenes are rendered as they were: nearly everywhere, and to the last bit where the net was made."""

from __future__ import annotations

from pathlib import Path

import pytest
from golden_texts import frames

from vantage.types import Observation


@pytest.fixture(scope="module")
def seen(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Observation]:
    return dict(frames.observations(tmp_path_factory.mktemp("frames")))


def test_frames_look_as_they_did(seen: dict[str, Observation]) -> None:
    made = {name: picture for view, shown in seen.items() for name, picture in frames.pictures(view, shown).items()}
    assert sorted(made) == sorted(path.name for path in Path(frames.FOLDER).glob("*.png"))
    told = [each for name, picture in made.items() for each in frames.differences(name, picture)]
    assert not told, "\n".join(told)


def test_frames_are_those_of_before_on_a_machine_of_the_same_kind(seen: dict[str, Observation]) -> None:
    told = frames.hash_differences(frames.hashes(seen))
    assert not told, "\n".join(told)
