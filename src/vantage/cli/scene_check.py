"""``vantage scene check``: whether a home could stand like this, with all its faults in words."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from vantage.cli.main import Result, common_options

SPEC_FILE = "spec.json"


def add_parser(actions: Any) -> None:
    check = actions.add_parser(
        "check",
        parents=[common_options()],
        help="whether nothing floats or collides in a home, doors can swing and one gets to every room",
    )
    check.add_argument("path", metavar="HOME", help=f"a scene folder with a {SPEC_FILE}, or such a file")
    check.set_defaults(run=run_check)


def run_check(arguments: argparse.Namespace) -> Result:
    from vantage.cli.plain import plain
    from vantage.errors import SceneError
    from vantage.scenes.checks.scene_checks import check_placement
    from vantage.scenes.spec.spec import SceneSpec
    from vantage.scenes.spec.spec_file import load_spec

    path = Path(arguments.path)
    if path.is_dir():
        if not (path / SPEC_FILE).is_file():
            raise SceneError(f"{path} holds no {SPEC_FILE}, so nothing is known of its things; give a generated home")
        path = path / SPEC_FILE
    spec: SceneSpec = load_spec(path)
    faults = check_placement(spec)
    things = [thing for thing in spec.objects if not thing.is_structure]
    classes = {thing.label for thing in things}
    data = {
        "name": spec.name,
        "rooms": len(spec.rooms),
        "things": len(things),
        "classes": len(classes),
        "faults": plain(list(faults)),
    }
    size = f"{_count(len(spec.rooms), 'room')}, {_count(len(things), 'thing')} of {_count(len(classes), 'class')}"
    if not faults:
        return Result(f"'{spec.name}' is sound: {size}", data)
    head = f"'{spec.name}' ({size}) could not stand like this, {_count(len(faults), 'fault')}:"
    return Result("\n".join([head, *(f"  {fault.message}" for fault in faults)]), data, done=False)


def _count(number: int, word: str) -> str:
    plural = f"{word}es" if word.endswith("s") else f"{word}s"
    return f"{number} {word if number == 1 else plural}"
