"""A panel on disk: what a reader is shown, apart from what is known of it.

::

    frames/001.png    one picture for each frame, as the camera of the set sees it
    sheets/001.png    four numbered frames at their own size, where they are wanted
    questions.json    the question and the replies of each frame: all that a reader may know
    key.json          what is right, what the view rule measures and says; never shown to a reader
    frames.csv        scene, seed, pose and question of each frame, which reproduce the panel
    readers/NAME.json the replies of one reader
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, TypeVar

import msgspec
import numpy as np
from numpy.typing import NDArray

from vantage.errors import FormatError, UsageError
from vantage.file_references import why_link_out
from vantage.files import new_folder, opened, read_json, unreadable, write_whole
from vantage.panel.frames import CANNOT, Frame, frames_table
from vantage.panel.kinds import KINDS
from vantage.panel.panel_scenes import PanelScenes, drawn
from vantage.panel.sheets import PER_SHEET, sheet
from vantage.pictures import decode_picture
from vantage.recording import encode_image

QUESTIONS, KEY, TABLE, READERS = "questions.json", "key.json", "frames.csv", "readers"
_SCHEMA, _KEY_SCHEMA = "vantage.panel/1", "vantage.panel-key/1"

_PICTURE = re.compile(r"frames/[0-9]+\.png")

_T = TypeVar("_T")


@dataclass(frozen=True)
class AskedFrame:
    """What a reader is shown: ``frame`` is the file of the picture, ``replies`` end with ``CANNOT``."""

    number: int
    frame: str
    question: str
    replies: tuple[str, ...]


@dataclass(frozen=True)
class KnownFrame:
    """What is known of a frame.

    Attributes:
        name, kind, scene, seed, foil, half, right: as of ``Frame``.
        pose: x, y, z (m), yaw and pitch (rad), world frame.
        value: that the rule measures, scaled as ``Kind`` says, a larger one being easier; None for foils, last looks
            and frames that fail another test, too.
        threshold: of the rule, on the same scale; 0 where there is no value.
        unit: of both; empty where there is no value.
        angular: the value whatever the camera, in words; empty where that says nothing.
        passes: whether the rule says that the view shows what is asked.
        shortfall: why not, in words; empty where it does.
    """

    number: int
    name: str
    kind: str
    scene: str
    seed: int
    pose: tuple[float, float, float, float, float]
    foil: bool
    half: str
    right: str
    value: float | None
    threshold: float
    unit: str
    angular: str
    passes: bool
    shortfall: str


@dataclass(frozen=True)
class _Questions:
    schema: str
    panel: str
    frames: tuple[AskedFrame, ...]


@dataclass(frozen=True)
class _Key:
    schema: str
    panel: str
    frames: tuple[KnownFrame, ...]


@dataclass(frozen=True)
class Panel:
    """A panel that was made.

    Attributes:
        name: hash of its frames, which the files of readers repeat.
        asked: what readers are shown, by number from 1.
    """

    folder: Path
    name: str
    asked: tuple[AskedFrame, ...]

    @cached_property
    def key(self) -> tuple[KnownFrame, ...]:
        """What is known of each frame, in the same order.

        Raises:
            FormatError: the file cannot be read, belongs to another panel, or holds impossible values.
        """
        key = read_as(self.folder / KEY, _Key)
        shown = [each.number for each in self.asked]
        if (key.schema, key.panel) != (_KEY_SCHEMA, self.name) or [each.number for each in key.frames] != shown:
            raise FormatError(f"{self.folder / KEY} belongs to another panel; put back its own")
        if any(each.threshold < 0.0 or (each.value is not None and each.value <= 0.0) for each in key.frames):
            raise FormatError(f"{self.folder / KEY} holds a value that no rule measures; make the panel again")
        return key.frames

    def picture(self, frame: AskedFrame) -> NDArray[np.uint8]:
        """(H, W, 3) uint8 RGB.

        Raises:
            FormatError: it is missing, or no picture.
        """
        path = self.folder / frame.frame
        try:
            with opened(path) as file:
                found = decode_picture(file.read())
        except OSError as error:
            raise FormatError(f"cannot read {path}: {unreadable(error)}") from error
        if found is None:
            raise FormatError(f"{path} is no picture; make the panel again")
        return np.ascontiguousarray(found[:, :, ::-1])


def make_panel(folder: str | Path, scenes: PanelScenes, frames: Sequence[Frame], sheets: bool = False) -> Panel:
    """Draw frames into a new folder, in the order of their names, which is one by lot.

    Raises:
        UsageError: something lies in the folder, or there are no frames.
        SceneError: a frame is not of these scenes, or cannot be drawn.
    """
    if not frames:
        raise UsageError("the scenes have no view of any kind that is asked for; give a set with more homes or kinds")
    ordered = sorted(frames, key=lambda frame: frame.name)
    with new_folder(Path(folder)) as root:
        table = frames_table(ordered)
        digest = hashlib.sha256(table.encode())
        numbered = list(enumerate(ordered, start=1))
        for number, frame in sorted(numbered, key=lambda pair: pair[1].scene):  # a scene is loaded once
            write_whole(root / _picture(number), encode_image(drawn(scenes.of(frame), frame), ".png"))
        asked, known = [], []
        for number, frame in numbered:
            digest.update((root / _picture(number)).read_bytes())
            asked.append(AskedFrame(number, _picture(number), frame.question, (*frame.replies, CANNOT)))
            known.append(_known(scenes, frame, number))
        shown = Panel(root, "", tuple(asked))
        for first in range(0, len(asked) if sheets else 0, PER_SHEET):
            pictures = [shown.picture(each) for each in asked[first : first + PER_SHEET]]
            write_whole(root / f"sheets/{first + 1:03d}.png", encode_image(sheet(pictures, first + 1), ".png"))
        name = digest.hexdigest()[:16]
        write_whole(root / TABLE, table)
        _write(root / KEY, _Key(_KEY_SCHEMA, name, tuple(known)))
        _write(root / QUESTIONS, _Questions(_SCHEMA, name, tuple(asked)))
    return read_panel(folder)


def _picture(number: int) -> str:
    return f"frames/{number:03d}.png"


def read_panel(folder: str | Path) -> Panel:
    """The panel in a folder; its key is read only once it is used.

    Raises:
        FormatError: there is none, or its questions cannot be read.
    """
    path = Path(folder) / QUESTIONS
    found = read_as(path, _Questions)
    numbers = [frame.number for frame in found.frames]
    if found.schema != _SCHEMA or numbers != list(range(1, len(numbers) + 1)) or not numbers:
        raise FormatError(f"{path} holds no questions of a panel; make it with `vantage panel make`")
    if out := why_link_out(Path(folder)):
        raise FormatError(out)
    if any(frame.replies[-1:] != (CANNOT,) or not _PICTURE.fullmatch(frame.frame) for frame in found.frames):
        raise FormatError(f"{path} holds replies without '{CANNOT}', or a picture outside of the panel; make it again")
    return Panel(Path(folder), found.panel, found.frames)


def read_as(path: Path, of: type[_T]) -> _T:
    """A JSON file as a dataclass.

    Raises:
        FormatError: it cannot be read, or holds something else.
    """
    try:
        return msgspec.convert(read_json(path), of, str_keys=True)
    except msgspec.ValidationError as error:
        raise FormatError(f"{path} is not as it was written: {error}; make it again") from error


def _write(path: Path, value: Any) -> None:
    write_whole(path, json.dumps(asdict(value), indent=1, allow_nan=False) + "\n")


def _known(scenes: PanelScenes, frame: Frame, number: int) -> KnownFrame:
    scene, view, lens = scenes.of(frame), frame.viewpoint, frame.lens
    rule = scene.visibility
    shortfall = rule.shortfall(frame.truth, view, lens)
    kind = None if frame.foil else KINDS.get(frame.kind)
    if kind is not None and not kind.others_pass(rule, frame.truth, view, lens):
        kind = None  # by the thresholds of another set
    value = None if kind is None else kind.measured(rule, frame.truth, view, lens)
    return KnownFrame(
        number,
        frame.name,
        frame.kind,
        frame.scene,
        frame.seed,
        (view.x, view.y, view.z, view.yaw, view.pitch),
        frame.foil,
        frame.half,
        frame.right,
        value,
        0.0 if kind is None else kind.threshold(rule.settings, lens),
        "" if kind is None else kind.unit,
        "" if kind is None or value is None else kind.angular(value, lens),
        shortfall is None,
        "" if shortfall is None else shortfall.words,
    )
