"""Commands, options and their help, what commands print and the keys of their JSON are as they were."""

from __future__ import annotations

from pathlib import Path

from golden_texts import command_line
from golden_texts.holding import check


def test_commands_take_and_print_what_they_did(tmp_path: Path) -> None:
    check("command_line", command_line.texts(tmp_path))
