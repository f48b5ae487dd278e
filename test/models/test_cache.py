import multiprocessing
import os
import stat

import numpy as np
import pytest

from vantage.errors import ModelError
from vantage.models.model_factory import ReplyCache, key_of
from vantage.models.protocol import Call, Reply, Turn

IMAGE = np.arange(24, dtype=np.uint8).reshape(2, 4, 3)
CALL = Call("What is there?", (IMAGE,))
REPLY = Reply("A mug.", 0.25)


def kept(folder, call=CALL, reply=REPLY):
    cache, key = ReplyCache(folder), key_of("eyes", {}, call)
    cache.put(key, "eyes", call, reply)
    return cache, key


def test_what_was_kept_is_found_again_and_costs_nothing(tmp_path):
    cache, key = kept(tmp_path, reply=Reply("A mug.", 0.25, 100, 10))
    assert cache.get(key) == Reply("A mug.", 0.25)
    assert ReplyCache(tmp_path).get(key_of("eyes", {}, Call("What else?"))) is None


@pytest.mark.parametrize(
    "other",
    [
        key_of("ears", {}, CALL),
        key_of("eyes", {"max_new_tokens": 1}, CALL),
        key_of("eyes", {}, Call("What is here?", (IMAGE,))),
        key_of("eyes", {}, Call("What is there?")),
        key_of("eyes", {}, Call("What is there?", (IMAGE[::-1],))),
        key_of("eyes", {}, Call("What is there?", (IMAGE.reshape(4, 2, 3),))),
        key_of("eyes", {}, Call("What is there?", (IMAGE,), {"type": "string"})),
        key_of("eyes", {}, Call("What is there?", (IMAGE,), choice=True)),
        key_of("eyes", {}, Call("What is there?", (IMAGE,), system="Be brief.")),
        key_of("eyes", {}, Call("What is there?", (IMAGE,), image_names=("END_IMAGE",))),
        key_of("eyes", {}, Call("What is there?", (IMAGE,), earlier=(Turn("Hello?", "Hi."),))),
    ],
)
def test_whatever_a_reply_depends_on_makes_another_key(other):
    assert other != key_of("eyes", {}, CALL)
    assert key_of("eyes", {}, Call("What is there?", (IMAGE.copy(),))) == key_of("eyes", {}, CALL)


