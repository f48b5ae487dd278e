"""What the commands of ``vantage rig`` share: settings, a room to see, a person's permission, a rig that may move."""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from vantage.cli.main import progress
from vantage.errors import ConfigError, UsageError

if TYPE_CHECKING:
    from vantage.config import Settings
    from vantage.worlds.rig.assembly import Assembly
    from vantage.worlds.rig.description import RigDescription

_SEED = 1


def rig_settings(arguments: argparse.Namespace) -> Settings:
    """Settings with what ``--rig`` and ``--emulate`` say."""
    from vantage.cli.settings import rig_assignments, settings_from

    return settings_from(arguments, *rig_assignments(arguments))


@contextmanager
def with_room(settings: Settings, description: RigDescription) -> Iterator[tuple[Settings, str]]:
    """Settings whose simulated camera has a scene to see, a generated room where none is given, and its name; empty
    where the camera sees no scene.

    Raises:
        ConfigError: the place of the scenes holds none.
    """
    from dataclasses import replace

    from vantage.splats.scene_file import list_scenes
    from vantage.splats.synthesis.from_spec import make_scene

    if settings.rig.mode == "hardware" or description.camera_name == "mock":
        yield settings, ""
        return
    with tempfile.TemporaryDirectory(prefix="vantage-rig-") as folder:
        scenes = settings.world.scenes
        if not scenes:
            progress(f"generating a room from seed {_SEED} for the camera to see")
            make_scene(_SEED, Path(folder) / (description.scene or "room"))
            scenes = folder
        found = list_scenes(scenes)
        if not found:
            raise ConfigError(f"there are no scenes in {scenes}; set world.scenes to a folder of scenes")
        yield replace(settings, world=replace(settings.world, scenes=scenes)), description.scene or min(found)


def ask_first(arguments: argparse.Namespace, settings: Settings) -> None:
    """Have a person at the terminal confirm that a real rig may move.

    Raises:
        UsageError: nobody is there, or the answer is no.
    """
    if arguments.yes or settings.rig.mode != "hardware" or settings.rig.dry_run:
        return
    if not sys.stdin.isatty():
        raise UsageError("the rig would move and nobody can be asked; clear its space and give --yes")
    print("The rig will move. Is its space clear and the emergency stop within reach? [y/N] ", end="", file=sys.stderr)
    sys.stderr.flush()
    if sys.stdin.readline().strip().lower() not in ("y", "yes"):
        raise UsageError("not confirmed, so nothing moved")


def writable(path: str) -> Path:
    """A file that can be written later: told now, before anything moves or takes long.

    Raises:
        UsageError: it cannot.
    """
    file = Path(path)
    if file.is_dir():
        raise UsageError(f"{path} is a folder; name a file in it")
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        tempfile.TemporaryFile(dir=file.parent).close()
    except OSError as error:
        raise UsageError(f"{path} cannot be written ({error.strerror}); choose another place") from error
    return file


@contextmanager
def moving(arguments: argparse.Namespace, settings: Settings) -> Iterator[Assembly]:
    """A connected rig that a person allowed to move; Ctrl-C stops it."""
    from vantage.worlds.rig.assembly import assemble
    from vantage.worlds.rig.description import load_rig, rig_file

    description = load_rig(rig_file(settings.rig.file))
    ask_first(arguments, settings)
    with with_room(settings, description) as (settings, _):
        rig = assemble(settings, description)
        try:
            rig.world.connect()
            rig.world.confirm_motion()
            yield rig
        finally:
            rig.world.close()
