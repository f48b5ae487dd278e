"""A simulated camera: it sees a splat scene from where the joints of the rig really are."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vantage.decoding import Section
from vantage.errors import ConfigError
from vantage.spatial import R_BODY_OPTICAL, Intrinsics, Matrix, rigid
from vantage.splats import SplatScene, find_scene, list_scenes, load_scene
from vantage.splats.rendering import RenderedView, Renderer, make_renderer
from vantage.types import InstanceLabel
from vantage.worlds.rig.camera import Frame
from vantage.worlds.rig.cameras.periodic import PeriodicCamera
from vantage.worlds.rig.clock import Clock
from vantage.worlds.rig.kinematics import Chain
from vantage.worlds.rig.parts import RigParts
from vantage.worlds.scene_views import KeptScenes, legend_of, view_of

_Shown = tuple[SplatScene, Mapping[int, InstanceLabel]]

_T_BODY_OPTICAL = rigid(R_BODY_OPTICAL, np.zeros(3))


@dataclass(frozen=True)
class SplatOptions:
    """How a simulated camera differs from an ideal one.

    Attributes:
        noise: standard deviation, grey levels; each picture has its own, given by its number.
        fps: pictures per s.
        latency: s from a picture to its arrival.
        depth, instances: what it senses beside colours.
    """

    noise: float = 0.0
    fps: float = 30.0
    latency: float = 0.02
    depth: bool = True
    instances: bool = True


class SplatCamera(PeriodicCamera):
    """Draws the scenes at ``scenes``, roll and all, for the joint positions (N,) at the moment of the picture; motion
    does not blur. Until ``show`` is called it sees the first scene by name. Closes its renderer.
    """

    def __init__(
        self,
        clock: Clock,
        chain: Chain,
        positions: Callable[[], Matrix],
        intrinsics: Intrinsics,
        scenes: str,
        renderer: Renderer,
        options: SplatOptions | None = None,
    ) -> None:
        self._options = options or SplatOptions()
        super().__init__(clock, self._options.fps, self._options.latency)
        self._chain, self._positions, self._intrinsics = chain, positions, intrinsics
        self._scenes, self._renderer = scenes, renderer
        self._loaded = KeptScenes(self._load)
        self._showing = threading.RLock()
        self._shown: _Shown | None = None
        self._drawn: tuple[SplatScene, Matrix, RenderedView] | None = None

    @property
    def intrinsics(self) -> Intrinsics:
        """See ``Camera.intrinsics``."""
        return self._intrinsics

    @property
    def senses(self) -> frozenset[str]:
        """See ``Camera.senses``."""
        more = {"depth": self._options.depth, "instances": self._options.instances}
        return frozenset({"rgb", *(name for name, has in more.items() if has)})

    @property
    def scene(self) -> SplatScene:
        """What it sees.

        Raises:
            ConfigError: there are no scenes.
            FormatError, SceneError: its files are wrong.
        """
        return self._showing_now()[0]

    def show(self, scene: str) -> SplatScene:
        """See another scene from now on; the two used last are kept. When it raises, the one before stays.

        Raises:
            UnknownNameError: no such scene.
            ConfigError, FormatError, SceneError: its files are wrong.
        """
        with self._showing:
            shown = self._loaded.get(scene)
            self._renderer.prepare(shown[0].cloud)
            self._shown = shown
            return shown[0]

    def _start(self) -> None:
        self._first()

    def _end(self) -> None:
        self._drawn = None
        self._renderer.close()

    def _first(self) -> str:
        names = list(list_scenes(self._scenes))
        if not names:
            raise ConfigError(f"there are no scenes in {self._scenes}; set world.scenes to a folder of scenes")
        return names[0]

    def _load(self, name: str) -> _Shown:
        scene = load_scene(find_scene(self._scenes, name))
        return scene, legend_of(scene.graph)

    def _showing_now(self) -> _Shown:
        with self._showing:
            if self._shown is None:
                self.show(self._first())
            assert self._shown is not None
            return self._shown

    def _take(self, number: int, stamp: int) -> Frame:
        positions = np.array(self._positions(), dtype=np.float64)
        scene, legend = self._showing_now()
        view = self._view(scene, positions)
        named = self._options.instances
        return Frame(
            stamp,
            with_noise(view.rgb, self._options.noise, number),
            view.depth if self._options.depth else None,
            view.instances if named else None,
            legend if named else None,
        )

    def _view(self, scene: SplatScene, positions: Matrix) -> RenderedView:
        """What is seen from a place is drawn once."""
        if self._drawn is None or self._drawn[0] is not scene or not np.array_equal(self._drawn[1], positions):
            pose = self._chain.T_world_camera(positions) @ _T_BODY_OPTICAL
            self._drawn = scene, positions, view_of(self._renderer, scene, pose, self._intrinsics)
        return self._drawn[2]


def with_noise(image: NDArray[np.uint8], deviation: float, number: int) -> NDArray[np.uint8]:
    """An image with Gaussian noise of a standard deviation in grey levels; the same for the same number."""
    if deviation == 0.0:
        return image
    noise = np.random.default_rng(number).standard_normal(image.shape, dtype=np.float32)
    noise *= np.float32(deviation)
    noise += image
    return np.clip(np.rint(noise, out=noise), 0.0, 255.0, out=noise).astype(np.uint8)


def make_splat(section: Section, parts: RigParts) -> SplatCamera:
    """The factory behind the registered name ``splat``.

    Raises:
        ConfigError: a key is wrong, or there are no scenes.
    """
    camera, world = parts.settings.camera, parts.settings.world
    options = SplatOptions(
        noise=section.number("noise", 0.0, 0.0, 255.0),
        fps=section.number("fps", 30.0, 0.1, 1000.0),
        latency=section.number("latency", 0.02, 0.0, 10.0),
        depth=section.switch("depth", True),
        instances=section.switch("instances", True) and world.instances,
    )
    section.done()
    return SplatCamera(
        parts.clock,
        parts.description.chain,
        parts.positions,
        Intrinsics.from_fov(camera.width, camera.height, camera.horizontal_fov),
        world.scenes,
        make_renderer(world.renderer, world.threads),
        options,
    )
