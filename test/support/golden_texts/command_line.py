"""The command line as people and scripts know it: every option, what commands print, and the form of their JSON."""

from __future__ import annotations

import argparse
import contextlib
import io
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from golden_texts.bag_scores import unpacked
from golden_texts.sets import SMALL
from vantage.cli.main import build_parser, main
from vantage.files import shared_folder


def texts(scratch: Path) -> dict[str, str]:
    """Options and outputs, told by a process of its own: in this one, tests may have registered further names.

    Raises:
        RuntimeError: the process failed.
    """
    paths = (str(Path(__file__).parents[1]), *filter(None, sys.path))
    done = subprocess.run(
        [sys.executable, "-m", "golden_texts.command_line", str(scratch)],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(dict.fromkeys(paths))},
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode != 0:
        raise RuntimeError(f"the commands could not be run: {done.stderr[-2000:]}")
    found: dict[str, str] = json.loads(done.stdout)
    return found


def options() -> str:
    """What each command takes, told by argparse's own data: the rendered help differs between versions of Python."""
    return "".join(f"{line}\n" for line in _described(build_parser(complete=True)))


@dataclass(frozen=True)
class _Case:
    """A command to run.

    Attributes:
        text: what it prints is the same on every machine, and held.
        data: it is run once more for the form of its JSON.
        ends: it ends alike on every machine, whatever is installed there.
    """

    words: str
    more: tuple[object, ...] = ()
    text: bool = True
    data: bool = True
    ends: bool = True


def outputs(scratch: Path) -> dict[str, str]:
    """What commands print, the form of their JSON, and how they fail."""
    search, pairs, bags, wrong = (scratch / name for name in ("search", "noisyeqa", "bags", "nothing"))
    scene, scored = search / "scenes" / "home_3000", unpacked("pairs", scratch) / "search-nacot"
    two = ("--scenes", "1", "--episodes", "2", "--noisy", "1", "--rooms", "1-1", "--seed", "3")
    one = ("--scenes", "1", "--pairs", "1", "--rooms", "1-1", "--seed", "4", "--shares", "color=1", "--workers", "1")
    cases = (
        _Case("doctor", text=False, ends=False),
        _Case("doctor --settings"),
        _Case("episodes make search", (*two, *SMALL, "--out", search), data=False),
        _Case("episodes make noisyeqa", (*one, *SMALL, "--out", pairs), data=False),
        _Case("episodes validate search", (search,)),
        _Case("episodes show search", (search,)),
        _Case("episodes show noisyeqa", (pairs,)),
        _Case("scene info", (scene,), text=False),
        _Case("scene check", (scene,), text=False),
        _Case("run search --agent static", ("--episodes", search, "--out", bags, *SMALL, "--json"), text=False),
        _Case("score", (bags,), text=False),
        _Case("report", (bags, "--out", scratch / "report.html")),
        _Case("calibrate", (scored, "--out", scratch / "calibration.json"), text=False),
        _Case("run nowhere", ("--episodes", search, "--out", bags)),
        _Case("run noisyeqa", ("--episodes", search, "--out", bags)),
        _Case("run open-eqa", ("--episodes", wrong, "--out", bags)),
        _Case("score --judge wrong", (bags,)),
        _Case("score --set nothing=1", (bags,)),
        _Case("report --judge rules", (wrong,)),
        _Case("episodes make hm-eqa", ("--pairs", "3", "--out", wrong)),
        _Case("rig check --rig nowhere"),
    )
    found = {}
    for case in cases:
        words = [*case.words.split(), *map(str, case.more)]
        status, text, told = _said(words)
        lines = [f"status {status}"] if case.ends else []
        if case.text:
            lines += text.splitlines() + ([] if status == 0 else told.splitlines())
        if "--json" in words or case.data:
            out = text if "--json" in words else _said([*words, "--json"])[1]
            lines += ["as JSON:", *shape(json.loads(out))]
        name = case.words.replace(" --", "--").replace(" ", "_").replace("=", "-")
        said = "".join(f"{line}\n" for line in lines if case.ends or not line.startswith("ok: "))
        for folder, known_as in ((scratch, "FOLDER"), (shared_folder("config"), "CONFIG")):
            said = said.replace(str(folder), known_as)
        found[f"{name}.txt"] = said
    return found


def shape(value: Any, at: str = "") -> list[str]:
    """A line for each key of a JSON value: what kinds of values it has; items of lists together. What says of which
    command and version it is stands there itself."""
    kinds: dict[str, set[str]] = {}
    _collect(value, at, kinds)
    return [f"{key or '.'}: {' or '.join(sorted(found))}" for key, found in kinds.items()]


def _collect(value: Any, at: str, kinds: dict[str, set[str]]) -> None:
    if isinstance(value, dict):
        kinds.setdefault(at, set()).add("object")
        for key, item in value.items():
            _collect(item, f"{at}.{key}" if at else key, kinds)
    elif isinstance(value, list):
        kinds.setdefault(at, set()).add("list")
        for item in value:
            _collect(item, f"{at}[]", kinds)
    elif at in ("schema", "version", "ok", "error"):
        kinds.setdefault(at, set()).add(json.dumps(value))
    else:
        names = {type(None): "null", bool: "boolean", int: "number", float: "number", str: "text"}
        kinds.setdefault(at, set()).add(names[type(value)])


def _described(parser: argparse.ArgumentParser) -> Iterator[str]:
    yield f"== {parser.prog}"
    yield from (f"   {said}" for said in (parser.description, parser.epilog) if said)
    below: list[argparse.ArgumentParser] = []
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            helps = {choice.dest: choice.help for choice in action._choices_actions}
            yield f"   {action.metavar}: one of"
            yield from (f"      {name}: {helps.get(name, '')}" for name in action.choices)
            below += action.choices.values()
        elif isinstance(action, argparse._VersionAction):
            yield f"   {_option(action)}"
        elif not isinstance(action, argparse._HelpAction):
            yield f"   {_option(action)}"
            if action.help:
                yield f"      {' '.join((action.help % {**vars(action), 'prog': parser.prog}).split())}"
    for group in parser._mutually_exclusive_groups:
        yield f"   only one of {', '.join('/'.join(each.option_strings) or each.dest for each in group._group_actions)}"
    for each in below:
        yield from _described(each)


def _option(action: argparse.Action) -> str:
    """Names, how many values, which, and what holds without it."""
    parts = ["/".join(action.option_strings) or action.dest]
    if action.nargs != 0:
        shown = action.metavar or (action.dest.upper() if action.option_strings else action.dest)
        parts.append(f"takes {action.nargs or 'one'} {shown}")
    if action.choices is not None:
        parts.append(f"of {', '.join(map(str, action.choices))}")
    if action.required:
        parts.append("needed")
    if action.default not in (None, argparse.SUPPRESS):
        parts.append(f"default {action.default!r}")
    return "; ".join(parts)


def _said(words: list[str]) -> tuple[int, str, str]:
    """Exit status, stdout and stderr of a command."""
    out, told = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(told):
        status = main(words)
    return status, out.getvalue(), told.getvalue()


if __name__ == "__main__":
    print(json.dumps({"options.txt": options(), **outputs(Path(sys.argv[1]))}))
