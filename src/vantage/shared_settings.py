"""Which settings a file from elsewhere may say: those that its gold data depend on, and no others.

Whoever runs somebody else's episode set decides alone which files are read and written, which models are asked at which
address with which key, and what is recorded. A setting is refused unless ``vantage.config.setting`` calls it shared.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from vantage.config import all_settings
from vantage.errors import ConfigError
from vantage.wording import shown

# What sets of earlier versions say besides: of what their makers recorded. It is passed over.
PASSED_OVER = frozenset({"run.jpeg_quality", "run.record_markers"})


def sharing() -> dict[str, bool | tuple[str, ...]]:
    """Of each setting whether files from elsewhere may say it, or which of its values they may say."""
    return {f"{group}.{item.name}": item.metadata["shared"] for group, item in all_settings()}


def may_say(key: str, value: Any) -> bool:
    """Whether a file from elsewhere may say a setting; keys that are none are for others to refuse."""
    shared = sharing().get(key, True)
    return value in shared if isinstance(shared, tuple) else shared


def shared_values(values: Mapping[str, Any], where: str) -> tuple[dict[str, Any], tuple[str, ...]]:
    """What counts of the settings in a file from elsewhere, and the names of those that are passed over.

    Args:
        where: the file and the place in it.

    Raises:
        ConfigError: a setting is not for such a file to say.
    """
    for key, value in values.items():
        if key in PASSED_OVER or may_say(key, value):
            continue
        allowed = sharing()[key]
        what = f"{key}={shown(value)}" if isinstance(allowed, tuple) else key
        but = f" (it may say {', '.join(allowed)})" if isinstance(allowed, tuple) else ""
        raise ConfigError(
            f"{where} says the setting {what}, which is for whoever runs it alone to say{but}; take it out there, and "
            "if you want it, put it into your own --config or --set"
        )
    passed_over = tuple(key for key in values if key in PASSED_OVER)
    return {key: value for key, value in values.items() if key not in PASSED_OVER}, passed_over
