"""What all readers of cloud files share: which files are opened, how big a cloud may be, how raw values become one."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO, Literal

import numpy as np
from numpy.typing import NDArray

from vantage.errors import FormatError
from vantage.files import opened as opened
from vantage.splats.cloud import Floats, GaussianCloud

Broken = Literal["error", "drop"]

MOST_GAUSSIANS = 50_000_000
# A file may ask for at most this much memory for its cloud, whatever it announces. Real captures grow 4- to 20-fold.
FREE_BYTES = 256 << 20
MOST_GROWTH = 256

AGAIN = "it is truncated or damaged, copy or export it again"


def size_of(file: BinaryIO) -> int:
    """Bytes of an open file."""
    return os.fstat(file.fileno()).st_size


def check_count(count: int, coefficients: int, stored: int, path: Path) -> None:
    """Refuse a number of Gaussians, each with so many SH coefficients per colour, before memory is taken for them.

    ``stored`` is the size of the file in bytes.

    Raises:
        FormatError: none, more than ``MOST_GAUSSIANS``, or far more than so small a file can hold.
    """
    if count < 1:
        raise FormatError(f"{path} holds no Gaussians; export the trained Gaussians again")
    if count > MOST_GAUSSIANS:
        raise FormatError(
            f"{path} announces {count} Gaussians, but at most {MOST_GAUSSIANS} are read; split the capture"
        )
    if count * 4 * (12 + 3 * coefficients) > FREE_BYTES + MOST_GROWTH * stored:
        raise FormatError(f"{path} announces {count} Gaussians in only {stored} bytes; {AGAIN}")


def instance_ids(values: NDArray[Any], path: Path) -> NDArray[np.int32]:
    """Ids (N,) as a cloud holds them: what is negative or not finite, which tools write for "none", becomes 0.

    Raises:
        FormatError: an id does not fit into 32 bits.
    """
    named = np.where(np.isfinite(values) & (values > 0), values, 0)
    if len(named) and named.max() > np.iinfo(np.int32).max:
        raise FormatError(
            f"{path} has the instance id {named.max()}, which does not fit into 32 bits; number them anew"
        )
    return named.astype(np.int32)


@dataclass
class RawGaussians:
    """What a file says, before anything is checked.

    Attributes:
        means: (N, 3), in the frame and units of the file.
        scales: (N, 3), standard deviations.
        quaternions: (N, 4), w x y z, of any length.
        opacities: (N,), 0..1.
        sh: (N, K, 3).
        instances, parts: (N,), or None where the file names none.
    """

    means: Floats
    scales: Floats
    quaternions: Floats
    opacities: Floats
    sh: Floats
    instances: NDArray[Any] | None = None
    parts: NDArray[Any] | None = None

    def __len__(self) -> int:
        return len(self.means)

    def select(self, which: NDArray[np.bool_]) -> RawGaussians:
        """Those of a mask (N,)."""
        return RawGaussians(
            self.means[which],
            self.scales[which],
            self.quaternions[which],
            self.opacities[which],
            self.sh[which],
            None if self.instances is None else self.instances[which],
            None if self.parts is None else self.parts[which],
        )


def complete(raw: RawGaussians, broken: Broken = "error") -> tuple[GaussianCloud, int]:
    """The cloud, and how many Gaussians were dropped because a number of theirs is impossible.

    Impossible are values that are not finite, quaternions of length zero, negative scales and opacities outside 0..1.

    Raises:
        FormatError: there are such Gaussians and ``broken`` is "error", or all of them are.
    """
    lengths = np.linalg.norm(raw.quaternions.astype(np.float64), axis=1)
    if lengths.all():
        try:
            return _cloud(raw, lengths), 0  # checks itself; what exactly is wrong is counted only where something is
        except FormatError:
            pass
    problems = _problems(raw, lengths)
    bad = np.any(list(problems.values()), axis=0)
    if broken == "error" or bad.all():
        found = ", ".join(f"{which.sum()} of {len(raw)} Gaussians have {what}" for what, which in problems.items())
        remedy = "export it again" if bad.all() else "'vantage scene convert --drop-broken' saves the others"
        raise FormatError(f"{found}; {remedy}")
    return _cloud(raw.select(~bad), lengths[~bad]), int(bad.sum())


def _cloud(raw: RawGaussians, lengths: NDArray[np.float64]) -> GaussianCloud:
    none = np.zeros(len(raw), np.int32)
    instances, parts = (none if ids is None else ids for ids in (raw.instances, raw.parts))
    quaternions = np.asarray(raw.quaternions / lengths[:, None], np.float32)
    return GaussianCloud(raw.means, raw.scales, quaternions, raw.opacities, raw.sh, instances, parts)


def _problems(raw: RawGaussians, lengths: NDArray[np.float64]) -> dict[str, NDArray[np.bool_]]:
    """Which Gaussians (N,) have each of the problems that occur."""
    found = {}
    for name in ("means", "scales", "quaternions", "opacities", "sh"):
        values = getattr(raw, name)
        finite = np.isfinite(values)
        if not finite.all():
            found[f"{name} that are not finite"] = ~finite.reshape(len(raw), -1).all(axis=1)
    found["quaternions of length zero"] = lengths == 0
    found["negative scales"] = (raw.scales < 0).any(axis=1)
    found["opacities outside 0..1"] = (raw.opacities < 0) | (raw.opacities > 1)
    return {what: which for what, which in found.items() if which.any()}
