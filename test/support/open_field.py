"""A real but featureless World: an empty box, images that encode the pose, and one wall to bump into."""

import numpy as np

from vantage.errors import EpisodeError
from vantage.spatial import Intrinsics, Viewpoint
from vantage.types import Episode, InstanceLabel, Observation, Question, Status, StepResult
from vantage.worlds.limits import MotionLimits, SafetyGate
from vantage.worlds.protocol import WorldInfo

START = Viewpoint(1.0, 1.0, 1.0, 0.0, 0.0)


def make_episode(episode_id="episode-1", questions=1, max_steps=20, start=START, scene="field"):
    asked = tuple(Question(f"q{k + 1}", f"What color is ball {k + 1}?") for k in range(questions))
    return Episode(episode_id, "search", scene, start, asked, max_steps)


class OpenFieldWorld:
    """4 x 4 x 2 m; whoever would pass x = 3 m collides."""

    def __init__(self, width=32, height=24):
        self._intrinsics = Intrinsics.from_fov(width, height, 1.2)
        limits = MotionLimits((0, 0, 0), (4, 4, 2), -1.0, 1.0, max_translation=0.5, max_rotation=1.0)
        self.info = WorldInfo("field", frozenset({"rgb", "depth", "instances"}), frozenset({"viewpoint"}), 0.1, limits)
        self._gate = SafetyGate(limits, now=lambda: self._stamp)
        self._viewpoint = START
        self._stamp = 10**9
        self.closed = False

    def reset(self, episode, seed):
        reason = self.info.limits.pose_violation(episode.start)
        if reason:
            raise EpisodeError(f"episode {episode.episode_id} cannot start: {reason}")
        self._gate.begin(episode.episode_id, episode.restored)
        self._viewpoint = episode.start
        return self.observe()

    def grant(self, warrant):
        self._gate.grant(warrant)

    def step(self, command):
        refusal = self._gate.admit(command, self._viewpoint)
        if refusal is not None:
            return StepResult(refusal.status, refusal.reason, command, self.observe(), refusal.cause)
        if command.target.x > 3:
            return StepResult(Status.COLLIDED, "collided with the wall", command, self.observe())
        self._viewpoint = command.target
        return StepResult(Status.DONE, "", command, self.observe())

    def observe(self):
        self._stamp += 10**8
        size = (self._intrinsics.height, self._intrinsics.width)
        rgb = np.full((*size, 3), int(self._viewpoint.x * 40), np.uint8)
        legend = {1: InstanceLabel(1, "ball", "red", "plastic")}
        depth = np.full(size, 1.5, np.float32)
        return Observation(self._stamp, self._viewpoint, self._intrinsics, rgb, depth, np.ones(size, np.int32), legend)

    def stop(self, reason):
        self._gate.stop(reason)

    def clear_stop(self):
        self._gate.clear_stop()

    def close(self):
        self.closed = True
