import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from vantage.errors import ConfigError, FormatError, UsageError
from vantage.files import (
    UNFINISHED,
    cache_folder,
    new_folder,
    read_json,
    read_text,
    replacing,
    shared_folder,
    write_whole,
)


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


@pytest.mark.parametrize("named", ["", "caches", None])
def test_caches_lie_where_the_user_wants_them(tmp_path, monkeypatch, named):
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "own"))
    assert cache_folder() == tmp_path / "own" / "vantage"
    if named is None:
        monkeypatch.delenv("XDG_CACHE_HOME")
    else:
        monkeypatch.setenv("XDG_CACHE_HOME", named)
    assert cache_folder() == tmp_path / ".cache" / "vantage"


def test_a_missing_file_is_named_once_with_advice(tmp_path):
    with pytest.raises(FormatError) as caught:
        read_json(tmp_path / "nope.json")
    assert str(caught.value) == f"cannot read {tmp_path / 'nope.json'} as JSON: it does not exist; check the path"


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


@pytest.mark.parametrize(
    ("value", "key"),
    [
        ({"a": ["x", {"b": "\ud800"}]}, r"a\[1\]\.b"),
        ({"a": {"\udc00 c": 1}}, "a key in a"),
        ("\udbff", "the text"),
        ({"\x1b[2J" + "k" * 9000: "\ud800"}, "x1b"),
    ],
)
def test_halves_of_characters_are_refused_under_their_key(tmp_path, value, key):
    path = tmp_path / "a.json"
    for text in (json.dumps(value), json.dumps(value).replace("\\ud", "\\uD")):
        path.write_text(text)
        with pytest.raises(FormatError, match=rf"a\.json: .*{key}.* holds half of a character") as caught:
            read_json(path)
        assert str(caught.value).isprintable()
        assert len(str(caught.value)) < 400
    path.write_text(json.dumps({"a": "\U0001f600 and \\ud800 in words"}))
    assert read_json(path) == {"a": "\U0001f600 and \\ud800 in words"}


def test_shared_folders_are_found():
    assert (shared_folder("msg") / "Answer.msg").is_file()
    with pytest.raises(ConfigError, match="nonsense"):
        shared_folder("nonsense")


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("[" * 100_000, "nested too deeply"),
        ('{"a": ' * 100_000, "nested too deeply"),
        ("9" * 400, "a whole number has 400 digits"),
        ("9" * 6000, "a whole number has 6000 digits"),
    ],
)
def test_json_that_breaks_parsers(tmp_path, text, complaint):
    path = tmp_path / "a.json"
    path.write_text(text)
    with pytest.raises(FormatError, match=rf"a\.json as JSON: .*{complaint}"):
        read_json(path)


def test_only_regular_files_of_a_sane_size_are_read(tmp_path):
    path = tmp_path / "a.txt"
    path.write_text("four")
    assert read_text(path, 4) == "four"
    with pytest.raises(FormatError, match="more than 3 bytes"):
        read_text(path, 3)
    with path.open("r+b") as file:
        file.truncate(1 << 40)
    with pytest.raises(FormatError, match=r"a\.txt has more than"):
        read_json(path)
    os.mkfifo(tmp_path / "pipe")
    for place in (tmp_path / "pipe", tmp_path, "/dev/zero"):
        with pytest.raises(FormatError, match="a folder, a pipe or a device"):
            read_json(place)


FILLS = """
import sys, time
from pathlib import Path
from vantage.files import new_folder
with new_folder(Path(sys.argv[1])) as folder:
    (folder / "part").mkdir()
    (folder / "part" / "half").write_text("written")
    print("ready", flush=True)
    time.sleep(60)
"""


def test_a_folder_that_a_killed_process_filled_is_filled_anew_and_no_other(tmp_path: Path) -> None:
    folder = tmp_path / "deep" / "set"
    with subprocess.Popen([sys.executable, "-c", FILLS, str(folder)], stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"ready\n"
        with pytest.raises(UsageError, match="is being made by another process"), new_folder(folder):
            pass
        assert (folder / "part" / "half").is_file()
        process.kill()
    with new_folder(folder):
        assert [path.name for path in folder.iterdir()] == [UNFINISHED]
        (folder / "whole").write_text("written")
    assert [path.name for path in folder.iterdir()] == ["whole"]
    with pytest.raises(UsageError, match="is not empty"), new_folder(folder):
        pass
    assert (folder / "whole").is_file()
    with pytest.raises(RuntimeError), new_folder(tmp_path / "failed"):
        raise RuntimeError
    assert not (tmp_path / "failed").exists()
