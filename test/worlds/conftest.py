"""Scene folders and episodes for tests of worlds."""

from __future__ import annotations

from pathlib import Path

import pytest
from small_room import small_room

from vantage.config import Settings
from vantage.spatial import Viewpoint
from vantage.splats.scene_file import save_scene
from vantage.types import Episode, Question


@pytest.fixture(scope="session")
def scenes(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of three equal scenes, called room, second and third."""
    folder = tmp_path_factory.mktemp("scenes")
    cloud, graph = small_room()
    for name in ("room", "second", "third"):
        save_scene(folder / name, None, graph, cloud, name=name)
    return folder


@pytest.fixture
def settings(scenes: Path) -> Settings:
    values = {"world.scenes": str(scenes), "camera.width": 96, "camera.height": 72}
    return Settings().with_values(values, "test")


@pytest.fixture
def episode() -> Episode:
    """Starts west of the box, looking at it."""
    start = Viewpoint(1.0, 1.5, 0.8, 0.0, 0.0)
    return Episode("e1", "test", "room", start, (Question("q1", "Is there a box?"),), 25, 3)
