"""Files name what lies beside them and in the user's data, and nothing else."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from vantage.file_references import is_within, link_out, referenced, why_link_out
from vantage.files import shared_folder


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.delenv("VANTAGE_DATA", raising=False)
    monkeypatch.setenv("SECRET", "do-not-tell")
    (tmp_path / "own" / "inner").mkdir(parents=True)
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside" / "c.ply").write_text("ply")
    return tmp_path / "own"


@pytest.mark.parametrize("text", ["c.ply", "inner/c.ply", "./inner/../c.ply", "inner/"])
def test_what_lies_beside_may_be_named(folder: Path, text: str) -> None:
    assert referenced(text, folder) == folder / text


@pytest.mark.parametrize(
    "text", ["../outside/c.ply", "inner/../../outside/c.ply", "/etc/hostname", "~/c.ply", "..", "/", "/dev/stdin"]
)
def test_what_lies_elsewhere_may_not(folder: Path, text: str) -> None:
    with pytest.raises(ValueError, match=r"leads out of the folder of the file that names it; put it beside this file"):
        referenced(text, folder)


def test_links_are_followed_before_they_are_judged(folder: Path) -> None:
    (folder / "link").symlink_to(folder.parent / "outside" / "c.ply")
    (folder / "way").symlink_to(folder.parent / "outside")
    (folder / "honest").symlink_to("inner")
    for text in ("link", "way/c.ply"):
        with pytest.raises(ValueError, match="leads out"):
            referenced(text, folder)
    assert referenced("honest/c.ply", folder) == folder / "honest" / "c.ply"


@pytest.mark.parametrize("text", ["${SECRET}/c.ply", "$SECRET", "a${HOME}b", "${}", "${VANTAGE_DATA}${SECRET}"])
def test_no_other_variable_is_read(folder: Path, text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("VANTAGE_DATA", str(folder))
    with pytest.raises(ValueError, match="files may name no other than VANTAGE_DATA") as caught:
        referenced(text, folder)
    assert "do-not-tell" not in str(caught.value)


def test_the_users_data_may_be_named_as_far_as_they_go(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(ValueError, match="environment variable that is not set; set VANTAGE_DATA"):
        referenced("${VANTAGE_DATA}/c.ply", folder)
    data = folder.parent / "outside"
    monkeypatch.setenv("VANTAGE_DATA", str(data))
    assert referenced("${VANTAGE_DATA}/c.ply", folder) == data / "c.ply"
    assert referenced(str(data / "c.ply"), folder) == data / "c.ply"
    with pytest.raises(ValueError, match="leads out"):
        referenced("${VANTAGE_DATA}/../own2/c.ply", folder)
    monkeypatch.setenv("VANTAGE_DATA", str(data / "in"))
    with pytest.raises(ValueError, match="leads out"):  # a folder is no beginning of a name
        referenced(str(data / "inside"), folder)


@pytest.mark.parametrize("text", ["a\0b", "x" * 300, "/".join(["x" * 200] * 30), "~nobody-of-that-name/c.ply"])
def test_what_is_no_path(folder: Path, text: str) -> None:
    with pytest.raises(ValueError, match=r"expected the path of a file|nobody here is called"):
        referenced(text, folder)


def test_files_of_the_program_may_be_named(folder: Path) -> None:
    assert is_within(shared_folder("config") / "robots" / "rules" / "home.yaml", folder)


def test_a_link_out_of_a_folder_is_found_wherever_it_is(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert link_out(folder) is None
    assert why_link_out(folder) == ""
    (folder / "inner" / "honest").symlink_to("..")  # a circle
    assert link_out(folder) is None
    (folder / "inner" / "c.ply").symlink_to(folder.parent / "outside" / "c.ply")
    assert link_out(folder) == folder / "inner" / "c.ply"
    assert why_link_out(folder).startswith(f"{folder / 'inner' / 'c.ply'} is a link that leads out of {folder}, ")
    monkeypatch.setenv("VANTAGE_DATA", str(folder.parent / "outside"))
    assert link_out(folder) is None, "where the user keeps data"
    assert link_out(folder.parent / "absent") is None


def test_a_circle_of_links_leads_nowhere(folder: Path) -> None:
    (folder / "a").symlink_to("b")
    (folder / "b").symlink_to("a")
    assert link_out(folder) is None
    os.symlink("/proc/self/fd/0", folder / "c")
    assert link_out(folder) == folder / "c"
