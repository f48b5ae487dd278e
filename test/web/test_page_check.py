"""Chromium that is missing, or is there and cannot be started, is one sentence."""

from __future__ import annotations

import stat

import pytest

from vantage.errors import MissingExtraError
from vantage.web import chromium

pytestmark = pytest.mark.needs("web")


def test_no_chromium_is_one_sentence(tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(MissingExtraError, match="no Chromium with a driver was found"), chromium():
        pass


def test_a_chromium_that_does_not_start_is_one_sentence(tmp_path, monkeypatch):
    for name in ("chromium", "chromedriver"):
        program = tmp_path / name
        program.write_text("#!/bin/sh\nexit 3\n")
        program.chmod(program.stat().st_mode | stat.S_IXUSR)
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    with pytest.raises(MissingExtraError, match=r"Chromium cannot be started here: [^\n]+$"), chromium():
        pass
