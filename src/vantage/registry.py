"""Names for worlds, agents, perceivers, models, judges and benchmarks.

Built-in entries are import paths, resolved on first use, so that naming a world never imports its renderer.
"""

from __future__ import annotations

import difflib
import importlib
from collections.abc import Callable
from typing import Any

from vantage.errors import UnknownNameError, UsageError

Factory = Callable[..., Any]


_MOST_LISTED = 20  # names that are listed all


def did_you_mean(name: str, known: list[str]) -> str:
    """A hint such as ``; did you mean 'splat'?``, followed by the known names, or of very many by the closest ones."""
    if len(known) > _MOST_LISTED:
        near = difflib.get_close_matches(name, known, n=3, cutoff=0.5)
        quoted = " or ".join(f"'{each}'" for each in near)
        return f"; did you mean {quoted}?" if near else f" ({len(known)} are known, and none is like it)"
    close = difflib.get_close_matches(name, known, n=1)
    hint = f"; did you mean '{close[0]}'?" if close else ""
    return f"{hint} (known: {', '.join(known) or 'none'})"


class Registry:
    """Maps a name to a factory of one kind of thing."""

    def __init__(self, kind: str, entries: dict[str, str | Factory] | None = None) -> None:
        self.kind = kind
        self._entries: dict[str, str | Factory] = dict(entries or {})

    def names(self) -> list[str]:
        """All registered names, sorted."""
        return sorted(self._entries)

    def register(self, name: str, factory: str | Factory) -> None:
        """Add an entry: a callable or ``"package.module:attribute"``.

        Raises:
            UsageError: the name is taken.
        """
        if name in self._entries:
            raise UsageError(f"{self.kind} '{name}' is registered already; choose another name")
        self._entries[name] = factory

    def get(self, name: str) -> Factory:
        """The factory behind a name.

        Raises:
            UnknownNameError: no such name; the message proposes the closest one.
        """
        entry = self._entries.get(name)
        if entry is None:
            raise UnknownNameError(f"unknown {self.kind} '{name}'{did_you_mean(name, self.names())}")
        if isinstance(entry, str):
            module, _, attribute = entry.partition(":")
            entry = getattr(importlib.import_module(module), attribute)
            self._entries[name] = entry
        return entry

    def create(self, name: str, *args: Any, **kwargs: Any) -> Any:
        """Call the factory behind a name."""
        return self.get(name)(*args, **kwargs)


WORLDS = Registry(
    "world",
    {
        "none": "vantage.worlds.nowhere:NowhereWorld",
        "rig": "vantage.worlds.rig.assembly:make_rig_world",
        "splat": "vantage.worlds.splat:make_splat_world",
    },
)
DRIVERS = Registry(
    "driver",
    {
        "grbl": "vantage.worlds.rig.drivers.grbl:make_grbl",
        "mock": "vantage.worlds.rig.drivers.mock:make_mock",
        "ros2_control": "vantage.nodes.ros2_control:make_ros2_control",
        "simulated": "vantage.worlds.rig.drivers.simulated:make_simulated",
    },
)
EMULATORS = Registry(
    "emulator of a driver",
    {
        "grbl": "vantage.worlds.rig.emulators.grbl:make_grbl_emulator",
        "ros2_control": "vantage.nodes.trajectory_controller:make_trajectory_controller",
    },
)
CAMERAS = Registry(
    "camera",
    {
        "mock": "vantage.worlds.rig.cameras.mock:make_mock",
        "opencv": "vantage.worlds.rig.cameras.opencv:make_opencv",
        "ros": "vantage.nodes.ros_camera:make_ros_camera",
        "splat": "vantage.worlds.rig.cameras.splat:make_splat",
    },
)
AGENTS = Registry(
    "agent",
    {
        "blind": "vantage.planning.blind_agent:BlindAgent",
        "coverage": "vantage.planning.coverage_agent:CoverageAgent",
        "random": "vantage.planning.random_agent:RandomAgent",
        "search": "vantage.planning.search_agent:SearchAgent",
        "static": "vantage.planning.static_agent:StaticAgent",
        "oracle": "vantage.planning.oracle_agent:OracleAgent",
        "vlm": "vantage.planning.vlm_agent:VlmAgent",
    },
)
PERCEIVERS = Registry(
    "perceiver",
    {
        "none": "vantage.perception.blind:BlindPerceiver",
        "privileged": "vantage.perception.privileged:PrivilegedPerceiver",
        "degraded": "vantage.perception.degraded:DegradedPerceiver",
        "detector": "vantage.perception.detector:make_detector",
        "ocr": "vantage.perception.print_finder:PrintFinder",
        "vlm": "vantage.perception.vlm:make_vlm",
    },
)
MODELS = Registry(
    "model",
    {
        "openai": "vantage.models.openai_model:make_openai",
        "transformers": "vantage.models.transformers_model:make_transformers",
    },
)
JUDGES = Registry(
    "judge",
    {
        "model": "vantage.benchmarks.judging.model_judge:make_model_judge",
        "rules": "vantage.benchmarks.judging.rule_judge:RuleJudge",
    },
)
BENCHMARKS = Registry(
    "benchmark",
    {
        "hm-eqa": "vantage.benchmarks.imported.hm_eqa:HmEqaBenchmark",
        "noisyeqa": "vantage.benchmarks.noisyeqa.benchmark:NoisyEqaBenchmark",
        "open-eqa": "vantage.benchmarks.imported.open_eqa:OpenEqaBenchmark",
        "search": "vantage.benchmarks.search.benchmark:SearchBenchmark",
    },
)
SECTIONS = Registry(  # of scores: a function of the complete episodes, which gives a Section or None
    "section of scores", {"noisyeqa": "vantage.benchmarks.noisyeqa.noisyeqa_tables:section"}
)
CATEGORIES = Registry(  # figures by category of question: a function of a group's episodes
    "figures by category",
    {
        "hm-eqa": "vantage.benchmarks.imported.llm_match:llm_match",
        "open-eqa": "vantage.benchmarks.imported.llm_match:llm_match",
    },
)
