"""Small episode sets as ``vantage episodes make`` writes them: a hash of each file, and what it says to six digits."""

from __future__ import annotations

import contextlib
import hashlib
import io
import json
import re
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from golden_texts.arithmetic import fingerprint
from golden_texts.holding import held
from vantage.cli.main import main

TOLERANCE = 2e-3  # of means of clouds and pictures, which are brightnesses of 0 to 1: half a grey level
SMALL = ("--set", "camera.width=64", "--set", "camera.height=48")
_WORKERS = "--workers"
SETS: dict[str, tuple[str, ...]] = {
    "search": ("--scenes", "1", "--episodes", "3", "--noisy", "1", "--rooms", "1-1", "--seed", "3"),
    "noisyeqa": ("--scenes", "2", "--pairs", "2", "--rooms", "1-1", "--seed", "7", "--shares", "color=1,position=1"),
}
WHOLE: dict[str, tuple[str, ...]] = {"search": ("--miniature",), "noisyeqa": ("--miniature",)}
_HASH = re.compile(r"set:[0-9a-f]{64}")
_REAL = re.compile(r"-?\d+\.\d+(?:e[-+]?\d+)?|-?\d+e[-+]?\d+")
_BLOCKS = (4, 3)  # of a picture, across and down


def texts(benchmark: str, words: tuple[str, ...], scratch: Path, workers: int | None = None) -> dict[str, str]:
    """What is told of a set that is made anew."""
    folder = scratch / f"{benchmark}-{workers}"
    make(benchmark, words, folder, workers)
    return texts_of(folder)


def make(benchmark: str, words: tuple[str, ...], folder: Path, workers: int | None = None) -> None:
    """Have the command line make a set.

    Raises:
        RuntimeError: it failed.
    """
    more = (_WORKERS, str(workers)) if workers is not None else ()
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
        status = main(["episodes", "make", benchmark, *words, *SMALL, *more, "--out", str(folder)])
    if status != 0:
        raise RuntimeError(f"the set of {benchmark} could not be made; run vantage episodes make {' '.join(words)}")


def texts_of(folder: Path) -> dict[str, str]:
    """A set as JSON: what each file says and, where this machine calculates as the one that made the nets, its
    SHA-256."""
    files = sorted(path for path in folder.rglob("*") if path.is_file() and not _hidden(path, folder))
    found = {path.relative_to(folder).as_posix(): said(path) for path in files}
    hashes = {path.relative_to(folder).as_posix(): _sha(path.read_bytes()) for path in files}
    return {"files.json": _json(found), "sha256.json": _json({"arithmetic": fingerprint(), **hashes})}


def comparable(net: str, made: dict[str, str]) -> dict[str, str]:
    """The texts, with the held hashes in place of those that were made on a machine that calculates differently."""
    before = held(net).get("sha256.json", "")
    if not before or json.loads(before)["arithmetic"] == fingerprint():
        return made
    return {**made, "sha256.json": before}


def said(path: Path) -> Any:
    """What a file says, to six digits: a hash of its text, means of a cloud's columns, or of a picture's parts."""
    if path.suffix == ".png":
        picture = cv2.imread(str(path)).astype(np.float32) / 255.0
        return {
            "shape": list(picture.shape),
            "parts": _rounded(cv2.resize(picture, _BLOCKS, interpolation=cv2.INTER_AREA)),
        }
    if path.suffix == ".ply":
        return {name: _rounded([values.mean(), values.std()]) for name, values in _columns(path.read_bytes()).items()}
    text = _HASH.sub("set:", path.read_text(encoding="utf-8"))
    return _sha(_REAL.sub(lambda match: f"{round(float(match[0]), 6) + 0.0:.6f}", text).encode())


def _columns(data: bytes) -> dict[str, NDArray[np.float64]]:
    """The columns of a binary PLY file of one element."""
    head, _, body = data.partition(b"end_header\n")
    kinds = {"float": "<f4", "int": "<i4"}
    properties = [line.split() for line in head.decode().splitlines() if line.startswith("property ")]
    table = np.frombuffer(body, [(name, kinds[kind]) for _, kind, name in properties])
    return {"count": np.array([float(len(table))]), **{name: table[name].astype(float) for name in table.dtype.names}}


def _rounded(values: Any) -> list[float]:
    return [round(float(value), 5) for value in np.ravel(values)]


def _hidden(path: Path, root: Path) -> bool:
    return any(part.startswith(".") for part in path.relative_to(root).parts)


def _sha(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def _json(values: dict[str, Any]) -> str:
    """One line for each entry."""
    return "{\n" + ",\n".join(f"{json.dumps(key)}: {json.dumps(value)}" for key, value in values.items()) + "\n}\n"
