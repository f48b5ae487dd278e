"""What ``vantage view`` serves: a scene, a bag or runs, by what lies at the path."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from vantage.config import Settings
from vantage.errors import RecordingError, UsageError, VantageError
from vantage.recording import PARTIAL
from vantage.splats import is_cloud
from vantage.splats.rendering import Renderer
from vantage.web.bag_page import BagPages, BagSource
from vantage.web.extra import require_web
from vantage.web.opened import Opened
from vantage.web.painter import Painter
from vantage.web.pictures import Pictures
from vantage.web.places import HOUSE, Place, places_at, require_world
from vantage.web.runs_index import RunsIndex, bags_of
from vantage.web.runs_page import Runs, RunsPages
from vantage.web.scene_page import ScenePages
from vantage.web.scenes import BUDGET, Scenes
from vantage.web.server import LOOPBACK, WebServer
from vantage.worlds.house import require_mujoco

SCENE, BAG, RUNS = "scene", "bag", "runs"


@dataclass(frozen=True)
class Wish:
    """What to show.

    Attributes:
        compare: other runs beside it; None for none.
        scenes: folder of the scenes that bags are of; None where they are not rendered.
        with_truth: whether gold data, marks and the judge's reasons are shown.
        host, port: to be served at.
        budget: bytes of clouds over all pages.
        cache: folder in which scores of bags are kept; that of the user where None.
        world: in which scenes are shown, ``splat`` or ``house``; where it is empty, bags in that in which they were
            recorded, and scenes in the usual one.
    """

    path: Path
    compare: Path | None = None
    scenes: Path | None = None
    with_truth: bool = True
    host: str = LOOPBACK
    port: int = 0
    budget: int = BUDGET
    cache: Path | None = None
    world: str = ""


class Viewer:
    """A server of pages about one path, with all that it holds open; a context manager.

    Args:
        make_renderer: a new renderer, for each scene that is shown.
        settings: of house worlds.

    Attributes:
        kind: what lies at the path.
        server: started within the context.

    Raises:
        UsageError: nothing that can be shown lies there.
        MissingExtraError: the extra ``web`` is not installed, or ``house`` where that world is wanted.
    """

    def __init__(self, wish: Wish, make_renderer: Callable[[], Renderer], settings: Settings | None = None) -> None:
        require_web()
        if wish.world == HOUSE:
            require_mujoco()
        self.kind, self._bags = _found_at(wish.path)
        if wish.compare is not None and self.kind != RUNS:
            raise UsageError("--compare goes with a folder of runs; give two folders of bags")
        self.painter = Painter()
        self.pictures = Pictures(self.painter)
        self._scenes = Scenes(make_renderer, wish.budget, settings)
        self._things: Opened[Path] = Opened()
        self._indexes: list[RunsIndex] = []
        try:
            self.server = WebServer(
                self._pages(wish), {Pictures.route: self.pictures.answer}, host=wish.host, port=wish.port
            )
        except BaseException:
            self.close()
            raise

    def _pages(self, wish: Wish) -> dict[str, Callable[..., Any]]:
        if self.kind == SCENE:
            places, opened = places_at(wish.path), Opened[Place]()
            if wish.world:
                require_world(places, wish.world, wish.path)
            scenes = ScenePages(opened, self._scenes, self.pictures, wish.world)
            ids = {name: opened.add(place) for name, place in places.items()}
            self.first = [f"/scene/{scene_id}" for scene_id in ids.values()]
            return {
                "/": lambda: _list_page("Scenes", dict(zip(ids, self.first, strict=True))),
                "/scene/{scene_id}": scenes.page,
            }
        bags = self._bags
        index = RunsIndex(wish.path, bags, cache=wish.cache)
        self._indexes = [index]
        if wish.compare is not None:
            self._indexes.append(RunsIndex(wish.compare, bags_of(wish.compare), cache=wish.cache))
        source = BagSource(wish.scenes, self._score if wish.with_truth else None, wish.world)
        pages = BagPages(self._things, self._scenes, self.pictures, source)
        ids = {name: self._things.add(bag) for name, bag in names_of(bags, wish.path).items()}
        self.first = [f"/bag/{bag_id}" for bag_id in ids.values()]
        if self.kind == BAG:
            return {
                "/": lambda: _list_page("Bag", dict(zip(ids, self.first, strict=True))),
                "/bag/{bag_id}": pages.page,
            }
        other = self._indexes[1] if len(self._indexes) > 1 else None
        pairs: dict[Path, Path] = {}
        if other is not None and wish.compare is not None:
            others = names_of(other.bags, wish.compare)
            pairs = {bag: others[name] for name, bag in names_of(bags, wish.path).items() if name in others}
        runs = RunsPages(Runs(index, other, self._things, wish.with_truth, pairs), pages)
        self.first += [f"/pair/{self._things.add(bag)}/{self._things.add(pair)}" for bag, pair in pairs.items()]
        self.first.insert(0, "/")
        return {"/": runs.table, "/bag/{bag_id}": pages.page, "/pair/{first_id}/{second_id}": runs.pair}

    def _score(self, path: Path) -> Any:
        index = next((each for each in self._indexes if path in each.bags), self._indexes[0])
        return index.score_of(path)

    def address(self) -> str:
        """Where the first page is, with a token."""
        return self.server.address(path=self.first[0] if len(self.first) == 1 else "/")

    def start(self) -> Viewer:
        for index in self._indexes:
            index.start()
        self.server.start()
        return self

    def close(self) -> None:
        if hasattr(self, "server"):
            self.server.stop()
        for index in self._indexes:
            index.close()
        self.painter.close()
        self._scenes.close()

    def __enter__(self) -> Viewer:
        try:
            return self.start()
        except BaseException:
            self.close()
            raise

    def __exit__(self, *_: object) -> None:
        self.close()


def _found_at(path: Path) -> tuple[str, list[Path]]:
    """What lies at a path, and the bags of it.

    Raises:
        UsageError: nothing that can be shown.
    """
    if not path.exists():
        raise UsageError(f"there is nothing at {path}; give a scene, a bag or a folder of bags")
    if (path / "metadata.yaml").is_file() or path.name.endswith(PARTIAL):
        return BAG, [path]
    if path.is_file() or is_cloud(path):
        return SCENE, []
    try:
        return RUNS, bags_of(path)
    except RecordingError as no_bags:
        try:
            if places_at(path):
                return SCENE, []
        except VantageError:
            pass
        raise UsageError(f"{path} holds neither a scene nor bags; give a scene, a bag or a folder of bags") from no_bags


def names_of(bags: Sequence[Path], root: Path) -> dict[str, Path]:
    """Bags by their names, with the run before them where there are several runs in a folder."""
    return {bag.relative_to(root).as_posix() if bag != root else bag.name: bag for bag in bags}


def _list_page(title: str, links: dict[str, str]) -> None:
    from nicegui import ui

    from vantage.web.page import framed

    with framed(title):
        for name, link in links.items():
            ui.link(name, link).classes("text")
