"""Bags whose bytes were changed are found, whatever the bit, by this program and by the tools of the format."""

from __future__ import annotations

import math
import shutil
from io import BytesIO
from pathlib import Path

import numpy as np
import pytest
from archives import unpack
from gold_bags import CODEC, Telling, gold, record, said
from mcap.reader import make_reader
from mcap.stream_reader import StreamReader

from vantage.errors import RecordingError
from vantage.recording.bags import BagWriter
from vantage.recording.integrity import verify_bag
from vantage.recording.topics import IMAGE
from vantage.reports.scoring import score_bag, score_runs

GOLDEN = Path(__file__).parent / "golden"
NAME = "episode-1"


@pytest.fixture(scope="module")
def bag(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A complete bag with gold data, commands and an answer."""
    folder = tmp_path_factory.mktemp("bags")
    return record(folder, NAME, Telling(("x+", "yaw+"), said("red"), (0, 2)), gold())[0]


@pytest.fixture
def copy(bag: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(bag, tmp_path / "bags" / NAME))


def flipped(data: bytes, bit: int) -> bytes:
    changed = bytearray(data)
    changed[bit // 8] ^= 1 << bit % 8
    return bytes(changed)


@pytest.mark.parametrize(("file", "count"), [(f"{NAME}.mcap", 400), ("metadata.yaml", 200)])
def test_no_single_flipped_bit_changes_what_is_scored(copy: Path, file: str, count: int) -> None:
    before = score_bag(copy)
    assert before.complete
    assert before.verified
    data = (copy / file).read_bytes()
    refused = 0
    for bit in np.random.default_rng(0).choice(8 * len(data), count, replace=False):
        (copy / file).write_bytes(flipped(data, int(bit)))
        after = score_bag(copy)
        assert after == before or not after.complete
        if not after.complete:
            refused += 1
            assert NAME in after.incomplete_reason
    assert refused == count


def test_the_checksums_themselves_are_no_way_round(copy: Path) -> None:
    """All bits of the records that hold them, and of what frames these."""
    file = copy / f"{NAME}.mcap"
    data = file.read_bytes()
    summary = int.from_bytes(data[-28:-20], "little")
    for begin, end in ((len(data) - 37, len(data)), (summary - 13, summary), (0, 17)):
        for bit in range(8 * begin, 8 * end):
            file.write_bytes(flipped(data, bit))
            with pytest.raises(RecordingError, match="is damaged"):
                verify_bag(copy)


@pytest.mark.parametrize("keep", [0.0, 0.3, 0.9, 0.999])
def test_a_file_that_ends_early_or_in_zeros_is_refused(copy: Path, keep: float) -> None:
    file = copy / f"{NAME}.mcap"
    data = file.read_bytes()
    size = int(keep * len(data))
    for rest in (b"", bytes(len(data) - size)):
        file.write_bytes(data[:size] + rest)
        with pytest.raises(RecordingError, match="is damaged"):
            verify_bag(copy)


def test_the_tools_of_the_format_check_the_same_sums(copy: Path) -> None:
    data = (copy / f"{NAME}.mcap").read_bytes()
    kinds = [type(item).__name__ for item in StreamReader(BytesIO(data), validate_crcs=True).records]
    assert kinds.count("Message") > 10
    summary = make_reader(BytesIO(data), validate_crcs=True).get_summary()
    assert summary is not None
    chunks = [item for item in StreamReader(BytesIO(data), emit_chunks=True).records if type(item).__name__ == "Chunk"]
    assert chunks
    assert all(item.uncompressed_crc for item in chunks)
    at = data.index(b"What color")
    with pytest.raises(ValueError, match="crc validation failed"):
        list(StreamReader(BytesIO(flipped(data, 8 * at)), validate_crcs=True).records)


def test_bags_of_several_chunks_have_a_sum_of_each(tmp_path: Path) -> None:
    picture = np.full((600, 800, 3), 90, np.uint8)
    with BagWriter(tmp_path, "long") as bag:
        for stamp in (1, 2, 3):
            bag.write(IMAGE, stamp, CODEC.image(stamp, picture, "rgb8"))
        path = bag.finish("long")
    data = (path / "long.mcap").read_bytes()
    chunks = [item for item in StreamReader(BytesIO(data), emit_chunks=True).records if type(item).__name__ == "Chunk"]
    assert len(chunks) > 2
    assert all(item.uncompressed_crc for item in chunks)
    assert verify_bag(path)


def test_a_damaged_bag_is_named_and_the_others_are_scored(copy: Path) -> None:
    shutil.copytree(copy, copy.parent / "whole" / NAME)
    record(copy.parent, "other", Telling(("x+",), said("red")), gold())
    file = copy / f"{NAME}.mcap"
    file.write_bytes(flipped(file.read_bytes(), 8 * (file.stat().st_size // 2)))
    table = score_runs(copy.parent)
    assert [score.episode_id for score in table.complete] == ["other"]
    [damaged] = table.incomplete
    assert damaged.bag == NAME
    assert f"{NAME}.mcap is damaged" in damaged.incomplete_reason
    assert NAME in table.text()


def test_bags_from_before_there_were_checksums_are_scored_and_said_to_be_unverified(tmp_path: Path) -> None:
    unpack(GOLDEN / "noisyeqa.tar.gz", tmp_path)
    table = score_runs(tmp_path)
    assert len(table.complete) == 2
    assert "2 of these bags are not verified" in table.text()
    assert [episode["verified"] for episode in table.to_json()["episodes"]] == [False, False]


def test_verified_bags_are_not_remarked_upon(bag: Path) -> None:
    table = score_runs(bag.parent)
    assert "not verified" not in table.text()
    assert [episode["verified"] for episode in table.to_json()["episodes"]] == [True]
    assert not math.isnan(table.complete[0].judge_score)
