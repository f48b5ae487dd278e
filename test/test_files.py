import json

import pytest

from vantage.errors import ConfigError, FormatError
from vantage.files import read_json, replacing, shared_folder, write_whole


def test_a_failure_leaves_the_old_file_and_no_litter(tmp_path):
    path = tmp_path / "deep" / "data.json"
    write_whole(path, "old")
    with pytest.raises(RuntimeError), replacing(path) as partial:
        partial.write_text("half")
        raise RuntimeError
    assert path.read_text() == "old"
    assert list(path.parent.iterdir()) == [path]
    write_whole(path, b"new")
    assert path.read_bytes() == b"new"


def test_read_json(tmp_path):
    path = tmp_path / "a.json"
    path.write_text(json.dumps({"a": 1}))
    assert read_json(path) == {"a": 1}
    path.write_text("{")
    with pytest.raises(FormatError, match=r"a\.json as JSON"):
        read_json(path)
    path.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(FormatError, match=r"a\.json"):
        read_json(path)
    with pytest.raises(FormatError, match="missing"):
        read_json(tmp_path / "missing.json")


def test_shared_folders_are_found():
    assert (shared_folder("msg") / "Answer.msg").is_file()
    with pytest.raises(ConfigError, match="nonsense"):
        shared_folder("nonsense")
