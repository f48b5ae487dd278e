"""The scenes of an episode set with what draws and judges views of them, through the camera of the set."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from vantage.benchmarks.labelling import (
    LabelledPlace,
    SceneVisibility,
    SceneWorld,
    VisibilitySettings,
    open_scene_world,
)
from vantage.benchmarks.sets import SCENES, EpisodeSet, load_set, own_values
from vantage.config import Settings
from vantage.errors import EpisodeError, SceneError, UsageError
from vantage.files import EPISODE_SET
from vantage.panel.frames import Frame
from vantage.scenes.spec import SceneSpec, load_spec
from vantage.spatial import Viewpoint
from vantage.types import Episode, Question

_SPEC = "spec.json"


@dataclass(frozen=True)
class PanelScene:
    """One scene of which the specification is known.

    Attributes:
        key: its folder relative to that of the set.
        name: in its episode set.
    """

    key: str
    name: str
    episode_set: EpisodeSet
    world: SceneWorld

    @cached_property
    def spec(self) -> SceneSpec:
        return load_spec(self.episode_set.scene_folder(self.name) / _SPEC)

    @cached_property
    def visibility(self) -> SceneVisibility:
        """The view rule with the thresholds of the set."""
        info = self.episode_set.info
        thresholds = VisibilitySettings.of(info.thresholds, str(self.episode_set.folder / EPISODE_SET), info.view_rule)
        return SceneVisibility.of_home(self.spec, thresholds)

    @cached_property
    def _place(self) -> LabelledPlace:
        """Kept, because the world keeps few scenes and frames are drawn from all by turns."""
        return self.world.place(self.name)

    def picture(self, viewpoint: Viewpoint) -> NDArray[np.uint8]:
        """What the camera sees, (H, W, 3) uint8 RGB.

        Raises:
            EpisodeError: the camera cannot be there.
        """
        asked = (Question("look", "What is here?"),)
        return self.world.reset(Episode("look", "panel", self.name, viewpoint, asked, 1), 0).rgb

    def free(self, viewpoint: Viewpoint) -> bool:
        """Whether the camera can be at a viewpoint without touching anything or looking out of something solid."""
        place = self._place
        if place.limits.pose_violation(viewpoint) is not None or place.space.problem(viewpoint.position) is not None:
            return False
        return not place.space.view_penetrates(viewpoint, self.world.intrinsics)


class PanelScenes:
    """All scenes of a set, or of the splits that lie in a folder; to be closed.

    Args:
        folder: of the set.
        settings: as far as the set fixes none.

    Raises:
        UsageError: there is no set, or none of its scenes has a specification.
        FormatError, ConfigError: a file of the set is wrong.
    """

    def __init__(self, folder: str | Path, settings: Settings) -> None:
        root = Path(folder)
        parts = (
            [root] if (root / EPISODE_SET).is_file() else sorted(each.parent for each in root.glob(f"*/{EPISODE_SET}"))
        )
        if not parts:
            raise UsageError(f"{root} holds no episode set; make one with `vantage episodes make`")
        self.sets = [load_set(part) for part in parts]
        self._scenes: dict[str, PanelScene] = {}
        with ExitStack() as stack:
            for part, episode_set in zip(parts, self.sets, strict=True):
                own = settings.with_values(own_values(episode_set.info), str(part / EPISODE_SET))
                world = open_scene_world(own, part / SCENES)
                stack.callback(world.close)
                for name in sorted(episode_set.info.scenes):
                    if (part / SCENES / name / _SPEC).is_file():
                        key = (part / SCENES / name).relative_to(root).as_posix()
                        self._scenes[key] = PanelScene(key, name, episode_set, world)
            if not self._scenes:
                raise UsageError(f"no scene of {root} has a {_SPEC}; a panel needs scenes whose shapes are known")
            self._worlds = stack.pop_all()

    def __enter__(self) -> PanelScenes:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __iter__(self) -> Iterator[PanelScene]:
        return iter(self._scenes.values())

    def close(self) -> None:
        """Give back what draws."""
        self._worlds.close()

    def named(self, name: str) -> PanelScene | None:
        """The first scene of a name; None where there is none."""
        return next((scene for scene in self if scene.name == name), None)

    def of(self, frame: Frame) -> PanelScene:
        """The scene that a frame is of.

        Raises:
            SceneError: there is none such, it was made with another seed, or the camera of the set is another one.
        """
        scene = self._scenes.get(frame.scene)
        if scene is None:
            raise SceneError(f"frame '{frame.name}' is of scene '{frame.scene}', which the set lacks; give its own set")
        if scene.spec.seed != frame.seed:
            raise SceneError(
                f"frame '{frame.name}' is of seed {frame.seed}, and scene '{frame.scene}' of the set was made with "
                f"{scene.spec.seed}; give its own set"
            )
        lens = scene.world.intrinsics
        if (lens.width, lens.height) != (frame.lens.width, frame.lens.height) or abs(lens.fx - frame.lens.fx) > 1e-6:
            raise SceneError(
                f"frame '{frame.name}' was made with another camera than that of the set; give its own set"
            )
        return scene


def drawn(scene: PanelScene, frame: Frame) -> NDArray[np.uint8]:
    """The picture of a frame, (H, W, 3) uint8 RGB.

    Raises:
        SceneError: the camera cannot be there.
    """
    try:
        return scene.picture(frame.viewpoint)
    except EpisodeError as error:
        raise SceneError(f"frame '{frame.name}' cannot be drawn: {error}") from error
