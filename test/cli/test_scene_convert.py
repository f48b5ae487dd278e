"""``vantage scene convert``: between all formats, what it says was lost, and what it refuses."""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from splat_files import KINDS, in_order_of, small_cloud, write_scenesplat

from vantage.cli import scene_convert
from vantage.cli.main import Result
from vantage.errors import FormatError, SceneError, UsageError
from vantage.splats.formats.clouds import WRITABLE, load_cloud, save_cloud


def convert(*words: Any) -> Result:
    parser = argparse.ArgumentParser(exit_on_error=False)
    scene_convert.add_parser(parser.add_subparsers(required=True))
    parsed = parser.parse_args(["convert", *map(str, words)])
    run: Callable[[argparse.Namespace], Result] = parsed.run
    return run(parsed)


@pytest.mark.parametrize("suffix", WRITABLE)
@pytest.mark.parametrize("kind", KINDS)
def test_every_format_becomes_every_written_one(tmp_path: Path, kind: str, suffix: str) -> None:
    cloud = small_cloud(20, 2)
    source = KINDS[kind](tmp_path, cloud)
    out = tmp_path / "out" / f"new{suffix}"
    result = convert(source, out)
    found = load_cloud(out)
    assert in_order_of(found, cloud).means == pytest.approx(cloud.means, abs=0.02)
    assert found.degree == (0 if suffix == ".splat" else load_cloud(source).degree)
    assert result.done
    data = json.loads(json.dumps(result.data))
    assert data["gaussians"] == 20
    assert data["sh_degree"] == found.degree
    assert data["bytes_out"] == out.stat().st_size
    assert data["bytes_in"] > 0
    assert data["dropped"] == 0
    assert str(out) in result.text


def test_it_says_what_is_lost(tmp_path: Path) -> None:
    cloud = small_cloud(20, 3)
    save_cloud(cloud, tmp_path / "a.ply")
    assert convert(tmp_path / "a.ply", tmp_path / "b.ply").data["lost"] == []
    assert "lost: nothing" in convert(tmp_path / "a.ply", tmp_path / "b.ply", "--force").text
    lost = convert(tmp_path / "a.ply", tmp_path / "a.splat").data["lost"]
    named = int((cloud.instances != 0).sum())
    assert lost[:2] == [f"the instance ids of {named} Gaussians", "harmonics of degree 1 to 3"]
    labelled = write_scenesplat(tmp_path / "s", cloud, instance=cloud.instances, segment=cloud.instances)
    assert convert(labelled, tmp_path / "c.ply").data["lost"] == ["the classes of the instances"]


def test_fewer_harmonics(tmp_path: Path) -> None:
    save_cloud(small_cloud(20, 3), tmp_path / "a.ply")
    for degree in range(4):
        result = convert(tmp_path / "a.ply", tmp_path / "b.ply", "--sh-degree", degree, "--force")
        assert load_cloud(tmp_path / "b.ply").degree == degree == result.data["sh_degree"]
    assert convert(tmp_path / "b.ply", tmp_path / "c.ply", "--sh-degree", 1).data["lost"] == [
        "harmonics of degree 2 to 3, as asked for"
    ]


def test_broken_gaussians_are_dropped_only_on_request(tmp_path: Path) -> None:
    cloud = small_cloud(20)
    save_cloud(cloud, tmp_path / "a.splat")
    data = bytearray((tmp_path / "a.splat").read_bytes())
    data[28:32] = bytes([128] * 4)
    data[32 + 12 : 32 + 16] = np.float32(-1).tobytes()
    (tmp_path / "a.splat").write_bytes(data)
    with pytest.raises(FormatError, match=r"1 of 20 .* length zero, 1 of 20 .* negative scales; .*--drop-broken"):
        convert(tmp_path / "a.splat", tmp_path / "b.ply")
    assert not (tmp_path / "b.ply").exists()
    result = convert(tmp_path / "a.splat", tmp_path / "b.ply", "--drop-broken")
    assert result.data["dropped"] == 2
    assert "2 broken Gaussians" in result.text
    assert len(load_cloud(tmp_path / "b.ply")) == 18


def test_existing_files_stay_unless_forced(tmp_path: Path) -> None:
    save_cloud(small_cloud(3), tmp_path / "a.ply")
    (tmp_path / "b.spz").write_bytes(b"mine")
    with pytest.raises(SceneError, match=r"b\.spz exists already; .*--force"):
        convert(tmp_path / "a.ply", tmp_path / "b.spz")
    assert (tmp_path / "b.spz").read_bytes() == b"mine"
    convert(tmp_path / "a.ply", tmp_path / "b.spz", "--force")
    assert len(load_cloud(tmp_path / "b.spz")) == 3
    convert(tmp_path / "a.ply", tmp_path / "a.ply", "--force", "--sh-degree", 0)
    assert load_cloud(tmp_path / "a.ply").degree == 0
    (tmp_path / "folder.ply").mkdir()
    with pytest.raises(SceneError, match=r"folder\.ply exists already"):
        convert(tmp_path / "a.ply", tmp_path / "folder.ply", "--force")


@pytest.mark.parametrize("name", ["b.sog", "b", "b.yaml", "b.compressed"])
def test_other_names_are_wrong_usage_before_anything_is_read(tmp_path: Path, name: str) -> None:
    with pytest.raises(UsageError, match=r"must end in one of \.ply, \.compressed\.ply, \.splat, \.spz"):
        convert(tmp_path / "missing.ply", tmp_path / name)


def test_what_cannot_be_read_leaves_nothing_behind(tmp_path: Path) -> None:
    (tmp_path / "a.spz").write_bytes(b"NGSP")
    with pytest.raises(FormatError, match=r"a\.spz is no \.spz file"):
        convert(tmp_path / "a.spz", tmp_path / "new" / "b.ply")
    assert not (tmp_path / "new").exists()
    with pytest.raises(SystemExit):
        convert(tmp_path / "a.spz", tmp_path / "b.ply", "--sh-degree", 4)
