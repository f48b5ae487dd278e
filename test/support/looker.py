"""Memory and coverage of somebody who only looks: no questions, no answers."""

from __future__ import annotations

from box_world import BoxWorld, look_around
from drawn_room import HIGH, LOW, POSITIONS

from vantage.perception.map.coverage import CoverageMap
from vantage.perception.map.observed_scene import ObservedScene
from vantage.perception.perceivers.privileged import PrivilegedPerceiver


class Looker:
    """Takes in one view after the other."""

    def __init__(self, low=LOW, high=HIGH, min_pixels=12, perceiver=None):
        self.perceiver = perceiver or PrivilegedPerceiver(min_pixels)
        self.memory = ObservedScene(min_pixels=min_pixels)
        self.coverage = CoverageMap(low, high)

    def observe(self, observation):
        self.coverage.add(observation)
        return self.memory.add(observation, self.perceiver.perceive(observation))


def looked_from(world: BoxWorld, positions=POSITIONS, pitches=(-0.9, -0.35), turns=6, perceiver=None) -> Looker:
    """Somebody who has looked around in the drawn room from several positions."""
    looker = Looker(perceiver=perceiver)
    for observation in look_around(world, positions, pitches, turns):
        looker.observe(observation)
    return looker
