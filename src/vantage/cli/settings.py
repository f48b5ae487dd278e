"""Settings as the command line gives them."""

from __future__ import annotations

import argparse
from pathlib import Path

from vantage.config import Settings, load_settings
from vantage.files import shared_folder


def settings_from(arguments: argparse.Namespace, *extra: str) -> Settings:
    """The parameter file, then ``extra`` assignments, then those of ``--set``."""
    path = Path(arguments.config) if arguments.config else shared_folder("config") / "vantage.yaml"
    return load_settings(path, [*extra, *arguments.set])
