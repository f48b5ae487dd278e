"""Frames of a panel, each reproduced by its scene and pose, and their table."""

from __future__ import annotations

import csv
import hashlib
import io
import json
import math
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from vantage.errors import FormatError
from vantage.files import MOST_JSON, read_text, unreadable
from vantage.spatial import Intrinsics, Viewpoint
from vantage.types import TruthQuestion

CANNOT = "cannot tell"  # the reply that every question has
LAST_LOOK = "last look"  # kind of the frames with which recorded episodes ended
_COLUMNS = (
    *("name", "kind", "scene", "seed", "x", "y", "z", "yaw", "pitch", "width", "height", "focal"),
    *("question", "replies", "answer", "foil", "targets", "truth_kind", "program"),
)


@dataclass(frozen=True)
class Frame:
    """A view of a scene with a question that it may or may not show the answer to.

    Attributes:
        kind: key of ``KINDS``, or ``LAST_LOOK``.
        scene: folder of the scene, relative to that of the set.
        seed: of the scene's specification; the table is refused where the scene has another one.
        viewpoint: of the camera, m and rad, world frame.
        lens: of the camera, with square pixels and the principal point in the middle.
        replies: to choose from, without ``CANNOT``.
        answer: the reference answer, one of ``replies``.
        foil: the target is absent or wholly hidden, so that ``CANNOT`` is right.
        targets: instance ids of what has to be seen.
        truth_kind, program: as of ``TruthQuestion``.
    """

    kind: str
    scene: str
    seed: int
    viewpoint: Viewpoint
    lens: Intrinsics
    question: str
    replies: tuple[str, ...]
    answer: str
    foil: bool
    targets: tuple[int, ...]
    truth_kind: str
    program: str = ""

    @property
    def name(self) -> str:
        """12 hexadecimal digits that say nothing of what is right."""
        view = self.viewpoint
        parts = [self.scene, self.seed, view.x, view.y, view.z, view.yaw, view.pitch, self.question, *self.replies]
        return hashlib.sha256(json.dumps(parts).encode()).hexdigest()[:12]

    @property
    def half(self) -> str:
        """``fit`` or ``test``, by a hash of the name."""
        return ("fit", "test")[hashlib.sha256(self.name.encode()).digest()[0] & 1]

    @property
    def right(self) -> str:
        """The reply that counts as right."""
        return CANNOT if self.foil else self.answer

    @property
    def truth(self) -> TruthQuestion:
        """What the view rule is asked."""
        return TruthQuestion("panel", self.truth_kind, self.answer, target_instances=self.targets, program=self.program)


def frames_table(frames: Sequence[Frame]) -> str:
    """The frames as CSV; numbers are written so that they are read back unchanged."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(_COLUMNS)
    for frame in frames:
        view, lens = frame.viewpoint, frame.lens
        pose = [repr(float(value)) for value in (view.x, view.y, view.z, view.yaw, view.pitch)]
        camera = [lens.width, lens.height, repr(float(lens.fx))]
        asked = [frame.question, json.dumps(frame.replies), frame.answer, int(frame.foil)]
        known = [" ".join(map(str, frame.targets)), frame.truth_kind, frame.program]
        writer.writerow([frame.name, frame.kind, frame.scene, frame.seed, *pose, *camera, *asked, *known])
    return text.getvalue()


def read_frames(path: str | Path) -> list[Frame]:
    """The frames of a table.

    Raises:
        FormatError: it cannot be read, or a line holds impossible values.
    """
    try:
        rows = list(csv.reader(io.StringIO(read_text(Path(path), MOST_JSON), newline="")))
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise FormatError(f"cannot read {path}: {unreadable(error)}") from error
    if len(rows) < 2 or tuple(rows[0]) != _COLUMNS:
        raise FormatError(f"{path} is no table of frames; give the frames.csv of a panel")
    found = [_frame_of(row, f"{path}, line {number}") for number, row in enumerate(rows[1:], start=2)]
    if len({frame.name for frame in found}) < len(found):
        raise FormatError(f"{path} holds a frame twice; remove one")
    return found


def _frame_of(row: list[str], where: str) -> Frame:
    if len(row) != len(_COLUMNS):
        raise FormatError(f"{where} has {len(row)} values, not {len(_COLUMNS)}; make the panel again")
    cells = dict(zip(_COLUMNS, row, strict=True))
    try:
        view = Viewpoint(*(float(cells[name]) for name in ("x", "y", "z", "yaw", "pitch")))
        width, height, focal = int(cells["width"]), int(cells["height"]), float(cells["focal"])
        replies = json.loads(cells["replies"])
        frame = Frame(
            kind=cells["kind"],
            scene=cells["scene"],
            seed=int(cells["seed"]),
            viewpoint=view,
            lens=Intrinsics(width, height, focal, focal, 0.5 * width, 0.5 * height),
            question=cells["question"],
            replies=tuple(str(reply) for reply in replies) if isinstance(replies, list) else (),
            answer=cells["answer"],
            foil=bool(int(cells["foil"])),
            targets=tuple(int(key) for key in cells["targets"].split()),
            truth_kind=cells["truth_kind"],
            program=cells["program"],
        )
    except ValueError as error:
        raise FormatError(f"{where} cannot be read: {error}; make the panel again") from error
    if not view.is_finite or not 0.0 < focal < math.inf or not (0 < width <= 8192 and 0 < height <= 8192):
        raise FormatError(f"{where} has no possible pose or camera; make the panel again")
    if frame.answer not in frame.replies or not frame.targets:
        raise FormatError(f"{where} has no target, or an answer that is not among the replies; make the panel again")
    if frame.name != cells["name"]:
        raise FormatError(f"{where}: frame '{cells['name']}' was changed after it was made; make the panel again")
    return frame
