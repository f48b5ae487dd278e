"""YAML 1.2, written so that it is read back; dataclasses from plain data; whatever a file holds, one sentence."""

from __future__ import annotations

import math
import os
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given, settings, strategies as st
from row_tables import each_row
from sampling import examples

from vantage.bounded_yaml import check_yaml
from vantage.decoding import MOST_BYTES, Section, decode, plain_value, read_yaml, truth, yaml_text
from vantage.errors import ConfigError, FormatError
from vantage.wording import shown


@dataclass(frozen=True)
class Side:
    """A part of a box."""

    name: str
    corner: tuple[float, float]


@dataclass(frozen=True)
class Box:
    """What is read from a file."""

    number: int
    sides: tuple[Side, ...]
    mass: float = 0.0


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


@settings(max_examples=examples(100), deadline=None)
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


def chain(length: int) -> str:
    """Mappings each of which merges the one before."""
    lines = "".join(f"a{number}: &a{number} {{<<: *a{number - 1}, k{number}: 1}}\n" for number in range(1, length))
    return f"a0: &a0 {{k0: 1}}\n{lines}"


@each_row(
    "text, problem",
    [
        (ALIAS_BOMB, "more than 50000 values, those behind aliases and merges counted each time"),
        (MERGE_BOMB, "more than 50000 values, those behind aliases and merges counted each time"),
        (chain(300), "more than 50000 values"),
        ("a: &a 1\nb: [" + "*a, " * 201 + "]", "more than 200 aliases"),
        ("a: &a [*a]\n", "'a' holds itself"),
        ("a: " + "[" * 200 + "]" * 200, "nested too deeply, more than 100 levels"),
        ("a: " + "[" * 100_000, "nested too deeply, more than 100 levels"),
        ("- " * 100_000, "nested too deeply, more than 100 levels"),
        ("a: [" + "0, " * 60_000 + "]", "more than 50000 values"),
    ],
)
def test_files_that_would_become_large_are_refused_before_they_do(tmp_path: Path, text: str, problem: str) -> None:
    begun = time.process_time()
    with pytest.raises(ConfigError, match=problem):
        read(tmp_path, text)
    with pytest.raises(yaml.YAMLError, match=problem):
        check_yaml(text)
    assert time.process_time() - begun < 10.0


def test_aliases_and_merges_in_moderation_are_read(tmp_path: Path) -> None:
    found = read(tmp_path, chain(40))
    assert found["a39"] == {f"k{number}": 1 for number in range(40)}
    assert read(tmp_path, "a: &a [1, 2]\nb: [*a, *a]\n")["b"] == [[1, 2], [1, 2]]
    check_yaml(chain(40))


def test_a_dataclass_is_read_with_its_parts() -> None:
    found = decode(Box, {"id": 3, "sides": [{"name": "a", "corner": [1, 2]}]}, "the file", names={"id": "number"})
    assert found == Box(3, (Side("a", (1.0, 2.0)),))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"id": None}, "'id' of the file must be an integer, got None"),
        ({"id": 1.5}, "'id' of the file must be an integer, got 1.5"),
        ({"sides": 3}, "'sides' of the file must be a list, got 3"),
        ({"sides": [3]}, "'sides[0]' of the file must be keys with values, got 3"),
        ({"sides": [{"name": "a"}]}, "'sides[0]' of the file lacks 'corner'"),
        (
            {"sides": [{"name": "a", "corner": [1]}]},
            "'sides[0].corner' of the file must be a list of 2 values, got [1]",
        ),
        (
            {"sides": [{"name": "a", "corner": [1, "x"]}]},
            "'sides[0].corner[1]' of the file must be a finite number, got 'x'",
        ),
        ({"mass": math.nan}, "'mass' of the file must be a finite number"),
        ({"mass": 10**400}, f"'mass' of the file must be a finite number, got {shown(10**400)}"),
        ({"mass": "1"}, "'mass' of the file must be a finite number, got '1'"),
    ],
)
def test_what_is_wrong_with_a_value_is_one_sentence(change: dict[str, Any], message: str) -> None:
    with pytest.raises(FormatError) as caught:
        decode(Box, {"id": 3, "sides": [], **change}, "the file", names={"id": "number"})
    assert str(caught.value) == message


def test_what_is_missing_is_named_as_in_the_file() -> None:
    with pytest.raises(FormatError, match=r"^the file lacks 'id'$"):
        decode(Box, {"sides": []}, "the file", names={"id": "number"})
    with pytest.raises(ConfigError, match="the file must be a JSON object, got list"):
        decode(Box, [], "the file", error=ConfigError)


