import pytest

from venv_setup.stamps import Stamps, digest


def test_a_stamp_is_read_back_and_forgotten(tmp_path):
    stamps = Stamps(tmp_path / "deep" / "stamps")
    assert stamps.read("core") is None
    stamps.write("core", "abc")
    assert stamps.matches("core", "abc")
    assert not stamps.matches("core", "abd")
    stamps.forget("core")
    stamps.forget("core")
    assert stamps.read("core") is None


def test_a_stamp_is_written_whole_or_not_at_all(tmp_path, monkeypatch):
    stamps = Stamps(tmp_path)
    stamps.write("core", "old")

    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    with pytest.raises(OSError, match="No space"):
        stamps.write("core", "new")
    assert stamps.read("core") == "old"


def test_the_digest_follows_words_names_and_contents(tmp_path):
    a, b = tmp_path / "a.txt", tmp_path / "b.txt"
    a.write_text("1")
    b.write_text("2")
    base = digest(["3.11"], [a, b], tmp_path)
    assert digest(["3.11"], [b, a], tmp_path) == base
    assert digest(["3.12"], [a, b], tmp_path) != base
    assert digest(["3.11"], [a], tmp_path) != base
    a.write_text("10")
    assert digest(["3.11"], [a, b], tmp_path) != base
    a.write_text("1")
    a.rename(tmp_path / "c.txt")
    assert digest(["3.11"], [b, tmp_path / "c.txt"], tmp_path) != base
