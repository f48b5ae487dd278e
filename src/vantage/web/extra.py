"""Whether the server of pages is installed."""

from __future__ import annotations

import importlib.util

from vantage.errors import MissingExtraError


def require_web() -> None:
    """Fail with one sentence where the extra ``web`` is not installed.

    Raises:
        MissingExtraError: it is not.
    """
    if importlib.util.find_spec("nicegui") is None:
        raise MissingExtraError(
            "pages in the browser need nicegui, which is not installed; run 'make setup WITH=web' or "
            "'pip install vantage-eqa[web]'"
        )
