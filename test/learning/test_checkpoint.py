"""Checkpoints: whole or not there, and what is wrong with one in a sentence."""

from __future__ import annotations

import copy
import zipfile
from dataclasses import replace
from pathlib import Path

import pytest
import torch

from vantage.errors import FormatError
from vantage.files import CHECKPOINT
from vantage.learning import checkpoint
from vantage.learning.policy import Policy, PolicyShape, require_stored

pytestmark = pytest.mark.needs("learning")

PAYLOAD = {"agent": "novelty", "learned": {"weight": torch.arange(6.0).reshape(2, 3)}, "round": 3, "actions": ["x+"]}


def test_what_is_saved_is_loaded_by_folder_or_file(tmp_path: Path) -> None:
    path = checkpoint.save(tmp_path / "out", PAYLOAD)
    assert path == tmp_path / "out" / CHECKPOINT
    for where in (path, path.parent):
        found = checkpoint.load(where)
        assert found.keys() == PAYLOAD.keys()
        assert torch.equal(found["learned"]["weight"], PAYLOAD["learned"]["weight"])
        assert found["round"] == 3
    assert [item.name for item in path.parent.iterdir()] == [CHECKPOINT]


def test_a_failing_write_leaves_the_one_before(tmp_path: Path) -> None:
    checkpoint.save(tmp_path, PAYLOAD)
    with pytest.raises((TypeError, AttributeError, RuntimeError)):
        checkpoint.save(tmp_path, {"learned": (each for each in "ab")})
    assert checkpoint.load(tmp_path)["round"] == 3
    assert len(list(tmp_path.iterdir())) == 1


def test_what_is_wrong_is_told_in_a_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / CHECKPOINT
    with pytest.raises(FormatError, match=r"there is no checkpoint .*checkpoint\.pt; name the folder that `vantage tr"):
        checkpoint.load(tmp_path)
    checkpoint.save(tmp_path, PAYLOAD)
    whole = path.read_bytes()
    for damaged in (b"", whole[: len(whole) // 2], b"text", whole[:100] + b"\0" * 50 + whole[150:]):
        path.write_bytes(damaged)
        with pytest.raises(
            FormatError, match=r"checkpoint\.pt is damaged or no checkpoint, \w+ when it was read; train"
        ):
            checkpoint.load(path)
    torch.save({"weight": torch.ones(2)}, path)
    with pytest.raises(FormatError, match=r"checkpoint\.pt is no checkpoint of a learned agent of vantage; train anew"):
        checkpoint.load(tmp_path)
    monkeypatch.setattr(checkpoint, "VERSION", checkpoint.VERSION + 1)
    checkpoint.save(tmp_path, PAYLOAD)
    monkeypatch.undo()
    with pytest.raises(FormatError, match=r"is of version 2, and this program reads version 1; train anew"):
        checkpoint.load(tmp_path)


def test_nothing_becomes_larger_than_its_file(tmp_path: Path) -> None:
    path = checkpoint.save(tmp_path, {**PAYLOAD, "learned": {"weight": torch.zeros(30_000_000)}})
    packed = tmp_path / "packed.pt"
    with zipfile.ZipFile(path) as whole, zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as small:
        for part in whole.namelist():
            small.writestr(part, whole.read(part))
    assert packed.stat().st_size < 1_000_000
    shared = tmp_path / "shared.pt"
    with zipfile.ZipFile(shared, "w") as archive:
        archive.writestr("a/data.pkl", bytes(1000))
        archive.filelist.append(copy.copy(archive.filelist[0]))
        archive.filelist[-1].filename = "a/data/0"
    for bomb in (packed, shared):
        with pytest.raises(FormatError, match="is damaged or no checkpoint, ValueError when it was read"):
            checkpoint.load(bomb)


@pytest.mark.parametrize(("name", "value"), [("belief", 100_000), ("prefix", 10**6), ("size", 10_000), ("actions", 0)])
def test_no_policy_is_made_that_is_larger_than_its_weights(name: str, value: int) -> None:
    shape = PolicyShape("pixels", 36, 4, 8, 16, 3, 16)
    learned = Policy(shape).learned()
    require_stored(shape, learned)
    with pytest.raises(FormatError, match="promises a policy larger than the"):
        require_stored(replace(shape, **{name: value}), learned)
    spread = {"weight": torch.zeros(1).expand(10**9)}
    with pytest.raises(FormatError, match="larger than the 1 weights"):
        require_stored(shape, spread)


def test_nothing_in_a_file_is_run(tmp_path: Path) -> None:
    class Harmful:
        def __reduce__(self) -> tuple[object, tuple[str]]:
            return (Path.touch, (tmp_path / "harm",))  # type: ignore[return-value]

    torch.save({"kind": Harmful()}, tmp_path / CHECKPOINT)
    with pytest.raises(FormatError, match="damaged or no checkpoint"):
        checkpoint.load(tmp_path)
    assert not (tmp_path / "harm").exists()