@pytest.mark.parametrize(
    ("text", "value"), [("3", 3), ("a: b: c", "a: b: c"), ("[1", "[1"), ("1e-1", 0.1), ("on", "on")]
)
def test_texts_of_a_command_line(text: str, value: object) -> None:
    assert plain_value(text) == value


def test_the_words_of_yaml_1_1_for_true_and_false() -> None:
    assert [truth(word) for word in ("yes", "On", "no", "OFF", "maybe", 3)] == [True, True, False, False, "maybe", 3]


def test_pipes_devices_and_folders_are_refused_at_once(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.yaml")
    for place in (tmp_path / "pipe.yaml", Path("/dev/zero"), tmp_path):
        with pytest.raises(ConfigError, match="is a folder, a pipe or a device"):
            read_yaml(place)


def of(**values: Any) -> Section:
    return Section(values, "rig.yaml", Path("/rigs"))


def read_section(tmp_path: Path, text: str | bytes) -> Section:
    path = tmp_path / "rig.yaml"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return Section.of_file(path)


def test_every_kind_of_value_is_read() -> None:
    part = of(a=1, b=2.5, c="x", d=True, e=[1, 2.0], f={"g": 3}, h=[{"i": 4}], j="sub/file", k=7)
    assert part.number("a") == 1.0
    assert part.number("b", low=2.0, high=3.0) == 2.5
    assert part.text("c", choices=("x", "y")) == "x"
    assert part.switch("d") is True
    assert part.numbers("e", 2) == (1.0, 2.0)
    assert part.section("f").whole("g") == 3
    assert [item.whole("i") for item in part.sections("h")] == [4]
    assert part.path("j") == Path("/rigs/sub/file")
    assert part.whole("k", 0, 0, 9) == 7
    part.done()


def test_defaults_stand_in_for_what_is_absent() -> None:
    part = of()
    assert part.number("a", 2) == 2.0
    assert part.path("b", "") is None
    assert part.section("c", {}).names() == []
    assert part.sections("d", []) == []
    assert "a" not in part


@pytest.mark.parametrize(
    ("reading", "message"),
    [
        (lambda s: s.number("none"), "none: is missing"),
        (lambda s: s.number("text"), "text: expected a number, got 'fast'"),
        (lambda s: s.number("yes"), "yes: expected a number, got True"),
        (lambda s: s.number("nan"), "nan: expected a number, got nan"),
        (lambda s: s.number("infinite"), "infinite: expected a number, got inf"),
        (lambda s: s.number("huge"), "huge: expected a number, got a huge int"),
        (lambda s: s.number("five", low=0.0, high=1.0), r"five: expected a number in \[0, 1\], got 5"),
        (lambda s: s.number("null"), "null: expected a number, got nothing"),
        (lambda s: s.whole("half"), "half: expected a whole number .*, got 0.5"),
        (lambda s: s.whole("five", low=6), r"five: expected a whole number in \[6, "),
        (lambda s: s.whole("yes"), "yes: expected a whole number .*, got True"),
        (lambda s: s.text("five"), "five: expected text, got 5"),
        (
            lambda s: s.text("text", choices=("slow", "last")),
            "text: expected one of slow, last, got 'fast'; did you mean 'last'",
        ),
        (lambda s: s.text("text", choices=()), "text: expected one of none, got 'fast'$"),
        (lambda s: s.switch("five"), "five: expected true or false, got 5"),
        (lambda s: s.numbers("list", 3), r"list: expected a list of 3 numbers, got \[1, 2\]"),
        (lambda s: s.numbers("words", 2), "words: expected a list of 2 numbers"),
        (lambda s: s.numbers("odd", 2), "odd: expected a list of 2 numbers"),
        (lambda s: s.numbers("text", 4), "text: expected a list of 4 numbers, got 'fast'"),
        (lambda s: s.section("list"), r"list: expected keys with values, got \[1, 2\]"),
        (lambda s: s.section("null"), "null: expected keys with values, got nothing"),
        (lambda s: s.sections("five"), "five: expected a list, got 5"),
        (lambda s: s.sections("list"), r"list\[0\]: expected keys with values, got 1"),
        (lambda s: s.path("five"), "five: expected text"),
        (
            lambda s: s.path("home"),
            "home: nobody here is called as in '~nobody-of-that-name/x'; write the path in full",
        ),
    ],
)
def test_the_wrong_value_is_told_with_its_key(reading: Callable[[Section], Any], message: str) -> None:
    values = {
        "text": "fast", "yes": True, "nan": float("nan"), "infinite": float("inf"), "huge": 10**5000, "five": 5,
        "null": None, "half": 0.5, "list": [1, 2], "words": ["a", 1], "odd": [1, float("nan")],
        "home": "~nobody-of-that-name/x",
    }  # fmt: skip
    with pytest.raises(ConfigError, match=rf"^rig\.yaml: {message}"):
        reading(of(**values))


def test_keys_within_keys_are_told_in_full() -> None:
    part = of(chain={"joints": [{"name": "x"}, {"name": 5}]})
    with pytest.raises(ConfigError, match=r"^rig\.yaml: chain\.joints\[1\]\.name: expected text, got 5"):
        part.section("chain").sections("joints")[1].text("name")


def test_keys_that_nobody_asked_for_are_refused_with_the_closest_known_one() -> None:
    part = of(speed=1.0, acceleratoin=2.0)
    part.number("speed")
    part.number("acceleration", 1.0)
    with pytest.raises(ConfigError, match="acceleratoin: unknown key; did you mean 'acceleration'"):
        part.done()


def test_a_copy_with_other_values_leaves_the_first_alone() -> None:
    part = of(port="/dev/ttyACM0", baud=1)
    other = part.with_values(port="/dev/pts/3")
    assert (other.text("port"), other.whole("baud"), part.text("port")) == ("/dev/pts/3", 1, "/dev/ttyACM0")


def test_what_is_long_is_shown_short() -> None:
    nested: list[Any] = ["lol"] * 9
    for _ in range(12):
        nested = [nested] * 9
    with pytest.raises(ConfigError) as caught:
        of(a=nested).number("a")
    assert len(str(caught.value)) < 300


def test_relative_paths_start_at_the_file(tmp_path: Path) -> None:
    assert read_section(tmp_path, "file: robot.urdf").path("file") == tmp_path / "robot.urdf"


@pytest.mark.parametrize("text", ["1e-5", "1.0e-5", "1E-5", "+1e-05", ".1e-4"])
def test_powers_of_ten_are_numbers_however_they_are_written(tmp_path: Path, text: str) -> None:
    assert read_section(tmp_path, f"a: {text}").number("a") == pytest.approx(1e-5)


def test_merged_keys_are_no_repetition(tmp_path: Path) -> None:
    part = read_section(tmp_path, "base: &b {speed: 1, name: a}\nmore: &c {<<: *b, name: b}\nlast: {<<: *c, name: c}\n")
    assert [part.section(key).text("name") for key in ("base", "more", "last")] == ["a", "b", "c"]
    assert part.section("last").number("speed") == 1.0


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "expected keys with values, got nothing"),
        ("- a\n- b\n", r"expected keys with values, got \['a', 'b'\]"),
        ("just words", "expected keys with values, got 'just words'"),
        ("a: [1, 2", "cannot read .* as YAML: "),
        ("a: 1\nb: {c: 2, d: 3, c: 4}\n", "'c' is given twice .*line 2"),
        ("a: !!python/object/apply:os.system [ls]", "cannot read .* as YAML: a tag that no file here has"),
        ("a: !!int many", "cannot read .* as YAML: "),
        ("? [1, 2]\n: 3\n", "cannot read .* as YAML: "),
        ("[" * 20000, "nested too deeply"),
        (b"a: \xff\xfe\xff", "cannot read .* as YAML: 'utf-8' codec"),
        (b"\x00\x01\x02", "cannot read .* as YAML: unacceptable character"),
        ("a: " + "x" * (1 << 20), "has more than 1048576 bytes"),
    ],
    ids=lambda value: repr(value)[:20],
)
def test_a_file_that_is_no_mapping_is_refused(tmp_path: Path, text: str | bytes, message: str) -> None:
    with pytest.raises(ConfigError, match=message) as caught:
        read_section(tmp_path, text)
    assert str(tmp_path / "rig.yaml") in str(caught.value)


def test_what_is_no_file_is_refused_at_once(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    for path in (tmp_path, pipe, Path("/dev/zero")):
        with pytest.raises(ConfigError, match="is a folder, a pipe or a device; give a file"):
            Section.of_file(path)
    with pytest.raises(ConfigError, match="does not exist; check the path"):
        Section.of_file(tmp_path / "absent.yaml")
    with pytest.raises(ConfigError, match="cannot read"):
        Section.of_file(tmp_path / ("x" * 400))
    with pytest.raises(ConfigError, match="is no name of a file"):
        Section.of_file(tmp_path / "a\x00b")
