"""Names for worlds, agents, perceivers, models, judges and benchmarks.

Entries are import paths, resolved on first use, so that naming a world never imports its renderer. Other packages add
theirs by entry points, in the group that a registry names: ``vantage.worlds`` and so on.
"""

from __future__ import annotations

import difflib
import importlib
from collections.abc import Callable
from contextlib import suppress
from functools import lru_cache
from typing import Any

from vantage.errors import UnknownNameError, UsageError, VantageError

Factory = Callable[..., Any]


_MOST_LISTED = 30  # names that are listed all
_GROUPS = "vantage."  # begins the groups of entry points


def did_you_mean(name: str, known: list[str]) -> str:
    """A hint such as ``; did you mean 'splat'?``, followed by the known names, or of very many by the closest ones."""
    if len(known) > _MOST_LISTED:
        near = difflib.get_close_matches(name, known, n=3, cutoff=0.5)
        quoted = " or ".join(f"'{each}'" for each in near)
        return f"; did you mean {quoted}?" if near else f" ({len(known)} are known, and none is like it)"
    close = difflib.get_close_matches(name, known, n=1)
    hint = f"; did you mean '{close[0]}'?" if close else ""
    return f"{hint} (known: {', '.join(known) or 'none'})"


@lru_cache(maxsize=1)
def _entry_points() -> dict[str, dict[str, str]]:
    """Import paths that installed packages offer, by group and name."""
    from importlib.metadata import distributions  # takes a tenth of a second

    found: dict[str, dict[str, str]] = {}
    for package in distributions():
        with suppress(Exception):  # metadata of any package may be damaged
            for entry in package.entry_points:
                if entry.group.startswith(_GROUPS):
                    found.setdefault(entry.group, {})[entry.name] = f"{entry.module}:{entry.attr}"
    return found


