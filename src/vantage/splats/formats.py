"""Gaussian clouds from and to files."""

from __future__ import annotations

from pathlib import Path

from vantage.errors import FormatError
from vantage.splats.cloud import GaussianCloud
from vantage.splats.ply import read_ply, write_ply
from vantage.splats.splat_file import read_splat, write_splat

SUFFIXES = (".ply", ".splat")


def load_cloud(path: str | Path) -> GaussianCloud:
    """Read a trained ``.ply`` or a ``.splat`` file, in the frame and units of the file.

    Raises:
        FormatError: missing, truncated, empty, not a cloud of Gaussians, or with impossible values.
    """
    file = Path(path)
    if file.suffix.lower() not in SUFFIXES:
        raise FormatError(f"{file} is neither a .ply nor a .splat file; convert the capture to one of these")
    try:
        cloud = read_ply(file) if file.suffix.lower() == ".ply" else read_splat(file)
    except OSError as error:
        raise FormatError(
            f"cannot read {file}: {error.strerror or error}; check the path and its permissions"
        ) from error
    except FormatError as error:
        text = str(error)
        raise FormatError(text if text.startswith(str(file)) else f"{file}: {text}") from error
    return cloud


def save_cloud(cloud: GaussianCloud, path: str | Path) -> None:
    """Write a ``.ply`` (everything) or a ``.splat`` (base colours only), whole or not at all.

    Raises:
        FormatError: the name ends otherwise.
    """
    file = Path(path)
    if file.suffix.lower() == ".ply":
        write_ply(cloud, file)
    elif file.suffix.lower() == ".splat":
        write_splat(cloud, file)
    else:
        raise FormatError(f"cannot write {file}: clouds are written as .ply or .splat")


def save_ply(cloud: GaussianCloud, path: str | Path) -> None:
    """Write a ``.ply`` file, whole or not at all."""
    write_ply(cloud, Path(path))
