"""The type hashes (RIHS01) of every message, service and action: what decides whether two programs understand each
other over ROS, and whether a bag is read."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

from vantage.files import shared_folder
from vantage.recording.interfaces import typestore

PACKAGE = "vantage_eqa"


def texts() -> dict[str, str]:
    """What can be told without ROS: each message's hash, and of services and actions their definitions' hashes."""
    hashes = [
        f"{name} {typestore().hash_rihs01(name)}" for name in sorted(typestore().types) if name.startswith(PACKAGE)
    ]
    return {
        "messages.txt": "".join(f"{line}\n" for line in hashes),
        "definitions.txt": "".join(f"{line}\n" for kind in ("srv", "action") for line in _definitions(kind)),
    }


def generated(share: Path) -> str:
    """Every type hash in the descriptions that were generated from the interfaces, parts of services included."""
    found: dict[str, str] = {}
    for path in sorted(share.glob("*/*.json")):
        for item in json.loads(path.read_text(encoding="utf-8"))["type_hashes"]:
            if item["type_name"].startswith(f"{PACKAGE}/"):
                found[item["type_name"]] = item["hash_string"]
    return "".join(f"{name} {found[name]}\n" for name in sorted(found))


def built() -> Path:
    """Where the generated descriptions lie. Needs ROS."""
    from ament_index_python.packages import get_package_share_directory

    return Path(get_package_share_directory(PACKAGE))


def _definitions(kind: str) -> list[str]:
    """A hash of each definition without its comments and blanks."""
    lines = []
    for path in sorted(shared_folder(kind).glob(f"*.{kind}")):
        said = (line.split("#")[0].split() for line in path.read_text(encoding="utf-8").splitlines())
        bare = "\n".join(" ".join(words) for words in said if words)
        lines.append(f"{PACKAGE}/{kind}/{path.stem} {hashlib.sha256(bare.encode()).hexdigest()}")
    return lines
