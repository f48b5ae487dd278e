"""What all tests share: the helpers in ``test/support`` and a place for real data."""

import os
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent / "support"))


@pytest.fixture(scope="session")
def data_folder():
    """The folder of real data; tests that need it are skipped where it is absent."""
    folder = os.environ.get("VANTAGE_DATA", "")
    if not folder or not Path(folder).is_dir():
        pytest.skip("VANTAGE_DATA does not name a folder of real data")
    return Path(folder)
