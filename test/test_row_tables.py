"""Tables of cases in one test."""

import pytest
from row_tables import each_row


def failures(test, **fixtures):
    with pytest.raises(pytest.fail.Exception) as caught:
        test(**fixtures)
    return str(caught.value)


def test_every_failing_row_is_listed_with_both_sides():
    @each_row("given, expected", [(1, 1), (2, 3), pytest.param(4, 5, id="four")])
    def check(given, expected):
        assert given == expected

    told = failures(check)
    assert told.startswith("2 of 3 rows fail\n")
    for part in ("row 2: given=2, expected=3", "assert 2 == 3", "row 3: given=4, expected=5", "assert 4 == 5"):
        assert part in told


def test_errors_skips_and_missing_errors_fail_their_row():
    @each_row("act", [lambda: 1 / 0, lambda: pytest.skip("not here"), lambda: None, lambda: int("x")])
    def check(act):
        with pytest.raises(ValueError, match="int"):
            act()

    told = failures(check)
    assert told.startswith("3 of 4 rows fail\n")
    for part in ("ZeroDivisionError: division by zero", "not here", "DID NOT RAISE"):
        assert part in told


def test_two_tables_give_all_combinations():
    seen = []

    @each_row("left", [1, 2])
    @each_row("right", "ab")
    def check(left, right):
        seen.append((left, right))

    check()
    assert seen == [(1, "a"), (1, "b"), (2, "a"), (2, "b")]


@each_row("text", ["a", "b"])
def test_each_row_has_a_folder_of_its_own(tmp_path, text):
    assert not list(tmp_path.iterdir())
    (tmp_path / "file").write_text(text)


def test_what_rows_would_leave_for_the_next_is_refused():
    with pytest.raises(AssertionError, match="use parametrize"):

        @each_row("text", ["a"])
        def check(monkeypatch, text):
            monkeypatch.setenv("TEXT", text)

    with pytest.raises(AssertionError, match="has rows"):
        each_row("text", [])
