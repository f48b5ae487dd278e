"""Which files a file may name: those beside it, in folders beneath it, and those where the user keeps data.

Scene files, rigs, robots and sets are passed from hand to hand. What they name is read by whoever opens them, so a name
leads nowhere else: not up, not to the root, not through a link, and not by an environment variable but the one by which
users say where their data are.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path

from vantage.errors import ConfigError
from vantage.files import shared_folder
from vantage.wording import shown

DATA = "VANTAGE_DATA"  # environment variable: the user's folder of data, which files may name
_VARIABLE = re.compile(r"\$(?:\{([^}]*)\}|(\w+))")
_LONGEST_PATH, _LONGEST_NAME = 4095, 255  # bytes, of a path and of each part of it, as file systems have it
_MEND = f"put it beside this file, or into the folder of ${DATA}"


def referenced(text: str, folder: Path) -> Path:
    """What a file in a folder means by a path, in which ``~`` and ``${VANTAGE_DATA}`` may stand.

    Raises:
        ValueError: it is no path, or leads out of the folder and of the user's data; says so as the end of a sentence.
    """
    for match in _VARIABLE.finditer(text):
        name = match[1] if match[1] is not None else match[2]
        if name != DATA:
            raise ValueError(
                f"{shown(text)} names the environment variable {shown(name)}, and files may name no other than "
                f"{DATA}; write the path without it, and {_MEND}"
            )
        if not os.environ.get(DATA):
            raise ValueError(f"{shown(text)} has an environment variable that is not set; set {DATA}")
    expanded = _VARIABLE.sub(lambda _: os.environ[DATA], text)
    if not expanded or "\0" in expanded or len(os.fsencode(expanded)) > _LONGEST_PATH:
        raise ValueError(f"expected the path of a file, got {shown(text)}")
    if any(len(os.fsencode(part)) > _LONGEST_NAME for part in Path(expanded).parts):
        raise ValueError(f"expected the path of a file, got {shown(text)}")
    try:
        path = folder / Path(expanded).expanduser()
    except RuntimeError as error:
        raise ValueError(f"nobody here is called as in {shown(text)}; write the path in full") from error
    if not is_within(path, folder):
        raise ValueError(f"{shown(text)} leads out of the folder of the file that names it; {_MEND}")
    return path


def is_within(path: Path, folder: Path) -> bool:
    """Whether what a path leads to, links followed, lies in a folder, in the user's data or comes with the program."""
    real = os.path.realpath(path)
    return any(_is_in(real, os.path.realpath(root)) for root in _roots(folder))


def link_out(folder: Path) -> Path | None:
    """A link in a folder, or beneath it, that leads out of it and of the user's data; None where there is none."""
    left = [folder]
    while left:
        try:
            with os.scandir(left.pop()) as entries:
                for entry in entries:
                    if entry.is_symlink():
                        if not is_within(Path(entry.path), folder):
                            return Path(entry.path)
                    elif entry.is_dir(follow_symlinks=False):
                        left.append(Path(entry.path))
        except (OSError, ValueError):  # whoever reads it says why it cannot be read
            continue
    return None


def why_link_out(folder: Path) -> str:
    """The sentence about ``link_out``; empty where there is none."""
    found = link_out(folder)
    if found is None:
        return ""
    return (
        f"{found} is a link that leads out of {folder}, where files from elsewhere may not lead; put what is meant in "
        f"its place, or into the folder of ${DATA}"
    )


def _roots(folder: Path) -> Iterator[Path]:
    yield folder
    if os.environ.get(DATA):
        yield Path(os.environ[DATA])
    try:
        yield shared_folder("config")
    except ConfigError:  # a program without its own files
        return


def _is_in(path: str, root: str) -> bool:
    return path == root or path.startswith(root.rstrip(os.sep) + os.sep)