class Registry:
    """Maps a name to a factory of one kind of object.

    Args:
        group: of entry points, by which other packages add entries; none where it is empty. A name that is taken here
            keeps its meaning.
    """

    def __init__(self, kind: str, entries: dict[str, str | Factory] | None = None, group: str = "") -> None:
        self.kind = kind
        self._entries: dict[str, str | Factory] = dict(entries or {})
        self._group = group
        self._others: set[str] = set()

    def names(self) -> list[str]:
        """All registered names, sorted."""
        self._ask_other_packages()
        return sorted(self._entries)

    def listed(self) -> list[str]:
        """All registered names in the order in which they were registered."""
        self._ask_other_packages()
        return list(self._entries)

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
            UsageError: it is another package's, which cannot be imported.
        """
        if name not in self._entries:
            self._ask_other_packages()
        entry = self._entries.get(name)
        if entry is None:
            raise UnknownNameError(f"unknown {self.kind} '{name}'{did_you_mean(name, self.names())}")
        if isinstance(entry, str):
            entry = self._entries[name] = self._imported(name, entry)
        return entry

    def _imported(self, name: str, path: str) -> Factory:
        module, _, attribute = path.partition(":")
        try:
            found: Factory = getattr(importlib.import_module(module), attribute)
        except Exception as error:  # a package of others may fail in any way
            if name not in self._others:
                raise
            raise UsageError(
                f"{self.kind} '{name}' comes from another package, and {path} cannot be imported: {error}; install "
                "that package anew, or remove it"
            ) from error
        return found

    def _ask_other_packages(self) -> None:
        if self._group:
            others = _entry_points().get(self._group, {})
            self._others |= set(others) - set(self._entries)
            added = {name: path for name, path in others.items() if name not in self._entries}
            self._entries = {**self._entries, **added}
            self._group = ""  # last, because another thread may ask meanwhile

    def create(self, name: str, *args: Any, **kwargs: Any) -> Any:
        """Call the factory behind a name.

        Raises:
            UsageError: another package's factory fails otherwise than by an error of this library.
        """
        factory = self.get(name)
        try:
            return factory(*args, **kwargs)
        except VantageError:
            raise
        except Exception as error:  # a package of others may fail in any way
            if name not in self._others:
                raise
            raise UsageError(
                f"{self.kind} '{name}' comes from another package and cannot be made: {type(error).__name__}: {error}; "
                "install that package anew, or remove it"
            ) from error


WORLDS = Registry(
    "world",
    {
        "house": "vantage.worlds.house.assembly:make_house_world",
        "none": "vantage.worlds.blind:BlindWorld",
        "rig": "vantage.worlds.rig.assembly:make_rig_world",
        "splat": "vantage.worlds.splat:make_splat_world",
    },
    group="vantage.worlds",
)
DRIVERS = Registry(
    "driver",
    {
        "grbl": "vantage.worlds.rig.drivers.grbl_driver:make_grbl",
        "mock": "vantage.worlds.rig.drivers.mock_driver:make_mock",
        "ros2_control": "vantage.nodes.rig.ros2_control:make_ros2_control",
        "simulated": "vantage.worlds.rig.drivers.simulated:make_simulated",
    },
    group="vantage.rig_drivers",
)
EMULATORS = Registry(
    "emulator of a driver",
    {
        "grbl": "vantage.worlds.rig.emulators.grbl.emulator:make_grbl_emulator",
        "ros2_control": "vantage.nodes.rig.trajectory_controller:make_trajectory_controller",
    },
)
CAMERAS = Registry(
    "camera",
    {
        "mock": "vantage.worlds.rig.cameras.mock_camera:make_mock",
        "opencv": "vantage.worlds.rig.cameras.opencv:make_opencv",
        "ros": "vantage.nodes.rig.ros_camera:make_ros_camera",
        "splat": "vantage.worlds.rig.cameras.splat_camera:make_splat",
    },
    group="vantage.rig_cameras",
)
ACTION_SPACES = Registry(
    "action space",
    {
        "egocentric": "vantage.planning.egocentric_actions:EgocentricActions",
        "gantry": "vantage.planning.actions:GantryActions",
        "mobile": "vantage.planning.mobile_actions:MobileActions",
    },
    group="vantage.action_spaces",
)
AGENTS = Registry(
    "agent",
    {
        "blind": "vantage.planning.agents.single_view_agents:BlindAgent",
        "coverage": "vantage.planning.agents.exploration_agents:CoverageAgent",
        "crop": "vantage.planning.agents.crop_agent:CropAgent",
        "curious": "vantage.planning.agents.curious_agent:CuriousAgent",
        "doer": "vantage.planning.agents.doer_agent:DoerAgent",
        "human": "vantage.planning.agents.human_agent:HumanAgent",
        "interpreter": "vantage.planning.agents.interpreter_agent:InterpreterAgent",
        "language": "vantage.planning.agents.prior_agent:LanguageAgent",
        "learned": "vantage.learning.learned_agent:LearnedAgent",
        "pilot": "vantage.planning.agents.pilot_agent:PilotAgent",
        "pilot_map": "vantage.planning.agents.pilot_map_agent:PilotMapAgent",
        "prior": "vantage.planning.agents.prior_agent:PriorAgent",
        "random": "vantage.planning.agents.baselines:RandomAgent",
        "search": "vantage.planning.agents.search_agent:SearchAgent",
        "static": "vantage.planning.agents.baselines:StaticAgent",
        "oracle": "vantage.planning.agents.oracle_agent:OracleAgent",
        "vlm": "vantage.planning.agents.exploration_agents:VlmAgent",
        "vqa": "vantage.planning.agents.single_view_agents:VqaAgent",
    },
    group="vantage.agents",
)
PERCEIVERS = Registry(
    "perceiver",
    {
        "none": "vantage.perception.protocol:BlindPerceiver",
        "privileged": "vantage.perception.perceivers.privileged:PrivilegedPerceiver",
        "degraded": "vantage.perception.perceivers.degraded:DegradedPerceiver",
        "detector": "vantage.perception.perceivers.detector:make_detector",
        "ocr": "vantage.perception.perceivers.ocr:TextDetector",
        "vlm": "vantage.perception.perceivers.vlm:make_vlm",
    },
    group="vantage.perceivers",
)
MODELS = Registry(
    "model",
    {
        "openai": "vantage.models.openai_model:make_openai",
        "stand-in": "vantage.benchmarks.heal.stand_ins:StandIn",
        "transformers": "vantage.models.transformers_model:make_transformers",
    },
    group="vantage.models",
)
JUDGES = Registry(
    "judge",
    {
        "model": "vantage.benchmarks.judging.model_judge:make_model_judge",
        "rules": "vantage.benchmarks.judging.rule_judge:RuleJudge",
    },
    group="vantage.judges",
)
BENCHMARKS = Registry(
    "benchmark",
    {
        "search": "vantage.benchmarks.search.search_benchmark:SearchBenchmark",
        "noisyeqa": "vantage.benchmarks.noisyeqa.noisyeqa_benchmark:NoisyEqaBenchmark",
        "e3vs": "vantage.benchmarks.e3vs.e3vs_benchmark:E3vsBenchmark",
        "excalibur": "vantage.benchmarks.excalibur.excalibur_benchmark:ExcaliburBenchmark",
        "heal": "vantage.benchmarks.heal.heal_benchmark:HealBenchmark",
        "written": "vantage.benchmarks.written.written_benchmark:WrittenBenchmark",
        "open-eqa": "vantage.benchmarks.imported.open_eqa:OpenEqaBenchmark",
        "hm-eqa": "vantage.benchmarks.imported.hm_eqa:HmEqaBenchmark",
    },
    group="vantage.benchmarks",
)
