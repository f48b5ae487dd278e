import json
import os

import pytest

from vantage.errors import ConfigError, FormatError
from vantage.files import cache_folder, read_json, read_text, replacing, shared_folder, write_whole


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
