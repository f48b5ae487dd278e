"""Files of houses that unpack to far more than they are are refused while they are read."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from vantage.errors import FormatError
from vantage.scenes.procthor import house_count, house_file


def test_a_packed_file_is_read_to_a_multiple_of_its_size_and_to_so_many_lines(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "houses.jsonl.gz"
    path.write_bytes(gzip.compress(b"{}\n" * 200_000))
    with pytest.raises(FormatError, match="has more than 100000 lines"):
        house_count(path)
    monkeypatch.setattr(house_file, "MOST_JSON", 1000)
    path.write_bytes(gzip.compress((b"{}" + b" " * 900 + b"\n") * 1000))
    with pytest.raises(FormatError, match="unpacks to more than 100 times its size"):
        house_count(path)
    path.write_bytes(gzip.compress(b"{}\n" * 50))
    assert house_count(path) == 50
