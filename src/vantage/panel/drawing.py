"""Poses by lot, so that what the view rule measures spreads over both sides of each threshold."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vantage.panel.asks import Ask, asks_of, printed_words
from vantage.panel.frames import Frame
from vantage.panel.kinds import KINDS, Kind
from vantage.panel.panel_scenes import PanelScene
from vantage.spatial import Viewpoint, wrap_angle

_NEAREST, _FARTHEST = 0.2, 6.0  # m: how far from the middle of its targets a camera may be
_LOWEST, _HIGHEST = -0.4, 1.3  # rad: elevation of the camera above its target
_ASIDE = 0.25  # rad: how far off the middle of the picture a target may be
_TRIES = 2000  # poses for one frame
_UNSEEN = 0.5  # pixels below which nothing of a thing is seen


@dataclass(frozen=True)
class PanelSize:
    """How many frames are drawn.

    Attributes:
        per_kind: for each kind, spread over both sides of its threshold.
        foils: besides, for each kind, whose target is absent or wholly hidden.
        kinds: those that are drawn, of ``KINDS``.
    """

    per_kind: int = 16
    foils: int = 3
    kinds: tuple[str, ...] = tuple(KINDS)


def draw_frames(
    scenes: Sequence[PanelScene], size: PanelSize, seed: int, progress: Callable[[str], None] = lambda _: None
) -> list[Frame]:
    """The frames of all kinds; of a kind that the scenes have no questions or views for there are fewer, or none."""
    words = printed_words(scene.spec for scene in scenes)
    asked: dict[str, list[tuple[PanelScene, Ask]]] = {kind: [] for kind in KINDS}
    for number, scene in enumerate(scenes):
        rng = np.random.default_rng([seed, number])
        for kind, asks in asks_of(scene.spec, words, rng).items():
            asked[kind] += [(scene, ask) for ask in asks]
    found: list[Frame] = []
    for number, (name, pairs) in enumerate(asked.items()):
        if name not in size.kinds:
            continue
        rng = np.random.default_rng([seed, len(scenes), number])
        mixed = [pairs[k] for k in rng.permutation(len(pairs))]
        frames = _around_threshold(KINDS[name], mixed, size.per_kind, rng)
        foils = _foils(mixed, size.foils, rng)
        progress(f"{name}: {len(frames)} frames, {len(foils)} foils, {len(pairs)} questions")
        found += [*frames, *foils]
    return found


def _around_threshold(
    kind: Kind, pairs: Sequence[tuple[PanelScene, Ask]], wanted: int, rng: np.random.Generator
) -> list[Frame]:
    """One frame for each of as many bins of the logarithm of the value, half of them below the threshold.

    No question is asked much more often than others: who has read a print from near knows it from far.
    """
    filled: dict[int, Frame] = {}
    asked: Counter[int] = Counter()
    most = -(-2 * wanted // max(len(pairs), 1))
    for k in range(_TRIES * wanted if pairs else 0):
        if len(filled) == wanted:
            break
        which = k % len(pairs)
        if asked[which] >= most:
            continue
        scene, ask = pairs[which]
        lens, rule = scene.world.intrinsics, scene.visibility
        viewpoint = _near(scene, ask, rng)
        frame = _frame(scene, ask, viewpoint, foil=False)
        if not scene.free(viewpoint) or not kind.others_pass(rule, frame.truth, viewpoint, lens):
            continue
        at, bounds = kind.threshold(rule.settings, lens), kind.bounds(rule.settings, lens)
        number = _bin(kind.measured(rule, frame.truth, viewpoint, lens), bounds, at, wanted)
        if number is not None and number not in filled:
            filled[number] = frame
            asked[which] += 1
    return [filled[number] for number in sorted(filled)]


def _bin(value: float, bounds: tuple[float, float], threshold: float, count: int) -> int | None:
    """In which bin a value is; the bins of each side are equally wide in the logarithm. None outside of all."""
    low, high = bounds
    if not low <= value <= high:
        return None
    below = count // 2
    start, end, first, bins = (
        (low, threshold, 0, below) if value < threshold else (threshold, high, below, count - below)
    )
    if not bins:
        return None
    share = math.log(value / start) / math.log(end / start) if end > start else 0.0
    return first + min(int(share * bins), bins - 1)


def _foils(pairs: Sequence[tuple[PanelScene, Ask]], wanted: int, rng: np.random.Generator) -> list[Frame]:
    """Views of which nothing like the targets is seen: by turns towards them, so that they are hidden, and away."""
    found: list[Frame] = []
    for k in range(_TRIES * wanted if pairs else 0):
        if len(found) == wanted:
            break
        scene, ask = pairs[k % len(pairs)]
        viewpoint = _anywhere(scene, ask, rng, away=len(found) % 2 == 1)
        views = (scene.visibility.view(key, viewpoint, scene.world.intrinsics) for key in ask.alike)
        if scene.free(viewpoint) and all(view.pixels < _UNSEEN for view in views):
            found.append(_frame(scene, ask, viewpoint, foil=True))
    return found


def _frame(scene: PanelScene, ask: Ask, viewpoint: Viewpoint, foil: bool) -> Frame:
    return Frame(
        ask.kind,
        scene.key,
        scene.spec.seed,
        viewpoint,
        scene.world.intrinsics,
        ask.question,
        ask.replies,
        ask.answer,
        foil,
        ask.targets,
        ask.truth_kind,
        ask.program,
    )


def _middle(scene: PanelScene, ask: Ask) -> NDArray[np.float64]:
    """Of the targets (3,), m, world frame."""
    return np.asarray(np.mean([scene.visibility.sphere(target)[0] for target in ask.targets], axis=0))


def _near(scene: PanelScene, ask: Ask, rng: np.random.Generator) -> Viewpoint:
    """At a distance whose logarithm is drawn evenly, the targets not far off the middle of the picture."""
    middle = _middle(scene, ask)
    away = math.exp(rng.uniform(math.log(_NEAREST), math.log(_FARTHEST)))
    azimuth, elevation = rng.uniform(-math.pi, math.pi), rng.uniform(_LOWEST, _HIGHEST)
    level = away * math.cos(elevation)
    offset = np.array([level * math.cos(azimuth), level * math.sin(azimuth), away * math.sin(elevation)])
    return _turned(Viewpoint.looking_at(middle + offset, middle), *rng.uniform(-_ASIDE, _ASIDE, 2))


def _anywhere(scene: PanelScene, ask: Ask, rng: np.random.Generator, away: bool) -> Viewpoint:
    middle = _middle(scene, ask)
    position = rng.uniform(scene.spec.bounds_min, scene.spec.bounds_max)
    towards = Viewpoint.looking_at(position, middle)
    aside = rng.uniform(-_ASIDE, _ASIDE, 2)
    return _turned(towards, math.pi + aside[0], -2.0 * towards.pitch) if away else _turned(towards, *aside)


def _turned(viewpoint: Viewpoint, yaw: float, pitch: float) -> Viewpoint:
    turned = wrap_angle(viewpoint.yaw + yaw)
    return Viewpoint(viewpoint.x, viewpoint.y, viewpoint.z, float(turned), float(viewpoint.pitch + pitch))
