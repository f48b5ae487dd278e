"""Looks held against the gold data, each once its parts are there and the world has told where things were."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from typing import Any

from vantage.errors import VantageError
from vantage.nodes.evaluator.moved_looks import Recall, Recalled
from vantage.nodes.evaluator.open_recording import OpenRecording
from vantage.recording import (
    CAMERA_INFO,
    DEPTH,
    TF,
    TRUTH_EVIDENCE,
    TRUTH_POSES,
    TRUTH_VISIBILITY,
    Codec,
    Topic,
    read_image,
)
from vantage.runs import GoldData
from vantage.spatial import Intrinsics, Viewpoint, wrap_angle

_KEPT = 64  # looks; as many as wait for their parts while this process has no time
_CLOSE = 1e-3  # m or rad: what a quaternion's rounding and the motors of a rig may cost


class UnreadableError(Exception):
    """A message says nothing that could be used."""


def _same(a: Viewpoint, b: Viewpoint) -> bool:
    turn = max(abs(wrap_angle(a.yaw - b.yaw)), abs(a.pitch - b.pitch))
    return a.distance(b) < _CLOSE and turn < _CLOSE


class LookJudge:
    """One caller at a time.

    Args:
        gold: of the episode set, or None, where nothing is judged.
        recall: asks the world where things were at a look.
        recording: the one that is on its way, or None.
        read: makes a message of its bytes; raises UnreadableError.
        leave_out: told of a message that cannot be read.
        tell: publishes and records gold data.
        warn: takes sentences about what could not be judged.
    """

    def __init__(
        self,
        gold: GoldData | None,
        recall: Recall,
        recording: Callable[[], OpenRecording | None],
        read: Callable[[Topic, bytes], Any],
        leave_out: Callable[[Topic, UnreadableError], None],
        tell: Callable[[Topic, int, Callable[[Codec], Any]], None],
        warn: Callable[[str], None],
    ) -> None:
        self._gold, self._recall, self._recording = gold, recall, recording
        self._read, self._leave_out, self._tell, self._warn = read, leave_out, tell, warn
        self._looks: OrderedDict[int, dict[Topic, Any]] = OrderedDict()  # pose, intrinsics and depth, by stamp

    def take(self, topic: Topic, stamp: int, part: Any) -> None:
        """Take in a part of the look of a stamp, ns: its pose, its intrinsics or the bytes of its depth."""
        self._looks.setdefault(stamp, {}).setdefault(topic, part)
        while len(self._looks) > _KEPT:
            self._looks.popitem(last=False)
        self.judge(stamp)

    def judge(self, stamp: int) -> None:
        """Compare a look with the gold data once its depth and the pose are both there."""
        recording, gold = self._recording(), self._gold
        if recording is None or gold is None or not recording.judged:
            return
        try:
            self._judge_look(recording, gold, stamp, self._looks.get(stamp, {}))
        except UnreadableError as error:
            self._leave_out(DEPTH, error)
        except VantageError as error:
            self._give_up(recording, error)

    def lacking(self, stamp: int) -> set[Topic]:
        """Topics still needed to judge the look of a stamp, ns, or to see whether it is that of the start; none
        where it is not to be judged."""
        recording, gold = self._recording(), self._gold
        if recording is None or gold is None or not recording.judged:
            return set()
        if stamp not in recording.pending and (recording.started or stamp not in recording.resets):
            return set()
        return self._needs(recording, gold) - self._looks.get(stamp, {}).keys()

    @staticmethod
    def _needs(recording: OpenRecording, gold: GoldData) -> set[Topic]:
        """Depth is needed only where the scene is not known exactly."""
        needs_depth = recording.gathering is None and gold.needs_depth(recording.episode.episode_id)
        return {DEPTH, CAMERA_INFO, TF} if needs_depth else {CAMERA_INFO, TF}

    def _judge_look(self, recording: OpenRecording, gold: GoldData, stamp: int, look: dict[Topic, Any]) -> None:
        episode = recording.episode
        needs = self._needs(recording, gold)
        if not needs <= look.keys():
            return
        if not recording.started and stamp > recording.begun and _same(look[TF], episode.start):
            recording.looks_from_start(stamp)
        if stamp not in recording.pending:
            return
        viewpoint, intrinsics = recording.pending[stamp], look[CAMERA_INFO]
        depth = self._depth(look, intrinsics) if DEPTH in needs else None
        del recording.pending[stamp]
        recording.awaited.add(stamp)

        def told(found: Recalled | None, trouble: str) -> None:
            if self._recording() is not recording:
                return
            recording.awaited.discard(stamp)
            if found is not None and found.episode_id != episode.episode_id:
                trouble = "it is of before the world was reset"
            if trouble:
                self._leave_unjudged(recording, stamp, trouble)
            elif recording.judged:
                self._tell_shown(recording, gold, stamp, (viewpoint, intrinsics, depth), found)

        self._recall(stamp, told)

    def _leave_unjudged(self, recording: OpenRecording, stamp: int, trouble: str) -> None:
        """Until the first command, a later look is that of the start."""
        if recording.results:
            self._warn(f"the look at {stamp} ns could not be judged: {trouble}")
            return
        recording.started = False
        for later in [key for key in self._looks if key > stamp]:
            self.judge(later)

    def _tell_shown(
        self, recording: OpenRecording, gold: GoldData, stamp: int, look: tuple[Any, Any, Any], found: Recalled | None
    ) -> None:
        name, moved = recording.episode.episode_id, None
        if found is not None:
            news, moved = recording.looks.look(found), recording.looks.moved
            if news:
                self._tell(TRUTH_POSES, stamp, lambda codec: codec.poses(stamp, name, news))
        try:
            if recording.gathering is not None:
                viewpoint, intrinsics, _ = look
                fractions, known = recording.gathering.look(viewpoint, intrinsics, moved)
                self._tell(TRUTH_VISIBILITY, stamp, lambda codec: codec.visibility(stamp, name, fractions))
                if known is not None:
                    self._tell(TRUTH_EVIDENCE, stamp, lambda codec: codec.gathered(stamp, name, known))
                return
            shown = gold.shown(name, *look, moved)
        except VantageError as error:
            self._give_up(recording, error)
            return
        self._tell(TRUTH_VISIBILITY, stamp, lambda codec: shown.message(codec, stamp, name))

    def _give_up(self, recording: OpenRecording, error: VantageError) -> None:
        recording.judged = False
        self._warn(str(error))

    def _depth(self, look: dict[Topic, Any], camera: Intrinsics) -> Any:
        """(H, W), m, at the pixels of the picture, of which it may have fewer; one that cannot be read is dropped, so
        that another of its stamp can take its place."""
        data = look.pop(DEPTH)
        message = self._read(DEPTH, data)
        try:
            depth = read_image(message)
        except ValueError as error:
            raise UnreadableError(str(error)) from error
        (rows, columns), shape = depth.shape, (camera.height, camera.width)
        apart = abs(rows * camera.width - columns * camera.height)  # less than a pixel where both show the same view
        if not (0 < rows <= camera.height and 0 < columns <= camera.width and apart < max(rows, columns)):
            raise UnreadableError(f"a depth of {depth.shape} pixels is of no picture of {shape}")
        look[DEPTH] = data
        return camera.enlarged(depth)
