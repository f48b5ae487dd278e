"""Every net by its name, as the tool makes it anew and the tests compare it."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Mapping
from pathlib import Path

from golden_texts import bag_scores, command_line, frames, interfaces, programs, sets, traces
from golden_texts.holding import keep
from golden_texts.plain_messages import in_full

Texts = Mapping[str, str]


def _each_group(scratch: Path) -> dict[str, Texts]:
    return {f"scores/{group}": bag_scores.texts(group, scratch) for group in bag_scores.groups()}


def _sets(scratch: Path) -> dict[str, Texts]:
    small = {f"sets/{name}": sets.texts(name, words, scratch / "small") for name, words in sets.SETS.items()}
    return small | {f"sets/{name}-whole": sets.texts(name, words, scratch) for name, words in sets.WHOLE.items()}


def _traces(scratch: Path) -> dict[str, Texts]:
    found: dict[str, Texts] = {}
    for place, episodes in traces.make_sets(scratch / "sets").items():
        for agent in traces.AGENTS:
            made = traces.texts(agent, place, episodes, scratch / place / agent)
            found[f"traces/{agent}-{place}"] = made if place == traces.BOXES else traces.with_kind(made)
    bags = {f"{agent}-{name}": scratch / traces.BOXES / agent / name for agent, name in traces.TOLD}
    return found | {"messages": {f"{name}.txt.xz": in_full(bag) for name, bag in bags.items()}}


def _interfaces(scratch: Path) -> dict[str, Texts]:
    return {"interfaces": {**interfaces.texts(), "generated.txt": interfaces.generated(interfaces.built())}}


# What is made, by the name that the tool takes: a function of a scratch folder that gives texts by their folder below
# test/nets/golden.
NETS: dict[str, Callable[[Path], Mapping[str, Texts]]] = {
    "scores": _each_group,
    "sets": _sets,
    "traces": _traces,
    "command_line": lambda scratch: {"command_line": command_line.texts(scratch)},
    "interfaces": _interfaces,
    "programs": lambda scratch: {"programs": programs.texts()},
}


# Nets that are no texts: a function of a scratch folder that writes them and says how many files they have.
PICTURES: dict[str, Callable[[Path], int]] = {"frames": frames.keep}
NAMES = (*NETS, *PICTURES)


def make(names: list[str]) -> None:
    """Make nets anew and write them."""
    for name in names:
        with tempfile.TemporaryDirectory(prefix="vantage-nets-") as scratch:
            if name in PICTURES:
                print(f"{name}: {PICTURES[name](Path(scratch))} pictures")
                continue
            for folder, texts in NETS[name](Path(scratch)).items():
                keep(folder, texts)
                print(f"{folder}: {sum(map(len, texts.values()))} characters in {len(texts)} files")


def record() -> None:
    """Record the golden bags anew."""
    from golden_texts.recorded_runs import record_bags

    with tempfile.TemporaryDirectory(prefix="vantage-nets-") as scratch:
        record_bags(Path(scratch), bag_scores.ARCHIVES)