@pytest.mark.parametrize(
    "damage",
    [
        lambda data: b"",
        lambda data: data[: len(data) // 2],
        lambda data: b"\xff" * 50,
        lambda data: b"[]",
        lambda data: data.replace(b'"A mug."', b"7"),
        lambda data: data.replace(b"0.25", b'"much"'),
        lambda data: data.replace(b'"version": 1', b'"version": 0'),
        lambda data: data.replace(b'"key": "', b'"key": "0'),
    ],
)
def test_damaged_entries_are_ignored_and_written_over(tmp_path, damage):
    cache, key = kept(tmp_path)
    [path] = tmp_path.rglob("*.json")
    whole = path.read_bytes()
    path.write_bytes(damage(whole))
    assert path.read_bytes() != whole
    assert cache.get(key) is None
    kept(tmp_path)
    assert cache.get(key) == Reply("A mug.", 0.25)


def write_many(folder):
    for number in range(20):
        call = Call(f"question {number}")
        cache, key = kept(folder, call, Reply(f"answer {number}" * 1000))
        found = cache.get(key)
        assert found is not None
        assert found.text == f"answer {number}" * 1000


def test_processes_share_a_folder(tmp_path):
    context = multiprocessing.get_context("fork")
    processes = [context.Process(target=write_many, args=(tmp_path,)) for _ in range(3)]
    for process in processes:
        process.start()
    for process in processes:
        process.join(60.0)
        assert process.exitcode == 0
    assert len(list(tmp_path.rglob("*"))) == len(list(tmp_path.rglob("*.json"))) + len(list(tmp_path.iterdir()))
    assert len(list(tmp_path.rglob("*.json"))) == 20


def test_a_folder_that_cannot_be_made_is_refused(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(ModelError, match=r"model\.cache = .* cannot be used"):
        ReplyCache(tmp_path / "file" / "cache")


def test_a_reply_that_cannot_be_kept_is_said_and_not_lost(tmp_path, caplog):
    cache, key = kept(tmp_path)
    [path] = tmp_path.rglob("*.json")
    path.unlink()
    os.rmdir(path.parent)
    path.parent.write_text("in the way")
    cache.put(key, "eyes", CALL, Reply("A mug."))
    assert "could not be kept" in caplog.text
    assert cache.get(key) is None


def mode(path):
    return stat.S_IMODE(path.lstat().st_mode)


@pytest.fixture
def open_umask():
    before = os.umask(0)
    yield
    os.umask(before)


def test_questions_and_replies_are_nobody_elses(tmp_path, open_umask):
    kept(tmp_path / "new" / "cache")
    folder, shelf, path = (tmp_path / "new" / "cache"), *sorted((tmp_path / "new" / "cache").rglob("*"))
    assert (mode(folder), mode(shelf), mode(path)) == (0o700, 0o700, 0o600)


def test_a_cache_that_others_could_look_into_is_closed_and_used(tmp_path):
    _, key = kept(tmp_path / "cache")
    (tmp_path / "cache").chmod(0o755)
    assert ReplyCache(tmp_path / "cache").get(key) == REPLY
    assert mode(tmp_path / "cache") == 0o700


def test_a_folder_with_other_objects_in_it_is_not_closed_but_refused(tmp_path):
    (tmp_path / "home").mkdir()
    (tmp_path / "home").chmod(0o755)
    (tmp_path / "home" / "letters").write_text("")
    with pytest.raises(ModelError, match=r"model\.cache = .*home cannot be used: other users can look into it, and it"):
        ReplyCache(tmp_path / "home")
    assert mode(tmp_path / "home") == 0o755


def owned_by_another(monkeypatch, path):
    """Make a path look as if it belonged to another user, whoever runs this."""
    number, real = path.lstat().st_ino, type(path).lstat

    def lstat(self):
        found = real(self)
        return os.stat_result((*found[:4], found.st_uid + (found.st_ino == number), *found[5:]))

    monkeypatch.setattr(type(path), "lstat", lstat)


def test_a_folder_of_another_user_is_refused_in_one_sentence(tmp_path, monkeypatch):
    kept(tmp_path / "cache")
    owned_by_another(monkeypatch, tmp_path / "cache")
    with pytest.raises(ModelError, match=r"model\.cache = .* cannot be used: it belongs to another user; name a "):
        ReplyCache(tmp_path / "cache")


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a folder away")
def test_a_folder_that_was_given_away_is_refused(tmp_path):
    kept(tmp_path / "cache")
    os.chown(tmp_path / "cache", 65534, 65534)
    with pytest.raises(ModelError, match="it belongs to another user"):
        ReplyCache(tmp_path / "cache")


def test_links_and_folders_that_everybody_writes_to_are_refused(tmp_path):
    kept(tmp_path / "cache")
    (tmp_path / "link").symlink_to(tmp_path / "cache")
    with pytest.raises(ModelError, match="cannot be used: it is a link"):
        ReplyCache(tmp_path / "link")
    (tmp_path / "cache").chmod(0o1777)
    with pytest.raises(ModelError, match="cannot be used: every user may write to it"):
        ReplyCache(tmp_path / "cache")


@pytest.mark.parametrize("what", ["shelf", "reply"])
def test_what_another_user_put_there_is_asked_for_anew(tmp_path, monkeypatch, caplog, what):
    cache, key = kept(tmp_path / "cache")
    [path] = (tmp_path / "cache").rglob("*.json")
    owned_by_another(monkeypatch, path if what == "reply" else path.parent)
    assert cache.get(key) is None
    cache.put(key, "eyes", CALL, Reply("A cup."))
    if what == "shelf":
        assert "could not be kept" in caplog.text
        assert "it belongs to another user" in caplog.text
    else:
        assert cache.get(key) == Reply("A cup."), "written over by one of one's own"


@pytest.mark.parametrize("what", ["shelf", "reply"])
def test_links_in_a_cache_are_not_followed(tmp_path, what):
    cache, key = kept(tmp_path / "cache")
    [path] = (tmp_path / "cache").rglob("*.json")
    target = path if what == "reply" else path.parent
    target.rename(tmp_path / "elsewhere")
    target.symlink_to(tmp_path / "elsewhere")
    assert cache.get(key) is None
