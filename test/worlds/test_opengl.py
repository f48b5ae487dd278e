"""Which library draws without a screen: the one that is there, or the one that is asked for."""

import pytest

from vantage.cli import doctor
from vantage.worlds import opengl


@pytest.mark.parametrize(
    ("there", "asked", "found"),
    [
        ("EGL OSMesa", "", "egl"),
        ("EGL OSMesa", "osmesa", "osmesa"),
        ("OSMesa", "", "osmesa"),
        ("EGL", "osmesa", None),
        ("EGL", "glfw", None),
        ("", "", None),
    ],
)
def test_what_is_asked_for_counts(monkeypatch, there, asked, found):
    monkeypatch.setenv("MUJOCO_GL", asked)
    monkeypatch.setattr(opengl, "_loads", lambda file: any(name in file for name in there.split()))
    assert opengl.gl_library() == found
    check = doctor._gl()
    assert check.state == ("ok" if found else "optional")
    assert (found or asked or "neither EGL nor OSMesa") in check.detail
