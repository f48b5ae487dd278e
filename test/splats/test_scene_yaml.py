"""Scene files are YAML 1.2, are written so that they are read back, and never break the reader."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from row_tables import each_row

from vantage.errors import ConfigError
from vantage.splats.scene_yaml import MOST_BYTES, read_yaml, yaml_text

WORDS = [
    "on",
    "yes",
    "no",
    "off",
    "true",
    "null",
    "~",
    "1e-1",
    "08",
    "0o17",
    "2024-05-01",
    "<<",
    "=",
    "1_000",
    ".inf",
    "",
]
ALIAS_BOMB = "a0: &a0 [lol, lol, lol, lol, lol, lol, lol, lol, lol]\n" + "".join(
    f"a{k}: &a{k} [{', '.join([f'*a{k - 1}'] * 9)}]\n" for k in range(1, 9)
)
MERGE_BOMB = "a0: &a0 {k: 1}\n" + "".join(f"a{k}: &a{k} {{<<: [*a{k - 1}, *a{k - 1}]}}\n" for k in range(1, 40))


def read(folder: Path, text: str) -> Any:
    path = folder / "scene.yaml"
    path.write_text(text)
    return read_yaml(path)


@each_row(
    "text, value",
    [
        ("on", "on"),
        ("yes", "yes"),
        ("true", True),
        ("False", False),
        ("1e-1", 0.1),
        ("-2E3", -2000.0),
        (".5", 0.5),
        ("12", 12),
        ("010", 10),
        ("0x10", 16),
        ("0o17", 15),
        ("2024-13-45", "2024-13-45"),
        ("12:30:45", "12:30:45"),
        ("", None),
        ("'1e-1'", "1e-1"),
        ("-.inf", -float("inf")),
    ],
)
def test_plain_values(tmp_path: Path, text: str, value: object) -> None:
    found = read(tmp_path, f"key: {text}\n")["key"]
    assert found == value
    assert type(found) is type(value)


def test_on_is_a_key(tmp_path: Path) -> None:
    assert read(tmp_path, "on: table\n") == {"on": "table"}


@settings(max_examples=100, deadline=None)
@given(
    document=st.dictionaries(
        st.sampled_from(WORDS) | st.text(st.characters(codec="utf-8", exclude_categories=["Cc", "Cs"]), max_size=8),
        st.sampled_from(WORDS) | st.booleans() | st.integers(-(10**9), 10**9) | st.floats(allow_nan=False) | st.none(),
        min_size=1,
        max_size=4,
    ),
    inline=st.booleans(),
)
def test_what_is_written_is_read_back(
    tmp_path_factory: pytest.TempPathFactory, document: dict[str, Any], inline: bool
) -> None:
    folder = tmp_path_factory.mktemp("one")
    assert read(folder, yaml_text({**document, "list": list(document.values())}, inline)) == {
        **document,
        "list": list(document.values()),
    }


@each_row(
    "text",
    [
        "cloud: " + "[" * 3000,
        "cloud: " + "{a: " * 3000,
        "- " * 5000,
        "floor: " + "9" * 400_000,
        "floor: !!int nine",
        "floor: !!bool maybe",
        "floor: !!float x",
        "name: !!timestamp x",
        "name: !!python/object:os.system x",
        "name: !!set {a}",
        "? [a]\n: b",
        "<<: *gone",
        "a: b: c",
        'name: "\\ud800"',
        "\ttab",
        "key: \x07",
        "x" * (MOST_BYTES + 1),
    ],
)
def test_one_sentence_for_what_is_no_scene_file(tmp_path: Path, text: str) -> None:
    with pytest.raises(ConfigError, match=r"scene\.yaml") as caught:
        read(tmp_path, text)
    assert len(str(caught.value)) < 400 + len(str(tmp_path))
    assert str(caught.value).isprintable()


@pytest.mark.parametrize("text", [ALIAS_BOMB, MERGE_BOMB])
def test_small_files_do_not_become_large(tmp_path: Path, text: str) -> None:
    assert len(text) < 2000
    assert len(read(tmp_path, text)) == text.count("\n")


def test_pipes_devices_and_folders_are_refused_at_once(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.yaml")
    for place in (tmp_path / "pipe.yaml", Path("/dev/zero"), tmp_path):
        with pytest.raises(ConfigError, match="is a folder, a pipe or a device"):
            read_yaml(place)
