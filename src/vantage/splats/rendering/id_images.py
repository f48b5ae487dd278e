"""Pictures of any numbers that Gaussians carry, such as the parts of objects, by the vote that decides instances."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from vantage.errors import FormatError
from vantage.spatial import Intrinsics, Matrix
from vantage.splats.cloud import GaussianCloud
from vantage.splats.rendering.renderer import Renderer

Ids = NDArray[np.int32]


def named_by(cloud: GaussianCloud, numbers: Any) -> GaussianCloud:
    """The same Gaussians with other numbers (N,), 0 for none, in place of their instance ids.

    What a renderer gives as ``instances`` of it are these numbers, voted on. Keep it for many pictures: a renderer
    prepares every cloud anew.

    Raises:
        FormatError: there is not one whole number for each Gaussian, or one does not fit into 32 bits or is negative.
    """
    values = np.asarray(numbers)
    if values.shape != (len(cloud),) or not np.issubdtype(values.dtype, np.integer):
        raise FormatError(
            f"{len(cloud)} Gaussians cannot be named by numbers of shape {values.shape} and type {values.dtype}; give "
            "one whole number for each"
        )
    if len(values) and not 0 <= values.min() <= values.max() <= np.iinfo(np.int32).max:
        raise FormatError(f"the numbers {values.min()} to {values.max()} are no ids; give 0 to 2147483647")
    return dataclasses.replace(cloud, instances=values.astype(np.int32))


@dataclass(frozen=True, eq=False)
class PartNames:
    """A cloud whose Gaussians are named by the pairs of object and part that they belong to.

    Attributes:
        cloud: whose instances count the pairs from 1; give it to a renderer.
        instances, parts: (P + 1,) of the pairs, after a leading 0 for none.
    """

    cloud: GaussianCloud
    instances: Ids
    parts: Ids

    @staticmethod
    def of(cloud: GaussianCloud) -> PartNames:
        """Name the Gaussians of a cloud; those without an instance have no part either."""
        pairs = np.stack([cloud.instances, np.where(cloud.instances > 0, cloud.parts, 0)], axis=1)
        found, number = np.unique(np.concatenate([[(0, 0)], pairs]), axis=0, return_inverse=True)
        named = named_by(cloud, number.reshape(-1)[1:])  # ids are not negative, so that the pair of nothing comes first
        return PartNames(named, found[:, 0].astype(np.int32), found[:, 1].astype(np.int32))


@dataclass(frozen=True, eq=False)
class PartView:
    """Which object and which part of it a camera sees, images (H, W) int32 with 0 where nothing (named) is seen.

    Attributes:
        pairs: the number of the pair in ``PartNames``.
    """

    pairs: Ids
    names: PartNames

    @cached_property
    def instances(self) -> Ids:
        """The object whose part has the most votes."""
        return np.asarray(self.names.instances[self.pairs])

    @cached_property
    def parts(self) -> Ids:
        """That part of it."""
        return np.asarray(self.names.parts[self.pairs])


def render_parts(
    renderer: Renderer, names: PartNames, poses: Sequence[Matrix], intrinsics: Intrinsics
) -> list[PartView]:
    """What pinhole cameras at poses (4, 4) see of objects and parts."""
    views = renderer.render_batch(names.cloud, poses, intrinsics)
    return [PartView(view.instances, names) for view in views]
