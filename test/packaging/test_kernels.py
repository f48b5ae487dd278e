"""The commands by which the set-up compiles the inner loops: where they fail, first looks of tests and nodes wait."""

from __future__ import annotations

from pathlib import Path

import pytest

from vantage.cli.main import main
from venv_setup.kernels import kernel_commands


def test_the_commands_that_compile_the_inner_loops_end_well(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for words in kernel_commands(tmp_path):
        assert main(words) == 0, capsys.readouterr().err
    assert list(tmp_path.glob("bags/*/*.mcap")), "an episode was run"
